"""The state that calls change: a tree as names and numbered nodes, and the resolution of paths in it.

A path is a tuple of names from the sandbox root. Names with the same number are names of one file.
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


def components(path: str) -> Path:
    """Return the components of a requested path, without empty ones and single dots."""
    return tuple(step for step in path.encode().split(b"/") if step not in (b"", b"."))


@dataclass(frozen=True)
class ResolvedPath:
    """The canonical form of a path. `reachable`: everything before its last name is a directory."""

    path: Path
    reachable: bool = True


@dataclass(frozen=True)
class State:
    """The content of the sandbox root. The root itself, the empty path, is always a directory."""

    names: Mapping[Path, int]
    nodes: Mapping[int, Node]
    far: Path | None = None
    """The directory that is a second root, on another file system; None without one."""

    @classmethod
    def from_tree(cls, tree: Tree, far: Path | None = None) -> State:
        """Return the state of a tree, without its times."""
        names: dict[Path, int] = {}
        nodes: dict[int, Node] = {}
        tree_nodes = by_path(tree)
        numbers = {path: number for number, path in enumerate(tree_nodes)}
        for path, node in tree_nodes.items():
            number = numbers[node.hardlink if node.hardlink is not None else path]
            names[tuple(path.split(b"/"))] = number
            if node.hardlink is None:
                nodes[number] = replace(node, mtime_ns=None)
        return cls(names, nodes, far)

    def to_tree(self) -> Tree:
        """Return the state as a normalised tree."""
        first: dict[int, bytes] = {}
        entries: dict[bytes, Node] = {}
        for path in sorted(self.names):
            number, text = self.names[path], b"/".join(path)
            node = self.nodes[number]
            if node.kind is Kind.FILE and number in first:
                entries[text] = Node(path[-1], Kind.FILE, hardlink=first[number])
            else:
                first[number] = text
                entries[text] = replace(node, name=path[-1])
        return normalise(from_paths(entries))

    def node_at(self, path: Path) -> Node | None:
        """Return the node with this name, links not followed; None if it does not exist."""
        if not path:
            return Node(b"?", Kind.DIR)
        number = self.names.get(path)
        return None if number is None else self.nodes[number]

    def is_directory(self, path: Path) -> bool:
        """Return whether this name is a directory, and no link to one."""
        found = self.node_at(path)
        return found is not None and found.kind is Kind.DIR

    def below(self, path: Path) -> list[Path]:
        """Return all names below a directory."""
        return [name for name in self.names if len(name) > len(path) and name[: len(path)] == path]

    def other_names(self, path: Path) -> list[Path]:
        """Return the other names of the file at a path."""
        return [name for name, number in self.names.items() if number == self.names.get(path) and name != path]

    def follow(self, path: Path) -> ResolvedPath:
        """Return the end of a path with all links followed. Raises LeadsOutside."""
        pending, location, links = list(reversed(path)), Path(), 0
        reachable = True
        while pending:
            name = pending.pop()
            if name == b"..":
                if not location or location == self.far:
                    raise LeadsOutside
                location = location[:-1]
                continue
            if not self.is_directory(location):
                reachable = False
            location = (*location, name)
            found = self.node_at(location) if reachable else None
            if found is None or found.kind is not Kind.SYMLINK:
                continue
            links += 1
            if links > MAX_LINKS:
                return ResolvedPath(location, reachable=False)
            assert found.target is not None
            if found.target.startswith(b"/"):
                raise LeadsOutside
            pending += [step for step in reversed(found.target.split(b"/")) if step not in (b"", b".")]
            location = location[:-1]
        return ResolvedPath(location, reachable)

    def is_far(self, path: Path) -> bool:
        """Return whether a path lies on the other file system."""
        return self.far is not None and path[: len(self.far)] == self.far

    def without(self, paths: Iterable[Path]) -> State:
        """Return the state without some names."""
        removed = set(paths)
        return State({path: number for path, number in self.names.items() if path not in removed}, self.nodes, self.far)

    def with_move(self, old: Path, new: Path) -> State:
        """Return the state after moving an entry and its content to another name; an entry of that name is replaced."""
        kept = self.without([new, *self.below(new)] if new != old else [])
        names = {
            (*new, *path[len(old) :]) if path[: len(old)] == old else path: number
            for path, number in kept.names.items()
        }
        if self.is_far(old) == self.is_far(new):
            return State(names, self.nodes, self.far)
        nodes, number = dict(self.nodes), max(self.nodes, default=0)
        for path in names:
            if path[: len(new)] == new:  # a copy has no other names, and its permissions are its own
                number += 1
                nodes[number] = replace(self.nodes[names[path]], mode=None)
                names[path] = number
        return State(names, nodes, self.far)

    def with_entry(self, path: Path, node: Node) -> State:
        """Return the state with a new node under a name."""
        number = max(self.nodes, default=0) + 1
        return State({**self.names, path: number}, {**self.nodes, number: node}, self.far)

    def with_name_of(self, path: Path, other: State) -> State:
        """Return the state with a name that it had in another state, for the same node."""
        return State({**self.names, path: other.names[path]}, {**other.nodes, **self.nodes}, self.far)

    def with_content(self, path: Path, source: Node) -> State:
        """Return the state with other content in the file at a path, under all its names."""
        number = self.names[path]
        node = replace(self.nodes[number], size=source.size, content=source.content)
        return State(self.names, {**self.nodes, number: node}, self.far)
