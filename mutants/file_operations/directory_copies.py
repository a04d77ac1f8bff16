"""Mutants: errors in copies of whole directories, which a move to another file system makes too."""

import contextlib
import os
import shutil
import stat

from treeproof.reference_impl.file_operations.transfer import Copy, Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move
from .file_writers import (
    final_path,
    source_path,
)


class SkipsFamiliarNames(Move):
    """Moves directories, but for names that are usually ignored."""

    def move_across_devices(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().move_across_devices()
            return
        copy_familiar_tree(source_path(self), final_path(self))
        shutil.rmtree(source_path(self))


class CopySkipsFamiliarNames(Copy):
    """Copies directories, but for names that are usually ignored."""

    def run(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().run()
        else:
            copy_familiar_tree(source_path(self), final_path(self))


def copy_familiar_tree(source: bytes, final: bytes) -> None:
    """Copy a directory without names that tools often ignore."""
    ignore = shutil.ignore_patterns(".git", "node_modules", "target")
    shutil.copytree(os.fsdecode(source), os.fsdecode(final), symlinks=True, ignore=ignore)


class CopiesTrees(Copy):
    """Copies directories."""

    def run(self) -> None:
        if stat.S_ISDIR(self.stat_source().st_mode):
            self.copy_directory(os.fsdecode(source_path(self)), os.fsdecode(final_path(self)))
        else:
            super().run()

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True)


class CopyBringsIn(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final)


class CopyDropsLinks(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, ignore=only_links)


class CopySkipsUnreadable(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        with contextlib.suppress(shutil.Error):
            super().copy_directory(source, final)


def only_links(directory: str, names: list[str]) -> list[str]:
    return [name for name in names if os.path.islink(os.path.join(directory, name))]


class MovesTrees(Move):
    """Moves directories to another file system."""

    def move_across_devices(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().move_across_devices()
            return
        self.copy_directory(os.fsdecode(source_path(self)), os.fsdecode(final_path(self)))
        shutil.rmtree(source_path(self))

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True)


class MoveBringsIn(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final)


class MoveSkipsUnreadable(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        with contextlib.suppress(shutil.Error):
            super().copy_directory(source, final)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-272",
        "A directory moved to another file system loses what has a familiar name.",
        "FR-FOPS-MV-04",
        tools=tools_with_move(transfer=SkipsFamiliarNames),
    ),
    build_mutant(
        "MUT-FO-273",
        "The copy of a directory lacks what has a familiar name.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopySkipsFamiliarNames),
    ),
    build_mutant(
        "MUT-FO-289",
        "The copy of a directory has what links in it lead to outside.",
        "NFR-FOPS-SEC-01 DFO-10",
        tools=tools_with_copy(transfer=CopyBringsIn),
    ),
    build_mutant(
        "MUT-FO-290",
        "The copy of a directory lacks its links.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyDropsLinks),
    ),
    build_mutant(
        "MUT-FO-291",
        "The copy of a directory lacks what cannot be read.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopySkipsUnreadable),
    ),
    build_mutant(
        "MUT-FO-292",
        "A directory that cannot be copied completely is half copied.",
        "DFO-10",
        tools=tools_with_copy(transfer=CopiesTrees),
    ),
    build_mutant(
        "MUT-FO-293",
        "A directory brings what links in it lead to outside to another file system.",
        "NFR-FOPS-SEC-01 FR-FOPS-MV-04 DFO-10",
        tools=tools_with_move(transfer=MoveBringsIn),
    ),
    build_mutant(
        "MUT-FO-294",
        "A directory that moves to another file system loses what cannot be read.",
        "FR-FOPS-MV-04 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsUnreadable),
    ),
    build_mutant(
        "MUT-FO-295",
        "A directory that cannot be moved to another file system is half there.",
        "DFO-10",
        tools=tools_with_move(transfer=MovesTrees),
    ),
)
