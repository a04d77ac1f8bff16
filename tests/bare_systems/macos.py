"""What Python finds on macOS and not on Linux, and the reverse: the start of each interpreter of a simulated Mac.

No more than names of the standard library and the errors of some calls; the file system is `folding_server`'s.
"""

from __future__ import annotations

import errno
import os
import resource
import select
import signal
import socket
import sys
import time
import types
from collections.abc import Callable
from typing import Any

_PATH_MAX, _SUN_PATH = 1024, 104
_PATH_ONLY, _SEARCH = os.O_PATH, 1 << 30
_LACKING: dict[types.ModuleType, tuple[str, ...]] = {
    os: (
        *("O_PATH", "O_TMPFILE", "O_DIRECT", "O_NOATIME", "O_LARGEFILE", "O_RSYNC", "P_PIDFD", "pidfd_open"),
        *("memfd_create", "eventfd", "eventfd_read", "eventfd_write", "copy_file_range", "splice", "pipe2"),
        *("listxattr", "getxattr", "setxattr", "removexattr", "posix_fadvise", "posix_fallocate", "fdatasync"),
        *("sched_getaffinity", "sched_setaffinity", "getrandom", "unshare", "setns", "waitid"),
        *("getresuid", "getresgid", "setresuid", "setresgid"),
    ),
    signal: ("sigwaitinfo", "sigtimedwait", "SIGRTMIN", "SIGRTMAX", "SIGPWR", "SIGPOLL"),
    select: ("epoll",),
    resource: ("prlimit",),
    socket: ("SO_PEERCRED", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "AF_NETLINK", "AF_PACKET"),
    time: ("CLOCK_BOOTTIME",),
}
_WITH_A_PATH = (
    *("open", "stat", "lstat", "chmod", "readlink", "listdir", "scandir", "utime", "access", "mkdir", "rmdir"),
    *("unlink", "remove", "rename", "replace", "symlink", "link", "mkfifo", "statvfs", "truncate", "chdir"),
)


def refusing(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a call that takes no path of 1,024 bytes and none behind a descriptor, and unlinks no directory."""

    def refuse(path: Any, *args: Any, **options: Any) -> Any:
        name = os.fsencode(path) if isinstance(path, (str, bytes, os.PathLike)) else b""
        if len(name) >= _PATH_MAX:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), path)
        if name.startswith((b"/proc/", b"/dev/fd/", b"/dev/shm")) or name == b"/proc":
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        if call.__name__ == "open" and args and args[0] & _SEARCH:
            args = (args[0] & ~_SEARCH | _PATH_ONLY, *args[1:])
        try:
            return call(path, *args, **options)
        except IsADirectoryError:
            if call.__name__ not in ("unlink", "remove"):
                raise
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), path) from None

    return refuse


def bind(self: socket.socket, address: Any) -> None:
    """Bind to an address, which is shorter here."""
    if self.family == socket.AF_UNIX and len(os.fsencode(address)) >= _SUN_PATH:
        raise OSError("AF_UNIX path too long")
    super(socket.socket, self).bind(address)


for module, names in _LACKING.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for name in _WITH_A_PATH:
    original = getattr(os, name)
    simulated = refusing(original)
    for supported in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        if original in supported:
            supported.add(simulated)
    setattr(os, name, simulated)
socket.socket.bind = bind  # type: ignore[assignment,method-assign]
_SYSTEM = os.uname_result(("Darwin", os.uname().nodename, "24.6.0", "Darwin Kernel Version 24.6.0", "arm64"))
os.uname = lambda: _SYSTEM
os.O_SEARCH = _SEARCH  # type: ignore[attr-defined]
os.pathconf = lambda path, name: _PATH_MAX
os.lchflags = lambda path, flags: None  # type: ignore[attr-defined]
# The interpreter's own data keep the name of the platform that it was made for.
os.environ["_PYTHON_SYSCONFIGDATA_NAME"] = f"_sysconfigdata_{sys.abiflags}_linux_{sys.implementation._multiarch}"
sys.platform = "darwin"
sys.modules["_scproxy"] = types.ModuleType("_scproxy")
sys.modules["_scproxy"]._get_proxies = dict  # type: ignore[attr-defined]
sys.modules["_scproxy"]._get_proxy_settings = dict  # type: ignore[attr-defined]
