"""The output of a search: one line while it runs, then the coverage and every counterexample.

Judges nothing. The console writer escapes all texts of a candidate.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from rich.console import Console

from treeproof import __version__
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.digest import pluralize
from treeproof.report.status_line import StatusLine
from treeproof.search.counterexample_file import SavedCounterexample
from treeproof.search.search import ReplayResult, Search
from treeproof.spec import Pack
from treeproof.spec.packs import command_name, is_bundled


class SearchProgress(StatusLine):
    """The progress of a search: its numbers, and each counterexample when it is found."""

    def on_case(self, search: Search) -> None:
        """Show the progress if an update is due."""
        if not self.is_due():
            return
        parts = (
            f"{pluralize(search.cases, 'case')}, {_format_rate(search)}",
            f"{max(0.0, search.seconds - search.elapsed):.0f} s left",
            f"{len(search.label_counts)} of {len(search.spaces.all_case_labels)} kinds of case",
            f"{len(search.counterexamples)} found",
        )
        if self.live:
            self.draw(self.writer.text(" · ".join(parts)))
        else:
            self.write(f"treeproof: {', '.join(parts)}")

    def on_counterexample(self, counterexample: SavedCounterexample) -> None:
        """Print a counterexample when it is found."""
        self.write(f"treeproof: {counterexample.requirement}: {counterexample.message}")


def _format_rate(search: Search) -> str:
    return f"{search.cases / max(search.elapsed, 0.001):.0f}/s"


def print_search(search: Search, saved: list[Path], console: Console | None = None) -> None:
    """Print the coverage and the counterexamples of a search."""
    writer = ConsoleWriter(console_for(sys.stdout) if console is None else console)
    session = search.spaces.session
    hello = session.candidate.initialize_result
    writer.paragraph(writer.text(f"treeproof {__version__}", "bold"))
    writer.field("candidate", writer.text(f"{hello.name} {hello.version} (by {session.candidate.adapter.kind})"))
    summary = (
        f"{pluralize(search.cases, 'case')} of {session.pack.name} in {search.elapsed:.1f} s ({_format_rate(search)})"
    )
    writer.field("search", writer.text(f"{summary} · seed {session.policy.seed} · profile {session.policy.profile}"))
    labels = search.spaces.all_case_labels
    covered = [f"{name} {search.label_counts[name]}" for name in labels if search.label_counts[name]]
    writer.field("covered", writer.text(", ".join(covered) or "nothing"))
    if missing := [name for name in labels if not search.label_counts[name]]:
        writer.field("missing", writer.text(", ".join(missing)))
    for number, counterexample in enumerate(search.counterexamples):
        print_counterexample(writer, counterexample, saved[number] if saved else None, session.pack)
    writer.blank()
    if search.fault:
        writer.paragraph(writer.text(f"candidate fault: {search.fault}", "bold magenta"))
    writer.paragraph(writer.text(_format_conclusion(search), "bold red" if search.counterexamples else "bold green"))


def _format_conclusion(search: Search) -> str:
    found = pluralize(len(search.counterexamples), "counterexample") if search.counterexamples else "no counterexample"
    return f"{found} in {pluralize(search.cases, 'case')}{', interrupted' if search.interrupted else ''}"


def print_replay(result: ReplayResult, console: Console | None = None) -> None:
    """Print the result of a replay."""
    writer = ConsoleWriter(console_for(sys.stdout) if console is None else console)
    if result.cause:
        writer.paragraph(writer.text(result.cause, "yellow"))
        return
    if not result.findings:
        writer.paragraph(
            writer.text(f"{result.counterexample.requirement}: the answer agrees with the model", "bold green")
        )
    for finding in result.findings:
        _print_title(writer, finding.requirement, finding.message)
        writer.field("expected", writer.truncated(finding.expected, characters=2400), indent=2)
        writer.field("got", writer.truncated(finding.got, characters=2400), indent=2)


def _print_title(writer: ConsoleWriter, requirement: str, message: str) -> None:
    writer.paragraph(writer.text(f"{requirement}  ", "bold red"), writer.truncated(message, characters=400))


def print_counterexample(
    writer: ConsoleWriter, counterexample: SavedCounterexample, saved: Path | None, pack: Pack
) -> None:
    """Print one counterexample: its case, the difference, and the command to replay it."""
    writer.blank()
    _print_title(writer, counterexample.requirement, counterexample.message)
    data = counterexample.case.to_json()
    for earlier in data.get("earlier", ()):
        writer.field("earlier", writer.truncated(f"{json.dumps(earlier['arguments'])} on {earlier['tree']}"), indent=2)
    writer.field("tree", writer.truncated(data["tree"] or "(empty)"), indent=2)
    if counterexample.outside:
        writer.field("beside", writer.truncated(counterexample.outside), indent=2)
    for label, value in (
        ("expected", counterexample.expected),
        ("got", counterexample.got),
        ("alone", counterexample.agreement),
    ):
        if value:
            writer.field(label, writer.truncated(value, characters=2400), indent=2)
    if not counterexample.scenario:
        for call in data.get("calls") or [{name: data[name] for name in ("tool", "arguments", "context")}]:
            writer.field("call", writer.truncated(json.dumps(call), characters=2400), indent=2)
    for line in counterexample.scenario.split("\n") if counterexample.scenario else ():
        writer.line("    ", writer.text(line, "cyan"))  # not wrapped, so that users can copy it
    if saved is not None:
        writer.field("saved", writer.text(str(saved)), indent=2)
        words = ["treeproof", "replay", str(saved), counterexample.target]
        if not is_bundled(pack.folder):
            words += ["--spec", command_name(pack)]
        writer.field("again", writer.text(shlex.join(words)), indent=2)
