"""Stages that generate a part of a case, and the facts about a tree that they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import Case, CaseUpdate, Kind, Node, Stage, TextPieces, Tree

UNCHANGED: Any = object()
"""Among the values of `one_of`: leave the case as it is."""


def one_of(field_path: str, *values: Any) -> Stage:
    """Return a stage that puts one of these values at a place of the case, if its arguments are an object."""
    updates: list[CaseUpdate] = [{} if value is UNCHANGED else {field_path: value} for value in values]
    return lambda case: updates if isinstance(case.arguments, dict) else [{}]


def path_of(pieces: tuple[str, ...], max_pieces: int) -> Stage:
    """Return a stage that joins at most this many pieces to a path."""
    text = TextPieces("arguments.path", pieces, max_pieces)
    return lambda case: text


def top_directories(case: Case) -> list[str]:
    """Return the names of the directories in the sandbox root that are UTF-8."""
    names = [node.name for node in case.tree.entries if node.kind is Kind.DIR]
    texts = [(name, name.decode("utf-8", "replace")) for name in names]
    return [text for name, text in texts if text.encode() == name]


def after_other_calls(*updates: CaseUpdate) -> Stage:
    """Return a stage that adds an earlier call, usually on another tree: the same call, or one with such an update."""

    def stage(case: Case) -> Sequence[CaseUpdate]:
        trees = [case.tree, *(Tree(_changed(case.tree.entries, change)) for change in _CHANGES)]
        earlier = [
            replace(case, tree=tree).with_update(update if isinstance(case.arguments, dict) else {})
            for tree in trees
            for update in updates
        ]
        return [{}, *({"earlier": (one,)} for one in earlier)]

    return stage


def _with_other_metadata(number: int, node: Node) -> Node | None:
    if node.kind is Kind.FILE and node.hardlink is None and node.content is None:
        return replace(node, size=node.size + 5, mtime_ns=1_000_000_000_001_000_000 + number * 1_000_000)
    if node.kind in (Kind.DIR, Kind.SYMLINK):
        return replace(node, mtime_ns=1_100_000_000_001_000_000)
    return node


def _of_another_kind(number: int, node: Node) -> Node | None:
    if node.kind is Kind.DIR or node.kind is Kind.SYMLINK:
        return Node(node.name, Kind.FILE)
    return Node(node.name, Kind.DIR, children=(Node(b"b", Kind.FILE),))


def _every_other(number: int, node: Node) -> Node | None:
    return node if number % 2 else None


def _none(number: int, node: Node) -> Node | None:
    return None


def _with_links_to_another(number: int, node: Node) -> Node | None:
    return replace(node, target=b".") if node.kind is Kind.SYMLINK else node


_CHANGES: tuple[Callable[[int, Node], Node | None], ...] = (
    _with_other_metadata,
    _of_another_kind,
    _every_other,
    _none,
    _with_links_to_another,
)
"""What is changed in a tree: a function from the place of an entry in its directory, and the entry."""


def _changed(nodes: tuple[Node, ...], change: Callable[[int, Node], Node | None]) -> tuple[Node, ...]:
    changed = [(node, change(number, node)) for number, node in enumerate(nodes)]
    return tuple(
        other.with_children(_changed(other.children, change))
        if other.kind is Kind.DIR and node.kind is Kind.DIR
        else other
        for node, other in changed
        if other is not None
    )
