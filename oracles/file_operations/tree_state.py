"""The state that calls change: a tree as names and numbered nodes, and the resolution of paths in it.

A path is a tuple of names from the sandbox root. The first name `$FAR` leads to a root on another file system, and
`$OUTSIDE` to the entries beside the sandbox root. Names with the same number are names of one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from treeproof.api import ROOT_NAME, Kind, Node, Tree, by_path, from_paths, normalise

Path: TypeAlias = tuple[bytes, ...]

SANDBOX: Path = ()
FAR, OUTSIDE = b"$FAR", b"$OUTSIDE"

MAX_LINKS = 40


class LeadsOutside(Exception):
    """A path leads out of the sandbox."""


def components(path: str) -> Path:
    """Return the components of a requested path, without empty ones and single dots."""
    return tuple(step for step in path.encode().split(b"/") if step not in (b"", b"."))


def path_in_tree(path: Path) -> bytes:
    """Return the path in a recorded tree."""
    inside = (ROOT_NAME, *path)
    return b"/".join(path if path[:1] == (FAR,) else path[1:] if path[:1] == (OUTSIDE,) else inside)


def _path_of(path_in_recorded_tree: bytes) -> Path:
    first, *rest = path_in_recorded_tree.split(b"/")
    return tuple(rest) if first == ROOT_NAME else (first, *rest) if first == FAR else (OUTSIDE, first, *rest)


@dataclass(frozen=True)
class ResolvedPath:
    """The canonical form of a path. `reachable`: everything before its last name is a directory.

    `leaves`: it leads out of all roots on its way, and back into one.
    """

    path: Path
    reachable: bool = True
    leaves: bool = False


@dataclass(frozen=True)
class State:
    """The content of all roots, and what is beside the sandbox root. A root itself is always a directory."""

    names: Mapping[Path, int]
    nodes: Mapping[int, Node]
    roots: tuple[Path, ...] = (SANDBOX,)
    _followed: dict[Path, ResolvedPath | LeadsOutside] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The results of `follow`, which each reading of a call needs again."""

    @classmethod
    def from_tree(cls, tree: Tree, roots: tuple[Path, ...] = (SANDBOX,)) -> State:
        """Return the state of a tree in and beside the sandbox root, without its times."""
        names: dict[Path, int] = {}
        nodes: dict[int, Node] = {}
        tree_nodes = by_path(tree)
        numbers = {path: number for number, path in enumerate(tree_nodes)}
        for path, node in tree_nodes.items():
            if path == ROOT_NAME:
                continue
            number = numbers[node.hardlink if node.hardlink is not None else path]
            names[_path_of(path)] = number
            if node.hardlink is None:
                nodes[number] = node if node.mtime_ns is None else node.with_metadata(node.mode, None)
        return cls(names, nodes, roots)

    def to_tree(self) -> Tree:
        """Return the state as a normalised tree in and beside the sandbox root."""
        first: dict[int, bytes] = {}
        entries: dict[bytes, Node] = {ROOT_NAME: Node(ROOT_NAME, Kind.DIR)}
        for text, path in sorted((path_in_tree(path), path) for path in self.names):
            number = self.names[path]
            node = self.nodes[number]
            if node.kind is Kind.FILE and number in first:
                entries[text] = Node(path[-1], Kind.FILE, hardlink=first[number])
            else:
                first[number] = text
                entries[text] = node if node.name == path[-1] else replace(node, name=path[-1])
        return normalise(from_paths(entries))

    def is_inside(self, path: Path) -> bool:
        """Return whether a canonical path lies in a root."""
        if path[:1] != (FAR,) and (OUTSIDE,) in self.roots:  # it holds the sandbox root
            return True
        return any(path[: len(root)] == root for root in self.roots if root or path[:1] not in ((FAR,), (OUTSIDE,)))

    def node_at(self, path: Path) -> Node | None:
        """Return the node with this name, links not followed; None if it does not exist."""
        if path in (SANDBOX, (OUTSIDE,)):
            return Node(b"?", Kind.DIR)
        number = self.names.get(path)
        return None if number is None else self.nodes[number]

    def is_directory(self, path: Path) -> bool:
        """Return whether this name is a directory, and no link to one."""
        found = self.node_at(path)
        return found is not None and found.kind is Kind.DIR

    def below(self, path: Path) -> list[Path]:
        """Return all names below a directory."""
        found = [name for name in self.names if len(name) > len(path) and name[: len(path)] == path]
        return found if path else [name for name in found if name[0] not in (FAR, OUTSIDE)]

    def other_names(self, path: Path) -> list[Path]:
        """Return the other names of the file at a path."""
        return [name for name, number in self.names.items() if number == self.names.get(path) and name != path]

    def follow(self, path: Path) -> ResolvedPath:
        """Return the end of a path with all links followed. Raises LeadsOutside."""
        if path not in self._followed:
            try:
                self._followed[path] = self._follow(path)
            except LeadsOutside as error:
                self._followed[path] = error
        found = self._followed[path]
        if isinstance(found, LeadsOutside):
            raise LeadsOutside
        return found

    def _follow(self, path: Path) -> ResolvedPath:
        pending, location, links = list(reversed(path)), Path(), 0
        reachable, leaves = True, False
        while pending:
            name = pending.pop()
            if name == b"..":
                if location in ((FAR,), (OUTSIDE,)):
                    raise LeadsOutside
                reachable = reachable and self.is_directory(location)
                location = location[:-1] if location else (OUTSIDE,)
                leaves = leaves or not self.is_inside(location)
                continue
            if not self.is_directory(location):
                reachable = False
            location = _step(location, name)
            leaves = leaves or not self.is_inside(location) and bool(pending)
            found = self.node_at(location) if reachable else None
            if found is None or found.kind is not Kind.SYMLINK:
                continue
            links += 1
            if links > MAX_LINKS:
                return ResolvedPath(location, reachable=False)
            assert found.target is not None
            steps = [step for step in found.target.split(b"/") if step not in (b"", b".")]
            location = SANDBOX if steps[:1] == [b"$ROOT"] else location[:-1]
            if found.target.startswith(b"/"):
                raise LeadsOutside
            if steps[:1] in ([FAR], [OUTSIDE]):
                location = SANDBOX
            pending += reversed(steps[1:] if steps[:1] == [b"$ROOT"] else steps)
        if not self.is_inside(location):
            raise LeadsOutside
        return ResolvedPath(location, reachable, leaves)

    def meanings(self, path: Path) -> list[Path]:
        """Return what a path with `..` means: as a text, and by the place that the path before each `..` leads to.

        A link at its end is not followed. A meaning above the place that holds the sandbox root is left out.
        """
        found = [_remove_parent_steps(path)]
        *above, name = path or (b"..",)
        try:
            place = self.follow(path if name == b".." else tuple(above))
        except LeadsOutside:
            place = ResolvedPath(SANDBOX, reachable=False)
        if place.reachable:
            found.append(place.path if name == b".." else (*place.path, name))
        return [meaning for meaning in found if meaning is not None]

    def is_far(self, path: Path) -> bool:
        """Return whether a path lies on the other file system."""
        return path[:1] == (FAR,)

    def without(self, paths: Iterable[Path]) -> State:
        """Return the state without some names."""
        removed = set(paths)
        kept = {path: number for path, number in self.names.items() if path not in removed}
        return replace(self, names=kept)

    def with_move(self, old: Path, new: Path) -> State:
        """Return the state after moving an entry and its content to another name; an entry of that name is replaced."""
        kept = self.without([new, *self.below(new)] if new != old else [])
        names = {
            (*new, *path[len(old) :]) if path[: len(old)] == old else path: number
            for path, number in kept.names.items()
        }
        if self.is_far(old) == self.is_far(new):
            return replace(self, names=names)
        nodes, number = dict(self.nodes), max(self.nodes, default=0)
        for path in names:
            if path[: len(new)] == new:  # a copy has no other names, and its permissions are its own
                number += 1
                nodes[number] = replace(self.nodes[names[path]], mode=None)
                names[path] = number
        return replace(self, names=names, nodes=nodes)

    def with_entry(self, path: Path, node: Node) -> State:
        """Return the state with a new node under a name."""
        number = max(self.nodes, default=0) + 1
        return replace(self, names={**self.names, path: number}, nodes={**self.nodes, number: node})

    def with_name_of(self, path: Path, other: State) -> State:
        """Return the state with a name that it had in another state, for the same node."""
        return replace(self, names={**self.names, path: other.names[path]}, nodes={**other.nodes, **self.nodes})

    def with_content(self, path: Path, source: Node) -> State:
        """Return the state with other content in the file at a path, under all its names."""
        number = self.names[path]
        node = replace(self.nodes[number], size=source.size, content=source.content)
        return replace(self, nodes={**self.nodes, number: node})


def _step(location: Path, name: bytes) -> Path:
    """Return the place of a name in a directory; the sandbox root is one of the entries beside it."""
    return SANDBOX if (*location, name) == (OUTSIDE, ROOT_NAME) else (*location, name)


def _remove_parent_steps(path: Path) -> Path | None:
    kept: Path = ()
    for step in path:
        if step != b"..":
            kept = (*kept, step)
        elif kept in ((OUTSIDE,), (FAR,)):
            return None
        else:
            kept = kept[:-1] if kept else (OUTSIDE,)
    return kept[2:] if kept[:2] == (OUTSIDE, ROOT_NAME) else kept
