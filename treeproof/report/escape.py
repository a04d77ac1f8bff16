"""Escaping of untrusted text: it cannot control a terminal, reorder other text or be invisible.

Contains pure functions from text to text. Each format escapes its own markup (XML, rich). A backslash is not escaped,
so that a tree notation can be pasted; the JSON report has the exact text.
"""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from collections.abc import Iterable
from typing import Any

# Characters that have an effect instead of a shape. A fixed list, so that reports do not depend on the Unicode version
# of the interpreter.
_UNPRINTABLE = (
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1: cursor, colour, title, bell
    "\xa0\xad\u034f\u061c\u070f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"  # blanks, fillers, joiners
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\uffa0\ufeff\ufff0-\ufffb"  # widths, bidi, separators
    "\ud800-\udfff"  # lone surrogates
    "\ufe00-\ufe0f\ufdd0-\ufdef\ufffe\uffff\ue000-\uf8ff"  # selectors, non-characters, private use
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"  # shorthand, music, tags, private use
)
_UNPRINTABLE_PATTERN = re.compile(f"[{_UNPRINTABLE}]")
_UNPRINTABLE_EXCEPT_NEWLINE = re.compile(f"(?!\n)[{_UNPRINTABLE}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# More than four combining marks on one base overlap the neighbouring lines.
_COMBINING_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_STACKED_MARKS = re.compile(f"(?<={_COMBINING_MARK}{{4}}){_COMBINING_MARK}")
_SHORT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
_MAX_DEPTH = 64
_COLON_COMMAND = re.compile(r"^(\s*)::", re.MULTILINE)
_HASH_COMMAND = re.compile(r"##(?=\[|vso\[)")


def _escape_match(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xD800 <= code < 0xE000:
        return f"\\u{code:04x}"
    return f"\\u{{{code:x}}}"  # not the form of JSON: an answer may contain those six characters


def visible(text: str, *, lines: bool = False) -> str:
    """Return ``text`` with a visible escape for each unprintable character; with ``lines`` line feeds are kept.

    The result contains no control character, no bidirectional control, no lone surrogate and no character that XML 1.0
    forbids.
    """
    pattern = _UNPRINTABLE_EXCEPT_NEWLINE if lines else _UNPRINTABLE_PATTERN
    return _STACKED_MARKS.sub(_escape_match, pattern.sub(_escape_match, text))


def without_ci_commands(text: str, *, has_whole_lines: bool = True) -> str:
    """Return ``text`` so that the runner of a CI job executes nothing of it if it is printed to its log.

    GitHub's commands begin a line with ``::``, even after blanks, so only whole lines show them. Those of Azure begin
    with ``##[`` or ``##vso[``, anywhere.
    """
    shown = _COLON_COMMAND.sub(r"\1\\x3a:", text) if has_whole_lines else text
    return _HASH_COMMAND.sub(r"#\\x23", shown)


def shortened(text: str, limit: int) -> str:
    """Return ``text``, cut to ``limit`` characters and a note of how many more there are."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit} more characters)"


_MAX_WORD, _WORD_HEAD, _WORD_CONTEXT = 120, 40, 24  # characters
# A value without blanks and JSON punctuation, and the quotation mark behind it.
_LONG_WORD = re.compile(rf"([^\s\"'{{}}\[\],:]{{{_MAX_WORD + 1},}})([\"']?)")


def cut_long_words(text: str, *, difference: int = -1) -> str:
    """Return ``text`` with every word of more than 120 characters cut, and its length in bytes behind it.

    ``difference``: a position whose neighbours remain if it is in such a word.
    """

    def cut(match: re.Match[str]) -> str:
        word, quote = match.groups()
        place = difference - match.start()
        middle = ""
        if _WORD_HEAD <= place < len(word):
            start = max(_WORD_HEAD, place - _WORD_CONTEXT)
            middle = f"{word[start : place + _WORD_CONTEXT]}{'…' if place + _WORD_CONTEXT < len(word) else ''}"
        size = len(word.encode("utf-8", "surrogatepass"))
        return f"{word[:_WORD_HEAD]}…{middle}{quote} ({size:,} bytes)"

    return _LONG_WORD.sub(cut, text)


def cut_long_words_of_both(one: str, other: str) -> tuple[str, str]:
    """Return two texts as `cut_long_words` does, so that their first difference remains in both."""
    place = len(os.path.commonprefix([one, other])) if one and other and one != other else -1
    return cut_long_words(one, difference=place), cut_long_words(other, difference=place)


def json_text(value: Any, *, indent: int | None = None) -> str:
    """Return ``value`` as printable JSON text.

    It parses to the same value, except for lone surrogates (escaped), non-finite numbers (their names) and nesting
    deeper than 64 levels (an ellipsis).
    """
    dumped = json.dumps(_json_safe(value, 0), ensure_ascii=False, indent=indent, allow_nan=False)
    # Every unprintable character except line feeds is inside a JSON string, where \uNNNN is the same value.
    return _UNPRINTABLE_EXCEPT_NEWLINE.sub(_json_escape_match, dumped)


def compact_json_text(value: Any) -> str:
    """Return ``value`` as `json_text` does, without blanks between members."""
    dumped = json.dumps(_json_safe(value, 0), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNPRINTABLE_EXCEPT_NEWLINE.sub(_json_escape_match, dumped)


def _json_escape_match(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _json_safe(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub(_escape_match, value)
    if depth >= _MAX_DEPTH and isinstance(value, (dict, list, tuple)):
        return "…"
    if isinstance(value, dict):
        return {_json_safe(str(key), depth): _json_safe(member, depth + 1) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_safe(item, depth + 1) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def shell_command(arguments: Iterable[str]) -> str:
    """Return the arguments as one shell line; unprintable ones are written as ``$'…'`` (bash and zsh)."""
    return " ".join(map(_quote_argument, arguments))


def _quote_argument(text: str) -> str:
    if visible(text) == text:
        return shlex.quote(text)
    return f"$'{''.join(map(_escape_for_shell, text))}'"


def _escape_for_shell(character: str) -> str:
    if character in "'\\":
        return f"\\{character}"
    if visible(character) == character:
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
