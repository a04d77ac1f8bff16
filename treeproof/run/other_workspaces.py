"""The workspaces of a run on a disk and on a second file system, made before a candidate starts that is confined."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from treeproof.tree import Workspace, find_base_on_other_file_system, find_disk_base


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
