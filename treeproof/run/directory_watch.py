"""Which directories the calls of one scenario open, where a sentence wants that to be watched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from treeproof.tree import InotifyWatch, WatchUnavailable
from treeproof.verdict import Mismatch, NotVerified


class DirectoryWatch:
    """The watch of one scenario; it looks only while a call lasts, so that what the suite opens itself is not seen."""

    def __init__(self) -> None:
        self.enabled = False
        """Whether a sentence wants it; said before the first call."""
        self._watch: InotifyWatch | None = None
        self._opened_directories: frozenset[bytes] = frozenset()

    def start(self, folder: bytes) -> None:
        """Start to watch all below ``folder``, once and where it is wanted. Raises NotVerified."""
        if self.enabled and self._watch is None:
            try:
                self._watch = InotifyWatch(folder)
                self._watch.__enter__()
            except WatchUnavailable as why:
                raise _unavailable(why) from why

    @contextmanager
    def during_call(self) -> Iterator[None]:
        """Keep what is opened meanwhile. Raises NotVerified where that cannot be seen."""
        if self._watch is None:
            yield
            return
        self._watch.arm()
        try:
            yield
        finally:
            try:
                self._opened_directories |= self._watch.stop_and_read()
            except WatchUnavailable as why:
                raise _unavailable(why) from why

    def opened_directories(self) -> frozenset[bytes]:
        """Return the directories, relative to the folder beside the root, that the calls until now have opened."""
        if self._watch is None:
            raise Mismatch("nothing was watched: the sentence 'opened directories are watched' is missing")
        return self._opened_directories

    def check_evidence(self) -> None:
        """After the last step: raise NotVerified when it was wanted and has seen nothing at all."""
        if self.enabled and not self._opened_directories:
            raise NotVerified("not_observed", "the watch saw no directory opened at all, so it shows nothing")

    def close(self) -> None:
        """Stop watching."""
        if self._watch is not None:
            self._watch.__exit__(None, None, None)


def _unavailable(why: WatchUnavailable) -> NotVerified:
    return NotVerified("watch_unavailable", f"opened directories cannot be watched here: {why}")
