"""A status line: redrawn in place on a terminal, written occasionally to a log.

It is written to standard error. A closed stream does not stop the command. There is no thread: it draws when it is
called.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter, console_for, is_live

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
