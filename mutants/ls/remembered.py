"""Mutants: what was missing or a file stays that for later calls, and what is too large for a number."""

import os
from typing import ClassVar

from treeproof.reference_impl.ls.directory import Directory, Entry, EntryType
from treeproof.reference_impl.shared.directory_reader import DirectoryReader

from ..shared.mutant import Mutant
from .builders import build_mutant

Place = tuple[bytes, tuple[bytes, ...]]


class FailsAgain(Directory):
    """A directory that has failed once in this way fails again."""

    error: ClassVar[type[OSError]] = FileNotFoundError
    failed: ClassVar[dict[Place, OSError]] = {}

    def entries(self) -> list[Entry]:
        place = self.project.root, self.components
        if place in self.failed:
            raise self.failed[place]
        try:
            return super().entries()
        except self.error as failure:
            self.failed[place] = failure
            raise


class StaysMissing(FailsAgain):
    failed: ClassVar[dict[Place, OSError]] = {}


class StaysAFile(FailsAgain):
    error = NotADirectoryError
    failed: ClassVar[dict[Place, OSError]] = {}


class LacksWhatIsLarge(Directory):
    """A file whose size is no exact floating-point number is left out."""

    def type(self, reader: DirectoryReader, raw: bytes) -> EntryType:
        if os.lstat(self.project.join_root((*self.components, raw))).st_size >= 2**53:
            raise FileNotFoundError
        return super().type(reader, raw)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LS-430", "A directory that was missing stays missing.", "LS-DATA-06", directory=StaysMissing),
    build_mutant("MUT-LS-431", "A directory that was a file stays one.", "LS-DATA-06", directory=StaysAFile),
    build_mutant("MUT-LS-432", "A file of 2^53 bytes and more is left out.", "LS-DATA-06", directory=LacksWhatIsLarge),
)
