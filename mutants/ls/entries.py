"""Mutants: errors in data: the members of entries, and which entries there are."""

import contextlib
import os
from typing import Any, cast

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.listing_text import ListingText
from treeproof.reference_impl.ls.page import Page
from treeproof.reference_impl.shared.directory_reader import DirectoryReader

from ..shared.mutant import Mutant
from .builders import build_mutant

SEEN: dict[tuple[bytes, tuple[bytes, ...]], list[Entry]] = {}


class Remembers(Directory):
    def entries(self) -> list[Entry]:
        key = (self.project.root, self.components)
        if key not in SEEN:
            SEEN[key] = super().entries()
        return SEEN[key]


class NullForNone(Envelope):
    def data(self, page: Page) -> Members:
        members = super().data(page)
        return members | {"entries": members["entries"] or None}


class NoneForNone(Envelope):
    def data(self, page: Page) -> Members:
        members = super().data(page)
        if not members["entries"]:
            del members["entries"]
        return members


class Retyped(Envelope):
    """Uses other names for types, in data only."""

    words: dict[str, str] = {}

    def data(self, page: Page) -> Members:
        members = super().data(page)
        for shown in members["entries"]:
            shown["type"] = self.words.get(shown["type"], shown["type"])
        return members


class TypeDirectory(Retyped):
    words = {"dir": "directory"}


class TypeSymlink(Retyped):
    words = {"link": "symlink"}


class Respelled(Envelope):
    """Uses other paths, in data only."""

    def data(self, page: Page) -> Members:
        members = super().data(page)
        for shown, entry in zip(members["entries"], page.entries, strict=True):
            shown["path"] = self.spelled(entry)
        return members

    def spelled(self, entry: Entry) -> str:
        return entry.path


class NamesOnly(Respelled):
    def spelled(self, entry: Entry) -> str:
        return entry.name


class SlashOnDirectories(Respelled):
    def spelled(self, entry: Entry) -> str:
        return entry.path + "/" * (entry.type == "dir")


class DotBeforeAll(Respelled):
    def spelled(self, entry: Entry) -> str:
        return f"./{entry.path}"


class SlashBeforeAll(Respelled):
    def spelled(self, entry: Entry) -> str:
        return f"/{entry.path}"


class NoFlagWhenFalse(Envelope):
    def data(self, page: Page) -> Members:
        members = super().data(page)
        return members if members["truncated"] else {"entries": members["entries"]}


class FlagAsText(Envelope):
    def data(self, page: Page) -> Members:
        members = super().data(page)
        return members | {"truncated": str(members["truncated"]).lower()}


class FlagAsNumber(Envelope):
    def data(self, page: Page) -> Members:
        members = super().data(page)
        return members | {"truncated": int(members["truncated"])}


class Followed(Directory):
    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        found = super().type(reader, raw)
        target = self.project.join_root((*self.components, raw))
        if found == "link" and os.path.exists(target):
            return "dir" if os.path.isdir(target) else "file"
        return found


class DirectoryLinksFollowed(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        made = super().entry(raw, type)
        return made._replace(type="dir") if made.sorts_first else made


class DanglingIsAFile(Directory):
    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        found = super().type(reader, raw)
        return (
            "file" if found == "link" and not os.path.exists(self.project.join_root((*self.components, raw))) else found
        )


class Deeper(Directory):
    """Lists the content of directories too, if there are hidden ones among them."""

    def entries(self) -> list[Entry]:
        found = super().entries()
        if any(entry.name.startswith(".") and entry.type == "dir" for entry in found):
            for entry in list(found):
                if entry.type == "dir":
                    found += Directory(self.project, (*self.components, entry.raw_name), self._flavour).entries()
        return found


class SelfAndParent(Directory):
    """Lists `.` and `..` too, if there is a hidden file."""

    def entries(self) -> list[Entry]:
        found = super().entries()
        if self.components and any(entry.name.startswith(".") for entry in found):
            found += [Entry(name, name.decode(), name.decode(), "dir", True) for name in (b".", b"..")]
        return found


class OnceAFile(Directory):
    def entries(self) -> list[Entry]:
        found: dict[Any, Entry] = {}
        for entry in super().entries():
            state = os.lstat(self.project.join_root((*self.components, entry.raw_name)))
            found.setdefault((state.st_ino, state.st_dev), entry)
        return list(found.values())


class TargetsAdded(Envelope):
    def data(self, page: Page) -> Members:
        return super().data(page) | {"targets": {entry.name: entry.target for entry in links(page)}}


class WithTarget(Entry):
    """An entry with its target."""

    target = ""


def links(page: Page) -> list[Any]:
    return [entry for entry in page.entries if isinstance(entry, WithTarget)]


class LooksAtTargets(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        made = super().entry(raw, type)
        if type != "link":
            return made
        entry = WithTarget(*made)
        entry.target = os.readlink(os.fsdecode(self.project.join_root((*self.components, raw))))
        return entry


class TargetsInText(ListingText):
    def entry_line(self, entry: Entry) -> str:
        target = getattr(entry, "target", "")
        return super().entry_line(entry) + (f" -> {target}" if target else "")


class Opens(Directory):
    """Opens every directory."""

    def entry(self, raw: bytes, type: EntryType) -> Entry:
        if type == "dir":
            with contextlib.suppress(OSError):
                os.listdir(self.project.join_root((*self.components, raw)))
        return super().entry(raw, type)


class OpensTargets(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        if type == "link":
            with contextlib.suppress(OSError):
                os.listdir(self.project.join_root((*self.components, raw)))
        return super().entry(raw, type)


class ClosedLeftOut(Directory):
    def entries(self) -> list[Entry]:
        return [entry for entry in super().entries() if self.is_open(entry)]

    def is_open(self, entry: Entry) -> bool:
        if entry.type != "dir":
            return True
        try:
            os.listdir(self.project.join_root((*self.components, entry.raw_name)))
        except PermissionError:
            return False
        return True


class ClosedBreaks(Directory):
    def entry(self, raw: bytes, type: EntryType) -> Entry:
        if type == "dir":
            os.listdir(self.project.join_root((*self.components, raw)))
        return super().entry(raw, type)


class FirstOnes(Directory):
    """Reads some of the entries."""

    most = 500

    def entries(self) -> list[Entry]:
        return sorted(super().entries(), key=lambda entry: entry.raw_name)[: self.most]


class FoldsCase(Directory):
    def entries(self) -> list[Entry]:
        return list({entry.name.lower(): entry for entry in super().entries()}.values())


class TwoThousand(FirstOnes):
    most = 2000


class DecodableOnly(Directory):
    def entries(self) -> list[Entry]:
        return [entry for entry in super().entries() if entry.name.encode() == entry.raw_name]


class SameNameResolved(Directory):
    """Resolves the path of a link whose target has the same name."""

    def path(self, raw: bytes) -> str:
        here = self.project.join_root((*self.components, raw))
        place = self.project.components_below_root(os.path.realpath(here))
        is_same = os.path.islink(here) and place is not None and place[-1:] == (raw,)
        return self.project.display_path(place) if is_same and place else super().path(raw)


CLOSED = "LS-DATA-05 LS-ENV-04 LS-ERR-04 LS-ERR-07 LS-ERR-08 LS-SORT-03 LS-SORT-04 LS-XR-01"


class NoSuffixForUnknown(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return super().entry_line(entry) if entry.type in ("dir", "file", "link") else entry.path


class UnknownWhereClosed(Directory):
    """Lists a directory that cannot be searched, with a type of its own."""

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        try:
            return super().type(reader, raw)
        except PermissionError:
            return cast(EntryType, "unknown")


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-080",
        "An empty listing has null as entries.",
        "LS-DATA-01 LS-PAGE-05 LS-FILT-05",
        envelope=NullForNone,
    ),
    build_mutant(
        "MUT-LS-081",
        "An empty listing has no entries member.",
        "LS-DATA-01 LS-PAGE-05 LS-FILT-05",
        envelope=NoneForNone,
    ),
    build_mutant(
        "MUT-LS-084", "The type of a directory is directory.", "LS-DATA-02 LS-DATA-05", envelope=TypeDirectory
    ),
    build_mutant("MUT-LS-085", "The type of a link is symlink.", "LS-DATA-02 LS-DATA-05", envelope=TypeSymlink),
    build_mutant("MUT-LS-086", "Paths are relative to the listed directory.", "LS-DATA-03", envelope=NamesOnly),
    build_mutant(
        "MUT-LS-087",
        "The path of a directory ends in a slash.",
        "LS-DATA-03 LS-DATA-07",
        envelope=SlashOnDirectories,
    ),
    build_mutant("MUT-LS-088", "Paths begin with a dot.", "LS-DATA-03 LS-DATA-07", envelope=DotBeforeAll),
    build_mutant("MUT-LS-089", "Paths begin with a slash.", "LS-DATA-03 LS-DATA-07", envelope=SlashBeforeAll),
    build_mutant(
        "MUT-LS-090",
        "truncated is missing where it is false.",
        "LS-DATA-04 LS-PAGE-05 LS-PAGE-02 LS-PAGE-03",
        envelope=NoFlagWhenFalse,
    ),
    build_mutant(
        "MUT-LS-091",
        "truncated is a text.",
        "LS-DATA-04 LS-PAGE-05 LS-PAGE-02 LS-PAGE-03",
        envelope=FlagAsText,
    ),
    build_mutant(
        "MUT-LS-092",
        "truncated is 0 or 1.",
        "LS-DATA-04 LS-PAGE-05 LS-PAGE-02 LS-PAGE-03",
        envelope=FlagAsNumber,
    ),
    build_mutant(
        "MUT-LS-093",
        "A link has the type of its target.",
        "LS-DATA-05 LS-FILT-07 LS-DATA-02 LS-STAT-02 LS-TEXT-06 LS-SORT-04 LS-SEC-07 LS-TEXT-02 LS-FILT-02",
        directory=Followed,
    ),
    build_mutant(
        "MUT-LS-094",
        "A link to a directory is a directory.",
        "LS-DATA-05 LS-STAT-01 LS-STAT-02 LS-TEXT-06 LS-TEXT-02 LS-FILT-02",
        directory=DirectoryLinksFollowed,
    ),
    build_mutant(
        "MUT-LS-095",
        "A dangling link is a file.",
        "LS-DATA-05 LS-TEXT-02 LS-STAT-02 LS-TEXT-06",
        directory=DanglingIsAFile,
    ),
    build_mutant(
        "MUT-LS-096",
        "If there is a hidden directory, the content of directories is listed too.",
        "LS-DATA-06 LS-SEC-01 LS-TEXT-02 LS-TEXT-03 LS-FILT-01 LS-FILT-02 LS-FILT-03 LS-FILT-07 LS-FILT-08 "
        "LS-FILT-10 LS-STAT-01 LS-STAT-02 LS-SORT-01 LS-DEF-04 LS-TEXT-05",
        directory=Deeper,
    ),
    build_mutant(
        "MUT-LS-097",
        "Below the root, `.` and `..` are listed if there are hidden entries.",
        "LS-DATA-06 LS-FILT-01",
        directory=SelfAndParent,
    ),
    build_mutant("MUT-LS-098", "Two names of one file are listed as one entry.", "LS-DATA-06", directory=OnceAFile),
    build_mutant(
        "MUT-LS-105",
        "A listed directory is not read again.",
        "LS-DATA-06",
        directory=Remembers,
    ),
    build_mutant(
        "MUT-LS-099",
        "An additional member contains the target of a link.",
        "LS-DATA-07 LS-SEC-07",
        directory=LooksAtTargets,
        envelope=TargetsAdded,
    ),
    build_mutant(
        "MUT-LS-100",
        "The text contains the target of a link.",
        "LS-DATA-07 LS-TEXT-05 LS-SEC-07 LS-TEXT-06",
        directory=LooksAtTargets,
        text=TargetsInText,
    ),
    build_mutant("MUT-LS-101", "Every directory among the entries is opened.", "LS-DATA-06 LS-SEC-07", directory=Opens),
    build_mutant(
        "MUT-LS-102",
        "Every directory that is the target of a link is opened.",
        "LS-SEC-07",
        directory=OpensTargets,
    ),
    build_mutant(
        "MUT-LS-103",
        "An unreadable directory is omitted.",
        "LS-SEC-08 LS-DATA-06 LS-SEC-07",
        CLOSED,
        directory=ClosedLeftOut,
    ),
    build_mutant(
        "MUT-LS-104",
        "An unreadable directory fails the listing.",
        "LS-SEC-08 LS-DATA-06 LS-SEC-01 LS-SEC-07",
        CLOSED,
        directory=ClosedBreaks,
    ),
    build_mutant(
        "MUT-LS-106",
        "At most five hundred entries are read.",
        "LS-DATA-06 LS-STAT-01 LS-TEXT-02 LS-ERR-06",
        directory=FirstOnes,
    ),
    build_mutant("MUT-LS-325", "Of names that differ in case only, one is listed.", "LS-DATA-06", directory=FoldsCase),
    build_mutant("MUT-LS-107", "At most two thousand entries are read.", "LS-DATA-06 LS-ERR-06", directory=TwoThousand),
    build_mutant(
        "MUT-LS-108",
        "An entry whose name is not UTF-8 is omitted.",
        "LS-DATA-06 LS-ENV-10 LS-STAT-01",
        directory=DecodableOnly,
    ),
    build_mutant(
        "MUT-LS-109",
        "The path of a link to an entry of the same name is that of its target.",
        "LS-DATA-07 LS-DATA-03 LS-TEXT-05",
        directory=SameNameResolved,
    ),
    build_mutant(
        "MUT-LS-459",
        "Entries of a directory that cannot be searched have the type unknown.",
        "LS-DATA-02 LS-ERR-04",
        directory=UnknownWhereClosed,
        text=NoSuffixForUnknown,
    ),
)
