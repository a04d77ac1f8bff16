"""Stages that generate a part of a case, and the facts about a tree that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from treeproof.api import Case, CaseUpdate, Kind, Node, Stage, TextPieces, Tree, parse_tree

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


def after_other_calls(*updates: CaseUpdate) -> Callable[[Case], Sequence[CaseUpdate]]:
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


EntryMaker: TypeAlias = "Callable[[bytes, bytes], Node]"
"""Makes an entry of one kind from its name and the path that leads from its directory up to the sandbox root."""


def links_to(target: bytes) -> EntryMaker:
    """Return the maker of links to a place, seen from the sandbox root."""
    return lambda name, up: Node(name, Kind.SYMLINK, target=target if target.startswith(b"$") else up + target)


ENTRY_MAKERS: tuple[EntryMaker, ...] = (
    lambda name, up: Node(name, Kind.FILE, size=2),
    lambda name, up: Node(name, Kind.FILE),
    lambda name, up: Node(name, Kind.DIR, children=(Node(b"x", Kind.FILE),)),
    lambda name, up: Node(name, Kind.DIR),
    lambda name, up: Node(name, Kind.FILE, hardlink=b"f"),
    *map(links_to, (b"f", b"d", b"l", b"loop", b"gone", b"../outside/f", b"../outside", b"../gone", b"p", b"$ROOT/d")),
    lambda name, up: Node(name, Kind.SYMLINK, target=b"."),
    lambda name, up: Node(name, Kind.FIFO),
    lambda name, up: Node(name, Kind.SOCKET),
)
"""The makers of entries of every kind, for a tree that has the entries of `LINKED`."""

_ENTRIES_OF_PAIRS = 7

LINKED = parse_tree("d/{deep/, x}, f=2, l->d, loop->loop, p:fifo")
"""What links of these makers lead to, in the sandbox root; `gone` is missing, and `outside/{f}` is beside it."""


def trees_of_pairs(
    names: Sequence[bytes], makers: Sequence[EntryMaker], directory: bytes, levels: int = 2
) -> tuple[Tree, ...]:
    """Return trees in which each name meets each kind: entries in the sandbox root, and others in a directory of it.

    Each has a few names only: what one of them leaves open multiplies with what another one does. With more levels,
    each directory of this name has another one.
    """
    found: list[Tree] = []
    for at in range(0, len(names), _ENTRIES_OF_PAIRS):
        some = names[at : at + _ENTRIES_OF_PAIRS]
        for turn in range(0, len(makers), 2):
            entries: tuple[Node, ...] = ()
            for level in range(levels - 1, -1, -1):
                here = tuple(_rotated(some, makers, turn + level, b"../" * level))
                entries = (*here, *((Node(directory, Kind.DIR, children=entries),) if level < levels - 1 else ()))
            found.append(Tree((*LINKED.entries, *entries)))
    return tuple(found)


def _rotated(names: Sequence[bytes], makers: Sequence[EntryMaker], turn: int, up: bytes) -> Iterator[Node]:
    for at, name in enumerate(names):
        yield makers[(at * 3 + turn) % len(makers)](name, up)


def ways_to(targets: Sequence[str]) -> list[CaseUpdate]:
    """Return paths to these places in the sandbox root, each in several forms, and paths that lead out of it.

    The tree must have the entries of `LINKED` and the link `here->.`; beside it is `outside/{f}`.
    """
    forms = ("{}", "./{}", "d//../{}", "{}/", "d/../{}", "here/{}", "l/../{}")
    found: list[CaseUpdate] = [{"arguments.path": form.format(one)} for one in targets for form in forms]
    for one in targets:
        found.append({"arguments.path": f"../{one}", "context.working_dir": "$ROOT/d"})
        found.append({"arguments.path": f"$ROOT/{one}", "context.allow_absolute": True})
    escapes = ("..", "../..", "d/../..", "/", "../root2", "../ROOT", "out", "out/f", "out/..", "out/gone", "gone/../..")
    found += [{"arguments.path": one} for one in ("", ".", "./", *escapes)]
    out = ("", "..", "../..", "../../..", "../d/../..", "/", "../../root2", "../../ROOT", "../out", "../out/gone")
    return found + [{"arguments.path": one, "context.working_dir": "$ROOT/d"} for one in out]
