"""The walk: which entries a listing has, in traversal order. Knows nothing of documents and budgets.

Depth-first, pre-order, siblings by lossy name (FR-LD-LST-05). An entry's metadata is asked for when its
turn comes and not before, and no directory is opened that need not be: hidden ones, those at the depth
limit, and all that come after the cap is met, unless only their content can tell whether the cap left
anything out.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..directories import Directories, Route
from ..paths import Flavour, lossy
from .entries import Entry, code_of, epoch_ms, type_of
from .request import Request


@dataclass(frozen=True)
class Listing:
    """What a walk found, in traversal order, and whether the cap left a qualifying entry out."""

    entries: list[Entry]
    capped: bool


@dataclass(frozen=True)
class Level:
    """A directory that has been read, and those of its names whose turn has not come: (lossy, raw)."""

    route: Route
    prefix: str  # of its entries' paths
    names: Iterator[tuple[str, bytes]]


@dataclass(frozen=True)
class Closed:
    """A directory of the walk that has not been read. `index` is its place among what was found, if any."""

    route: Route
    entry: Entry
    index: int | None


class Walk:
    """One walk over one directory. Every decision is a method of its own."""

    def __init__(self, directories: Directories, request: Request, flavour: Flavour) -> None:
        self._directories = directories
        self._request = request
        self._flavour = flavour
        self._found: list[Entry] = []
        self._admitted = {
            "file": request.include_files,
            "dir": request.include_dirs,  # left out of the result, walked all the same (AMB-LD-08)
            "symlink": request.include_symlinks,
            "other": request.include_other,
            "unknown": True,  # no switch hides a failure (FR-LD-LST-04, AMB-LD-06)
        }

    def run(self) -> Listing:
        """Raises OSError if the requested directory itself cannot be read (AMB-LD-10)."""
        levels = [self._read((), "")]
        closed: list[Closed] = []
        while levels and not self._is_full():
            following = next(levels[-1].names, None)
            if following is None:
                levels.pop()
                continue
            entry = self._examine(levels[-1], *following)
            index = self._take(entry)
            if not self._is_walked(entry):
                continue
            directory = Closed((*levels[-1].route, following[1]), entry, index)
            if self._is_full():
                closed.append(directory)
            elif (below := self._open(directory)) is not None:
                levels.append(below)
            else:
                self._report_unreadable(directory)
        return Listing(self._found, capped=self._is_full() and self._is_more(levels, closed))

    def _is_more(self, levels: list[Level], closed: list[Closed]) -> bool:
        """Whether anything else qualifies (AMB-LD-01): looked for first among the names already read.

        Opening another directory is the last resort and ends with the first that qualifies (AMB-LD-02).
        """
        for level in reversed(levels):
            if self._has_more(level, closed):
                return True
        for directory in closed:  # grows meanwhile
            below = self._open(directory)
            if below is not None:
                if self._has_more(below, closed):
                    return True
            elif directory.index is None:  # as a failure it qualifies, and would be one more
                return True
            else:
                self._report_unreadable(directory)
        return False

    def _has_more(self, level: Level, closed: list[Closed]) -> bool:
        for lossy_name, name in level.names:
            entry = self._examine(level, lossy_name, name)
            if self._admits(entry):
                return True
            if self._is_walked(entry):
                closed.append(Closed((*level.route, name), entry, None))
        return False

    def _is_full(self) -> bool:
        return len(self._found) >= self._request.max_entries

    def _take(self, entry: Entry) -> int | None:
        """Adds the entry if the switches admit it; filters come before counting (FR-LD-LST-06)."""
        if not self._admits(entry):
            return None
        self._found.append(entry)
        return len(self._found) - 1

    def _admits(self, entry: Entry) -> bool:
        return self._admitted[entry.type]

    def _is_walked(self, entry: Entry) -> bool:
        return entry.type == "dir" and entry.depth < self._request.max_depth

    def _read(self, route: Route, prefix: str) -> Level:
        """Reads a directory's names. Hidden ones end here: they are not counted, asked about or entered."""
        names = [(self._text(name), name) for name in self._directories.names(route)]
        if not self._request.include_hidden:
            names = [both for both in names if not self._is_hidden(both[0])]
        return Level(route, prefix, iter(self._ordered(names)))

    def _text(self, name: bytes) -> str:
        return lossy(name, self._flavour)

    def _is_hidden(self, lossy_name: str) -> bool:
        return lossy_name.startswith(".")  # FR-LD-LST-06a: the name alone decides

    def _ordered(self, names: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        """By lossy name, and by raw name where two of them look alike (AMB-LD-13)."""
        return sorted(names)

    def _open(self, directory: Closed) -> Level | None:
        try:
            return self._read(directory.route, f"{directory.entry.path}/")
        except OSError:
            return None

    def _report_unreadable(self, directory: Closed) -> None:
        """The directory's own entry becomes the report (AMB-LD-03) and keeps its mtime (AMB-LD-04)."""
        report = replace(directory.entry, type="unknown", error_code="read_dir_failed")
        if directory.index is None:  # the switches left directories out, but not failures (AMB-LD-09)
            self._found.append(report)
        else:
            self._found[directory.index] = report

    def _examine(self, level: Level, lossy_name: str, name: bytes) -> Entry:
        """The entry with its own metadata, or without if there is none to be had (FR-LD-LST-04)."""
        nothing = Entry(
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
            found = self._directories.lstat(level.route, name)
        except (OSError, ValueError) as failure:
            return self._without(nothing, failure)
        return self._with(nothing, found)

    def _with(self, entry: Entry, found: os.stat_result) -> Entry:
        kind = type_of(found)
        return replace(
            entry,
            type=kind,
            size_bytes=found.st_size if kind == "file" else None,
            modified_epoch_ms=epoch_ms(found.st_mtime_ns),
        )

    def _without(self, entry: Entry, failure: Exception) -> Entry:
        return replace(entry, error_code=code_of(failure))
