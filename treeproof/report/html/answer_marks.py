"""The answer of a candidate with the parts marked that differ from the expected ones. Contains no HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from treeproof.report.html.difference import Piece

_WORD = re.compile(r"""[^\s,'"]+""")
_MAX_WORDS = 200


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
    return _mark_words(answer, set(_WORD.findall(text)) - set(_WORD.findall(_text(expected))))


def _mark_words(answer: str, words: set[str]) -> tuple[Piece, ...]:
    places = []
    for word in sorted(words)[:_MAX_WORDS]:
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
