"""Mutants: errors in the types and members of entries, and in the structure of the list."""

import contextlib
import os
import stat
from typing import Any

from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata

from ..shared.mutant import Mutant
from .builders import Entries, Entry, build_mutant, with_list_changed, with_search_changed
from .implied import EVERYTHING, TARGETS, TIMES, TYPES, WHOLE


def with_members_renamed(**names: str) -> type[EntryFormatter]:
    """Return a formatter that renames members."""
    also = {key.replace("at_", "@"): name for key, name in names.items()}

    class Renaming(EntryFormatter):
        def format_entry(self, item: EntryMetadata) -> Entry:
            return {also.get(key, key): value for key, value in super().format_entry(item).items()}

        def sort(self, found: Entries) -> Entries:
            back = {name: key for key, name in also.items()}
            plain = [{back.get(key, key): value for key, value in entry.items()} for entry in found]
            order = [plain.index(entry) for entry in super().sort(plain)]
            return [found[at] for at in order]

    return Renaming


class SpecialTargets(EntryFormatter):
    """A link to a socket or a device has the type of its target."""

    def type(self, item: EntryMetadata) -> Any:
        right = super().type(item)
        with contextlib.suppress(OSError, ValueError):
            mode = os.stat(self.path(item)).st_mode
            if item.target is not None and (stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)):
                return "OtherEntry"
        return right


class OtherWords(EntryFormatter):
    """Uses other names for types; the order stays correct."""

    def word(self, kind: str) -> Any:
        return kind

    def sort(self, found: Entries) -> Entries:
        return [{**entry, "@type": self.word(entry["@type"])} for entry in super().sort(found)]


class Short(OtherWords):
    def word(self, kind: str) -> Any:
        return kind.removesuffix("Entry")


class Qualified(OtherWords):
    def word(self, kind: str) -> Any:
        return f"org.example.{kind}"


class Letters(OtherWords):
    def word(self, kind: str) -> Any:
        return {"DirectoryEntry": "d", "FileEntry": "-", "SymbolicLinkEntry": "l"}.get(kind, "?")


class BaseClass(OtherWords):
    def word(self, kind: str) -> Any:
        return "FileSystemEntry"


class AliasOfLinks(OtherWords):
    def word(self, kind: str) -> Any:
        return "SymlinkEntry" if kind == "SymbolicLinkEntry" else kind


class SpecialAreFiles(EntryFormatter):
    def type(self, item: EntryMetadata) -> Any:
        kind = super().type(item)
        return "FileEntry" if kind == "OtherEntry" else kind


class DevicesAreFiles(EntryFormatter):
    def type(self, item: EntryMetadata) -> Any:
        return "FileEntry" if stat.S_ISCHR(item.mode) or stat.S_ISBLK(item.mode) else super().type(item)


class BlockDevicesAreFiles(EntryFormatter):
    def type(self, item: EntryMetadata) -> Any:
        return "FileEntry" if stat.S_ISBLK(item.mode) else super().type(item)


class SocketsAreFiles(EntryFormatter):
    def type(self, item: EntryMetadata) -> Any:
        return "FileEntry" if stat.S_ISSOCK(item.mode) else super().type(item)


class FollowingReading(DirectoryScan):
    """Follows links."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        try:
            return os.stat(self.join(*below, name))
        except OSError:
            return os.lstat(self.join(*below, name))


class LinksToDirectories(EntryFormatter):
    def type(self, item: EntryMetadata) -> Any:
        followed = os.path.isdir(self.path(item)) and item.target is not None
        return "DirectoryEntry" if followed else super().type(item)

    def extra_members(self, item: EntryMetadata) -> Entry:
        return super().extra_members(item) if self.type(item) == "SymbolicLinkEntry" else {}


class DanglingAreOther(EntryFormatter):
    def type(self, item: EntryMetadata) -> Any:
        dangles = item.target is not None and not os.path.exists(self.path(item))
        return "OtherEntry" if dangles else super().type(item)


class NoTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        return {}


class NullTargets(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        return {"target": item.target}


class Owners(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> Entry:
        return super().extra_members(item) | {"owner": "root"}


class Children(EntryFormatter):
    """Adds the number of entries to a directory."""

    def extra_members(self, item: EntryMetadata) -> Entry:
        return {"children": 0} if stat.S_ISDIR(item.mode) else super().extra_members(item)


def paths(found: Entries) -> Any:
    return [entry["path"] for entry in found]


def wrapped(found: Entries) -> Any:
    return {"entries": found}


def by_name(found: Entries) -> Any:
    return {entry["name"]: entry for entry in found}


def one_by_one(found: Entries) -> Any:
    return found[0] if len(found) == 1 else found


def untyped(found: Entries) -> Any:
    """Remove the types, like mappers that forget the base type of a list."""
    return [{key: value for key, value in entry.items() if key != "@type"} for entry in found]


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-001",
        "The type is in a member named type.",
        TYPES,
        entry_formatter=with_members_renamed(at_type="type"),
    ),
    build_mutant("MUT-LF-002", "Types are qualified names.", TYPES, entry_formatter=Qualified),
    build_mutant("MUT-LF-003", "Types lack the word Entry.", TYPES, entry_formatter=Short),
    build_mutant("MUT-LF-004", "Types are the letters of ls.", TYPES, entry_formatter=Letters),
    build_mutant("MUT-LF-005", "Every entry is a FileSystemEntry.", TYPES, entry_formatter=BaseClass),
    build_mutant("MUT-LF-006", "A link is a SymlinkEntry.", TYPES, entry_formatter=AliasOfLinks),
    build_mutant(
        "MUT-LF-007",
        "A list lacks the types of its elements.",
        TYPES,
        list_directory=with_list_changed(untyped),
    ),
    build_mutant(
        "MUT-LF-008",
        "Every entry that is no directory or link is a FileEntry.",
        "LF-TYPE-03 LF-WHY-01 LF-FIND-03",
        entry_formatter=SpecialAreFiles,
    ),
    build_mutant("MUT-LF-009", "Devices are FileEntry.", "LF-TYPE-03", entry_formatter=DevicesAreFiles),
    build_mutant("MUT-LF-210", "Block devices are FileEntry.", "LF-TYPE-03", entry_formatter=BlockDevicesAreFiles),
    build_mutant("MUT-LF-010", "Sockets are FileEntry.", "LF-TYPE-03", entry_formatter=SocketsAreFiles),
    build_mutant(
        "MUT-LF-011",
        "Links are listed as their targets.",
        "LF-TYPE-02",
        EVERYTHING,
        "LF-LINK-03 LF-FIND-05",
        directory_scan=FollowingReading,
    ),
    build_mutant(
        "MUT-LF-012",
        "Links to directories are DirectoryEntry.",
        "LF-TYPE-02 LF-MODEL-02 LF-LINK-01",
        entry_formatter=LinksToDirectories,
    ),
    build_mutant(
        "MUT-LF-013",
        "Dangling links are OtherEntry.",
        "LF-TYPE-02",
        TYPES,
        entry_formatter=DanglingAreOther,
    ),
    build_mutant("MUT-LF-045", "A link has no target.", "LF-MODEL-02", TARGETS, entry_formatter=NoTargets),
    build_mutant(
        "MUT-LF-046",
        "Every entry has a target, usually null.",
        "LF-MODEL-02",
        TARGETS,
        entry_formatter=NullTargets,
    ),
    build_mutant("MUT-LF-047", "Every entry has its owner.", "LF-MODEL-02 LF-FIND-03", entry_formatter=Owners),
    build_mutant(
        "MUT-LF-048",
        "A directory has an additional member.",
        "LF-MODEL-02 LF-FIND-03",
        entry_formatter=Children,
    ),
    build_mutant(
        "MUT-LF-049",
        "lastModified is named modified.",
        "LF-MODEL-02",
        TIMES,
        entry_formatter=with_members_renamed(lastModified="modified"),
    ),
    build_mutant(
        "MUT-LF-050",
        "The list contains paths instead of entries.",
        "LF-MODEL-01",
        WHOLE,
        "LF-ERR-02",
        list_directory=with_list_changed(paths),
    ),
    build_mutant(
        "MUT-LF-051",
        "The list is in an object.",
        "LF-MODEL-01",
        WHOLE,
        "LF-ERR-02",
        list_directory=with_list_changed(wrapped),
    ),
    build_mutant(
        "MUT-LF-052",
        "Entries are members of an object, by name.",
        "LF-MODEL-01",
        WHOLE,
        "LF-ERR-02",
        list_directory=with_list_changed(by_name),
    ),
    build_mutant(
        "MUT-LF-053",
        "A list of one entry is that entry.",
        "LF-MODEL-01",
        WHOLE,
        "LF-ERR-02",
        list_directory=with_list_changed(one_by_one),
    ),
    build_mutant(
        "MUT-LF-054",
        "A search returns paths.",
        "LF-FIND-03 LF-FIND-01 LF-FIND-02 LF-FIND-04 LF-FIND-05 LF-WHY-01",
        find_files=with_search_changed(paths),
    ),
    build_mutant(
        "MUT-LF-055",
        "A search lacks the types.",
        "LF-FIND-03 LF-WHY-01",
        find_files=with_search_changed(untyped),
    ),
    build_mutant(
        "MUT-LF-325",
        "A link to a socket or a device is an OtherEntry.",
        "LF-TYPE-02",
        entry_formatter=SpecialTargets,
    ),
)
