"""What a user may write: the verbs, their arguments and the help of each."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, NoReturn

from treeproof import __version__
from treeproof.cli import catalogue, judging, new, searching, serving, soundness

if TYPE_CHECKING:
    from treeproof.run.asked import Shard

    _Verbs = argparse._SubParsersAction["_Parser"]

EXITS = """exit codes: 0 conformant (or partial: everything selected held), 1 non-conformant, 2 usage, 3 incomplete,
4 fault. TARGET is 'reference', a manifest (treeproof.toml) or kind:target, such as python:pkg.mod:factory,
stdio:'node server.mjs' or command:./tool."""

REPORT = "FORMAT=FILE"
SPEC = "NAME[@VERSION]"


class _Parser(argparse.ArgumentParser):
    """A parser whose help names the report formats, which are imported only when somebody asks for it, and that says in
    one line what is wrong.
    """

    def error(self, message: str) -> NoReturn:
        from treeproof.report.escape import visible

        told = message.removeprefix("argument ")
        if message.startswith("unrecognized arguments: ") and not message.split()[2].startswith("-"):
            told += " (a TARGET of several words is one argument: write it between quotes)"
        self.exit(2, f"treeproof: {visible(told)}; see: {self.prog} --help\n")

    def format_help(self) -> str:
        for action in self._actions:
            if action.metavar == REPORT:
                from treeproof.report.formats import FORMATS

                action.help = (
                    f"write a report; FORMAT is one of {', '.join(FORMATS)}; the FILE - is standard output"
                )
        return super().format_help()


def command_line() -> argparse.ArgumentParser:
    """Return the parser of all verbs; what it has parsed has the verb's function as ``verb``."""
    parser = _Parser(
        prog="treeproof",
        description="The conformance suite for the file-system tools of AI agents.",
        epilog=EXITS,
    )
    parser.add_argument("--version", action="version", version=f"treeproof {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for family in (_judging, _catalogue, _soundness, _searching, _serving, _new):
        family(verbs)
    return parser


def _judging(verbs: _Verbs) -> None:
    run = verbs.add_parser("run", help="judge a candidate", epilog=EXITS)
    run.add_argument("target", metavar="TARGET", help="reference, a manifest, or kind:target")
    _add_specs(run)
    run.add_argument(
        "--select", nargs="+", action="extend", default=[], metavar="ID", help="requirements or scenarios"
    )
    _add_profile(run, "default")
    run.add_argument("--report", action="append", default=[], metavar=REPORT, help="write a report")
    run.add_argument(
        "--baseline", type=_path, metavar="FILE", help="known failures, which do not decide the exit"
    )
    run.add_argument(
        "--write-baseline", type=_path, metavar="FILE", help="write the failures of this run as a baseline"
    )
    run.add_argument(
        "--seed", type=_whole, default=0, metavar="N", help="seed of everything random (default 0)"
    )
    run.add_argument("--examples", type=_count, metavar="N", help="random cases that each law shall see")
    run.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="processes that ask beside each other, with a candidate each (default: one, for the reference as many as "
        "pay); 1 asks a candidate of the kind python in this process, for a debugger",
    )
    run.add_argument(
        "--shard",
        type=_shard,
        metavar="I/N",
        help="the I-th of N parts of the run; 'treeproof merge' joins them",
    )
    run.set_defaults(verb=judging.run, unread=4, here=True)

    merge = verbs.add_parser(
        "merge",
        help="the shards of one run as one report, or runs of several candidates side by side",
        epilog=EXITS,
    )
    merge.add_argument(
        "reports", nargs="+", type=_path, metavar="RUN.json", help="reports that --report json=FILE wrote"
    )
    merge.add_argument("--report", action="append", default=[], metavar=REPORT, help="write a report")
    merge.set_defaults(verb=judging.merge, unread=4, here=True)


def _catalogue(verbs: _Verbs) -> None:
    listing = verbs.add_parser("list", help="print what the suite knows")
    listing.add_argument(
        "what", choices=("specs", "requirements", "scenarios", "interpretations", "steps", "capabilities")
    )
    _add_specs(listing)
    listing.add_argument(
        "--format", choices=("text", "md"), default="text", help="specs: md is a table in Markdown"
    )
    listing.set_defaults(verb=catalogue.list_)

    explain = verbs.add_parser("explain", help="what an id asks, where it stands, who checks it")
    explain.add_argument("id", metavar="ID", help="a requirement, a scenario or an interpretation")
    _add_specs(explain)
    explain.add_argument("--report", type=_path, metavar="RUN.json", help="also what this run found for it")
    explain.set_defaults(verb=catalogue.explain)

    trace = verbs.add_parser("trace", help="requirement by scenario, law and wrong behaviour, as a table")
    trace.add_argument("--format", choices=("md", "csv", "json", "html"), default="md")
    _add_specs(trace)
    trace.set_defaults(verb=catalogue.trace)


def _soundness(verbs: _Verbs) -> None:
    lint = verbs.add_parser("lint", help="check catalogues and features, offline")
    lint.add_argument(
        "paths", nargs="*", type=_path, metavar="PATH", help="folders of packs (default: the bundled ones)"
    )
    lint.set_defaults(verb=soundness.lint, unread=4)

    doctor = verbs.add_parser(
        "doctor", help="what this machine can verify; with a target, whether its adapter is sound"
    )
    doctor.add_argument("target", nargs="?", metavar="TARGET")
    doctor.set_defaults(verb=soundness.doctor, unread=4, here=True)

    adequacy = verbs.add_parser("adequacy", help="the zoo of wrong implementations against the suite")
    _add_specs(adequacy)
    adequacy.add_argument(
        "--select",
        nargs="+",
        action="extend",
        default=[],
        metavar="ID",
        help="these wrong implementations only",
    )
    adequacy.add_argument(
        "--full", action="store_true", help="the whole suite for each, which shows blame; slow"
    )
    adequacy.add_argument("--jobs", type=_jobs, default=2, metavar="N", help="worker processes (default 2)")
    adequacy.add_argument("--report", type=_path, metavar="FILE", help="the kill matrix as JSON")
    adequacy.set_defaults(verb=soundness.adequacy, unread=4, here=True)


def _searching(verbs: _Verbs) -> None:
    search = verbs.add_parser("search", help="counterexamples against the model, as long as there is time")
    search.add_argument("target", metavar="TARGET", help="reference, a manifest, or kind:target")
    search.add_argument(
        "--spec",
        action="append",
        default=[],
        metavar=SPEC,
        help="this specification: a bundled one or a folder (default: the first that the candidate claims)",
    )
    search.add_argument("--seconds", type=_count, default=60, metavar="N", help="how long (default 60)")
    search.add_argument("--seed", type=_whole, default=0, metavar="N", help="where to begin (default 0)")
    _add_profile(search, "default")
    search.add_argument(
        "--save", type=_path, metavar="DIR", help="keep every counterexample as a file in this folder"
    )
    search.set_defaults(verb=searching.search, unread=4, here=True)

    replay = verbs.add_parser("replay", help="a kept counterexample once more; exit 1 if it still is one")
    replay.add_argument("bundle", type=_path, metavar="BUNDLE", help="a file that search --save wrote")
    replay.add_argument("target", nargs="?", metavar="TARGET", help="default: the one that it was found with")
    _add_profile(replay, None)
    replay.set_defaults(verb=searching.replay, unread=4, here=True)


def _serving(verbs: _Verbs) -> None:
    serve = verbs.add_parser("serve", help="the reference implementation as a server")
    serve.add_argument("what", choices=("reference",))
    serve.add_argument("--spec", metavar=SPEC, help="whose reference (default: the first's)")
    serve.add_argument(
        "--protocol",
        choices=("stdio", "mcp"),
        default="stdio",
        help="stdio: the suite's own, for adapters; mcp: for agents",
    )
    of_mcp = serve.add_argument_group("with --protocol mcp")
    of_mcp.add_argument(
        "--root", type=_path, metavar="DIR", help="the sandbox root (default: the working directory)"
    )
    of_mcp.add_argument(
        "--config", type=_path, metavar="FILE", help="TOML: [tools.NAME], [budgets], [policy], [sandbox]"
    )
    of_mcp.add_argument(
        "--http", metavar="[HOST:]PORT", help="Streamable HTTP instead of stdio; no authentication"
    )
    of_mcp.add_argument(
        "--trust-context",
        action="store_true",
        help="take roots, budgets and policy from each call: for tests of this server, never for an agent",
    )
    serve.set_defaults(verb=serving.serve, anywhere=True)  # a scenario starts it where it likes


def _new(verbs: _Verbs) -> None:
    beginning = verbs.add_parser("new", help="files to begin with")
    kinds = beginning.add_subparsers(metavar="WHAT", required=True)
    candidate = kinds.add_parser(
        "candidate", help="glue, a manifest and a CI workflow for your implementation"
    )
    candidate.add_argument(
        "folder", nargs="?", type=_path, default=".", metavar="DIR", help="where (default: here)"
    )
    candidate.add_argument("--language", choices=("python", "node", "go"), required=True)
    candidate.add_argument("--adapter", choices=("stdio", "command", "python"), default="stdio")
    candidate.add_argument("--spec", metavar=SPEC, help="default: the first bundled one")
    candidate.set_defaults(verb=new.candidate, here=True)
    spec = kinds.add_parser("spec", help="a specification of your own that lints and runs at once")
    spec.add_argument("name", metavar="NAME", help="small letters, digits and _")
    spec.add_argument(
        "folder", nargs="?", type=_path, metavar="DIR", help="where (default: a folder of that name)"
    )
    spec.set_defaults(verb=new.spec, here=True)
    scenario = kinds.add_parser("scenario", help="a kept counterexample as a scenario of its requirement")
    scenario.add_argument(
        "--from",
        dest="bundle",
        type=_path,
        required=True,
        metavar="BUNDLE",
        help="a file that search --save wrote",
    )
    scenario.add_argument(
        "--into",
        type=_path,
        metavar="FILE",
        help="the feature file (default: where the requirement's scenarios are)",
    )
    scenario.set_defaults(verb=new.scenario, here=True)


def _add_specs(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--spec",
        action="append",
        default=[],
        metavar=SPEC,
        help="this specification only: a bundled one or a folder; may be said again",
    )


def _add_profile(verb: argparse.ArgumentParser, default: str | None) -> None:
    verb.add_argument(
        "--profile",
        choices=("default", "strict", "lenient"),
        default=default,
        help="which readings are right, and whether SHOULD decides"
        + ("" if default else " (default: the one that it was found under)"),
    )


def _whole(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at most 18 digits")
    return int(text)


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


_MOST_JOBS = 64


def _jobs(text: str) -> int:
    jobs = _count(text)
    if jobs > _MOST_JOBS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is too many; write at most {_MOST_JOBS}, as many as there are processors"
        )
    return jobs


def _path(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; name one, or leave the words out")
    return text


def _shard(text: str) -> Shard:
    from treeproof.run.asked import Shard

    try:
        return Shard.parse(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None
