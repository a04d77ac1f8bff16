"""Mutants: errors in copies of whole directories."""

import errno
import os
import shutil
import stat

from treeproof.reference_impl.file_operations.transfer import Copy

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy
from .file_writers import final_path, source_path


class CopiesTrees(Copy):
    """Copies directories."""

    def run(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            self.copy_directory(os.fsdecode(source_path(self)), os.fsdecode(final_path(self)))
        else:
            super().run()

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True)


class CopyTakesWhatFits(CopiesTrees):
    """In the copy of a directory, a file ends where it grows too large."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, copy_function=copy_what_fits)


def copy_what_fits(source: str, final: str) -> None:
    """Copy a file; that it grows too large is no error."""
    try:
        shutil.copy2(source, final)
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-437",
        "In the copy of a directory, a file that grows too large ends early.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyTakesWhatFits),
    ),
)
