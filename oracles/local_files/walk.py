"""The entries below a directory, as far as they can be read: those of a list, and all that a search can meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treeproof.api import Kind, Node, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .outcomes import ExpectedEntry, ExpectedFailure
from .path_resolution import Place, Surroundings

_MAX_BEHIND_LINKS = 200
"""The entries behind links that are walked; further ones are as open as those behind links in a circle."""


@dataclass(frozen=True)
class Walked:
    """All entries below a directory, and the paths of links to directories; behind `open_links` may be anything.

    `has_circle`: a link leads to a directory that is on the path to it. `meets_closed`: a directory below the start,
    and not behind a link, cannot be read.
    """

    entries: tuple[ExpectedEntry, ...]
    links: tuple[str, ...]
    open_links: tuple[str, ...]
    has_circle: bool
    meets_closed: bool


class CannotRead(Exception):
    """A directory, or the metadata of an entry, cannot be read, and the call fails."""


def can_be_read(directory: Node) -> bool:
    """Return whether the names in a directory can be read."""
    return (directory.mode is None or bool(directory.mode & 0o400)) and not directory.faults & {"readdir", "reread"}


def has_metadata(directory: Node) -> bool:
    """Return whether what is in a directory can be looked at."""
    return not directory.children or directory.mode is None or bool(directory.mode & 0o100)


def children(
    place: Place, prefix: bytes, readings: ReadingChoices, *, is_behind_link: bool = False
) -> Iterator[ExpectedEntry]:
    """Yield the entries of a directory. Raises CannotRead if one has no metadata, unless it is behind a link."""
    directory = place[-1]
    is_open = has_metadata(directory)
    if not is_open and not is_behind_link:
        raise CannotRead("the metadata of the entries cannot be read")
    for node in directory.children:
        entry = ExpectedEntry(prefix + node.name, node, place, is_open, is_behind_link)
        if "lstat" not in node.faults:
            yield entry
            continue
        if is_behind_link:  # it may be there or not
            yield ExpectedEntry(prefix + node.name, node, place, False, is_behind_link)
        elif node.error != "ENOENT":
            raise CannotRead("the metadata of an entry cannot be read")
        elif readings.choose("an entry has vanished", ("skipped", "error")) == "error":
            raise CannotRead("an entry has vanished")


def walk(
    start: Place, recursive: bool, surroundings: Surroundings, readings: ReadingChoices
) -> Walked | ExpectedFailure:
    """Return all that a search can meet below a directory that can be read, or why it fails."""
    key = tuple(map(id, start))
    walked = surroundings.walks.get(key)
    if not isinstance(walked, Walked):
        walker = _Walker(surroundings, readings)
        try:
            walker.enter(start)
        except CannotRead as error:
            return ExpectedFailure(str(error), requirement="LF-FIND-01")
        lists = tuple(walker.entries), tuple(walker.links), tuple(walker.open_links)
        walked = Walked(*lists, walker.has_circle, walker.meets_closed)
        if not walker.depends_on_readings:
            surroundings.walks[key] = walked
    if walked.meets_closed and _fails_at_closed(recursive, readings):
        return ExpectedFailure("a directory cannot be searched", requirement="LF-FIND-01")
    return walked


def _fails_at_closed(recursive: bool, readings: ReadingChoices) -> bool:
    """Return whether a search fails at a directory below that cannot be read (AMB-LF-15)."""
    if "error" not in readings.accepted_labels("AMB-LF-15"):
        return False
    is_read = recursive or readings.choose("a directory is read without recursion", (False, True))
    return bool(is_read and readings["AMB-LF-15"] == "error")


class _Walker:
    def __init__(self, surroundings: Surroundings, readings: ReadingChoices) -> None:
        self._surroundings, self._readings = surroundings, readings
        self.entries: list[ExpectedEntry] = []
        self.links: list[str] = []
        self.open_links: list[str] = []
        self.has_circle = False
        self.meets_closed = False
        self.depends_on_readings = False
        self._count_behind = 0

    def enter(self, start: Place) -> None:
        """Walk everything below a directory. `above` are the directories on the path, also those before a link."""
        pending: list[tuple[Place, bytes, Place]] = [(start, b"", start)]
        while pending:
            place, prefix, above = pending.pop()
            is_behind = len(above) > len(place)
            if prefix and not can_be_read(place[-1]):
                self.meets_closed = self.meets_closed or not is_behind
                continue
            for entry in self._children(place, prefix, is_behind):
                self.entries.append(entry)
                below = entry.raw_path + b"/"
                if entry.node.kind is Kind.DIR and entry.has_metadata:
                    pending.append(((*place, entry.node), below, (*above, entry.node)))
                elif entry.is_link and (target := self._link(entry, above)) is not None:
                    pending.append((target, below, (*above, *target)))

    def _children(self, place: Place, prefix: bytes, is_behind: bool) -> list[ExpectedEntry]:
        self.depends_on_readings = self.depends_on_readings or any(one.faults for one in place[-1].children)
        if is_behind:
            self._count_behind += len(place[-1].children)
            return list(children(place, prefix, self._readings, is_behind_link=True))
        try:
            return list(children(place, prefix, self._readings))
        except CannotRead:
            if not prefix:
                raise
            self.meets_closed = True
            return []

    def _link(self, entry: ExpectedEntry, above: Place) -> Place | None:
        """Note a link below which there may be something, and return the directory if it is not on the path already."""
        try:
            way = self._surroundings.follow([entry.node.name], entry.place)
        except Unmodelled:
            self.links.append(entry.path)
            self.open_links.append(entry.path)
            return None
        if way.place is None or way.place[-1].kind is not Kind.DIR:
            return None
        self.links.append(entry.path)
        is_above = any(one is way.place[-1] for one in above)
        self.has_circle = self.has_circle or is_above
        if is_above or self._count_behind > _MAX_BEHIND_LINKS:
            self.open_links.append(entry.path)
            return None
        return way.place
