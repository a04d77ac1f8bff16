"""The long parts of a page, such as evidence: the first are in the page, later ones compressed, the rest is left out.

The sizes are bounded, so that a page stays small whatever a candidate writes. The script of the page opens a compressed
part on demand (`parts.js`). Contains no HTML of its own.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

MAX_PAGE = 1_900_000
"""The aim for a whole page, in characters; what a run has without its long parts is estimated."""
MAX_INLINE = 150_000
"""The maximal number of characters of the parts that are in the page as they are, together."""
MIN_COMPRESSED = 220_000
"""The limit of the compressed parts in characters, if a page without them is large already."""
MAX_PRINTED = 12
"""The maximal number of parts that are printed."""

_REQUIREMENT_CHARACTERS = 1_500  # its card, its line in lists, its tile
_SCENARIO_CHARACTERS = 190  # its row with its title, and its data for the list
_CAUSE_CHARACTERS = 1_300  # its card without evidence
_FRAME_CHARACTERS = 100_000  # style, script, head
_CHUNK_CHARACTERS = 200_000  # opened together; more costs time, less costs size


@dataclass
class PageParts:
    """``inline`` parts by their key, the number of the chunk with each compressed part, and the ``chunks`` in base64.

    ``printed`` are the keys of the inline parts that are also printed, ``left_out`` those that have no place.
    """

    inline: dict[str, Markup] = field(default_factory=dict)
    chunk_of: dict[str, int] = field(default_factory=dict)
    chunks: list[str] = field(default_factory=list)
    printed: set[str] = field(default_factory=set)
    left_out: set[str] = field(default_factory=set)


def place_parts(
    parts: Iterable[tuple[str, Callable[[], Markup]]],
    requirements: int = 0,
    scenarios: int = 0,
    causes: int = 0,
    others: int = 0,
) -> PageParts:
    """Give each part a place; ``parts`` are keys with functions that return the HTML, the most important first.

    The numbers of requirements, scenarios and causes on the page determine the size that is left, and ``others``, the
    number of other characters.
    """
    frame = _FRAME_CHARACTERS + _CAUSE_CHARACTERS * causes + others
    frame += _REQUIREMENT_CHARACTERS * requirements + _SCENARIO_CHARACTERS * scenarios
    limit = max(MAX_PAGE - MAX_INLINE - frame, MIN_COMPRESSED)
    placed, size, compressed = PageParts(), 0, 0
    waiting: dict[str, str] = {}
    for key, render in parts:
        if key in placed.inline or key in placed.chunk_of or key in waiting or key in placed.left_out:
            continue
        if compressed >= limit:
            placed.left_out.add(key)
            continue
        html = render()
        if not placed.chunks and not waiting and size + len(html) <= MAX_INLINE:
            placed.inline[key] = html
            size += len(html)
            if len(placed.printed) < MAX_PRINTED:
                placed.printed.add(key)
            continue
        waiting[key] = str(html)
        if sum(map(len, waiting.values())) >= _CHUNK_CHARACTERS:
            compressed += _close_chunk(placed, waiting, limit - compressed)
    if waiting:
        _close_chunk(placed, waiting, limit - compressed)
    return placed


def _close_chunk(placed: PageParts, waiting: dict[str, str], limit: int) -> int:
    """Move the waiting parts into a chunk of at most ``limit`` characters, else leave them out; return its size."""
    chunk = compress(waiting)
    if len(chunk) > limit:
        placed.left_out.update(waiting)
        waiting.clear()
        return limit
    placed.chunk_of.update(dict.fromkeys(waiting, len(placed.chunks)))
    placed.chunks.append(chunk)
    waiting.clear()
    return len(chunk)


def compress(value: Mapping[str, Any] | list[Any]) -> str:
    """Return a JSON value in zlib's format as base64."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")
