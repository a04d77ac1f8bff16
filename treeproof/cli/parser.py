"""The commands, their arguments and their help texts."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from treeproof import __version__
from treeproof.cli import confirm as confirm_command
from treeproof.cli import coverage as coverage_command
from treeproof.cli import lint_doctor_adequacy, list_explain_trace, new, run_merge, search_replay, versions
from treeproof.cli import serve as serve_command

if TYPE_CHECKING:
    from treeproof.run.plan import Shard

    _Subparsers = argparse._SubParsersAction["_Parser"]

EXIT_CODES_HELP = """\
exit codes: 0 conformant, sound or partial, 1 non-conformant or unsound, 2 usage error, 3 incomplete, 4 fault,
5 interrupted.
TARGET: 'reference', a manifest (treeproof.toml) or kind:value, such as python:pkg.mod:factory, stdio:'node server.mjs',
command:./tool or mutant:MUT-001."""
COMPARE_EXIT_CODES_HELP = """\
exit codes: 0 not worse, 1 worse: a scenario that passed fails, or one fails in another
way; 2 usage error, 3 incomplete: results of OLD are missing in NEW, 4 a new fault. Only requirements that decide the
exit code of NEW count; known failures of its baseline and times do not. Scenarios that NEW did not select are
neither fixed nor worse."""
TARGET_HELP = "reference, a manifest, or kind:value"
REPORT_METAVAR = "FORMAT=FILE"
_JUDGES: dict[str, Any] = {"unread_code": 4, "needs_cwd": True}
_SAVED_FILE = "a file that search --save wrote"
_OWN_SPEC_HELP = "the specification of the counterexample, if it is not bundled"
SPEC_METAVAR = "NAME[@VERSION]"


class _Parser(argparse.ArgumentParser):
    """A parser with errors of one line. It imports the report formats only to print its help."""

    def error(self, message: str) -> NoReturn:
        from treeproof.report.escape import visible

        text = visible(message.removeprefix("argument "))
        self.exit(2, f"treeproof: {text}; see: {self.prog} --help\n")

    def format_help(self) -> str:
        for action in self._actions:
            if action.metavar == REPORT_METAVAR and action.help is None:
                from treeproof.report.formats.registry import FORMATS

                action.help = f"write a report; FORMAT: {', '.join(FORMATS)}; FILE - is standard output"
        return super().format_help()


def parse_args(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed arguments; ``handler`` is the function of the command. Raises SystemExit."""
    parser = build_parser()
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        hint = "" if unknown[0].startswith("-") else " (quote a TARGET that consists of several words)"
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    return args


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = _Parser(
        prog="treeproof",
        description="Check whether the file-system tools of AI agents conform to their specifications.",
        epilog=EXIT_CODES_HELP,
    )
    parser.add_argument("--version", action="version", version=f"treeproof {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in (
        _add_run_merge,
        _add_list_explain_trace,
        _add_lint_doctor_adequacy,
        _add_search_replay,
        _add_serve,
        _add_new,
    ):
        add(commands)
    return parser


def _add_command(
    commands: _Subparsers,
    name: str,
    handler: Callable[[argparse.Namespace], int],
    *,
    epilog: str | None = None,
    **properties: Any,
) -> _Parser:
    """Add a command that is described by the docstring of its ``handler``; ``properties``: see `treeproof.cli.main`."""
    summary, *details = (handler.__doc__ or ".").split("\n\n")
    text = " ".join([summary, *" ".join(details).split()])
    summary = f"{summary[0].lower()}{summary[1:].rstrip('.')}"
    parser = commands.add_parser(name, help=summary, description=text, epilog=epilog)
    parser.set_defaults(handler=handler, **properties)
    return parser


def _add_run_merge(commands: _Subparsers) -> None:
    run = _add_command(commands, "run", run_merge.run, epilog=EXIT_CODES_HELP, **_JUDGES)
    run.add_argument("target", metavar="TARGET", help=TARGET_HELP)
    _add_spec_option(run, "those that the candidate claims")
    _add_select_option(run, "run only these: ids, beginnings of ids, patterns, interpretations, @tags (default: all)")
    _add_path(run, "--failed", "RUN.json", "run only the scenarios that failed or broke in this report")
    _add_documents(run)
    run.add_argument(
        "--watch",
        action="store_true",
        help="run again when files of the candidate or of a specification in a folder change (needs watchfiles)",
    )
    _add_profile_option(run, None, "that of the manifest, or default", "behaviour")
    run.add_argument("--report", action="append", default=[], metavar=REPORT_METAVAR)
    _add_verbose(run)
    _add_path(run, "--baseline", "FILE", "read known failures, which do not affect the exit code")
    _add_path(run, "--write-baseline", "FILE", "write the failures of this run as a baseline")
    _add_seed_option(run)
    run.add_argument(
        "--examples",
        type=_parse_positive_int,
        metavar="N",
        help="set the number of random cases per property (default: chosen for each property)",
    )
    run.add_argument(
        "--jobs",
        type=_parse_jobs,
        metavar="N",
        help="run N processes, each with its own candidate (default: chosen from the CPU count and the number of "
        "scenarios, at most 2 unless TARGET is 'reference')",
    )
    run.add_argument(
        "--shard",
        type=_parse_shard,
        metavar="I/N",
        help="run part I of N; 'treeproof merge' joins the reports",
    )

    run.add_argument(
        "--isolate",
        action="store_true",
        help="confine the candidate with bubblewrap: no network, no other processes, nothing else writable (Linux)",
    )
    run.add_argument(
        "--mutant",
        metavar="ID",
        help="plant this error into the candidate, to see what finds it; such a run claims nothing",
    )

    merge = _add_command(commands, "merge", run_merge.merge, epilog=EXIT_CODES_HELP, **_JUDGES)
    _add_path(merge, "reports", "RUN.json", "reports of run --report json=FILE", nargs="+")
    merge.add_argument("--report", action="append", default=[], metavar=REPORT_METAVAR)
    _add_verbose(merge)
    _add_documents(merge)

    compare = _add_command(commands, "compare", run_merge.compare, epilog=COMPARE_EXIT_CODES_HELP, **_JUDGES)
    _add_path(compare, "old", "OLD.json", "the report of the earlier run, by run --report json=FILE")
    _add_path(compare, "new", "NEW.json", "the report of the later run")
    compare.add_argument(
        "--report",
        action="append",
        default=[],
        metavar=REPORT_METAVAR,
        help="write a report; FORMAT: html, json; FILE - is standard output",
    )


def _add_list_explain_trace(commands: _Subparsers) -> None:
    lister = _add_command(commands, "list", list_explain_trace.list_)
    lister.add_argument(
        "kind",
        choices=(
            *("specs", "requirements", "scenarios", "interpretations", "mutants", "steps", "capabilities"),
            *("sentences", "keys"),
        ),
        help="the kind of items",
    )
    _add_spec_option(lister)
    lister.add_argument(
        "--format",
        choices=("text", "md", "schema", "manifest-schema"),
        default="text",
        help="set the format; md only for specs, interpretations and keys; for keys also schema, the JSON Schema of "
        "spec.toml, and manifest-schema, that of treeproof.toml (default: text)",
    )

    _add_path(lister, "--document", "FILE", "the Markdown document whose sentences to list")

    explain = _add_command(commands, "explain", list_explain_trace.explain)
    explain.add_argument("id", metavar="ID", help="a requirement, a scenario or an interpretation")
    _add_spec_option(explain)
    _add_path(explain, "--report", "RUN.json", "add the results of this run")
    _add_documents(explain)

    trace = _add_command(commands, "trace", list_explain_trace.trace)
    formats, help = ("md", "json", "html"), "set the format; html is a page of the document (default: md)"
    trace.add_argument("--format", choices=formats, default="md", help=help)
    _add_spec_option(trace)
    _add_path(trace, "--document", "FILE", "add the state of each requirement towards this Markdown document")

    book = _add_command(commands, "book", list_explain_trace.book)
    book.add_argument("--format", choices=("html", "md"), default="html", help="set the format (default: html)")
    _add_spec_option(book, "the only one")
    _add_documents(book)

    diff = _add_command(commands, "diff-spec", versions.diff_spec)
    diff.add_argument("old", metavar="OLD", help="the older version, such as ./my_tool@1.0")
    diff.add_argument("new", metavar="NEW", help="the newer version")
    diff.add_argument("--format", choices=("text", "md", "json"), default="text", help="set the format (default: text)")

    freeze = _add_command(commands, "freeze", versions.freeze)
    freeze.add_argument("--spec", metavar=SPEC_METAVAR, required=True, help="the folder of the specification")

    confirm = _add_command(commands, "confirm", confirm_command.confirm)
    ids = "a requirement, an interpretation, a settled topic, or the hash of a sentence"
    confirm.add_argument("id", metavar="ID", nargs="*", help=ids)
    _add_path(confirm, "--document", "FILE", "the Markdown document (default: the `source` beside the pack)")
    _add_spec_option(confirm, "the one that restates the document")


def _add_lint_doctor_adequacy(commands: _Subparsers) -> None:
    lint = _add_command(commands, "lint", lint_doctor_adequacy.lint, unread_code=4)
    _add_path(lint, "paths", "PATH", "folders of packs (default: all bundled ones)", nargs="*")
    _add_path(lint, "--document", "FILE", "compare the catalogue of PATH or PATH@VERSION with its Markdown document")

    doctor = _add_command(commands, "doctor", lint_doctor_adequacy.doctor, **_JUDGES)
    doctor.add_argument("target", nargs="?", metavar="TARGET", help=f"{TARGET_HELP} (default: this host)")
    _add_spec_option(doctor, "those of the manifest, and all bundled ones")

    adequacy = _add_command(commands, "adequacy", lint_doctor_adequacy.adequacy, **_JUDGES)
    _add_spec_option(adequacy)
    _add_select_option(adequacy, "run only these mutants and variants (default: all)")
    adequacy.add_argument(
        "--since",
        metavar="REV",
        help="run only what changes since this revision of git can affect, such as origin/main",
    )
    adequacy.add_argument(
        "--full",
        action="store_true",
        help="run the whole suite for each mutant, to measure attribution, and for each variant alone; slow",
    )
    adequacy.add_argument(
        "--jobs", type=_parse_jobs, default=2, metavar="N", help="run N worker processes (default: 2)"
    )
    _add_path(adequacy, "--report", "FILE", "write the kill matrix as JSON")

    coverage = _add_command(commands, "coverage", coverage_command.coverage, **_JUDGES)
    _add_spec_option(coverage, "all that have a table of inputs")
    coverage.add_argument("--write", action="store_true", help="add scenarios for the pairs that nothing reaches")
    coverage.add_argument("--verbose", action="store_true", help="print all missing pairs, and the calls of each value")
    _add_path(coverage, "--report", "FILE", "write the numbers and the missing pairs as JSON")


def _add_search_replay(commands: _Subparsers) -> None:
    search = _add_command(commands, "search", search_replay.search, **_JUDGES)
    search.add_argument("target", metavar="TARGET", help=TARGET_HELP)
    _add_spec_option(search, "the first that the candidate claims")
    search.add_argument(
        "--seconds", type=_parse_positive_int, default=60, metavar="N", help="set the duration (default: 60)"
    )
    _add_seed_option(search)
    _add_profile_option(search, "default", "default")
    _add_path(search, "--save", "DIR", "save each counterexample as a file in this folder")

    replay = _add_command(commands, "replay", search_replay.replay, **_JUDGES)
    _add_path(replay, "counterexample", "COUNTEREXAMPLE", _SAVED_FILE)
    replay.add_argument(
        "target", nargs="?", metavar="TARGET", help=f"{TARGET_HELP} (needed unless the search was with the reference)"
    )
    replay.add_argument("--spec", metavar=SPEC_METAVAR, help=_OWN_SPEC_HELP)
    _add_profile_option(replay, None, "that of the search")


def _add_serve(commands: _Subparsers) -> None:
    serve = _add_command(commands, "serve", serve_command.serve, any_encoding=True)
    serve.add_argument("implementation", choices=("reference",), help="the implementation to serve")
    serve.add_argument("--spec", metavar=SPEC_METAVAR, help="select its specification (default: the first bundled one)")
    serve.add_argument(
        "--protocol",
        choices=("stdio", "mcp"),
        default="stdio",
        help="set the protocol: stdio for adapters, mcp for agents (default: stdio)",
    )
    mcp = serve.add_argument_group("options of --protocol mcp")
    _add_path(mcp, "--root", "DIR", "set the sandbox root (default: the working directory)")
    _add_path(mcp, "--config", "FILE", "read a TOML file with [tools.NAME], [budgets], [policy] and [sandbox]")
    mcp.add_argument("--http", metavar="[HOST:]PORT", help="serve Streamable HTTP instead of stdio; no authentication")
    mcp.add_argument(
        "--trust-context",
        action="store_true",
        help="accept roots, budgets and policy from each call: for tests of this server, never for an agent",
    )


def _add_new(commands: _Subparsers) -> None:
    init = _add_command(commands, "init", new.init, needs_cwd=True)
    _add_path(init, "--folder", "DIR", "the folder of the manifest (default: the working directory)", default=".")
    init.add_argument("--run", action="store_true", help="judge the server at once, as `treeproof run` does then")
    init.add_argument(
        "command", nargs="+", metavar="WORD", help="after --, the program of the server, and its arguments"
    )
    text = "create a candidate, a specification or a scenario"
    parser = commands.add_parser("new", help=text, description=f"{text.capitalize()} to start with.")
    kinds = parser.add_subparsers(metavar="KIND", required=True)
    candidate = _add_command(kinds, "candidate", new.candidate, needs_cwd=True)
    _add_path(
        candidate,
        "folder",
        "DIR",
        "the folder to create (default: the working directory)",
        nargs="?",
        default=".",
    )
    candidate.add_argument(
        "--language",
        metavar="{python,node,typescript,go,java,rust,ruby,generic}",
        required=True,
        help="set the language of the glue code; generic: a skeleton for every other language",
    )
    candidate.add_argument(
        "--adapter",
        choices=("stdio", "command", "python"),
        default="stdio",
        help="set the adapter kind (default: stdio)",
    )
    candidate.add_argument(
        "--spec", metavar=SPEC_METAVAR, help="select the specification (default: the first bundled one)"
    )
    spec = _add_command(kinds, "spec", new.spec, needs_cwd=True)
    spec.add_argument("name", metavar="NAME", help="its name: lower-case letters, digits and _")
    _add_path(spec, "folder", "DIR", "the folder to create (default: a folder with that name)", nargs="?")
    spec.add_argument("--with-oracle", action="store_true", help="add a model, properties, schemas and a variant")
    _add_path(spec, "--document", "FILE", "write the rules of this Markdown document as requirements")
    help = "only those below this heading, such as '4. glob', 4 or 'glob > Errors'; repeatable"
    spec.add_argument("--section", metavar="HEADING", action="append", default=[], help=help)
    spec.add_argument("--tool", metavar="TOOL", help="the tool that the scenarios call (default: NAME)")
    scenario = _add_command(kinds, "scenario", new.scenario, needs_cwd=True)
    _add_path(scenario, "--from", "COUNTEREXAMPLE", _SAVED_FILE, dest="counterexample", required=True)
    _add_path(
        scenario,
        "--into",
        "FILE",
        "set the feature file (default: the one with the scenarios of the requirement)",
    )
    scenario.add_argument("--spec", metavar=SPEC_METAVAR, help=_OWN_SPEC_HELP)


def _add_spec_option(parser: argparse.ArgumentParser, default: str = "all bundled ones") -> None:
    parser.add_argument(
        "--spec",
        action="append",
        default=[],
        metavar=SPEC_METAVAR,
        help=f"select a bundled specification or a folder; repeatable (default: {default})",
    )


def _add_select_option(parser: argparse.ArgumentParser, help: str) -> None:
    parser.add_argument("--select", nargs="+", action="extend", default=[], metavar="ID", help=help)


def _add_verbose(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--verbose", action="store_true", help="print every cause, section and choice, not one screen")


def _add_seed_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=_parse_int,
        default=0,
        metavar="N",
        help="set the seed of all random cases (default: 0)",
    )


def _add_profile_option(
    parser: argparse.ArgumentParser, default: str | None, shown_default: str, *further: str
) -> None:
    behaviour = "; behaviour: judge by docs/behaviour.md, whatever the tool claims" if further else ""
    parser.add_argument(
        "--profile",
        choices=("default", "strict", "lenient", *further),
        default=default,
        help="set the accepted readings and whether SHOULD affects the exit code"
        f"{behaviour} (default: {shown_default})",
    )


def _add_path(parser: Any, name: str, metavar: str, help: str, **options: object) -> None:
    parser.add_argument(name, type=_parse_path, metavar=metavar, help=help, **options)


def _add_documents(parser: Any) -> None:
    help = "quote the sentences of this document of a specification; repeatable"
    _add_path(parser, "--document", "FILE", help, action="append", default=[])


def _parse_int(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer of at most 18 digits")
    return int(text)


def _parse_positive_int(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer of at most 9 digits")
    return int(text)


_MAX_JOBS = 64


def _parse_jobs(text: str) -> int:
    jobs = _parse_positive_int(text)
    if jobs > _MAX_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is too many; write at most {_MAX_JOBS}, one per processor")
    return jobs


def _parse_path(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; write one, or leave the option out")
    return text


def _parse_shard(text: str) -> Shard:
    from treeproof.run.plan import Shard

    try:
        return Shard.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
