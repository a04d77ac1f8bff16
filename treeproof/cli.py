"""The verbs of the command line, each a few lines over the rooms. Nothing is imported before a verb needs it:
``treeproof --help`` must come at once.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from treeproof import __version__
from treeproof.errors import UsageError

if TYPE_CHECKING:
    from treeproof.run.interrupts import Interrupts
    from treeproof.spec import Pack

EXITS = """exit codes: 0 conformant (or partial: everything selected held), 1 non-conformant, 2 usage, 3 incomplete,
4 fault. TARGET is 'reference', a manifest (treeproof.toml) or kind:target, such as python:pkg.mod:factory,
stdio:'node server.mjs' or command:./tool."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit code. Never raises: what a user got wrong is one line on stderr and 2."""
    parser = _parser()
    try:
        words = parser.parse_args(arguments)
    except SystemExit as done:  # argparse has printed its line
        return int(done.code or 0)
    verb: Callable[[argparse.Namespace], int] = words.verb
    gc.set_threshold(100_000, 20, 20)  # a verb makes many small values that live to its end
    try:
        return verb(words)
    except UsageError as error:
        print(f"treeproof: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _read_by_nobody()
        return 0
    except KeyboardInterrupt:
        print("treeproof: interrupted", file=sys.stderr)
        return 4


def _read_by_nobody() -> None:
    """Let what is still buffered go nowhere; the interpreter would complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="treeproof",
        description="The conformance suite for the file-system tools of AI agents.",
        epilog=EXITS,
    )
    parser.add_argument("--version", action="version", version=f"treeproof {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    run = verbs.add_parser("run", help="judge a candidate", epilog=EXITS)
    run.add_argument("target", metavar="TARGET", help="reference, a manifest, or kind:target")
    run.add_argument(
        "--spec",
        action="append",
        default=[],
        metavar="NAME[@VERSION]",
        help="judge by this specification only",
    )
    run.add_argument(
        "--select", nargs="+", action="extend", default=[], metavar="ID", help="requirements or scenarios"
    )
    run.add_argument("--profile", choices=("default", "strict", "lenient"), default="default")
    run.add_argument(
        "--report", action="append", default=[], metavar="FORMAT=FILE", help="json=FILE, junit=FILE"
    )
    run.add_argument("--baseline", metavar="FILE", help="known failures, which do not decide the exit")
    run.add_argument("--write-baseline", metavar="FILE", help="write the failures of this run as a baseline")
    run.add_argument("--seed", type=int, default=0, metavar="N", help="seed of everything random (default 0)")
    run.add_argument("--examples", type=_count, metavar="N", help="random cases that each law shall see")
    run.set_defaults(verb=_run)

    listing = verbs.add_parser("list", help="print what the suite knows")
    listing.add_argument(
        "what", choices=("specs", "requirements", "scenarios", "interpretations", "steps", "capabilities")
    )
    listing.add_argument("--spec", action="append", default=[], metavar="NAME[@VERSION]")
    listing.set_defaults(verb=_list)

    explain = verbs.add_parser("explain", help="what an id asks, where it stands, who checks it")
    explain.add_argument("id", metavar="ID", help="a requirement, a scenario or an interpretation")
    explain.add_argument("--spec", action="append", default=[], metavar="NAME[@VERSION]")
    explain.set_defaults(verb=_explain)

    trace = verbs.add_parser("trace", help="requirement by scenario, as a table")
    trace.add_argument("--format", choices=("md", "csv", "json"), default="md")
    trace.add_argument("--spec", action="append", default=[], metavar="NAME[@VERSION]")
    trace.set_defaults(verb=_trace)

    lint = verbs.add_parser("lint", help="check catalogues and features, offline")
    lint.add_argument("paths", nargs="*", metavar="PATH", help="folders of packs (default: the bundled ones)")
    lint.set_defaults(verb=_lint)

    doctor = verbs.add_parser(
        "doctor", help="what this machine can verify; with a target, whether its adapter is sound"
    )
    doctor.add_argument("target", nargs="?", metavar="TARGET")
    doctor.set_defaults(verb=_doctor)

    adequacy = verbs.add_parser("adequacy", help="the zoo of wrong implementations against the suite")
    adequacy.add_argument("--spec", action="append", default=[], metavar="NAME[@VERSION]")
    adequacy.add_argument(
        "--select", nargs="+", default=[], metavar="ID", help="these wrong implementations only"
    )
    adequacy.add_argument(
        "--full", action="store_true", help="the whole suite for each, which shows blame; slow"
    )
    adequacy.add_argument("--jobs", type=_count, default=2, metavar="N", help="worker processes (default 2)")
    adequacy.add_argument("--report", metavar="FILE", help="the kill matrix as JSON")
    adequacy.set_defaults(verb=_adequacy)

    search = verbs.add_parser("search", help="counterexamples against the model, as long as there is time")
    search.add_argument("target", metavar="TARGET", help="reference, a manifest, or kind:target")
    search.add_argument("--spec", action="append", default=[], metavar="NAME[@VERSION]")
    search.add_argument("--seconds", type=_count, default=60, metavar="N", help="how long (default 60)")
    search.add_argument("--seed", type=int, default=0, metavar="N", help="where to begin (default 0)")
    search.add_argument("--profile", choices=("default", "strict", "lenient"), default="default")
    search.add_argument("--save", metavar="DIR", help="keep every counterexample as a file in this folder")
    search.set_defaults(verb=_search)

    replay = verbs.add_parser("replay", help="a kept counterexample once more; exit 1 if it still is one")
    replay.add_argument("bundle", metavar="BUNDLE", help="a file that search --save wrote")
    replay.add_argument("target", nargs="?", metavar="TARGET", help="default: the one that it was found with")
    replay.add_argument("--profile", choices=("default", "strict", "lenient"))
    replay.set_defaults(verb=_replay)

    serve = verbs.add_parser("serve", help="the reference implementation as a server")
    serve.add_argument("what", choices=("reference",))
    serve.add_argument(
        "--protocol",
        choices=("stdio", "mcp"),
        default="stdio",
        help="stdio: the suite's own, for adapters; mcp: for agents",
    )
    of_mcp = serve.add_argument_group("with --protocol mcp")
    of_mcp.add_argument("--root", metavar="DIR", help="the sandbox root (default: the working directory)")
    of_mcp.add_argument("--config", metavar="FILE", help="TOML: [tools.NAME], [budgets], [policy], [sandbox]")
    of_mcp.add_argument(
        "--http", metavar="[HOST:]PORT", help="Streamable HTTP instead of stdio; no authentication"
    )
    of_mcp.add_argument(
        "--trust-context",
        action="store_true",
        help="take roots, budgets and policy from each call: for tests of this server, never for an agent",
    )
    serve.set_defaults(verb=_serve)

    new = verbs.add_parser("new", help="files to begin with")
    kinds = new.add_subparsers(metavar="WHAT", required=True)
    candidate = kinds.add_parser(
        "candidate", help="glue, a manifest and a CI workflow for your implementation"
    )
    candidate.add_argument("folder", nargs="?", default=".", metavar="DIR", help="where (default: here)")
    candidate.add_argument("--language", choices=("python", "node", "go"), required=True)
    candidate.add_argument("--adapter", choices=("stdio", "command", "python"), default="stdio")
    candidate.add_argument("--spec", metavar="NAME[@VERSION]", help="default: the first bundled one")
    candidate.set_defaults(verb=_new_candidate)
    scenario = kinds.add_parser("scenario", help="a kept counterexample as a scenario of its requirement")
    scenario.add_argument(
        "--from", dest="bundle", required=True, metavar="BUNDLE", help="a file that search --save wrote"
    )
    scenario.add_argument(
        "--into", metavar="FILE", help="the feature file (default: where the requirement's scenarios are)"
    )
    scenario.set_defaults(verb=_new_scenario)
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


def _run(words: argparse.Namespace) -> int:
    from treeproof.run.interrupts import Interrupts

    with Interrupts(last=True) as interrupts:  # until the reports are written
        return _judge(words, interrupts)


def _judge(words: argparse.Namespace, interrupts: Interrupts) -> int:
    from pathlib import Path

    from treeproof.report import formats, terminal
    from treeproof.report.writing import check_writable, write
    from treeproof.run.runner import Options, run
    from treeproof.verdict import Profile, baseline

    reports = formats.requested(words.report)
    known = Path(words.write_baseline) if words.write_baseline else None
    if known is not None:
        check_writable(known)
    options = Options(
        target=words.target,
        specs=tuple(words.spec),
        select=tuple(words.select),
        profile=Profile(words.profile),
        seed=words.seed,
        examples=words.examples,
        baseline=Path(words.baseline) if words.baseline else None,
    )
    with terminal.Progress() as progress:
        done = run(options, started=progress.started, listener=progress.scenario_done, interrupts=interrupts)
    try:
        formats.write_all(done.document, reports)
        if known is not None:
            write(known, baseline.text(done.judgements).encode())
    except UsageError as lost:  # a full disk; it could be written to before the run
        terminal.print_run(done.document)
        print(f"treeproof: {lost}", file=sys.stderr)
        return 4
    try:
        terminal.print_run(done.document)
    except BrokenPipeError:  # `treeproof run … | head`: the verdict is reached, whoever reads it
        _read_by_nobody()
    return int(done.document["exit"])


def _adequacy(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.adequacy.drive import adequacy
    from treeproof.adequacy.telling import Progress, print_matrix, report
    from treeproof.report.page import Page, console_for
    from treeproof.report.writing import check_writable, write

    file = Path(words.report) if words.report else None
    if file is not None:
        check_writable(file)
    page = Page(console_for(sys.stdout))
    code, found = 0, []
    for pack in _packs(words.spec):
        with Progress() as progress:
            result = adequacy(pack, ids=words.select, full=words.full, jobs=words.jobs, done=progress.done)
        found.append((pack, result))
        print_matrix(pack, result, page)
        code = max(code, 1 if result.broken_gates() else 0)
    if file is not None:
        write(file, report(found))
    return code


def _list(words: argparse.Namespace) -> int:
    from treeproof.report.catalogue import print_list
    from treeproof.report.page import Page, console_for

    print_list(words.what, _packs(words.spec), Page(console_for(sys.stdout)))
    return 0


def _explain(words: argparse.Namespace) -> int:
    from treeproof.adequacy.zoo import caught_by
    from treeproof.report.catalogue import print_explanation
    from treeproof.report.page import Page, console_for
    from treeproof.spec.trace import read

    packs = _packs(words.spec)
    # An id's own pack gives the better message, so the prefix decides where to look when nothing has the id.
    traces = sorted(map(read, packs), key=lambda trace: not words.id.startswith(trace.pack.prefix))
    for position, trace in enumerate(traces):
        try:
            page = Page(console_for(sys.stdout))
            print_explanation(trace, words.id, page, partial(caught_by, trace.pack))
            return 0
        except UsageError:
            if position + 1 == len(traces):
                raise
    raise UsageError("there is no bundled specification; write --spec FOLDER")


def _packs(names: Sequence[str]) -> list[Pack]:
    from treeproof.spec import bundled, find, load

    return [load(folder) for folder in ([find(name) for name in names] or bundled())]


def _trace(words: argparse.Namespace) -> int:
    from treeproof.report.traceability import FORMATS, rows

    sys.stdout.write(FORMATS[words.format](list(rows(_packs(words.spec)))))
    return 0


def _lint(words: argparse.Namespace) -> int:
    from treeproof.report.findings import print_findings
    from treeproof.report.page import Page, console_for
    from treeproof.run.linting import findings_of

    return print_findings(findings_of(words.paths), Page(console_for(sys.stdout)))


def _doctor(words: argparse.Namespace) -> int:
    import signal

    from treeproof.report.doctor import print_checks, print_machine
    from treeproof.report.page import Page, console_for
    from treeproof.run.doctor import examine, machine_report

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # nothing is left behind then either
    page = Page(console_for(sys.stdout))
    if words.target is None:
        return print_machine(machine_report(), page)
    return print_checks(examine(words.target), page)


def _search(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.search import hunt, opening, telling
    from treeproof.verdict import Profile

    with Interrupts(last=True) as stop:
        profile = Profile(words.profile)
        with (
            opening.opened(words.target, words.spec, profile, words.seed, stop) as samples,
            opening.referee(samples, words.target) as referee,
            telling.Progress() as progress,
        ):
            found = hunt.Hunt(samples, referee, words.target, words.seconds, progress)
            found.run()
        saved = [bundle.write(Path(words.save)) for bundle in found.bundles] if words.save else []
        telling.print_hunt(found, saved)
    return found.exit


def _replay(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.run.interrupts import Interrupts
    from treeproof.search import bundle, replay, telling
    from treeproof.verdict import Profile

    kept = bundle.read(Path(words.bundle))
    profile = Profile(words.profile) if words.profile else None
    with Interrupts(last=True) as stop:
        again = replay.replay(kept, words.target, profile, stop)
    return telling.print_replay(again)


def _new_scenario(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.search import bundle, promote

    into = Path(words.into) if words.into else None
    file, id = promote.promote(bundle.read(Path(words.bundle)), into)
    print(f"{file}: {id}")
    return 0


def _serve(words: argparse.Namespace) -> int:
    from treeproof.candidate import host
    from treeproof.spec import bundled, load

    entry = next(pack.reference for pack in map(load, bundled()) if pack.reference)
    if words.protocol == "mcp":
        return _serve_mcp(words, entry)
    for option in ("root", "config", "http", "trust_context"):
        if getattr(words, option):
            raise UsageError(f"--{option.replace('_', '-')} goes with --protocol mcp")
    return host.serve(words.protocol, entry)


def _serve_mcp(words: argparse.Namespace, entry: str) -> int:
    from pathlib import Path

    from treeproof.candidate import serving

    return serving.serve_mcp(
        entry,
        root=Path(words.root or "."),
        config=Path(words.config) if words.config else None,
        address=words.http,
        trusts_context=words.trust_context,
    )


def _new_candidate(words: argparse.Namespace) -> int:
    from pathlib import Path

    from treeproof.scaffold import new_candidate

    packs = _packs([words.spec] if words.spec else [])
    if not packs:
        raise UsageError("there is no bundled specification; write --spec FOLDER")
    plan = new_candidate(packs[0], words.language, words.adapter, Path(words.folder))
    print("\n".join(["written:", *(f"  {plan.folder / place}" for place in plan.files)]))
    print("\n".join(["next:", *(f"  {line}" for line in plan.next)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
