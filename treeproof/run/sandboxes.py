"""The sandbox roots of one scenario: in the run's workspace, on a disk, or on a second file system."""

from __future__ import annotations

import errno
import os

from treeproof.candidate import CandidateFault
from treeproof.run.other_workspaces import OtherWorkspaces
from treeproof.tree import CannotBuild, Workspace, WorkspaceLost, find_base_on_other_file_system, find_disk_base
from treeproof.verdict import NotVerified


class Sandboxes:
    """The sandbox roots of one scenario, each made at its first use."""

    def __init__(self, workspace: Workspace, label: str, others: OtherWorkspaces | None = None) -> None:
        """``others`` are used instead of new workspaces on a disk or a second file system."""
        self.requires_disk = False
        """True if they must be on a disk; set before the first is created."""
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
        self._second_workspace: Workspace | None = None

    @property
    def root(self) -> bytes:
        """Absolute path of the sandbox root."""
        if not self._roots:
            self._roots.append(self._make_fixture(self._label))
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
        self._roots.append(self._make_fixture(f"{self._label} {label}"))
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
                self.second_root = self._second_workspace.create_fixture(self._label)
            else:
                self.second_root = self.add_root("far")
        return self.second_root

    def is_further_root(self, path: bytes) -> bool:
        """Return whether a path is in a sandbox root that a step has added for a copy of the tree."""
        return any(path == root or path.startswith(root + b"/") for root in self._roots[1:])

    def check_in_place(self, directory: bytes) -> None:
        """Raise CandidateFault if the workspace, or the fixture of ``directory`` in it, has lost its place."""
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
        for root in filter(None, (*self._roots, self.second_root)):
            for workspace in (self._workspace, *self._other_workspaces()):
                if root.startswith(os.path.join(os.fsencode(workspace.path), b"")):
                    workspace.remove_fixture(root)

    def _other_workspaces(self) -> list[Workspace]:
        found = () if self._others is None else (self._others.disk, self._others.far)
        return [workspace for workspace in found if workspace is not None]

    def _make_in_other(self, workspace: Workspace) -> bytes:
        try:
            return workspace.create_fixture(self._label)
        except WorkspaceLost as lost:
            raise CandidateFault("workspace", str(lost)) from lost

    def _make_fixture(self, label: str) -> bytes:
        try:
            return self._base_workspace().create_fixture(label)
        except WorkspaceLost as lost:
            raise CandidateFault("workspace", str(lost)) from lost
        except CannotBuild as error:
            why = getattr(error.__cause__, "strerror", error)
            raise not_buildable(error, f"this machine cannot create a folder for the tree: {why}") from error

    def _base_workspace(self) -> Workspace:
        """Return the workspace of the fixtures: that of the run, or one on a disk."""
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


def not_buildable(error: CannotBuild, detail: str) -> NotVerified:
    """Return the NotVerified for a tree that the host cannot build, with ``detail`` as the cause."""
    full = isinstance(error.__cause__, OSError) and error.__cause__.errno in (errno.ENOSPC, errno.EDQUOT)
    return NotVerified("no_space" if full else "tree_not_buildable", detail)
