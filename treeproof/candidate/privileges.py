"""Removes capabilities from candidates: those by which root ignores file modes, and those against other processes.

Candidates run without CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, so that mode 0000 applies to root and ordinary
users alike, with the same verdicts. Candidates in processes of their own also run without CAP_SYS_PTRACE and CAP_KILL,
and cannot reach the processes of treeproof. The uid stays, so an interpreter below /root still runs. Only the calling
thread (``drop_dac_capabilities``) or a child before its exec (``make_preexec_fn``) changes. See capabilities(7).
"""

import ctypes
import os
import signal
from collections.abc import Callable
from types import TracebackType
from typing import Any

from treeproof.systems import is_linux

_DAC_CAPABILITIES = (1, 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
_DAC_BITS = 0b110
_REMOVED_CAPABILITIES = (*_DAC_CAPABILITIES, 5, 19)  # and CAP_KILL, CAP_SYS_PTRACE
_REMOVED_BITS = sum(1 << capability for capability in _REMOVED_CAPABILITIES)

_VERSION_3 = 0x20080522
_PR_SET_PDEATHSIG = 1
_PR_CAPBSET_READ = 23
_PR_CAPBSET_DROP = 24
_PR_GET_SECUREBITS = 27
_PR_SET_SECUREBITS = 28
_SECBIT_NOROOT = 1
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_LOWER = 3
_PR_SET_PTRACER = 0x59616D61
_PR_SET_PTRACER_ANY = ctypes.c_ulong(-1).value


class _CapabilityHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapabilitySets(ctypes.Structure):
    _fields_ = [
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    ]


def _load_libc_functions() -> tuple[Any, Any, Any] | None:
    """Return ``prctl``, ``capget`` and ``capset`` of the C library; None if the kernel has no capabilities."""
    if not is_linux():
        return None
    library = ctypes.CDLL(None, use_errno=True)
    try:
        prctl, capget, capset = library.prctl, library.capget, library.capset
    except AttributeError:
        return None
    prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
    capget.argtypes = capset.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return prctl, capget, capset


# Looked up once: a child between fork and exec must not load libraries.
_LIBC_FUNCTIONS = _load_libc_functions()


class drop_dac_capabilities:  # noqa: N801 - used like a function: ``with drop_dac_capabilities():``
    """Run the block without CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH in this thread's effective set.

    Afterwards they are restored. A program executed in the block gets no capabilities at all, because an exec as
    root would otherwise restore these two. Costs a few system calls. Can be nested. Does nothing for an ordinary
    user or on a system without capabilities.
    """

    __slots__ = ("_header", "_securebits", "_sets", "_dropped")

    def __init__(self) -> None:
        self._header, self._sets = _CapabilityHeader(_VERSION_3, 0), (_CapabilitySets * 2)()
        self._dropped = 0
        self._securebits = 0

    def __enter__(self) -> None:
        if _LIBC_FUNCTIONS is None:
            return
        _get_own_capabilities(self._header, self._sets)
        low = self._sets[0]
        self._dropped = low.effective & _DAC_BITS
        if self._dropped:
            # Refused without CAP_SETPCAP; file modes apply to the block's own accesses anyway.
            self._securebits = _LIBC_FUNCTIONS[0](_PR_GET_SECUREBITS, 0, 0, 0, 0)
            _LIBC_FUNCTIONS[0](_PR_SET_SECUREBITS, self._securebits | _SECBIT_NOROOT, 0, 0, 0)
            low.effective &= ~_DAC_BITS
            _set_own_capabilities(self._header, self._sets)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._dropped and _LIBC_FUNCTIONS is not None:
            self._sets[0].effective |= self._dropped
            self._dropped = 0
            _set_own_capabilities(self._header, self._sets)
            _LIBC_FUNCTIONS[0](_PR_SET_SECUREBITS, self._securebits, 0, 0, 0)


def make_preexec_fn(*, keeps_rights: bool = False) -> Callable[[], None] | None:
    """Return the function that a candidate's process runs between fork and exec; None if there is nothing to do.

    The process is killed when its parent dies; a trusted one ``keeps_rights``. Any other loses the four
    capabilities for good: from the bounding set if the parent may change that, else under no_new_privs, so that an
    exec as root does not restore them. Raises OSError in the child if neither works. Where only parents may trace
    (Yama), it may be traced by a strace that treeproof attaches later.
    """
    if _LIBC_FUNCTIONS is None:
        return None
    prctl = _LIBC_FUNCTIONS[0]
    parent = os.getpid()
    killed = int(signal.SIGKILL)

    def setup() -> None:
        # Sent when the *thread* that forked ends: a thread that starts candidates must outlive them.
        prctl(_PR_SET_PDEATHSIG, killed, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        if keeps_rights:
            return
        prctl(_PR_SET_PTRACER, _PR_SET_PTRACER_ANY, 0, 0, 0)
        for capability in _REMOVED_CAPABILITIES:
            prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_LOWER, capability, 0, 0)
            prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        header, sets = _CapabilityHeader(_VERSION_3, 0), (_CapabilitySets * 2)()
        _get_own_capabilities(header, sets)
        sets[0].effective &= ~_REMOVED_BITS
        sets[0].permitted &= ~_REMOVED_BITS
        sets[0].inheritable &= ~_REMOVED_BITS
        _set_own_capabilities(header, sets)
        bounded = all(prctl(_PR_CAPBSET_READ, capability, 0, 0, 0) == 0 for capability in _REMOVED_CAPABILITIES)
        if not bounded and prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 and os.geteuid() == 0:
            raise OSError(ctypes.get_errno(), "cannot give up CAP_DAC_OVERRIDE")

    return setup


def _get_own_capabilities(header: _CapabilityHeader, sets: Any) -> None:
    assert _LIBC_FUNCTIONS is not None
    if _LIBC_FUNCTIONS[1](ctypes.byref(header), ctypes.byref(sets)) != 0:
        raise OSError(ctypes.get_errno(), "capget refused")


def _set_own_capabilities(header: _CapabilityHeader, sets: Any) -> None:
    assert _LIBC_FUNCTIONS is not None
    if _LIBC_FUNCTIONS[2](ctypes.byref(header), ctypes.byref(sets)) != 0:
        raise OSError(ctypes.get_errno(), "capset refused")
