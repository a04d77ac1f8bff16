"""The sandbox roots of one scenario: where they are made, the trees in them, their state on disk. Makes no call."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from treeproof.candidate import CandidateFault
from treeproof.tree import (
    LISTED,
    CannotBuild,
    CreationOrder,
    FoldingMount,
    Kind,
    Node,
    Snapshot,
    Tree,
    Workspace,
    WorkspaceLost,
    build_tree,
    by_path,
    find_base_on_other_file_system,
    find_disk_base,
    folds_case,
    from_paths,
    nest,
    parse_tree,
    read_tree,
    take_snapshot,
)
from treeproof.verdict import NotVerified


@dataclass(frozen=True)
class OtherWorkspaces:
    """A workspace on a disk, and one on another file system than that of the run; None where the host has none."""

    disk: Workspace | None
    far: Workspace | None

    @classmethod
    def create(cls, workspace: Workspace) -> Self:
        """Create those that the host permits. Raises UsageError."""
        bases = find_disk_base(), find_base_on_other_file_system(workspace.path)
        disk, far = (None if base is None else Workspace.create(base) for base in bases)
        return cls(disk, far)

    @property
    def paths(self) -> tuple[Path, ...]:
        """Their paths."""
        return tuple(each.path for each in (self.disk, self.far) if each is not None)

    def remove(self) -> None:
        """Remove them. Idempotent."""
        for each in (self.disk, self.far):
            if each is not None:
                each.remove()


class SandboxRoots:
    """The sandbox roots of one scenario, each made at its first use."""

    def __init__(self, workspace: Workspace, label: str, others: OtherWorkspaces | None = None) -> None:
        """``others`` are used instead of new workspaces on a disk or a second file system."""
        self.requires_disk = False
        """True if they must be on a disk; set before the first is created."""
        self.requires_folding = False
        """True if they must be on a file system that folds names; set before the first is created."""
        self.second_root: bytes | None = None
        """Absolute path of the second sandbox root, on another file system, after `make_second_root`."""
        self.simulates_cross_device = False
        """True if no second file system exists, so that strace must simulate EXDEV."""
        self.evidence_root: bytes | None = None
        """Root of the evidence if it is not the first root: a failing case of a property has another root."""
        self._workspace = workspace
        self._others = others
        self._label = label
        self._roots: list[bytes] = []
        self._disk_workspace: Workspace | None = None
        self._folding_workspace: Workspace | None = None
        self._mounts = ExitStack()
        self._second_workspace: Workspace | None = None

    @property
    def root(self) -> bytes:
        """Absolute path of the sandbox root."""
        if not self._roots:
            self._roots.append(self._make_sandbox(self._label))
        return self._roots[0]

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of the scenario with their values."""
        second = {"$FAR": os.fsdecode(self.second_root)} if self.second_root is not None else {}
        return {
            "$ROOT": os.fsdecode(self.root),
            "$OUTSIDE": os.fsdecode(os.path.dirname(self.root)),
            **second,
        }

    def all_placeholders(self) -> dict[str, str]:
        """Return the placeholders, including those of the other sandbox roots: ``$ROOT2``, ``$OUTSIDE2``…

        Makes no root; without a root there are no placeholders.
        """
        found = self.placeholders if self._roots else {}
        if self.evidence_root is not None:
            found |= {
                "$ROOT": os.fsdecode(self.evidence_root),
                "$OUTSIDE": os.fsdecode(os.path.dirname(self.evidence_root)),
            }
        for number, root in enumerate(self._roots[1:], start=2):
            found[f"$ROOT{number}"] = os.fsdecode(root)
            found[f"$OUTSIDE{number}"] = os.fsdecode(os.path.dirname(root))
        return found

    def add_root(self, label: str) -> bytes:
        """Return a new empty sandbox root, removed with the scenario's own."""
        _ = self.root  # the scenario's own root is the first
        self._roots.append(self._make_sandbox(f"{self._label} {label}"))
        return self._roots[-1]

    def make_second_root(self) -> bytes:
        """Make the second sandbox root, on another file system than the first.

        If the host has no other file system, EXDEV is simulated. Raises NotVerified.
        """
        if self.second_root is None:
            base = find_base_on_other_file_system(self._workspace.path)
            self.simulates_cross_device = base is None
            if self._others is not None and self._others.far is not None:
                self.simulates_cross_device = False
                self.second_root = self._make_in_other(self._others.far)
            elif base is not None:
                self._second_workspace = Workspace.create(base)
                self.second_root = self._second_workspace.create_sandbox(self._label)
            else:
                self.second_root = self.add_root("far")
        return self.second_root

    def is_further_root(self, path: bytes) -> bool:
        """Return whether a path is in a sandbox root that a step has added for a copy of the tree."""
        return any(path == root or path.startswith(root + b"/") for root in self._roots[1:])

    def check_in_place(self, directory: bytes) -> None:
        """Raise CandidateFault if the workspace, or the sandbox of ``directory`` in it, has lost its place."""
        root = next((root for root in self._roots if directory == root or directory.startswith(root + b"/")), None)
        own = os.path.join(os.fsencode(self._workspace.path), b"")
        try:
            self._workspace.check_in_place(root if root is not None and root.startswith(own) else None)
        except WorkspaceLost as lost:
            raise CandidateFault("workspace", str(lost)) from lost

    def close(self) -> None:
        """Remove all roots with their contents."""
        if self._second_workspace is not None:
            self._second_workspace.remove()
        if self._disk_workspace is not None:
            self._disk_workspace.remove()
        self._mounts.close()
        for root in filter(None, (*self._roots, self.second_root)):
            for workspace in (self._workspace, *self._other_workspaces()):
                if root.startswith(os.path.join(os.fsencode(workspace.path), b"")):
                    workspace.remove_sandbox(root)

    def _other_workspaces(self) -> list[Workspace]:
        found = () if self._others is None else (self._others.disk, self._others.far)
        return [workspace for workspace in found if workspace is not None]

    def _make_in_other(self, workspace: Workspace) -> bytes:
        try:
            return workspace.create_sandbox(self._label)
        except WorkspaceLost as lost:
            raise CandidateFault("workspace", str(lost)) from lost

    def _make_sandbox(self, label: str) -> bytes:
        try:
            return self._base_workspace().create_sandbox(label)
        except WorkspaceLost as lost:
            raise CandidateFault("workspace", str(lost)) from lost
        except CannotBuild as error:
            why = getattr(error.__cause__, "strerror", error)
            raise not_buildable(error, f"this machine cannot create a folder for the tree: {why}") from error

    def _base_workspace(self) -> Workspace:
        """Return the workspace of the sandboxes: that of the run, one on a disk, or one where names are folded."""
        if self.requires_folding:
            return self._make_folding_workspace()
        if not self.requires_disk:
            return self._workspace
        if self._others is not None and self._others.disk is not None:
            return self._others.disk
        base = find_disk_base()
        if base is None:
            raise NotVerified("host_lacks", "needs disk: no writable directory is on a disk")
        if self._disk_workspace is None:
            self._disk_workspace = Workspace.create(base)
        return self._disk_workspace

    def _make_folding_workspace(self) -> Workspace:
        """Return a workspace on a file system that is mounted in that of the run, which itself may fold names."""
        if self._folding_workspace is None:
            place = self._workspace.create_sandbox(f"{self._label} folding")
            self._mounts.callback(self._workspace.remove_sandbox, place)
            if folds_case(place):
                self._folding_workspace = self._workspace
            else:
                base = Path(os.fsdecode(place))
                self._mounts.enter_context(FoldingMount(base))
                self._folding_workspace = self._mounts.enter_context(Workspace(base))
        return self._folding_workspace


def not_buildable(error: CannotBuild, detail: str) -> NotVerified:
    """Return the NotVerified for a tree that the host cannot build, with ``detail`` as the cause."""
    full = isinstance(error.__cause__, OSError) and error.__cause__.errno in (errno.ENOSPC, errno.EDQUOT)
    return NotVerified("no_space" if full else "tree_not_buildable", detail)


class Sandbox:
    """The sandbox roots of a scenario and the trees in them.

    ``respects_file_modes`` is False when the candidate may ignore file modes.
    """

    def __init__(self, roots: SandboxRoots, *, respects_file_modes: bool) -> None:
        self.roots = roots
        self.tree = Tree(())
        """The tree of the sandbox root as it is now; only calls of the candidate change it unseen."""
        self.outside_tree = Tree(())
        """The tree beside the sandbox root."""
        self.notations: dict[str, str] = {}
        """The notation of the tree in the sandbox root (``tree``) and of the one beside it (``outside``)."""
        self.creation_order: CreationOrder = LISTED
        self._respects_file_modes = respects_file_modes

    @property
    def root(self) -> bytes:
        """Absolute path of the sandbox root."""
        return self.roots.root

    @property
    def outside(self) -> bytes:
        """Absolute path of the folder that contains the sandbox root and its siblings."""
        return os.path.dirname(self.root)

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of the scenario and their values."""
        return self.roots.placeholders

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
        self.roots.check_in_place(at)
        try:
            build_tree(tree, at, order=self.creation_order, substitutions=substitutions, add_to_existing=adding)
        except CannotBuild as error:
            self.roots.check_in_place(at)
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
        return self.roots.add_root(label)

    def snapshot(self) -> Snapshot:
        """Return the state of the sandbox root and of everything beside it."""
        return take_snapshot(self.outside)

    def read_tree(self, namespace_root: bytes = b"") -> Tree:
        """Return the tree in and beside the sandbox root; the second root appears as ``$FAR``.

        ``namespace_root`` is the path of the root directory that the candidate sees, without a trailing slash.
        """
        return read_roots(namespace_root + self.outside, self.roots.second_root)

    def close(self) -> None:
        """Remove everything that was built."""
        self.roots.close()


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
