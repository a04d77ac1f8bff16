"""A status line, and the progress of a run as one: redrawn in place on a terminal, written occasionally to a log.

It is written to standard error. A closed stream does not stop the command. There is no thread: it draws when it is
called.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter, console_for, is_live
from treeproof.report.digest import pluralize
from treeproof.report.signs import OUTCOMES
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord

_REDRAW_INTERVAL = 0.05  # seconds between two redraws
_LOG_INTERVAL = 10.0  # seconds between two lines in a log
_ERASE = "\r\x1b[2K"


class StatusLine:
    """A context manager that removes the line at its end. It sends control characters to a terminal only."""

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        self._console = console_for(sys.stderr) if console is None else console
        self.live = is_live(self._console) if live is None else live
        """True if the line is redrawn in place."""
        self._is_drawn = False
        self._last_drawn = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.erase()

    @property
    def writer(self) -> ConsoleWriter:
        """A writer for its text."""
        return ConsoleWriter(self._console)

    @property
    def width(self) -> int:
        """The number of usable columns; some terminals wrap when the last one is filled."""
        return max(8, self._console.width - 1)

    def is_due(self) -> bool:
        """Return True if the interval since the last text is over."""
        return time.monotonic() - self._last_drawn >= (_REDRAW_INTERVAL if self.live else _LOG_INTERVAL)

    def draw(self, text: Text) -> None:
        """Replace the line by ``text``, cut to the width."""
        # Cut by cells: a wide character has two columns, and a wrapped line cannot be redrawn.
        if text.cell_len > self.width:
            text.plain = set_cell_size(text.plain, self.width)
        with self._console.capture() as drawn:
            self._console.print(text, end="", no_wrap=True, overflow="ignore", crop=False)
        self._send(_ERASE + drawn.get())
        self._is_drawn = True
        self._last_drawn = time.monotonic()

    def write(self, text: str) -> None:
        """Write ``text`` as a permanent paragraph."""
        self.erase()
        with self._ignore_broken_pipe():
            self.writer.paragraph(text)
        self._last_drawn = time.monotonic()

    def erase(self) -> None:
        """Remove the line, if there is one."""
        if self._is_drawn:
            self._send(_ERASE)
            self._is_drawn = False

    def _send(self, text: str) -> None:
        with self._ignore_broken_pipe():
            self._console.file.write(text)
            self._console.file.flush()

    @contextlib.contextmanager
    def _ignore_broken_pipe(self) -> Iterator[None]:
        """Discard output to a closed stream, now and at the end of the interpreter."""
        try:
            yield
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._console.file.fileno())


class RunProgress(StatusLine):
    """The progress of a run. A log gets one line at the start and one every ten seconds."""

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        super().__init__(console, live=live)
        self._outcomes: Counter[Outcome] = Counter()
        self._total = 0

    def on_start(self, candidate: str, total: int) -> None:
        """The candidate of this name and version has started; ``total`` scenarios will run."""
        self._total = total
        if self.live:
            self._draw("")
            return
        self.write(f"treeproof: running {pluralize(total, 'scenario')}, candidate {candidate}")

    def on_scenario_done(self, scenario: ScenarioRecord) -> None:
        """Count one scenario; draw or write the line if it is due."""
        self._outcomes[scenario.outcome] += 1
        if not self.is_due():
            return
        if self.live:
            self._draw(f"{scenario.requirement} {scenario.id}")
        else:
            counts = ", ".join(label for label, _ in self._counts())
            self.write(f"treeproof: {self._outcomes.total()} of {self._total} scenarios: {counts}")

    def _counts(self) -> list[tuple[str, str]]:
        counts = [(self._outcomes[outcome], sign) for outcome, sign in OUTCOMES.items()]
        return [(f"{count} {sign.label}", sign.colour) for count, sign in counts if count]

    def _draw(self, current: str) -> None:
        writer, width, done = self.writer, self.width, self._outcomes.total()
        bar = min(24, width // 4) if width >= 48 else 0
        filled = min(bar, bar * done // self._total) if self._total else 0
        line = writer.join(
            writer.text("━" * filled, "green"),
            writer.text("─" * (bar - filled), "dim"),
            " " if bar else "",
            writer.text(f"{done}/{self._total}", "bold"),
        )
        for label, style in self._counts():
            line.append_text(writer.join("  ", writer.text(label, style)))
        line.append_text(writer.text(f"  {current}" if current else "", "dim"))
        self.draw(line)
