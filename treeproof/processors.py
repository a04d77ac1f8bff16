"""How many processors this process may use."""

from __future__ import annotations

import os


def usable_processors() -> int:
    """Return the number of processors that this process may run on. It can be smaller than that of the machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
