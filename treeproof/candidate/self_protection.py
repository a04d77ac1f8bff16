"""Protects treeproof's own processes from a candidate of the same user. Linux only; elsewhere nothing changes.

A process without dumps cannot be traced or read by processes without CAP_SYS_PTRACE. A process with a scope (Landlock,
Linux 6.12) cannot signal, trace or read processes outside it. See prctl(2), landlock(7).
"""

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_CREATE_RULESET, _RESTRICT_SELF = 444, 446  # the same numbers on every architecture
_GET_VERSION = 1
_MIN_VERSION = 6
_SCOPE_SIGNAL = 2


class _RulesetAttributes(ctypes.Structure):
    _fields_ = [
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


# Loaded once: a child between fork and exec must not load libraries.
_LIBC: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def refuse_tracing() -> None:
    """Let no unprivileged process trace this one, read its memory or open its descriptors. Ends with an exec."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_DUMPABLE, ctypes.c_ulong(0), 0, 0, 0)


def supports_scope() -> bool:
    """Return whether `enter_scope` has an effect on this machine."""
    return _LIBC is not None and _LIBC.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _GET_VERSION) >= _MIN_VERSION


def enter_scope() -> None:
    """Keep this thread, and the programs that it starts, from signalling, tracing or reading processes outside.

    Permanent. Without CAP_SYS_ADMIN, set-user-id programs get no privileges afterwards.
    """
    if supports_scope():
        _scope_entry()()


def make_scope_entry() -> Callable[[], None]:
    """Return a function for a child between fork and exec that does the same as `enter_scope`."""
    return _scope_entry() if supports_scope() else lambda: None


def _scope_entry() -> Callable[[], None]:
    libc = _LIBC
    attributes = _RulesetAttributes(0, 0, _SCOPE_SIGNAL)
    address, size = ctypes.byref(attributes), ctypes.c_size_t(ctypes.sizeof(attributes))

    def enter() -> None:
        ruleset = libc.syscall(_CREATE_RULESET, address, size, 0)
        if ruleset < 0:
            return
        if libc.syscall(_RESTRICT_SELF, ruleset, 0) != 0:
            libc.prctl(_PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0)
            libc.syscall(_RESTRICT_SELF, ruleset, 0)
        with contextlib.suppress(OSError):
            os.close(ruleset)

    return enter
