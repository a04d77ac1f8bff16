"""Variants: entries without metadata, and directories that cannot be read."""

import errno
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan
from treeproof.reference_impl.list_directory.document import Document, JsonValue
from treeproof.reference_impl.list_directory.entries import Entry, ErrorCode
from treeproof.reference_impl.list_directory.walk import Listing, ReadDirectory, UnreadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, PathReader, Route
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.variant import variant
from .readers import ExtendedReader, ReadsRecords, require_place

NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG})


class AppendsReport(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if not self._is_full():
            super()._report_unreadable(replace(directory, index=None))

    def _failure_qualifies(self, directory: UnreadDirectory) -> bool:
        return True


class ReportsWithoutTime(Walk):
    def _unreadable_entry(self, entry: Entry) -> Entry:
        return replace(super()._unreadable_entry(entry), modified_epoch_ms=None)


class ReportsWithoutText(Document):
    text: JsonValue = None

    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        return members | {"error": self.text} if entry.error_code == "read_dir_failed" else members


class ReportsWithEmptyText(ReportsWithoutText):
    text = ""


class TextsOfTheSystem(Document):
    """The error text is what the system says, with the path."""

    errors: Mapping[str, int] = {
        "permission_denied": errno.EACCES,
        "read_dir_failed": errno.EACCES,
        "metadata_unavailable": errno.ENOENT,
        "io_error": errno.EIO,
    }

    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        if not members["error"]:
            return members
        error = self.errors.get(entry.error_code or "", errno.EINVAL)
        return members | {"error": str(OSError(error, os.strerror(error), entry.path))}


class ListsNothing(ListDirectory):
    """A requested directory that is there and cannot be read has no entries."""

    def unreadable_listing(self, plan: ListingPlan, error: OSError) -> Listing:
        if plan.place.blocking_errno is not None or error.errno in NOT_THERE:
            return super().unreadable_listing(plan, error)
        return Listing(self.entries_instead(plan), capped=False)

    def entries_instead(self, plan: ListingPlan) -> list[Entry]:
        return []


class ListsItself(ListsNothing):
    path = "."

    def entries_instead(self, plan: ListingPlan) -> list[Entry]:
        entry = Entry(".", self.path, 0, "unknown", None, None, False, "read_dir_failed", b".")
        walk = self.walk(NoReader(), plan.request, plan.flavour)
        return [entry] if walk._is_included(entry) else []


class ListsItselfWithoutPath(ListsItself):
    path = ""


class NoReader:
    """Reads nothing."""

    def list_names(self, route: Route) -> list[bytes]:
        return []

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    def __enter__(self) -> "NoReader":
        return self

    def __exit__(self, *failure: Any) -> None:
        pass


class CodesBy(Walk):
    """The code of missing metadata; `codes` has another one for a code of the reference."""

    codes: dict[ErrorCode | None, ErrorCode] = {}

    def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
        right = super()._without_metadata(entry, failure)
        return replace(right, error_code=self.code_of(right.error_code, failure))

    def code_of(self, right: ErrorCode | None, failure: Exception) -> ErrorCode | None:
        return right


class AlwaysUnavailable(CodesBy):
    def code_of(self, right: ErrorCode | None, failure: Exception) -> ErrorCode | None:
        return "metadata_unavailable"


class VanishedIsIoError(CodesBy):
    def code_of(self, right: ErrorCode | None, failure: Exception) -> ErrorCode | None:
        return "io_error" if isinstance(failure, FileNotFoundError) else right


class VanishedIsUnknown(CodesBy):
    def code_of(self, right: ErrorCode | None, failure: Exception) -> ErrorCode | None:
        return "unknown" if isinstance(failure, FileNotFoundError) else right


class AlwaysIoError(CodesBy):
    def code_of(self, right: ErrorCode | None, failure: Exception) -> ErrorCode | None:
        return "io_error"


class AlwaysUnknown(CodesBy):
    def code_of(self, right: ErrorCode | None, failure: Exception) -> ErrorCode | None:
        return "unknown"


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
    """A directory that cannot be searched is one that cannot be read."""

    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        self._reader.lstat(route, b".")
        return super()._read_directory(route, prefix)


class JoinsPaths(ExtendedReader):
    """Reads with joined paths."""

    def open_inner(self, place: Place, flavour: Flavour) -> DirectoryReader:
        require_place(place)
        return PathReader(place, flavour)


class OpensEachStep(ExtendedReader):
    """Each directory on the way is opened for reading."""

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


class StaysOnDevice(Walk):
    """Another file system is listed as a directory and not entered."""

    _devices: dict[bytes, int] | None = None

    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        self._devices = {**(self._devices or {}), entry.raw_path: found.st_dev}
        return super()._with_metadata(entry, found)

    def _is_entered(self, entry: Entry) -> bool:
        if not super()._is_entered(entry):
            return False
        device = (self._devices or {}).get(entry.raw_path)
        return device is None or device == self._reader.lstat((), b".").st_dev


VARIANTS = (
    variant("AMB-LD-03=append", "A failed directory is listed twice.")(walk=AppendsReport),
    variant("AMB-LD-04=b", "A failed directory has no time.")(walk=ReportsWithoutTime),
    variant("AMB-LD-05=b", "A failed directory has no error text.")(document=ReportsWithoutText),
    variant("VAR-LD-05", "A failed directory has an empty error text.", {"AMB-LD-05": "b"}, excludes=("AMB-LD-05=b",))(
        document=ReportsWithEmptyText
    ),
    variant("AMB-LD-10=empty", "A requested directory that cannot be read is empty.")(tool=ListsNothing),
    variant("AMB-LD-10=unknown_entry", "A requested directory that cannot be read lists itself.")(tool=ListsItself),
    variant(
        "VAR-LD-10",
        "A requested directory that cannot be read lists itself with an empty path.",
        {"AMB-LD-10": "unknown_entry"},
        excludes=("AMB-LD-67=b",),
    )(tool=ListsItselfWithoutPath),
    variant("AMB-LD-11=b", "Every code of missing metadata is the same.")(walk=AlwaysUnavailable),
    variant("AMB-LD-11=c", "An entry that vanished is an input/output error.")(walk=VanishedIsIoError),
    variant("VAR-LD-11-1", "An entry that vanished is an unknown error.", {"AMB-LD-11": "c"})(walk=VanishedIsUnknown),
    variant("AMB-LD-11=d", "Every cause is an input/output error.")(walk=AlwaysIoError),
    variant("VAR-LD-11-2", "Every cause is an unknown error.", {"AMB-LD-11": "d"})(walk=AlwaysUnknown),
    variant("AMB-LD-46=a", "The names that came before a failure are kept.")(walk=KeepsPart, open_reader=PartialReader),
    variant("AMB-LD-53=b", "Entries are read by their whole paths.")(open_reader=JoinsPaths),
    variant("AMB-LD-55=b", "Error texts are those of the system, with the path.")(document=TextsOfTheSystem),
    variant("AMB-LD-57=b", "A directory that cannot be searched is reported as failed.")(walk=EntersFirst),
    variant("AMB-LD-60=b", "Other file systems are not entered.")(walk=StaysOnDevice),
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
