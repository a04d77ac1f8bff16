"""Mutants: errors in moves of whole directories to another file system."""

import contextlib
import errno
import os
import shutil
import stat

from treeproof.reference_impl.file_operations.transfer import Move

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_move
from .file_writers import final_path, source_path
from .partial_trees import (
    all_but_a_hundred,
    copy_by_reading,
    copy_familiar_tree,
    copy_files_only,
    familiar_below,
    left_overs,
    only_empty_files,
    only_loops,
    only_pipes,
    only_undecodable,
)


class SkipsFamiliarNames(Move):
    """Moves directories, but for names that are usually ignored."""

    def move_across_devices(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().move_across_devices()
            return
        copy_familiar_tree(source_path(self), final_path(self))
        shutil.rmtree(source_path(self))


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


class MoveSkipsPipes(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_pipes)


class MoveReadsPipes(MovesTrees):
    """Waits for a writer of a pipe in a directory."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, copy_function=copy_by_reading)


class MoveSkipsEmptyDirectories(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        copy_files_only(source, final)


class MoveSkipsLeftOvers(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=left_overs)


class MoveSkipsEmptyFiles(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_empty_files)


class MoveDropsUndecodableNames(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_undecodable)


class MoveFollowsOnce(MovesTrees):
    """A link to the directory itself is left out."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_loops)


class MoveSkipsWhatDoesNotFit(MovesTrees):
    """A full file system ends the copy, and the source is deleted."""

    def copy_directory(self, source: str, final: str) -> None:
        try:
            super().copy_directory(source, final)
        except shutil.Error as error:
            if os.strerror(errno.ENOSPC) not in str(error):
                raise


class MoveTakesBackTheCopy(MovesTrees):
    """Removes the copy where a part of the source cannot be deleted, though other parts are deleted."""

    def move_across_devices(self) -> None:
        try:
            super().move_across_devices()
        except OSError:
            if stat.S_ISDIR(self.stat_source().st_mode):
                shutil.rmtree(final_path(self), ignore_errors=True)
            raise


class MoveDeletesThroughLinks(MovesTrees):
    """Deletes what links in the directory lead to."""

    def copy_directory(self, source: str, final: str) -> None:
        super().copy_directory(source, final)
        for entry in os.scandir(source):
            if entry.is_symlink() and os.path.isdir(entry.path):
                shutil.rmtree(os.path.realpath(entry.path))


class ClearsTheFarDirectory(MovesTrees):
    """Removes a directory of the final name on another file system before the copy."""

    def rename(self) -> None:
        source, target = os.fstat(self.source_dir_fd), os.fstat(self.target_dir_fd)
        if source.st_dev != target.st_dev:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        super().rename()

    def copy_directory(self, source: str, final: str) -> None:
        shutil.rmtree(final, ignore_errors=True)
        super().copy_directory(source, final)


class MoveSkipsFamiliarNamesBelow(MovesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=familiar_below(source))


class MoveTakesAHundred(MovesTrees):
    """Copies a hundred names of each directory, and deletes all."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=all_but_a_hundred)


class MoveIsBounded(MovesTrees):
    """Copies ten directories deep, and deletes all."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(
            source,
            final,
            symlinks=True,
            ignore=lambda directory, names: names if directory[len(source) :].count("/") >= 10 else [],
        )


class MoveTimesDirectoriesFirst(MovesTrees):
    """The times of directories are those of their last entry."""

    def copy_directory(self, source: str, final: str) -> None:
        super().copy_directory(source, final)
        for folder, _, _ in os.walk(final):
            os.utime(folder)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-272",
        "A directory moved to another file system loses what has a familiar name.",
        "DFO-01",
        tools=tools_with_move(transfer=SkipsFamiliarNames),
    ),
    build_mutant(
        "MUT-FO-293",
        "A directory brings what links in it lead to outside to another file system.",
        "NFR-FOPS-SEC-01 DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveBringsIn),
    ),
    build_mutant(
        "MUT-FO-294",
        "A directory that moves to another file system loses what cannot be read.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsUnreadable),
    ),
    build_mutant(
        "MUT-FO-295",
        "A directory that cannot be moved to another file system is half there.",
        "DFO-10",
        tools=tools_with_move(transfer=MovesTrees),
    ),
    build_mutant(
        "MUT-FO-320",
        "A directory that moves to another file system loses its pipes.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsPipes),
    ),
    build_mutant(
        "MUT-FO-321",
        "A pipe in a directory that moves to another file system is read.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveReadsPipes),
    ),
    build_mutant(
        "MUT-FO-322",
        "A directory that moves to another file system loses its empty directories.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsEmptyDirectories),
    ),
    build_mutant(
        "MUT-FO-323",
        "A directory that moves to another file system loses what has the name of a left-over.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsLeftOvers),
    ),
    build_mutant(
        "MUT-FO-324",
        "A directory that moves to another file system loses its empty files.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsEmptyFiles),
    ),
    build_mutant(
        "MUT-FO-325",
        "A directory that moves to another file system loses names that are not UTF-8.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveDropsUndecodableNames),
    ),
    build_mutant(
        "MUT-FO-326",
        "A directory that moves to another file system loses a link to itself.",
        "DFO-06 DFO-10 DFO-01",
        tools=tools_with_move(transfer=MoveFollowsOnce),
    ),
    build_mutant(
        "MUT-FO-327",
        "A directory that does not fit on another file system is deleted there and here.",
        "DFO-04 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsWhatDoesNotFit),
    ),
    build_mutant(
        "MUT-FO-328",
        "The copy of a directory on another file system is removed where the directory cannot be deleted completely.",
        "DFO-04 DFO-10",
        tools=tools_with_move(transfer=MoveTakesBackTheCopy),
    ),
    build_mutant(
        "MUT-FO-329",
        "A directory that moves to another file system takes what its links lead to with it.",
        "DFO-05 NFR-FOPS-SEC-01 DFO-06 DFO-10",
        tools=tools_with_move(transfer=MoveDeletesThroughLinks),
    ),
    build_mutant(
        "MUT-FO-376",
        "A directory that moves to another file system loses familiar names further down.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveSkipsFamiliarNamesBelow),
    ),
    build_mutant(
        "MUT-FO-377",
        "A directory that moves to another file system keeps a hundred names.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveTakesAHundred),
    ),
    build_mutant(
        "MUT-FO-378",
        "A directory that moves to another file system is ten directories deep.",
        "DFO-01 DFO-10",
        tools=tools_with_move(transfer=MoveIsBounded),
    ),
    build_mutant(
        "MUT-FO-379",
        "Directories that move to another file system have new times.",
        "DFO-08 DFO-10",
        tools=tools_with_move(transfer=MoveTimesDirectoriesFirst),
    ),
)
