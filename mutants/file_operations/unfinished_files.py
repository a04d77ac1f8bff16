"""Mutants: errors in the unfinished file of a copy: its place, its name, its flush and its removal."""

import contextlib
import os

from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import (
    CleansUpWhatIsNew,
    WritesBeside,
    WritesBesideLonger,
    WritesInPlace,
    copy_correctly,
    cross_device_move_using,
)


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
        "MUT-FO-271",
        "A copy is made beside its source and renamed.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopiesBesideTheSource),
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
        "MUT-FO-287",
        "Every copy is made beside its source and renamed.",
        "DFO-02",
        tools=tools_with_copy(transfer=ReplacesBesideTheSource),
    ),
    build_mutant(
        "MUT-FO-288",
        "A move to another file system overwrites a neighbour there on its way.",
        "FR-FOPS-MV-04 DFO-10 DFO-05",
        tools=tools_with_move(transfer=MovesByANeighbour),
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
    build_mutant(
        "MUT-FO-102",
        "A copy overwrites a user's file as if it were unfinished.",
        "DFO-05",
        tools=tools_with_copy(transfer=WritesBeside),
    ),
    build_mutant(
        "MUT-FO-103",
        "The unfinished file has a longer name than the final one.",
        "DFO-02",
        tools=tools_with_copy(transfer=WritesBesideLonger),
    ),
)
