"""The order of entries, which is open for some names, and the pages that it allows.

A page is right if some order of the whole list has it at its offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from .outcomes import ExpectedEntry


def is_determined(entries: Sequence[ExpectedEntry]) -> bool:
    """Return whether a list in the recommended order has no other one."""
    return all(one.precedes(other) for one, other in pairwise(entries))


def inversions(page: Sequence[ExpectedEntry]) -> list[tuple[ExpectedEntry, ExpectedEntry]]:
    """Return the pairs of a page that stand the wrong way round."""
    ranks = [(entry.rank,) for entry in page]
    keys = [(entry.rank, entry.collations[0]) for entry in page if entry.collations]
    if all(row == sorted(row) for row in (ranks, keys)):  # then none can stand before one that precedes it
        return []
    # As `precedes`: each of many outcomes compares each pair.
    keyed = [(entry.rank, entry.collations or ("", ""), entry) for entry in page]
    return [
        (one, other)
        for (rank, (plain, letters), one), (other_rank, (other_plain, other_letters), other) in combinations(keyed, 2)
        if other_rank < rank or (other_rank == rank and "" < other_plain < plain and "" < other_letters < letters)
    ]


def can_be_page(page: Sequence[ExpectedEntry], entries: Sequence[ExpectedEntry], offset: int) -> bool:
    """Return whether the entries of a page, which are without inversions, can stand at this offset of the list.

    Those that precede one of them have to be on earlier pages, and those that follow one on later ones.
    """
    if is_determined(entries):
        return list(page) == list(entries[offset : offset + len(page)])
    on_page = {entry.key for entry in page}
    others = [entry for entry in entries if entry.key not in on_page]
    before = [any(one.precedes(entry) for entry in page) for one in others]
    behind = [any(entry.precedes(one) for entry in page) for one in others]
    if any(one and other for one, other in zip(before, behind, strict=True)):
        return False
    return sum(before) <= offset <= len(others) - sum(behind)
