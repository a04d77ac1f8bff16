"""A file copied beside its final name: nothing bears that name before every byte of it is there.

What is half-written has no name at all where the file system knows such files, so that not even a killed process
leaves one; elsewhere it has a hidden one, and goes with the error.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator

from .renaming import rename_exclusively

PIECE = 1024 * 1024  # bytes read at once

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
# Named through /proc, where there is one.
_NAMELESS = getattr(os, "O_TMPFILE", 0) if os.path.isdir("/proc/self/fd") else 0


class Changed(OSError):
    """The source is not what it was when the copy began."""

    def __init__(self) -> None:
        super().__init__(errno.EBUSY, "the source changed while it was being copied")


def hidden_name() -> bytes:
    """A name that nothing has, for what is not yet, or not any more, under its own."""
    return b".moving-" + secrets.token_hex(8).encode()


class FileCopy:
    """One copy. Leaving the context removes what has no final name yet."""

    def __init__(self, at: int, name: bytes, to: int, *, keeps_time: bool) -> None:
        self.at, self.name, self.to = at, name, to
        self.keeps_time = keeps_time
        self.hidden: bytes | None = None
        self.file = -1

    def __enter__(self) -> "FileCopy":
        return self

    def __exit__(self, *_: object) -> None:
        if self.file >= 0:
            os.close(self.file)
        if self.hidden is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.hidden, dir_fd=self.to)

    def fill(self) -> os.stat_result:
        """Copy content and permissions, and see to it that they are on the disk; what the source is. Raises OSError."""
        source = os.open(self.name, _READ, dir_fd=self.at)
        try:
            before = os.fstat(source)
            if not stat.S_ISREG(before.st_mode):
                raise Changed
            self.file = self.create()
            for piece in self.pieces(source):
                self.write(piece)
            after = os.fstat(source)
            if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                raise Changed
            self.dress(before)
            os.fsync(self.file)
            return before
        finally:
            os.close(source)

    def create(self) -> int:
        """A new file without a name; with a hidden one where the file system knows no others."""
        if _NAMELESS:
            with contextlib.suppress(OSError):
                return os.open(".", os.O_WRONLY | _NAMELESS, 0o600, dir_fd=self.to)
        self.hidden = hidden_name()
        return os.open(self.hidden, _NEW, 0o600, dir_fd=self.to)

    def pieces(self, source: int) -> Iterator[bytes]:
        while piece := os.read(source, PIECE):
            yield piece

    def write(self, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(self.file, rest) :]

    def dress(self, like: os.stat_result) -> None:
        """Permissions, and for a move the time (DFO-08). They come last: a mode may forbid writing."""
        os.fchmod(self.file, stat.S_IMODE(like.st_mode))
        if self.keeps_time:
            os.utime(self.file, ns=(like.st_atime_ns, like.st_mtime_ns))

    def name_it(self, name: bytes) -> None:
        """Give the copy a name that nothing has. Raises FileExistsError, and other OSErrors."""
        if self.hidden is not None:
            rename_exclusively(self.to, self.hidden, self.to, name)
            self.hidden = None
            return
        link(self.file, self.to, name)

    def named(self) -> bytes:
        """Give the copy a hidden name, to be exchanged for another one. Raises OSError."""
        if self.hidden is None:
            name = hidden_name()
            link(self.file, self.to, name)
            self.hidden = name
        return self.hidden

    def settle(self) -> None:
        """See to it that the directory knows the name, before anything else goes."""
        with contextlib.suppress(OSError):
            directory = os.open(".", os.O_RDONLY, dir_fd=self.to)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)


def link(file: int, to: int, name: bytes) -> None:
    """Give an open file without a name its first one. Raises OSError."""
    os.link(f"/proc/self/fd/{file}", name, dst_dir_fd=to, follow_symlinks=True)
