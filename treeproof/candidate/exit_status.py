"""The end of processes: a description of the exit status, and an end together with the parent process."""

from __future__ import annotations

import contextlib
import ctypes
import signal

from treeproof.systems import is_linux


def describe_exit(code: int) -> str:
    """Return text for a process's end; ``code`` is an exit code or a negative signal number, as in `subprocess`."""
    if code >= 0:
        return f"ended with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"


def die_with_parent() -> None:
    """Make the kernel send SIGTERM to this process when its parent ends (Linux, PR_SET_PDEATHSIG)."""
    if is_linux():
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM, 0, 0, 0)
