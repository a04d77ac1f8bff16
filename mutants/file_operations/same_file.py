"""Mutants: errors when source and destination are the same entry, or one contains the other."""

import os

from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.file_operations.transfer import Move

from .file_writers import WritesInPlace, copy_correctly, final_path, open_nonblocking, source_path


class NeverSame(Resolution):
    """Two paths are always two files."""

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return False


class SameBySpelling(Resolution):
    """Two paths are the same file if their texts are equal."""

    def is_same_file(self, found: os.stat_result, existing: os.stat_result) -> bool:
        return self.request.source.text == self.request.destination.text


class RemovesAndRenames(Move):
    """Removes the entry with the final name before the rename."""

    def rename(self) -> None:
        if self.replaces_existing:
            os.unlink(self.final_name, dir_fd=self.target_dir_fd)
        os.rename(self.source_name, self.final_name, src_dir_fd=self.source_dir_fd, dst_dir_fd=self.target_dir_fd)


class TruncatesItself(WritesInPlace):
    """Opens the destination for writing without a check."""

    def run(self) -> None:
        if not self.replaces_existing:
            copy_correctly(self)
            return
        with (
            open_nonblocking(final_path(self), "wb") as new,
            open_nonblocking(source_path(self), "rb") as old,
        ):
            new.write(old.read())
