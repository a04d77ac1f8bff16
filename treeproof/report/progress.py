"""How far a run is while it is running: one line redrawn on a terminal, a line now and then in a log.

Counts and shows; the runner calls it, and no verdict is made here. No thread: it draws when it is told
something.
"""

from __future__ import annotations

import time
from collections import Counter
from types import TracebackType

from rich.cells import set_cell_size
from rich.console import Console

from treeproof.report.page import Page, is_live

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


class Progress:
    """Live progress of a run of ``total`` scenarios; a context manager.

    On a terminal one line is redrawn in place and erased at the end. Elsewhere a plain line is written every
    ten seconds and one at the end; no control character is ever sent.
    """

    def __init__(self, console: Console, total: int, *, live: bool | None = None) -> None:
        self._console = console
        self._total = total
        self._live = is_live(console) if live is None else live
        self._outcomes: Counter[str] = Counter()
        self._drawn = False
        self._last = time.monotonic()

    def __enter__(self) -> Progress:
        if self._live:
            self._draw("")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.finish()

    def scenario_done(self, id: str, outcome: str, requirement: str) -> None:
        """Count one scenario that ended with ``outcome`` (the five words of the run document)."""
        self._outcomes[str(outcome)] += 1
        now = time.monotonic()
        if self._live:
            if now - self._last >= _REDRAW:
                self._last = now
                self._draw(f"{requirement} {id}")
        elif now - self._last >= _LOG_LINE:
            self._last = now
            self._line()

    def finish(self) -> None:
        """Erase the live line, or write the last plain one. Harmless to call twice."""
        if self._live:
            if self._drawn:
                self._send(_ERASE)
                self._drawn = False
        elif self._total >= 0:
            self._line()
            self._total = -1

    def _done(self) -> int:
        return sum(self._outcomes.values())

    def _counts(self) -> list[tuple[str, str]]:
        return [
            (f"{self._outcomes[outcome]} {label}", style)
            for outcome, label, style in _SHOWN
            if self._outcomes[outcome]
        ]

    def _line(self) -> None:
        counts = ", ".join(label for label, _ in self._counts()) or "none ended yet"
        Page(self._console).say(f"{self._done()} of {self._total} scenarios: {counts}")

    def _draw(self, current: str) -> None:
        page = Page(self._console)
        width = max(
            8, self._console.width - 1
        )  # the last column stays free: some terminals wrap when it is filled
        done = self._done()
        bar = min(24, width // 4) if width >= 48 else 0
        filled = min(bar, bar * done // self._total) if self._total else 0
        line = page.join(
            page.text("━" * filled, "green"),
            page.text("━" * (bar - filled), "dim"),
            " " if bar else "",
            page.text(f"{done}/{self._total}", "bold"),
        )
        for label, style in self._counts():
            line.append_text(page.join("  ", page.text(label, style)))
        line.append_text(page.text(f"  {current}", "dim"))
        # Cut by cells, not by characters: a wide character takes two columns, and a wrapped line cannot be
        # redrawn.
        line.truncate(width, overflow="crop")
        if line.cell_len > width:
            line.plain = set_cell_size(line.plain, width)
        with self._console.capture() as drawn:
            self._console.print(line, end="", no_wrap=True, overflow="ignore", crop=False)
        self._send(_ERASE + drawn.get())
        self._drawn = True

    def _send(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()
