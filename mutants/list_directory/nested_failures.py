"""Mutants: errors with failures and omitted directories below the first level."""

import errno
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import ReadDirectory, UnreadDirectory, Walk

from ..shared.mutant import Mutant
from .builders import build_mutant
from .traversal import with_walk
from .type_switches import dropping_names
from .unreadable_entries import NO_METADATA, only_permission

VERSIONS = (".git", ".hg", ".svn")
PRODUCTS = ("dist", "vendor", ".cache", "lost+found")
LEFTOVERS = (b"Thumbs.db", b"desktop.ini", b".DS_Store")


class DropsVanished(Walk):
    """Omits vanished entries in recursive listings."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._vanished: set[bytes] = set()

    def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
        if isinstance(failure, FileNotFoundError) and self._request.max_depth > 1:
            self._vanished.add(entry.raw_path)
        return super()._without_metadata(entry, failure)

    def _is_included(self, entry: Entry) -> bool:
        return super()._is_included(entry) and entry.raw_path not in self._vanished


class FailsFurtherDown(Walk):
    """Missing metadata below the first level fail the call, except for a missing permission."""

    def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
        if entry.depth > 1 and isinstance(failure, OSError) and not only_permission(failure):
            raise failure
        return super()._without_metadata(entry, failure)


class FailsWhenRecursive(Walk):
    def _without_metadata(self, entry: Entry, failure: Exception) -> Entry:
        is_meant = entry.depth == 1 < self._request.max_depth
        if is_meant and isinstance(failure, OSError) and not only_permission(failure):
            raise failure
        return super()._without_metadata(entry, failure)


def reading_failures_as_empty(*codes: int) -> type[Walk]:
    """Return a reader that reports nested directories with these failures as empty."""

    class Empty(Walk):
        def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
            try:
                return self._read_directory(directory.route, f"{directory.entry.path}/")
            except OSError as failure:
                is_meant = directory.entry.depth > 1 and failure.errno in codes
                return ReadDirectory(directory.route, "", iter(())) if is_meant else None

    return Empty


def failing_on_unreadable(is_meant: Callable[[UnreadDirectory, OSError], bool]) -> type[Walk]:
    """Return a walk in which some unreadable directories fail the call."""

    class Ending(Walk):
        def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
            try:
                return self._read_directory(directory.route, f"{directory.entry.path}/")
            except OSError as failure:
                if is_meant(directory, failure):
                    raise
                return None

    return Ending


class MarksTheFirst(Walk):
    """Finds the entry of an unreadable directory by its path."""

    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        index = directory.index
        if index is not None:
            paths = [entry.path for entry in self._entries]
            index = paths.index(directory.entry.path)
            directory = replace(directory, entry=self._entries[index], index=index)
        super()._report_unreadable(directory)


def not_entering(is_closed: Callable[[Entry], bool]) -> type[Walk]:
    """Return a walk that lists some directories and does not enter them."""

    class Closing(Walk):
        def _is_entered(self, entry: Entry) -> bool:
            return super()._is_entered(entry) and not is_closed(entry)

    return Closing


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-760",
        "Vanished entries are omitted in recursive listings.",
        "FR-LD-LST-04 FR-LD-ERR-04",
        tool=with_walk(DropsVanished),
    ),
    build_mutant(
        "MUT-761",
        "Below the first level, only a missing permission to read metadata is tolerated.",
        "FR-LD-LST-04 FR-LD-ERR-04",
        tool=with_walk(FailsFurtherDown),
    ),
    build_mutant(
        "MUT-762",
        "On the first level of a recursive listing, only a missing permission to read metadata is tolerated.",
        "FR-LD-LST-04",
        NO_METADATA,
        tool=with_walk(FailsWhenRecursive),
    ),
    build_mutant(
        "MUT-763",
        "Below the first level, a vanished directory is reported as empty.",
        "FR-LD-LST-08",
        tool=with_walk(reading_failures_as_empty(errno.ENOENT)),
    ),
    build_mutant(
        "MUT-764",
        "Below the first level, a directory that became a file is reported as empty.",
        "FR-LD-LST-08",
        tool=with_walk(reading_failures_as_empty(errno.ENOTDIR)),
    ),
    build_mutant(
        "MUT-765",
        "Below the first level, only a missing permission to read a directory is tolerated.",
        "FR-LD-LST-08",
        tool=with_walk(
            failing_on_unreadable(lambda directory, failure: directory.entry.depth > 1 and not only_permission(failure))
        ),
    ),
    build_mutant(
        "MUT-766",
        "A stale handle, a refusal and a lack of memory or files fail the call.",
        "FR-LD-LST-08",
        tool=with_walk(
            failing_on_unreadable(
                lambda _, failure: failure.errno in (errno.ESTALE, errno.EPERM, errno.ENOMEM, errno.ENFILE)
            )
        ),
    ),
    build_mutant(
        "MUT-767",
        "Of two directories with equal converted names, the first is reported as unreadable.",
        "FR-LD-LST-08",
        tool=with_walk(MarksTheFirst),
    ),
    build_mutant(
        "MUT-768",
        "Directories with paths near the system's limit are not entered, silently.",
        "FR-LD-LST-02",
        tool=with_walk(not_entering(lambda entry: len(entry.raw_path) >= 3796)),
    ),
    build_mutant(
        "MUT-771",
        "Directories of version control systems are not entered.",
        "FR-LD-LST-02",
        tool=with_walk(not_entering(lambda entry: entry.name in VERSIONS)),
    ),
    build_mutant(
        "MUT-772",
        "Directories with build products are not entered.",
        "FR-LD-LST-02",
        tool=with_walk(not_entering(lambda entry: entry.name in PRODUCTS)),
    ),
    build_mutant(
        "MUT-773",
        "Files that desktops leave behind are not listed.",
        "FR-LD-LST-02",
        tool=dropping_names(lambda name: name in LEFTOVERS),
    ),
    build_mutant(
        "MUT-774",
        "Files that file systems leave behind are not listed.",
        "FR-LD-LST-02",
        tool=dropping_names(lambda name: name.startswith((b"._", b".nfs"))),
    ),
)
