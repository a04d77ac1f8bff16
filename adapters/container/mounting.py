"""Mounts a directory, or a new file system with a copy of it, in a container whose program has not started yet.

A program of its own, because it enters the namespaces of the container: ``PID bind|copy SOURCE PLACE SIZE``. Other
containers of the candidate may run and change its trees, so no link is followed anywhere.
"""

import ctypes
import errno
import os
import stat
import sys
from collections.abc import Sequence

_CLONE_NEWNS = 0x00020000
_OPEN_TREE, _MOVE_MOUNT, _FSOPEN, _FSCONFIG, _FSMOUNT, _OPENAT2 = 428, 429, 430, 431, 432, 437
_AT_EMPTY_PATH, _OPEN_TREE_CLONE = 0x1000, 1
_MOVE_EMPTY_PATHS = 0x4 | 0x40
_SET_STRING, _CREATE = 1, 6
_RESOLVE_NO_SYMLINKS, _RESOLVE_NO_MAGICLINKS = 0x04, 0x02
_CHUNK = 1 << 16

_libc = ctypes.CDLL(None, use_errno=True)


def main(arguments: Sequence[str]) -> None:
    process, kind, source, place, size = arguments
    namespaces = f"/proc/{process}/ns"
    inside = os.open(f"{namespaces}/mnt", os.O_RDONLY | os.O_CLOEXEC)
    if os.stat(f"{namespaces}/user").st_ino != os.stat("/proc/self/ns/user").st_ino:
        users = os.open(f"{namespaces}/user", os.O_RDONLY | os.O_CLOEXEC)
        _check(_libc.setns(users, 0), "enter the user namespace")
    _check(_libc.setns(inside, _CLONE_NEWNS), "enter the mount namespace")
    if kind == "bind":
        flags = _OPEN_TREE_CLONE | _AT_EMPTY_PATH | os.O_CLOEXEC
        mounted = _call("open_tree", _OPEN_TREE, _open(source, os.O_PATH), b"", flags)
    else:
        mounted = _new_file_system(size)
        _copy(_open(source, os.O_RDONLY), _open_in(mounted))
    flags = _MOVE_EMPTY_PATHS
    _call("mount", _MOVE_MOUNT, mounted, b"", _open(place, os.O_PATH), b"", flags)


def _new_file_system(size: str) -> int:
    context = _call("fsopen", _FSOPEN, b"tmpfs", 1)
    for name, value in (("mode", "755"), *((("size", size),) if size else ())):
        _call("fsconfig", _FSCONFIG, context, _SET_STRING, name.encode(), value.encode(), 0)
    _call("fsconfig", _FSCONFIG, context, _CREATE, None, None, 0)
    return _call("fsmount", _FSMOUNT, context, 1, 0)


def _open(path: str, flags: int) -> int:
    """Open a directory by a path without links."""
    how = (ctypes.c_uint64 * 3)(flags | os.O_DIRECTORY | os.O_CLOEXEC, 0, _RESOLVE_NO_SYMLINKS | _RESOLVE_NO_MAGICLINKS)
    return _call("open", _OPENAT2, -100, os.fsencode(path), ctypes.byref(how), ctypes.sizeof(how))


def _open_in(directory: int, name: str = ".") -> int:
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=directory)


def _copy(source: int, target: int) -> None:
    """Copy what is in a directory, and its mode and times. Both descriptors are closed."""
    for name in os.listdir(source):
        found = os.stat(name, dir_fd=source, follow_symlinks=False)
        if stat.S_ISDIR(found.st_mode):
            os.mkdir(name, 0o700, dir_fd=target)
            _copy(_open_in(source, name), _open_in(target, name))
        elif stat.S_ISLNK(found.st_mode):
            os.symlink(os.readlink(name, dir_fd=source), name, dir_fd=target)
            os.utime(name, ns=(found.st_atime_ns, found.st_mtime_ns), dir_fd=target, follow_symlinks=False)
        elif stat.S_ISREG(found.st_mode):
            _copy_file(source, target, name)
        else:
            os.mknod(name, found.st_mode, found.st_rdev, dir_fd=target)
    _copy_facts(source, target)


def _copy_file(source: int, target: int, name: str) -> None:
    read = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=source)
    written = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=target)
    while data := os.read(read, _CHUNK):
        os.write(written, data)
    _copy_facts(read, written)


def _copy_facts(source: int, target: int) -> None:
    facts = os.fstat(source)
    os.fchmod(target, stat.S_IMODE(facts.st_mode))
    os.utime(target, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    os.close(source)
    os.close(target)


def _call(what: str, number: int, *arguments: object) -> int:
    return _check(_libc.syscall(number, *arguments), what)


def _check(result: int, what: str) -> int:
    if result < 0:
        problem = ctypes.get_errno()
        raise OSError(problem, f"{what}: {os.strerror(problem)} ({errno.errorcode.get(problem, problem)})")
    return result


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except OSError as problem:
        sys.exit(str(problem.strerror or problem))
