"""The text of names that are not UTF-8: the accepted ways to insert U+FFFD (AMB-LD-12).

The decoding follows the Unicode standard's table of well-formed byte sequences (table 3-7), not Python's decoder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_TRAIL = (0x80, 0xBF)
_TABLE: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...] = (
    (0x00, 0x7F, ()),
    (0xC2, 0xDF, (_TRAIL,)),
    (0xE0, 0xE0, ((0xA0, 0xBF), _TRAIL)),
    (0xE1, 0xEC, (_TRAIL, _TRAIL)),
    (0xED, 0xED, ((0x80, 0x9F), _TRAIL)),
    (0xEE, 0xEF, (_TRAIL, _TRAIL)),
    (0xF0, 0xF0, ((0x90, 0xBF), _TRAIL, _TRAIL)),
    (0xF1, 0xF3, (_TRAIL, _TRAIL, _TRAIL)),
    (0xF4, 0xF4, ((0x80, 0x8F), _TRAIL, _TRAIL)),
)
"""The range of the first byte, and the ranges of the bytes that must follow it."""

_TRAIL_RANGES = {first: rest for low, high, rest in _TABLE for first in range(low, high + 1)}
_BITS_OF_LEAD = {0: 0x7F, 1: 0x1F, 2: 0x0F, 3: 0x07}


@lru_cache(maxsize=4096)
def lossy_decodings(name: bytes) -> Mapping[str, str]:
    """Return the text of a name by each reading of AMB-LD-12."""
    if name.isascii():
        return dict.fromkeys(("maximal_subpart", "per_byte", "per_run", "java"), name.decode("ascii"))
    parts = list(_decode_parts(name))
    return {
        "maximal_subpart": "".join(text or REPLACEMENT for text, _ in parts),
        "per_byte": "".join(text or REPLACEMENT * len(raw) for text, raw in parts),
        "per_run": _per_run(parts),
        "java": "".join(text or REPLACEMENT for text, _ in _merge_surrogates(parts)),
    }


def possible_decodings(name: bytes, texts: Iterable[str]) -> tuple[str, ...]:
    """Return those of the texts that a name may have: from one U+FFFD for each run of bytes to one for each byte."""
    pattern = _any_number(name)
    return tuple(text for text in dict.fromkeys(texts) if pattern.fullmatch(text))


@lru_cache(maxsize=4096)
def _any_number(name: bytes) -> re.Pattern[str]:
    pieces = []
    for is_text, group in groupby(_decode_parts(name), key=lambda part: part[0] is not None):
        parts = list(group)
        length = sum(len(raw) for _, raw in parts)
        pieces.append(
            "".join(re.escape(text or "") for text, _ in parts) if is_text else f"{REPLACEMENT}{{1,{length}}}"
        )
    return re.compile("".join(pieces))


@lru_cache(maxsize=4096)
def is_utf8(name: bytes) -> bool:
    """Return whether a name is UTF-8."""
    return name.isascii() or all(text is not None for text, _ in _decode_parts(name))


def _decode_parts(name: bytes) -> Iterator[tuple[str | None, bytes]]:
    """Yield each character with its bytes; None for a maximal ill-formed subpart."""
    at = 0
    while at < len(name):
        first = name[at]
        ranges = _TRAIL_RANGES.get(first)
        if ranges is None:
            yield None, name[at : at + 1]
            at += 1
            continue
        code, end = first & _BITS_OF_LEAD[len(ranges)], at + 1
        for low, high in ranges:
            if end == len(name) or not low <= name[end] <= high:
                yield None, name[at:end]
                break
            code = code << 6 | name[end] & 0x3F
            end += 1
        else:
            yield chr(code), name[at:end]
        at = end


def _per_run(parts: list[tuple[str | None, bytes]]) -> str:
    texts: list[str] = []
    in_run = False
    for text, _ in parts:
        if text is not None:
            texts.append(text)
        elif not in_run:
            texts.append(REPLACEMENT)
        in_run = text is None
    return "".join(texts)


def _merge_surrogates(parts: list[tuple[str | None, bytes]]) -> Iterator[tuple[str | None, bytes]]:
    """Yield the parts with each encoded surrogate (ED, A0 to BF, a trail byte) as one part."""
    at = 0
    while at < len(parts):
        text, raw = parts[at]
        following = b"".join(raw for text, raw in parts[at + 1 : at + 3] if text is None and len(raw) == 1)
        if raw == b"\xed" and len(following) == 2 and following[0] >= 0xA0 and following[1] < 0xC0:
            yield None, raw + following
            at += 3
        else:
            yield text, raw
            at += 1
