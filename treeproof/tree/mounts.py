"""The type of the file system that contains a path. Linux only; elsewhere it is unknown."""

import os
from pathlib import Path

_IN_MEMORY = frozenset({"tmpfs", "ramfs"})


def file_system_type(path: Path) -> str | None:
    """Return the type of the file system, such as "tmpfs" or "ext4"; None if unknown."""
    try:
        device = os.stat(path).st_dev
        mounts = Path("/proc/self/mountinfo").read_bytes().splitlines()
    except OSError:
        return None
    wanted = b"%d:%d" % (os.major(device), os.minor(device))
    for mount in mounts:
        before, _, after = mount.partition(b" - ")
        if before.split()[2] == wanted:
            return after.split()[0].decode("ascii", "replace")
    return None


def is_in_memory(path: Path) -> bool:
    """Return whether the file system keeps its files in memory only."""
    return file_system_type(path) in _IN_MEMORY
