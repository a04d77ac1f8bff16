"""Records which directories the calls of one scenario open and read, and which files, if a step requests it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from treeproof.tree import CannotBuild, InotifyWatch
from treeproof.verdict import Mismatch, NotVerified


class DirectoryWatch:
    """The watch of one scenario. It counts only during calls, so treeproof's own accesses are not recorded."""

    def __init__(self) -> None:
        self.enabled = False
        """True if a step requests the watch; set before the first call."""
        self._watch: InotifyWatch | None = None
        self._opened_directories: frozenset[bytes] = frozenset()
        self._read_directories: frozenset[bytes] = frozenset()
        self._opened_files: frozenset[bytes] = frozenset()

    def start(self, folder: bytes) -> None:
        """Start to watch all directories below ``folder``, once and if enabled. Raises NotVerified."""
        if self.enabled and self._watch is None:
            try:
                self._watch = InotifyWatch(folder)
                self._watch.__enter__()
            except CannotBuild as reason:
                raise _unavailable(reason) from reason

    @contextmanager
    def during_call(self) -> Iterator[None]:
        """Record the directories that are opened in this context. Raises NotVerified if they cannot be recorded."""
        if self._watch is None:
            yield
            return
        self._watch.arm()
        try:
            yield
        finally:
            try:
                self._opened_directories |= self._watch.stop_and_read()
                self._read_directories |= self._watch.read_directories
                self._opened_files |= self._watch.opened_files
            except CannotBuild as reason:
                raise _unavailable(reason) from reason

    def opened_directories(self) -> frozenset[bytes]:
        """Return the directories that the calls have opened so far, relative to the parent of the root."""
        if self._watch is None:
            raise Mismatch("nothing was watched; add the step 'opened directories are watched'")
        return self._opened_directories

    def read_directories(self) -> frozenset[bytes]:
        """Return the directories whose names the calls have read so far, relative to the parent of the root."""
        self.opened_directories()
        return self._read_directories

    def opened_files(self) -> frozenset[bytes]:
        """Return what the calls have opened so far and is no directory, relative to the parent of the root."""
        self.opened_directories()
        return self._opened_files

    def check_evidence(self) -> None:
        """Raise NotVerified if the watch was enabled and recorded nothing; called after the last step."""
        if self.enabled and not self._opened_directories:
            raise NotVerified("not_observed", "the watch recorded no opened directory, so it shows nothing")

    def close(self) -> None:
        """Stop watching."""
        if self._watch is not None:
            self._watch.__exit__(None, None, None)


def _unavailable(reason: CannotBuild) -> NotVerified:
    return NotVerified("watch_unavailable", f"opened directories cannot be watched here: {reason}")
