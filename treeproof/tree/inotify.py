"""Records which directories and files are opened and which directories are read, with inotify (Linux).

A directory must be opened to be listed, but not to be inspected with lstat. An open with O_PATH, which cannot list,
is not recorded. An open followed by fstat opens a directory without reading it. See inotify(7).
"""

import ctypes
import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any, Self

from treeproof.systems import is_linux
from treeproof.tree.builder import CannotBuild
from treeproof.tree.deep_walk import open_without_links, walk_directories

_IN_ACCESS = 0x01
_IN_OPEN = 0x20
_IN_Q_OVERFLOW = 0x4000
_IN_ONLYDIR = 0x0100_0000
_IN_ISDIR = 0x4000_0000
_EVENT = struct.Struct("iIII")  # watch, mask, cookie, length of the name that follows
_BUFFER = 256 * 1024


class InotifyWatch:
    """Watches a directory with all directories below it, and other directories by absolute path.

    A context manager. Only events between `arm` and `stop_and_read` count, so the caller may read the tree before
    and after. Directories that this process may not read are not watched: a candidate has no more rights.
    """

    def __init__(self, root: bytes, other_directories: Iterable[bytes] = ()) -> None:
        self._root = root
        self._others = tuple(other_directories)
        self._resources = ExitStack()
        self._queue = -1
        self._names: dict[int, set[bytes]] = {}
        self._opened: frozenset[bytes] = frozenset()
        self.read_directories: frozenset[bytes] = frozenset()
        """The directories whose names were read between `arm` and `stop_and_read`."""
        self.opened_files: frozenset[bytes] = frozenset()
        """What was opened between them and is no directory, relative to the root."""
        self._armed = False

    def __enter__(self) -> Self:
        """Add the watches. Raises CannotBuild."""
        inotify = _load_libc()
        with self._resources:
            self._queue = inotify.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
            if self._queue < 0:
                raise _error("inotify cannot be started")
            self._resources.callback(os.close, self._queue)
            try:
                for prefix, directory, _ in walk_directories(self._root):
                    self._watch(inotify, directory, prefix[:-1] or b".")
                for other in self._others:
                    directory = open_without_links(other)
                    self._resources.callback(os.close, directory)
                    self._watch(inotify, directory, other)
            except OSError as refusal:
                raise CannotBuild(f"a directory cannot be watched: {refusal.strerror}") from refusal
            self._resources = self._resources.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._resources.close()

    def arm(self) -> None:
        """Discard earlier events and begin to count. Does nothing while it counts."""
        if not self._armed:
            for _ in self._events():
                pass
            self._armed = True

    def stop_and_read(self) -> frozenset[bytes]:
        """Stop counting, and return the directories opened since `arm`; without a new `arm`, the same again.

        Names are relative to the root, which is b"."; other directories have their given names. Raises
        CannotBuild if the event queue overflowed.
        """
        if self._armed:
            self._armed = False
            opened: set[bytes] = set()
            was_read: set[bytes] = set()
            files: set[bytes] = set()
            for watch, mask, entry in list(self._events()):
                if mask & _IN_Q_OVERFLOW:
                    raise CannotBuild("more was opened than inotify keeps (fs.inotify.max_queued_events)")
                # An event with a name is about an entry, one without about the watched directory itself.
                if entry and mask & _IN_OPEN and not mask & _IN_ISDIR:
                    files |= {os.path.normpath(os.path.join(name, entry)) for name in self._names[watch]}
                if not entry and mask & _IN_OPEN:
                    opened |= self._names[watch]
                if not entry and mask & _IN_ACCESS:
                    was_read |= self._names[watch]
            self._opened = frozenset(opened)
            self.read_directories, self.opened_files = frozenset(was_read), frozenset(files)
        return self._opened

    def _watch(self, inotify: Any, directory: int, name: bytes) -> None:
        # By descriptor, because the path may be too long.
        events = _IN_OPEN | _IN_ACCESS | _IN_ONLYDIR
        watch = inotify.inotify_add_watch(self._queue, b"/proc/self/fd/%d" % directory, events)
        if watch < 0:
            raise _error("a directory cannot be watched")
        self._names.setdefault(watch, set()).add(name)

    def _events(self) -> Iterator[tuple[int, int, bytes]]:
        while True:
            try:
                data = os.read(self._queue, _BUFFER)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                watch, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size + length
                yield watch, mask, data[at - length : at].rstrip(b"\0")


def _load_libc() -> Any:
    if not is_linux():
        raise CannotBuild("inotify is a facility of Linux")
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "inotify_init1"):
        raise CannotBuild("the C library has no inotify")
    return library


def _error(problem: str) -> CannotBuild:
    return CannotBuild(f"{problem}: {os.strerror(ctypes.get_errno())}")
