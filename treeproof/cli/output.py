"""What a verb writes where the output cannot take it: nobody reads it, or there is no room."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from typing import TextIO

NO_SPACE_ERRNOS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""A write that found no room. It is no verdict: uncaught, Python's own exit code 1 would mean non-conformant."""

BAD_PATH_ERRNOS = (errno.ENAMETOOLONG, errno.ELOOP, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR)
"""A path that leads nowhere for who runs this, wherever it was written: the command line's to mend."""


def open_closed_streams() -> None:
    """Give a process that was started without a standard stream (``2>&-``) an empty one: Python has None there, and the
    next file that is opened would get the descriptor.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            empty = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(empty, True)
            if empty != number:
                os.dup2(empty, number)
                os.close(empty)
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace"))  # noqa: SIM115 - for good


def print_error(text: str) -> None:
    """Write one line on stderr, whatever a file is named in it; where that takes nothing the exit code has to do."""
    from treeproof.report.escape import visible

    try:
        print(f"treeproof: {visible(text)}", file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        _redirect_to_devnull(sys.stderr)


def report_no_space(error: OSError) -> int:
    """Say that the output or the trees found no room, wherever that can still be said."""
    discard_stdout()
    place = error.filename or "where the output or a tree goes"
    print_error(f"{place}: {error.strerror}; make room or choose another place")
    return 4


@contextlib.contextmanager
def ignore_broken_pipe() -> Iterator[None]:
    """What is written inside may be read by nobody (``treeproof run … | head``): a verdict that is reached stays."""
    try:
        yield
    except BrokenPipeError:
        discard_stdout()


def discard_stdout() -> None:
    """Let what is still buffered go nowhere; the interpreter would complain at its end."""
    _redirect_to_devnull(sys.stdout)


def _redirect_to_devnull(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
