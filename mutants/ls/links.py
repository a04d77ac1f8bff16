"""Wrong in which links count as directories, in their places, and in links that lead nowhere or out."""

import errno
import os
from collections.abc import Mapping
from typing import Any

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.ls.page import EntryOrder
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.shared.directory_reader import DirectoryReader

from ..shared.mutant import Mutant
from .builders import build_mutant


class LinksLast(EntryOrder):
    """Links to directories come behind the directories."""

    def sort_key(self, entry: Entry) -> Any:
        return (not entry.sorts_first, entry.sorts_first and entry.type == "link", *super().sort_key(entry))


class OtherLinksLast(EntryOrder):
    """Links among the files come behind them."""

    def sort_key(self, entry: Entry) -> Any:
        return (
            not entry.sorts_first,
            not entry.sorts_first and entry.type == "link",
            *super().sort_key(entry),
        )


class Links(Directory):
    """A directory in which links are treated in a way of their own."""

    breaks: Mapping[int | None, tuple[int, str]] = {}
    """By what the look at a link's target ends in: what the listing then fails with."""

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
    """Only the first link of a chain is looked at."""

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
    """Where a link leads is looked up from the root, not from its directory."""

    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        if type != "link":
            return super().sorts_first(raw, type)
        target = os.readlink(self.place(raw))
        place = os.path.realpath(os.path.join(self.project.root, target))
        return self.project.components_below_root(place) is not None and os.path.isdir(place)


class NotTheRoot(Links):
    """A link to the root, or up to it, does not count as one that stays inside."""

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


class WithoutOutside(Links):
    def keeps(self, entry: Entry) -> bool:
        place = os.path.realpath(self.place(entry.raw_name))
        return entry.type != "link" or self.project.components_below_root(place) is not None


class BrokenByDangling(Links):
    """Asks what a link leads to, and gives up where that is nothing."""

    breaks = {errno.ENOENT: (errno.EIO, "broken link")}


class BrokenByLoops(Links):
    breaks = {errno.ELOOP: (errno.ELOOP, "Too many levels of symbolic links")}


class OutsideCounts(Project):
    """A link to a directory anywhere counts as one to a directory."""

    def links_to_inside_directory(self, below: tuple[bytes, ...], name: bytes) -> bool:
        return os.path.isdir(self.join_root((*below, name)))


class InsideByText(Project):
    """Whether a link stays inside is judged by the beginning of its target's path."""

    def links_to_inside_directory(self, below: tuple[bytes, ...], name: bytes) -> bool:
        target = os.path.realpath(self.join_root((*below, name)))
        return target.startswith(self.root) and os.path.isdir(target)


class InsideByNames(Project):
    """Whether a link stays inside is judged without following further links."""

    def links_to_inside_directory(self, below: tuple[bytes, ...], name: bytes) -> bool:
        here = self.join_root((*below, name))
        target = os.path.normpath(os.path.join(os.path.dirname(here), os.readlink(here)))
        return self.components_below_root(target) is not None and os.path.isdir(target)


class InsideAllTheWay(InsideByNames):
    """A link stays inside if its text and its end do."""

    def links_to_inside_directory(self, below: tuple[bytes, ...], name: bytes) -> bool:
        by_its_end = Project.links_to_inside_directory(self, below, name)
        return by_its_end and super().links_to_inside_directory(below, name)


class ShownTargetsOnly(Links):
    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        hidden = type == "link" and os.path.basename(os.path.realpath(self.place(raw))).startswith(b".")
        return not hidden and super().sorts_first(raw, type)


class EightSteps(Links):
    """Chains of links are followed over eight of them."""

    def sorts_first(self, raw: bytes, type: EntryType) -> bool:
        here = self.place(raw)
        for _ in range(8):
            if os.path.islink(here):
                here = os.path.join(os.path.dirname(here), os.readlink(here))
        return not os.path.islink(here) and super().sorts_first(raw, type)


DROPPED = ("ARG-08", "DATA-05", "DATA-07", "STAT-02", "SEC-07", "TEXT-06", "ERR-01", "SEC-04", "DATA-03")
"""What may fail where links are not listed."""

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        201,
        "Links to directories come behind the directories.",
        "SORT-03",
        "SORT-04",
        "SEC-07",
        order=LinksLast,
    ),
    build_mutant(
        202, "Links among the files come behind the files.", "SORT-04", "SEC-07", order=OtherLinksLast
    ),
    build_mutant(
        203,
        "A link to a directory has its place among the files.",
        "SORT-03",
        "SEC-07",
        "PAGE-04",
        directory=LinksAreFiles,
    ),
    build_mutant(
        204,
        "Every link has its place among the directories.",
        *("SORT-04", "SEC-07"),
        directory=LinksAreDirectories,
    ),
    build_mutant(205, "A link to a link has its place among the files.", "SORT-03", directory=OneStep),
    build_mutant(
        206,
        "A link with an absolute target has its place among the files.",
        "SORT-03",
        directory=RelativeTargetsOnly,
    ),
    build_mutant(
        207,
        "The targets of links are looked up from the root.",
        "SORT-03",
        "SEC-07",
        directory=TargetsFromTheRoot,
    ),
    build_mutant(208, "A link to the root has its place among the files.", "SORT-03", directory=NotTheRoot),
    build_mutant(
        209,
        "A link to a closed directory has its place among the files.",
        "SORT-03",
        "SEC-07",
        directory=ReadableTargetsOnly,
    ),
    build_mutant(
        210,
        "A link to nothing is left out.",
        "SORT-04",
        "FILT-02",
        "FILT-07",
        "TEXT-02",
        "ENV-09",
        *DROPPED,
        directory=WithoutDangling,
    ),
    build_mutant(
        211,
        "A link out of the sandbox is left out.",
        *(
            "SEC-07",
            "FILT-07",
            "PAGE-02",
            "TEXT-02",
            "TEXT-03",
            "TEXT-04",
            "SORT-04",
            *DROPPED,
            "XR-01",
            "ERR-02",
        ),
        directory=WithoutOutside,
    ),
    build_mutant(
        212,
        "A link to nothing makes the listing fail.",
        "SORT-04",
        "ENV-09",
        "ERR-06",
        *DROPPED,
        directory=BrokenByDangling,
    ),
    build_mutant(
        213,
        "A link to itself makes the listing fail.",
        "ARG-08",
        "ENV-09",
        "SORT-04",
        "DATA-05",
        directory=BrokenByLoops,
    ),
    build_mutant(
        214,
        "A link to a directory outside has its place among the directories.",
        "SEC-07",
        "SORT-03",
        project=OutsideCounts,
    ),
    build_mutant(
        215,
        "A link to a sibling whose name begins with the root's is taken for one inside.",
        "SEC-07",
        project=InsideByText,
    ),
    build_mutant(
        216, "A chain of links out is judged by its first link.", "SEC-07", "SORT-03", project=InsideByNames
    ),
    build_mutant(
        318,
        "A link that leads inside over a place outside has its place among the files.",
        "SORT-03",
        project=InsideAllTheWay,
    ),
    build_mutant(
        319,
        "A link to a hidden directory has its place among the files.",
        "SORT-03",
        directory=ShownTargetsOnly,
    ),
    build_mutant(320, "Chains of more than eight links lead nowhere.", "SORT-03", directory=EightSteps),
)
