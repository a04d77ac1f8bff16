"""Mutants: errors when a link from another file system replaces an entry."""

import os

from treeproof.reference_impl.file_operations.transfer import Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_move


class NeedsAFreeName(Move):
    """Creates the link under its final name, which is taken."""

    def move_link_across_devices(self, found: os.stat_result) -> None:
        os.symlink(
            os.readlink(self.source_name, dir_fd=self.source_dir_fd),
            self.final_name,
            dir_fd=self.target_dir_fd,
        )
        os.unlink(self.source_name, dir_fd=self.source_dir_fd)


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


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-231",
        "A link that is moved to another file system never overwrites.",
        "DFO-07",
        tools=tools_with_move(transfer=NeedsAFreeName),
    ),
    build_mutant(
        "MUT-FO-232",
        "The entry that a link from another file system replaces stays under another name.",
        "DFO-07",
        tools=tools_with_move(transfer=RemovesFirst),
    ),
)
