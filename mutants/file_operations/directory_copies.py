"""Mutants: errors in copies of whole directories."""

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Callable

from treeproof.reference_impl.file_operations.candidate import CopyResolution
from treeproof.reference_impl.file_operations.link_sandbox import NamedPlace
from treeproof.reference_impl.file_operations.transfer import Copy

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy
from .file_writers import final_path, source_path
from .partial_trees import (
    all_but_a_hundred,
    copy_as_file,
    copy_familiar_tree,
    copy_files_only,
    copy_readable_names,
    familiar_below,
    left_overs,
    only_dangling,
    only_empty_files,
    only_links,
    only_pipes,
    only_undecodable,
)


class CopySkipsFamiliarNames(Copy):
    """Copies directories, but for names that are usually ignored."""

    def run(self) -> None:
        if not stat.S_ISDIR(self.stat_source().st_mode):
            super().run()
        else:
            copy_familiar_tree(source_path(self), final_path(self))


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


class CopySkipsPipes(CopiesTrees):
    """Copies what is a file, a directory or a link."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_pipes)


class CopyReadsPipes(CopiesTrees):
    """Pipes and sockets in a directory become empty files."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, copy_function=copy_as_file)


class CopySkipsEmptyDirectories(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        copy_files_only(source, final)


class CopySkipsLeftOvers(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=left_overs)


class CopySkipsEmptyFiles(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_empty_files)


class CopyDropsUndecodableNames(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_undecodable)


class CopyIsBounded(CopiesTrees):
    """Copies five directories deep."""

    deepest = 5

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=self.too_deep(source))

    def too_deep(self, top: str) -> Callable[[str, list[str]], list[str]]:
        return lambda directory, names: names if directory[len(top) :].count("/") >= self.deepest else []


class CopyFollowsOnce(CopiesTrees):
    """A link to a directory that holds it becomes a directory."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True)
        for folder, names, _ in os.walk(final):
            for name in names:
                link = os.path.join(folder, name)
                if os.path.islink(link) and os.readlink(link) in (".", ".."):
                    os.unlink(link)
                    os.mkdir(link)


class CopySkipsFamiliarNamesBelow(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=familiar_below(source))


class CopyTakesAHundred(CopiesTrees):
    """Copies a hundred names of each directory."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=all_but_a_hundred)


class CopyIsBoundedFurtherDown(CopyIsBounded):
    """Copies ten directories deep."""

    deepest = 10


class CopyDropsDanglingLinks(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, ignore=only_dangling)


class CopyEmptiesUnreadableDirectories(CopiesTrees):
    def copy_directory(self, source: str, final: str) -> None:
        copy_readable_names(source, final)


class CopyMerges(CopiesTrees):
    """Copies a directory into one that has its final name."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, dirs_exist_ok=True)


class MergesDirectories(CopyResolution):
    """A directory may be copied onto a directory."""

    def check_replacement(
        self, source: NamedPlace, found: os.stat_result, final: NamedPlace, existing: os.stat_result
    ) -> None:
        if not (stat.S_ISDIR(found.st_mode) and stat.S_ISDIR(existing.st_mode)):
            super().check_replacement(source, found, final, existing)


class ComparesTexts(CopyResolution):
    """A directory may be copied into itself, if the texts of the paths do not show it."""

    def check_not_into_itself(self, source: NamedPlace, found: os.stat_result, final: NamedPlace) -> None:
        if self.request.destination.text.startswith(self.request.source.text + "/"):
            super().check_not_into_itself(source, found, final)


class CopyRunsAway(CopiesTrees):
    """Copies what was copied before, until names are too long."""

    def copy_directory(self, source: str, final: str) -> None:
        if os.path.commonpath([source, final]) != source:
            super().copy_directory(source, final)
            return
        for depth in range(20):
            os.makedirs(os.path.join(final, *[os.path.basename(final)] * depth))
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))


class CopyDropsPermissions(CopiesTrees):
    """Files in a copied directory have the permissions of new files."""

    def copy_directory(self, source: str, final: str) -> None:
        shutil.copytree(source, final, symlinks=True, copy_function=shutil.copyfile)


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
        "MUT-FO-312",
        "The copy of a directory lacks its pipes.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopySkipsPipes),
    ),
    build_mutant(
        "MUT-FO-313",
        "In the copy of a directory, pipes are empty files.",
        "DFO-02",
        tools=tools_with_copy(transfer=CopyReadsPipes),
    ),
    build_mutant(
        "MUT-FO-314",
        "The copy of a directory lacks its empty directories.",
        "DFO-02 DFO-06 FR-FOPS-CP-02",
        tools=tools_with_copy(transfer=CopySkipsEmptyDirectories),
    ),
    build_mutant(
        "MUT-FO-315",
        "The copy of a directory lacks what has the name of a left-over.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopySkipsLeftOvers),
    ),
    build_mutant(
        "MUT-FO-316",
        "The copy of a directory lacks its empty files.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopySkipsEmptyFiles),
    ),
    build_mutant(
        "MUT-FO-317",
        "The copy of a directory lacks names that are not UTF-8.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyDropsUndecodableNames),
    ),
    build_mutant(
        "MUT-FO-318",
        "The copy of a directory is five directories deep.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyIsBounded),
    ),
    build_mutant(
        "MUT-FO-319",
        "In the copy of a directory, a link to the directory itself is an empty directory.",
        "DFO-06 DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyFollowsOnce),
    ),
    build_mutant(
        "MUT-FO-369",
        "The copy of a directory lacks familiar names further down.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopySkipsFamiliarNamesBelow),
    ),
    build_mutant(
        "MUT-FO-370",
        "The copy of a directory has a hundred names.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyTakesAHundred),
    ),
    build_mutant(
        "MUT-FO-371",
        "The copy of a directory is ten directories deep.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyIsBoundedFurtherDown),
    ),
    build_mutant(
        "MUT-FO-372",
        "The copy of a directory lacks links that lead nowhere.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyDropsDanglingLinks),
    ),
    build_mutant(
        "MUT-FO-373",
        "In the copy of a directory, a directory that cannot be read is empty.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyEmptiesUnreadableDirectories),
    ),
    build_mutant(
        "MUT-FO-374",
        "A copied directory is merged into one of its name.",
        "FR-FOPS-CP-03 DFO-10 DFO-06",
        tools=tools_with_copy(transfer=CopyMerges, resolution=MergesDirectories),
    ),
    build_mutant(
        "MUT-FO-375",
        "In the copy of a directory, files have the permissions of new ones.",
        "DFO-08 DFO-10",
        tools=tools_with_copy(transfer=CopyDropsPermissions),
    ),
    build_mutant(
        "MUT-FO-387",
        "A directory that is copied into itself through a link grows until names are too long.",
        "DFO-06 DFO-10",
        tools=tools_with_copy(transfer=CopyRunsAway, resolution=ComparesTexts),
    ),
    build_mutant(
        "MUT-FO-437",
        "In the copy of a directory, a file that grows too large ends early.",
        "DFO-02 DFO-10",
        tools=tools_with_copy(transfer=CopyTakesWhatFits),
    ),
)
