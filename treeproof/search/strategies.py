"""Hypothesis strategies for trees and cases of a model. Contains no knowledge of a specification.

A case uses few draws, because each costs more than the entry that it creates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from treeproof.model.case import Case, CaseFamily, TextPieces, TreeShape
from treeproof.tree import Host, Kind, Node, Tree, is_utf8

_LAST_FILE_PLACEHOLDER = b"?"
"""In a prototype: the path of the file of which it is a second name."""

WHOLE_TREE_SHARE = 48
"""The number of trees of which one is a whole tree of the shape."""

_Draw = Callable[[st.SearchStrategy[Any]], Any]


def trees(shape: TreeShape) -> st.SearchStrategy[Tree]:
    """Return trees of this shape. They shrink towards few files with the first name in the root."""
    positions = (0, 1, 0, 1, 2, 1)
    plans = st.sampled_from([(position, node) for position in positions for node in _prototypes(shape)])
    groups = [
        st.lists(st.tuples(st.sampled_from(names), plans), max_size=shape.max_entries // 2) for names in shape.names
    ]

    @st.composite
    def drawn(draw: _Draw) -> Tree:
        if shape.whole_trees and draw(st.integers(0, WHOLE_TREE_SHARE - 1)) == WHOLE_TREE_SHARE - 1:
            return shape.whole_trees[draw(st.integers(0, len(shape.whole_trees) - 1))]
        group = groups[draw(st.integers(0, len(groups) - 1))]
        return _build_tree(draw(group) + draw(group))  # two short lists are less often empty than one long list

    return drawn()


def cases(tool: str, family: CaseFamily) -> st.SearchStrategy[Case]:
    """Return cases of a family: its tree, then one update of each stage, which sees the case so far."""
    first = trees(family.tree) if isinstance(family.tree, TreeShape) else st.just(family.tree or Tree())

    @st.composite
    def drawn(draw: _Draw) -> Case:
        case = Case(tool, draw(first), dict(family.arguments))
        for stage in family.stages:
            choices = stage(case)
            if isinstance(choices, TextPieces):
                pieces = st.lists(st.sampled_from(choices.pieces), min_size=1, max_size=choices.max_pieces)
                case = case.with_update({choices.field_path: "".join(draw(pieces))})
            elif len(choices) > 1:
                case = case.with_update(choices[draw(st.integers(0, len(choices) - 1))])
            else:
                case = case.with_update(choices[0])
        return case

    return drawn()


def restrict_shape_to_host(shape: TreeShape, host: Host) -> TreeShape:
    """Return the shape without the names and kinds that the host's file system refuses."""
    names, kinds = shape.names, shape.kinds
    if not host.supports("non_utf8_names"):
        names = tuple(tuple(name for name in group if is_utf8(name)) for group in names)
        names = tuple(group for group in names if group)
    if not host.supports("symlinks"):
        kinds = tuple(kind for kind in kinds if kind is not Kind.SYMLINK)
    if not host.supports("special_files"):
        kinds = tuple(kind for kind in kinds if kind not in (Kind.FIFO, Kind.SOCKET))
    return replace(shape, names=names, kinds=kinds)


def _prototypes(shape: TreeShape) -> tuple[Node, ...]:
    """Return unnamed entries, as often as they should be drawn; half of them are directories."""
    made: list[Node] = []
    for kind in shape.kinds:
        match kind:
            case Kind.FILE:
                made += [Node(b"?", kind, size=size) for size in shape.sizes]
                made += [Node(b"?", kind, size=len(text), content=text) for text in shape.contents]
                made += [Node(b"?", kind, mtime_ns=ms * 1_000_000) for ms in shape.mtimes_ms]
                made += [Node(b"?", kind, size=1, mode=mode) for mode in shape.file_modes]
            case Kind.SYMLINK:
                made += [Node(b"?", kind, target=target) for target in shape.symlink_targets]
            case Kind.FIFO | Kind.SOCKET | Kind.CHARDEV | Kind.BLOCKDEV:
                made.append(Node(b"?", kind))
                made += [Node(b"?", kind, mtime_ns=ms * 1_000_000) for ms in shape.special_mtimes_ms]
            case Kind.DIR:
                pass
    if shape.hard_links:
        made.append(Node(b"?", Kind.FILE, hardlink=_LAST_FILE_PLACEHOLDER))
    if Kind.DIR in shape.kinds:
        modes = [
            shape.directory_modes[index % len(shape.directory_modes)]
            for index in range(max(len(made), len(shape.directory_modes)))
        ]
        made[1:1] = [Node(b"?", Kind.DIR, mode=mode) for mode in modes]
    return tuple(made)


def _build_tree(entries: list[tuple[bytes, tuple[int, Node]]]) -> Tree:
    """Build a tree with each entry in the root or in one of the last directories before it.

    Entries with a used name, and hard links before the first file, are dropped.
    """
    directories: list[dict[bytes, tuple[Node, int | None]]] = [{}]
    prefixes, last_file = [b""], b""
    for name, (position, prototype) in entries:
        index = -position % len(directories)
        if name in directories[index] or (prototype.hardlink and not last_file):
            continue
        path, child_index = prefixes[index] + name, None
        if prototype.hardlink:
            prototype = replace(prototype, hardlink=last_file)
        elif prototype.kind is Kind.FILE:
            last_file = path
        elif prototype.kind is Kind.DIR:
            child_index = len(directories)
            directories.append({})
            prefixes.append(path + b"/")
        directories[index][name] = (prototype, child_index)

    def build_nodes(index: int) -> tuple[Node, ...]:
        return tuple(
            node.with_children(() if child_index is None else build_nodes(child_index), name)
            for name, (node, child_index) in directories[index].items()
        )

    return Tree(build_nodes(0))
