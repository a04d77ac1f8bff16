"""The resolution of a path in a tree, name by name over directories and links, inside the project root or outside.

A location is the tuple of names that lead to it from the folder that contains the project root, which is named `root`.
The locations above that folder are unknown, and always outside.
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


def is_too_long(path: str) -> bool:
    """Return whether the system refuses a path for its length, or for that of a name in it."""
    text = path.encode("utf-8", "surrogateescape")
    return len(text) > MAX_PATH_BYTES or any(len(part) > MAX_NAME_BYTES for part in text.split(b"/"))


@dataclass(frozen=True)
class ResolvedPath:
    """The end of a path. `node` is None for a missing entry, for the root and for the folder that contains the root.

    `is_unsearchable`: the path leads through a directory that cannot be searched. `through_file`: through an entry that
    is not a directory. `climbs_from_missing`: `..` follows a missing entry. `climbs_from_file`: `..` follows an entry
    that is not a directory. `left_project`: a part of the path leads outside.
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

    def entries(self, location: Location) -> tuple[Node, ...] | None:
        """Return the entries of a directory; None if it does not exist."""
        if location == ():
            return self._beside.entries
        tree = self._project if location[0] == ROOT else self._beside
        names = location[1:] if location[0] == ROOT else location
        if not names:
            return tree.entries
        node = tree.find(b"/".join(names))
        return node.children if node is not None and node.kind is Kind.DIR else None

    def node(self, location: Location) -> Node | None:
        """Return the node at a location; None also for the roots."""
        if location in ((), (ROOT,)) or location == ABOVE_KNOWN:
            return None
        tree = self._project if location[0] == ROOT else self._beside
        return tree.find(b"/".join(location[1:] if location[0] == ROOT else location))

    def resolve(self, start: Location, text: bytes) -> ResolvedPath:
        """Follow a path from a directory. Raises Unmodelled."""
        if is_too_long(text.decode("utf-8", "surrogateescape")):
            raise Unmodelled("a name or path is too long for the system")
        return _PathWalker(self, start).resolve(text)


class _PathWalker:
    def __init__(self, trees: ProjectTrees, start: Location) -> None:
        self.trees = trees
        self.location = start
        self.exists = True
        self.is_unsearchable = self.through_file = self.through_link = False
        self.climbs_from_missing = self.climbs_from_file = self.left_project = False
        self.links = 0

    def resolve(self, text: bytes) -> ResolvedPath:
        pending = self._begin(text)
        while pending:
            name = pending.pop(0)
            if name in (b"", b"."):
                continue
            if name == b"..":
                self._up()
            elif self.location == ABOVE_KNOWN:
                self.exists = False  # unknown, and outside
            else:
                target = self._down(name, bool(pending))
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
                    pending = self._begin(target) + pending
            self.left_project |= self.location[:1] != (ROOT,)
        return ResolvedPath(
            self.location,
            self.trees.node(self.location) if self.exists else None,
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
        for name, location in ((b"$ROOT", (ROOT,)), (b"$OUTSIDE", ())):
            if text == name or text.startswith(name + b"/"):
                self._jump(location)
                return _components(text[len(name) :])
        if text.startswith(b"/"):
            self._jump(ABOVE_KNOWN)
        return _components(text)

    def _jump(self, location: Location) -> None:
        self.location, self.exists = location, True

    def _up(self) -> None:
        node = self.trees.node(self.location) if self.exists else None
        from_file = node is not None and node.kind is not Kind.DIR
        self.climbs_from_missing |= not self.exists  # the text leads back, but the file system cannot follow it
        self.climbs_from_file |= from_file
        if node is not None and not _searchable(node):
            raise Unmodelled("`..` follows a directory that cannot be searched")
        self.location = self.location[:-1] if self.location and self.location != ABOVE_KNOWN else ABOVE_KNOWN
        if (self.climbs_from_missing or self.climbs_from_file) and self.location != ABOVE_KNOWN:
            parent = self.trees.node(self.location)
            self.exists = parent is not None or self.location in ((), (ROOT,))

    def _down(self, name: bytes, is_inner: bool) -> bytes | None:
        """Go to an entry; return the target of a link."""
        directory = self.trees.node(self.location) if self.exists else None
        if not self.exists or self.is_unsearchable:
            self.location = (*self.location, name)
            self.exists = False
            return None
        if directory is not None and directory.kind is not Kind.DIR:
            self.through_file, self.exists = True, False
            self.location = (*self.location, name)
            return None
        if directory is not None and not _searchable(directory):
            self.is_unsearchable = True
            self.exists = False
            self.location = (*self.location, name)
            return None
        if self.location == () and name == ROOT:
            self.location = (ROOT,)
            return None
        found = next((node for node in self.trees.entries(self.location) or () if node.name == name), None)
        if found is None:
            self.exists = False
        elif found.kind is Kind.SYMLINK:
            return found.target
        self.location = (*self.location, name)
        return None


def leads_to_a_directory_inside(trees: ProjectTrees, directory: Location, link: Node) -> bool:
    """Return whether a link leads to a directory inside the project."""
    end = trees.resolve(directory, link.target or b"")
    if end.climbs_from_missing or end.climbs_from_file:
        raise Unmodelled("`..` in a link follows an entry that is not a directory")
    if end.left_project and end.is_inside:
        raise Unmodelled("a link that leads inside by a way through the outside")
    return end.is_inside and end.is_directory and not end.has_link_loop and not end.is_unsearchable


def _components(text: bytes) -> list[bytes]:
    if b"$ROOT" in text or b"$OUTSIDE" in text:
        raise Unmodelled("a placeholder in the middle of a path")
    return text.split(b"/")


def _searchable(node: Node) -> bool:
    return node.mode is None or bool(node.mode & 0o100)


def readable(node: Node | None) -> bool:
    """Return whether the names and the entries of a directory can be read."""
    if node is None or node.mode is None:
        return True
    if node.mode & 0o400 and not node.mode & 0o100:
        raise Unmodelled("a directory that can be listed and not searched")
    return bool(node.mode & 0o400)


def ends_past_a_file(text: str, end: ResolvedPath, readings: ReadingChoices) -> bool:
    """Return whether a path has only dots and slashes after a file, by the reading of AMB-LS-41."""
    if end.exists and not end.is_directory and text.endswith(("/", "/.")):
        return readings["AMB-LS-41"] == "a"
    return False
