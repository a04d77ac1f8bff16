"""Mutants: errors in the order of entries."""

import re
from collections.abc import Iterable
from typing import Any

from treeproof.reference_impl.ls.directory import Entry
from treeproof.reference_impl.ls.page import EntryOrder

from ..shared.mutant import Mutant
from .builders import build_mutant


class Mixed(EntryOrder):
    def sorts_first(self, entry: Entry) -> bool:
        return True


class FilesFirst(EntryOrder):
    def sorts_first(self, entry: Entry) -> bool:
        return not entry.sorts_first


class FilesUnsorted(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return super().sort_key(entry) if entry.sorts_first else (True,)


class Unsorted(EntryOrder):
    def sort(self, entries: Iterable[Entry]) -> list[Entry]:
        return list(entries)


class CapitalsFirst(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, entry.name)


class Natural(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        parts = re.split("([0-9]+)", entry.name.lower())
        return (
            not entry.sorts_first,
            [(part.isdigit(), int(part) if part.isdigit() else part) for part in parts],
        )


class Descending(EntryOrder):
    def sort(self, entries: Iterable[Entry]) -> list[Entry]:
        found = super().sort(entries)
        first = [entry for entry in found if entry.sorts_first]
        return first[::-1] + found[len(first) :][::-1]


class ByStem(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        stem, _, extension = entry.name.lower().rpartition(".")
        return (not entry.sorts_first, extension if stem else "", stem or extension)


class ByLength(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, len(entry.name), *super().sort_key(entry))


class AsMade(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, entry.name.lower())


class Beginnings(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, entry.name.lower()[:32], entry.name)


class TiesChangePlaces(EntryOrder):
    """In every second call, names that differ in case only are in the opposite order."""

    calls = 0

    def sort(self, entries: Iterable[Entry]) -> list[Entry]:
        TiesChangePlaces.calls += 1
        found = sorted(super().sort(entries), key=lambda entry: entry.name, reverse=self.calls % 2 > 0)
        return sorted(found, key=lambda entry: (not entry.sorts_first, entry.name.lower()))


OTHER_PLACES = "LS-SORT-03 LS-SORT-04 LS-SEC-07 LS-PAGE-01 LS-PAGE-04 LS-TEXT-05"
"""The order of entries differs: links have other places, and pages other entries."""
OTHER_LISTS = f"{OTHER_PLACES} LS-PAGE-02 LS-PAGE-03 LS-ARG-03"
"""The order of most listings differs."""

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-190",
        "Directories and files are mixed.",
        "LS-SORT-01",
        OTHER_LISTS,
        "LS-DATA-01 LS-ENV-01 LS-SORT-02 LS-FILT-07",
        order=Mixed,
    ),
    build_mutant(
        "MUT-LS-191",
        "Files come before directories.",
        "LS-SORT-01",
        OTHER_LISTS,
        "LS-DATA-01 LS-ENV-01 LS-SORT-02 LS-TEXT-02 LS-TEXT-03 LS-STAT-01 LS-STAT-02 LS-ARG-02 LS-ARG-06",
        order=FilesFirst,
    ),
    build_mutant(
        "MUT-LS-192",
        "Files are not sorted.",
        "LS-SORT-02",
        OTHER_LISTS,
        "LS-SORT-01 LS-SORT-05 LS-TEXT-03 LS-TEXT-04 LS-FILT-07 LS-DEF-04",
        order=FilesUnsorted,
    ),
    build_mutant(
        "MUT-LS-193",
        "Nothing is sorted.",
        "LS-SORT-01",
        OTHER_LISTS,
        "LS-DATA-01 LS-ENV-01 LS-SORT-02 LS-SORT-05 LS-TEXT-02 LS-TEXT-03 LS-TEXT-04 LS-STAT-01 LS-STAT-02 "
        "LS-STAT-03 LS-FILT-07 LS-DEF-04",
        order=Unsorted,
    ),
    build_mutant(
        "MUT-LS-194",
        "Capitals come before small letters.",
        "LS-SORT-02 LS-PAGE-01 LS-SORT-03 LS-SORT-04 LS-TEXT-05 LS-SORT-05",
        order=CapitalsFirst,
    ),
    build_mutant("MUT-LS-195", "Digits are sorted as numbers.", "LS-SORT-02 LS-SORT-05", order=Natural),
    build_mutant(
        "MUT-LS-196",
        "Names are in descending order.",
        "LS-SORT-02",
        OTHER_LISTS,
        "LS-DATA-01 LS-ENV-01 LS-SORT-01 LS-SORT-05 LS-TEXT-02 LS-TEXT-03 LS-TEXT-04 LS-STAT-01 LS-STAT-02 "
        "LS-ARG-02 LS-ARG-06 LS-FILT-07 LS-DEF-04",
        order=Descending,
    ),
    build_mutant(
        "MUT-LS-197",
        "Names are sorted by their last part first.",
        "LS-SORT-02 LS-PAGE-01 LS-TEXT-05",
        order=ByStem,
    ),
    build_mutant(
        "MUT-LS-199",
        "Shorter names come first.",
        "LS-SORT-02",
        OTHER_PLACES,
        "LS-SORT-01 LS-DATA-01 LS-TEXT-02 LS-TEXT-03 LS-STAT-01 LS-STAT-02",
        order=ByLength,
    ),
    build_mutant(
        "MUT-LS-200",
        "Names that differ in case only keep the system's order.",
        "LS-SORT-05",
        order=AsMade,
    ),
    build_mutant(
        "MUT-LS-449",
        "Names that differ in case only change places from call to call.",
        "LS-PAGE-04 LS-SORT-05",
        order=TiesChangePlaces,
    ),
    build_mutant(
        "MUT-LS-321",
        "Only the first 32 characters have an effect on the order.",
        "LS-SORT-02",
        order=Beginnings,
    ),
)
