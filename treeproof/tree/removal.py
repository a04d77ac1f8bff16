"""Takes a directory away with all that is in it, whatever a candidate has made of it.

Only removal lives here. It works on descriptors, follows no link, enters no other file system, changes
permissions of directories alone (a file may be a hard link to something outside), and needs neither short
paths nor a deep stack: what lies too deep is moved up first. It never raises for what it meets; it reports
it.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field

from treeproof.tree.descent import OPEN_DIRECTORY
from treeproof.tree.names import show_path

_DEEPEST = 64
_MOST_PROBLEMS = 20
_ATTEMPTS = 50
"""So often a directory is emptied in which somebody still writes: a thread of a candidate, in this process even."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Which directory it is, whatever it is called."""

    device: int
    inode: int

    @classmethod
    def of(cls, found: os.stat_result) -> "Identity":
        return cls(found.st_dev, found.st_ino)


def remove_directory(parent: int, name: bytes, identity: Identity | None = None) -> list[str]:
    """Remove `name` below the open directory `parent`; what could not be removed, one line each.

    Where `identity` is given and `name` is another directory by now, or none, it is left alone and reported.
    What is not there needs no removal.
    """
    removal = _Removal()
    with removal.tolerating(name), _opened(parent, name) as top:
        found = os.fstat(top)
        if identity is not None and Identity.of(found) != identity:
            return [f"{show_path(name)}: no longer the directory that was made; left alone"]
        removal.device, removal.top = found.st_dev, top
        if not _removed(parent, name):
            removal.clear(parent, name, top, name, 0)
    return removal.problems


@dataclass
class _Removal:
    device: int = -1
    top: int = -1
    problems: list[str] = field(default_factory=list)
    refusals: int = 0
    too_deep: list[bytes] = field(default_factory=list)

    def clear(self, parent: int, name: bytes, directory: int, path: bytes, depth: int) -> None:
        """Empty a directory and take it away. Raises OSError where something in it does not go, or comes for ever."""
        for _ in range(_ATTEMPTS):
            before = self.refusals
            self.empty(directory, path, depth)
            while depth == 0 and self.too_deep:
                moved = self.too_deep.pop()
                self.remove(directory, moved, path + b"/" + moved, 1)
            if self.refusals != before:
                break
            if _removed(parent, name):
                return
        os.rmdir(name, dir_fd=parent)

    def empty(self, directory: int, path: bytes, depth: int) -> None:
        with os.scandir(directory) as found:
            entries = [(os.fsencode(entry.name), entry.is_dir(follow_symlinks=False)) for entry in found]
        for name, is_directory in entries:
            with self.tolerating(path + b"/" + name):
                if is_directory:
                    self.remove(directory, name, path + b"/" + name, depth + 1)
                else:
                    os.unlink(name, dir_fd=directory)

    def remove(self, parent: int, name: bytes, path: bytes, depth: int) -> None:
        with self.tolerating(path):
            if _removed(parent, name):
                return
            with _opened(parent, name) as directory:
                if os.fstat(directory).st_dev != self.device:
                    raise OSError(errno.EXDEV, "another file system is mounted here")
                if depth < _DEEPEST:
                    self.clear(parent, name, directory, path, depth)
                    return
            shallow = secrets.token_hex(16).encode()
            os.rename(name, shallow, src_dir_fd=parent, dst_dir_fd=self.top)
            self.too_deep.append(shallow)

    @contextlib.contextmanager
    def tolerating(self, path: bytes) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            pass
        except OSError as refusal:
            self.refusals += 1
            if len(self.problems) < _MOST_PROBLEMS:
                self.problems.append(f"{show_path(path)}: {refusal.strerror}")


def _removed(parent: int, name: bytes) -> bool:
    """Whether it was empty and is gone now. Raises OSError for any other refusal, such as that of a mount."""
    try:
        os.rmdir(name, dir_fd=parent)
    except OSError as refusal:
        if refusal.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise
    return True


@contextlib.contextmanager
def _opened(parent: int, name: bytes) -> Iterator[int]:
    """The directory, open, and its entries free to be listed and removed by its owner."""
    try:
        directory = os.open(name, OPEN_DIRECTORY, dir_fd=parent)
    except PermissionError:
        _unlock(parent, name)
        directory = os.open(name, OPEN_DIRECTORY, dir_fd=parent)
    try:
        mode = stat.S_IMODE(os.fstat(directory).st_mode)
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            os.fchmod(directory, mode | stat.S_IRWXU)
        yield directory
    finally:
        os.close(directory)


def _unlock(parent: int, name: bytes) -> None:
    """Give its owner a directory that cannot even be opened; never the target of a link in its place."""
    if not hasattr(os, "O_PATH"):
        os.chmod(name, stat.S_IRWXU, dir_fd=parent, follow_symlinks=False)
        return
    place = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        os.chmod(b"/proc/self/fd/%d" % place, stat.S_IRWXU)
    finally:
        os.close(place)
