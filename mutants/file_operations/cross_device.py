"""Wrong on the way to another file system, and whenever something fails half way."""

import contextlib
import errno
import os
import shutil
import stat

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import CleansUpWhatIsNew, WritesInPlace, copy_correctly, final_path, source_path


class StaysHere(Move):
    def is_cross_device(self, error: OSError) -> bool:
        return False


class AnyReason(Move):
    def is_cross_device(self, error: OSError) -> bool:
        return not isinstance(error, (FileExistsError, NotADirectoryError, IsADirectoryError))


class RefusalsToo(Move):
    def is_cross_device(self, error: OSError) -> bool:
        return error.errno in (errno.EXDEV, errno.EPERM)


class DeletesFirst(Move):
    def move_file_across_devices(self) -> None:
        path = source_path(self)
        with open(path, "rb") as old:
            os.unlink(path)
            with open(final_path(self), "wb" if self.replaces_existing else "xb") as new:
                shutil.copyfileobj(old, new)


class DeletesAnyway(Move):
    """The source goes, whatever became of the copy."""

    def move_file_across_devices(self) -> None:
        with contextlib.suppress(OSError):
            copy_correctly(self)
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)


class Forgets(Move):
    """The source stays."""

    def delete_source(self, origin: os.stat_result) -> None:
        pass


class NotTheEnd(Move):
    def delete_source(self, origin: os.stat_result) -> None:
        with contextlib.suppress(OSError):
            super().delete_source(origin)


class MakesDirectories(Move):
    """Of a directory an empty one is made, and the source stays."""

    def move_across_devices(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            os.mkdir(self.final_name, dir_fd=self.target_dir_fd)
        else:
            super().move_across_devices()


class DropsDirectories(Move):
    """A directory's files come along, and it goes with all the rest."""

    def move_across_devices(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().move_across_devices()
            return
        old, new = source_path(self), final_path(self)
        os.mkdir(new)
        for entry in os.scandir(old):
            if entry.is_file(follow_symlinks=False):
                shutil.copyfile(entry.path, os.path.join(new, entry.name))
        shutil.rmtree(old)


class EmptyPipes(Move):
    def move_across_devices(self) -> None:
        if stat.S_ISFIFO(self.stat_source().st_mode) or stat.S_ISSOCK(self.stat_source().st_mode):
            with open(final_path(self), "xb"):
                pass
            os.unlink(self.source_name, dir_fd=self.source_dir_fd)
        else:
            super().move_across_devices()


class Littering(FileCopy):
    """What is half-written has a name, and keeps it."""

    def create_target(self) -> int:
        self.temporary_name = b".unfinished"
        return os.open(
            self.temporary_name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=self.target_dir_fd
        )

    def __exit__(self, *failure: object) -> None:
        if failure[0] is not None:
            self.temporary_name = None
        super().__exit__(*failure)


class LittersCopying(Copy):
    """Copies in that way."""

    copier = Littering


class LittersMoving(Move):
    """Moves in that way."""

    copier = Littering


class RemovesOldFirst(Move):
    def move_file_across_devices(self) -> None:
        if self.replaces_existing:
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
            self.replaces_existing = False
        super().move_file_across_devices()


class OverwritesBeforeDeleting(Move):
    def move_file_across_devices(self) -> None:
        with self.copier(
            self.source_dir_fd, self.source_name, self.target_dir_fd, preserves_mtime=True
        ) as copy:
            origin = copy.copy_content()
            self.publish(copy)
            self.delete_source(origin)


class ByPieces(Move):
    """What has been read of the source is cut off it."""

    def move_file_across_devices(self) -> None:
        with (
            open(source_path(self), "r+b") as old,
            open(final_path(self), "wb") as new,
        ):
            while old.seek(0, os.SEEK_END):
                size = old.tell()
                start = max(0, size - 65536)
                old.seek(start)
                piece = old.read(65536)
                new.seek(start)
                new.write(piece)
                new.flush()
                old.truncate(start)
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-161",
        "Another file system is an error.",
        "FR-FOPS-MV-04 DFO-04 DFO-08",
        tools=tools_with_move(transfer=StaysHere),
    ),
    build_mutant(
        "MUT-FO-162",
        "Whatever renaming fails with, the file is copied and deleted.",
        "FR-FOPS-MV-04 DFO-05",
        tools=tools_with_move(transfer=AnyReason),
    ),
    build_mutant(
        "MUT-FO-163",
        "Where renaming is not permitted the file is copied and deleted.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=RefusalsToo),
    ),
    build_mutant(
        "MUT-FO-164",
        "The source is deleted before its copy is written.",
        "DFO-04 DFO-05 FR-FOPS-MV-04 DFO-08",
        tools=tools_with_move(transfer=DeletesFirst),
    ),
    build_mutant(
        "MUT-FO-165",
        "The source is deleted although its copy failed.",
        "DFO-04 DFO-05 FR-FOPS-MV-04 DFO-08",
        tools=tools_with_move(transfer=DeletesAnyway),
    ),
    build_mutant(
        "MUT-FO-166",
        "A file that was moved to another file system is here as well.",
        "FR-FOPS-MV-04 DFO-04 DFO-05 DFO-07 DFO-08",
        tools=tools_with_move(transfer=Forgets),
    ),
    build_mutant(
        "MUT-FO-167",
        "That the source cannot be deleted is passed over.",
        "DFO-04 DFO-05",
        tools=tools_with_move(transfer=NotTheEnd),
    ),
    build_mutant(
        "MUT-FO-168",
        "A directory comes to another file system without what it holds.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=MakesDirectories),
    ),
    build_mutant(
        "MUT-FO-169",
        "A directory comes to another file system without what lies deeper, and goes.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=DropsDirectories),
    ),
    build_mutant(
        "MUT-FO-170",
        "A pipe comes to another file system as an empty file.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=EmptyPipes),
    ),
    build_mutant(
        "MUT-FO-171",
        "What could not be copied whole leaves a file behind.",
        "DFO-04 DFO-05",
        tools=tools_with_copy(transfer=LittersCopying),
    ),
    build_mutant(
        "MUT-FO-172",
        "What could not be moved whole leaves a file behind.",
        "DFO-04 DFO-05",
        tools=tools_with_move(transfer=LittersMoving),
    ),
    build_mutant(
        "MUT-FO-173",
        "On another file system what is overwritten goes first.",
        "DFO-05",
        tools=tools_with_move(transfer=RemovesOldFirst),
    ),
    build_mutant(
        "MUT-FO-174",
        "What was overwritten on another file system is gone though the source stays.",
        "DFO-05",
        tools=tools_with_move(transfer=OverwritesBeforeDeleting),
    ),
    build_mutant(
        "MUT-FO-175",
        "A copy that fails is there, half of it.",
        "DFO-04 DFO-05 DFO-07 DFO-06",
        tools=tools_with_copy(transfer=WritesInPlace),
    ),
    build_mutant(
        "MUT-FO-176",
        "A copy has its final name before it is whole.",
        "DFO-04",
        tools=tools_with_copy(transfer=CleansUpWhatIsNew),
    ),
    build_mutant(
        "MUT-FO-177",
        "A file is cut off piece by piece while it goes to another file system.",
        "DFO-04 DFO-05 FR-FOPS-MV-04 DFO-08",
        tools=tools_with_move(transfer=ByPieces),
    ),
)
