"""Mutants: errors after the limit is reached, in the check for further entries."""

import errno
import os

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.walk import ReadDirectory, UnreadDirectory, Walk

from ..shared.mutant import Mutant
from .builders import build_mutant


class IgnoresOmittedDirectories(Walk):
    def _directory_has_more(self, level: ReadDirectory, closed: list[UnreadDirectory]) -> bool:
        return super()._directory_has_more(level, [])


class FailsWhereItLooksAhead(Walk):
    def _report_unreadable(self, directory: UnreadDirectory) -> None:
        if self._is_full():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        super()._report_unreadable(directory)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-681",
        "After the limit is reached, omitted directories are not searched for further entries.",
        "FR-LD-LST-07",
        tool=ListDirectory(walk=IgnoresOmittedDirectories),
    ),
    build_mutant(
        "MUT-682",
        "A call fails if the check for further entries meets an unreadable directory.",
        "FR-LD-LST-08",
        tool=ListDirectory(walk=FailsWhereItLooksAhead),
    ),
)
