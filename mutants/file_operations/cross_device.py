"""Mutants: errors in moves of files to another file system."""

import contextlib
import os
import shutil

from treeproof.reference_impl.file_operations.transfer import Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_move
from .file_writers import (
    copy_correctly,
    final_path,
    source_path,
)


class AnyReason(Move):
    def is_cross_device(self, error: OSError) -> bool:
        return not isinstance(error, (FileExistsError, NotADirectoryError, IsADirectoryError))


class AnyReasonKeeps(AnyReason):
    def delete_source(self, origin: os.stat_result) -> None:
        """Leave the source, unless the file systems differ."""
        if os.fstat(self.source_dir_fd).st_dev != os.fstat(self.target_dir_fd).st_dev:
            super().delete_source(origin)


class DeletesFirst(Move):
    def move_file_across_devices(self) -> None:
        path = source_path(self)
        with open(path, "rb") as old:
            os.unlink(path)
            with open(final_path(self), "wb" if self.replaces_existing else "xb") as new:
                shutil.copyfileobj(old, new)


class DeletesAnyway(Move):
    """Deletes the source even if the copy failed."""

    def move_file_across_devices(self) -> None:
        with contextlib.suppress(OSError):
            copy_correctly(self)
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)


class Forgets(Move):
    def delete_source(self, origin: os.stat_result) -> None:
        pass


class RemovesOldFirst(Move):
    def move_file_across_devices(self) -> None:
        if self.replaces_existing:
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
            self.replaces_existing = False
        super().move_file_across_devices()


class LosesBoth(Move):
    """Neither the replaced file nor the copy is left if the source cannot be deleted."""

    def move_file_across_devices(self) -> None:
        with self.copier(self.source_dir_fd, self.source_name, self.target_dir_fd, preserves_mtime=True) as copy:
            origin = copy.copy_content()
            self.publish(copy)
            try:
                self.delete_source(origin)
            except OSError:
                self.remove_copy()
                raise


class ByPieces(Move):
    """Truncates the source while it is read."""

    def move_file_across_devices(self) -> None:
        with (
            open(source_path(self), "r+b") as old,
            open(final_path(self), "wb") as new,
        ):
            while size := old.seek(0, os.SEEK_END):
                start = max(0, size - 65536)
                old.seek(start)
                piece = old.read(65536)
                new.seek(start)
                new.write(piece)
                new.flush()
                old.truncate(start)
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)


# These are seen while the call runs, or where the file system fails in the middle of it.
MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-266",
        "After any failure of rename, the file is copied and stays.",
        "FR-FOPS-MV-04 DFO-05",
        tools=tools_with_move(transfer=AnyReasonKeeps),
    ),
    build_mutant(
        "MUT-FO-267",
        "Where the source cannot be deleted, neither the replaced file nor the copy is left.",
        "DFO-11",
        tools=tools_with_move(transfer=LosesBoth),
    ),
    build_mutant(
        "MUT-FO-164",
        "The source is deleted before its copy is written.",
        "DFO-04 DFO-05 DFO-10 DFO-11 FR-FOPS-MV-04 DFO-08",
        tools=tools_with_move(transfer=DeletesFirst),
    ),
    build_mutant(
        "MUT-FO-165",
        "The source is deleted although its copy failed.",
        "DFO-04 DFO-05 DFO-10 DFO-11 FR-FOPS-MV-04 DFO-08",
        tools=tools_with_move(transfer=DeletesAnyway),
    ),
    build_mutant(
        "MUT-FO-166",
        "A file that was moved to another file system stays at its source too.",
        "FR-FOPS-MV-04 DFO-04 DFO-05 DFO-07 DFO-08",
        tools=tools_with_move(transfer=Forgets),
    ),
    build_mutant(
        "MUT-FO-173",
        "On another file system, the replaced file is deleted first.",
        "DFO-11 DFO-10 DFO-05",
        tools=tools_with_move(transfer=RemovesOldFirst),
    ),
    build_mutant(
        "MUT-FO-177",
        "A file is truncated piece by piece while it moves to another file system.",
        "DFO-04 DFO-05 DFO-10 DFO-11 FR-FOPS-MV-04 DFO-08",
        tools=tools_with_move(transfer=ByPieces),
    ),
)
