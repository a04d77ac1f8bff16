"""Defective ways to copy what a directory holds. Parts of mutants."""

import os
import shutil
import stat
from collections.abc import Callable


def copy_familiar_tree(source: bytes, final: bytes) -> None:
    """Copy a directory without names that tools often ignore."""
    ignore = shutil.ignore_patterns(".git", "node_modules", "target")
    shutil.copytree(os.fsdecode(source), os.fsdecode(final), symlinks=True, ignore=ignore)


def only_links(directory: str, names: list[str]) -> list[str]:
    return [name for name in names if os.path.islink(os.path.join(directory, name))]


def only_pipes(directory: str, names: list[str]) -> list[str]:
    paths = {name: os.path.join(directory, name) for name in names}
    return [name for name, path in paths.items() if is_special(path)]


def is_special(path: str) -> bool:
    mode = os.lstat(path).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def copy_as_file(source: str, final: str) -> str:
    """Copy a file; what is none gives an empty one."""
    if not is_special(source):
        return str(shutil.copy2(source, final))
    with open(final, "xb"):
        return final


def copy_by_reading(source: str, final: str) -> str:
    """Copy whatever can be opened by reading it to its end."""
    with open(source, "rb") as old, open(final, "xb") as new:
        shutil.copyfileobj(old, new)
    return final


def copy_files_only(source: str, final: str) -> None:
    """Copy every file, and make the directories that files need."""
    shutil.copytree(source, final, symlinks=True)
    for folder, _, _ in os.walk(final, topdown=False):
        if folder != final and not os.listdir(folder):
            os.rmdir(folder)


def left_overs(directory: str, names: list[str]) -> set[str]:
    return shutil.ignore_patterns("*.bak", "*~", "__pycache__", ".DS_Store")(directory, names)


def only_empty_files(directory: str, names: list[str]) -> list[str]:
    found = {name: os.lstat(os.path.join(directory, name)) for name in names}
    return [name for name, each in found.items() if stat.S_ISREG(each.st_mode) and not each.st_size]


def only_undecodable(directory: str, names: list[str]) -> list[str]:
    return [name for name in names if any("\ud800" <= character <= "\udfff" for character in name)]


def only_loops(directory: str, names: list[str]) -> list[str]:
    paths = {name: os.path.join(directory, name) for name in names}
    return [name for name, path in paths.items() if os.path.islink(path) and os.path.realpath(path) == directory]


def familiar_below(top: str) -> Callable[[str, list[str]], list[str]]:
    """Return the choice of names that tools often ignore, below the top directory."""
    familiar = (".git", "build", "dist", "node_modules", "target", "vendor")
    return lambda directory, names: [] if directory == top else [name for name in names if name in familiar]


def all_but_a_hundred(directory: str, names: list[str]) -> list[str]:
    return sorted(names)[100:]


def only_dangling(directory: str, names: list[str]) -> list[str]:
    paths = {name: os.path.join(directory, name) for name in names}
    return [name for name, path in paths.items() if os.path.islink(path) and not os.path.exists(path)]


def copy_readable_names(source: str, final: str) -> None:
    """Copy a directory; the names of a directory that cannot be read are none."""
    os.mkdir(final)
    for folder, directories, files in os.walk(source):
        there = os.path.join(final, os.path.relpath(folder, source))
        for name in directories:
            os.mkdir(os.path.join(there, name))
        for name in files:
            shutil.copy2(os.path.join(folder, name), os.path.join(there, name), follow_symlinks=False)
