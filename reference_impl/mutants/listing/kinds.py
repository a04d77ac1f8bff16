"""Wrong in the switches for kinds of entries, and in the pseudo-entries."""

import stat
from collections.abc import Callable
from dataclasses import replace

from ...directories import Directories, Route
from ...list_directory import ListDirectory
from ...listing.entries import Entry, type_of
from ...listing.request import Request
from ...listing.walk import Closed, Walk
from ...paths import Flavour
from ..mutant import Mutant
from .implied import KIND
from .made import wrong
from .through import Through


class PrunesWithoutDirectories(Walk):
    def _is_walked(self, entry: Entry) -> bool:
        return super()._is_walked(entry) and self._request.include_dirs


class FailuresAreOther(Walk):
    def __init__(self, directories: Directories, request: Request, flavour: Flavour) -> None:
        super().__init__(directories, request, flavour)
        self._admitted["unknown"] = request.include_other

    def _report_unreadable(self, directory: Closed) -> None:
        if self._admitted["unknown"]:
            super()._report_unreadable(directory)
        elif directory.index is not None:
            self._found.pop(directory.index)


class FailuresAreFiles(FailuresAreOther):
    """An entry of unknown kind is let in while files are."""

    def __init__(self, directories: Directories, request: Request, flavour: Flavour) -> None:
        super().__init__(directories, request, flavour)
        self._admitted["unknown"] = request.include_files


class UnreadableIsADirectory(Walk):
    def _report_unreadable(self, directory: Closed) -> None:
        if self._request.include_dirs:
            super()._report_unreadable(directory)


class OtherLetsFilesIn(Walk):
    def _admits(self, entry: Entry) -> bool:
        return super()._admits(entry) or (entry.type == "file" and self._request.include_other)


class LinksByTheirTargets(Walk):
    """The switches judge a link by the kind of what it leads to."""

    def _admits(self, entry: Entry) -> bool:
        if entry.type == "symlink" and isinstance(self._directories, Through):
            target = self._directories.target(entry)
            if target is not None:
                return (
                    super()._admits(replace(entry, type=type_of(target))) and self._request.include_symlinks
                )
        return super()._admits(entry)


def deaf_to(kind: str) -> ListDirectory:
    """A switch that does nothing."""

    class Deaf(Walk):
        def __init__(self, directories: Directories, request: Request, flavour: Flavour) -> None:
            super().__init__(directories, request, flavour)
            self._admitted[kind] = True

    return ListDirectory(walk=Deaf)


def other_but(is_other: Callable[[int], bool]) -> ListDirectory:
    """Sees no special files but those of some modes."""

    class Seeing(Walk):
        def _admits(self, entry: Entry) -> bool:
            return super()._admits(entry) and (entry.type != "other" or self._is_seen(entry))

        def _is_seen(self, entry: Entry) -> bool:
            *route, name = entry.raw_path.split(b"/")
            return is_other(self._directories.lstat(tuple(route), name).st_mode)

    return ListDirectory(walk=Seeing)


class WithPseudoEntries(Through):
    def names(self, route: Route) -> list[bytes]:
        return [b".", b"..", *super().names(route)]


class ListsPseudoEntries(Walk):
    def _is_walked(self, entry: Entry) -> bool:
        return super()._is_walked(entry) and entry.name not in (".", "..")


def dropping(is_dropped: Callable[[bytes], bool]) -> ListDirectory:
    """Takes more names for pseudo-entries than there are."""

    class Dropping(Through):
        def names(self, route: Route) -> list[bytes]:
            return [name for name in super().names(route) if not is_dropped(name)]

    return ListDirectory(directories=Dropping)


def walking(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


# An unreadable directory and an entry without metadata are both `unknown`.
FAILURES = (
    "FR-LD-LST-04",
    "FR-LD-LST-08",
    "FR-LD-ERR-04",
    "T-LD-10",
    "T-LD-12",
    "EF-06",
    "EF-08",
    "EF-09",
    "FR-LD-OUT-02b",
    "FR-LD-VAL-06",
)

MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-035",
        "With include_dirs off nothing is entered.",
        "FR-LD-LST-02",
        "FR-LD-LST-07",
        "FR-LD-LST-08",
        "FR-LD-LST-06",
        "FR-LD-VAL-09",
        tool=walking(PrunesWithoutDirectories),
        reading="AMB-LD-08 prune",
    ),
    wrong(
        "MUT-038",
        "Failed entries show only while include_other is on.",
        *FAILURES,
        "FR-LD-LST-02",  # a recursive listing lacks them
        tool=walking(FailuresAreOther),
        reading="AMB-LD-06 include_other",
    ),
    wrong(
        "MUT-424",
        "Failed entries show only while files are on.",
        *FAILURES,
        tool=walking(FailuresAreFiles),
    ),
    wrong(
        "MUT-425",
        "With include_dirs off an unreadable directory is not mentioned.",
        "FR-LD-LST-08",
        tool=walking(UnreadableIsADirectory),
        reading="AMB-LD-09 b",
    ),
    wrong(
        "MUT-426",
        "include_other lets files in that include_files keeps out.",
        "FR-LD-VAL-06",
        "CFG-LD-04",
        "FR-LD-LST-06",
        tool=walking(OtherLetsFilesIn),
    ),
    wrong(
        "MUT-427",
        "The switches judge a link by what it leads to.",
        "EF-04",
        "FR-LD-VAL-05",
        "FR-LD-VAL-09",
        *KIND,
        tool=ListDirectory(walk=LinksByTheirTargets, directories=Through),
    ),
    wrong(
        "MUT-428",
        "include_symlinks does nothing.",
        "FR-LD-VAL-06a",
        "FR-LD-VAL-05",
        "FR-LD-VAL-09",
        "CFG-LD-04",
        "CFG-LD-01",
        *KIND,
        "T-LD-08",
        "EF-04",
        "FR-LD-VAL-07",
        tool=deaf_to("symlink"),
    ),
    wrong(
        "MUT-429",
        "include_files does nothing.",
        "FR-LD-VAL-06a",
        "FR-LD-LST-02",
        "FR-LD-LST-04",
        "FR-LD-VAL-09",
        "FR-LD-VAL-05",
        "FR-LD-VAL-06",
        "FR-LD-LST-06",
        "CFG-LD-04",
        *KIND,
        tool=deaf_to("file"),
    ),
    wrong(
        "MUT-430",
        "include_dirs does nothing.",
        "FR-LD-VAL-06a",
        "FR-LD-VAL-05",
        "FR-LD-LST-06",
        "FR-LD-LST-02",
        "CFG-LD-04",
        *KIND,
        "FR-LD-VAL-09",
        "DOC-06",
        "FR-LD-OUT-02b",
        "FR-LD-VAL-10",
        tool=deaf_to("dir"),
    ),
    wrong(
        "MUT-431",
        "Sockets never show.",
        "FR-LD-VAL-06",
        "EF-04",
        "NFR-LD-REL-02",  # there are fewer entries than the disk has
        tool=other_but(lambda mode: not stat.S_ISSOCK(mode)),
    ),
    wrong(
        "MUT-432",
        "The pseudo-entries are listed among the hidden ones.",
        "FR-LD-LST-03",
        "FR-LD-LST-06",
        "FR-LD-VAL-06a",
        "CFG-LD-04",
        "EF-07",
        "FR-LD-LST-06a",
        "FR-LD-OUT-02",
        "FR-LD-DEF-03",
        "DOC-01",
        "DOC-03",
        "EF-02",
        "FR-LD-LST-04",
        "FR-LD-LST-08",
        "FR-LD-OUT-01",
        "FR-LD-OUT-05",
        "FR-LD-OUT-08",
        "FR-LD-VAL-09",
        "SCH-LD",
        "T-LD-07",
        "T-LD-11",
        tool=ListDirectory(walk=ListsPseudoEntries, directories=WithPseudoEntries),
    ),
    wrong(
        "MUT-433",
        "Every name that starts with two dots is taken for a pseudo-entry.",
        "FR-LD-LST-03",
        "FR-LD-LST-06a",
        tool=dropping(lambda name: name.startswith(b"..")),
    ),
    wrong(
        "MUT-434",
        "Names of dots with blanks among them are taken for pseudo-entries.",
        "FR-LD-LST-03",
        "FR-LD-LST-06a",
        tool=dropping(lambda name: b"." in name and not name.strip(b". ")),
    ),
)
