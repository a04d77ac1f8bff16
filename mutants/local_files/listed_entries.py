"""Mutants: errors in which entries a list contains, and in failures."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from treeproof.reference_impl.local_files.candidate import ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import Entries, build_mutant, with_list_changed
from .implied import CHILDREN, LINKS, MANY


class TellsExecutables(EntryFormatter):
    def extra_members(self, item: EntryMetadata) -> dict[str, Any]:
        is_program = item.mode & 0o170000 == 0o100000 and item.mode & 0o100
        return super().extra_members(item) | ({"executable": True} if is_program else {})


class NothingHidden(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(below) if not name.startswith(b".")]


class NoBackups(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(below) if not name.endswith((b"~", b".bak", b".class"))]


def first_entries(found: Entries) -> Entries:
    return found[:5000]


class NothingOfSystems(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        left_out = b".DS_Store", b"Thumbs.db", b"desktop.ini", b"lost+found", b"__pycache__"
        return [name for name in super().list_names(below) if name not in left_out]


class NothingIgnored(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        names = list(super().list_names(below))
        ignored: set[bytes] = set()
        if b".gitignore" in names:
            with open(self.join(*below, b".gitignore"), "rb") as lines:
                ignored = set(lines.read().splitlines())
        return [name for name in names if name not in ignored]


class NoSecrets(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(below) if name not in (b"id_rsa", b".ssh", b"a.pem")]


class NoEmptyFiles(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        return (both for both in super().children(below) if both[1].size or both[1].mode & 0o170000 != 0o100000)


class NoSpecial(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        return (both for both in super().children(below) if both[1].mode & 0o170000 not in (0o010000, 0o140000))


class NoDangling(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        return (both for both in super().children(below) if os.path.exists(self.join(*below, both[0])))


class OnlyTextTargets(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        return (both for both in super().children(below) if "\ufffd" not in (both[1].target or ""))


class OnlyText(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(below) if "\ufffd" not in name.decode("utf-8", "replace")]


class WithDots(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [b".", b"..", *super().list_names(below)]


class NoDots(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(below) if not name.startswith(b"..")]


class NoBlanks(DirectoryScan):
    """Splits lines at blanks."""

    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return [name for name in super().list_names(below) if b" " not in name]


class Thousand(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return sorted(super().list_names(below))[:1000]


class OneFileOnce(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        known: set[tuple[int, int]] = set()
        for name, item in super().children(below):
            found = self.lstat(below, name)
            if (found.st_dev, found.st_ino) not in known:
                known.add((found.st_dev, found.st_ino))
                yield name, item


class NoCase(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        return {name.lower(): name for name in super().list_names(below)}.values()


class OpenOnly(DirectoryScan):
    def children(self, below: tuple[bytes, ...] = ()) -> Iterator[tuple[bytes, EntryMetadata]]:
        for name, item in super().children(below):
            try:
                if self.is_entered(item):
                    os.listdir(self.join(*below, name))
            except OSError:
                continue
            yield name, item


class Descending(ListDirectory):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        return list(reading.descendants())


class TwoLevels(ListDirectory):
    def scan(self, reading: DirectoryScan, arguments: Mapping[str, Any]) -> list[EntryMetadata]:
        found = super().scan(reading, arguments)
        for item in found:
            if reading.is_entered(item):
                os.access(os.path.join(reading.directory, item.name), os.R_OK)
                list(os.scandir(os.path.join(reading.directory, item.name)))
        return found


class Trims(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(path.partition("\0")[0], context)


class Defaults(ListDirectory):
    """Returns an empty list after an error."""

    def listing_failed(self, path: str, error: OSError) -> Any:
        return []


class EmptyWhenMissing(ListDirectory):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return [] if isinstance(error, FileNotFoundError) else super().listing_failed(path, error)


class EmptyWhenClosed(ListDirectory):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return [] if isinstance(error, PermissionError) else super().listing_failed(path, error)


class FilesListThemselves(ListDirectory):
    def list_entries(self, arguments: Mapping[str, Any], context: CallContext) -> Entries:
        path = self.normalise_path(arguments["path"], context)
        if os.path.lexists(path) and not os.path.isdir(path):
            above = self.directory_scan(os.path.dirname(path))
            item = [item for _, item in above.children() if item.name == os.path.basename(path)]
            return [self.entry_formatter().format_entry(one) for one in item]
        return super().list_entries(arguments, context)


class MessageWithoutPath(ListDirectory):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return super().listing_failed("the directory", error)


def twice(found: Entries) -> Entries:
    return [*found, *found[:1]]


MUTANTS: tuple[Mutant, ...] = ()
