"""Parts of a Markdown report that fit into a limited size: lists of ids, groups of items, omissions with a note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treeproof.report.digest import abbreviate, pluralize
from treeproof.report.markdown_text import prose

MAX_IDS = 40
"""The ids in one list."""


def fit_to_size(parts: Iterable[str], max_bytes: int) -> Iterator[str]:
    """Yield the parts that fit into ``max_bytes``, then a note of how many are left out."""
    dropped = 0
    for part in parts:
        size = len(part.encode("utf-8")) + 2
        if dropped or size > max_bytes:
            dropped += 1
        else:
            max_bytes -= size
            yield part
    if dropped:
        yield f"*{pluralize(dropped, 'part')} omitted here; the JSON report is complete.*"


def id_list_suffix(ids: Sequence[str]) -> str:
    """Return a colon and the ids, abbreviated and escaped; an empty text without ids."""
    return f": {prose(', '.join(abbreviate(ids, MAX_IDS)))}" if ids else ""


def batch_items(items: Iterable[str]) -> Iterator[str]:
    """Yield the items of a list in groups of ten, so that `fit_to_size` omits few of them."""
    lines = list(items)
    for start in range(0, len(lines), 10):
        yield "\n".join(lines[start : start + 10])
