"""Output that can fail: error lines, closed pipes and full disks."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import sys
from collections.abc import Iterator
from typing import TextIO

INTERRUPTED_EXIT_CODE = 5
"""The exit code of a command that a signal has ended before it had a result."""

NO_SPACE_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk. They are no verdict: uncaught, Python's exit code 1 would mean non-conformant."""

OPEN_FILES_ERRNOS = (errno.EMFILE, errno.ENFILE)
"""Errors of a limit of open files that is too low."""

BAD_PATH_ERRNOS = (errno.ENAMETOOLONG, errno.ELOOP, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR)
"""Errors of a path that the user can correct."""


def open_closed_streams() -> None:
    """Open the standard streams that were closed (``2>&-``) on /dev/null.

    Otherwise the next file that is opened gets the descriptor.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            empty = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(empty, True)
            if empty != number:
                os.dup2(empty, number)
                os.close(empty)
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace"))  # noqa: SIM115 - stays open


def print_error(text: str) -> None:
    """Write one line about an error to stderr; do nothing if that fails."""
    print_line(text)


def print_line(text: str) -> None:
    """Write one line to stderr, with unprintable characters escaped; do nothing if that fails."""
    from treeproof.report.escape import visible

    try:
        print(f"treeproof: {visible(text)}", file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        _redirect_to_devnull(sys.stderr)


def report_no_memory() -> int:
    """Report on stderr, with no memory at all, that memory is exhausted; return the exit code."""
    with contextlib.suppress(OSError):
        os.write(2, _NO_MEMORY)
    return 4


_NO_MEMORY = b"treeproof: out of memory: there is no verdict; a candidate can cause that with prlimit, see --isolate\n"


def report_no_space(error: OSError) -> int:
    """Report a full disk on stderr and return the exit code."""
    discard_stdout()
    place = error.filename or "the output or the workspace"
    print_error(f"{place}: {error.strerror}; free disk space or write another path")
    return 4


@contextlib.contextmanager
def ignore_broken_pipe() -> Iterator[None]:
    """Ignore a closed pipe (``treeproof run … | head``), so that the verdict decides the exit code."""
    try:
        yield
    except BrokenPipeError:
        discard_stdout()


def discard_stdout() -> None:
    """Discard buffered output; otherwise the interpreter reports an error at its end."""
    _redirect_to_devnull(sys.stdout)


def discard_blocked_streams() -> None:
    """Discard buffered output after an interruption, and errors if no program reads them: the process could not end."""
    discard_stdout()
    with contextlib.suppress(OSError, ValueError):
        if not select.select([], [sys.stderr], [], 0)[1]:
            _redirect_to_devnull(sys.stderr)


def _redirect_to_devnull(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
