r"""File names as text and back: escapes, quotes, repetitions, ranges. Trees are in notation.py.

Names are bytes. Readable UTF-8 is kept; a byte that is not UTF-8 becomes `\xNN`, and any other invisible or
ambiguous character `\n`, `\t`, `\r`, `\xNN`, `\uNNNN` or `\UNNNNNNNN`.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from treeproof.errors import UsageError

SPECIAL_CHARACTERS = frozenset(",{}'\"!@%=:/>")
"""Characters that end or change a name in the notation: a name that contains one is quoted."""

_SPECIAL_IN_PATHS = SPECIAL_CHARACTERS - {"/"}
_MAX_BYTES = 1_000_000
_MAX_NAMES = 100_000
_SHORT_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "\\": b"\\", "'": b"'", '"': b'"'}
_LONG_ESCAPES = {"x": 2, "u": 4, "U": 8}
_ESCAPES = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\\": "\\\\"}
_PERHAPS_ESCAPED = re.compile(r"[^ !#-&(-\[\]-~]")
"""All characters but those of ASCII that never need an escape: a quote needs one between such quotes."""
_RANGE = re.compile(r"(.*?)([0-9]{1,9})\.\.(.*?)([0-9]{1,9})")
_LITERAL_COLON = re.compile(":(?![a-z])")  # part of a name, as in `a:`, not the start of a kind
_COUNT = re.compile("[0-9]{1,7}")


class NotationError(UsageError):
    """A text is not a valid tree, name or list of names; `column` counts characters of its line from 1."""

    def __init__(self, text: str, position: int, problem: str) -> None:
        line = text.count("\n", 0, position) + 1
        self.column = position - (text.rfind("\n", 0, position) + 1) + 1
        place = f"column {self.column}" if "\n" not in text else f"line {line}, column {self.column}"
        rest = text[position : position + 20].split("\n")[0] or text[position : position + 1]
        near = f'near "{escape_name(rest.encode(errors="surrogatepass"))}"' if rest else "at the end"
        super().__init__(f"{place}, {near}: {problem}")


class Cursor:
    """A position in a text that is being parsed. All methods that read raise NotationError for invalid text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def error(self, problem: str, at: int | None = None) -> NotationError:
        """Return the error for the text at `at`, by default the current position."""
        return NotationError(self.text, self.position if at is None else at, problem)

    @property
    def next_character(self) -> str:
        """Next character, "" at the end."""
        return self.text[self.position : self.position + 1]

    def accept(self, expected: str) -> bool:
        """Read `expected` if it comes next; return whether it did."""
        if not self.text.startswith(expected, self.position):
            return False
        self.position += len(expected)
        return True

    def accept_pattern(self, pattern: re.Pattern[str]) -> str | None:
        """Read and return the match that comes next; None if there is none."""
        match = pattern.match(self.text, self.position)
        if match is None:
            return None
        self.position = match.end()
        return match.group()

    def skip_blanks(self) -> None:
        while self.next_character.isspace():
            self.position += 1

    def read_value(self, stops: frozenset[str]) -> bytes:
        """Read bare and quoted pieces up to a blank or one of `stops`: `a`, `'a b'`, `x'\\xff'`, `'p'*200`."""
        return b"".join(self._read_pieces(stops))

    def read_quoted(self, quote: str) -> bytes:
        """Read up to the closing quote, after the opening one."""
        start, pieces = self.position - 1, list[bytes]()
        while not self.accept(quote):
            if not self.next_character:
                raise self.error(f"the quote that opens here is not closed; write {quote} at its end", start)
            pieces.append(self._read_character(blank_too=True))
        return b"".join(pieces)

    def read_repetition(self, piece: bytes, max_bytes: int = _MAX_BYTES) -> bytes:
        """Return `piece` repeated by the `*200` that follows it, if any; `max_bytes` limits the result."""
        if not self.accept("*"):
            return piece
        digits = self.accept_pattern(_COUNT)
        if digits is None or len(piece) * int(digits) > max_bytes:
            raise self.error(f"after '…'* write how often it repeats, up to {max_bytes} bytes in all")
        return piece * int(digits)

    def _read_pieces(self, stops: frozenset[str]) -> Iterator[bytes]:
        while self.next_character and not self.next_character.isspace():
            if self.accept("'"):
                yield self.read_repetition(self.read_quoted("'"))
            elif self.next_character in stops or self.text.startswith("->", self.position):
                return
            else:
                yield self._read_character(blank_too=False)

    def _read_character(self, *, blank_too: bool) -> bytes:
        start, character = self.position, self.next_character
        self.position += 1
        if character == "\\":
            return self._read_escape(start)
        if not character.isprintable() or (character == " " and not blank_too):
            raise self.error(r"write this character as an escape: \n, \t, \r, \xNN or \uNNNN", start)
        return character.encode()

    def _read_escape(self, start: int) -> bytes:
        letter = self.next_character
        self.position += 1
        if letter in _SHORT_ESCAPES:
            return _SHORT_ESCAPES[letter]
        digits = self.text[self.position : self.position + _LONG_ESCAPES.get(letter, 0)]
        if letter not in _LONG_ESCAPES or not re.fullmatch(f"[0-9a-fA-F]{{{_LONG_ESCAPES[letter]}}}", digits):
            raise self.error(r"no such escape; write \xNN, \uNNNN, \UNNNNNNNN, \n, \t, \r, \\, \' or " r"\"", start)
        self.position += len(digits)
        code = int(digits, 16)
        if letter == "x":
            return bytes([code])
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise self.error(r"not a Unicode scalar value; write the bytes as \xNN", start)
        return chr(code).encode()


def read_names(cursor: Cursor, stops: frozenset[str]) -> list[bytes]:
    """Read a name, or all names of a range: `f000..f199`."""
    start = cursor.position
    name = cursor.read_value(stops)
    if _LITERAL_COLON.match(cursor.text, cursor.position):
        cursor.position += 1
        name += b":"
    spelling = cursor.text[start : cursor.position]
    parts = _RANGE.fullmatch(spelling)
    if parts is None or "'" in spelling or "\\" in spelling:
        return [name]
    prefix, first, prefix_again, last = parts.groups()
    if prefix != prefix_again or len(first) != len(last) or first > last:
        raise cursor.error("a range has one prefix and one width, like f000..f199; quote a name of this form", start)
    if int(last) - int(first) >= _MAX_NAMES:
        raise cursor.error(f"a range has at most {_MAX_NAMES} names", start)
    return [f"{prefix}{number:0{len(first)}}".encode() for number in range(int(first), int(last) + 1)]


def parse_paths(text: str) -> tuple[bytes, ...]:
    """Return the paths in a comma-separated list: `a, a/b, 'x y', f00..f19`. Raises NotationError."""
    cursor, names = Cursor(text), list[bytes]()
    cursor.skip_blanks()
    while cursor.position < len(text) or names:
        start = cursor.position
        found = read_names(cursor, _SPECIAL_IN_PATHS)
        if found == [b""]:
            raise cursor.error("a path is missing here")
        if any(name.endswith(b"/") and name != b"/" for name in found):
            raise cursor.error("a path in a list has no '/' at its end", start)
        names += found
        cursor.skip_blanks()
        if cursor.position == len(text):
            break
        if not cursor.accept(","):
            raise cursor.error("write ',' between two paths, and '…' around one with special characters")
        cursor.skip_blanks()
    return tuple(names)


def escape_name(name: bytes, quote: str = "") -> str:
    """Return bytes as readable text on one line, without an unescaped `quote`."""
    text = name.decode("utf-8", "surrogateescape")
    return _PERHAPS_ESCAPED.sub(lambda match: _escape_character(match[0], quote), text)


def format_name(name: bytes) -> str:
    """Return the name in the notation: bare if unambiguous, else between single quotes."""
    return format_value(name, SPECIAL_CHARACTERS)


def format_path(path: bytes) -> str:
    """Return the path as `parse_paths` reads it; `/` separates its components."""
    return format_value(path, _SPECIAL_IN_PATHS)


def format_value(value: bytes, stops: frozenset[str]) -> str:
    """Return bytes as a bare word if they contain none of `stops`, else between single quotes."""
    text = escape_name(value)
    plain = text and "\\" not in text and " " not in text and "->" not in text and stops.isdisjoint(text)
    return text if plain and not _RANGE.fullmatch(text) else f"'{escape_name(value, chr(39))}'"


@lru_cache(4096)  # long contents repeat few characters
def _escape_character(character: str, quote: str) -> str:
    code = ord(character)
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character == quote:
        return "\\" + character
    if 0xDC80 <= code <= 0xDCFF:  # how surrogateescape marks a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    # A combining mark is printable, but e + U+0301 would look like U+00E9.
    if character.isprintable() and not unicodedata.category(character).startswith("M"):
        return character
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
