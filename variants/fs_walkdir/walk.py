"""Variants: what a walk meets, and what it does about faults."""

import contextlib
import os
import stat
from collections.abc import Iterable
from typing import Any

from treeproof.reference_impl.fs_walkdir.candidate import WalkDir
from treeproof.reference_impl.fs_walkdir.entries import WalkedEntry
from treeproof.reference_impl.fs_walkdir.request import CallRefused
from treeproof.reference_impl.fs_walkdir.walk import Walk
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.variant import variant
from .readers import ReaderWithPaths
from .rows import row

SPECIAL_TYPES = (stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK)


def is_text(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


class EscapesBytes(Walk):
    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        item = super().read_entry(route, parts, name)
        if item is None or is_text(name):
            return item
        return WalkedEntry((*parts, name.decode("utf-8", "backslashreplace")), item.route, item.stat_result)


class OnlyText(Walk):
    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        if not is_text(name):
            raise CallRefused("a name is no text")
        return super().read_entry(route, parts, name)


class VanishedIsGone(Walk):
    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        try:
            return super().read_entry(route, parts, name)
        except FileNotFoundError:
            return None


class SkipsUnreadable(Walk):
    def list_names(self, route: Route) -> Iterable[bytes]:
        try:
            return list(super().list_names(route))
        except OSError:
            return ()

    def read_entry(self, route: Route, parts: tuple[str, ...], name: bytes) -> WalkedEntry | None:
        try:
            return super().read_entry(route, parts, name)
        except FileNotFoundError:
            raise
        except OSError:
            return None


class SkipsUnreadableDirectories(SkipsUnreadable):
    def is_listed(self, item: WalkedEntry) -> bool:
        if not super().is_listed(item):
            return False
        try:
            return not item.is_directory or list(self._reader.list_names(item.route)) is not None
        except OSError:
            return False


class UnreadableStartIsEmpty(WalkDir):
    def list_elements(self, arguments: Any, context: CallContext, flavour: Flavour) -> list[dict[str, Any]]:
        try:
            return super().list_elements(arguments, context, flavour)
        except PermissionError:
            return []


class JoinedPaths(ReaderWithPaths):
    """Reads with whole paths, which the system limits."""

    def list_names(self, route: Route) -> list[bytes]:
        return os.listdir(self.join(*route))

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return os.lstat(self.join(*route, name))


class LooksInside(ReaderWithPaths):
    def list_names(self, route: Route) -> list[bytes]:
        found = super().list_names(route)
        self.lstat(route, b".")
        return found


class MissesFaults(ReaderWithPaths):
    """Takes a reading that breaks off for the end of the directory, as some libraries do."""

    def list_names(self, route: Route) -> list[bytes]:
        found: list[bytes] = []
        try:
            with os.scandir(self.join(*route)) as reading:
                for entry in reading:
                    found.append(entry.name)
        except OSError:
            if not found:
                return super().list_names(route)
        return found


class AsksTwice(ReaderWithPaths):
    """Asks for the metadata a second time, by another spelling of the path, which no injected fault knows."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        try:
            return super().lstat(route, name)
        except OSError:
            return os.lstat(self.join(*route, b".", name))


class LooksAtOpenFiles(ReaderWithPaths):
    """Looks at files that it can open by descriptors, as `File::metadata` of Rust does."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if stat.S_ISREG(found.st_mode):
            with contextlib.suppress(OSError):
                descriptor = os.open(self.join(*route, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                found = os.fstat(descriptor)
                os.close(descriptor)
        return found


class OpensFiles(ReaderWithPaths):
    """Looks at each file through a descriptor, and fails where it cannot be opened."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        if stat.S_ISREG(found.st_mode):
            os.close(os.open(self.join(*route, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK))
        return found


VARIANTS = (
    variant("AMB-WD-15=other", "Bytes that are no text are escaped.")(walk=EscapesBytes),
    variant("AMB-WD-15=nil", "A name that is no text ends the walk.")(walk=OnlyText),
    variant("AMB-WD-18=omitted", "FIFOs, sockets and devices are no elements.")(
        row(drop=lambda item: stat.S_IFMT(item.mode) in SPECIAL_TYPES)
    ),
    variant("AMB-WD-19=skipped", "An entry that vanished is left out.")(walk=VanishedIsGone),
    variant("AMB-WD-20=nil", "A path that is too long ends the walk.", excludes=("AMB-WD-05=target",))(
        open_reader=JoinedPaths
    ),
    variant("AMB-WD-24=skipped", "What cannot be read is left out.")(walk=SkipsUnreadable, tool=UnreadableStartIsEmpty),
    variant("VAR-WD-10", "What cannot be read is left out, the element of a directory too.", {"AMB-WD-24": "skipped"})(
        walk=SkipsUnreadableDirectories, tool=UnreadableStartIsEmpty
    ),
    variant("VAR-WD-28", "Files are looked at through descriptors.")(open_reader=LooksAtOpenFiles),
    variant("VAR-WD-30", "Files are opened to look at them.")(open_reader=OpensFiles),
    variant("VAR-WD-11", "Each directory is looked at from inside.")(open_reader=LooksInside),
    variant("VAR-WD-12", "A reading that breaks off counts as complete.")(open_reader=MissesFaults),
    variant(
        "VAR-WD-22",
        "Metadata that a call does not give come from a second one.",
        excludes=("AMB-WD-19=skipped",),
    )(open_reader=AsksTwice),
    variant("VAR-WD-13", "Children stand before their parents.")(row(value=lambda elements: elements[::-1])),
)
