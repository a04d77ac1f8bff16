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


MUTANTS: tuple[Mutant, ...] = ()
