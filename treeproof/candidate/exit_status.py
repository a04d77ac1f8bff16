"""The end of a process: in words, and with whoever asked for it."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys


def describe_exit(code: int) -> str:
    """Say how a process ended: ``code`` is its exit code, or a signal's number below zero, as `subprocess` has it."""
    if code >= 0:
        return f"exited with {code}"
    with contextlib.suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"


def die_with_parent() -> None:
    """Let the kernel send SIGTERM to this process when its parent ends, however it does (Linux, PR_SET_PDEATHSIG)."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM, 0, 0, 0)
