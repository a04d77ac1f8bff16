"""Walks trees that are deeper than the maximum path length or Python's stack."""

import os
from collections.abc import Iterator
from contextlib import ExitStack

OPEN_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
OPEN_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
MAX_RELATIVE_PATH = 2500
"""Bytes of a relative path before a nearer directory is opened; with one more name it stays below PATH_MAX."""


def walk_directories(root: bytes) -> Iterator[tuple[bytes, int, list[os.DirEntry[str]]]]:
    """Yield `root` and every readable directory below it: prefix of its entries' paths, descriptor, entries.

    The prefix is relative to `root` ("" for `root` itself, else with a slash at its end). Descriptor and entries
    are valid in the body of the loop only. Links are not followed. Unreadable and vanished directories are skipped;
    only for `root` this raises OSError.
    """
    with ExitStack() as kept:
        top = os.open(root, OPEN_DIRECTORY_FLAGS)
        kept.callback(os.close, top)
        # An open directory, the path of another one relative to it, and the prefix of that one's entries.
        pending = [(top, b".", b"")]
        while pending:
            dir_fd, relative, prefix = pending.pop()
            try:
                directory = os.open(relative, OPEN_DIRECTORY_FLAGS, dir_fd=dir_fd)
            except OSError:
                continue
            if len(relative) > MAX_RELATIVE_PATH:
                kept.callback(os.close, directory)
                dir_fd, relative = directory, b"."
            try:
                entries = _list_entries(directory)
                for entry in entries:
                    if _is_directory(entry):
                        name = os.fsencode(entry.name)
                        pending.append((dir_fd, relative + b"/" + name, prefix + name + b"/"))
                yield prefix, directory, entries
            finally:
                if dir_fd != directory:
                    os.close(directory)


def _list_entries(directory: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return list(entries)
    except OSError:
        return []


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:  # the type is unknown without lstat, and the directory may not be searched
        return False
