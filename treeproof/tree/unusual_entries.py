"""Entries that make careless programs hang or break. Pure functions of tree descriptions.

They are pipes, sockets, devices, links in a circle, and names that are not UTF-8.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace

from treeproof.tree.recipe import Kind, Node, Tree

_KINDS: Mapping[Kind, str] = {
    Kind.FIFO: "a named pipe",
    Kind.SOCKET: "a socket",
    Kind.CHARDEV: "a device",
    Kind.BLOCKDEV: "a device",
}
NOT_UTF8 = "a name that is not UTF-8"
LINK_CIRCLE = "links in a circle"

_MAX_LINKS = 200
"""The number of links of a tree that are followed; in larger trees circles are not looked for."""

_MAX_HOPS = 40


def unusual_kinds(tree: Tree) -> frozenset[str]:
    """Return the kinds of unusual entries in a tree, as texts that follow "a tree with"."""
    found, links = set(), []
    for path, node in tree.walk():
        if node.kind in _KINDS:
            found.add(_KINDS[node.kind])
        if not _is_utf8(node.name):
            found.add(NOT_UTF8)
        if node.kind is Kind.SYMLINK:
            links.append((path, node.target or b""))
    if 0 < len(links) <= _MAX_LINKS and _has_circle(tree, dict(links)):
        found.add(LINK_CIRCLE)
    return frozenset(found)


def plain_tree(tree: Tree) -> Tree:
    """Return the tree with an empty file instead of each link, pipe, socket and device, and without faults."""
    return Tree(tuple(map(_plain_node, tree.entries)))


def _plain_node(node: Node) -> Node:
    match node.kind:
        case Kind.DIR:
            return replace(node, faults=frozenset(), error=None, children=tuple(map(_plain_node, node.children)))
        case Kind.FILE:
            return replace(node, faults=frozenset(), error=None)
        case _:
            return Node(node.name, Kind.FILE)


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _has_circle(tree: Tree, links: Mapping[bytes, bytes]) -> bool:
    """Return True if a link leads to no end, or a walk that enters linked directories returns to one of them."""
    directories = {b""} | {path for path, node in tree.walk() if node.kind is Kind.DIR}
    leads_to: dict[bytes, bytes] = {}
    for path in links:
        try:
            leads_to[path] = _resolve(path, links)
        except RecursionError:
            return True
    entered: dict[bytes, set[bytes]] = {}
    for path, target in leads_to.items():
        if target in directories:
            for folder in _folders_above(path):  # a walk of any of them comes to the link
                entered.setdefault(folder, set()).add(target)
    return any(folder in _reachable(folder, entered) for folder in entered)


def _reachable(folder: bytes, entered: Mapping[bytes, set[bytes]]) -> set[bytes]:
    found: set[bytes] = set()
    pending = [folder]
    while pending:
        for target in entered.get(pending.pop(), ()):
            # A walk that returns to a directory also returns to every one below it.
            new = {target, *(other for other in entered if other.startswith(target + b"/") or not target)} - found
            found |= new
            pending += new
    return found


def _folders_above(path: bytes) -> Iterator[bytes]:
    while path:
        path = os.path.dirname(path)
        yield path


def _resolve(path: bytes, links: Mapping[bytes, bytes]) -> bytes:
    """Return the path that a path of the tree leads to, from its top. Raises RecursionError for an endless one."""
    at = b""
    pending = path.split(b"/")[::-1]
    hops = 0
    while pending:
        name = pending.pop()
        if name in (b"", b"."):
            continue
        if name == b"..":
            at = os.path.dirname(at)
            continue
        at = at + b"/" + name if at else name
        if at in links:
            hops += 1
            if hops > _MAX_HOPS:
                raise RecursionError
            target = links[at]
            at = os.path.dirname(at)
            if target.startswith(b"$ROOT") and target[5:6] in (b"", b"/"):
                at, target = b"", target[5:]
            elif target.startswith((b"/", b"$")):
                return target
            pending += target.split(b"/")[::-1]
    return at
