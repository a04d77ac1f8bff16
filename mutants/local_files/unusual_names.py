"""Mutants: names and requested paths that are changed for signs in them, or keep a directory closed."""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.mutant import Mutant
from .builders import Entries, build_mutant

MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u00ad\ufeff]")
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def with_names_changed(pattern: str, text: str) -> type[EntryFormatter]:
    """Return the formatter with ``text`` in each name for what the pattern matches."""

    class Changed(EntryFormatter):
        def name(self, item: EntryMetadata) -> Any:
            return re.sub(pattern, text, super().name(item))

    return Changed


def with_path_changed(change: Callable[[str], str]) -> type[ListDirectory]:
    """Return listDirectory with the path below the first root changed before it is used."""

    class Changed(ListDirectory):
        def normalise_path(self, path: str, context: CallContext) -> str:
            root = context.roots[0]
            if path.startswith(root + "/"):
                path = root + "/" + change(path[len(root) + 1 :])
            return super().normalise_path(path, context)

    return Changed


class SmallExtensions(EntryFormatter):
    def name(self, item: EntryMetadata) -> Any:
        stem, dot, extension = item.name.rpartition(".")
        return stem + dot + (extension.lower() if stem else extension)


class NumbersForDigits(EntryFormatter):
    """Writes a name as a number after the list has been sorted."""

    def sort(self, found: Entries) -> Entries:
        return [{**entry, "name": self.written(entry["name"])} for entry in super().sort(found)]

    def written(self, name: str) -> Any:
        return int(name) if name.isascii() and name.isdigit() else name


class ExpandedPaths(EntryFormatter):
    """Writes the path as a library does that knows home directories."""

    def path(self, item: EntryMetadata) -> Any:
        return os.path.expanduser(item.name) if item.name == "~" else super().path(item)


class GlobsStayClosed(DirectoryScan):
    def is_entered(self, item: EntryMetadata) -> bool:
        return super().is_entered(item) and not set(item.name) & set("[]{}*?")


class RootAsExpression(FindFiles):
    """Matches absolute paths by an expression that begins with the path of the search."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        found = super().scan(reading, arguments)
        try:
            root = re.compile(reading.directory)
        except re.error:
            return []
        return found if root.fullmatch(reading.directory) else []


class StarsInSets(Glob):
    def translate_bracket(self) -> str:
        return super().translate_bracket().replace("*", "[^/]*").replace("[?", "[[^/]")


def refuse_reserved(path: str) -> str:
    if any(RESERVED.fullmatch(part) for part in path.split("/")):
        raise ToolError(ErrorKind.BAD_ARGS, "the path has a name that is reserved")
    return path


def with_single_blanks(found: Entries) -> Entries:
    return [{**entry, "name": re.sub(" +", " ", str(entry["name"]))} for entry in found]


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-255",
        "A search does not enter directories with signs of globs in their names.",
        "LF-FIND-01",
        directory_scan=GlobsStayClosed,
    ),
    build_mutant(
        "MUT-LF-290",
        "The path of a search is put into an expression as it is.",
        "LF-FIND-02 LF-FIND-01",
        find_files=RootAsExpression,
    ),
    build_mutant(
        "MUT-LF-291",
        "Stars and question marks in a set mean the same as outside.",
        "LF-FIND-02",
        glob=StarsInSets,
    ),
)
