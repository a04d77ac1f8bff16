"""The way down a tree that may be deeper than a path may be long, or than Python's stack."""

import os
from collections.abc import Iterator
from contextlib import ExitStack

OPEN_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MAX_RELATIVE_PATH = 2500
"""Bytes of a relative path before a nearer directory is opened; one more name stays below PATH_MAX."""


def walk_directories(root: bytes) -> Iterator[tuple[bytes, int, list[os.DirEntry[str]]]]:
    """`root` and every readable directory below it: what a path in it begins with, itself, its entries.

    The beginning is relative to `root` ("" for itself, else with a slash at its end). Descriptor and entries
    are for the body of the loop alone. No link is followed; what cannot be read or has gone is passed over,
    only a `root` that cannot be opened raises OSError.
    """
    with ExitStack() as kept:
        top = os.open(root, OPEN_DIRECTORY_FLAGS)
        kept.callback(os.close, top)
        # An open directory, the path of one below it from there, and what paths in that one begin with.
        waiting = [(top, b".", b"")]
        while waiting:
            near, relative, prefix = waiting.pop()
            try:
                directory = os.open(relative, OPEN_DIRECTORY_FLAGS, dir_fd=near)
            except OSError:
                continue
            if len(relative) > MAX_RELATIVE_PATH:
                kept.callback(os.close, directory)
                near, relative = directory, b"."
            try:
                entries = _list_entries(directory)
                for entry in entries:
                    if _is_directory(entry):
                        name = os.fsencode(entry.name)
                        waiting.append((near, relative + b"/" + name, prefix + name + b"/"))
                yield prefix, directory, entries
            finally:
                if near != directory:
                    os.close(directory)


def _list_entries(directory: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as found:
            return list(found)
    except OSError:
        return []


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:  # not told with the name, and its directory may not be searched
        return False
