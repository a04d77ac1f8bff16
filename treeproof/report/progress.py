"""How far a run is while it is running: one line redrawn on a terminal, a line now and then in a log.

Counts and shows; the runner calls it, and no verdict is made here. No thread: it draws when it is told
something.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from types import TracebackType
from typing import Protocol

from rich.cells import set_cell_size
from rich.console import Console

from treeproof.report.page import Page, console_for, is_live

_REDRAW = 0.05  # seconds between two drawings of the live line
_LOG_LINE = 10.0  # seconds between two lines in a log, so that a slow run is seen to be alive
_SHOWN: tuple[tuple[str, str, str], ...] = (
    ("passed", "passed", "green"),
    ("failed", "failed", "red"),
    ("fault", "broke", "magenta"),
    ("not-verified", "not verified", "yellow"),
    ("not-applicable", "not applicable", "dim"),
)
_ERASE = "\r\x1b[2K"


class Candidate(Protocol):
    """What progress shows of a candidate; untrusted text."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...


class Ended(Protocol):
    """A scenario that ended; ``outcome`` is one of the five words of the run document."""

    @property
    def id(self) -> str: ...
    @property
    def requirement(self) -> str: ...
    @property
    def outcome(self) -> str: ...


class Progress:
    """Live progress of a run; a context manager. Writes to standard error, so that a piped report stays
    clean.

    On a terminal one line is redrawn in place and erased at the end. Elsewhere plain lines are written: one
    at the start and one every ten seconds; no control character is ever sent.
    """

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        self._console = console_for(sys.stderr) if console is None else console
        self._live = is_live(self._console) if live is None else live
        self._outcomes: Counter[str] = Counter()
        self._total = 0
        self._drawn = False
        self._last = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.finish()

    def started(self, candidate: Candidate, total: int) -> None:
        """The candidate answered; ``total`` scenarios will be asked of it."""
        self._total = total
        self._last = time.monotonic()
        if self._live:
            self._draw("")
            return
        named = f"{candidate.name} {candidate.version}".strip()
        Page(self._console).say(f"treeproof: asking {named}, {total} scenario{'' if total == 1 else 's'}")

    def scenario_done(self, ended: Ended) -> None:
        """Count one scenario and show it, where it is time to."""
        self._outcomes[str(ended.outcome)] += 1
        now = time.monotonic()
        if now - self._last < (_REDRAW if self._live else _LOG_LINE):
            return
        self._last = now
        if self._live:
            self._draw(f"{ended.requirement} {ended.id}")
        else:
            counts = ", ".join(label for label, _ in self._counts())
            Page(self._console).say(f"treeproof: {self._done()} of {self._total} scenarios: {counts}")

    def finish(self) -> None:
        """Erase the live line. Harmless to call twice."""
        if self._drawn:
            self._send(_ERASE)
            self._drawn = False

    def _done(self) -> int:
        return self._outcomes.total()

    def _counts(self) -> list[tuple[str, str]]:
        return [
            (f"{self._outcomes[outcome]} {label}", style)
            for outcome, label, style in _SHOWN
            if self._outcomes[outcome]
        ]

    def _draw(self, current: str) -> None:
        page = Page(self._console)
        width = max(8, self._console.width - 1)  # some terminals wrap when the last column is filled
        done = self._done()
        bar = min(24, width // 4) if width >= 48 else 0
        filled = min(bar, bar * done // self._total) if self._total else 0
        line = page.join(
            page.text("━" * filled, "green"),
            page.text("─" * (bar - filled), "dim"),
            " " if bar else "",
            page.text(f"{done}/{self._total}", "bold"),
        )
        for label, style in self._counts():
            line.append_text(page.join("  ", page.text(label, style)))
        line.append_text(page.text(f"  {current}" if current else "", "dim"))
        # Cut by cells, not by characters: a wide character takes two columns, and a wrapped line cannot be
        # redrawn.
        if line.cell_len > width:
            line.plain = set_cell_size(line.plain, width)
        with self._console.capture() as drawn:
            self._console.print(line, end="", no_wrap=True, overflow="ignore", crop=False)
        self._send(_ERASE + drawn.get())
        self._drawn = True

    def _send(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()
