"""Mutants: errors in moves and copies of directories at a full disk, at a limit, or at a pipe without a writer."""

import errno
import os
import shutil
import stat

from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import final_path, source_path


class CopiesTrees(Copy):
    """Copies directories."""

    def run(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            self.copy_directory(os.fsdecode(source_path(self)), os.fsdecode(final_path(self)))
        else:
            super().run()

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True)


class CopyTakesWhatFits(CopiesTrees):
    """In the copy of a directory, a file ends where it grows too large."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, copy_function=copy_what_fits)


def copy_what_fits(source: str, final: str) -> None:
    """Copy a file; that it grows too large is no error."""
    try:
        shutil.copy2(source, final)
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise


def copy_by_reading(source: str, final: str) -> str:
    """Copy whatever can be opened by reading it to its end."""
    with open(source, "rb") as old, open(final, "xb") as new:
        shutil.copyfileobj(old, new)
    return final


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
        "MUT-FO-437",
        "In the copy of a directory, a file that grows too large ends early.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyTakesWhatFits),
    ),
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
