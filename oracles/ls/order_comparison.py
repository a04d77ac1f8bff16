"""Whom entries in a wrong order blame: by the types of those that stand the wrong way round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from treeproof.api import Finding

from .order import inversions
from .outcomes import ExpectedEntry, ExpectedListing, format_keys

OTHER_ORDER = "the order of entries differs"

Pair = tuple[ExpectedEntry, ExpectedEntry]

_LINKS: dict[str, Callable[[ExpectedEntry], bool]] = {
    "LS-SEC-07": lambda entry: entry.leads_outside and not entry.sorts_first,
    "LS-SORT-03": lambda entry: entry.type == "link" and entry.sorts_first,
    "LS-SORT-04": lambda entry: entry.type == "link" and not entry.sorts_first,
}
"""The links whose place each requirement determines."""


def order_finding(expected: ExpectedListing, page: Sequence[ExpectedEntry], pairs: Sequence[Pair]) -> Finding:
    """Return the finding for entries in a wrong order; `pairs` stand the wrong way round."""
    first, *others = dict.fromkeys(_requirements(page, pairs))
    due: Sequence[ExpectedEntry] = sorted(page, key=lambda entry: (*entry.sort_key, entry.key))
    if {entry.key for entry in due} != {entry.key for entry in expected.page}:
        due = expected.page  # a wrong order puts other entries on a page
    values = format_keys(entry.key for entry in due), format_keys(entry.key for entry in page)
    return Finding(first, OTHER_ORDER, *values, tuple(others), kind=OTHER_ORDER)


def _requirements(page: Sequence[ExpectedEntry], pairs: Sequence[Pair]) -> list[str]:
    if all(one.rank == other.rank for one, other in pairs):
        return _of_names(page, pairs)
    for requirement, is_link in _LINKS.items():
        rest = [entry for entry in page if not is_link(entry)]
        if len(rest) < len(page) and not inversions(rest):
            others = [id for id, is_other in _LINKS.items() if any(map(is_other, page))]
            return [requirement, *others]
    has_mixed_groups = any(one.sorts_first != other.sorts_first for one, other in pairs)
    by_name = any(one.rank == other.rank for one, other in pairs)
    rules = ["LS-SORT-01"] if has_mixed_groups else ["LS-SORT-04"]
    return [*rules, "LS-SORT-02"] if by_name else rules


def _of_names(page: Sequence[ExpectedEntry], pairs: Sequence[Pair]) -> list[str]:
    """Return the requirements for entries of one group in a wrong order: of names, or of the place of links."""
    if any(one.type != "link" and other.type == "link" and other.sorts_first for one, other in pairs):
        moved = {other.key for _, other in pairs} - {one.key for one, _ in pairs}
        if not inversions([replace(entry, rank=1.0) if entry.key in moved else entry for entry in page]):
            return ["LS-SORT-03", "LS-SORT-02"]
    keys = [(entry.rank, entry.key) for entry in page]
    is_by_code = keys == sorted(keys)
    mixed = [pair for pair in pairs if (pair[0].type == "link") != (pair[1].type == "link")]
    if is_by_code or len(mixed) < len(pairs):
        return ["LS-SORT-02"]
    rule = "LS-SORT-03" if pairs[0][0].sorts_first else "LS-SORT-04"
    return [rule, "LS-SORT-02"]
