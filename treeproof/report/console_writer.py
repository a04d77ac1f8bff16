"""Text on a terminal: its width, colours and character set, and a few layouts. Contains nothing about runs.

Every text is escaped with `visible` here, and none is parsed as markup.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from treeproof.report.escape import shortened, visible, without_ci_commands

NARROW_WIDTH = 64
"""Below this number of columns a label is above its text, not before it."""

_MAX_WIDTH = 120
_PIPE_WIDTH = 100
_CI_COMMAND = "::"
"""The beginning of a line that a CI system executes, even after blanks."""
_CI_COMMAND_ESCAPE = "\\x3a:"
_ASCII_FALLBACKS = str.maketrans(
    {
        "…": "...",
        "·": "-",
        "✓": "+",
        "✗": "x",
        "━": "=",
        "─": "-",
        "›": ">",
        "→": "->",
        "≠": "!=",
        "‼": "!!",
        "△": "^",
        "○": "o",
    }
)


class _BrokenPipeConsole(Console):
    """A console that raises BrokenPipeError; rich would exit with 1, which here means non-conformant."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console_for(stream: TextIO, environ: Mapping[str, str] | None = None) -> Console:
    """Return a console on ``stream``.

    Colours: on a terminal that is not ``dumb``, or with FORCE_COLOR; never with a non-empty NO_COLOR. Width: that of
    the terminal; in a pipe or a log COLUMNS, by default 100.
    """
    env = dict(os.environ if environ is None else environ)
    terminal = stream.isatty()
    dumb = env.get("TERM", "").lower() in ("dumb", "unknown")
    coloured = (terminal and not dumb) or bool(env.get("FORCE_COLOR"))
    columns = env.get("COLUMNS", "")
    width = None if terminal else int(columns) if columns.isdecimal() and 0 < int(columns) < 10_000 else _PIPE_WIDTH
    return _BrokenPipeConsole(
        file=stream,
        force_terminal=terminal,
        color_system="standard" if coloured and not env.get("NO_COLOR") else None,
        width=width,
        markup=False,
        emoji=False,
        highlight=False,
        _environ=env,
    )


def is_live(console: Console, environ: Mapping[str, str] | None = None) -> bool:
    """Return True if a line can be redrawn: on a terminal with a cursor, not in the log of a CI job."""
    env = os.environ if environ is None else environ
    return console.is_terminal and not console.is_dumb_terminal and not env.get("CI")


class ConsoleWriter:
    """Layouts of text on one console. Every text is untrusted."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = max(16, min(console.width, _MAX_WIDTH))
        self.narrow = self.width < NARROW_WIDTH
        self._unicode = _supports_unicode(console.encoding)
        self._encoding = console.encoding
        self._held: list[Text] | None = None

    def lines_of(self, write: Callable[[], object]) -> list[Text]:
        """Return the lines that a function would write."""
        before, self._held = self._held, []
        try:
            write()
            return self._held
        finally:
            self._held = before

    def write_lines(self, lines: Iterable[Text]) -> None:
        """Write lines of `lines_of`."""
        for line in lines:
            self._line(line)

    def count_rows(self, lines: Iterable[Text]) -> int:
        """Return how many rows of the terminal the lines take; those to be copied are not folded."""
        return sum(max(1, -(-line.cell_len // self.console.width)) for line in lines)

    def clipped(self, text: str, style: str = "", *, width: int) -> Text:
        """Return ``text`` in one line, cut to ``width`` columns."""
        shown = self.text(text, style)
        if shown.cell_len > width:
            more = self.text("…").plain
            shown.truncate(max(1, width - len(more)))
            shown.rstrip()
            shown.append(more)
        return shown

    def text(self, text: str, style: str = "", *, lines: bool = False) -> Text:
        """Return ``text`` escaped, in the character set of the terminal."""
        shown = without_ci_commands(visible(text, lines=lines), has_whole_lines=False)
        if not self._unicode:
            shown = shown.translate(_ASCII_FALLBACKS).encode(self._encoding, "backslashreplace").decode(self._encoding)
        return Text(shown, style=style, overflow="fold")

    def join(self, *parts: Text | str) -> Text:
        """Return the parts as one text; strings are escaped."""
        whole = Text(overflow="fold")
        for part in parts:
            whole.append_text(self.text(part) if isinstance(part, str) else part)
        return whole

    def paragraph(self, *parts: Text | str, indent: int = 0, lead: Text | None = None, hang: int = 0) -> None:
        """Write one paragraph, indented by ``indent`` columns.

        Folded lines are aligned with the text after ``lead`` (a mark, a label), or indented by ``hang`` more columns.
        """
        if lead is None or lead.cell_len > self.width // 3:
            self._wrap(Text(), self.join(lead or "", *parts), indent, hang)
        else:
            self._wrap(lead, self.join(*parts), indent, lead.cell_len)

    def _wrap(self, lead: Text, body: Text, indent: int, hang: int) -> None:
        """Write ``body``; ``lead`` replaces the hanging columns of its first line."""
        width = max(8, self.width - indent - hang)
        lines = body.wrap(self.console, width, overflow="fold")
        if any(line.plain.lstrip().startswith(_CI_COMMAND) for line in lines):  # leave space for the escape
            lines = body.wrap(self.console, width - len(_CI_COMMAND_ESCAPE) + 1, overflow="fold")
        for position, line in enumerate(lines):
            line.rstrip()
            if position == 0:
                # Not `lead + line`: the sum has the style of its first part.
                line = Text().append_text(lead).append_text(line)
            line.pad_left(indent + (hang if position else 0))
            self._line(line)

    def line(self, *parts: Text | str) -> None:
        """Write one line without folding it, for an editor or a script."""
        self._line(self.join(*parts))

    def blank(self) -> None:
        """Write an empty line."""
        self._line(Text())

    def heading(self, text: str, style: str = "bold") -> None:
        """Write a heading after an empty line."""
        self.blank()
        self.paragraph(self.text(text, style))

    def field(self, label: str, value: Text, *, indent: int = 0, column: int = 11) -> None:
        """Write ``label`` and ``value`` side by side; a value of several lines below it on a narrow terminal."""
        name = self.text(label.ljust(column) if not self.narrow else f"{label}: ", "dim")
        if self.narrow and "\n" in value.plain:
            self.paragraph(self.text(f"{label}:", "dim"), indent=indent)
            self.paragraph(value, indent=indent + 2)
        elif self.narrow:
            self.paragraph(name, value, indent=indent, hang=2)
        else:
            self.paragraph(value, indent=indent, lead=name)

    def truncated(self, text: str, style: str = "", *, characters: int = 1200, rows: int = 16) -> Text:
        """Return at most ``rows`` lines and ``characters`` of ``text``, with a note of the rest."""
        lines = shortened(text, characters).split("\n")
        if len(lines) > rows:
            rest = len(lines) - rows
            lines = [*lines[:rows], f"… ({rest} more line{'s' * (rest > 1)})"]
        return self.text("\n".join(lines), style, lines=True)

    def comma_separated(self, words: Iterable[str], style: str = "") -> Text:
        """Return the words separated by commas."""
        return self.text(", ".join(words), style)

    def table(self, table: Table) -> None:
        """Write a table with cells made by `text`, without trailing blanks."""
        for segments in self.console.render_lines(table, self.console.options.update_width(self.width)):
            line = Text.assemble(*((segment.text, segment.style or "") for segment in segments))
            line.rstrip()
            self._line(line)

    def _line(self, line: Text) -> None:
        if line.plain.lstrip().startswith(_CI_COMMAND):
            # A candidate must not control the runner that reads the log of a CI job.
            place = line.plain.index(_CI_COMMAND)
            line = (
                Text()
                .append_text(line[:place])
                .append(_CI_COMMAND_ESCAPE)
                .append_text(line[place + len(_CI_COMMAND) :])
            )
        if self._held is not None:
            self._held.append(line)
            return
        self.console.print(line, no_wrap=True, overflow="ignore", crop=False)


def _supports_unicode(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name.startswith("utf")
    except LookupError:
        return False
