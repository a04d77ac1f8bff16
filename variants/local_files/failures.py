"""Variants: what cannot be read, names that are not UTF-8, and errors."""

import errno
import os
import stat
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from treeproof.reference_impl.local_files.candidate import FindFiles, ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.variant import Variant, reading_variant

FEW_NAMES = 100
"""Fewer names than these come from the system at once."""


class PassedOver(FileNotFoundError):
    """An entry that the list is without, although it exists."""


class ClosedBelowFails(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        try:
            return super().list_names(below)
        except PermissionError as error:
            if not below:
                raise
            raise ToolError(ErrorKind.EXECUTION_FAILED, "a directory cannot be searched") from error


class VanishedFails(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except PassedOver:
            raise
        except FileNotFoundError as error:
            raise ToolError(ErrorKind.EXECUTION_FAILED, "an entry has gone") from error


class EscapedNames(DirectoryScan):
    def decode_name(self, name: bytes) -> str:
        return name.decode("utf-8", "backslashreplace")


class EscapedTargets(DirectoryScan):
    def decode_target(self, target: bytes) -> str:
        return target.decode("utf-8", "backslashreplace")


class StrictNames(DirectoryScan):
    def decode_name(self, name: bytes) -> str:
        return _decode_strictly(name)


class StrictTargets(DirectoryScan):
    def decode_target(self, target: bytes) -> str:
        return _decode_strictly(target)


def _decode_strictly(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(ErrorKind.EXECUTION_FAILED, f"{text!r} is not UTF-8") from error


class ToldWhenClosed(DirectoryScan):
    """Lists an entry without metadata by the kind that its directory has of it."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except PermissionError:
            return SimpleNamespace(st_mode=self.known_mode(below, name), st_size=0, st_mtime_ns=0)

    def known_mode(self, below: tuple[bytes, ...], name: bytes) -> int:
        with os.scandir(self.join(*below)) as entries:
            found = next(entry for entry in entries if entry.name == name)
            return stat.S_IFDIR if found.is_dir(follow_symlinks=False) else stat.S_IFREG


class ToldWhenBroken(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return SimpleNamespace(st_mode=stat.S_IFREG, st_size=0, st_mtime_ns=0)


class SkippedWhenBroken(DirectoryScan):
    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            raise PassedOver(errno.ENOENT, "cannot be read") from error


class NothingWhenMissing(FindFiles):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return [] if isinstance(error, FileNotFoundError) else super().listing_failed(path, error)


class NothingBelowFiles(FindFiles):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return [] if isinstance(error, NotADirectoryError) else super().listing_failed(path, error)


class NothingWhenClosed(FindFiles):
    def listing_failed(self, path: str, error: OSError) -> Any:
        return [] if isinstance(error, PermissionError) else super().listing_failed(path, error)


class Speechless(ListDirectory):
    def listing_failed(self, path: str, error: OSError) -> Any:
        raise ToolError(ErrorKind.EXECUTION_FAILED, "") from error


class MissesFaults(DirectoryScan):
    """Takes a reading that breaks off after a few names for the end of the directory, as some libraries do."""

    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        found: list[bytes] = []
        try:
            with os.scandir(self.join(*below)) as reading:
                for entry in reading:
                    found.append(entry.name)
        except OSError:
            if not 0 < len(found) < FEW_NAMES:
                raise
        return found


class AsksTwice(DirectoryScan):
    """Asks for the metadata a second time, by another spelling of the path, which no injected fault knows."""

    def lstat(self, below: tuple[bytes, ...], name: bytes) -> Any:
        try:
            return super().lstat(below, name)
        except OSError:
            return os.lstat(self.join(*below, b".", name))


WITHOUT_EFFECT = "The injected fault has no effect on the list."

VARIANTS = (
    reading_variant(
        "AMB-LF-15",
        "error",
        "A directory that cannot be searched fails the search.",
        directory_scan=ClosedBelowFails,
    ),
    reading_variant("AMB-LF-16", "error", "An entry that has gone fails the call.", directory_scan=VanishedFails),
    reading_variant("AMB-LF-17", "other", "Bytes of a name are escaped.", directory_scan=EscapedNames),
    reading_variant("AMB-LF-17", "error", "A name that is not UTF-8 fails the call.", directory_scan=StrictNames),
    reading_variant("AMB-LF-25", "other", "Bytes of a target are escaped.", directory_scan=EscapedTargets),
    reading_variant("AMB-LF-25", "error", "A target that is not UTF-8 fails the call.", directory_scan=StrictTargets),
    reading_variant("AMB-LF-23", "told", "Entries without metadata are listed.", directory_scan=ToldWhenClosed),
    reading_variant("AMB-LF-32", "told", "An entry without metadata is listed.", directory_scan=ToldWhenBroken),
    reading_variant("AMB-LF-32", "skipped", "An entry without metadata is left out.", directory_scan=SkippedWhenBroken),
    reading_variant("AMB-LF-29", "nothing", "Nothing is found in a missing place.", find_files=NothingWhenMissing),
    reading_variant("AMB-LF-30", "nothing", "Nothing is found below a file.", find_files=NothingBelowFiles),
    reading_variant(
        "AMB-LF-31", "nothing", "Nothing is found in a directory that cannot be read.", find_files=NothingWhenClosed
    ),
    Variant(
        "VAR-LF-14",
        "Metadata that a call does not give come from a second one.",
        {"directory_scan": AsksTwice},
        unverified={"LF-ERR-01": WITHOUT_EFFECT},
        excludes=("AMB-LF-32=told", "AMB-LF-32=skipped", "AMB-LF-16=error"),
    ),
    Variant(
        "VAR-LF-15",
        "A reading that breaks off counts as complete.",
        {"directory_scan": MissesFaults},
        unverified={"LF-ERR-01": WITHOUT_EFFECT},
        excludes=("AMB-LF-15=error",),
    ),
    Variant("VAR-LF-11", "Errors have no message.", {"list_directory": Speechless}),
)
