"""Mutants: errors in results that few directories and requests show."""

import os
import stat
from collections.abc import Iterator, Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import TYPES_IN_ORDER, EntryFormatter, EntryMetadata
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.mutant import Mutant
from .builders import Entries, build_mutant

OF_OBJECTS = frozenset({"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"})
"""The names of members that each object of a language has."""


class LinksLackExtensions(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        name = super().name(item)
        return name if item.target is None else os.path.splitext(name)[0]


class FewerDots(EntryFormatter):
    def path(self, item: EntryMetadata) -> Any:
        return super().path(item).replace("...", "..")


class TimesOfOthersAreTexts(EntryFormatter):
    def last_modified(self, item: EntryMetadata) -> Any:
        time = super().last_modified(item)
        return str(time) if self.type(item) == "OtherEntry" else time


class OthersFirst(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(super().sort(found), key=lambda entry: entry["@type"] != TYPES_IN_ORDER[-1])


class DanglingHasNoTime(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            is_dangling = item.target is not None and not os.path.exists(self.join(*below, name))
            yield name, item._replace(mtime_ns=0) if is_dangling else item


class NoNamesOfObjects(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        return ((name, item) for name, item in super().children(below) if item.name not in OF_OBJECTS)


class OneOfEachText(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        return iter({item.name: (name, item) for name, item in super().children(below)}.values())


class LinksStayInside(DirectoryScan):
    """A link that leads out of the directory is lost."""

    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        inside = os.path.realpath(self.join(*below)) + b"/"
        for name, item in super().children(below):
            target = os.path.realpath(self.join(*below, name))
            if item.target is None or target.startswith(inside):
                yield name, item


class RemovesDangling(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            path = self.join(*below, name)
            if item.target is not None and not os.path.exists(path):
                os.unlink(path)
            yield name, item


class TouchesEmptyFiles(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            if stat.S_ISREG(item.mode) and not item.size:
                os.utime(self.join(*below, name))
            yield name, item


class TargetsFromTheWorkingDirectory(ListDirectory):
    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> Entries:
        found = super().list_entries(arguments, context)
        for entry in found:
            if "target" in entry:
                entry["target"] = os.path.normpath(os.path.join(context.working_dir, entry["target"]))
        return found


class HiddenIsRefused(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        normalised = super().normalise_path(path, context)
        if "/." in normalised:
            raise ToolError(ErrorKind.BAD_ARGS, f"the directory is hidden: {path}")
        return normalised


class NamesWhereItLeads(ListDirectory):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return super().listing_failed(os.path.realpath(path), error)


class MatchesStayClosed(FindFiles):
    """A directory that matches is not searched."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        glob = self.compile_glob(arguments["glob"])
        return [item for item in super().scan(reading, arguments) if not self.is_below_match(glob, item)]

    def is_below_match(self, glob: Glob, item: EntryMetadata) -> bool:
        return any(glob.matches("/".join(item.parents[: level + 1])) for level in range(len(item.parents)))


class FromTheNameOfTheRoot(FindFiles):
    """The glob is also held against a path that begins with the name of the search root."""

    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        name = os.path.basename(item.directory)
        return super().matches(glob, item) or super().matches(glob, item._replace(parents=(name, *item.parents)))


class NothingBehindLinks(FindFiles):
    """Below a root that is reached through a link nothing is found."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        above = os.path.dirname(reading.directory)
        return super().scan(reading, arguments) if os.path.realpath(above) == above else []


EVERYWHERE = (
    "LF-LIST-01 LF-LIST-02 LF-LINK-01 LF-LINK-02 LF-LINK-03 LF-TYPE-02 LF-MODEL-01 LF-MODEL-02 LF-WHY-01 LF-FIELD-01 "
    "LF-FIELD-02 LF-FIELD-03 LF-FIND-01 LF-FIND-02 LF-FIND-03 LF-FIND-05 LF-SORT-01 LF-SORT-02"
)

MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LF-361", "A directory that matches is not searched.", "LF-FIND-01", find_files=MatchesStayClosed),
    build_mutant(
        "MUT-LF-362",
        "A glob is also held against a path that begins with the name of the search root.",
        "LF-FIND-02",
        find_files=FromTheNameOfTheRoot,
    ),
    build_mutant(
        "MUT-LF-366",
        "A search finds nothing below a root that is reached through a link.",
        "LF-FIND-01 LF-FIND-02",
        find_files=NothingBehindLinks,
    ),
)
