"""Wrong in the kinds of entries, in their members, and in what the list is made of."""

import os
import stat
from typing import Any

from ...finding.entries import Seen, Telling
from ...finding.reading import Reading
from ..mutant import Mutant
from .implied import EVERYTHING, TARGETS, TIMES, TYPES, WHOLE
from .made import Entries, Entry, changing, finding, wrong


def renaming(**names: str) -> type[Telling]:
    """Members that go by other names."""
    also = {key.replace("at_", "@"): name for key, name in names.items()}

    class Renaming(Telling):
        def entry(self, seen: Seen) -> Entry:
            return {also.get(key, key): value for key, value in super().entry(seen).items()}

        def ordered(self, found: Entries) -> Entries:
            back = {name: key for key, name in also.items()}
            plain = [{back.get(key, key): value for key, value in entry.items()} for entry in found]
            order = [plain.index(entry) for entry in super().ordered(plain)]
            return [found[at] for at in order]

    return Renaming


class OtherWords(Telling):
    """Kinds by words of its own; the order is as if they were right."""

    def word(self, kind: str) -> Any:
        return kind

    def ordered(self, found: Entries) -> Entries:
        return [{**entry, "@type": self.word(entry["@type"])} for entry in super().ordered(found)]


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


class SpecialAreFiles(Telling):
    def type(self, seen: Seen) -> Any:
        kind = super().type(seen)
        return "FileEntry" if kind == "OtherEntry" else kind


class DevicesAreFiles(Telling):
    def type(self, seen: Seen) -> Any:
        return "FileEntry" if stat.S_ISCHR(seen.mode) or stat.S_ISBLK(seen.mode) else super().type(seen)


class SocketsAreFiles(Telling):
    def type(self, seen: Seen) -> Any:
        return "FileEntry" if stat.S_ISSOCK(seen.mode) else super().type(seen)


class FollowingReading(Reading):
    """Takes what a link leads to for the entry."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        try:
            return os.stat(self.path(*below, name))
        except OSError:
            return os.lstat(self.path(*below, name))


class LinksToDirectories(Telling):
    """A link to a directory is one."""

    def type(self, seen: Seen) -> Any:
        followed = os.path.isdir(self.path(seen)) and seen.target is not None
        return "DirectoryEntry" if followed else super().type(seen)

    def further(self, seen: Seen) -> Entry:
        return super().further(seen) if self.type(seen) == "SymbolicLinkEntry" else {}


class DanglingAreOther(Telling):
    def type(self, seen: Seen) -> Any:
        dangles = seen.target is not None and not os.path.exists(self.path(seen))
        return "OtherEntry" if dangles else super().type(seen)


class NoTargets(Telling):
    def further(self, seen: Seen) -> Entry:
        return {}


class NullTargets(Telling):
    def further(self, seen: Seen) -> Entry:
        return {"target": seen.target}


class Owners(Telling):
    def further(self, seen: Seen) -> Entry:
        return super().further(seen) | {"owner": "root"}


class Children(Telling):
    """A directory says how many entries it has."""

    def further(self, seen: Seen) -> Entry:
        return {"children": 0} if stat.S_ISDIR(seen.mode) else super().further(seen)


def paths(found: Entries) -> Any:
    return [entry["path"] for entry in found]


def wrapped(found: Entries) -> Any:
    return {"entries": found}


def by_name(found: Entries) -> Any:
    return {entry["name"]: entry for entry in found}


def one_by_one(found: Entries) -> Any:
    """A list of one loses its brackets."""
    return found[0] if len(found) == 1 else found


def untyped(found: Entries) -> Any:
    """As mappers that forget the base type of a list do it."""
    return [{key: value for key, value in entry.items() if key != "@type"} for entry in found]


MUTANTS: tuple[Mutant, ...] = (
    wrong("MUT-LF-001", "The kind is told by a property type.", *TYPES, telling=renaming(at_type="type")),
    wrong("MUT-LF-002", "Kinds are told by qualified names.", *TYPES, telling=Qualified),
    wrong("MUT-LF-003", "Kinds are told without the word Entry.", *TYPES, telling=Short),
    wrong("MUT-LF-004", "Kinds are told by the letters of ls.", *TYPES, telling=Letters),
    wrong("MUT-LF-005", "Every entry is a FileSystemEntry.", *TYPES, telling=BaseClass),
    wrong("MUT-LF-006", "A link is a SymlinkEntry.", *TYPES, telling=AliasOfLinks),
    wrong("MUT-LF-007", "A list has lost the kinds of its elements.", *TYPES, listing=changing(untyped)),
    wrong(
        "MUT-LF-008",
        "What is neither directory nor link is a FileEntry.",
        "LF-TYPE-03",
        "LF-WHY-01",
        "LF-FIND-03",
        telling=SpecialAreFiles,
    ),
    wrong("MUT-LF-009", "Devices are FileEntry.", "LF-TYPE-03", telling=DevicesAreFiles),
    wrong("MUT-LF-010", "Sockets are FileEntry.", "LF-TYPE-03", telling=SocketsAreFiles),
    wrong(
        "MUT-LF-011",
        "Links are what they lead to.",
        "LF-TYPE-02",
        *EVERYTHING,
        "LF-LINK-03",
        "LF-FIND-05",
        reading=FollowingReading,
    ),
    wrong(
        "MUT-LF-012",
        "Links to directories are DirectoryEntry.",
        "LF-TYPE-02",
        "LF-MODEL-02",
        "LF-LINK-01",
        telling=LinksToDirectories,
    ),
    wrong("MUT-LF-013", "Links that dangle are OtherEntry.", "LF-TYPE-02", *TYPES, telling=DanglingAreOther),
    wrong("MUT-LF-045", "A link does not tell its target.", "LF-MODEL-02", *TARGETS, telling=NoTargets),
    wrong(
        "MUT-LF-046", "Every entry has a target, mostly null.", "LF-MODEL-02", *TARGETS, telling=NullTargets
    ),
    wrong("MUT-LF-047", "Every entry tells its owner.", "LF-MODEL-02", "LF-FIND-03", telling=Owners),
    wrong("MUT-LF-048", "A directory has a further member.", "LF-MODEL-02", "LF-FIND-03", telling=Children),
    wrong(
        "MUT-LF-049",
        "lastModified is called modified.",
        "LF-MODEL-02",
        *TIMES,
        telling=renaming(lastModified="modified"),
    ),
    wrong(
        "MUT-LF-050",
        "The list has paths and no entries.",
        "LF-MODEL-01",
        *WHOLE,
        "LF-ERR-02",
        listing=changing(paths),
    ),
    wrong(
        "MUT-LF-051",
        "The list stands in an object.",
        "LF-MODEL-01",
        *WHOLE,
        "LF-ERR-02",
        listing=changing(wrapped),
    ),
    wrong(
        "MUT-LF-052",
        "Entries are members of an object, by name.",
        "LF-MODEL-01",
        *WHOLE,
        "LF-ERR-02",
        listing=changing(by_name),
    ),
    wrong(
        "MUT-LF-053",
        "A list of one is that one.",
        "LF-MODEL-01",
        *WHOLE,
        "LF-ERR-02",
        listing=changing(one_by_one),
    ),
    wrong(
        "MUT-LF-054",
        "A search gives paths.",
        "LF-FIND-03",
        "LF-FIND-01",
        "LF-FIND-02",
        "LF-FIND-04",
        "LF-FIND-05",
        "LF-WHY-01",
        searching=finding(paths),
    ),
    wrong(
        "MUT-LF-055", "A search does not tell kinds.", "LF-FIND-03", "LF-WHY-01", searching=finding(untyped)
    ),
)
