"""The output of a search: one line while it runs, then the coverage and every counterexample.

Judges nothing. The console writer escapes all texts of a candidate.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.console import Console

from treeproof import __version__
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.digest import pluralize
from treeproof.report.status_line import StatusLine
from treeproof.search.counterexample_file import SavedCounterexample
from treeproof.search.replay import ReplayResult
from treeproof.search.search import Search
from treeproof.search.state_machine import CommandSequence


class SearchProgress(StatusLine):
    """How a search goes: its figures, and each counterexample as soon as it is found."""

    def on_case(self, search: Search) -> None:
        """Show how far it is, where it is time to."""
        if not self.is_due():
            return
        words = (
            f"{pluralize(search.cases, 'case')}, {_format_rate(search)}",
            f"{max(0.0, search.seconds - search.elapsed):.0f} s left",
            f"{len(search.label_counts)} of {len(search.spaces.all_case_labels)} kinds of case",
            f"{len(search.counterexamples)} found",
        )
        if self.live:
            self.draw(self.writer.text(" · ".join(words)))
        else:
            self.write(f"treeproof: {', '.join(words)}")

    def on_counterexample(self, counterexample: SavedCounterexample) -> None:
        """Say at once that something was found."""
        self.write(f"treeproof: {counterexample.requirement}: {counterexample.message}")


def _format_rate(hunt: Search) -> str:
    return f"{hunt.cases / max(hunt.elapsed, 0.001):.0f}/s"


def print_search(search: Search, saved: list[Path], console: Console | None = None) -> None:
    """Write what a search covered and found."""
    page = ConsoleWriter(console_for(sys.stdout) if console is None else console)
    session = search.spaces.session
    hello = session.candidate.initialize_result
    page.paragraph(page.text(f"treeproof {__version__}", "bold"))
    page.field(
        "candidate",
        page.text(f"{hello.name} {hello.version} (by {session.candidate.adapter.kind})"),
    )
    told = (
        f"{pluralize(search.cases, 'case')} of {session.pack.name} in {search.elapsed:.1f} s ({_format_rate(search)})"
    )
    page.field("search", page.text(f"{told} · seed {session.policy.seed} · profile {session.policy.profile}"))
    page.field(
        "covered",
        page.text(", ".join(f"{name} {count}" for name, count in _label_counts(search)) or "nothing"),
    )
    missing = [name for name in search.spaces.all_case_labels if not search.label_counts[name]]
    if missing:
        page.field("not met", page.text(", ".join(missing)))
    for number, bundle in enumerate(search.counterexamples):
        print_counterexample(page, bundle, saved[number] if saved else None)
    page.blank()
    if search.fault:
        page.paragraph(page.text(f"the candidate broke: {search.fault}", "bold magenta"))
    page.paragraph(page.text(_format_conclusion(search), "bold red" if search.counterexamples else "bold green"))


def _label_counts(hunt: Search) -> list[tuple[str, int]]:
    return [(name, hunt.label_counts[name]) for name in hunt.spaces.all_case_labels if hunt.label_counts[name]]


def _format_conclusion(hunt: Search) -> str:
    found = pluralize(len(hunt.counterexamples), "counterexample") if hunt.counterexamples else "no counterexample"
    return f"{found} in {pluralize(hunt.cases, 'case')}{', interrupted' if hunt.interrupted else ''}"


def print_replay(result: ReplayResult, console: Console | None = None) -> None:
    """Write what came of a counterexample that was asked once more."""
    page = ConsoleWriter(console_for(sys.stdout) if console is None else console)
    if result.cause:
        page.paragraph(page.text(result.cause, "yellow"))
        return
    if not result.findings:
        page.paragraph(
            page.text(f"{result.counterexample.requirement}: the answer is what the model says", "bold green")
        )
    for finding in result.findings:
        page.paragraph(
            page.text(f"{finding.requirement}  ", "bold red"), page.truncated(finding.message, characters=400)
        )
        page.field("expected", page.truncated(finding.expected, characters=2400), indent=2)
        page.field("got", page.truncated(finding.got, characters=2400), indent=2)


def print_counterexample(writer: ConsoleWriter, counterexample: SavedCounterexample, saved: Path | None) -> None:
    """Write one counterexample: what was shown and asked, what is wrong, and what to do with it."""
    writer.blank()
    writer.paragraph(
        writer.text(f"{counterexample.requirement}  ", "bold red"),
        writer.truncated(counterexample.message, characters=400),
    )
    data = counterexample.case.to_json()
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
    if isinstance(counterexample.case, CommandSequence) and not counterexample.scenario:
        for turn in counterexample.case.commands:
            writer.field("call", writer.truncated(json.dumps(turn.to_json()), characters=2400), indent=2)
    for line in counterexample.scenario.split("\n") if counterexample.scenario else ():
        writer.line("    ", writer.text(line, "cyan"))  # never folded, so that it can be copied
    if saved is not None:
        writer.field("saved", writer.text(str(saved)), indent=2)
        writer.field("again", writer.text(f"treeproof replay {saved}"), indent=2)
