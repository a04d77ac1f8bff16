"""Mutants: errors when a link from another file system replaces an entry."""

import os

from treeproof.reference_impl.file_operations.transfer import Move


class RemovesFirst(Move):
    """Renames the existing entry, which keeps its new name."""

    def move_link_across_devices(self, found: os.stat_result) -> None:
        if self.replaces_existing:
            os.rename(
                self.final_name,
                b"." + self.final_name,
                src_dir_fd=self.target_dir_fd,
                dst_dir_fd=self.target_dir_fd,
            )
        super().move_link_across_devices(found)
