"""One line about something that goes on: drawn again in place on a terminal, written now and then in a log.

It is written to standard error, so that what is piped stays clean. Who watches may go away: what is watched goes on,
and comes to the same. No thread: it draws when it is told something.
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

_REDRAW_INTERVAL = 0.05  # seconds between two drawings of the live line
_LOG_INTERVAL = 10.0  # seconds between two lines in a log, so that what is slow is seen to be alive
_ERASE = "\r\x1b[2K"


class StatusLine:
    """A context manager; nothing of the line is left at the end. Elsewhere than on a terminal no control character is
    ever sent.
    """

    def __init__(self, console: Console | None = None, *, live: bool | None = None) -> None:
        self._console = console_for(sys.stderr) if console is None else console
        self.live = is_live(self._console) if live is None else live
        """Whether it is drawn again and again."""
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
        """The page on which its text is made."""
        return ConsoleWriter(self._console)

    @property
    def width(self) -> int:
        """Columns that it may take: some terminals wrap when the last one is filled."""
        return max(8, self._console.width - 1)

    def is_due(self) -> bool:
        """Whether the last text has stood for so long that another one is worth it."""
        return time.monotonic() - self._last_drawn >= (_REDRAW_INTERVAL if self.live else _LOG_INTERVAL)

    def draw(self, text: Text) -> None:
        """Put ``text`` in the place of what stands there, cut to what fits."""
        # Cut by cells, not by characters: a wide character takes two columns, and a wrapped line cannot be redrawn.
        if text.cell_len > self.width:
            text.plain = set_cell_size(text.plain, self.width)
        with self._console.capture() as drawn:
            self._console.print(text, end="", no_wrap=True, overflow="ignore", crop=False)
        self._send(_ERASE + drawn.get())
        self._is_drawn = True
        self._last_drawn = time.monotonic()

    def write(self, text: str) -> None:
        """Write ``text`` as a paragraph that stays."""
        self.erase()
        with self._ignore_broken_pipe():
            self.writer.paragraph(text)
        self._last_drawn = time.monotonic()

    def erase(self) -> None:
        """Take away what is drawn. Harmless to call twice."""
        if self._is_drawn:
            self._send(_ERASE)
            self._is_drawn = False

    def _send(self, text: str) -> None:
        with self._ignore_broken_pipe():
            self._console.file.write(text)
            self._console.file.flush()

    @contextlib.contextmanager
    def _ignore_broken_pipe(self) -> Iterator[None]:
        """Let what nobody reads go nowhere, now and when the interpreter writes out what is left."""
        try:
            yield
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._console.file.fileno())
