"""Where a path leads in a recipe: step by step over directories and links, inside the project root or out of it.

A place is the names that lead to it from the folder around the project root; the root's own name there is `root`.
What is above that folder is unknown, and outside in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from treeproof.search.model import Unmodelled
from treeproof.tree import Kind, Node, Tree

from .readings import Run

Spot: TypeAlias = tuple[bytes, ...]

ROOT = b"root"
MOST_LINKS, LONGEST_NAME, LONGEST_PATH = 40, 255, 4000
ABOVE: Spot = (b"..",)
"""Stands for every place above the known folder."""


@dataclass(frozen=True)
class End:
    """Where a path ends. `node` is None where nothing stands, and at the root and the folder around it.

    `barred`: the way leads through a directory that may not be searched. `over_file`: through something that is no
    directory. `by_link`: a link was followed. `loops`: the links have no end. `back`: it goes back from nothing.
    `back_from_file`: it goes back from something that is no directory. `left`: on the way it was outside.
    """

    spot: Spot
    node: Node | None
    exists: bool
    barred: bool = False
    over_file: bool = False
    by_link: bool = False
    loops: bool = False
    back: bool = False
    back_from_file: bool = False
    left: bool = False

    @property
    def is_inside(self) -> bool:
        return self.spot[:1] == (ROOT,)

    @property
    def below(self) -> Spot:
        """The names from the project root on."""
        return self.spot[1:]

    @property
    def is_directory(self) -> bool:
        return self.exists and (self.node is None or self.node.kind is Kind.DIR)


class Ground:
    """The recipe of the project and what lies beside it."""

    def __init__(self, project: Tree, beside: Tree) -> None:
        self._project = project
        self._beside = beside

    def entries(self, spot: Spot) -> tuple[Node, ...] | None:
        """What stands in a directory; None where there is none."""
        if spot == ():
            return self._beside.entries
        tree = self._project if spot[0] == ROOT else self._beside
        names = spot[1:] if spot[0] == ROOT else spot
        if not names:
            return tree.entries
        node = tree.find(b"/".join(names))
        return node.children if node is not None and node.kind is Kind.DIR else None

    def node(self, spot: Spot) -> Node | None:
        """What stands at a place; None at the roots, too."""
        if spot in ((), (ROOT,)) or spot == ABOVE:
            return None
        tree = self._project if spot[0] == ROOT else self._beside
        return tree.find(b"/".join(spot[1:] if spot[0] == ROOT else spot))

    def walk(self, start: Spot, text: bytes) -> End:
        """Follow a path from a directory. Raises Unmodelled."""
        if len(text) > LONGEST_PATH or any(len(part) > LONGEST_NAME for part in text.split(b"/")):
            raise Unmodelled("a name or path is too long for the system")
        return _Walk(self, start).along(text)


class _Walk:
    def __init__(self, ground: Ground, start: Spot) -> None:
        self.ground = ground
        self.spot = start
        self.exists = True
        self.barred = self.over_file = self.by_link = False
        self.back = self.back_from_file = self.left = False
        self.links = 0

    def along(self, text: bytes) -> End:
        steps = self._begun(text)
        while steps:
            step = steps.pop(0)
            if step in (b"", b"."):
                continue
            if step == b"..":
                self._up()
            elif self.spot == ABOVE:
                self.exists = False  # unknown, and outside
            else:
                target = self._down(step, bool(steps))
                if target is not None:
                    self.links += 1
                    self.by_link = True
                    if self.links > MOST_LINKS:
                        return End(self.spot, None, False, loops=True, by_link=True, left=self.left)
                    steps = self._begun(target) + steps
            self.left |= self.spot[:1] != (ROOT,)
        return End(
            self.spot,
            self.ground.node(self.spot) if self.exists else None,
            self.exists,
            self.barred,
            self.over_file,
            self.by_link,
            back=self.back,
            back_from_file=self.back_from_file,
            left=self.left,
        )

    def _begun(self, text: bytes) -> list[bytes]:
        """The steps of a path; an absolute one begins elsewhere."""
        for name, spot in ((b"$ROOT", (ROOT,)), (b"$OUTSIDE", ())):
            if text == name or text.startswith(name + b"/"):
                self._jump(spot)
                return _steps(text[len(name) :])
        if text.startswith(b"/"):
            self._jump(ABOVE)
        return _steps(text)

    def _jump(self, spot: Spot) -> None:
        self.spot, self.exists = spot, True

    def _up(self) -> None:
        node = self.ground.node(self.spot) if self.exists else None
        from_file = node is not None and node.kind is not Kind.DIR
        self.back |= not self.exists  # as a text it leads back; on the disk there is no way
        self.back_from_file |= from_file
        if node is not None and not _searchable(node):
            raise Unmodelled("the way leads back out of a directory that may not be searched")
        self.spot = self.spot[:-1] if self.spot and self.spot != ABOVE else ABOVE
        if (self.back or self.back_from_file) and self.spot != ABOVE:
            here = self.ground.node(self.spot)
            self.exists = here is not None or self.spot in ((), (ROOT,))

    def _down(self, name: bytes, more: bool) -> bytes | None:
        """Go to an entry. Returns the target of a link that is to be followed."""
        here = self.ground.node(self.spot) if self.exists else None
        if not self.exists or self.barred:
            self.spot = (*self.spot, name)
            self.exists = False
            return None
        if here is not None and here.kind is not Kind.DIR:
            self.over_file, self.exists = True, False
            self.spot = (*self.spot, name)
            return None
        if here is not None and not _searchable(here):
            self.barred = True
            self.exists = False
            self.spot = (*self.spot, name)
            return None
        if self.spot == () and name == ROOT:
            self.spot = (ROOT,)
            return None
        found = next((node for node in self.ground.entries(self.spot) or () if node.name == name), None)
        if found is None:
            self.exists = False
        elif found.kind is Kind.SYMLINK:
            return found.target
        self.spot = (*self.spot, name)
        return None


def leads_to_a_directory_inside(ground: Ground, directory: Spot, link: Node) -> bool:
    """Whether a link leads to a directory inside the project."""
    end = ground.walk(directory, link.target or b"")
    if end.back or end.back_from_file:
        raise Unmodelled("a link goes back from something that is no directory")
    return end.is_inside and end.is_directory and not end.loops and not end.barred


def _steps(text: bytes) -> list[bytes]:
    if b"$" in text:
        raise Unmodelled("a placeholder in the middle of a path")
    return text.split(b"/")


def _searchable(node: Node) -> bool:
    return node.mode is None or bool(node.mode & 0o100)


def readable(node: Node | None) -> bool:
    """Whether the names in a directory may be read, and its entries looked at."""
    if node is None or node.mode is None:
        return True
    if node.mode & 0o400 and not node.mode & 0o100:
        raise Unmodelled("a directory that may be listed and not searched")
    return bool(node.mode & 0o400)


def ends_past_a_file(text: str, end: End, run: Run) -> bool:
    """Whether a path goes on behind a file with nothing but dots and slashes: no directory, or nothing there."""
    if end.exists and not end.is_directory and text.endswith(("/", "/.")):
        return run.reads("41") == "a"
    return False
