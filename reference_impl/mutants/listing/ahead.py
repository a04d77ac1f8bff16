"""Wrong in what is looked for once the limit is met: whether anything more would have qualified."""

import errno
import os

from ...list_directory import ListDirectory
from ...listing.walk import Closed, Level, Walk
from ..mutant import Mutant
from .made import wrong


class StaysOutOfWhatIsLeftOut(Walk):
    def _has_more(self, level: Level, closed: list[Closed]) -> bool:
        return super()._has_more(level, [])


class FailsWhereItLooksAhead(Walk):
    def _report_unreadable(self, directory: Closed) -> None:
        if self._is_full():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        super()._report_unreadable(directory)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-681",
        "Once the limit is met, directories that are left out are not looked into, and the listing is complete.",
        "FR-LD-LST-07",
        tool=ListDirectory(walk=StaysOutOfWhatIsLeftOut),
    ),
    wrong(
        "MUT-682",
        "A call fails that looks for more entries in a directory that cannot be read.",
        "FR-LD-LST-08",
        tool=ListDirectory(walk=FailsWhereItLooksAhead),
    ),
)
