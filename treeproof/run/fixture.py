"""The trees of one scenario: their notations, their places, and their state on disk. Makes no call."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from treeproof.run.sandboxes import Sandboxes, not_buildable
from treeproof.tree import (
    LISTED,
    CannotBuild,
    CreationOrder,
    Kind,
    Node,
    Snapshot,
    Tree,
    build_tree,
    by_path,
    from_paths,
    nest,
    parse_tree,
    read_tree,
    take_snapshot,
)
from treeproof.verdict import NotVerified


class Fixture:
    """The sandbox roots of a scenario and the trees in them.

    ``respects_file_modes`` is False when the candidate may ignore file modes.
    """

    def __init__(self, sandboxes: Sandboxes, *, respects_file_modes: bool) -> None:
        self.sandboxes = sandboxes
        self.tree = Tree(())
        """The tree of the sandbox root as it is now; only calls of the candidate change it unseen."""
        self.outside_tree = Tree(())
        """The tree beside the sandbox root."""
        self.notations: dict[str, str] = {}
        """The notation of the tree in the sandbox root (``tree``) and of the one beside it (``outside``)."""
        self.creation_order: CreationOrder = LISTED
        self.has_mount = False
        """True when the candidate's process sees another file system in the tree."""
        self._respects_file_modes = respects_file_modes

    @property
    def root(self) -> bytes:
        """Absolute path of the sandbox root."""
        return self.sandboxes.root

    @property
    def outside(self) -> bytes:
        """Absolute path of the folder that contains the sandbox root and its siblings."""
        return os.path.dirname(self.root)

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of the scenario and their values."""
        return self.sandboxes.placeholders

    def build_tree(self, notation: str, *, beside_root: bool = False) -> None:
        """Build the tree of ``notation`` in the sandbox root, or beside it. Raises NotVerified."""
        self._build_in_place(self.set_tree(notation, beside_root=beside_root), beside_root=beside_root)

    def set_tree(self, notation: str, *, beside_root: bool = False) -> Tree:
        """Record the tree of ``notation`` without building it, and return it."""
        tree = parse_tree(notation)
        self.notations["outside" if beside_root else "tree"] = notation
        if beside_root:
            self.outside_tree = tree
        else:
            self.tree = tree
        return tree

    def note_changes(self, paths: Iterable[bytes]) -> None:
        """Read again what the suite itself has changed: these paths in the sandbox root, and their directories."""
        given = list(paths)
        changed = {*given, *(path.rpartition(b"/")[0] for path in given)}
        below = tuple(path + b"/" for path in given)
        disk, known = by_path(read_tree(self.root)), by_path(self.tree)
        kept = {path: node for path, node in known.items() if path not in changed and not path.startswith(below)}
        read = {path: node for path, node in disk.items() if path not in kept}
        scrubbed = {path: with_placeholders(node, self.placeholders) for path, node in read.items()}
        self.tree = from_paths({**kept, **scrubbed})

    def _build_in_place(self, tree: Tree, *, beside_root: bool) -> None:
        self.build(tree, self.outside if beside_root else self.root)

    def build(self, tree: Tree, at: bytes, *, adding: bool = False) -> None:
        """Build ``tree`` in the folder ``at``, made if it is missing; ``adding`` adds entries to existing directories.

        Raises NotVerified if the host cannot build it, or if the candidate could ignore its file modes, and
        CandidateFault if the candidate has removed the place.
        """
        if not self._respects_file_modes and any(map(_is_unreadable_folder, tree.walk())):
            raise NotVerified(
                "modes_ignored",
                "the candidate may ignore file modes: start its process on this machine without CAP_DAC_OVERRIDE and "
                "CAP_DAC_READ_SEARCH, or let treeproof start it",
            )
        substitutions = {name.encode(): os.fsencode(path) for name, path in self.placeholders.items()}
        self.sandboxes.check_in_place(at)
        try:
            build_tree(tree, at, order=self.creation_order, substitutions=substitutions, add_to_existing=adding)
        except CannotBuild as error:
            self.sandboxes.check_in_place(at)
            raise not_buildable(error, f"this machine cannot make the tree: {error}") from error

    def rebuild(self, order: CreationOrder, label: str, subfolder: str = "") -> bytes:
        """Build the same tree in another sandbox root, or in a ``subfolder`` of it, and return that folder."""
        root = os.path.join(self.add_root(label), subfolder.encode()).rstrip(b"/")
        usual_order, self.creation_order = self.creation_order, order
        try:
            self.build(self.tree, root)
        finally:
            self.creation_order = usual_order
        return root

    def add_root(self, label: str) -> bytes:
        """Return a new empty sandbox root; it is removed together with the first one."""
        return self.sandboxes.add_root(label)

    def snapshot(self) -> Snapshot:
        """Return the state of the sandbox root and of everything beside it."""
        return take_snapshot(self.outside)

    def read_tree(self, namespace_root: bytes = b"") -> Tree:
        """Return the tree in and beside the sandbox root; the second root appears as ``$FAR``.

        ``namespace_root`` is the path of the root directory that the candidate sees, without a trailing slash.
        """
        return read_roots(namespace_root + self.outside, self.sandboxes.second_root)

    def close(self) -> None:
        """Remove everything that was built."""
        self.sandboxes.close()


def read_roots(outside: bytes, second_root: bytes | None) -> Tree:
    """Return the tree in and beside a sandbox root, whose folder is ``outside``; the second root is ``$FAR`` in it."""
    tree = read_tree(outside)
    if second_root is None:
        return tree
    return from_paths({**by_path(tree), **by_path(nest(read_tree(second_root), b"$FAR"))})


def with_placeholders(node: Node, placeholders: Mapping[str, str]) -> Node:
    """Return a node whose target has placeholders, the one of the longest path first."""
    if node.target is None:
        return node
    target = node.target
    for name, path in sorted(placeholders.items(), key=lambda item: -len(item[1])):
        target = target.replace(os.fsencode(path), name.encode())
    return replace(node, target=target)


def _is_unreadable_folder(entry: tuple[bytes, Node]) -> bool:
    """Return True for a directory that its owner may not list or enter."""
    node = entry[1]
    return node.kind is Kind.DIR and node.mode is not None and node.mode & 0o500 != 0o500
