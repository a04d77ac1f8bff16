"""One entry of a list: its type, its members from its own metadata, and the order of entries. No I/O."""

import stat
from operator import itemgetter
from typing import Any, NamedTuple

TYPES_IN_ORDER = ("DirectoryEntry", "FileEntry", "SymbolicLinkEntry", "OtherEntry")
"""The names of the types, in the order of a list (AMB-LF-01, AMB-LF-02)."""


class EntryMetadata(NamedTuple):
    """An entry: its location, its own metadata, and the target of a link.

    `parents` are the directories between the requested one and the entry.
    """

    directory: str
    parents: tuple[str, ...]
    name: str
    mode: int
    size: int
    mtime_ns: int
    target: str | None

    @property
    def path(self) -> str:
        return "/".join((self.directory.rstrip("/"), *self.parents, self.name))


class EntryFormatter:
    """Formats an entry, one method for each member that is read in several ways."""

    def format_entry(self, item: EntryMetadata) -> dict[str, Any]:
        members = {
            "@type": self.type(item),
            "name": item.name,
            "path": item.path,
            "size": self.size(item),
            "lastModified": self.last_modified(item),
        }
        members.update(self.extra_members(item))
        return members

    def type(self, item: EntryMetadata) -> str:
        """Return the type of the entry itself; links are not followed (LF-TYPE-02)."""
        if stat.S_ISDIR(item.mode):
            return "DirectoryEntry"
        if stat.S_ISREG(item.mode):
            return "FileEntry"
        return "SymbolicLinkEntry" if stat.S_ISLNK(item.mode) else "OtherEntry"

    def size(self, item: EntryMetadata) -> int:
        return item.size

    def last_modified(self, item: EntryMetadata) -> int:
        """Return whole milliseconds, rounded down (AMB-LF-08), also before 1970 (AMB-LF-09)."""
        return item.mtime_ns // 1_000_000

    def extra_members(self, item: EntryMetadata) -> dict[str, Any]:
        return {} if item.target is None else {"target": item.target}

    def sort(self, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Sort by type, then by the code points of the name (AMB-LF-01), then by the path.

        Three stable sorts, the last criterion first: one text at a time is compared faster than three values.
        """
        by_path = sorted(found, key=itemgetter("path"))
        by_path.sort(key=itemgetter("name"))
        by_path.sort(key=lambda entry: TYPES_IN_ORDER.index(entry["@type"]))
        return by_path
