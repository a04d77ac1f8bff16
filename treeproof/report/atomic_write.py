"""Atomic writing of files: checked before a run, complete or absent after it."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from treeproof.errors import UsageError
from treeproof.report.escape import visible


def check_writable(path: Path) -> None:
    """Raise UsageError unless a report can be written to ``path``.

    Creates and removes a file in its folder: permission bits are not sufficient (root, read-only mounts, quotas).
    """
    target = _resolve_target(path)
    if _is_stream(target):
        return
    probe = _temporary_path(target)
    try:
        _create(probe)
        probe.unlink()
    except OSError as error:
        raise _unwritable_error(path, error) from None


def write(path: Path, data: bytes) -> None:
    """Replace the content of ``path`` by ``data`` in one step, so that a reader never sees a partial file.

    Follows links. Writes into a device or a FIFO (``/dev/null``). Raises UsageError; the old file then still exists.
    """
    target = _resolve_target(path)
    if _is_stream(target):
        try:
            with target.open("wb") as stream:
                stream.write(data)
        except OSError as error:
            raise _unwritable_error(path, error) from None
        return
    temporary = _temporary_path(target)
    try:
        try:
            with os.fdopen(_create(temporary), "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _unwritable_error(path, error) from None


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


def _is_stream(target: Path) -> bool:
    try:
        return not stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unwritable_error(target, error) from None


def _temporary_path(target: Path) -> Path:
    # Short: the target's own name may be as long as the file system allows.
    return target.with_name(f".treeproof-{secrets.token_hex(6)}.tmp")


def _create(path: Path) -> int:
    # Not `tempfile`: a report has the mode of the user's umask, not 0600.
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)


def _unwritable_error(path: Path, error: Exception) -> UsageError:
    reason = getattr(error, "strerror", None) or str(error)
    return UsageError(f"{visible(str(path))}: cannot be written: {visible(reason)}; choose another path")
