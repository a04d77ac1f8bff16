"""Mutants: errors in copies of whole directories, and in their moves to another file system."""

import contextlib
import os
import shutil
import stat
from collections.abc import Callable
from typing import Any

from treeproof.rows.file_operations.row import At

from ..shared.mutant import Mutant
from .rows import row

CopyTree = Callable[[str, str], Any]

LACKS = "DFO-02 DFO-10"
LOSES = "DFO-01 DFO-10"
FAMILIAR = (".git", "node_modules", "target")
FAMILIAR_BELOW = (*FAMILIAR, "build", "dist", "vendor")


def copy_tree(source: str, final: str) -> None:
    shutil.copytree(source, final, symlinks=True)


def copying(copy: Callable[[str, str], Any]) -> CopyTree:
    """Return the copy of a directory that copies its files in another way."""
    return lambda source, final: shutil.copytree(source, final, symlinks=True, copy_function=copy)


def lacking(is_lost: Callable[[str, str], Any]) -> CopyTree:
    """Return the copy of a directory without what is lost, by its path and its path below the source."""

    def copy(source: str, final: str) -> None:
        def lost(folder: str, names: list[str]) -> list[str]:
            paths = {name: os.path.join(folder, name) for name in names}
            return [name for name, path in paths.items() if is_lost(path, os.path.relpath(path, source))]

        shutil.copytree(source, final, symlinks=True, ignore=lost)

    return copy


def is_pipe(path: str, below: str) -> bool:
    mode = os.lstat(path).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def is_left_over(path: str, below: str) -> bool:
    return path.endswith((".bak", "~", "/__pycache__", "/.DS_Store"))


def is_empty_file(path: str, below: str) -> bool:
    found = os.lstat(path)
    return stat.S_ISREG(found.st_mode) and not found.st_size


def is_undecodable(path: str, below: str) -> bool:
    return any("\ud800" <= sign <= "\udfff" for sign in os.path.basename(path))


def is_familiar_below(path: str, below: str) -> bool:
    return "/" in below and os.path.basename(path) in FAMILIAR_BELOW


def as_file(source: str, final: str) -> None:
    """Copy a file; what is none gives an empty one."""
    if is_pipe(source, ""):
        open(final, "xb").close()
    else:
        shutil.copy2(source, final)


def link_or_copy(source: str, final: str) -> None:
    """Link a file of several names, and copy any other."""
    if os.lstat(source).st_nlink > 1:
        os.link(source, final)
    else:
        shutil.copy2(source, final, follow_symlinks=False)


def with_targets(source: str, final: str) -> None:
    shutil.copytree(source, final)


def readable(source: str, final: str) -> None:
    with contextlib.suppress(shutil.Error):
        copy_tree(source, final)


def first_hundred(source: str, final: str) -> None:
    shutil.copytree(source, final, symlinks=True, ignore=lambda folder, names: sorted(names)[100:])


def files_only(source: str, final: str) -> None:
    """Copy every file, and make the directories that files need."""
    copy_tree(source, final)
    for folder, _, _ in os.walk(final, topdown=False):
        if folder != final and not os.listdir(folder):
            os.rmdir(folder)


def flat(source: str, final: str) -> None:
    """Copy the files of a directory."""
    os.mkdir(final)
    for entry in os.scandir(source):
        if entry.is_file(follow_symlinks=False):
            shutil.copyfile(entry.path, os.path.join(final, entry.name))


def with_emptied_loops(source: str, final: str) -> None:
    """Copy a directory; a link to the directory that holds it becomes an empty one."""
    copy_tree(source, final)
    for folder, names, _ in os.walk(final):
        for link in (os.path.join(folder, name) for name in names):
            if os.path.islink(link) and os.readlink(link) in (".", ".."):
                os.unlink(link)
                os.mkdir(link)


def readable_names(source: str, final: str) -> None:
    """Copy a directory; the names in one that cannot be read are none."""
    os.mkdir(final)
    for folder, directories, files in os.walk(source):
        there = os.path.join(final, os.path.relpath(folder, source))
        for name in directories:
            os.mkdir(os.path.join(there, name))
        for name in files:
            shutil.copy2(os.path.join(folder, name), os.path.join(there, name), follow_symlinks=False)


def taken_back(source: str, final: str) -> None:
    """Move a directory, and remove the copy where a part of the source cannot be deleted."""
    copy_tree(source, final)
    try:
        shutil.rmtree(source)
        os.mkdir(source)
    except OSError:
        shutil.rmtree(final, ignore_errors=True)
        raise


def with_what_links_lead_to(source: str, final: str) -> None:
    copy_tree(source, final)
    for entry in os.scandir(source):
        if entry.is_symlink() and os.path.isdir(entry.path):
            shutil.rmtree(os.path.realpath(entry.path))


def with_new_times(source: str, final: str) -> None:
    copy_tree(source, final)
    for folder, _, _ in os.walk(final):
        os.utime(folder)


def runs_away(at: At) -> None:
    if at.is_own_place and not at.arguments["destination"].startswith(at.arguments["source"] + "/"):
        os.makedirs(at.final.joinpath(*[at.final.name] * 19))


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-FO-089", "The copy of a directory is empty.", "DFO-02 DFO-06 FR-FOPS-CP-02")(
        copies=lambda source, final: os.mkdir(final)
    ),
    row(*("MUT-FO-090", "The copy of a directory has its files and no subdirectories.", "DFO-02 DFO-06 FR-FOPS-CP-02"))(
        copies=flat
    ),
    row("MUT-FO-273", "The copy of a directory lacks what has a familiar name.", "DFO-02")(
        copies=lacking(lambda path, below: os.path.basename(path) in FAMILIAR)
    ),
    row(*("MUT-FO-289", "The copy of a directory has what links in it lead to outside.", "NFR-FOPS-SEC-01 DFO-10"))(
        copies=with_targets
    ),
    row("MUT-FO-290", "The copy of a directory lacks its links.", LACKS)(
        copies=lacking(lambda path, below: os.path.islink(path))
    ),
    row("MUT-FO-291", "The copy of a directory lacks what cannot be read.", LACKS)(copies=readable),
    row("MUT-FO-292", "A directory that cannot be copied completely is half copied.", "DFO-10")(copies=copy_tree),
    row("MUT-FO-312", "The copy of a directory lacks its pipes.", "DFO-02")(copies=lacking(is_pipe)),
    row("MUT-FO-313", "In the copy of a directory, pipes are empty files.", "DFO-02")(copies=copying(as_file)),
    row("MUT-FO-314", "The copy of a directory lacks its empty directories.", "DFO-02 DFO-06 FR-FOPS-CP-02")(
        copies=files_only
    ),
    row("MUT-FO-315", "The copy of a directory lacks what has the name of a left-over.", LACKS)(
        copies=lacking(is_left_over)
    ),
    row("MUT-FO-316", "The copy of a directory lacks its empty files.", LACKS)(copies=lacking(is_empty_file)),
    row("MUT-FO-317", "The copy of a directory lacks names that are not UTF-8.", LACKS)(copies=lacking(is_undecodable)),
    row("MUT-FO-318", "The copy of a directory is five directories deep.", LACKS)(
        copies=lacking(lambda path, below: below.count("/") >= 5)
    ),
    row(
        *("MUT-FO-319", "In the copy of a directory, a link to the directory itself is an empty directory."),
        "DFO-06 DFO-02 DFO-10",
    )(copies=with_emptied_loops),
    row("MUT-FO-369", "The copy of a directory lacks familiar names further down.", LACKS)(
        copies=lacking(is_familiar_below)
    ),
    row("MUT-FO-370", "The copy of a directory has a hundred names.", LACKS)(copies=first_hundred),
    row("MUT-FO-371", "The copy of a directory is ten directories deep.", LACKS)(
        copies=lacking(lambda path, below: below.count("/") >= 10)
    ),
    row("MUT-FO-372", "The copy of a directory lacks links that lead nowhere.", LACKS)(
        copies=lacking(lambda path, below: not os.path.exists(path) and os.path.islink(path))
    ),
    row("MUT-FO-373", "In the copy of a directory, a directory that cannot be read is empty.", LACKS)(
        copies=readable_names
    ),
    row("MUT-FO-374", "A copied directory is merged into one of its name.", "FR-FOPS-CP-03 DFO-10 DFO-06")(
        where=lambda at: at.existing is not None and stat.S_ISDIR(at.existing.st_mode) and not at.is_own_place,
        copies=lambda source, final: shutil.copytree(source, final, symlinks=True, dirs_exist_ok=True),
    ),
    row("MUT-FO-375", "In the copy of a directory, files have the permissions of new ones.", "DFO-08 DFO-10")(
        copies=copying(shutil.copyfile)
    ),
    row(
        *("MUT-FO-387", "A directory that is copied into itself through a link grows until names are too long."),
        "DFO-06 DFO-10",
    )(on="copy", failing=runs_away),
    row("MUT-FO-411", "In the copy of a directory, files of several names are those of the source.", LACKS)(
        copies=copying(link_or_copy)
    ),
    row("MUT-FO-168", "A directory moved to another file system loses its content.", "DFO-01")(
        moves=lambda source, final: os.mkdir(final)
    ),
    row("MUT-FO-169", "A directory moved to another file system loses its subdirectories.", "DFO-01")(moves=flat),
    row("MUT-FO-272", "A directory moved to another file system loses what has a familiar name.", "DFO-01")(
        moves=lacking(lambda path, below: os.path.basename(path) in FAMILIAR)
    ),
    row(
        *("MUT-FO-293", "A directory brings what links in it lead to outside to another file system."),
        "NFR-FOPS-SEC-01 DFO-01 DFO-10",
    )(moves=with_targets),
    row("MUT-FO-294", "A directory that moves to another file system loses what cannot be read.", LOSES)(
        moves=readable
    ),
    row("MUT-FO-295", "A directory that cannot be moved to another file system is half there.", "DFO-10")(
        moves=copy_tree
    ),
    row("MUT-FO-320", "A directory that moves to another file system loses its pipes.", LOSES)(moves=lacking(is_pipe)),
    row("MUT-FO-322", "A directory that moves to another file system loses its empty directories.", LOSES)(
        moves=files_only
    ),
    row("MUT-FO-323", "A directory that moves to another file system loses what has the name of a left-over.", LOSES)(
        moves=lacking(is_left_over)
    ),
    row("MUT-FO-324", "A directory that moves to another file system loses its empty files.", LOSES)(
        moves=lacking(is_empty_file)
    ),
    row("MUT-FO-325", "A directory that moves to another file system loses names that are not UTF-8.", LOSES)(
        moves=lacking(is_undecodable)
    ),
    row(
        *("MUT-FO-326", "A directory that moves to another file system loses a link to itself.", "DFO-06 DFO-10 DFO-01")
    )(moves=lacking(lambda path, below: os.path.islink(path) and os.path.realpath(path) == os.path.dirname(path))),
    row(
        "MUT-FO-328",
        "The copy of a directory on another file system is removed where the directory cannot be deleted completely.",
        "DFO-04 DFO-10",
    )(moves=taken_back),
    row(
        *("MUT-FO-329", "A directory that moves to another file system takes what its links lead to with it."),
        "DFO-05 NFR-FOPS-SEC-01 DFO-06 DFO-10",
    )(moves=with_what_links_lead_to),
    row("MUT-FO-376", "A directory that moves to another file system loses familiar names further down.", LOSES)(
        moves=lacking(is_familiar_below)
    ),
    row("MUT-FO-377", "A directory that moves to another file system keeps a hundred names.", LOSES)(
        moves=first_hundred
    ),
    row("MUT-FO-378", "A directory that moves to another file system is ten directories deep.", LOSES)(
        moves=lacking(lambda path, below: below.count("/") >= 10)
    ),
    row("MUT-FO-379", "Directories that move to another file system have new times.", "DFO-08 DFO-10")(
        moves=with_new_times
    ),
)
