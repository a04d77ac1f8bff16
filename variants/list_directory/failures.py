"""Variants: entries without metadata, and directories that cannot be read."""

import errno
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.entries import ERROR_MESSAGES, Entry, ErrorCode
from treeproof.reference_impl.list_directory.walk import ReadDirectory, UnreadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, PathReader, Route
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place
from treeproof.rows.list_directory.listing import CUT, Item, ListCall, Listing, failed, succeeded
from treeproof.rows.list_directory.row import row
from treeproof.rows.shared.row import Row

from ..shared.variant import variant
from .readers import ExtendedReader, ReadsRecords, require_place

TOO_SMALL = "list_directory failed: output budget too small"
ERRORS: Mapping[str, int] = {
    "permission_denied": errno.EACCES,
    "read_dir_failed": errno.EACCES,
    "metadata_unavailable": errno.ENOENT,
    "io_error": errno.EIO,
}


class AppendsReport(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if not self._is_full():
            super()._report_unreadable(replace(directory, index=None))

    def _failure_qualifies(self, directory: UnreadDirectory) -> bool:
        return True


def vanished_is(code: ErrorCode) -> type[Walk]:
    """Return the walk with another code for the missing metadata of an entry that vanished."""

    class VanishedIs(Walk):
        def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
            right = super()._without_metadata(entry, failure)
            return replace(right, error_code=code) if isinstance(failure, FileNotFoundError) else right

    return VanishedIs


def code_is(code: ErrorCode) -> Row:
    """Return the row with one code for all missing metadata."""
    return row(on=lambda item: item.lacks_metadata, each=lambda item: item.failed(code, ERROR_MESSAGES[code]))


def unread(**members: Any) -> Row:
    """Return the row with other members of directories that could not be read."""
    return row(on=lambda item: item.is_unread, each=lambda item: {**item.entry, **members})


def text_of_the_system(item: Item) -> str | None:
    """Return the error text that the system has, with the path."""
    error = ERRORS.get(item.code or "", errno.EINVAL)
    return str(OSError(error, os.strerror(error), item.path)) if item.code else None


def listing_instead(**members: Any) -> Row:
    """Return the row that lists an entry in place of a directory that cannot be read."""
    itself = {"name": ".", "depth": 0, "type": "unknown", "size_bytes": None, "modified_epoch_ms": None}
    entry = {**itself, "is_hidden": False, "error_code": "read_dir_failed", "error": "directory cannot be read"}

    def result(sent: ListCall, answer: Any) -> Any:
        if "directory cannot be read" not in (answer.error_message or "") or not os.path.isdir(sent.place):
            return answer
        at = Listing(sent, {"path": sent.path, "max_entries": sent.effective("max_entries")})
        at.items = [Item({"name": ".", "path": "", **entry, **members}, b".", b"", sent)]
        shown, reason = (at.items, None) if at.fits(at.items, None) else ([], CUT)
        fits = at.fits(shown, reason)
        return succeeded(answer, at.text(shown, reason)) if fits else failed(answer, "ExecutionFailed", TOO_SMALL)

    return row(result=result)


class PartialReader(ExtendedReader):
    """Keeps the names that it got before a failure, and remembers the directories that broke off."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        super().__init__(place, flavour)
        self.broken: set[Route] = set()

    def list_names(self, route: Route) -> list[bytes]:
        names: list[bytes] = []
        if not route:
            return super().list_names(route)
        with os.scandir(self.path(route)) as records:
            try:
                names.extend(record.name for record in records)
            except OSError:
                if not names:
                    raise
                self.broken.add(route)
        return names


class KeepsPart(Walk):
    """The names of a directory that broke off are listed; none of them is entered."""

    def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
        level = super()._try_read_directory(directory)
        if directory.route in self._broken():
            self._report_unreadable(directory)
        return level

    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and tuple(entry.raw_path.split(b"/")[:-1]) not in self._broken()

    def _broken(self) -> set[Route]:
        return getattr(self._reader, "broken", set())


class EntersFirst(Walk):
    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        self._reader.lstat(route, b".")
        return super()._read_directory(route, prefix)


class JoinsPaths(ExtendedReader):
    def open_inner(self, place: Place, flavour: Flavour) -> DirectoryReader:
        require_place(place)
        return PathReader(place, flavour)


class OpensEachStep(ExtendedReader):
    def __init__(self, place: Place, flavour: Flavour) -> None:
        path = place.root
        for name in place.components if place.blocking_errno is None else ():
            os.close(os.open(path, os.O_RDONLY))
            path += b"/" + name
        super().__init__(place, flavour)


class EntersByRecordAndReports(Walk):
    """A directory without metadata is entered if the record of its parent calls it a directory."""

    _reader: ReadsRecords

    def _is_entered(self, entry: Entry) -> bool:
        if entry.type != "unknown" or entry.depth >= self._request.max_depth:
            return super()._is_entered(entry)
        *route, name = entry.raw_path.split(b"/")
        return self._reader.has_directory_record(tuple(route), name)


class EntersByRecord(EntersByRecordAndReports):
    """The entry of a directory without metadata tells of a failure already; no other is reported."""

    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if directory.entry.type != "unknown":
            super()._report_unreadable(directory)

    def _failure_qualifies(self, directory: UnreadDirectory) -> bool:
        return super()._failure_qualifies(directory) and directory.entry.type != "unknown"


class TriesByRecord(ReadsRecords):
    """Examines a directory before it reads it, as the C library does."""

    def list_names(self, route: Route) -> list[bytes]:
        self._inner.examine(route)
        return super().list_names(route)


VARIANTS = (
    variant("AMB-LD-03=append", "A failed directory is listed twice.")(walk=AppendsReport),
    variant("AMB-LD-04=b", "A failed directory has no time.")(unread(modified_epoch_ms=None)),
    variant("AMB-LD-05=b", "A failed directory has no error text.")(unread(error=None)),
    variant("VAR-LD-05", "A failed directory has an empty error text.", {"AMB-LD-05": "b"}, excludes=("AMB-LD-05=b",))(
        unread(error="")
    ),
    variant(
        "AMB-LD-10=unknown_entry",
        "A requested directory that cannot be read lists itself.",
        excludes=("AMB-LD-67=b",),
    )(listing_instead(path=".")),
    variant(
        "VAR-LD-10",
        "A requested directory that cannot be read lists itself with an empty path.",
        {"AMB-LD-10": "unknown_entry"},
        excludes=("AMB-LD-67=b",),
    )(listing_instead(path="")),
    variant("AMB-LD-11=b", "Every code of missing metadata is the same.")(code_is("metadata_unavailable")),
    variant("AMB-LD-11=c", "An entry that vanished is an input/output error.")(walk=vanished_is("io_error")),
    variant("VAR-LD-11-1", "An entry that vanished is an unknown error.", {"AMB-LD-11": "c"})(
        walk=vanished_is("unknown")
    ),
    variant("AMB-LD-11=d", "Every cause is an input/output error.")(code_is("io_error")),
    variant("VAR-LD-11-2", "Every cause is an unknown error.", {"AMB-LD-11": "d"})(code_is("unknown")),
    variant("AMB-LD-46=a", "The names that came before a failure are kept.")(walk=KeepsPart, open_reader=PartialReader),
    variant("AMB-LD-53=b", "Entries are read by their whole paths.")(open_reader=JoinsPaths),
    variant("AMB-LD-55=b", "Error texts are those of the system, with the path.")(row(error=text_of_the_system)),
    variant("AMB-LD-57=b", "A directory that cannot be searched is reported as failed.")(walk=EntersFirst),
    variant("AMB-LD-66=b", "A directory without metadata is entered.", excludes=("AMB-LD-53=b",))(
        walk=EntersByRecord, open_reader=ReadsRecords
    ),
    variant(
        "VAR-LD-66",
        "A directory without metadata is tried, and reported if it cannot be read.",
        {"AMB-LD-66": "b"},
        excludes=("AMB-LD-03=append", "AMB-LD-53=b"),
    )(walk=EntersByRecordAndReports, open_reader=TriesByRecord),
    variant("AMB-LD-67=b", "Each directory on the way is opened.")(open_reader=OpensEachStep),
)
