"""What differs between the operating systems that treeproof runs on, apart from what a probe of the host finds.

Linux is complete. macOS has no `/proc`, no inotify, no way to trace or to take the rights of root, and shorter paths.
"""

from __future__ import annotations

import fcntl
import os
import sys

_NAMES = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}

PASS_FLAG: int = getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY))
"""Opens a directory on the way to another one, if possible without the permission to read it (macOS: O_SEARCH)."""

MAX_PATH_BYTES: int = os.pathconf("/", "PC_PATH_MAX") if hasattr(os, "pathconf") else 260
"""The bytes of a path that the system takes, with its end: 4096 on Linux, 1024 on macOS."""


def system_name() -> str:
    """Return the name of this system in catalogues and baselines: Linux, macOS, Windows, or as Python has it."""
    return _NAMES.get(sys.platform, sys.platform)


def path_of(descriptor: int) -> bytes:
    """Return the path of an open directory, wherever it is now. Raises OSError: the system does not tell."""
    get_path: int | None = getattr(fcntl, "F_GETPATH", None)  # macOS
    if get_path is not None:
        return fcntl.fcntl(descriptor, get_path, bytes(MAX_PATH_BYTES)).rstrip(b"\0")
    return os.readlink(b"/proc/self/fd/%d" % descriptor)


def is_linux() -> bool:
    """Return whether this system is Linux, with its system calls and `/proc`."""
    return sys.platform == "linux"
