"""Mutants: errors that errors of foreign candidates have shown, in paths, names, patterns and by earlier calls."""

import os
import re
from fnmatch import fnmatchcase
from typing import Any

from treeproof.reference_impl.ls.candidate import ListFiles
from treeproof.reference_impl.ls.directory import Directory, Entry
from treeproof.reference_impl.ls.envelope import Envelope, Members
from treeproof.reference_impl.ls.errors import LISTING_FAILED, CallRefused, ErrorCode
from treeproof.reference_impl.ls.filters import Filters
from treeproof.reference_impl.ls.listing_text import ListingText
from treeproof.reference_impl.ls.page import EntryOrder, Page
from treeproof.reference_impl.ls.project import Project
from treeproof.reference_impl.ls.request import ArgumentParser

from ..shared.mutant import Mutant
from .builders import build_mutant

LONGEST_NAME = 255
LINE = 100
OBJECT_NAMES = frozenset({"constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"})

ACCEPTED: list[tuple[bytes, str]] = []
"""The root and the path that the last call has accepted."""


class AbsoluteLinkIsShown(Envelope):
    def listing(self, path: str, page: Page, text: str) -> Members:
        given = self.sent_arguments.get("path", ".")
        return super().listing(given if given.startswith("/") and os.path.islink(given) else path, page, text)


class NoTextAboutPatterns(Envelope):
    def failure_text(self, refused: CallRefused) -> str:
        sent = self.sent_arguments
        is_wrong = isinstance(sent, dict) and not isinstance(sent.get("ignore"), list | None)
        return "" if is_wrong else super().failure_text(refused)


class ObeysGit(Directory):
    """Leaves out what a file `.gitignore` of the directory names."""

    def entries(self) -> list[Entry]:
        found = super().entries()
        try:
            with open(self.project.join_root((*self.components, b".gitignore")), encoding="utf-8") as file:
                patterns = file.read().split()
        except OSError:
            return found
        return [one for one in found if not any(fnmatchcase(one.name, pattern) for pattern in patterns)]


class CutsLongestNames(Directory):
    def entries(self) -> list[Entry]:
        return [
            one._replace(name=one.name[:-1], path=one.path[:-1]) if len(one.raw_name) == LONGEST_NAME else one
            for one in super().entries()
        ]


class ObjectNamesLeftOut(Directory):
    """Directories are left out if an object of JavaScript has their name."""

    def entries(self) -> list[Entry]:
        return [one for one in super().entries() if one.type != "dir" or one.name not in OBJECT_NAMES]


class StemFirst(EntryOrder):
    def sort_key(self, entry: Entry) -> Any:
        return (not self.sorts_first(entry), *os.path.splitext(entry.name.lower()), entry.name, entry.raw_name)


class OffsetOf64Bits(ArgumentParser):
    def parse_offset(self, value: Any) -> int:
        return super().parse_offset(value & (2**64 - 1) if type(value) is int and value > 0 else value)


class RangesOfBothCases(Filters):
    """A range of letters also holds the letters of the other case."""

    def matches(self, text: str, pattern: str) -> bool:
        both = re.sub(r"(?<=\[)([a-zA-Z]-[a-zA-Z])(?=\])", lambda found: found[1] + found[1].swapcase(), pattern)
        return super().matches(text, both)


class SlashIsTrusted(Project):
    """A link out is followed if a slash stands behind it."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        real = self.real_path(path)
        if path.endswith("/") and os.path.islink(os.path.join(self.working_dir, path.rstrip("/").encode())):
            return tuple(os.path.relpath(real, self.root).split(b"/"))
        return super().resolve(path)


class AcceptedOnce(Project):
    """A path that the last call has accepted is not checked again."""

    def resolve(self, path: str) -> tuple[bytes, ...]:
        if (self.root, path) in ACCEPTED and os.path.isdir(real := self.real_path(path)):
            return tuple(os.path.relpath(real, self.root).split(b"/"))
        found = super().resolve(path)
        ACCEPTED[:] = [(self.root, path)] if found else []
        return found


class LongestNameFails(Project):
    def resolve(self, path: str) -> tuple[bytes, ...]:
        if any(len(name) == LONGEST_NAME for name in path.encode().split(b"/")):
            raise CallRefused(ErrorCode.INTERNAL_ERROR, LISTING_FAILED.format(error="File name too long"))
        return super().resolve(path)


class DollarsReplaced(ListFiles):
    """A message is built by a replacement in which two dollar signs stand for one."""

    def listing_error(self, error: OSError, path: str, real_path: bytes) -> tuple[str, str]:
        return super().listing_error(error, path.replace("$$", "$").replace("$&", "{path}"), real_path)


class LongLinesCut(ListingText):
    def entry_line(self, entry: Entry) -> str:
        return super().entry_line(entry)[:LINE]


class OneLineForEachName(ListingText):
    """Of names that differ in case only, the first has a line."""

    def render(self) -> str:
        entries = {entry.path.lower(): entry for entry in reversed(self.page.entries)}
        lines = map(self.entry_line, reversed(entries.values()))
        return "\n".join((*self.header_lines(), *self.blank_line(), *lines))


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LS-433",
        "path_resolved of an absolute path to a link is absolute.",
        "LS-ENV-09",
        envelope=AbsoluteLinkIsShown,
    ),
    build_mutant(
        "MUT-LS-434",
        "The text is empty if ignore is of the wrong type.",
        "LS-ERR-07 LS-ENV-11",
        envelope=NoTextAboutPatterns,
    ),
    build_mutant("MUT-LS-435", "What `.gitignore` names is left out.", "LS-DATA-06", directory=ObeysGit),
    build_mutant(
        "MUT-LS-436",
        "A name of 255 bytes loses its last one.",
        "LS-DATA-06 LS-DATA-03 LS-TEXT-05",
        directory=CutsLongestNames,
    ),
    build_mutant(
        "MUT-LS-437",
        "Directories with a name that objects have are left out.",
        "LS-FILT-09 LS-DATA-06",
        directory=ObjectNamesLeftOut,
    ),
    build_mutant("MUT-LS-439", "Files are sorted by the name without extension.", "LS-SORT-02", order=StemFirst),
    build_mutant("MUT-LS-440", "offset is cut to 64 bits.", "LS-PAGE-05", argument_parser=OffsetOf64Bits),
    build_mutant("MUT-LS-441", "A range of letters holds both cases.", "LS-FILT-04", filters=RangesOfBothCases),
    build_mutant("MUT-LS-442", "A link out is followed with a slash behind it.", "LS-SEC-04", project=SlashIsTrusted),
    build_mutant("MUT-LS-444", "A path is checked once.", "LS-SEC-04", project=AcceptedOnce),
    build_mutant("MUT-LS-445", "A name of 255 bytes in a path fails.", "LS-SEC-02", project=LongestNameFails),
    build_mutant("MUT-LS-446", "Dollar signs in a message are replaced.", "LS-ERR-09 LS-ERR-08", tool=DollarsReplaced),
    build_mutant("MUT-LS-447", "A line of more than 100 letters is cut.", "LS-TEXT-05", text=LongLinesCut),
    build_mutant(
        "MUT-LS-448",
        "Of names that differ in case only one has a line.",
        "LS-TEXT-05",
        text=OneLineForEachName,
    ),
)
