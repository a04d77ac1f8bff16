"""The walk: the entries of a listing in traversal order. Contains nothing about documents and budgets.

Depth-first, pre-order, siblings by converted name (FR-LD-LST-05). An entry's metadata is read only when the walk
reaches it. A directory is not opened if it is hidden, at the depth limit, or after the cap; except if only its
content can show whether the cap omitted anything.

The cap bounds the memory too (NFR-LD-PERF-01). Of a directory, the walk holds only as many names as it can still list,
and the next one. Only if the switches leave too few names is the directory read again.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest

from ..shared.directory_reader import DirectoryReader, Route
from ..shared.paths import Flavour, decode_lossy
from .entries import Entry, entry_type, error_code_of, to_epoch_ms
from .request import Request

Name = tuple[str, bytes]
"""A name, converted and raw. Pairs have the order of siblings: by converted name, then by raw name (AMB-LD-13)."""

MIN_BATCH = 1000
BATCH_GROWTH = 4


@dataclass(frozen=True)
class Listing:
    """The entries of a walk in traversal order, and whether the cap omitted a qualifying entry."""

    entries: list[Entry]
    capped: bool


@dataclass(frozen=True)
class UnreadDirectory:
    """A directory that has not been read. `index` is its position among the entries, if any."""

    route: Route
    entry: Entry
    index: int | None


@dataclass(frozen=True)
class ReadDirectory:
    """A directory that has been read, and its remaining names in order; taking one can raise OSError.

    `directory` is what it was before, or None for the requested one.
    """

    route: Route
    prefix: str  # of its entries' paths
    remaining_names: Iterator[Name]
    directory: UnreadDirectory | None = None


class Walk:
    """One walk over one directory. Every decision is a method."""

    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
        self._reader = reader
        self._request = request
        self._flavour = flavour
        self._entries: list[Entry] = []
        self._included_types = {
            "file": request.include_files,
            "dir": request.include_dirs,  # omitted from the result, but walked (AMB-LD-08)
            "symlink": request.include_symlinks,
            "other": request.include_other,
            "unknown": True,  # no switch hides a failure (FR-LD-LST-04, AMB-LD-06)
        }

    def run(self) -> Listing:
        """Return the listing. Raises OSError if the requested directory cannot be read (AMB-LD-10)."""
        levels = [self._read_directory((), "")]
        unread: list[UnreadDirectory] = []
        while levels and not self._is_full():
            try:
                following = next(levels[-1].remaining_names, None)
            except OSError as error:
                self._withdraw(levels.pop(), error)
                continue
            if following is None:
                levels.pop()
                continue
            entry = self._read_entry(levels[-1], *following)
            index = self._add_entry(entry)
            if not self._is_entered(entry):
                continue
            directory = UnreadDirectory((*levels[-1].route, following[1]), entry, index)
            if self._is_full():
                unread.append(directory)
            elif (child := self._try_read_directory(directory)) is not None:
                levels.append(child)
            else:
                self._report_unreadable(directory)
        return Listing(self._entries, capped=self._is_full() and self._any_more_qualifies(levels, unread))

    def _any_more_qualifies(self, levels: list[ReadDirectory], unread: list[UnreadDirectory]) -> bool:
        """Return whether another entry qualifies (AMB-LD-01); names that were already read come first.

        Other directories are opened only if necessary, until the first qualifying entry (AMB-LD-02).
        """
        for level in reversed(levels):
            if self._directory_has_more(level, unread):
                return True
        for directory in unread:  # grows during the loop
            child = self._try_read_directory(directory)
            if child is not None:
                if self._directory_has_more(child, unread):
                    return True
            elif self._failure_qualifies(directory):
                return True
            else:
                self._report_unreadable(directory)
        return False

    def _failure_qualifies(self, directory: UnreadDirectory) -> bool:
        """Return whether a directory that cannot be read adds an entry; otherwise its own becomes the report."""
        return directory.index is None

    def _directory_has_more(self, level: ReadDirectory, unread: list[UnreadDirectory]) -> bool:
        try:
            for lossy_name, name in level.remaining_names:
                entry = self._read_entry(level, lossy_name, name)
                if self._is_included(entry):
                    return True
                if self._is_entered(entry):
                    unread.append(UnreadDirectory((*level.route, name), entry, None))
        except OSError:
            return True  # it has more names, and they cannot be had
        return False

    def _is_full(self) -> bool:
        return len(self._entries) >= self._request.max_entries

    def _add_entry(self, entry: Entry) -> int | None:
        """Add the entry if the switches include it; filters come before counting (FR-LD-LST-06)."""
        if not self._is_included(entry):
            return None
        self._entries.append(entry)
        return len(self._entries) - 1

    def _is_included(self, entry: Entry) -> bool:
        return self._included_types[entry.type]

    def _is_entered(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.depth < self._request.max_depth

    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        """Read a directory. Raises OSError if that fails, also half way."""
        count = max(MIN_BATCH, self._request.max_entries - len(self._entries) + 1)
        first = nsmallest(count, self._visible_names(route))
        return ReadDirectory(route, prefix, self._names_in_order(route, first, count))

    def _visible_names(self, route: Route) -> Iterator[Name]:
        """Yield a directory's names, unsorted. Hidden ones are dropped here: not counted, examined or entered."""
        include_hidden = self._request.include_hidden
        for name in self._reader.list_names(route):
            lossy_name = self._decode_name(name)
            if include_hidden or not self._is_hidden(lossy_name):
                yield lossy_name, name

    def _names_in_order(self, route: Route, batch: list[Name], count: int) -> Iterator[Name]:
        """Yield the names of a directory: first `batch`, which are its first `count` ones or all.

        Further batches are read when they are needed, each larger, so that few of them do for any directory.
        """
        while True:
            yield from batch
            if len(batch) < count:
                return
            last = batch[-1]
            count *= BATCH_GROWTH
            batch = nsmallest(count, (name for name in self._visible_names(route) if name > last))

    def _decode_name(self, name: bytes) -> str:
        return decode_lossy(name, self._flavour)

    def _is_hidden(self, lossy_name: str) -> bool:
        return lossy_name.startswith(".")  # FR-LD-LST-06a: only the name decides

    def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
        try:
            level = self._read_directory(directory.route, f"{directory.entry.path}/")
        except OSError:
            return None
        return replace(level, directory=directory)

    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        """Replace the directory's entry by the report (AMB-LD-03), which keeps its mtime (AMB-LD-04)."""
        report = replace(directory.entry, type="unknown", error_code="read_dir_failed")
        if directory.index is None:  # the switches exclude directories, but not failures (AMB-LD-09)
            self._entries.append(report)
        else:
            self._entries[directory.index] = report

    def _withdraw(self, level: ReadDirectory, error: OSError) -> None:
        """Report a directory that failed when it was read again. Nothing below it is listed (AMB-LD-46)."""
        if level.directory is None:
            raise error
        below = b"/".join((*level.route, b""))
        self._entries = [entry for entry in self._entries if not entry.raw_path.startswith(below)]
        self._report_unreadable(level.directory)

    def _read_entry(self, level: ReadDirectory, lossy_name: str, name: bytes) -> Entry:
        """Return the entry with its own metadata, or without it if it cannot be read (FR-LD-LST-04)."""
        unknown = Entry(
            name=lossy_name,
            path=level.prefix + lossy_name,
            depth=len(level.route) + 1,
            type="unknown",
            size_bytes=None,
            modified_epoch_ms=None,
            is_hidden=self._is_hidden(lossy_name),
            error_code=None,
            raw_path=b"/".join((*level.route, name)),
        )
        try:
            found = self._reader.lstat(level.route, name)
        except (OSError, ValueError) as failure:
            return self._without_metadata(unknown, failure)
        return self._with_metadata(unknown, found)

    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        kind = entry_type(found)
        size, modified = found.st_size if kind == "file" else None, to_epoch_ms(found.st_mtime_ns)
        # Not `replace`, which takes three times as long, for each entry of a listing.
        return Entry(entry.name, entry.path, entry.depth, kind, size, modified, entry.is_hidden, None, entry.raw_path)

    def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
        return replace(entry, error_code=error_code_of(failure))
