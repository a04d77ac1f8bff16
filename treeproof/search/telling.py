"""A search told to a person: one line while it runs, then what was covered and every counterexample.

Only showing lives here. Everything that a candidate wrote passes the page, which makes it harmless.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType

from rich.console import Console

from treeproof import __version__
from treeproof.report.page import Page, console_for, is_live
from treeproof.search.bundle import Bundle
from treeproof.search.hunt import Hunt
from treeproof.search.replay import Replayed

_REDRAW, _LOG_LINE = 0.1, 10.0  # seconds
_ERASE = "\r\x1b[2K"


class Progress:
    """How a search goes, on standard error: a line drawn again and again, or one now and then in a log."""

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        self._console = console_for(sys.stderr) if console is None else console
        self._live = is_live(self._console) if live is None else live
        self._drawn = False
        self._last = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._erase()

    def looked_at(self, hunt: Hunt) -> None:
        """Show how far it is, where it is time to."""
        now = time.monotonic()
        if now - self._last < (_REDRAW if self._live else _LOG_LINE):
            return
        self._last = now
        words = (
            f"{hunt.cases} cases, {hunt.cases / max(hunt.elapsed, 0.001):.0f}/s",
            f"{max(0.0, hunt.seconds - hunt.elapsed):.0f} s left",
            f"{len(hunt.classes)} of {len(hunt.samples.model.every_class)} kinds of case",
            f"{len(hunt.bundles)} found",
        )
        page = Page(self._console)
        if not self._live:
            page.say(f"treeproof: {', '.join(words)}")
            return
        line = page.text(" · ".join(words))
        line.truncate(max(8, self._console.width - 1))
        with self._console.capture() as drawn:
            self._console.print(line, end="", no_wrap=True, overflow="ignore", crop=False)
        self._console.file.write(_ERASE + drawn.get())
        self._console.file.flush()
        self._drawn = True

    def found(self, bundle: Bundle) -> None:
        """Say at once that something was found."""
        self._erase()
        Page(self._console).say(f"treeproof: {bundle.requirement}: {bundle.message}")

    def _erase(self) -> None:
        if self._drawn:
            self._console.file.write(_ERASE)
            self._console.file.flush()
            self._drawn = False


def print_hunt(hunt: Hunt, saved: list[Path], console: Console | None = None) -> None:
    """Write what a search covered and found."""
    page = Page(console_for(sys.stdout) if console is None else console)
    session = hunt.samples.session
    page.say(page.text(f"treeproof {__version__}", "bold"))
    page.field(
        "candidate", page.text(f"{session.hello.name} {session.hello.version} (by {session.adapter.kind})")
    )
    rate = hunt.cases / max(hunt.elapsed, 0.001)
    told = f"{hunt.cases} cases in {hunt.elapsed:.1f} s ({rate:.0f}/s)"
    page.field("search", page.text(f"{told} · seed {session.seed} · profile {session.profile}"))
    page.field(
        "covered", page.text(", ".join(f"{name} {count}" for name, count in _covered(hunt)) or "nothing")
    )
    missing = [name for name in hunt.samples.model.every_class if not hunt.classes[name]]
    if missing:
        page.field("not met", page.text(", ".join(missing)))
    for number, bundle in enumerate(hunt.bundles):
        print_bundle(page, bundle, saved[number] if saved else None)
    page.blank()
    if hunt.fault:
        page.say(page.text(f"the candidate broke: {hunt.fault}", "bold magenta"))
    page.say(page.text(_conclusion(hunt), "bold red" if hunt.bundles else "bold green"))


def _covered(hunt: Hunt) -> list[tuple[str, int]]:
    return [(name, hunt.classes[name]) for name in hunt.samples.model.every_class if hunt.classes[name]]


def _conclusion(hunt: Hunt) -> str:
    count = len(hunt.bundles)
    found = f"{count} counterexample{'' if count == 1 else 's'}" if count else "no counterexample"
    return f"{found} in {hunt.cases} cases{', interrupted' if hunt.interrupted else ''}"


def print_replay(again: Replayed, console: Console | None = None) -> int:
    """Write what came of a counterexample that was asked once more; returns the exit code."""
    page = Page(console_for(sys.stdout) if console is None else console)
    if again.cause:
        page.say(page.text(again.cause, "yellow"))
        return 3
    if not again.findings:
        page.say(page.text(f"{again.bundle.requirement}: the answer is what the model says", "bold green"))
        return 0
    for finding in again.findings:
        page.say(
            page.text(f"{finding.requirement}  ", "bold red"), page.bounded(finding.message, characters=400)
        )
        page.field("expected", page.bounded(finding.expected, characters=2400), indent=2)
        page.field("got", page.bounded(finding.got, characters=2400), indent=2)
    return 1


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
    for line in bundle.scenario.split("\n") if bundle.scenario else ():
        page.line("    ", page.text(line, "cyan"))  # never folded, so that it can be copied
    if saved is not None:
        page.field("saved", page.text(str(saved)), indent=2)
        page.field("again", page.text(f"treeproof replay {saved}"), indent=2)
