"""Mutants: errors in the order and type of links, and in links that dangle or lead outside."""

import errno
import os
from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.page import EntryOrder
from treeproof.reference_impl.shared.directory_reader import DirectoryReader

from ..shared.mutant import Mutant
from .builders import build_mutant


class LinksLast(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, entry.sorts_first and entry.type == "link", *super().sort_key(entry))


class Links(Directory):
    """A directory with another treatment of links."""

    breaks: Mapping[int | None, tuple[int, str]] = {}
    """The error of reading a link's target, and the error of the listing."""

    def place(self, raw: bytes) -> bytes:
        return self.project.join_root((*self.components, raw))

    def keeps(self, entry: Entry) -> bool:
        return True

    def entries(self) -> list[Entry]:
        return [entry for entry in super().entries() if self.keeps(entry)]

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        found = super().type(reader, raw)
        if found == "link" and self.breaks:
            try:
                os.stat(self.place(raw))
            except OSError as error:
                if error.errno in self.breaks:
                    raise OSError(*self.breaks[error.errno]) from error
        return found


class LinksAreFiles(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        return type == "dir"


class LinksAreDirectories(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        return type != "file"


class OneStep(Links):
    """Only the first link of a chain is resolved."""

    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        here = self.place(raw)
        if type == "link":
            step = os.path.join(os.path.dirname(here), os.readlink(here))
            return super().sorts_first(raw, type) and not os.path.islink(step)
        return super().sorts_first(raw, type)


class RelativeTargetsOnly(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        here = self.place(raw)
        if type == "link" and os.readlink(here).startswith(b"/"):
            return False
        return super().sorts_first(raw, type)


class TargetsFromTheRoot(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        if type != "link":
            return super().sorts_first(raw, type)
        target = os.readlink(self.place(raw))
        place = os.path.realpath(os.path.join(self.project.root, target))
        return self.project.components_below_root(place) is not None and os.path.isdir(place)


class NotTheRoot(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        here = self.place(raw)
        return super().sorts_first(raw, type) and os.path.realpath(here) != self.project.root


class ReadableTargetsOnly(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        try:
            if type == "link":
                os.listdir(self.place(raw))
        except OSError:
            return False
        return super().sorts_first(raw, type)


class WithoutDangling(Links):
    def keeps(self, entry: Entry) -> bool:
        return entry.type != "link" or os.path.exists(self.place(entry.raw_name))


class WithoutDirectoryLinks(Links):
    def keeps(self, entry: Entry) -> bool:
        return entry.type != "link" or not entry.sorts_first


class WithoutOutside(Links):
    def keeps(self, entry: Entry) -> bool:
        place = os.path.realpath(self.place(entry.raw_name))
        return entry.type != "link" or self.project.components_below_root(place) is not None


class BrokenByDangling(Links):
    """Resolves a link, and fails if it dangles."""

    breaks = {errno.ENOENT: (errno.EIO, "broken link")}


class BrokenByLoops(Links):
    breaks = {errno.ELOOP: (errno.ELOOP, "Too many levels of symbolic links")}


class ShownTargetsOnly(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        hidden = type == "link" and os.path.basename(os.path.realpath(self.place(raw))).startswith(b".")
        return not hidden and super().sorts_first(raw, type)


class OpensByName(Directory):
    """Opens the directory by its name, and follows a link that stands there by now."""

    def entries(self) -> list[Entry]:
        names = os.listdir(self.project.join_root(self.components))
        return [self.entry(raw, self.type_by_name(raw)) for raw in names]

    def type_by_name(self, raw: bytes) -> EntryType:
        place = self.project.join_root((*self.components, raw))
        return "link" if os.path.islink(place) else "dir" if os.path.isdir(place) else "file"


class EightSteps(Links):
    """Chains of links are resolved up to eight links."""

    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        here = self.place(raw)
        for _ in range(8):
            if os.path.islink(here):
                here = os.path.join(os.path.dirname(here), os.readlink(here))
        return not os.path.islink(here) and super().sorts_first(raw, type)


DROPPED = "LS-ARG-08 LS-DATA-05 LS-DATA-07 LS-STAT-02 LS-SEC-07 LS-TEXT-06 LS-ERR-01 LS-SEC-04 LS-DATA-03"
"""The requirements that fail if links are not listed."""


class OutsideFirst(Links):
    """A link out is sorted among the directories, whatever is there."""

    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        leads_outside = self.project.components_below_root(os.path.realpath(self.place(raw))) is None
        return leads_outside or super().sorts_first(raw, type)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-201",
        "Links to directories come after the directories.",
        "LS-SORT-03 LS-SORT-04 LS-SEC-07",
        order=LinksLast,
    ),
    build_mutant(
        "MUT-LS-203",
        "A link to a directory is sorted among the files.",
        "LS-SORT-03 LS-SEC-07 LS-PAGE-04",
        directory=LinksAreFiles,
    ),
    build_mutant(
        "MUT-LS-204",
        "Every link is sorted among the directories.",
        "LS-SORT-04 LS-SEC-07",
        directory=LinksAreDirectories,
    ),
    build_mutant("MUT-LS-205", "A link to a link is sorted among the files.", "LS-SORT-03", directory=OneStep),
    build_mutant(
        "MUT-LS-206",
        "A link with an absolute target is sorted among the files.",
        "LS-SORT-03",
        directory=RelativeTargetsOnly,
    ),
    build_mutant(
        "MUT-LS-207",
        "The targets of links are resolved from the root.",
        "LS-SORT-03 LS-SEC-07",
        directory=TargetsFromTheRoot,
    ),
    build_mutant("MUT-LS-208", "A link to the root is sorted among the files.", "LS-SORT-03", directory=NotTheRoot),
    build_mutant(
        "MUT-LS-209",
        "A link to an unreadable directory is sorted among the files.",
        "LS-SORT-03 LS-SEC-07",
        directory=ReadableTargetsOnly,
    ),
    build_mutant(
        "MUT-LS-210",
        "A dangling link is omitted.",
        "LS-DATA-06 LS-SORT-04 LS-FILT-02 LS-FILT-07 LS-TEXT-02 LS-ENV-09",
        DROPPED,
        directory=WithoutDangling,
    ),
    build_mutant(
        "MUT-LS-218",
        "A link to a directory inside is omitted.",
        "LS-DATA-06 LS-SORT-03 LS-FILT-02 LS-FILT-07 LS-TEXT-02 LS-ENV-09",
        DROPPED,
        directory=WithoutDirectoryLinks,
    ),
    build_mutant(
        "MUT-LS-211",
        "A link to the outside is omitted.",
        "LS-SEC-07 LS-FILT-07 LS-PAGE-02 LS-TEXT-02 LS-TEXT-03 LS-TEXT-04 LS-SORT-04",
        DROPPED,
        "LS-XR-01 LS-ERR-02",
        directory=WithoutOutside,
    ),
    build_mutant(
        "MUT-LS-212",
        "A dangling link fails the listing.",
        "LS-DATA-06 LS-SORT-04 LS-ENV-09 LS-ERR-06",
        DROPPED,
        directory=BrokenByDangling,
    ),
    build_mutant(
        "MUT-LS-213",
        "A link to itself fails the listing.",
        "LS-DATA-06 LS-ARG-08 LS-ENV-09 LS-SORT-04 LS-DATA-05",
        directory=BrokenByLoops,
    ),
    build_mutant(
        "MUT-LS-319",
        "A link to a hidden directory is sorted among the files.",
        "LS-SORT-03",
        directory=ShownTargetsOnly,
    ),
    build_mutant("MUT-LS-320", "Chains of more than eight links dangle.", "LS-SORT-03", directory=EightSteps),
    build_mutant(
        "MUT-LS-324",
        "A directory that has become a link is followed.",
        "LS-SEC-09",
        directory=OpensByName,
    ),
    build_mutant(
        "MUT-LS-461",
        "A link out to a file is sorted among the directories.",
        "LS-SEC-07 LS-SORT-04",
        directory=OutsideFirst,
    ),
)
