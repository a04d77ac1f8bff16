"""Wrong in the order of a list."""

import os

from ...finding.entries import Telling
from ..mutant import Mutant
from .implied import ORDER
from .made import Entries, wrong


class Unsorted(Telling):
    def ordered(self, found: Entries) -> Entries:
        return found


class AsMade(Telling):
    """By the numbers of the inodes, which come in the order of making."""

    def ordered(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: os.lstat(entry["path"]).st_ino)


class ByHash(Telling):
    def ordered(self, found: Entries) -> Entries:
        plain = super().ordered(found)
        plain.sort(key=lambda entry: entry["path"].__hash__())
        return plain


class ByName(Telling):
    def ordered(self, found: Entries) -> Entries:
        return sorted(found, key=lambda entry: str(entry["name"]))


class KindOnly(Telling):
    """Within a kind they stand as they came."""

    def ordered(self, found: Entries) -> Entries:
        kinds = [entry["@type"] for entry in super().ordered(found)]
        return sorted(found, key=lambda entry: kinds.index(entry["@type"]))


class FilesFirst(Telling):
    def ordered(self, found: Entries) -> Entries:
        return sorted(super().ordered(found), key=lambda entry: entry["@type"] != "FileEntry")


class LinksFirst(Telling):
    def ordered(self, found: Entries) -> Entries:
        return sorted(super().ordered(found), key=lambda entry: entry["@type"] != "SymbolicLinkEntry")


class BySize(Telling):
    def ordered(self, found: Entries) -> Entries:
        ordered = super().ordered(found)
        return sorted(ordered, key=lambda entry: (entry["@type"] != "DirectoryEntry", entry["size"]))


class ByTime(Telling):
    def ordered(self, found: Entries) -> Entries:
        return sorted(super().ordered(found), key=lambda entry: -entry["lastModified"])


class KindsDownwards(Telling):
    """By kind, and downwards within each."""

    def ordered(self, found: Entries) -> Entries:
        ordered = super().ordered(found)
        kinds = [entry["@type"] for entry in ordered]
        ordered.sort(key=lambda entry: str(entry["name"]), reverse=True)
        return sorted(ordered, key=lambda entry: kinds.index(entry["@type"]))


class BySignedBytes(Telling):
    """Names compare as their UTF-8 in a language whose bytes have a sign."""

    def ordered(self, found: Entries) -> Entries:
        kinds = [entry["@type"] for entry in super().ordered(found)]
        return sorted(found, key=lambda entry: (kinds.index(entry["@type"]), _signed(entry["name"])))


def _signed(name: str) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in name.encode()]


MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-LF-084", "The list is not sorted.", "LF-SORT-02", "LF-SORT-01", telling=Unsorted),
    wrong("MUT-LF-085", "The list is in the order of making.", "LF-SORT-02", "LF-SORT-01", telling=AsMade),
    wrong(
        "MUT-LF-086",
        "The order depends on where the tree lies.",
        "LF-SORT-02",
        *ORDER,
        "LF-FIELD-04",
        telling=ByHash,
    ),
    wrong("MUT-LF-087", "The list is sorted by name alone.", *ORDER, telling=ByName),
    wrong(
        "MUT-LF-088",
        "Within a kind entries stand as they came.",
        "LF-SORT-02",
        "LF-SORT-01",
        telling=KindOnly,
    ),
    wrong("MUT-LF-089", "Files come first.", *ORDER, telling=FilesFirst),
    wrong("MUT-LF-090", "Links come first.", *ORDER, telling=LinksFirst),
    wrong("MUT-LF-091", "Behind directories the list is sorted by size.", *ORDER, telling=BySize),
    wrong("MUT-LF-092", "The list is sorted by time, the newest first.", *ORDER, telling=ByTime),
    wrong("MUT-LF-146", "Names are compared by signed bytes.", *ORDER, telling=BySignedBytes),
    wrong("MUT-LF-093", "Within a kind the list is sorted downwards.", *ORDER, telling=KindsDownwards),
)
