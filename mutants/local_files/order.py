"""Mutants: errors in the order of a list."""

import os

from treeproof.reference_impl.local_files.entries import TYPES_IN_ORDER, EntryFormatter

from ..shared.mutant import Mutant
from .builders import Entries, build_mutant
from .implied import ORDER


class Unsorted(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return found


class ThroughLinks(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(super().sort(found), key=lambda entry: not os.path.isdir(entry["path"]))


class ShortListsOnly(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return super().sort(found) if len(found) <= 100 else found


class AsMade(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: os.lstat(entry["path"]).st_ino)


class ByHash(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        plain = super().sort(found)
        plain.sort(key=lambda entry: entry["path"].__hash__())
        return plain


class ByName(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: str(entry["name"]))


class KindOnly(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        kinds = [entry["@type"] for entry in super().sort(found)]
        return sorted(found, key=lambda entry: kinds.index(entry["@type"]))


class CaseMakesNoDifference(EntryFormatter):
    """Names that differ in case only have the order of the directory."""

    def sort(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: (TYPES_IN_ORDER.index(entry["@type"]), str(entry["name"]).lower()))


class OthersAsTheyCome(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        last = TYPES_IN_ORDER[-1]
        others = [entry for entry in found if entry["@type"] == last]
        return [*super().sort([entry for entry in found if entry["@type"] != last]), *others]


class LinksAsTheyCome(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        links = [entry for entry in found if entry["@type"] == "SymbolicLinkEntry"]
        return [*super().sort([entry for entry in found if entry not in links]), *links]


class BlanksMakeNoDifference(EntryFormatter):
    """Names that differ in blanks only have the order of the directory."""

    def sort(self, found: Entries) -> Entries:
        key = lambda entry: (TYPES_IN_ORDER.index(entry["@type"]), str(entry["name"]).replace(" ", ""))  # noqa: E731
        return sorted(found, key=key)


class FilesFirst(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(super().sort(found), key=lambda entry: entry["@type"] != "FileEntry")


class LinksFirst(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(super().sort(found), key=lambda entry: entry["@type"] != "SymbolicLinkEntry")


class BySize(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        ordered = super().sort(found)
        return sorted(ordered, key=lambda entry: (entry["@type"] != "DirectoryEntry", entry["size"]))


class ByTime(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(super().sort(found), key=lambda entry: -entry["lastModified"])


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LF-084", "The list is not sorted.", "LF-SORT-02 LF-SORT-01", entry_formatter=Unsorted),
    build_mutant(
        "MUT-LF-085", "The list is in the order of creation.", "LF-SORT-02 LF-SORT-01", entry_formatter=AsMade
    ),
    build_mutant(
        "MUT-LF-086",
        "The order depends on the location of the tree.",
        "LF-SORT-02",
        ORDER,
        "LF-FIELD-04",
        entry_formatter=ByHash,
    ),
    build_mutant("MUT-LF-215", "More than a hundred entries are not sorted.", ORDER, entry_formatter=ShortListsOnly),
    build_mutant("MUT-LF-228", "Links to directories stand with these.", ORDER, entry_formatter=ThroughLinks),
    build_mutant("MUT-LF-087", "The list is sorted by name alone.", ORDER, entry_formatter=ByName),
    build_mutant(
        "MUT-LF-088",
        "Within a type, entries keep the system's order.",
        "LF-SORT-02 LF-SORT-01",
        entry_formatter=KindOnly,
    ),
    build_mutant("MUT-LF-089", "Files come first.", ORDER, entry_formatter=FilesFirst),
    build_mutant("MUT-LF-090", "Links come first.", ORDER, entry_formatter=LinksFirst),
    build_mutant("MUT-LF-091", "After directories, the list is sorted by size.", ORDER, entry_formatter=BySize),
    build_mutant("MUT-LF-092", "The list is sorted by time, the newest first.", ORDER, entry_formatter=ByTime),
    build_mutant(
        "MUT-LF-285",
        "Names that differ in case only have the order of the directory.",
        "LF-SORT-02",
        entry_formatter=CaseMakesNoDifference,
    ),
    build_mutant(
        "MUT-LF-286",
        "Special files have the order of the directory.",
        "LF-SORT-02",
        entry_formatter=OthersAsTheyCome,
    ),
    build_mutant(
        "MUT-LF-287",
        "Links have the order of the directory.",
        "LF-SORT-02",
        entry_formatter=LinksAsTheyCome,
    ),
    build_mutant(
        "MUT-LF-288",
        "Names that differ in blanks only have the order of the directory.",
        "LF-SORT-02",
        entry_formatter=BlanksMakeNoDifference,
    ),
)
