"""Mutants: errors in moves to another file system and after partial failures."""

import contextlib
import os
import shutil
import stat

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import (
    CleansUpWhatIsNew,
    WritesInPlace,
    copy_correctly,
    cross_device_move_using,
    final_path,
    source_path,
)


class StaysHere(Move):
    def is_cross_device(self, error: OSError) -> bool:
        return False


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


class NotTheEnd(Move):
    def delete_source(self, origin: os.stat_result) -> None:
        with contextlib.suppress(OSError):
            super().delete_source(origin)


class MakesDirectories(Move):
    """Creates an empty directory and keeps the source."""

    def move_across_devices(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            os.mkdir(self.final_name, dir_fd=self.target_dir_fd)
        else:
            super().move_across_devices()


class DropsDirectories(Move):
    """Copies the files of a directory and deletes everything."""

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


class LeavesUnfinishedFile(FileCopy):
    """The unfinished file has a name, and keeps it after a failure."""

    def create_target(self) -> int:
        self.temporary_name = b".unfinished"
        return os.open(self.temporary_name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=self.target_dir_fd)

    def __exit__(self, *failure: object) -> None:
        if failure[0] is not None:
            self.temporary_name = None
        super().__exit__(*failure)


class CopyLeavesUnfinishedFile(Copy):
    """Copies with `LeavesUnfinishedFile`."""

    copier = LeavesUnfinishedFile


class MoveLeavesUnfinishedFile(Move):
    """Moves with `LeavesUnfinishedFile`."""

    copier = LeavesUnfinishedFile


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


class SkipsFamiliarNames(Move):
    """Moves directories, but for names that are usually ignored."""

    def move_across_devices(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().move_across_devices()
            return
        copy_familiar_tree(source_path(self), final_path(self))
        shutil.rmtree(source_path(self))


class CopySkipsFamiliarNames(Copy):
    """Copies directories, but for names that are usually ignored."""

    def run(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().run()
        else:
            copy_familiar_tree(source_path(self), final_path(self))


def copy_familiar_tree(source: bytes, final: bytes) -> None:
    """Copy a directory without names that tools often ignore."""
    ignore = shutil.ignore_patterns(".git", "node_modules", "target")
    shutil.copytree(os.fsdecode(source), os.fsdecode(final), symlinks=True, ignore=ignore)


class Beside(FileCopy):
    """The unfinished copy lies in the directory of its source."""

    def create_target(self) -> int:
        self.temporary_name = b".copying"
        return os.open(self.temporary_name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=self.source_dir_fd)

    def publish_as(self, name: bytes) -> None:
        assert self.temporary_name is not None
        try:
            os.rename(self.temporary_name, name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)
        except OSError:
            os.unlink(self.temporary_name, dir_fd=self.source_dir_fd)
            raise
        finally:
            self.temporary_name = None


class CopiesBesideTheSource(Copy):
    """Makes a new copy in the directory of its source and renames it."""

    copier = Beside

    def run(self) -> None:
        if self.replaces_existing:
            copy_correctly(self)
        else:
            super().run()


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


class ReplacesBesideTheSource(CopiesBesideTheSource):
    """Makes every copy in the directory of its source and renames it."""

    def run(self) -> None:
        if self.replaces_existing:
            self.refuse_directory()
        Copy.run(self)

    def publish(self, copy: FileCopy) -> None:
        copy.publish_as(self.final_name)


class TakesANeighbour(FileCopy):
    """The unfinished file has the name of a neighbour."""

    def create_target(self) -> int:
        self.temporary_name = b"b.tmp"
        return os.open(self.temporary_name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=self.target_dir_fd)


class MovesByANeighbour(Move):
    copier = TakesANeighbour


class CopiesTrees(Copy):
    """Copies directories."""

    def run(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            self.copy_directory(os.fsdecode(source_path(self)), os.fsdecode(final_path(self)))
        else:
            super().run()

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True)


class CopyBringsIn(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final)


class CopyDropsLinks(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, ignore=only_links)


class CopySkipsUnreadable(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        with contextlib.suppress(shutil.Error):
            super().copy_directory(source, final)


def only_links(directory: str, names: list[str]) -> list[str]:
    return [name for name in names if os.path.islink(os.path.join(directory, name))]


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


class MoveBringsIn(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final)


class MoveSkipsUnreadable(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        with contextlib.suppress(shutil.Error):
            super().copy_directory(source, final)


class NeverFlushes(FileCopy):
    """Leaves the copy in memory."""

    def copy_content(self) -> os.stat_result:
        source = os.open(self.source_name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=self.source_dir_fd)
        try:
            found = os.fstat(source)
            self.descriptor = self.create_target()
            for piece in self.read_chunks(source):
                self.write_chunk(piece)
            self.copy_metadata(found)
            return found
        finally:
            os.close(source)

    def sync_directory(self) -> None:
        """Do nothing."""


class IgnoresFlushes(NeverFlushes):
    """Flushes the copy, whether the disk takes it or not."""

    def copy_content(self) -> os.stat_result:
        found = super().copy_content()
        with contextlib.suppress(OSError):
            os.fsync(self.descriptor)
        return found


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
        "MUT-FO-271",
        "A copy is made beside its source and renamed.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopiesBesideTheSource),
    ),
    build_mutant(
        "MUT-FO-272",
        "A directory moved to another file system loses what has a familiar name.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=SkipsFamiliarNames),
    ),
    build_mutant(
        "MUT-FO-273",
        "The copy of a directory lacks what has a familiar name.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopySkipsFamiliarNames),
    ),
    build_mutant(
        "MUT-FO-161",
        "A move to another file system is an error.",
        "FR-FOPS-MV-04 DFO-04 DFO-08",
        tools=tools_with_move(transfer=StaysHere),
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
        "MUT-FO-167",
        "A source that cannot be deleted is not reported.",
        "DFO-04 DFO-05",
        tools=tools_with_move(transfer=NotTheEnd),
    ),
    build_mutant(
        "MUT-FO-168",
        "A directory moved to another file system loses its content.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=MakesDirectories),
    ),
    build_mutant(
        "MUT-FO-169",
        "A directory moved to another file system loses its subdirectories.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=DropsDirectories),
    ),
    build_mutant(
        "MUT-FO-170",
        "A pipe moved to another file system becomes an empty file.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=EmptyPipes),
    ),
    build_mutant(
        "MUT-FO-171",
        "A failed copy leaves an unfinished file behind.",
        "DFO-10 DFO-11",
        tools=tools_with_copy(transfer=CopyLeavesUnfinishedFile),
    ),
    build_mutant(
        "MUT-FO-172",
        "A failed move leaves an unfinished file behind.",
        "DFO-10 DFO-11",
        tools=tools_with_move(transfer=MoveLeavesUnfinishedFile),
    ),
    build_mutant(
        "MUT-FO-173",
        "On another file system, the replaced file is deleted first.",
        "DFO-11 DFO-10 DFO-05",
        tools=tools_with_move(transfer=RemovesOldFirst),
    ),
    build_mutant(
        "MUT-FO-175",
        "A failed copy leaves half of the content.",
        "DFO-10 DFO-11 DFO-07 DFO-06",
        tools=tools_with_copy(transfer=WritesInPlace),
    ),
    build_mutant(
        "MUT-FO-176",
        "A copy has its final name before it is complete.",
        "DFO-10",
        tools=tools_with_copy(transfer=CleansUpWhatIsNew),
    ),
    build_mutant(
        "MUT-FO-177",
        "A file is truncated piece by piece while it moves to another file system.",
        "DFO-04 DFO-05 DFO-10 DFO-11 FR-FOPS-MV-04 DFO-08",
        tools=tools_with_move(transfer=ByPieces),
    ),
    build_mutant(
        "MUT-FO-287",
        "Every copy is made beside its source and renamed.",
        "DFO-02",
        tools=tools_with_copy(transfer=ReplacesBesideTheSource),
    ),
    build_mutant(
        "MUT-FO-288",
        "A move to another file system overwrites a neighbour there on its way.",
        "FR-FOPS-MV-04 DFO-10",
        tools=tools_with_move(transfer=MovesByANeighbour),
    ),
    build_mutant(
        "MUT-FO-289",
        "The copy of a directory has what links in it lead to outside.",
        "NFR-FOPS-SEC-01 DFO-10",
        tools=tools_with_copy(transfer=CopyBringsIn),
    ),
    build_mutant(
        "MUT-FO-290",
        "The copy of a directory lacks its links.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyDropsLinks),
    ),
    build_mutant(
        "MUT-FO-291",
        "The copy of a directory lacks what cannot be read.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopySkipsUnreadable),
    ),
    build_mutant(
        "MUT-FO-292",
        "A directory that cannot be copied completely is half copied.",
        "DFO-10",
        tools=tools_with_copy(transfer=CopiesTrees),
    ),
    build_mutant(
        "MUT-FO-293",
        "A directory brings what links in it lead to outside to another file system.",
        "NFR-FOPS-SEC-01 FR-FOPS-MV-04 DFO-10",
        tools=tools_with_move(transfer=MoveBringsIn),
    ),
    build_mutant(
        "MUT-FO-294",
        "A directory that moves to another file system loses what cannot be read.",
        "FR-FOPS-MV-04 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsUnreadable),
    ),
    build_mutant(
        "MUT-FO-295",
        "A directory that cannot be moved to another file system is half there.",
        "DFO-10",
        tools=tools_with_move(transfer=MovesTrees),
    ),
    build_mutant(
        "MUT-FO-298",
        "A move to another file system does not flush its copy.",
        "DFO-04",
        tools=tools_with_move(transfer=cross_device_move_using(NeverFlushes)),
    ),
    build_mutant(
        "MUT-FO-299",
        "A move to another file system ignores that its copy cannot be flushed.",
        "DFO-04",
        tools=tools_with_move(transfer=cross_device_move_using(IgnoresFlushes)),
    ),
)
