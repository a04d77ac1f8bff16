"""Mutants: unreadable directories that the switches leave out, and those that are walked although they failed."""

import os

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.walk import ReadDirectory, UnreadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import Route

from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .unreadable_entries import with_walk


class ReportsBeyondTheLimit(Walk):
    """Adds the failures that it meets while it looks ahead."""

    def _any_more_qualifies(self, levels: list[ReadDirectory], unread: list[UnreadDirectory]) -> bool:
        found = super()._any_more_qualifies(levels, unread)
        for directory in unread:
            if directory.index is None and self._try_read_directory(directory) is None:
                self._report_unreadable(directory)
        return found


class ReportsAreFree(Walk):
    """Does not count the reports of directories that the switches leave out."""

    def _is_full(self) -> bool:
        reports = 0
        if not self._request.include_dirs:
            reports = sum(entry.error_code == "read_dir_failed" for entry in self._entries)
        return len(self._entries) - reports >= self._request.max_entries


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


MUTANTS = (
    build_mutant(
        "MUT-925",
        "Unreadable directories that the switches leave out are reported beyond the limit.",
        "FR-LD-LST-07",
        tool=with_walk(ReportsBeyondTheLimit),
    ),
    build_mutant(
        "MUT-926",
        "The reports of unreadable directories that the switches leave out are not counted.",
        "FR-LD-LST-07",
        tool=with_walk(ReportsAreFree),
    ),
    build_mutant(
        "MUT-927",
        "A directory that could be read in part is reported as unreadable and walked all the same.",
        "FR-LD-LST-08",
        "FR-LD-VAL-08 FR-LD-VAL-09",
        tool=ListDirectory(open_reader=MarksBrokenRoutes, walk=WalksWhatFailed),
    ),
)
