"""Wrong in the order of entries by kind and name."""

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


class WithoutMarks(EntryOrder):
    """Only letters and digits count."""

    def sort_key(self, entry: Entry) -> Any:
        plain = "".join(letter for letter in entry.name.lower() if letter.isalnum())
        return (not entry.sorts_first, plain, entry.name)


class ByLength(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, len(entry.name), *super().sort_key(entry))


class AsMade(EntryOrder):
    """Names that differ in case only stay as the system hands them out."""

    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, entry.name.lower())


class Beginnings(EntryOrder):
    """Only the first thirty-two characters count."""

    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, entry.name.lower()[:32], entry.name)


OTHER_PLACES = ("SORT-03", "SORT-04", "SEC-07", "PAGE-01", "PAGE-04", "TEXT-05")
"""What may fail with entries in other places: links have theirs among them, and a page is cut by them."""
OTHER_LISTS = (*OTHER_PLACES, "PAGE-02", "PAGE-03", "ARG-03")
"""What may fail as well where most lists are in another order."""

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        190,
        "Directories and files are mixed.",
        "SORT-01",
        *OTHER_LISTS,
        *("DATA-01", "ENV-01", "SORT-02", "FILT-07"),
        order=Mixed,
    ),
    build_mutant(
        191,
        "Files come before directories.",
        "SORT-01",
        *OTHER_LISTS,
        *("DATA-01", "ENV-01", "SORT-02", "TEXT-02", "TEXT-03", "STAT-01", "STAT-02", "ARG-02", "ARG-06"),
        order=FilesFirst,
    ),
    build_mutant(
        192,
        "Files are not sorted.",
        "SORT-02",
        *OTHER_LISTS,
        *("SORT-01", "SORT-05", "TEXT-03", "TEXT-04", "FILT-07", "DEF-04"),
        order=FilesUnsorted,
    ),
    build_mutant(
        193,
        "Nothing is sorted.",
        "SORT-01",
        *OTHER_LISTS,
        *(
            "DATA-01",
            "ENV-01",
            "SORT-02",
            "SORT-05",
            "TEXT-02",
            "TEXT-03",
            "TEXT-04",
            "STAT-01",
            "STAT-02",
            "STAT-03",
            "FILT-07",
            "DEF-04",
        ),
        order=Unsorted,
    ),
    build_mutant(
        194,
        "Capitals come before small letters.",
        *("SORT-02", "PAGE-01", "SORT-03", "SORT-04", "TEXT-05", "SORT-05"),
        order=CapitalsFirst,
    ),
    build_mutant(195, "Digits are sorted as numbers.", "SORT-02", "SORT-05", order=Natural),
    build_mutant(
        196,
        "Names are in descending order.",
        "SORT-02",
        *OTHER_LISTS,
        *(
            "DATA-01",
            "ENV-01",
            "SORT-01",
            "SORT-05",
            "TEXT-02",
            "TEXT-03",
            "TEXT-04",
            "STAT-01",
            "STAT-02",
            "ARG-02",
            "ARG-06",
            "FILT-07",
            "DEF-04",
        ),
        order=Descending,
    ),
    build_mutant(
        197, "Names are sorted by their last part first.", "SORT-02", "PAGE-01", "TEXT-05", order=ByStem
    ),
    build_mutant(
        198,
        "Only letters and digits count for the order.",
        "SORT-02",
        "PAGE-04",
        "PAGE-01",
        order=WithoutMarks,
    ),
    build_mutant(
        199,
        "Shorter names come first.",
        "SORT-02",
        *OTHER_PLACES,
        *("SORT-01", "DATA-01", "TEXT-02", "TEXT-03", "STAT-01", "STAT-02"),
        order=ByLength,
    ),
    build_mutant(
        200, "Names that differ in case only stay as the system hands them out.", "SORT-05", order=AsMade
    ),
    build_mutant(
        321, "Only the first thirty-two characters count for the order.", "SORT-02", order=Beginnings
    ),
)
