"""Where a path leads in a recipe: step by step over directories and links, inside the project root or out of it.

A place is the names that lead to it from the folder around the project root; the root's own name there is `root`.
What is above that folder is unknown, and outside in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from treeproof.api import Kind, Node, Tree, Unmodelled

from ..shared.reading_choices import ReadingChoices

Location: TypeAlias = tuple[bytes, ...]

ROOT = b"root"
MAX_LINKS, MAX_NAME_BYTES, MAX_PATH_BYTES = 40, 255, 4000
ABOVE_KNOWN: Location = (b"..",)
"""The placeholder for every location above the known folder."""


@dataclass(frozen=True)
class ResolvedPath:
    """Where a path ends. `node` is None where nothing stands, and at the root and the folder around it.

    `barred`: the way leads through a directory that may not be searched. `over_file`: through something that is no
    directory. `by_link`: a link was followed. `loops`: the links have no end. `back`: it goes back from nothing.
    `back_from_file`: it goes back from something that is no directory. `left`: on the way it was outside.
    """

    location: Location
    node: Node | None
    exists: bool
    is_unsearchable: bool = False
    through_file: bool = False
    through_link: bool = False
    has_link_loop: bool = False
    climbs_from_missing: bool = False
    climbs_from_file: bool = False
    left_project: bool = False

    @property
    def is_inside(self) -> bool:
        return self.location[:1] == (ROOT,)

    @property
    def relative(self) -> Location:
        """Return the names from the project root on."""
        return self.location[1:]

    @property
    def is_directory(self) -> bool:
        return self.exists and (self.node is None or self.node.kind is Kind.DIR)


class ProjectTrees:
    """The tree of the project and the one beside it."""

    def __init__(self, project: Tree, beside: Tree) -> None:
        self._project = project
        self._beside = beside

    def entries(self, spot: Location) -> tuple[Node, ...] | None:
        """Return the entries of a directory; None if it does not exist."""
        if spot == ():
            return self._beside.entries
        tree = self._project if spot[0] == ROOT else self._beside
        names = spot[1:] if spot[0] == ROOT else spot
        if not names:
            return tree.entries
        node = tree.find(b"/".join(names))
        return node.children if node is not None and node.kind is Kind.DIR else None

    def node(self, spot: Location) -> Node | None:
        """Return the node at a location; None also for the roots."""
        if spot in ((), (ROOT,)) or spot == ABOVE_KNOWN:
            return None
        tree = self._project if spot[0] == ROOT else self._beside
        return tree.find(b"/".join(spot[1:] if spot[0] == ROOT else spot))

    def resolve(self, start: Location, text: bytes) -> ResolvedPath:
        """Follow a path from a directory. Raises Unmodelled."""
        if len(text) > MAX_PATH_BYTES or any(len(part) > MAX_NAME_BYTES for part in text.split(b"/")):
            raise Unmodelled("a name or path is too long for the system")
        return _PathWalker(self, start).resolve(text)


class _PathWalker:
    def __init__(self, ground: ProjectTrees, start: Location) -> None:
        self.ground = ground
        self.location = start
        self.exists = True
        self.is_unsearchable = self.through_file = self.through_link = False
        self.climbs_from_missing = self.climbs_from_file = self.left_project = False
        self.links = 0

    def resolve(self, text: bytes) -> ResolvedPath:
        steps = self._begin(text)
        while steps:
            step = steps.pop(0)
            if step in (b"", b"."):
                continue
            if step == b"..":
                self._up()
            elif self.location == ABOVE_KNOWN:
                self.exists = False  # unknown, and outside
            else:
                target = self._down(step, bool(steps))
                if target is not None:
                    self.links += 1
                    self.through_link = True
                    if self.links > MAX_LINKS:
                        return ResolvedPath(
                            self.location,
                            None,
                            False,
                            has_link_loop=True,
                            through_link=True,
                            left_project=self.left_project,
                        )
                    steps = self._begin(target) + steps
            self.left_project |= self.location[:1] != (ROOT,)
        return ResolvedPath(
            self.location,
            self.ground.node(self.location) if self.exists else None,
            self.exists,
            self.is_unsearchable,
            self.through_file,
            self.through_link,
            climbs_from_missing=self.climbs_from_missing,
            climbs_from_file=self.climbs_from_file,
            left_project=self.left_project,
        )

    def _begin(self, text: bytes) -> list[bytes]:
        """Return the components of a path; an absolute path changes the location."""
        for name, spot in ((b"$ROOT", (ROOT,)), (b"$OUTSIDE", ())):
            if text == name or text.startswith(name + b"/"):
                self._jump(spot)
                return _components(text[len(name) :])
        if text.startswith(b"/"):
            self._jump(ABOVE_KNOWN)
        return _components(text)

    def _jump(self, spot: Location) -> None:
        self.location, self.exists = spot, True

    def _up(self) -> None:
        node = self.ground.node(self.location) if self.exists else None
        from_file = node is not None and node.kind is not Kind.DIR
        self.climbs_from_missing |= not self.exists  # as a text it leads back; on the disk there is no way
        self.climbs_from_file |= from_file
        if node is not None and not _searchable(node):
            raise Unmodelled("the way leads back out of a directory that may not be searched")
        self.location = self.location[:-1] if self.location and self.location != ABOVE_KNOWN else ABOVE_KNOWN
        if (self.climbs_from_missing or self.climbs_from_file) and self.location != ABOVE_KNOWN:
            here = self.ground.node(self.location)
            self.exists = here is not None or self.location in ((), (ROOT,))

    def _down(self, name: bytes, more: bool) -> bytes | None:
        """Go to an entry; return the target of a link."""
        here = self.ground.node(self.location) if self.exists else None
        if not self.exists or self.is_unsearchable:
            self.location = (*self.location, name)
            self.exists = False
            return None
        if here is not None and here.kind is not Kind.DIR:
            self.through_file, self.exists = True, False
            self.location = (*self.location, name)
            return None
        if here is not None and not _searchable(here):
            self.is_unsearchable = True
            self.exists = False
            self.location = (*self.location, name)
            return None
        if self.location == () and name == ROOT:
            self.location = (ROOT,)
            return None
        found = next((node for node in self.ground.entries(self.location) or () if node.name == name), None)
        if found is None:
            self.exists = False
        elif found.kind is Kind.SYMLINK:
            return found.target
        self.location = (*self.location, name)
        return None


def leads_to_a_directory_inside(ground: ProjectTrees, directory: Location, link: Node) -> bool:
    """Return whether a link leads to a directory inside the project."""
    end = ground.resolve(directory, link.target or b"")
    if end.climbs_from_missing or end.climbs_from_file:
        raise Unmodelled("a link goes back from something that is no directory")
    return end.is_inside and end.is_directory and not end.has_link_loop and not end.is_unsearchable


def _components(text: bytes) -> list[bytes]:
    if b"$" in text:
        raise Unmodelled("a placeholder in the middle of a path")
    return text.split(b"/")


def _searchable(node: Node) -> bool:
    return node.mode is None or bool(node.mode & 0o100)


def readable(node: Node | None) -> bool:
    """Return whether the names and the entries of a directory can be read."""
    if node is None or node.mode is None:
        return True
    if node.mode & 0o400 and not node.mode & 0o100:
        raise Unmodelled("a directory that may be listed and not searched")
    return bool(node.mode & 0o400)


def ends_past_a_file(text: str, end: ResolvedPath, readings: ReadingChoices) -> bool:
    """Return whether a path has only dots and slashes after a file, by the reading of AMB-LS-41."""
    if end.exists and not end.is_directory and text.endswith(("/", "/.")):
        return readings["AMB-LS-41"] == "a"
    return False
