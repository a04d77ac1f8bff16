"""Where a path leads: in the root, outside of it, or nowhere. Links are followed as a kernel does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from treeproof.api import ROOT_NAME, Case, Kind, Node, Tree, by_path

Nodes = Mapping[bytes, Node]
"""Entries by path, from the folder that holds the root on."""

_MAX_LINKS = 40
_ABSOLUTE = ((b"$ROOT", (ROOT_NAME,)), (b"$OUTSIDE", ()))
"""What the placeholders at the beginning of an absolute path stand for, from the folder that holds the root on."""


@dataclass(frozen=True)
class Place:
    """Where a path leads. `path` is from the folder that holds the root on; None: beyond it, where no tree is known.

    `node` is None if nothing is there. `through_link`: a link was followed.
    """

    path: tuple[bytes, ...] | None
    node: Node | None = None
    through_link: bool = False

    @property
    def is_inside(self) -> bool:
        """Return whether it is the root, or below it."""
        return self.path is not None and self.path[:1] == (ROOT_NAME,)

    @property
    def key(self) -> bytes:
        """Return its path as `Nodes` has it."""
        return b"/".join(self.path or ())


def nodes_of_case(case: Case) -> Nodes:
    """Return the entries in and beside the root of a call that changes nothing."""
    inside = {ROOT_NAME + b"/" + path: node for path, node in by_path(case.tree).items()}
    return {ROOT_NAME: Node(ROOT_NAME, Kind.DIR), **inside, **by_path(case.outside)}


def nodes_of_tree(tree: Tree) -> Nodes:
    """Return the entries of a tree that holds the root, without times and modes; each name has its content."""
    found = by_path(tree)
    first = {path: found.get(node.hardlink, node) if node.hardlink else node for path, node in found.items()}
    return {path: Node(found[path].name, one.kind, one.size, one.content, one.target) for path, one in first.items()}


def resolve(nodes: Nodes, text: str, *, follows_last: bool = True) -> Place:
    """Return where a path of a call leads; a relative one starts in the root."""
    start, parts = _start(text.encode("utf-8", "surrogateescape"), (ROOT_NAME,))
    return Place(None) if start is None else _walk(nodes, start, parts, follows_last=follows_last)


def is_inside(path: bytes) -> bool:
    """Return whether a path of `Nodes` is the root, or below it."""
    return path == ROOT_NAME or path.startswith(ROOT_NAME + b"/")


def entries_below(nodes: Nodes, directory: bytes) -> Iterator[tuple[bytes, Node]]:
    """Yield all entries below a directory, with their paths from there."""
    prefix = directory + b"/"
    return ((path[len(prefix) :], node) for path, node in nodes.items() if path.startswith(prefix))


def _start(raw: bytes, base: tuple[bytes, ...]) -> tuple[tuple[bytes, ...] | None, list[bytes]]:
    for placeholder, place in _ABSOLUTE:
        if raw == placeholder or raw.startswith(placeholder + b"/"):
            return place, _parts(raw[len(placeholder) :])
    return (None, []) if raw.startswith(b"/") else (base, _parts(raw))


def _parts(raw: bytes) -> list[bytes]:
    return [part for part in raw.split(b"/") if part not in (b"", b".")]


def _walk(nodes: Nodes, at: tuple[bytes, ...], parts: list[bytes], *, follows_last: bool) -> Place:
    links = 0
    while parts:
        name, *parts = parts
        if name == b"..":
            if not at:
                return Place(None)
            at = at[:-1]
            continue
        here = (*at, name)
        node = nodes.get(b"/".join(here))
        if node is not None and node.kind is Kind.SYMLINK and (parts or follows_last):
            links += 1
            start, more = _start(node.target or b"", at)
            if links > _MAX_LINKS:
                return Place(here, None, through_link=True)
            if start is None:
                return Place(None, None, through_link=True)
            at, parts = start, [*more, *parts]
            continue
        if node is None or (parts and node.kind is not Kind.DIR):
            return Place((*here, *(part for part in parts if part != b"..")), None, links > 0)
        at = here
    return Place(at, nodes.get(b"/".join(at)), links > 0)
