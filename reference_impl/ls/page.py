"""The page of the filtered entries: order, slice, and counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .directory import Entry


class EntryOrder:
    """Directories first, then by name, case-insensitively (section 5.3)."""

    def sort(self, entries: Iterable[Entry]) -> list[Entry]:
        return sorted(entries, key=self.sort_key)

    def sort_key(self, entry: Entry) -> Any:
        # Names that differ in case only are sorted by their code points, then by their bytes (AMB-LS-26).
        return (not entry.sorts_first, entry.name.lower(), entry.name, entry.raw_name)


@dataclass(frozen=True)
class Page:
    """A slice of the whole list from index `offset` to `end`, exclusive."""

    all_entries: tuple[Entry, ...]
    offset: int
    limit: int

    @property
    def end(self) -> int:
        return min(self.offset + self.limit, self.total)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.all_entries[self.offset : self.end]

    @property
    def is_truncated(self) -> bool:
        """Return whether entries follow; those before the offset do not count (AMB-LS-01)."""
        return self.end < self.total

    @property
    def total(self) -> int:
        return len(self.all_entries)

    def count(self, type: str) -> int:
        """Return how many entries of the whole list have this type."""
        return self._type_counts[type]

    @cached_property
    def _type_counts(self) -> Counter[str]:
        return Counter(entry.type for entry in self.all_entries)
