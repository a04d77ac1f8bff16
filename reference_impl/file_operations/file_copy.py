"""A copy of a file next to its final name. Until it is complete, no entry has the final name.

The unfinished file has no name where the file system supports that, so that even a killed process leaves nothing;
elsewhere it has a hidden name and is removed after an error.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator

from .renaming import rename_exclusively

CHUNK_SIZE = 1024 * 1024  # bytes read at once
_ZEROS = bytes(CHUNK_SIZE)

_READ_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
# Links through /proc, if it exists.
_TMPFILE_FLAG = getattr(os, "O_TMPFILE", 0) if os.path.isdir("/proc/self/fd") else 0


class SourceChanged(OSError):
    """The source changed since the copy began."""

    def __init__(self) -> None:
        super().__init__(errno.EBUSY, "the source changed while it was being copied")


def make_temporary_name() -> bytes:
    """Return an unused name for a file that does not have its own name now."""
    return b".moving-" + secrets.token_hex(8).encode()


class FileCopy:
    """One copy. On exit, a file without its final name is removed."""

    def __init__(self, source_dir_fd: int, source_name: bytes, target_dir_fd: int, *, preserves_mtime: bool) -> None:
        self.source_dir_fd, self.source_name, self.target_dir_fd = source_dir_fd, source_name, target_dir_fd
        self.preserves_mtime = preserves_mtime
        self.temporary_name: bytes | None = None
        self.descriptor = -1

    def __enter__(self) -> "FileCopy":
        return self

    def __exit__(self, *_: object) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
        if self.temporary_name is not None:
            with contextlib.suppress(OSError):
                os.unlink(self.temporary_name, dir_fd=self.target_dir_fd)

    def copy_content(self) -> os.stat_result:
        """Copy content and permissions and flush them to the disk; return the source's metadata. Raises OSError."""
        source = os.open(self.source_name, _READ_FLAGS, dir_fd=self.source_dir_fd)
        try:
            before = os.fstat(source)
            if not stat.S_ISREG(before.st_mode):
                raise SourceChanged
            self.descriptor = self.create_target()
            for piece in self.read_chunks(source):
                if piece == _ZEROS[: len(piece)]:  # they stay a hole
                    os.lseek(self.descriptor, len(piece), os.SEEK_CUR)
                else:
                    self.write_chunk(piece)
            self.end_target()
            after = os.fstat(source)
            if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                raise SourceChanged
            self.copy_metadata(before)
            os.fsync(self.descriptor)
            return before
        finally:
            os.close(source)

    def create_target(self) -> int:
        """Create a file without a name, or with a hidden one if the file system requires a name."""
        if _TMPFILE_FLAG:
            with contextlib.suppress(OSError):
                return os.open(".", os.O_WRONLY | _TMPFILE_FLAG, 0o600, dir_fd=self.target_dir_fd)
        self.temporary_name = make_temporary_name()
        return os.open(self.temporary_name, _CREATE_FLAGS, 0o600, dir_fd=self.target_dir_fd)

    def read_chunks(self, source: int) -> Iterator[bytes]:
        while piece := os.read(source, CHUNK_SIZE):
            yield piece

    def write_chunk(self, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]

    def end_target(self) -> None:
        """Give the target its size: a hole at its end was only skipped."""
        os.ftruncate(self.descriptor, os.lseek(self.descriptor, 0, os.SEEK_CUR))

    def copy_metadata(self, like: os.stat_result) -> None:
        """Copy the permissions, and the time for a move (DFO-08). Comes last, because a mode may forbid writing."""
        os.fchmod(self.descriptor, stat.S_IMODE(like.st_mode))
        if self.preserves_mtime:
            os.utime(self.descriptor, ns=(like.st_atime_ns, like.st_mtime_ns))

    def publish_as(self, name: bytes) -> None:
        """Give the copy an unused name. Raises FileExistsError and other OSErrors."""
        if self.temporary_name is not None:
            rename_exclusively(self.target_dir_fd, self.temporary_name, self.target_dir_fd, name)
            self.temporary_name = None
            return
        link_descriptor(self.descriptor, self.target_dir_fd, name)

    def ensure_temporary_name(self) -> bytes:
        """Give the copy a hidden name, which can be exchanged later. Raises OSError."""
        if self.temporary_name is None:
            name = make_temporary_name()
            link_descriptor(self.descriptor, self.target_dir_fd, name)
            self.temporary_name = name
        return self.temporary_name

    def sync_directory(self) -> None:
        """Flush the directory to the disk before anything is deleted."""
        with contextlib.suppress(OSError):
            directory = os.open(".", os.O_RDONLY, dir_fd=self.target_dir_fd)
            try:
                os.fsync(directory)
            finally:
                os.close(directory)


def link_descriptor(descriptor: int, target_dir_fd: int, name: bytes) -> None:
    """Give an open file without a name its first name. Raises OSError."""
    os.link(f"/proc/self/fd/{descriptor}", name, dst_dir_fd=target_dir_fd, follow_symlinks=True)
