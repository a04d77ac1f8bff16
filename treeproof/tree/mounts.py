"""Which kind of file system holds a path. Linux only; elsewhere nothing is known."""

import os
from pathlib import Path

_IN_MEMORY = frozenset({"tmpfs", "ramfs"})


def file_system_type(path: Path) -> str | None:
    """The type of the file system, such as "tmpfs" or "ext4"; None where it cannot be told."""
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
    """Whether the file system keeps its files in memory alone."""
    return file_system_type(path) in _IN_MEMORY
