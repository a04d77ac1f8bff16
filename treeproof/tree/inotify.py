"""Which directories were opened, seen by inotify (Linux).

Only the watch lives here. Opening a directory is what reading it needs and what looking at it with lstat
does not: one that was never opened was never listed. An open with O_PATH, which cannot list, is not seen
either. See inotify(7).
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from treeproof.tree.deep_walk import OPEN_DIRECTORY_FLAGS, walk_directories

_IN_OPEN = 0x20
_IN_Q_OVERFLOW = 0x4000
_IN_ONLYDIR = 0x0100_0000
_EVENT = struct.Struct("iIII")  # watch, mask, cookie, length of the name that follows
_BUFFER = 256 * 1024


class WatchUnavailable(Exception):
    """Opened directories cannot be watched here, or more was opened than was kept; one line that says why."""


class InotifyWatch:
    """Watches a directory with all that are below it, and any other directories by their absolute paths.

    A context manager. Only what happens between `arm` and `read` counts, so that whoever watches may look at
    the tree before and after. A directory that this process may not read is not watched: no candidate, which
    has no more rights, could open it.
    """

    def __init__(self, root: bytes, other_directories: Iterable[bytes] = ()) -> None:
        self._root = root
        self._others = tuple(other_directories)
        self._resources = ExitStack()
        self._queue = -1
        self._names: dict[int, set[bytes]] = {}
        self._opened: frozenset[bytes] = frozenset()
        self._armed = False

    def __enter__(self) -> Self:
        """Place the watches. Raises WatchUnavailable."""
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
                    directory = os.open(other, OPEN_DIRECTORY_FLAGS)
                    self._resources.callback(os.close, directory)
                    self._watch(inotify, directory, other)
            except OSError as refusal:
                raise WatchUnavailable(f"a directory cannot be watched: {refusal.strerror}") from refusal
            self._resources = self._resources.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.close()

    def arm(self) -> None:
        """Begin to count, from nothing. A watch that is counting goes on."""
        if not self._armed:
            for _ in self._events():
                pass
            self._armed = True

    def stop_and_read(self) -> frozenset[bytes]:
        """End counting: which directories were opened since `arm`. Without a new `arm` it returns the same
        again.

        Those below the root are named from there, the root is b"."; the others are named as they were given.
        Raises WatchUnavailable when more was opened than the system keeps.
        """
        if self._armed:
            self._armed = False
            opened: set[bytes] = set()
            for watch, mask, named in list(self._events()):
                if mask & _IN_Q_OVERFLOW:
                    raise WatchUnavailable(
                        "more was opened than inotify keeps (fs.inotify.max_queued_events)"
                    )
                # A named event tells of an entry; each watched directory tells of itself without a name.
                if not named:
                    opened |= self._names[watch]
            self._opened = frozenset(opened)
        return self._opened

    def _watch(self, inotify: Any, directory: int, name: bytes) -> None:
        # By its descriptor, as its path may be too long.
        watch = inotify.inotify_add_watch(
            self._queue, b"/proc/self/fd/%d" % directory, _IN_OPEN | _IN_ONLYDIR
        )
        if watch < 0:
            raise _error("a directory cannot be watched")
        self._names.setdefault(watch, set()).add(name)

    def _events(self) -> Iterator[tuple[int, int, bool]]:
        while True:
            try:
                data = os.read(self._queue, _BUFFER)
            except BlockingIOError:
                return
            at = 0
            while at < len(data):
                watch, mask, _, length = _EVENT.unpack_from(data, at)
                at += _EVENT.size + length
                yield watch, mask, length > 0


def _load_libc() -> Any:
    if sys.platform != "linux":
        raise WatchUnavailable("inotify is a facility of Linux")
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "inotify_init1"):
        raise WatchUnavailable("the C library has no inotify")
    return library


def _error(what: str) -> WatchUnavailable:
    return WatchUnavailable(f"{what}: {os.strerror(ctypes.get_errno())}")
