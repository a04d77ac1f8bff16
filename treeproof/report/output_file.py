"""Files of results: checked before a run, complete or absent after it.

A candidate runs between the check and the writing, and may have replaced the file, its folder or a link to it. So the
place is held from the check on, and a file that was not there before is never followed.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.report.escape import visible

_FileIdentity = tuple[int, int]


class OutputFile:
    """A file that is written after the run, in one step: a reader never sees a partial file.

    Links are followed when the object is created, and never again. A device or a FIFO that exists then (``/dev/null``)
    is written into. Keeps a descriptor of the folder until the process ends.
    """

    def __init__(self, path: Path) -> None:
        """Check that the file can be written; raises UsageError if not.

        Creates and removes a file in its folder: permission bits are not sufficient (root, read-only mounts, quotas).
        """
        self._folder = -1
        self.path = path
        self._absolute = os.path.abspath(path)
        self.target = _resolve_target(path)
        self._stream = _stream_identity(self.target)
        if self._stream is not None:
            return
        try:
            self._folder = os.open(self.target.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            name = _temporary_name()
            os.close(self._create(name))
            os.unlink(name, dir_fd=self._folder)
        except OSError as error:
            raise _unwritable_error(path, error) from None

    def __del__(self) -> None:
        if self._folder >= 0:
            with suppress(OSError):
                os.close(self._folder)

    def write(self, data: bytes) -> None:
        """Replace the content by ``data``. Raises UsageError; an old file then still exists.

        What a candidate has put in place of the file is replaced, not followed: a link, a FIFO, another file.
        """
        try:
            if self._stream is not None:
                self._write_into_stream(data)
            else:
                self._replace(data)
        except OSError as error:
            raise _unwritable_error(self.path, error) from None

    def _write_into_stream(self, data: bytes) -> None:
        self._check_identity(self._stream)
        with self.target.open("wb") as stream:
            status = os.fstat(stream.fileno())
            if (status.st_dev, status.st_ino) != self._stream:
                raise self._replaced_error()
            stream.write(data)

    def _replace(self, data: bytes) -> None:
        temporary = _temporary_name()
        try:
            with os.fdopen(self._create(temporary), "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
                status = os.fstat(stream.fileno())
            os.replace(temporary, self.target.name, src_dir_fd=self._folder, dst_dir_fd=self._folder)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=self._folder)
            raise
        self._check_identity((status.st_dev, status.st_ino))

    def _create(self, name: str) -> int:
        # Not `tempfile`: a report has the mode of the user's umask, not 0600.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        return os.open(name, flags, 0o666, dir_fd=self._folder)

    def _check_identity(self, expected: _FileIdentity | None) -> None:
        """Raise UsageError if the path leads to another file than expected."""
        try:
            status = os.stat(self._absolute)
        except OSError:
            raise self._replaced_error() from None
        if (status.st_dev, status.st_ino) != expected:
            raise self._replaced_error()

    def _replaced_error(self) -> UsageError:
        return UsageError(
            f"{visible(str(self.path))}: was replaced during the run, so it is not written; choose a path that the "
            "candidate does not change"
        )


def _resolve_target(path: Path) -> Path:
    """Return the path with links resolved. Raises UsageError for a folder and for a missing parent."""
    shown = visible(str(path))
    try:
        target = path.resolve()
        if target.is_dir():
            raise UsageError(f"{shown}: is a folder; name a file in it")
        if not target.parent.is_dir():
            raise UsageError(f"{shown}: the folder {visible(str(path.parent))} does not exist; create it first")
    except (OSError, RuntimeError, ValueError) as error:  # a cycle of links, a NUL in the name
        raise _unwritable_error(path, error) from None
    return target


def _stream_identity(target: Path) -> _FileIdentity | None:
    """Return device and inode of what is no regular file; None for a regular file and for none."""
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unwritable_error(target, error) from None
    return None if stat.S_ISREG(status.st_mode) else (status.st_dev, status.st_ino)


def _temporary_name() -> str:
    # Short: the target's own name may be as long as the file system allows.
    return f".treeproof-{secrets.token_hex(6)}.tmp"


def _unwritable_error(path: Path, error: Exception) -> UsageError:
    reason = getattr(error, "strerror", None) or str(error)
    return UsageError(f"{visible(str(path))}: cannot be written: {visible(reason)}; choose another path")
