"""A tree as names and the things that they name. Values and pure functions; where a path leads is found out here.

Paths are tuples of names from the sandbox root. A thing has a number, so that two names of one file are one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from treeproof.api import Kind, Node, Tree, by_path, from_paths, normalise

Path: TypeAlias = tuple[bytes, ...]

MAX_LINKS = 40


class LeadsOutside(Exception):
    """A path leads out of the sandbox."""


@dataclass(frozen=True)
class ResolvedPath:
    """Where a path leads: the canonical path, and whether everything on the way to its last name is a directory."""

    path: Path
    reachable: bool = True


@dataclass(frozen=True)
class State:
    """What the sandbox root holds. The root itself, the empty path, is always a directory."""

    names: Mapping[Path, int]
    nodes: Mapping[int, Node]

    @classmethod
    def from_tree(cls, tree: Tree) -> State:
        """The state that a tree shows; times say nothing."""
        names: dict[Path, int] = {}
        things: dict[int, Node] = {}
        nodes = by_path(tree)
        numbers = {path: number for number, path in enumerate(nodes)}
        for path, node in nodes.items():
            number = numbers[node.hardlink if node.hardlink is not None else path]
            names[tuple(path.split(b"/"))] = number
            if node.hardlink is None:
                things[number] = replace(node, mtime_ns=None)
        return cls(names, things)

    def to_tree(self) -> Tree:
        """The state as a tree, in settled form."""
        first: dict[int, bytes] = {}
        entries: dict[bytes, Node] = {}
        for path in sorted(self.names):
            number, text = self.names[path], b"/".join(path)
            thing = self.nodes[number]
            if thing.kind is Kind.FILE and number in first:
                entries[text] = Node(path[-1], Kind.FILE, hardlink=first[number])
            else:
                first[number] = text
                entries[text] = replace(thing, name=path[-1])
        return normalise(from_paths(entries))

    def node_at(self, path: Path) -> Node | None:
        """What has this name, links not followed; None where nothing has."""
        if not path:
            return Node(b"?", Kind.DIR)
        number = self.names.get(path)
        return None if number is None else self.nodes[number]

    def is_directory(self, path: Path) -> bool:
        """Whether a directory itself has this name."""
        found = self.node_at(path)
        return found is not None and found.kind is Kind.DIR

    def below(self, path: Path) -> list[Path]:
        """All names in a directory and further down."""
        return [name for name in self.names if len(name) > len(path) and name[: len(path)] == path]

    def other_names(self, path: Path) -> list[Path]:
        """The further names of the file at a path."""
        return [
            name for name, number in self.names.items() if number == self.names.get(path) and name != path
        ]

    def follow(self, path: Path) -> ResolvedPath:
        """Where a path leads once every link is followed. Raises Outside."""
        waiting, here, links = list(reversed(path)), Path(), 0
        reachable = True
        while waiting:
            name = waiting.pop()
            if name == b"..":
                if not here:
                    raise LeadsOutside
                here = here[:-1]
                continue
            if not self.is_directory(here):
                reachable = False
            here = (*here, name)
            found = self.node_at(here) if reachable else None
            if found is None or found.kind is not Kind.SYMLINK:
                continue
            links += 1
            if links > MAX_LINKS:
                return ResolvedPath(here, reachable=False)
            assert found.target is not None
            if found.target.startswith(b"/"):
                raise LeadsOutside
            waiting += [step for step in reversed(found.target.split(b"/")) if step not in (b"", b".")]
            here = here[:-1]
        return ResolvedPath(here, reachable)

    # ---- what can be done to it ---------------------------------------------------------------------------------

    def without(self, paths: Iterable[Path]) -> State:
        """The state without some names."""
        gone = set(paths)
        return State({path: number for path, number in self.names.items() if path not in gone}, self.nodes)

    def with_move(self, old: Path, new: Path) -> State:
        """The state with an entry, and all that it holds, under another name; what had that name is gone."""
        kept = self.without([new, *self.below(new)] if new != old else [])
        names = {
            (*new, *path[len(old) :]) if path[: len(old)] == old else path: number
            for path, number in kept.names.items()
        }
        return State(names, self.nodes)

    def with_entry(self, path: Path, thing: Node) -> State:
        """The state with a new thing under a name."""
        number = max(self.nodes, default=0) + 1
        return State({**self.names, path: number}, {**self.nodes, number: thing})

    def with_content(self, path: Path, like: Node) -> State:
        """The state with another content in the file at a path, under all of its names."""
        number = self.names[path]
        thing = replace(self.nodes[number], size=like.size, content=like.content)
        return State(self.names, {**self.nodes, number: thing})
