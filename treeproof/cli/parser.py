"""What a user may write: the verbs, their arguments and the help of each."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, NoReturn

from treeproof import __version__
from treeproof.cli import (
    lint_doctor_adequacy,
    list_explain_trace,
    new,
    run_merge,
    search_replay,
)
from treeproof.cli import (
    serve as serving,
)

if TYPE_CHECKING:
    from treeproof.run.plan import Shard

    _Subparsers = argparse._SubParsersAction["_Parser"]

EXIT_CODES_HELP = """exit codes: 0 conformant (or partial: everything selected held), 1 non-conformant, 2 usage, 3 incomplete,
4 fault. TARGET is 'reference', a manifest (treeproof.toml) or kind:target, such as python:pkg.mod:factory,
stdio:'node server.mjs', command:./tool or mutant:MUT-001."""

REPORT_METAVAR = "FORMAT=FILE"
SPEC_METAVAR = "NAME[@VERSION]"


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
            if action.metavar == REPORT_METAVAR:
                from treeproof.report.formats.registry import FORMATS

                action.help = (
                    f"write a report; FORMAT is one of {', '.join(FORMATS)}; the FILE - is standard output"
                )
        return super().format_help()


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs; what it has parsed has the verb's function as ``verb``."""
    parser = _Parser(
        prog="treeproof",
        description="The conformance suite for the file-system tools of AI agents.",
        epilog=EXIT_CODES_HELP,
    )
    parser.add_argument("--version", action="version", version=f"treeproof {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    for family in (
        _add_run_merge,
        _add_list_explain_trace,
        _add_lint_doctor_adequacy,
        _add_search_replay,
        _add_serve,
        _add_new,
    ):
        family(verbs)
    return parser


def _add_run_merge(subparsers: _Subparsers) -> None:
    run = subparsers.add_parser("run", help="judge a candidate", epilog=EXIT_CODES_HELP)
    run.add_argument("target", metavar="TARGET", help="reference, a manifest, or kind:target")
    _add_spec_option(run)
    run.add_argument(
        "--select", nargs="+", action="extend", default=[], metavar="ID", help="requirements or scenarios"
    )
    _add_profile_option(run, "default")
    run.add_argument("--report", action="append", default=[], metavar=REPORT_METAVAR, help="write a report")
    run.add_argument(
        "--baseline", type=_parse_path, metavar="FILE", help="known failures, which do not decide the exit"
    )
    run.add_argument(
        "--write-baseline",
        type=_parse_path,
        metavar="FILE",
        help="write the failures of this run as a baseline",
    )
    run.add_argument(
        "--seed", type=_parse_int, default=0, metavar="N", help="seed of everything random (default 0)"
    )
    run.add_argument(
        "--examples", type=_parse_positive_int, metavar="N", help="random cases that each law shall see"
    )
    run.add_argument(
        "--jobs",
        type=_parse_jobs,
        metavar="N",
        help="processes that ask beside each other, with a candidate each (default: one, for the reference as many as "
        "pay); 1 asks a candidate of the kind python in this process, for a debugger",
    )
    run.add_argument(
        "--shard",
        type=_parse_shard,
        metavar="I/N",
        help="the I-th of N parts of the run; 'treeproof merge' joins them",
    )
    run.set_defaults(verb=run_merge.run, unread=4, here=True)

    merge = subparsers.add_parser(
        "merge",
        help="the shards of one run as one report, or runs of several candidates side by side",
        epilog=EXIT_CODES_HELP,
    )
    merge.add_argument(
        "reports",
        nargs="+",
        type=_parse_path,
        metavar="RUN.json",
        help="reports that --report json=FILE wrote",
    )
    merge.add_argument("--report", action="append", default=[], metavar=REPORT_METAVAR, help="write a report")
    merge.set_defaults(verb=run_merge.merge, unread=4, here=True)


def _add_list_explain_trace(subparsers: _Subparsers) -> None:
    listing = subparsers.add_parser("list", help="print what the suite knows")
    listing.add_argument(
        "what", choices=("specs", "requirements", "scenarios", "interpretations", "steps", "capabilities")
    )
    _add_spec_option(listing)
    listing.add_argument(
        "--format", choices=("text", "md"), default="text", help="specs: md is a table in Markdown"
    )
    listing.set_defaults(verb=list_explain_trace.list_)

    explain = subparsers.add_parser("explain", help="what an id asks, where it stands, who checks it")
    explain.add_argument("id", metavar="ID", help="a requirement, a scenario or an interpretation")
    _add_spec_option(explain)
    explain.add_argument(
        "--report", type=_parse_path, metavar="RUN.json", help="also what this run found for it"
    )
    explain.set_defaults(verb=list_explain_trace.explain)

    trace = subparsers.add_parser(
        "trace", help="requirement by scenario, law and wrong behaviour, as a table"
    )
    trace.add_argument("--format", choices=("md", "csv", "json", "html"), default="md")
    _add_spec_option(trace)
    trace.set_defaults(verb=list_explain_trace.trace)


def _add_lint_doctor_adequacy(subparsers: _Subparsers) -> None:
    lint = subparsers.add_parser("lint", help="check catalogues and features, offline")
    lint.add_argument(
        "paths",
        nargs="*",
        type=_parse_path,
        metavar="PATH",
        help="folders of packs (default: the bundled ones)",
    )
    lint.set_defaults(verb=lint_doctor_adequacy.lint, unread=4)

    doctor = subparsers.add_parser(
        "doctor", help="what this machine can verify; with a target, whether its adapter is sound"
    )
    doctor.add_argument("target", nargs="?", metavar="TARGET")
    doctor.set_defaults(verb=lint_doctor_adequacy.doctor, unread=4, here=True)

    adequacy = subparsers.add_parser("adequacy", help="the zoo of wrong implementations against the suite")
    _add_spec_option(adequacy)
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
    adequacy.add_argument(
        "--jobs", type=_parse_jobs, default=2, metavar="N", help="worker processes (default 2)"
    )
    adequacy.add_argument("--report", type=_parse_path, metavar="FILE", help="the kill matrix as JSON")
    adequacy.set_defaults(verb=lint_doctor_adequacy.adequacy, unread=4, here=True)


def _add_search_replay(subparsers: _Subparsers) -> None:
    search = subparsers.add_parser(
        "search", help="counterexamples against the model, as long as there is time"
    )
    search.add_argument("target", metavar="TARGET", help="reference, a manifest, or kind:target")
    search.add_argument(
        "--spec",
        action="append",
        default=[],
        metavar=SPEC_METAVAR,
        help="this specification: a bundled one or a folder (default: the first that the candidate claims)",
    )
    search.add_argument(
        "--seconds", type=_parse_positive_int, default=60, metavar="N", help="how long (default 60)"
    )
    search.add_argument("--seed", type=_parse_int, default=0, metavar="N", help="where to begin (default 0)")
    _add_profile_option(search, "default")
    search.add_argument(
        "--save", type=_parse_path, metavar="DIR", help="keep every counterexample as a file in this folder"
    )
    search.set_defaults(verb=search_replay.search, unread=4, here=True)

    replay = subparsers.add_parser(
        "replay", help="a kept counterexample once more; exit 1 if it still is one"
    )
    replay.add_argument("bundle", type=_parse_path, metavar="BUNDLE", help="a file that search --save wrote")
    replay.add_argument("target", nargs="?", metavar="TARGET", help="default: the one that it was found with")
    _add_profile_option(replay, None)
    replay.set_defaults(verb=search_replay.replay, unread=4, here=True)


def _add_serve(subparsers: _Subparsers) -> None:
    serve = subparsers.add_parser("serve", help="the reference implementation as a server")
    serve.add_argument("what", choices=("reference",))
    serve.add_argument("--spec", metavar=SPEC_METAVAR, help="whose reference (default: the first's)")
    serve.add_argument(
        "--protocol",
        choices=("stdio", "mcp"),
        default="stdio",
        help="stdio: the suite's own, for adapters; mcp: for agents",
    )
    of_mcp = serve.add_argument_group("with --protocol mcp")
    of_mcp.add_argument(
        "--root", type=_parse_path, metavar="DIR", help="the sandbox root (default: the working directory)"
    )
    of_mcp.add_argument(
        "--config",
        type=_parse_path,
        metavar="FILE",
        help="TOML: [tools.NAME], [budgets], [policy], [sandbox]",
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


def _add_new(subparsers: _Subparsers) -> None:
    beginning = subparsers.add_parser("new", help="files to begin with")
    kinds = beginning.add_subparsers(metavar="WHAT", required=True)
    candidate = kinds.add_parser(
        "candidate", help="glue, a manifest and a CI workflow for your implementation"
    )
    candidate.add_argument(
        "folder", nargs="?", type=_parse_path, default=".", metavar="DIR", help="where (default: here)"
    )
    candidate.add_argument("--language", choices=("python", "node", "go"), required=True)
    candidate.add_argument("--adapter", choices=("stdio", "command", "python"), default="stdio")
    candidate.add_argument("--spec", metavar=SPEC_METAVAR, help="default: the first bundled one")
    candidate.set_defaults(verb=new.candidate, here=True)
    spec = kinds.add_parser("spec", help="a specification of your own that lints and runs at once")
    spec.add_argument("name", metavar="NAME", help="small letters, digits and _")
    spec.add_argument(
        "folder", nargs="?", type=_parse_path, metavar="DIR", help="where (default: a folder of that name)"
    )
    spec.set_defaults(verb=new.spec, here=True)
    scenario = kinds.add_parser("scenario", help="a kept counterexample as a scenario of its requirement")
    scenario.add_argument(
        "--from",
        dest="bundle",
        type=_parse_path,
        required=True,
        metavar="BUNDLE",
        help="a file that search --save wrote",
    )
    scenario.add_argument(
        "--into",
        type=_parse_path,
        metavar="FILE",
        help="the feature file (default: where the requirement's scenarios are)",
    )
    scenario.set_defaults(verb=new.scenario, here=True)


def _add_spec_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spec",
        action="append",
        default=[],
        metavar=SPEC_METAVAR,
        help="this specification only: a bundled one or a folder; may be said again",
    )


def _add_profile_option(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--profile",
        choices=("default", "strict", "lenient"),
        default=default,
        help="which readings are right, and whether SHOULD decides"
        + ("" if default else " (default: the one that it was found under)"),
    )


def _parse_int(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at most 18 digits")
    return int(text)


def _parse_positive_int(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)


_MAX_JOBS = 64


def _parse_jobs(text: str) -> int:
    jobs = _parse_positive_int(text)
    if jobs > _MAX_JOBS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is too many; write at most {_MAX_JOBS}, as many as there are processors"
        )
    return jobs


def _parse_path(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; name one, or leave the words out")
    return text


def _parse_shard(text: str) -> Shard:
    from treeproof.run.plan import Shard

    try:
        return Shard.parse(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None
