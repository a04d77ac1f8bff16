"""Mutants: errors that act in one circumstance only: by modes and numbers of names, far down, or on a second call."""

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from treeproof.reference_impl.local_files.candidate import (
    FIND_FILES_DEFINITION,
    LIST_DIRECTORY_DEFINITION,
    FindFiles,
    ListDirectory,
)
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import TYPES_IN_ORDER, EntryFormatter, EntryMetadata
from treeproof.reference_impl.local_files.globs import Glob
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import ToolDefinition

from ..shared.mutant import Mutant
from .builders import Entries, build_mutant

MISSING: set[str] = set()
"""The paths that were missing once."""

FILES: set[str] = set()
"""The paths that were files once."""

TARGETS: dict[bytes, str] = {}
"""The first target of each link."""


def full_path(item: EntryMetadata) -> str:
    return "/".join((item.directory.rstrip("/"), *item.parents, item.name))


def own_status(item: EntryMetadata) -> os.stat_result | None:
    """Return the metadata of an entry; None if its decoded path leads to nothing."""
    try:
        return os.lstat(full_path(item))
    except OSError:
        return None


def is_hidden(entry: Mapping[str, Any]) -> bool:
    return str(entry["name"]).startswith(".")


class CountsNames(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> dict[str, Any]:
        found = own_status(item) if stat.S_ISREG(item.mode) else None
        several = {"links": found.st_nlink} if found and found.st_nlink > 1 else {}
        return super().extra_members(item) | several


class LinksToEmptyFiles(DirectoryScan):
    """A link to a file without content is described as that file."""

    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            path = self.join(*below, name)
            if item.target is not None and os.path.isfile(path) and not os.path.getsize(path):
                item = item._replace(mode=stat.S_IFREG, target=None)
            yield name, item


class ClosedIsZero(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return 0 if stat.S_ISDIR(item.mode) and not item.mode & stat.S_IRUSR else super().size(item)


class LineBreaksAreOne(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        if not stat.S_ISREG(item.mode) or not 0 < item.size < 4096:
            return super().size(item)
        try:
            with open(full_path(item), "rb") as content:
                return len(content.read().replace(b"\r\n", b"\n"))
        except OSError:
            return super().size(item)


class SharedSize(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        found = own_status(item) if stat.S_ISREG(item.mode) else None
        return item.size // found.st_nlink if found else super().size(item)


class DeviceNumbers(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        is_device = stat.S_ISCHR(item.mode) or stat.S_ISBLK(item.mode)
        found = own_status(item) if is_device else None
        return found.st_rdev if found else super().size(item)


class ShortTargets(DirectoryScan):
    def decode_target(self, target: bytes) -> str:
        return super().decode_target(target)[:1023]


class TargetsAreAddresses(DirectoryScan):
    def decode_target(self, target: bytes) -> str:
        return quote(target) if target.startswith(b"/") else super().decode_target(target)


class FirstTarget(DirectoryScan):
    def read_link(self, below: tuple[bytes, ...], name: bytes) -> str:
        return TARGETS.setdefault(self.join(*below, name), super().read_link(below, name))


class MissingForGood(ListDirectory):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        if reading.directory in MISSING:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        try:
            return super().scan(reading, arguments)
        except FileNotFoundError:
            MISSING.add(reading.directory)
            raise


class FileForGood(ListDirectory):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        if reading.directory in FILES:
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory")
        try:
            return super().scan(reading, arguments)
        except NotADirectoryError:
            FILES.add(reading.directory)
            raise


class RefusesTheRoot(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        if path == "/":
            raise ToolError(ErrorKind.BAD_ARGS, "the root of the file system is not listed: /")
        return super().normalise_path(path, context)


class RefusesLongPaths(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        if len(path) > 1024:
            raise ToolError(ErrorKind.BAD_ARGS, f"the path is too long: {path}")
        return super().normalise_path(path, context)


class HiddenFirst(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(super().sort(found), key=lambda entry: not is_hidden(entry))


class HiddenLast(EntryFormatter):
    def sort(self, found: Entries) -> Entries:
        return sorted(super().sort(found), key=is_hidden)


class ByStem(EntryFormatter):
    """Does not compare extensions."""

    def sort(self, found: Entries) -> Entries:
        return sorted(
            found, key=lambda entry: (TYPES_IN_ORDER.index(entry["@type"]), os.path.splitext(entry["name"])[0])
        )


@dataclass(frozen=True)
class FalseIsHere(ListDirectory):
    definition: ToolDefinition = replace(
        LIST_DIRECTORY_DEFINITION, input_schema={"type": "object", "required": ["path"]}
    )

    def normalise_path(self, path: Any, context: CallContext) -> str:
        if path is not False and not isinstance(path, str):
            raise ToolError(ErrorKind.BAD_ARGS, "the path is no text")
        return super().normalise_path(path or context.working_dir, context)


@dataclass(frozen=True)
class GlobsOfNoText(FindFiles):
    """false finds nothing, and an object everything in the directory."""

    definition: ToolDefinition = replace(
        FIND_FILES_DEFINITION,
        input_schema={
            "type": "object",
            "properties": {"path": {"type": "string"}, "recursive": {"type": "boolean"}},
            "required": ["path", "recursive", "glob"],
        },
    )

    def compile_glob(self, glob: Any) -> Glob:
        if isinstance(glob, dict) or glob is False:
            return super().compile_glob("*" if glob is not False else "/nothing")
        if not isinstance(glob, str):
            raise ToolError(ErrorKind.BAD_ARGS, "the glob is no text")
        return super().compile_glob(glob)


class FalseFindsAll(GlobsOfNoText):
    """false finds everything, and an object is an error."""

    def compile_glob(self, glob: Any) -> Glob:
        if isinstance(glob, dict):
            raise ToolError(ErrorKind.BAD_ARGS, "the glob is no text")
        return super().compile_glob("**" if glob is False else glob)


class ShortMessages(ListDirectory):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return super().listing_failed(path if len(path) <= 200 else path[:197] + "...", error)


class FortyLevels(DirectoryScan):
    def is_entered(self, item: EntryMetadata) -> bool:
        return super().is_entered(item) and len(item.parents) < 40


class ShortPathsOnly(DirectoryScan):
    def is_entered(self, item: EntryMetadata) -> bool:
        return super().is_entered(item) and len(full_path(item)) <= 1024


class WritableOnly(DirectoryScan):
    def is_entered(self, item: EntryMetadata) -> bool:
        return super().is_entered(item) and bool(item.mode & stat.S_IWUSR)


class OneOfItsNames(FindFiles):
    """Finds a file with several names under one of them."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        met: set[int] = set()
        kept = []
        for item in super().scan(reading, arguments):
            found = own_status(item)
            if found and found.st_nlink > 1 and stat.S_ISREG(item.mode):
                if found.st_ino in met:
                    continue
                met.add(found.st_ino)
            kept.append(item)
        return kept


class ReadableOnly(FindFiles):
    def matches(self, glob: Glob, item: EntryMetadata) -> bool:
        return not (stat.S_ISREG(item.mode) and not item.mode & stat.S_IRUSR) and super().matches(glob, item)


class CircleEndsTheSearch(DirectoryScan):
    """A search ends at a link that goes round in circles, with what has been found."""

    def descendants(self) -> Iterator[EntryMetadata]:
        pending: list[tuple[bytes, ...]] = [()]
        while pending:
            below = pending.pop(0)
            for name, item in list(self.children(below)):
                yield item
                path = self.join(*below, name)
                if item.target is not None and self.is_circle(path):
                    return
                if self.is_entered(item) and os.access(path, os.R_OK | os.X_OK):
                    pending.append((*below, name))

    def is_circle(self, path: bytes) -> bool:
        try:
            os.stat(path)
        except OSError as error:
            return error.errno == errno.ELOOP
        return False


class IndexOfLongLists(ListDirectory):
    """A list of more than fifty entries leaves a file in its directory."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        found = super().scan(reading, arguments)
        if len(found) > 50:
            with open(reading.join(b".index"), "w") as index:
                index.write(str(len(found)))
        return found


class KeepsWhatItFound(FindFiles):
    """A search with matches leaves a file in its directory."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        found = super().scan(reading, arguments)
        if found:
            with open(reading.join(b".found"), "w") as kept:
                kept.write(str(len(found)))
        return found


LISTS = "LF-LIST-01 LF-LIST-02 LF-MODEL-01 LF-SORT-01 LF-SORT-02 LF-WHY-01"
SEARCHES = "LF-FIND-01 LF-FIND-02 LF-FIND-03 LF-FIND-04 LF-FIND-05 LF-FIELD-02 LF-FIELD-04 LF-WHY-01"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-309",
        "false as glob finds nothing, and an object everything in the directory.",
        "LF-ERR-02",
        find_files=GlobsOfNoText,
    ),
    build_mutant("MUT-LF-310", "false as glob finds everything.", "LF-ERR-02", find_files=FalseFindsAll),
    build_mutant("MUT-LF-312", "A search ends at level 40.", "LF-FIND-01 LF-FIND-02", directory_scan=FortyLevels),
    build_mutant(
        "MUT-LF-313",
        "A search enters no directory with a path of more than 1024 characters.",
        "LF-FIND-01 LF-FIND-02",
        directory_scan=ShortPathsOnly,
    ),
    build_mutant(
        "MUT-LF-314",
        "A search enters no directory that its owner may not change.",
        "LF-FIND-01 LF-FIND-02",
        directory_scan=WritableOnly,
    ),
    build_mutant(
        "MUT-LF-315",
        "A file with several names is found under one of them.",
        "LF-FIND-02 LF-FIND-01",
        find_files=OneOfItsNames,
    ),
    build_mutant(
        "MUT-LF-316", "A file that nobody may read is not found.", "LF-FIND-02 LF-FIND-01", find_files=ReadableOnly
    ),
    build_mutant(
        "MUT-LF-320",
        "A search ends at a link that goes round in circles, with what has been found.",
        "LF-FIND-05 LF-FIND-01 LF-FIND-02",
        directory_scan=CircleEndsTheSearch,
    ),
)
