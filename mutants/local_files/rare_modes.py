"""Mutants: errors by modes, by the number of a file's names, and by the number of entries."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata

from ..shared.mutant import Mutant
from .builders import build_mutant


class SeveralNamesAreLinks(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            is_link = stat.S_ISREG(item.mode) and self.lstat(below, name).st_nlink > 1
            yield name, item._replace(mode=stat.S_IFLNK, target=item.name) if is_link else item


class MasksTooMuch(EntryFormatter):
    """Compares further bits of the mode with those of a directory."""

    def type(self, item: EntryMetadata) -> Any:
        return "OtherEntry" if stat.S_ISDIR(item.mode) and item.mode & 0o7000 else super().type(item)


class NoSizeOfTheClosed(EntryFormatter):
    def size(self, item: EntryMetadata) -> Any:
        return None if stat.S_ISDIR(item.mode) and not item.mode & stat.S_IRUSR else super().size(item)


class LosesFullParts(DirectoryScan):
    """Loses the last name of a directory that has a multiple of a number."""

    part = 64

    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        names = sorted(super().list_names(below))
        return names[:-1] if len(names) % self.part == 0 else names


class LosesFullHundreds(LosesFullParts):
    part = 500


class LosesFullPartsBelow(LosesFullParts):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return super().list_names(below) if below else DirectoryScan.list_names(self, below)


class EmptyFileIsEmpty(ListDirectory):
    """A file without content is an empty directory."""

    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        path = reading.directory
        return [] if os.path.isfile(path) and not os.path.getsize(path) else super().scan(reading, arguments)


class LoopsFail(DirectoryScan):
    """A link to itself, or links to each other, are an error."""

    def read_link(self, below: tuple[bytes, ...], name: bytes) -> str:
        with contextlib.suppress(FileNotFoundError, PermissionError):
            os.stat(self.join(*below, name))
        return super().read_link(below, name)


class ClosedFilesFail(DirectoryScan):
    """A file that may not be read is an error."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(below, name)
        if stat.S_ISREG(found.st_mode) and not found.st_mode & stat.S_IRUSR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return found


class AbsoluteTargets(DirectoryScan):
    """A link with an absolute target that is there is described as what it leads to."""

    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            if item.target is not None and item.target.startswith("/") and os.path.exists(item.target):
                found = os.stat(item.target)
                item = item._replace(mode=found.st_mode, size=found.st_size, target=None)
            yield name, item


class OtherIfNotText(EntryFormatter):
    """A file whose name is not UTF-8 is looked up by its text, and not found."""

    def type(self, item: EntryMetadata) -> Any:
        return "OtherEntry" if "\ufffd" in item.name else super().type(item)


class OtherIfEmpty(EntryFormatter):
    def type(self, item: EntryMetadata) -> Any:
        return "OtherEntry" if stat.S_ISREG(item.mode) and not item.size else super().type(item)


class EightLinks(DirectoryScan):
    """A search ends when it has met eight links."""

    def descendants(self) -> Iterator[EntryMetadata]:
        met = 0
        for item in super().descendants():
            met += item.target is not None
            if met == 8:
                return
            yield item


class EmptyDirectoryEnds(DirectoryScan):
    """A search ends at a directory without content."""

    def descendants(self) -> Iterator[EntryMetadata]:
        pending: list[tuple[bytes, ...]] = [()]
        while pending:
            below = pending.pop(0)
            children = list(self.children(below))
            if not children:
                return
            for name, item in children:
                yield item
                if self.is_entered(item) and os.access(self.join(*below, name), os.R_OK | os.X_OK):
                    pending.append((*below, name))


class DevicesAreEmpty(ListDirectory):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        with contextlib.suppress(OSError):
            if stat.S_ISCHR(os.stat(reading.directory).st_mode):
                return []
        return super().scan(reading, arguments)


class WaitsAtPipes(DirectoryScan):
    """Opens a named pipe, and waits for a writer."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> os.stat_result:
        found = super().lstat(below, name)
        if stat.S_ISFIFO(found.st_mode):
            os.close(os.open(self.join(*below, name), os.O_RDONLY))
        return found


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-LF-282",
        "A search ends when it has met eight links.",
        "LF-FIND-05 LF-FIND-01",
        directory_scan=EightLinks,
    ),
    build_mutant(
        "MUT-LF-283",
        "A search ends at a directory without content.",
        "LF-FIND-01 LF-FIND-02 LF-FIND-04 LF-FIND-05",
        directory_scan=EmptyDirectoryEnds,
    ),
    build_mutant(
        "MUT-LF-271",
        "A call waits at a named pipe for a writer.",
        "LF-TYPE-03 LF-LIST-02",
        directory_scan=WaitsAtPipes,
    ),
)
