"""Mutants: errors with existing names: taken without permission, or emptied too early."""

import contextlib
import os
import shutil
import stat
from typing import Any

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.resolution import Replacement, Resolution
from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import (
    WritesInPlace,
    WritesInPlaceAndCleansUp,
    final_path,
)


class FollowsToLook(Resolution):
    """A dangling link counts as missing."""

    def stat_existing(self, final: NamedPlace) -> os.stat_result | None:
        found = super().stat_existing(final)
        if found is not None and stat.S_ISLNK(found.st_mode):
            path = os.path.join(final.directory.root, *final.directory.components, final.name)
            return found if os.path.exists(path) else None
        return found


class ClearsTheWay(Resolution):
    """Removes a directory with the final name."""

    def check_replacement(self, at: Replacement) -> None:
        if not stat.S_ISDIR(at.existing.st_mode):
            super().check_replacement(at)
        self.check_overwrite_allowed()


class RemovesTrees(Move):
    def rename(self) -> None:
        if self.replaces_existing:
            shutil.rmtree(final_path(self), ignore_errors=True)
        os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)


class RemovesTreesToCopy(Copy):
    """Removes a directory with the final name before a copy."""

    def run(self) -> None:
        if self.replaces_existing:
            shutil.rmtree(final_path(self), ignore_errors=True)
        super().run()


class RemovesFirst(Move):
    """Removes the entry with the final name before the rename."""

    def rename(self) -> None:
        if self.replaces_existing:
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
        os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)


class RemovesFirstAnyway(Resolution):
    def resolve(self) -> Any:
        final = self.sandbox.resolve_named(self.request.destination)
        if self.request.overwrite and self.request.overwrite_allowed and not self.is_directory(final):
            source = self.sandbox.resolve_named(self.request.source)
            with contextlib.suppress(OSError):
                path = os.path.join(final.directory.root, *final.directory.components, final.name)
                if not os.path.lexists(os.path.join(source.directory.root, *source.directory.components, source.name)):
                    os.unlink(path)
        return super().resolve()


class SetsAside(Copy):
    """Renames the existing file, which takes the name of a neighbour, and removes it after the copy."""

    def publish(self, copy: FileCopy) -> None:
        if not self.replaces_existing:
            super().publish(copy)
            return
        backup = self.final_name[:250] + b".bak"
        os.rename(self.final_name, backup, src_dir_fd=self.target_dir_fd, dst_dir_fd=self.target_dir_fd)
        copy.publish_as(self.final_name)
        os.unlink(backup, dir_fd=self.target_dir_fd)


# These are seen by a reader or a failure while the call runs.
MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-072",
        "The replaced file is removed before the rename.",
        "DFO-11 DFO-05 FR-FOPS-MV-04",
        tools=tools_with_move(transfer=RemovesFirst),
    ),
    build_mutant(
        "MUT-FO-074",
        "A copy is written into the file that it replaces.",
        "DFO-11 DFO-10 DFO-06 DFO-07",
        tools=tools_with_copy(transfer=WritesInPlace),
    ),
    build_mutant(
        "MUT-FO-075",
        "A copy is written into the file that it replaces, which is removed after a failure.",
        "DFO-11 DFO-10 DFO-02 DFO-04 DFO-06 DFO-07",
        tools=tools_with_copy(transfer=WritesInPlaceAndCleansUp),
    ),
)
