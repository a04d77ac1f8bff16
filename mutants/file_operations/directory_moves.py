"""Mutants: errors in moves of whole directories to another file system."""

import errno
import os
import shutil
import stat

from treeproof.reference_impl.file_operations.transfer import Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_move
from .file_writers import final_path, source_path
from .partial_trees import (
    copy_by_reading,
)


class MovesTrees(Move):
    """Moves directories to another file system."""

    def move_across_devices(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().move_across_devices()
            return
        self.copy_directory(os.fsdecode(source_path(self)), os.fsdecode(final_path(self)))
        shutil.rmtree(source_path(self))

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True)


class MoveReadsPipes(MovesTrees):
    """Waits for a writer of a pipe in a directory."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, copy_function=copy_by_reading)


class MoveSkipsWhatDoesNotFit(MovesTrees):
    """A full file system ends the copy, and the source is deleted."""

    def copy_directory(self, source: str, final: str) -> None:
        try:
            super().copy_directory(source, final)
        except shutil.Error as error:
            if os.strerror(errno.ENOSPC) not in str(error):
                raise


class ClearsTheFarDirectory(MovesTrees):
    """Removes a directory of the final name on another file system before the copy."""

    def rename(self) -> None:
        source, target = os.fstat(self.source_dir_fd), os.fstat(self.target_dir_fd)
        if source.st_dev != target.st_dev:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        super().rename()

    def copy_directory(self, source: str, final: str) -> None:
        shutil.rmtree(final, ignore_errors=True)
        super().copy_directory(source, final)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-321",
        "A pipe in a directory that moves to another file system is read.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveReadsPipes),
    ),
    build_mutant(
        "MUT-FO-327",
        "A directory that does not fit on another file system is deleted there and here.",
        "DFO-04 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsWhatDoesNotFit),
    ),
)
