"""Ends isolated candidates that have too many processes, or too much memory: a thread looks at them.

The kernel limits neither for the processes of root, and memory only for each process alone. A candidate in a PID
namespace cannot escape its end: the kernel ends all processes of the namespace with the first one.
"""

import contextlib
import os
import signal
import threading
import time

from treeproof.candidate.isolation import MAX_MEMORY_BYTES, MAX_TASKS, count_tasks
from treeproof.candidate.orphans import process_tree

_INTERVAL_SECONDS = 0.05

_watched: dict[int, str] = {}
"""The processes that are watched, with the limit that each has exceeded ("" if none)."""
_thread: threading.Thread | None = None


def watch(pid: int) -> None:
    """Watch a process and its descendants until `stop_watching`, which must come before the process is reaped."""
    global _thread
    _watched[pid] = ""
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_watch_all, name="treeproof limits", daemon=True)
        _thread.start()


def stop_watching(pid: int) -> str:
    """Stop watching a process, and return the limit that it has exceeded as text ("" if none)."""
    return _watched.pop(pid, "")


def exceeded_limit(pid: int) -> str:
    """Return the limit for which a watched process was ended, as text ("" if it was not ended)."""
    return _watched.get(pid, "")


def _watch_all() -> None:
    while _watched:
        for pid in tuple(_watched):
            limit = "" if exceeded_limit(pid) else _find_exceeded_limit(process_tree(pid, MAX_TASKS + 1))
            if limit and pid in _watched:
                _watched[pid] = limit
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(_INTERVAL_SECONDS)


def _find_exceeded_limit(pids: tuple[int, ...]) -> str:
    tasks, memory = count_tasks(pids)
    if tasks > MAX_TASKS:
        return f"more than {MAX_TASKS} processes and threads"
    return f"more than {MAX_MEMORY_BYTES >> 30} GiB of memory" if memory > MAX_MEMORY_BYTES else ""
