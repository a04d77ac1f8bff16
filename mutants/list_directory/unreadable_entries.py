"""Mutants: errors with entries without metadata and with unreadable directories."""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document, JsonValue, TruncationReason
from treeproof.reference_impl.list_directory.entries import Entry, EntryType
from treeproof.reference_impl.list_directory.walk import ReadDirectory, UnreadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .implied import LENGTH

NO_METADATA = (
    "FR-LD-LST-04 FR-LD-ERR-04 T-LD-10 EF-05 EF-06 EF-08 EF-09 DOC-06 FR-LD-LST-07 FR-LD-OUT-02 "
    "FR-LD-OUT-02a FR-LD-OUT-02b FR-LD-OUT-05 FR-LD-VAL-06"
)
"""An entry without metadata is listed and counted, has neither size nor time, and passes every switch."""
UNREADABLE = (
    "FR-LD-LST-08 DOC-03 DOC-06 EF-05 EF-06 EF-08 EF-09 FR-LD-DEF-03 FR-LD-OUT-01 FR-LD-OUT-02a FR-LD-OUT-05 T-LD-12"
)
"""An unreadable directory is listed as failed, and so are its siblings."""


def with_walk(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


def with_unknown_members(
    change: Callable[[Entry, dict[str, JsonValue]], dict[str, JsonValue]],
) -> ListDirectory:
    """Return the tool with other members for unknown entries."""

    class ChangingMembers(Document):
        def members(self, entry: Entry) -> dict[str, JsonValue]:
            members = super().members(entry)
            return members | change(entry, members) if entry.type == "unknown" else members

    return ListDirectory(document=ChangingMembers)


class DropsFailures(Walk):
    def _is_included(self, entry: Entry) -> bool:
        return super()._is_included(entry) and entry.type != "unknown"


class UnknownLikeDirectories(Walk):
    def _is_included(self, entry: Entry) -> bool:
        is_without_metadata = entry.type == "unknown" and entry.error_code != "read_dir_failed"
        return super()._is_included(entry) and (self._request.include_dirs or not is_without_metadata)


class CountsKnownKinds(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        self._sorted = super().sort(entries)
        return self._sorted

    def head_and_tail(self, count: int, reason: TruncationReason | None) -> tuple[str, str]:
        known = sum(entry.type != "unknown" or entry.error_code == "read_dir_failed" for entry in self._sorted[:count])
        head, _ = super().head_and_tail(count, reason)
        return head, super().head_and_tail(known, reason)[1]


class DropsVanished(Walk):
    def _is_included(self, entry: Entry) -> bool:
        return super()._is_included(entry) and entry.error_code != "metadata_unavailable"


class GuessesTheKind(Walk):
    def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
        right = super()._without_metadata(entry, failure)
        *route, name = entry.raw_path.split(b"/")
        place = self._reader.join(*route) if isinstance(self._reader, DirectoryReaderWrapper) else b"/"
        for record in os.scandir(place):
            if record.name == name:
                kind: EntryType = (
                    "symlink" if record.is_symlink() else "dir" if record.is_dir(follow_symlinks=False) else "file"
                )
                return replace(right, type=kind, error_code=None)
        return right


class FailsAltogether(Walk):
    def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
        raise ToolError(ErrorKind.EXECUTION_FAILED, "metadata are not available") from failure


class CountsHealthyOnly(Walk):
    def _is_full(self) -> bool:
        # Counted only after that many were found: counting after each entry would be quadratic.
        healthy = (entry.type != "unknown" for entry in self._entries)
        return super()._is_full() and sum(healthy) >= self._request.max_entries


class WithoutUnreadable(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        pass


class Appends(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if not self._is_full():
            self._entries.append(replace(directory.entry, type="unknown", error_code="read_dir_failed"))


class StopsAtTheFirst(Walk):
    _has_failed = False

    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        super()._report_unreadable(directory)
        self._has_failed = True

    def _is_included(self, entry: Entry) -> bool:
        return super()._is_included(entry) and not self._has_failed

    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and not self._has_failed


class FailsWithIt(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        raise ToolError(ErrorKind.EXECUTION_FAILED, "a directory cannot be read")


class Forgets(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if directory.index is not None:
            self._entries.pop(directory.index)


class ProbesWhatItDoesNotEnter(Walk):
    def _add_entry(self, entry: Entry) -> int | None:
        index = super()._add_entry(entry)
        if entry.type == "dir" and not self._is_entered(entry):
            directory = UnreadDirectory(tuple(entry.raw_path.split(b"/")), entry, index)
            if self._try_read_directory(directory) is None:
                self._report_unreadable(directory)
        return index


class KeepsWhatItGot(DirectoryReaderWrapper):
    """A failure while reading counts as the end of the directory."""

    def list_names(self, route: Route) -> list[bytes]:
        try:
            return super().list_names(route)
        except PermissionError:
            raise
        except OSError:
            return list(self._first(route))

    def _first(self, route: Route) -> Iterator[bytes]:
        with os.scandir(self.join(*route)) as records:
            try:
                for record in records:
                    yield record.name
            except OSError:
                return


def only_permission(error: OSError) -> bool:
    return error.errno in (errno.EACCES, errno.EPERM)


class OnlyPermissionIsAFailure(Walk):
    """Failures to read, except for a missing permission, fail the call."""

    def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
        try:
            list(self._reader.list_names(directory.route))
        except OSError as error:
            if not only_permission(error):
                raise ToolError(ErrorKind.EXECUTION_FAILED, "a directory cannot be read") from error
        return super()._try_read_directory(directory)


def by_process(entry: Entry, members: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {"error": f"{members['error']} (process {os.getpid()})"}


class BySequence(Document):
    """Numbers its error texts per process, in one digit, so that their length is constant."""

    count = 0

    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        if entry.error is None:
            return members
        type(self).count += 1
        return members | {"error": f"#{type(self).count % 10}: {entry.error}"}


class AlternatingCodes(Document):
    """Every second entry without metadata has another code."""

    count = 0

    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        if entry.error_code is None or entry.error_code == "read_dir_failed":
            return members
        type(self).count += 1
        return members | {"error_code": ("metadata_unavailable", "unknown")[type(self).count % 2]}


def with_error_code(code: Any, *codes: str) -> ListDirectory:
    """Return the tool with one code for others; without names, for all."""
    return with_unknown_members(lambda entry, _: {"error_code": code} if not codes or entry.error_code in codes else {})


class HealthyHaveEmptyTexts(Document):
    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        return members | {name: members[name] or "" for name in ("error_code", "error")}


METADATA_CODES = ("permission_denied", "metadata_unavailable", "io_error", "unknown")

MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-058", "Entries without metadata are omitted.", NO_METADATA, tool=with_walk(DropsFailures)),
    build_mutant(
        "MUT-059",
        "Without metadata, the type is taken from the directory's records.",
        NO_METADATA,
        tool=ListDirectory(walk=GuessesTheKind, open_reader=DirectoryReaderWrapper),
    ),
    build_mutant(
        "MUT-061",
        "An unreadable directory keeps the type of a directory.",
        UNREADABLE,
        tool=with_walk(WithoutUnreadable),
    ),
    build_mutant(
        "MUT-064",
        "Entries after an unreadable directory are lost.",
        UNREADABLE,
        "FR-LD-OUT-02",  # The disk decides which directory comes first, and so what is lost.
        tool=with_walk(StopsAtTheFirst),
    ),
    build_mutant(
        "MUT-065",
        "Directories that are not entered are opened anyway.",
        "FR-LD-LST-08 NFR-LD-PERF-01 FR-LD-LST-01 FR-LD-LST-06 EF-08 FR-LD-DEF-05 FR-LD-LST-02 FR-LD-VAL-07",
        tool=with_walk(ProbesWhatItDoesNotEnter),
    ),
    build_mutant(
        "MUT-067",
        "Successful entries have empty error texts.",
        "EF-08 EF-09",
        LENGTH,
        "NFR-LD-REL-02",
        tool=ListDirectory(document=HealthyHaveEmptyTexts),
    ),
    build_mutant(
        "MUT-068",
        "Error texts contain the process id.",
        "FR-LD-OUT-02 EF-09",
        tool=with_unknown_members(by_process),
    ),
    build_mutant("MUT-481", "Vanished entries are omitted.", NO_METADATA, tool=with_walk(DropsVanished)),
    build_mutant(
        "MUT-482",
        "An entry without metadata fails the call.",
        "FR-LD-LST-04 FR-LD-ERR-04",
        NO_METADATA,
        tool=with_walk(FailsAltogether),
    ),
    build_mutant(
        "MUT-484",
        "Failed entries do not count towards max_entries.",
        "FR-LD-LST-07 FR-LD-LST-04 FR-LD-LST-08",
        tool=with_walk(CountsHealthyOnly),
    ),
    build_mutant(
        "MUT-485",
        "An unreadable directory fails the call.",
        UNREADABLE,
        "FR-LD-ERR-04",
        tool=with_walk(FailsWithIt),
    ),
    build_mutant("MUT-486", "Unreadable directories are omitted.", UNREADABLE, tool=with_walk(Forgets)),
    build_mutant(
        "MUT-487",
        "A failure while reading a directory counts as its end.",
        "FR-LD-LST-08 FR-LD-VAL-08",
        tool=ListDirectory(open_reader=KeepsWhatItGot),
    ),
    build_mutant(
        "MUT-488",
        "Only a missing permission is tolerated; other failures to read a directory fail the call.",
        "FR-LD-LST-08 T-LD-12",
        tool=with_walk(OnlyPermissionIsAFailure),
    ),
    build_mutant(
        "MUT-490",
        "The code of an unreadable directory is permission_denied.",
        UNREADABLE,
        tool=with_error_code("permission_denied", "read_dir_failed"),
    ),
    build_mutant(
        "MUT-491",
        "The code of missing metadata is read_dir_failed.",
        "EF-08 FR-LD-LST-04 T-LD-10",
        tool=with_error_code("read_dir_failed", *METADATA_CODES),
    ),
    build_mutant(
        "MUT-492",
        "The code is the name of the system error.",
        "EF-08 FR-LD-LST-04 FR-LD-LST-08 T-LD-10 T-LD-12",
        tool=with_error_code("EACCES"),
    ),
    build_mutant(
        "MUT-493",
        "There is no error code.",
        "EF-08 FR-LD-LST-04 FR-LD-LST-08 T-LD-10 T-LD-12",
        tool=with_error_code(None),
    ),
    build_mutant(
        "MUT-923",
        "An input/output error is a missing permission.",
        "EF-08",
        tool=with_error_code("permission_denied", "io_error"),
    ),
    build_mutant(
        "MUT-924",
        "The codes of missing metadata alternate.",
        "FR-LD-OUT-02 EF-08",
        tool=ListDirectory(document=AlternatingCodes),
    ),
    build_mutant(
        "MUT-495",
        "There is no error text.",
        "EF-09 FR-LD-LST-04 T-LD-10",
        tool=with_unknown_members(lambda entry, _: {"error": None}),
    ),
    build_mutant(
        "MUT-496",
        "The error text is empty.",
        "EF-09 FR-LD-LST-04 FR-LD-LST-08 T-LD-10",
        tool=with_unknown_members(lambda entry, _: {"error": ""}),
    ),
    build_mutant(
        "MUT-497",
        "The error text is a number.",
        "EF-09 FR-LD-LST-04 FR-LD-LST-08 T-LD-10",
        tool=with_unknown_members(lambda entry, _: {"error": errno.EACCES}),
    ),
    build_mutant(
        "MUT-498",
        "Error texts are numbered.",
        "FR-LD-OUT-02 EF-09 FR-LD-OUT-05",
        tool=ListDirectory(document=BySequence),
    ),
    build_mutant(
        "MUT-499",
        "The error text is in the language of the environment.",
        "EF-10 EF-09 FR-LD-OUT-02 FR-LD-LST-04",
        tool=with_unknown_members(lambda _, members: {"error": f"{members['error']} [{os.environ.get('LC_ALL', '')}]"}),
    ),
    build_mutant(
        "MUT-989",
        "Entries without metadata are omitted where directories are.",
        "FR-LD-LST-04 FR-LD-ERR-04",
        tool=with_walk(UnknownLikeDirectories),
    ),
    build_mutant(
        "MUT-801",
        "Entries without metadata have the depth 0.",
        "EF-03 EF-02",
        tool=with_unknown_members(
            lambda entry, _: {} if entry.error_code == "read_dir_failed" else {"depth": 0},
        ),
    ),
    build_mutant(
        "MUT-802",
        "returned does not count entries without metadata.",
        "DOC-04 FR-LD-OUT-02b",
        tool=ListDirectory(document=CountsKnownKinds),
    ),
)
