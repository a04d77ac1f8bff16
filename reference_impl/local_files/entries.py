"""One entry of a list: its kind, and how its members follow from its own metadata; and the order of entries. No I/O."""

import stat
from dataclasses import dataclass
from typing import Any

TYPES_IN_ORDER = ("DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry")
"""The words for kinds, in the order in which a list has them (AMB-LF-01, AMB-LF-02)."""


@dataclass(frozen=True)
class EntryMetadata:
    """What was seen of an entry: where it lies, its own metadata without following it, and where it points to.

    `below` are the directories between the one that was asked for and the entry.
    """

    directory: str
    parents: tuple[str, ...]
    name: str
    mode: int
    size: int
    mtime_ns: int
    target: str | None


class EntryFormatter:
    """What is told of an entry, a method a member."""

    def format_entry(self, seen: EntryMetadata) -> dict[str, Any]:
        told = {
            "@type": self.type(seen),
            "name": self.name(seen),
            "path": self.path(seen),
            "size": self.size(seen),
            "lastModified": self.last_modified(seen),
        }
        return told | self.extra_members(seen)

    def type(self, seen: EntryMetadata) -> Any:
        """By the entry itself: a link is a link (LF-TYPE-02)."""
        if stat.S_ISDIR(seen.mode):
            return "DirectoryEntry"
        if stat.S_ISREG(seen.mode):
            return "FileEntry"
        return "SymbolicLinkEntry" if stat.S_ISLNK(seen.mode) else "OtherEntry"

    def name(self, seen: EntryMetadata) -> Any:
        return seen.name

    def path(self, seen: EntryMetadata) -> Any:
        return "/".join((seen.directory.rstrip("/"), *seen.parents, seen.name))

    def size(self, seen: EntryMetadata) -> Any:
        return seen.size

    def last_modified(self, seen: EntryMetadata) -> Any:
        """Whole milliseconds, rounded down (AMB-LF-08), also before 1970 (AMB-LF-09)."""
        return seen.mtime_ns // 1_000_000

    def extra_members(self, seen: EntryMetadata) -> dict[str, Any]:
        return {} if seen.target is None else {"target": seen.target}

    def sort(self, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """By kind, then by name, code point by code point (AMB-LF-01)."""
        return sorted(
            found, key=lambda entry: (TYPES_IN_ORDER.index(entry["@type"]), entry["name"], entry["path"])
        )
