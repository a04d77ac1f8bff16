"""Opens directories without following a link, and walks and removes trees deeper than PATH_MAX or Python's stack.

The removal works in any state in which a candidate can leave a directory. It works on descriptors, follows no link,
enters no other file system, and changes permissions of directories only (a file may be a hard link to a file outside).
Directories that are too deep are first moved up. Problems are reported, not raised.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from io import FileIO

from treeproof.systems import MAX_PATH_BYTES, PASS_FLAG
from treeproof.tree.name_notation import format_path

OPEN_DIRECTORY_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
MAX_RELATIVE_PATH = MAX_PATH_BYTES * 5 // 8
"""Bytes of a relative path before a nearer directory is opened; with one more name it stays below PATH_MAX."""

_PASS_FLAGS = PASS_FLAG | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
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


def open_file(directory: int, name: bytes) -> FileIO:
    """Open a file of an open directory to read it, without waiting for the other end of a pipe. Raises OSError."""
    return open(name, "rb", buffering=0, opener=lambda path, _: os.open(path, _OPEN_FILE_FLAGS, dir_fd=directory))


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


_MAX_DEPTH = 64
_MAX_PROBLEMS = 20
_MAX_ATTEMPTS = 50
"""Attempts to empty a directory while something, such as a process of a candidate, still writes to it."""


def remove_directory(parent: int, name: bytes, made: os.stat_result | None = None) -> list[str]:
    """Remove `name` below the open directory `parent`; return what could not be removed, one line each.

    If the status of the directory that was `made` is given, and `name` is now another one, that is left alone and
    reported. A missing `name` is no problem.
    """
    removal = _Removal()
    with removal.recording_errors(name), open_directory(parent, name) as top:
        found = os.fstat(top)
        if made is not None and not os.path.samestat(found, made):
            return [f"{format_path(name)}: no longer the directory that was made; left alone"]
        removal.device, removal.top = found.st_dev, top
        if not _try_rmdir(parent, name):
            removal.remove_contents_and_directory(parent, name, top, name, 0)
    return removal.problems


def remove_entries(directory: bytes) -> list[str]:
    """Remove everything in a directory, and return what could not be removed, one line each.

    Raises OSError for a directory that is missing, or on whose path there is a link.
    """
    opened = open_without_links(directory)
    try:
        removal = _Removal(os.fstat(opened).st_dev, opened)
        removal.remove_contents(opened, b"", 0)
    finally:
        os.close(opened)
    return removal.problems


@dataclass
class _Removal:
    device: int = -1
    top: int = -1
    problems: list[str] = field(default_factory=list)
    failure_count: int = 0
    too_deep: list[bytes] = field(default_factory=list)

    def remove_contents_and_directory(self, parent: int, name: bytes, directory: int, path: bytes, depth: int) -> None:
        """Empty and remove a directory. Raises OSError if an entry cannot be removed, or new ones keep appearing."""
        for _ in range(_MAX_ATTEMPTS):
            before = self.failure_count
            self.remove_contents(directory, path, depth)
            if self.failure_count != before:
                break
            if _try_rmdir(parent, name):
                return
        os.rmdir(name, dir_fd=parent)

    def remove_contents(self, directory: int, path: bytes, depth: int) -> None:
        with os.scandir(directory) as found:
            entries = [(os.fsencode(entry.name), entry.is_dir(follow_symlinks=False)) for entry in found]
        for name, is_directory in entries:
            entry_path = path + b"/" + name if path else name
            if is_directory:
                self.remove_subdirectory(directory, name, entry_path, depth + 1)
                continue
            try:
                os.unlink(name, dir_fd=directory)
            except OSError as refusal:
                self.record_error(entry_path, refusal)
        while depth == 0 and self.too_deep:
            moved = self.too_deep.pop()
            self.remove_subdirectory(directory, moved, path + b"/" + moved, 1)

    def remove_subdirectory(self, parent: int, name: bytes, path: bytes, depth: int) -> None:
        with self.recording_errors(path):
            if _try_rmdir(parent, name):
                return
            with open_directory(parent, name) as directory:
                if os.fstat(directory).st_dev != self.device:
                    raise OSError(errno.EXDEV, "another file system is mounted here")
                if depth < _MAX_DEPTH:
                    self.remove_contents_and_directory(parent, name, directory, path, depth)
                    return
            shallow = secrets.token_hex(16).encode()
            os.rename(name, shallow, src_dir_fd=parent, dst_dir_fd=self.top)
            self.too_deep.append(shallow)

    @contextlib.contextmanager
    def recording_errors(self, path: bytes) -> Iterator[None]:
        try:
            yield
        except OSError as refusal:
            self.record_error(path, refusal)

    def record_error(self, path: bytes, refusal: OSError) -> None:
        if isinstance(refusal, FileNotFoundError):
            return
        self.failure_count += 1
        if len(self.problems) < _MAX_PROBLEMS:
            self.problems.append(f"{format_path(path)}: {refusal.strerror}")


def _try_rmdir(parent: int, name: bytes) -> bool:
    """Remove an empty directory; return whether it was empty. Raises OSError for any other refusal, such as a mount."""
    try:
        os.rmdir(name, dir_fd=parent)
    except OSError as refusal:
        if refusal.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


@contextlib.contextmanager
def open_directory(parent: int, name: bytes) -> Iterator[int]:
    """Open the directory, and give its owner all permissions on it."""
    try:
        directory = os.open(name, OPEN_DIRECTORY_FLAGS, dir_fd=parent)
    except PermissionError:
        set_mode(parent, name, stat.S_IRWXU, os.O_DIRECTORY)
        directory = os.open(name, OPEN_DIRECTORY_FLAGS, dir_fd=parent)
    try:
        mode = stat.S_IMODE(os.fstat(directory).st_mode)
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            os.fchmod(directory, mode | stat.S_IRWXU)
        yield directory
    finally:
        os.close(directory)


def set_mode(parent: int, name: bytes, mode: int, flags: int = 0) -> None:
    """Set the permissions of an entry that perhaps cannot be opened; never those of the target of a link in its place.

    With the flag O_DIRECTORY, what is no directory is refused. Raises OSError.
    """
    if hasattr(os, "O_PATH"):
        entry = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC | flags, dir_fd=parent)
        try:
            os.chmod(b"/proc/self/fd/%d" % entry, mode)
            return
        except FileNotFoundError:  # no /proc
            pass
        finally:
            os.close(entry)
    try:
        os.chmod(name, mode, dir_fd=parent, follow_symlinks=False)
    except (NotImplementedError, ValueError):  # Linux, before Python 3.13
        _chmod_without_following(parent, name, mode)


def _chmod_without_following(parent: int, name: bytes, mode: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(_FCHMODAT2, parent, name, mode, _AT_SYMLINK_NOFOLLOW) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


_FCHMODAT2 = 452  # Linux 6.6, the same number on every architecture
_AT_SYMLINK_NOFOLLOW = 0x100
