"""Entries that make careless programs hang or break. Pure functions of tree descriptions.

They are pipes, sockets, devices, links in a circle, and names that are not UTF-8.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from treeproof.tree.recipe import Kind, Node, Tree, is_utf8

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
        if not is_utf8(node.name):
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


def _has_circle(tree: Tree, links: Mapping[bytes, bytes]) -> bool:
    """Return True if a link leads to no end, or a walk that enters linked directories returns to one of them."""
    entered: dict[bytes, set[bytes]] = {b"": set()}
    for path, node in tree.walk():
        if node.kind is Kind.DIR:
            entered[path] = set()
            entered[os.path.dirname(path)].add(path)
    try:
        for path in links:
            target = _resolve(path, links)
            if target in entered:
                entered[os.path.dirname(path)].add(target)
        TopologicalSorter(entered).prepare()
    except (RecursionError, CycleError):
        return True
    return False


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
