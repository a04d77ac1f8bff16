"""Mutants: errors in the type switches, and in pseudo-entries."""

import stat
from collections.abc import Callable
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.entries import Entry, entry_type
from treeproof.reference_impl.list_directory.request import Request
from treeproof.reference_impl.list_directory.walk import UnreadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, Route
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .implied import KIND


class PrunesWithoutDirectories(Walk):
    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and self._request.include_dirs


class FailuresAreOther(Walk):
    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
        super().__init__(reader, request, flavour)
        self._included_types["unknown"] = request.include_other

    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if self._included_types["unknown"]:
            super()._report_unreadable(directory)
        elif directory.index is not None:
            self._entries.pop(directory.index)


class FailuresAreFiles(FailuresAreOther):
    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
        super().__init__(reader, request, flavour)
        self._included_types["unknown"] = request.include_files


class UnreadableIsADirectory(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if self._request.include_dirs:
            super()._report_unreadable(directory)


class OtherLetsFilesIn(Walk):
    def _is_included(self, entry: Entry) -> bool:
        return super()._is_included(entry) or (entry.type == "file" and self._request.include_other)


class LinksByTheirTargets(Walk):
    def _is_included(self, entry: Entry) -> bool:
        if entry.type == "symlink" and isinstance(self._reader, DirectoryReaderWrapper):
            target = self._reader.stat_link_target(entry.raw_path)
            if target is not None:
                return super()._is_included(replace(entry, type=entry_type(target))) and self._request.include_symlinks
        return super()._is_included(entry)


def ignoring_switch(kind: str) -> ListDirectory:
    """Return the tool without the effect of a switch."""

    class IgnoringSwitch(Walk):
        def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
            super().__init__(reader, request, flavour)
            self._included_types[kind] = True

    return ListDirectory(walk=IgnoringSwitch)


def special_files_except(is_other: Callable[[int], bool]) -> ListDirectory:
    """Return a walk that omits special files except those of some modes."""

    class SelectingSpecialFiles(Walk):
        def _is_included(self, entry: Entry) -> bool:
            return super()._is_included(entry) and (entry.type != "other" or self._is_seen(entry))

        def _is_seen(self, entry: Entry) -> bool:
            *route, name = entry.raw_path.split(b"/")
            return is_other(self._reader.lstat(tuple(route), name).st_mode)

    return ListDirectory(walk=SelectingSpecialFiles)


class WithPseudoEntries(DirectoryReaderWrapper):
    def list_names(self, route: Route) -> list[bytes]:
        return [b".", b"..", *super().list_names(route)]


class ListsPseudoEntries(Walk):
    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and entry.name not in (".", "..")


def dropping_names(is_dropped: Callable[[bytes], bool]) -> ListDirectory:
    """Return a reader that treats more names as pseudo-entries."""

    class Dropping(DirectoryReaderWrapper):
        def list_names(self, route: Route) -> list[bytes]:
            return [name for name in super().list_names(route) if not is_dropped(name)]

    return ListDirectory(open_reader=Dropping)


def with_walk(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


# An unreadable directory and an entry without metadata are both `unknown`.
FAILURES = "FR-LD-LST-04 FR-LD-LST-08 FR-LD-ERR-04 T-LD-10 T-LD-12 EF-06 EF-08 EF-09 FR-LD-OUT-02b FR-LD-VAL-06"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-035",
        "With include_dirs off, no directory is entered.",
        "FR-LD-LST-02 FR-LD-LST-07 FR-LD-LST-08 FR-LD-LST-06 FR-LD-VAL-09",
        tool=with_walk(PrunesWithoutDirectories),
    ),
    build_mutant(
        "MUT-038",
        "Failed entries are listed only with include_other.",
        FAILURES,
        "FR-LD-LST-02",  # A recursive listing lacks them.
        tool=with_walk(FailuresAreOther),
    ),
    build_mutant(
        "MUT-424",
        "Failed entries are listed only with include_files.",
        FAILURES,
        tool=with_walk(FailuresAreFiles),
    ),
    build_mutant(
        "MUT-425",
        "With include_dirs off, an unreadable directory is omitted.",
        "FR-LD-LST-08",
        tool=with_walk(UnreadableIsADirectory),
    ),
    build_mutant(
        "MUT-426",
        "include_other includes files that include_files excludes.",
        "FR-LD-VAL-06 CFG-LD-04 FR-LD-LST-06",
        tool=with_walk(OtherLetsFilesIn),
    ),
    build_mutant(
        "MUT-427",
        "The switches treat a link as its target.",
        "EF-04 FR-LD-VAL-05 FR-LD-VAL-09",
        KIND,
        tool=ListDirectory(walk=LinksByTheirTargets, open_reader=DirectoryReaderWrapper),
    ),
    build_mutant(
        "MUT-428",
        "include_symlinks has no effect.",
        "FR-LD-VAL-06a FR-LD-VAL-05 FR-LD-VAL-09 CFG-LD-04 CFG-LD-01",
        KIND,
        "T-LD-08 EF-04 FR-LD-VAL-07",
        tool=ignoring_switch("symlink"),
    ),
    build_mutant(
        "MUT-429",
        "include_files has no effect.",
        "FR-LD-VAL-06a FR-LD-LST-02 FR-LD-LST-04 FR-LD-VAL-09 FR-LD-VAL-05 FR-LD-VAL-06 FR-LD-LST-06 CFG-LD-04",
        KIND,
        tool=ignoring_switch("file"),
    ),
    build_mutant(
        "MUT-430",
        "include_dirs has no effect.",
        "FR-LD-VAL-06a FR-LD-VAL-05 FR-LD-LST-06 FR-LD-LST-02 CFG-LD-04",
        KIND,
        "FR-LD-VAL-09 DOC-06 FR-LD-OUT-02b FR-LD-VAL-10",
        tool=ignoring_switch("dir"),
    ),
    build_mutant(
        "MUT-431",
        "Sockets are never listed.",
        "FR-LD-VAL-06 EF-04 NFR-LD-REL-02",  # There are fewer entries than on the disk.
        tool=special_files_except(lambda mode: not stat.S_ISSOCK(mode)),
    ),
    build_mutant(
        "MUT-432",
        "The pseudo-entries are listed among the hidden entries.",
        "FR-LD-LST-03 FR-LD-LST-06 FR-LD-VAL-06a CFG-LD-04 EF-07 FR-LD-LST-06a FR-LD-OUT-02 FR-LD-DEF-03 "
        "DOC-01 DOC-03 EF-02 FR-LD-LST-04 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-05 FR-LD-OUT-08 FR-LD-VAL-09 "
        "SCH-LD T-LD-07 T-LD-11",
        tool=ListDirectory(walk=ListsPseudoEntries, open_reader=WithPseudoEntries),
    ),
    build_mutant(
        "MUT-433",
        "Every name that begins with two dots counts as a pseudo-entry.",
        "FR-LD-LST-03 FR-LD-LST-06a",
        tool=dropping_names(lambda name: name.startswith(b"..")),
    ),
    build_mutant(
        "MUT-434",
        "Names of dots and blanks count as pseudo-entries.",
        "FR-LD-LST-03 FR-LD-LST-06a",
        tool=dropping_names(lambda name: b"." in name and not name.strip(b". ")),
    ),
)
