"""Parts of a Markdown report that fit into a limited size: lists of ids, omissions with a note."""

from __future__ import annotations

from collections.abc import Sequence

from treeproof.report.digest import abbreviate, pluralize
from treeproof.report.markdown_text import prose

MAX_IDS = 40
"""The ids in one list."""


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
