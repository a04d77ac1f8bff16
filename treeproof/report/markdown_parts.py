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


def fit_to_lines(lines: Sequence[str], max_lines: int, noun: str) -> list[str]:
    """Return at most ``max_lines`` lines of a list; the last one counts what is left out."""
    if len(lines) <= max_lines:
        return list(lines)
    more = pluralize(len(lines) - max_lines + 1, f"more {noun}")
    return [*lines[: max_lines - 1], f"- and {more}: see the HTML or JSON report"]


def id_list_suffix(ids: Sequence[str], max_ids: int = MAX_IDS) -> str:
    """Return a colon and at most ``max_ids`` ids, escaped; an empty text without ids."""
    return f": {prose(', '.join(abbreviate(ids, max_ids)))}" if ids else ""


def table_line(cells: Sequence[str]) -> str:
    """Return one line of a table; the cells are escaped."""
    return f"| {' | '.join(cells)} |"
