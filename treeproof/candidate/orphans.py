"""Finds the descendants of a process, and ends the processes that a candidate leaves running.

A process whose parents have ended is hard to find. With treeproof as a subreaper (Linux, prctl(2)
PR_SET_CHILD_SUBREAPER) such a process becomes a child of treeproof.
"""

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from treeproof.systems import is_linux

_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TIMEOUT_SECONDS = 3.0
_GRACE_SECONDS = 0.1  # time to end for processes that were killed with their group
_POLL_SECONDS = 0.002
_MAX_PROCESSES = 10_000


class OrphanReaper:
    """A context manager around a whole run; on leaving it kills the processes that a candidate left running.

    ``killed_count`` is then their number. Only new children of another session count: candidates run in sessions of
    their own, treeproof's other children do not. ``adopts`` is False for a candidate in containers: none of its
    processes can leave them, and the processes of the engine are not treeproof's.
    """

    def __init__(self, *, adopts: bool = True) -> None:
        self.killed_count = 0
        self._adopts = adopts
        self._before: frozenset[int] = frozenset()
        self._was_subreaper = True

    def __enter__(self) -> Self:
        self._before = frozenset(_child_pids(os.getpid()))
        library = _libc()
        if library is not None:
            previous = ctypes.c_int(0)
            library.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(previous), 0, 0, 0)
            self._was_subreaper = bool(previous.value)
            library.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(self._adopts), 0, 0, 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill_orphans()
        library = _libc()
        if library is not None and not self._was_subreaper:
            library.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(0), 0, 0, 0)

    def kill_orphans(self) -> int:
        """Kill all processes left running until now, and return how many still ran."""
        started, running = time.monotonic(), set[int]()
        # The children of a killed process become children of treeproof: repeat until there are none.
        while (orphans := [pid for pid in _child_pids(os.getpid()) if self._is_orphan(pid)]) and (
            time.monotonic() - started < _TIMEOUT_SECONDS
        ):
            for pid in orphans:
                with contextlib.suppress(ChildProcessError, ProcessLookupError, PermissionError):
                    alive = os.waitpid(pid, os.WNOHANG)[0] == 0
                    if alive and time.monotonic() - started > _GRACE_SECONDS:
                        running.add(pid)
                        os.kill(pid, signal.SIGKILL)
            time.sleep(_POLL_SECONDS)
        self.killed_count += len(running)
        return len(running)

    def _is_orphan(self, pid: int) -> bool:
        try:
            return pid not in self._before and os.getsid(pid) != os.getsid(0)
        except ProcessLookupError:  # a zombie
            return pid not in self._before


def stop_adopting() -> None:
    """Let processes that lose their parents go to another one, as they do outside of an `OrphanReaper`."""
    if (library := _libc()) is not None:
        library.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(0), 0, 0, 0)


def has_own_process_namespace(pid: int) -> bool:
    """Return whether a process is in another PID namespace, which no process that it starts can leave."""
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/ns/pid") != os.readlink("/proc/self/ns/pid")
    return False


def process_tree(pid: int, limit: int = _MAX_PROCESSES) -> tuple[int, ...]:
    """Return ``pid`` and its current descendants, at most about ``limit``; only ``pid`` without /proc."""
    found, pending = list[int](), [pid]
    while pending and len(found) < limit:
        found.append(pending.pop())
        pending += _child_pids(found[-1])
    return tuple(found)


def left_processes() -> tuple[int, ...]:
    """Return the processes in other sessions of which this process is the parent, and their descendants.

    Candidates are among them, and processes that have left a candidate's process tree (see `OrphanReaper`).
    """
    found = list[int]()
    for pid in _child_pids(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(pid) != os.getsid(0):
                found += process_tree(pid)
    return tuple(found)


def is_traced(pid: int) -> bool:
    """Return whether a process has a tracer, or has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_bytes()
    except OSError:
        return True
    return b"\nTracerPid:\t0\n" not in status or has_ended(pid)


def has_ended(pid: int) -> bool:
    """Return whether no process has this id, or a zombie; False without /proc."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return Path("/proc/self").exists()
    except OSError:
        return False
    return state[:1] in ([b"Z"], [b"X"], [])


def find_stopped(pids: Iterable[int]) -> int | None:
    """Return the first of these processes that is stopped."""
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended
            if Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"T":
                return pid
    return None


def _child_pids(pid: int) -> Iterator[int]:
    with contextlib.suppress(OSError):  # the process has ended
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                yield from map(int, children.read_text("ascii").split())


def _libc() -> Any:
    return ctypes.CDLL(None) if is_linux() else None
