"""Opens directories without following a link, and walks trees that are deeper than PATH_MAX or Python's stack."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

OPEN_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
OPEN_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
MAX_RELATIVE_PATH = 2500
"""Bytes of a relative path before a nearer directory is opened; with one more name it stays below PATH_MAX."""

# Opens a directory on the way to another one; that needs no permission to read it where the system has O_PATH.
_PASS_FLAGS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# The link through which the kernel shows the file system of a process. No candidate can change where it leads.
_PROCESS_ROOT = re.compile(rb"/proc/\d+/root(?=/|$)")


def open_without_links(path: bytes, *, make: bool = False) -> int:
    """Open a directory by its path, no part of which may be a link; with `make`, make the missing parts (mode 0755).

    A candidate can put a link in place of any directory of a workspace. Raises OSError for one.
    """
    process_root = _PROCESS_ROOT.match(path)
    start = process_root[0] if process_root else b"/" if path.startswith(b"/") else b"."
    parts = [part for part in path[len(start) if process_root else 0 :].split(b"/") if part not in (b"", b".")]
    if not parts:
        return os.open(start, OPEN_DIRECTORY_FLAGS & ~os.O_NOFOLLOW)
    directory = os.open(start, _PASS_FLAGS & ~os.O_NOFOLLOW)
    for number, part in enumerate(parts, start=1):
        flags = OPEN_DIRECTORY_FLAGS if number == len(parts) else _PASS_FLAGS
        try:
            directory, above = _open_part(part, flags, directory, make), directory
        except BaseException:
            os.close(directory)
            raise
        os.close(above)
    return directory


def _open_part(name: bytes, flags: int, parent: int, make: bool) -> int:
    try:
        return os.open(name, flags, dir_fd=parent)
    except FileNotFoundError:
        if not make:
            raise
    os.mkdir(name, 0o755, dir_fd=parent)
    return os.open(name, flags, dir_fd=parent)


@contextmanager
def parent_without_links(path: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the descriptor of the directory of an entry, and its name; no directory on the way may be a link.

    Raises OSError.
    """
    parent, name = os.path.split(path)
    directory = open_without_links(parent)
    try:
        yield directory, name
    finally:
        os.close(directory)


def walk_directories(root: bytes) -> Iterator[tuple[bytes, int, list[os.DirEntry[str]]]]:
    """Yield `root` and every readable directory below it: prefix of its entries' paths, descriptor, entries.

    The prefix is relative to `root` ("" for `root` itself, else with a slash at its end). Descriptor and entries
    are valid in the body of the loop only. Links are not followed, also none on the way to `root`. Unreadable and
    vanished directories are skipped; only for `root` this raises OSError.
    """
    with ExitStack() as kept:
        top = open_without_links(root)
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
