"""A search told to a person: one line while it runs, then what was covered and every counterexample.

Only showing lives here. Everything that a candidate wrote passes the page, which makes it harmless.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rich.console import Console

from treeproof import __version__
from treeproof.report.digest import counted
from treeproof.report.live import Line
from treeproof.report.page import Page, console_for
from treeproof.search.bundle import Bundle
from treeproof.search.hunt import Hunt
from treeproof.search.machine import Play
from treeproof.search.replay import Replayed


class Progress(Line):
    """How a search goes: its figures, and each counterexample as soon as it is found."""

    def looked_at(self, hunt: Hunt) -> None:
        """Show how far it is, where it is time to."""
        if not self.is_due():
            return
        words = (
            f"{counted(hunt.cases, 'case')}, {_rate(hunt)}",
            f"{max(0.0, hunt.seconds - hunt.elapsed):.0f} s left",
            f"{len(hunt.classes)} of {len(hunt.grounds.every_class)} kinds of case",
            f"{len(hunt.bundles)} found",
        )
        if self.live:
            self.draw(self.page.text(" · ".join(words)))
        else:
            self.say(f"treeproof: {', '.join(words)}")

    def found(self, bundle: Bundle) -> None:
        """Say at once that something was found."""
        self.say(f"treeproof: {bundle.requirement}: {bundle.message}")


def _rate(hunt: Hunt) -> str:
    return f"{hunt.cases / max(hunt.elapsed, 0.001):.0f}/s"


def print_hunt(hunt: Hunt, saved: list[Path], console: Console | None = None) -> None:
    """Write what a search covered and found."""
    page = Page(console_for(sys.stdout) if console is None else console)
    session = hunt.grounds.session
    page.say(page.text(f"treeproof {__version__}", "bold"))
    page.field(
        "candidate", page.text(f"{session.hello.name} {session.hello.version} (by {session.adapter.kind})")
    )
    told = f"{counted(hunt.cases, 'case')} of {session.pack.name} in {hunt.elapsed:.1f} s ({_rate(hunt)})"
    page.field("search", page.text(f"{told} · seed {session.seed} · profile {session.profile}"))
    page.field(
        "covered", page.text(", ".join(f"{name} {count}" for name, count in _covered(hunt)) or "nothing")
    )
    missing = [name for name in hunt.grounds.every_class if not hunt.classes[name]]
    if missing:
        page.field("not met", page.text(", ".join(missing)))
    for number, bundle in enumerate(hunt.bundles):
        print_bundle(page, bundle, saved[number] if saved else None)
    page.blank()
    if hunt.fault:
        page.say(page.text(f"the candidate broke: {hunt.fault}", "bold magenta"))
    page.say(page.text(_conclusion(hunt), "bold red" if hunt.bundles else "bold green"))


def _covered(hunt: Hunt) -> list[tuple[str, int]]:
    return [(name, hunt.classes[name]) for name in hunt.grounds.every_class if hunt.classes[name]]


def _conclusion(hunt: Hunt) -> str:
    found = counted(len(hunt.bundles), "counterexample") if hunt.bundles else "no counterexample"
    return f"{found} in {counted(hunt.cases, 'case')}{', interrupted' if hunt.interrupted else ''}"


def print_replay(again: Replayed, console: Console | None = None) -> None:
    """Write what came of a counterexample that was asked once more."""
    page = Page(console_for(sys.stdout) if console is None else console)
    if again.cause:
        page.say(page.text(again.cause, "yellow"))
        return
    if not again.findings:
        page.say(page.text(f"{again.bundle.requirement}: the answer is what the model says", "bold green"))
    for finding in again.findings:
        page.say(
            page.text(f"{finding.requirement}  ", "bold red"), page.bounded(finding.message, characters=400)
        )
        page.field("expected", page.bounded(finding.expected, characters=2400), indent=2)
        page.field("got", page.bounded(finding.got, characters=2400), indent=2)


def print_bundle(page: Page, bundle: Bundle, saved: Path | None) -> None:
    """Write one counterexample: what was shown and asked, what is wrong, and what to do with it."""
    page.blank()
    page.say(page.text(f"{bundle.requirement}  ", "bold red"), page.bounded(bundle.message, characters=400))
    data = bundle.case.to_json()
    page.field("tree", page.bounded(data["tree"] or "(empty)"), indent=2)
    if bundle.outside:
        page.field("beside", page.bounded(bundle.outside), indent=2)
    for label, value in (
        ("expected", bundle.expected),
        ("got", bundle.got),
        ("alone", bundle.agreement),
    ):
        if value:
            page.field(label, page.bounded(value, characters=2400), indent=2)
    if isinstance(bundle.case, Play) and not bundle.scenario:
        for turn in bundle.case.turns:
            page.field("call", page.bounded(json.dumps(turn.to_json()), characters=2400), indent=2)
    for line in bundle.scenario.split("\n") if bundle.scenario else ():
        page.line("    ", page.text(line, "cyan"))  # never folded, so that it can be copied
    if saved is not None:
        page.field("saved", page.text(str(saved)), indent=2)
        page.field("again", page.text(f"treeproof replay {saved}"), indent=2)
