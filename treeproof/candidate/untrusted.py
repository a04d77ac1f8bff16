"""Stores and formats text that a candidate wrote: bounded, and escaped so that it cannot control a terminal.

Contains only limits and escapes. Call results are never altered.
"""

import io
import re
from typing import Any

from treeproof.candidate.fault_headline import find_headline

MAX_LINE_CHARACTERS = 400

_LIKE_ESCAPE = re.compile(r"\\(?=x[0-9a-f]{2}|u[0-9a-f]{4}|u\{)")
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class TailBuffer(io.RawIOBase):
    """Keeps the last ``limit`` bytes written to it; older bytes are counted and dropped. Cannot be closed."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._kept = bytearray()
        self._dropped_bytes = 0

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Do nothing: a candidate that uses it as stdout may close it and print again later."""

    def write(self, data: Any, /) -> int:
        self._kept += data
        excess = len(self._kept) - self._limit
        if excess > 0:
            del self._kept[:excess]
            self._dropped_bytes += excess
        return len(data)

    def format_lines(self) -> str:
        """Return the kept text, escaped but for line breaks, after a first line that counts the dropped bytes."""
        text = format_untrusted_lines(bytes(self._kept)).strip("\n")
        return f"[{self._dropped_bytes} earlier bytes left out]\n{text}" if self._dropped_bytes else text

    def last_line(self) -> str:
        """Return the last line that is not blank, bounded; "" if there is none."""
        lines = bytes(self._kept[-4096:]).split(b"\n")
        return next((format_untrusted(line.strip(), 200) for line in reversed(lines) if line.strip()), "")

    def headline(self) -> str:
        """Return the message of the last uncaught exception, bounded; without any, the last line that is not blank."""
        return format_untrusted(find_headline(bytes(self._kept).decode("utf-8", "surrogateescape")), 200)


def format_untrusted(text: str | bytes, limit: int = MAX_LINE_CHARACTERS) -> str:
    """Return the text on one line: at most about ``limit`` characters, everything unprintable escaped.

    A byte that is not UTF-8 and a character of ASCII become ``\\xNN``, a surrogate ``\\uNNNN``, others ``\\u{N}``; a
    backslash that begins such a text is doubled. The omitted part is counted.
    """
    left_out = len(text) - limit
    head = text[:limit] if left_out > 0 else text
    characters = head.decode("utf-8", "surrogateescape") if isinstance(head, bytes) else head
    characters = escape_unprintable(_LIKE_ESCAPE.sub(r"\\\\", characters))
    if left_out > 0:
        unit = "bytes" if isinstance(text, bytes) else "characters"
        return f"{characters}… ({left_out} more {unit})"
    return characters


def escape_unprintable(text: str) -> str:
    """Return partly escaped text with unprintable characters escaped; backslashes stay."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape_character(c) for c in text)


def format_untrusted_lines(text: str | bytes) -> str:
    """Return the text with its line breaks, all else escaped as in ``format_untrusted``; the caller limits the
    length.
    """
    characters = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
    return "\n".join(format_untrusted(line, len(line)) for line in characters.replace("\r\n", "\n").split("\n"))


def _escape_character(character: str) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that was not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if 0xD800 <= code < 0xE000:
        return f"\\u{code:04x}"
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{{{code:x}}}"
