r"""File names as text and back: escapes, quotes, repetitions, ranges.

Names are bytes. What is valid UTF-8 and readable is shown as it is; a byte that is not UTF-8 becomes `\xNN`,
and any other character that a reader could not see or tell apart `\n`, `\t`, `\r`, `\xNN`, `\uNNNN` or
`\UNNNNNNNN`.
Only the spelling of names lives here; what surrounds them in a tree is in notation.py.
"""

import re
import unicodedata
from collections.abc import Iterator

from treeproof.errors import UsageError

SPECIAL = frozenset(",{}'\"!@%=:/>")
"""What ends or changes a name in the notation: a name that holds one is quoted."""

_MOST_BYTES = 1_000_000
_MOST_NAMES = 100_000
_SHORT_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "\\": b"\\", "'": b"'", '"': b'"'}
_LONG_ESCAPES = {"x": 2, "u": 4, "U": 8}
_SHOWN = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\\": "\\\\"}
_RANGE = re.compile(r"(.*?)([0-9]{1,9})\.\.(.*?)([0-9]{1,9})")
_COLON_OF_NAME = re.compile(":(?![a-z])")  # one that introduces no kind, as in `a:`
_COUNT = re.compile("[0-9]{1,7}")


class NotationError(UsageError):
    """A text is no tree, name or list of names; `column` counts characters from 1 on its line."""

    def __init__(self, text: str, position: int, wrong: str) -> None:
        line = text.count("\n", 0, position) + 1
        self.column = position - (text.rfind("\n", 0, position) + 1) + 1
        place = f"column {self.column}" if "\n" not in text else f"line {line}, column {self.column}"
        rest = text[position : position + 20].split("\n")[0] or text[position : position + 1]
        near = f'near "{escaped(rest.encode(errors="surrogatepass"))}"' if rest else "at the end"
        super().__init__(f"{place}, {near}: {wrong}")


class Cursor:
    """A place in a text that is being read. Whatever reads raises NotationError on what cannot be."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, wrong: str, at: int | None = None) -> NotationError:
        """The error for what stands here, or at `at`."""
        return NotationError(self.text, self.at if at is None else at, wrong)

    @property
    def next(self) -> str:
        """The next character, "" at the end."""
        return self.text[self.at : self.at + 1]

    def taken(self, expected: str) -> bool:
        """Whether `expected` stands here; if so it has been read."""
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def matched(self, pattern: re.Pattern[str]) -> str | None:
        """The text here that matches, read; None when there is none."""
        match = pattern.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match.group()

    def skip_blanks(self) -> None:
        while self.next.isspace():
            self.at += 1

    def value(self, stops: frozenset[str]) -> bytes:
        """Bare and quoted pieces up to a blank or one of `stops`: `a`, `'a b'`, `x'\\xff'`, `'p'*200`."""
        return b"".join(self._pieces(stops))

    def quoted(self, quote: str) -> bytes:
        """What stands between this quote, already read, and the next one."""
        start, pieces = self.at - 1, list[bytes]()
        while not self.taken(quote):
            if not self.next:
                raise self.fail(f"the quote that opens here is not closed; write {quote} at its end", start)
            pieces.append(self._character(blank_too=True))
        return b"".join(pieces)

    def repeated(self, piece: bytes, most: int = _MOST_BYTES) -> bytes:
        """What was quoted, as often as the `*200` behind it says; once where there is none. `most` is in bytes."""
        if not self.taken("*"):
            return piece
        digits = self.matched(_COUNT)
        if digits is None or len(piece) * int(digits) > most:
            raise self.fail(f"after '…'* write how often it repeats, up to {most} bytes in all")
        return piece * int(digits)

    def _pieces(self, stops: frozenset[str]) -> Iterator[bytes]:
        while self.next and not self.next.isspace():
            if self.taken("'"):
                yield self.repeated(self.quoted("'"))
            elif self.next in stops or self.text.startswith("->", self.at):
                return
            else:
                yield self._character(blank_too=False)

    def _character(self, *, blank_too: bool) -> bytes:
        start, character = self.at, self.next
        self.at += 1
        if character == "\\":
            return self._escape(start)
        if not character.isprintable() or (character == " " and not blank_too):
            raise self.fail(r"write this character as an escape: \n, \t, \r, \xNN or \uNNNN", start)
        return character.encode()

    def _escape(self, start: int) -> bytes:
        letter = self.next
        self.at += 1
        if letter in _SHORT_ESCAPES:
            return _SHORT_ESCAPES[letter]
        digits = self.text[self.at : self.at + _LONG_ESCAPES.get(letter, 0)]
        if letter not in _LONG_ESCAPES or not re.fullmatch(f"[0-9a-fA-F]{{{_LONG_ESCAPES[letter]}}}", digits):
            raise self.fail(
                r"no such escape; write \xNN, \uNNNN, \UNNNNNNNN, \n, \t, \r, \\, \' or " r"\"", start
            )
        self.at += len(digits)
        code = int(digits, 16)
        if letter == "x":
            return bytes([code])
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise self.fail(r"not a Unicode scalar value; write the bytes as \xNN", start)
        return chr(code).encode()


def read_names(cursor: Cursor, stops: frozenset[str]) -> list[bytes]:
    """The name here, or the names of the range here: `f000..f199`."""
    start = cursor.at
    name = cursor.value(stops)
    if _COLON_OF_NAME.match(cursor.text, cursor.at):
        cursor.at += 1
        name += b":"
    spelling = cursor.text[start : cursor.at]
    parts = _RANGE.fullmatch(spelling)
    if parts is None or "'" in spelling or "\\" in spelling:
        return [name]
    prefix, first, prefix_again, last = parts.groups()
    if prefix != prefix_again or len(first) != len(last) or first > last:
        raise cursor.fail(
            "a range has one prefix and one width, like f000..f199; quote a name of this form", start
        )
    if int(last) - int(first) >= _MOST_NAMES:
        raise cursor.fail(f"a range has at most {_MOST_NAMES} names", start)
    return [f"{prefix}{number:0{len(first)}}".encode() for number in range(int(first), int(last) + 1)]


def parse_names(text: str) -> tuple[bytes, ...]:
    """The paths in a comma-separated list, in its order: `a, a/b, 'x y', f00..f19`. Raises NotationError."""
    cursor, names = Cursor(text), list[bytes]()
    stops = SPECIAL - {"/"}
    cursor.skip_blanks()
    while cursor.at < len(text) or names:
        start = cursor.at
        found = read_names(cursor, stops)
        if found == [b""]:
            raise cursor.fail("a path is missing here")
        if any(name.endswith(b"/") and name != b"/" for name in found):
            raise cursor.fail("a path in a list has no '/' at its end", start)
        names += found
        cursor.skip_blanks()
        if cursor.at == len(text):
            break
        if not cursor.taken(","):
            raise cursor.fail("write ',' between two paths, and '…' around one with special characters")
        cursor.skip_blanks()
    return tuple(names)


def escaped(name: bytes, quote: str = "") -> str:
    """The readable form of bytes, on one line, never holding `quote` without a backslash."""
    return "".join(_shown(character, quote) for character in name.decode("utf-8", "surrogateescape"))


def show_name(name: bytes) -> str:
    """The name as the notation writes it: bare where that is unmistakable, else between single quotes."""
    return _spelled(name, SPECIAL)


def show_path(path: bytes) -> str:
    """The path as `parse_names` reads it; `/` separates its components."""
    return _spelled(path, SPECIAL - {"/"})


def show_value(value: bytes, stops: frozenset[str]) -> str:
    """Any bytes as a bare word where they hold none of `stops`, else between single quotes."""
    return _spelled(value, stops)


def _spelled(name: bytes, stops: frozenset[str]) -> str:
    shown = escaped(name)
    plain = shown and "\\" not in shown and " " not in shown and "->" not in shown and stops.isdisjoint(shown)
    return shown if plain and not _RANGE.fullmatch(shown) else f"'{escaped(name, chr(39))}'"


def _shown(character: str, quote: str) -> str:
    code = ord(character)
    if character in _SHOWN:
        return _SHOWN[character]
    if character == quote:
        return "\\" + character
    if 0xDC80 <= code <= 0xDCFF:  # how surrogateescape marks a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    # A combining mark is printable, yet e + U+0301 would look like U+00E9.
    if character.isprintable() and not unicodedata.category(character).startswith("M"):
        return character
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
