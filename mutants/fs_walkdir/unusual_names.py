"""Mutants: names that are changed, or that keep a directory closed, for signs in them."""

import glob
import re
from typing import Any

from treeproof.reference_impl.fs_walkdir.entries import EntryFormatter, WalkedEntry
from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.start import StartResolver
from treeproof.reference_impl.fs_walkdir.walk import Walk

from ..shared.mutant import Mutant
from .builders import build_mutant
from .path_normalisation import with_path_changed

RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u00ad\ufeff]")
CONTROLS = re.compile(r"[\x01-\x1f\x7f]")


class RefusesReservedNames(StartResolver):
    def normalise_path(self, path: str) -> str:
        if any(RESERVED.fullmatch(part) for part in path.split("/")):
            raise CallRefused("the path has a name that is reserved")
        return super().normalise_path(path)


class StartIsAGlob(StartResolver):
    """Takes the first directory that the path matches as a glob."""

    def normalise_path(self, path: str) -> str:
        cleaned = super().normalise_path(path)
        if not glob.has_magic(cleaned):
            return cleaned
        found = sorted(glob.glob(cleaned, root_dir=self._context.working_dir))
        return found[0] if found else cleaned


class GlobsStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and not set(item.parts[-1]) & set("[]{}*?")


class ReservedStayClosed(Walk):
    def is_entered(self, item: WalkedEntry) -> bool:
        return super().is_entered(item) and not RESERVED.fullmatch(item.parts[-1])


def with_names_changed(pattern: str, text: str) -> type[EntryFormatter]:
    """Return the formatter with ``text`` in each name for what the pattern matches."""

    class Changed(EntryFormatter):
        def name(self, item: WalkedEntry) -> str:
            return re.sub(pattern, text, super().name(item))

    return Changed


class SmallExtensions(EntryFormatter):
    def name(self, item: WalkedEntry) -> str:
        stem, dot, extension = super().name(item).rpartition(".")
        return stem + dot + (extension.lower() if stem else extension)


class NumbersForDigits(EntryFormatter):
    def name(self, item: WalkedEntry) -> Any:
        name = super().name(item)
        return int(name) if name.isascii() and name.isdigit() else name


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-WD-200",
        "Of a path with more than eight components the first eight are used.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: "/".join([part for part in path.split("/") if part not in ("", ".")][:8])),
    ),
    build_mutant("MUT-WD-201", "Names that Windows keeps are refused.", "WD-ARG-04", start=RefusesReservedNames),
    build_mutant("MUT-WD-202", "A path with signs of a glob is one.", "WD-ARG-04", start=StartIsAGlob),
    build_mutant(
        "MUT-WD-203",
        "A tilde before a name is removed.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.sub(r"(^|/)~(?=[^/])", r"\1", path)),
    ),
    build_mutant(
        "MUT-WD-204",
        "Blanks in a row, and blanks of other kinds, become one blank.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.sub(r"[ \u00a0\u3000\u2028]+", " ", path)),
    ),
    build_mutant(
        "MUT-WD-205",
        "Marks that show nothing are removed from a path.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: MARKS.sub("", path)),
    ),
    build_mutant(
        "MUT-WD-206",
        "Control characters are removed from a path.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: CONTROLS.sub("", path)),
    ),
    build_mutant(
        "MUT-WD-207",
        "A percent sign before two digits of base 16 is an escape.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.sub("%2f", "\u2044", path)),
    ),
    build_mutant(
        "MUT-WD-208",
        "A backslash stands before each sign of shells in a path.",
        "WD-ARG-04",
        start=with_path_changed(lambda path: re.sub(r"([&|<>()`$])", r"\\\1", path)),
    ),
    build_mutant(
        "MUT-WD-209",
        "A name ends at a colon that is not its first character.",
        "WD-ENT-01",
        entry_formatter=with_names_changed("(?<=.):.*", ""),
    ),
    build_mutant(
        "MUT-WD-210",
        "Blanks in a row become one in a name.",
        "WD-ENT-01",
        entry_formatter=with_names_changed(" +(?= )", ""),
    ),
    build_mutant(
        "MUT-WD-211",
        "Quotes around a name are removed.",
        "WD-ENT-01",
        entry_formatter=with_names_changed("^([\"'`])(.*)\\1$", r"\2"),
    ),
    build_mutant(
        "MUT-WD-212",
        "A tilde before the name of an entry is removed.",
        "WD-ENT-01",
        entry_formatter=with_names_changed("^~(?=.)", ""),
    ),
    build_mutant(
        "MUT-WD-213", "What is behind the last dot is in small letters.", "WD-ENT-01", entry_formatter=SmallExtensions
    ),
    build_mutant(
        "MUT-WD-214", "A name of digits is a number.", "WD-RET-01 WD-ENT-01", entry_formatter=NumbersForDigits
    ),
    build_mutant(
        "MUT-WD-215",
        "Directories with signs of globs in their names are not entered.",
        "WD-WALK-03",
        walk=GlobsStayClosed,
    ),
    build_mutant(
        "MUT-WD-216",
        "Directories with names that Windows keeps are not entered.",
        "WD-WALK-03",
        walk=ReservedStayClosed,
    ),
)
