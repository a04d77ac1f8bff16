"""Atomic renames: never over an existing name, or as an exchange of two names. All functions raise OSError."""

import ctypes
import errno
import os
import stat
from typing import Any

NOREPLACE, EXCHANGE = 1, 2

# Errors of a kernel or file system that does not support the flags.
UNSUPPORTED_ERRNOS = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP})


def _load_renameat2() -> Any:
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):  # another system, or an older C library
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return function


_RENAMEAT2 = _load_renameat2()


def renameat2(old_dir_fd: int, old: bytes, new_dir_fd: int, new: bytes, flags: int) -> None:
    """Rename with flags. Raises OSError; ENOSYS without the system call."""
    if _RENAMEAT2 is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if _RENAMEAT2(old_dir_fd, old, new_dir_fd, new, flags) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def rename_exclusively(old_dir_fd: int, old: bytes, new_dir_fd: int, new: bytes) -> None:
    """Give the entry an unused name. Raises FileExistsError if the name exists, even if it was just created."""
    try:
        renameat2(old_dir_fd, old, new_dir_fd, new, NOREPLACE)
    except OSError as error:
        if error.errno not in UNSUPPORTED_ERRNOS:
            raise
        if stat.S_ISDIR(os.lstat(old, dir_fd=old_dir_fd).st_mode):
            rename_directory_exclusively(old_dir_fd, old, new_dir_fd, new)
        else:
            link_then_unlink(old_dir_fd, old, new_dir_fd, new)


def link_then_unlink(old_dir_fd: int, old: bytes, new_dir_fd: int, new: bytes) -> None:
    """Create the second name, which never replaces an entry, then delete the first. Raises OSError."""
    os.link(old, new, src_dir_fd=old_dir_fd, dst_dir_fd=new_dir_fd, follow_symlinks=False)
    try:
        os.unlink(old, dir_fd=old_dir_fd)
    except OSError:
        os.unlink(new, dir_fd=new_dir_fd)
        raise


def rename_directory_exclusively(old_dir_fd: int, old: bytes, new_dir_fd: int, new: bytes) -> None:
    """Rename a directory, which cannot have two names: check first; the kernel replaces empty directories only."""
    try:
        os.lstat(new, dir_fd=new_dir_fd)
    except FileNotFoundError:
        os.rename(old, new, src_dir_fd=old_dir_fd, dst_dir_fd=new_dir_fd)
    else:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))


def exchange_names(dir_fd: int, one: bytes, other: bytes) -> None:
    """Exchange two names in one directory; both exist at every moment. Raises OSError."""
    renameat2(dir_fd, one, dir_fd, other, EXCHANGE)
