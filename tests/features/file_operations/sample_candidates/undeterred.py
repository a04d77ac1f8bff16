"""A candidate that succeeds in spite of faults: it needs fewer reads, and has other ways to remove a source."""

import contextlib
import os
from collections.abc import Iterator

from treeproof.reference_impl.file_operations.candidate import copy_tool, file_tools, move_tool
from treeproof.reference_impl.file_operations.file_copy import FileCopy
from treeproof.reference_impl.file_operations.transfer import Copy, Move
from treeproof.reference_impl.shared.candidate import Candidate


class ReadsAtOnce(FileCopy):
    """Has the whole content after the first read; whatever the next one says is of no interest."""

    def read_chunks(self, source: int) -> Iterator[bytes]:
        yield os.read(source, os.fstat(source).st_size)
        with contextlib.suppress(OSError):
            os.read(source, 1)


class CopyAtOnce(Copy):
    copier = ReadsAtOnce


class PersistentMove(Move):
    copier = ReadsAtOnce

    def run(self) -> None:
        try:
            super().run()
        except PermissionError:
            directory = f"/proc/self/fd/{self.source_dir_fd}"
            mode = os.stat(directory).st_mode & 0o7777
            os.chmod(directory, mode | 0o200)
            super().run()
            os.chmod(directory, mode)

    def delete_source(self, origin: os.stat_result) -> None:
        try:
            super().delete_source(origin)
        except OSError:
            os.rename(self.source_name, b".trash", src_dir_fd=self.source_dir_fd, dst_dir_fd=self.source_dir_fd)
            os.unlink(b".trash", dir_fd=self.source_dir_fd)


def candidate() -> Candidate:
    return Candidate(file_tools(move_tool(transfer=PersistentMove), copy_tool(transfer=CopyAtOnce)))
