"""The private directory that contains every tree of a run.

A workspace contains a file `owner`, locked by its process. If the lock is free, the run has ended, and the next run of
the same user removes the workspace. Process ids are not sufficient: they are reused, and differ between containers.
"""

import contextlib
import fcntl
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from treeproof.errors import UsageError
from treeproof.tree.builder import CannotBuild
from treeproof.tree.deep_walk import OPEN_DIRECTORY_FLAGS, OPEN_FILE_FLAGS
from treeproof.tree.mounts import is_in_memory
from treeproof.tree.removal import DirectoryIdentity, remove_directory

WORKSPACE_VARIABLE = "TREEPROOF_WORKSPACE"
"""Environment variable with the parent directory of workspaces; default: shared memory or the temporary directory."""

ROOT_NAME = b"root"
"""Basename of every sandbox root, so that ``root2`` beside it shares its prefix."""

_SHARED_MEMORY = Path("/dev/shm")
_MIN_FREE_BYTES = 32 * 1024 * 1024
_PREFIX = "treeproof-"
_NAME = re.compile(re.escape(_PREFIX) + "[a-z0-9_]{8}")
_OWNER = "owner"


@contextlib.contextmanager
def usual_umask() -> Iterator[None]:
    """Give the process the umask 022, and at the end the previous one."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


class Workspace:
    """A private directory (mode 0700) of one run, removed by its context manager. `create` returns one."""

    def __init__(self, base: Path, name: str) -> None:
        self.path = base / name
        self.leftovers: list[str] = []
        """After `remove`: what could not be removed and why, one line each."""
        self._process = os.getpid()
        self._labels: dict[bytes, str] = {}
        self._resources = contextlib.ExitStack()
        self._base = self._close_on_exit(os.open(base, OPEN_DIRECTORY_FLAGS))
        self._directory = self._close_on_exit(os.open(name, OPEN_DIRECTORY_FLAGS, dir_fd=self._base))
        self._identity: DirectoryIdentity | None = DirectoryIdentity.of(os.fstat(self._directory))
        self._lock()

    @classmethod
    def create(cls, base: Path | None = None) -> Self:
        """Create a workspace in `base` (default: `default_base()`), after removing those of ended runs.

        Raises UsageError if it cannot be created.
        """
        base = Path(os.path.realpath(default_base() if base is None else base))
        remove_stale_workspaces(base)
        try:
            return cls(base, Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base)).name)
        except OSError as refusal:
            raise UsageError(
                f"{base}: no workspace can be made here ({refusal.strerror}); "
                f"name a writable directory in {WORKSPACE_VARIABLE}"
            ) from refusal

    def create_fixture(self, label: str = "") -> bytes:
        """Make an empty directory `<n>/root` and return its path. Its parent `<n>`, the outside, is otherwise
        empty.

        `label` names the fixture in messages. Raises CannotBuild if the workspace has been removed.
        """
        outside = b"%d" % (len(self._labels) + 1)
        self._labels[outside] = label
        try:
            os.mkdir(outside, 0o755, dir_fd=self._directory)
            os.mkdir(outside + b"/" + ROOT_NAME, 0o755, dir_fd=self._directory)
        except OSError as refusal:
            raise CannotBuild(f"{self.path}: {refusal.strerror}; has a candidate removed it?") from refusal
        return os.path.join(os.fsencode(self.path), outside, ROOT_NAME)

    def remove_fixture(self, fixture: bytes) -> list[str]:
        """Remove a fixture and its outside now; return what could not be removed, one line each."""
        outside = os.path.basename(os.path.dirname(fixture))
        label = self._labels[outside]
        problems = remove_directory(self._directory, outside)
        return [f"{label}: {problem}" if label else problem for problem in problems]

    def unexpected_names(self) -> list[str]:
        """Return the sorted names that a candidate has created beside the fixtures."""
        try:
            found = set(os.listdir(self._directory))
        except OSError:
            return []
        return sorted(found - {_OWNER} - {name.decode() for name in self._labels})

    @property
    def is_full(self) -> bool:
        """Whether the file system has almost no free bytes or inodes."""
        status = os.fstatvfs(self._directory)
        return (
            status.f_bavail * status.f_frsize < _FULL_BELOW_BYTES
            or status.f_files > 0
            and status.f_favail < _FULL_BELOW_FILES
        )

    def remove(self) -> list[str]:
        """Remove the workspace; return what could not be removed, one line each. A forked child removes nothing."""
        if self._process == os.getpid() and self._identity is not None:
            name = os.fsencode(self.path.name)
            self.leftovers = remove_directory(self._base, name, self._identity)
            self._identity = None
            self._resources.close()
        return self.leftovers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def _close_on_exit(self, descriptor: int) -> int:
        self._resources.callback(os.close, descriptor)
        return descriptor

    def _lock(self) -> None:
        """Lock the owner file before it gets its name, so that it is never seen unlocked during this run."""
        new = _OWNER + ".new"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        lock = self._close_on_exit(os.open(new, flags, 0o600, dir_fd=self._directory))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(lock, b"process %d\n" % self._process)
        os.rename(new, _OWNER, src_dir_fd=self._directory, dst_dir_fd=self._directory)


_FULL_BELOW_BYTES = 1 << 16
_FULL_BELOW_FILES = 16


def default_base() -> Path:
    """Return the parent of workspaces: TREEPROOF_WORKSPACE, else shared memory, else the temporary directory.

    Raises UsageError if TREEPROOF_WORKSPACE is not a directory, or if it is not set and no place is writable.
    """
    named = os.environ.get(WORKSPACE_VARIABLE)
    if named:
        if not os.path.isdir(named):
            raise UsageError(f"{WORKSPACE_VARIABLE}={named}: not a directory; name one that exists")
        return Path(named)
    base = _SHARED_MEMORY if _is_usable(_SHARED_MEMORY) else _temporary_directory()
    if base is None:
        raise UsageError(f"no directory for temporary files can be written to; name one in {WORKSPACE_VARIABLE}")
    return base


def find_disk_base() -> Path | None:
    """Return a writable directory on a file system that is not in memory; None if there is none."""
    candidates = (_temporary_directory(), Path("/var/tmp"), Path(os.path.expanduser("~")), Path())
    return next((path for path in candidates if path and _is_usable(path) and not is_in_memory(path)), None)


def _temporary_directory() -> Path | None:
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError:  # all default directories are read-only or full
        return None


def find_base_on_other_file_system(path: Path) -> Path | None:
    """Return a writable directory on another file system than `path`: a disk or shared memory; None if there is
    none.
    """
    device = os.stat(path).st_dev
    for base in (find_disk_base(), _SHARED_MEMORY):
        if base is not None and base.is_dir() and _is_usable(base) and os.stat(base).st_dev != device:
            return base
    return None


def remove_stale_workspaces(base: Path) -> list[str]:
    """Remove this user's workspaces of ended runs from `base`; return what could not be removed, one line each."""
    problems: list[str] = []
    with contextlib.suppress(OSError), contextlib.ExitStack() as opened:
        directory = os.open(base, OPEN_DIRECTORY_FLAGS)
        opened.callback(os.close, directory)
        for name in filter(_NAME.fullmatch, os.listdir(directory)):
            with _lock_stale_workspace(directory, name) as identity:
                if identity is not None:
                    problems += remove_directory(directory, os.fsencode(name), identity)
    return problems


@contextlib.contextmanager
def _lock_stale_workspace(base: int, name: str) -> Iterator[DirectoryIdentity | None]:
    """Lock a workspace of an ended run and yield its identity; None if it must not be removed."""
    with contextlib.ExitStack() as opened:
        try:
            directory = os.open(name, OPEN_DIRECTORY_FLAGS, dir_fd=base)
            opened.callback(os.close, directory)
            owner = os.open(_OWNER, OPEN_FILE_FLAGS, dir_fd=directory)
            opened.callback(os.close, owner)
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield None
            return
        found = os.fstat(directory)
        private = found.st_uid == os.fstat(owner).st_uid == os.geteuid() and not found.st_mode & 0o077
        yield DirectoryIdentity.of(found) if private and stat.S_ISREG(os.fstat(owner).st_mode) else None


def _is_usable(path: Path) -> bool:
    try:
        status = os.statvfs(path)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK) and status.f_bavail * status.f_frsize >= _MIN_FREE_BYTES
