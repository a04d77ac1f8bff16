"""Mutants that remain classes: what they open, or how they take a system call that failed, is seen only inside."""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import replace

from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Listing, ReadDirectory, UnreadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import Route
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant

Failure = Callable[[UnreadDirectory, OSError], bool]


class OpensUnlistedDirectories(Walk):
    """Opens directories that it does not list, to look for entries."""

    def _add_entry(self, entry: Entry) -> int | None:
        if entry.type == "dir" and self._request.max_depth == 1:
            self._try_read_directory(UnreadDirectory((entry.raw_path,), entry, None))
        return super()._add_entry(entry)


class OpensLinkedDirectories(Walk):
    def _add_entry(self, entry: Entry) -> int | None:
        if entry.type == "symlink" and isinstance(self._reader, DirectoryReaderWrapper):
            with contextlib.suppress(OSError):
                os.listdir(self._reader.join(entry.raw_path))
        return super()._add_entry(entry)


class OpensHiddenDirectories(Walk):
    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        for name in self._reader.list_names(route) if self._request.max_depth > 1 else ():
            if name.startswith(b"."):
                with contextlib.suppress(OSError):
                    list(self._reader.list_names((*route, name)))
        return super()._read_directory(route, prefix)


class WalksOn(Walk):
    """The walk continues after the cap."""

    def run(self) -> Listing:
        limit = self._request.max_entries
        self._request = replace(self._request, max_entries=10**9)
        found = super().run().entries
        return Listing(found[:limit], capped=len(found) > limit)


class StaysOnDevice(Walk):
    """Another file system is listed as a directory and not entered."""

    _devices: dict[bytes, int] | None = None

    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        self._devices = {**(self._devices or {}), entry.raw_path: found.st_dev}
        return super()._with_metadata(entry, found)

    def _is_entered(self, entry: Entry) -> bool:
        top = self._reader.lstat((), b".").st_dev
        return super()._is_entered(entry) and (self._devices or {}).get(entry.raw_path, top) == top


class IgnoresOmittedDirectories(Walk):
    def _directory_has_more(self, level: ReadDirectory, closed: list[UnreadDirectory]) -> bool:
        return super()._directory_has_more(level, [])


class FailsWhereItLooksAhead(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if self._is_full():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        super()._report_unreadable(directory)


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


class MarksBrokenRoutes(DirectoryReaderWrapper):
    """Remembers the directories whose reading failed after the first names."""

    def list_names(self, route: Route) -> list[bytes]:
        self.broken_routes = getattr(self, "broken_routes", set[Route]())
        names: list[bytes] = []
        try:
            with os.scandir(self.join(*route)) as records:
                names.extend(record.name for record in records)
        except OSError:
            if not names:
                raise
            self.broken_routes.add(route)
        return names


class WalksWhatFailed(Walk):
    """Reports a directory that could be read in part, and walks on in it."""

    def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
        found = super()._try_read_directory(directory)
        if found is not None and directory.route in getattr(self._reader, "broken_routes", ()):
            self._report_unreadable(directory)
        return found


def failing_where(is_meant: Failure, *, fails: bool) -> type[Walk]:
    """Return the walk in which some failures to read a directory fail the call, or make the directory empty."""

    class Walking(Walk):
        def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
            try:
                return self._read_directory(directory.route, f"{directory.entry.path}/")
            except OSError as failure:
                if not is_meant(directory, failure):
                    return None
                if fails:
                    raise ToolError(ErrorKind.EXECUTION_FAILED, "a directory cannot be read") from failure
                return ReadDirectory(directory.route, "", iter(()))

    return Walking


def empty_below_after(code: int) -> type[Walk]:
    return failing_where(lambda directory, failure: directory.entry.depth > 1 and failure.errno == code, fails=False)


def is_permission(failure: OSError) -> bool:
    return failure.errno in (errno.EACCES, errno.EPERM)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-415", "Hidden directories are opened needlessly.", "FR-LD-LST-06 T-LD-11", walk=OpensHiddenDirectories
    ),
    build_mutant(
        "MUT-487",
        "A failure while reading a directory counts as its end.",
        "FR-LD-LST-08 FR-LD-VAL-08",
        open_reader=KeepsWhatItGot,
    ),
    build_mutant(
        "MUT-488",
        "Only a missing permission is tolerated; other failures to read a directory fail the call.",
        "FR-LD-LST-08 T-LD-12",
        walk=failing_where(lambda directory, failure: not is_permission(failure), fails=True),
    ),
    build_mutant(
        "MUT-512",
        "The targets of links are opened needlessly.",
        "FR-LD-VAL-09",
        walk=OpensLinkedDirectories,
        open_reader=DirectoryReaderWrapper,
    ),
    build_mutant(
        "MUT-515",
        "A flat listing opens the directories that it lists.",
        "NFR-LD-PERF-01 FR-LD-LST-01",
        walk=OpensUnlistedDirectories,
    ),
    build_mutant(
        "MUT-537", "The walk visits the whole tree, whatever the cap.", "NFR-LD-PERF-01 FR-LD-LST-07", walk=WalksOn
    ),
    build_mutant(
        "MUT-681",
        "After the limit is reached, omitted directories are not searched for further entries.",
        "FR-LD-LST-07",
        walk=IgnoresOmittedDirectories,
    ),
    build_mutant(
        "MUT-682",
        "A call fails if the check for further entries meets an unreadable directory.",
        "FR-LD-LST-08",
        walk=FailsWhereItLooksAhead,
    ),
    build_mutant(
        "MUT-763",
        "Below the first level, a vanished directory is reported as empty.",
        "FR-LD-LST-08",
        walk=empty_below_after(errno.ENOENT),
    ),
    build_mutant(
        "MUT-764",
        "Below the first level, a directory that became a file is reported as empty.",
        "FR-LD-LST-08",
        walk=empty_below_after(errno.ENOTDIR),
    ),
    build_mutant(
        "MUT-765",
        "Below the first level, only a missing permission to read a directory is tolerated.",
        "FR-LD-LST-08",
        walk=failing_where(
            lambda directory, failure: directory.entry.depth > 1 and not is_permission(failure), fails=True
        ),
    ),
    build_mutant(
        "MUT-766",
        "A stale handle, a refusal and a lack of memory or files fail the call.",
        "FR-LD-LST-08",
        walk=failing_where(
            lambda _, failure: failure.errno in (errno.ESTALE, errno.EPERM, errno.ENOMEM, errno.ENFILE), fails=True
        ),
    ),
    build_mutant(
        "MUT-927",
        "A directory that could be read in part is reported as unreadable and walked all the same.",
        "FR-LD-LST-08",
        "FR-LD-VAL-08 FR-LD-VAL-09",
        open_reader=MarksBrokenRoutes,
        walk=WalksWhatFailed,
    ),
    build_mutant("MUT-1020", "Other file systems are not entered.", "FR-LD-LST-02", walk=StaysOnDevice),
)
