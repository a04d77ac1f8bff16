"""Wrong where a link that is moved to another file system takes the place of something."""

import os

from ...moving.transfer import Move
from ..mutant import Mutant
from .made import made, moving


class NeedsAFreeName(Move):
    """A link is made under its final name, which is taken."""

    def carry_link(self, found: os.stat_result) -> None:
        os.symlink(os.readlink(self.source, dir_fd=self.at), self.final, dir_fd=self.to)
        os.unlink(self.source, dir_fd=self.at)


class RemovesFirst(Move):
    """What is there gets another name and keeps it."""

    def carry_link(self, found: os.stat_result) -> None:
        if self.replaces:
            os.rename(self.final, b"." + self.final, src_dir_fd=self.to, dst_dir_fd=self.to)
        super().carry_link(found)


MUTANTS: tuple[Mutant, ...] = (
    made(
        231,
        "A link that is moved to another file system never overwrites.",
        "DFO-07",
        tools=moving(transfer=NeedsAFreeName),
    ),
    made(
        232,
        "What a link from another file system overwrites stays beside it.",
        "DFO-07",
        tools=moving(transfer=RemovesFirst),
    ),
)
