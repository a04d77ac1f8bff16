"""Processes that a candidate leaves behind: made children of the harness, and ended with the run.

A process whose parents have all ended belongs to nobody that a harness could ask. Where the harness is a subreaper
(Linux, prctl(2) PR_SET_CHILD_SUBREAPER) such a process becomes its own child, and can be found.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_TIMEOUT_SECONDS = 3.0
_GRACE_SECONDS = 0.1  # what was killed with its group a moment ago was not left running
_POLL_SECONDS = 0.002


class OrphanReaper:
    """A context manager around a whole run; on leaving, what a candidate left behind is ended.

    ``ended`` is then how many of them were running. Only children that were not there before and that are of another
    session count: a candidate is never of the harness's session, and what the harness itself runs always is.
    """

    def __init__(self) -> None:
        self.killed_count = 0
        self._before: frozenset[int] = frozenset()
        self._was_subreaper = True

    def __enter__(self) -> Self:
        self._before = frozenset(_child_pids())
        library = _libc()
        if library is not None:
            was = ctypes.c_int(0)
            library.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(was), 0, 0, 0)
            self._was_subreaper = bool(was.value)
            library.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), 0, 0, 0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill_orphans()
        library = _libc()
        if library is not None and not self._was_subreaper:
            library.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(0), 0, 0, 0)

    def kill_orphans(self) -> int:
        """End all that were left behind until now, and return how many of them were running."""
        began, running = time.monotonic(), set[int]()
        # When one is killed, its children become ours: look again until there are none.
        while (left := [pid for pid in _child_pids() if self._is_orphan(pid)]) and (
            time.monotonic() - began < _TIMEOUT_SECONDS
        ):
            for pid in left:
                with contextlib.suppress(ChildProcessError, ProcessLookupError, PermissionError):
                    alive = os.waitpid(pid, os.WNOHANG)[0] == 0
                    if alive and time.monotonic() - began > _GRACE_SECONDS:
                        running.add(pid)
                        os.kill(pid, signal.SIGKILL)
            time.sleep(_POLL_SECONDS)
        self.killed_count += len(running)
        return len(running)

    def _is_orphan(self, pid: int) -> bool:
        try:
            return pid not in self._before and os.getsid(pid) != os.getsid(0)
        except ProcessLookupError:  # it has ended already, and waits for its parent
            return pid not in self._before


def _child_pids() -> Iterator[int]:
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            yield from map(int, task.read_text("ascii").split())


def _libc() -> Any:
    return ctypes.CDLL(None) if sys.platform == "linux" else None
