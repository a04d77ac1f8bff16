"""The difference of two texts: the pieces that differ, the first different byte, and where an answer has them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# Text between separators is one piece, so that names and JSON members are not split into letters.
_TOKEN = re.compile(r"[^\s,{}\[\]]+|,\s*|\s+|.", re.DOTALL)
_WORD = re.compile(r"\w{1,8}")  # compares true and false as words, not by letters
# The maximal number of pairs of equal pieces for a detailed comparison, which is slow for more than that.
_MAX_EQUAL_PAIRS = 5_000
_NAME = re.compile(r"""[^\s,'"]+""")
_MAX_NAMES = 200


@dataclass(frozen=True)
class Piece:
    """A part of one side; ``differs`` if the other side lacks it."""

    text: str
    differs: bool


@dataclass(frozen=True)
class Difference:
    """Both sides in pieces. ``position`` describes the first different byte; None if there is none to name."""

    expected: tuple[Piece, ...]
    got: tuple[Piece, ...]
    position: str | None


def diff_texts(expected: str, got: str, *, is_verbatim: bool = True) -> Difference:
    """Return the difference of two texts. Offsets are in bytes of UTF-8.

    If the sides are not ``is_verbatim`` but in a notation of the suite (quoted names in a list), a position is named
    only at a byte that no notation writes: one that is not ASCII.
    """
    if expected == got:
        whole = (Piece(expected, False),)
        return Difference(whole, whole, None)
    left, right = _TOKEN.findall(expected), _TOKEN.findall(got)
    steps: Sequence[tuple[str, int, int, int, int]] = _common_ends(left, right)
    _, head, before, _, after = steps[1]
    if _count_equal_pairs(left[head:before], right[head:after]) <= _MAX_EQUAL_PAIRS:
        inner = SequenceMatcher(None, left[head:before], right[head:after], autojunk=False).get_opcodes()
        moved = [(step, a + head, b + head, c + head, d + head) for step, a, b, c, d in inner]
        steps = [steps[0], *moved, steps[2]]
    mine, other = list[Piece](), list[Piece]()
    for step, a, b, c, d in steps:
        if step == "equal":
            mine.append(Piece("".join(left[a:b]), False))
            other.append(Piece("".join(right[c:d]), False))
        else:
            _append_pieces("".join(left[a:b]), "".join(right[c:d]), mine, other)
    return Difference(_merge_pieces(mine), _merge_pieces(other), _describe_position(expected, got, is_verbatim))


def _count_equal_pairs(left: Sequence[str], right: Sequence[str]) -> int:
    other = Counter(right)
    return sum(count * other[piece] for piece, count in Counter(left).items())


def _common_ends(left: Sequence[str], right: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """Return opcodes like SequenceMatcher, with the common prefix and suffix as the only equal parts."""
    head = _common_prefix_length(left, right)
    tail = _common_prefix_length(left[head:][::-1], right[head:][::-1])
    a, b = len(left) - tail, len(right) - tail
    return [("equal", 0, head, 0, head), ("replace", head, a, head, b), ("equal", a, len(left), b, len(right))]


def _common_prefix_length(left: Sequence[str], right: Sequence[str]) -> int:
    return next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _append_pieces(left: str, right: str, mine: list[Piece], other: list[Piece]) -> None:
    """Append a different part, without equal characters at its ends."""
    whole = _WORD.fullmatch(left) and _WORD.fullmatch(right)
    head = 0 if whole else _common_prefix_length(left, right)
    tail = 0 if whole else _common_prefix_length(left[head:][::-1], right[head:][::-1])
    for text, pieces in ((left, mine), (right, other)):
        end = len(text) - tail
        pieces += [Piece(text[:head], False), Piece(text[head:end], True), Piece(text[end:], False)]


def _merge_pieces(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    merged: list[Piece] = []
    for piece in pieces:
        if merged and merged[-1].differs == piece.differs:
            merged[-1] = Piece(merged[-1].text + piece.text, piece.differs)
        elif piece.text:
            merged.append(piece)
    return tuple(merged)


def _describe_position(expected: str, got: str, is_verbatim: bool) -> str | None:
    mine, other = (text.encode("utf-8", "surrogatepass") for text in (expected, got))
    at = next((n for n, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), min(len(mine), len(other)))
    if not is_verbatim and (mine[at : at + 1] + other[at : at + 1]).isascii():
        return None
    return f"First difference at byte {at}: expected {_describe_byte(mine, at)}, got {_describe_byte(other, at)}"


def _describe_byte(data: bytes, at: int) -> str:
    if at == len(data):
        return "no more bytes"
    shown = f" ({chr(data[at])})" if 0x20 < data[at] < 0x7F else ""
    return f"0x{data[at]:02x}{shown} of {len(data)} bytes"


def _as_is(text: str) -> str:
    return text


def _in_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _in_unicode_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


_FORMS: Sequence[Callable[[str], str]] = (_as_is, _in_json, _in_unicode_json)


def mark_answer(answer: str, expected: Sequence[Piece], got: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return ``answer`` in pieces. A difference is marked only where its place in the answer is certain.

    ``expected`` and ``got`` are the two sides of the comparison. If the answer contains the whole of ``got`` once, as
    it is or inside a JSON string, its marks are those of the answer. Else ``got`` is in a notation of the suite, and
    each of its names that ``expected`` lacks is marked if the answer contains it as one string.
    """
    if not any(piece.differs for piece in (*expected, *got)):
        return (Piece(answer, False),)
    text = _text(got)
    for form in _FORMS:
        if text and answer.count(form(text)) == 1:
            start = answer.index(form(text))
            inner = [Piece(form(piece.text), piece.differs) for piece in got]
            return _nonempty([Piece(answer[:start], False), *inner, Piece(answer[start + len(form(text)) :], False)])
    return _mark_words(answer, set(_NAME.findall(text)) - set(_NAME.findall(_text(expected))))


def _mark_words(answer: str, words: set[str]) -> tuple[Piece, ...]:
    places = []
    for word in sorted(words)[:_MAX_NAMES]:
        quoted = json.dumps(word, ensure_ascii=False)
        if answer.count(quoted) == 1:
            places.append((answer.index(quoted), len(quoted)))
    pieces, at = list[Piece](), 0
    for start, length in sorted(places):
        if start >= at:
            pieces += [Piece(answer[at:start], False), Piece(answer[start : start + length], True)]
            at = start + length
    return _nonempty([*pieces, Piece(answer[at:], False)])


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _nonempty(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    return tuple(piece for piece in pieces if piece.text) or (Piece("", False),)
