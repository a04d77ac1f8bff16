"""The private directory that contains every tree of a run.

Its process locks the directory itself. If the lock is free, the run has ended, and the next run of the same user
removes the workspace. Process ids are not sufficient: they are reused, and differ between containers. There is no file
whose absence would keep a workspace for ever. Names are random, so a candidate cannot take a place before it is used.
"""

import contextlib
import errno
import fcntl
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from treeproof.errors import UsageError
from treeproof.systems import path_of
from treeproof.tree.builder import CannotBuild
from treeproof.tree.deep_walk import (
    OPEN_DIRECTORY_FLAGS,
    open_directory,
    open_without_links,
    remove_directory,
)

WORKSPACE_VARIABLE = "TREEPROOF_WORKSPACE"
"""Environment variable with the parent directory of workspaces; default: shared memory or the temporary directory."""

ROOT_NAME = b"root"
"""Basename of every sandbox root, so that ``root2`` beside it shares its prefix."""

_SHARED_MEMORY = Path("/dev/shm")
_MIN_FREE_BYTES = 32 * 1024 * 1024
_PREFIX = "treeproof-"
_NAME = re.compile(re.escape(_PREFIX) + "[0-9a-f]{12}")
_FIXTURE_NAME = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])")
_FIXTURE_NAME_BYTES = 8
_SANDBOX = re.compile(rb"/(?s:.*)/%s/[0-9a-f]{16}/%s(?=/|$)" % (_NAME.pattern.encode(), ROOT_NAME))
_MAX_ATTEMPTS = 20


LOST_FIXTURE = "it removed or replaced a directory that treeproof had made for a tree"


class WorkspaceLost(CannotBuild):
    """Something has removed, renamed, replaced or closed the workspace, or a sandbox in it: only a candidate does."""


def check_sandbox_of(path: bytes) -> None:
    """Raise WorkspaceLost for a path in a sandbox whose directories are no longer there, or are links.

    Nothing may be done there: it would be done where the links lead.
    """
    sandbox = _SANDBOX.match(path)
    if sandbox is None:
        return
    try:
        os.close(open_without_links(sandbox[0]))
    except PermissionError:  # it is there
        pass
    except OSError:
        raise WorkspaceLost(LOST_FIXTURE) from None


def is_workspace(path: str) -> bool:
    """Return whether a path has the name of a workspace."""
    return _NAME.fullmatch(os.path.basename(path)) is not None


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

    def __init__(self, base: Path) -> None:
        """Make a workspace in `base`. Raises OSError."""
        self.leftovers: list[str] = []
        """After `remove`: what could not be removed and why, one line each."""
        self._process = os.getpid()
        self._sandboxes: dict[bytes, tuple[str, os.stat_result]] = {}
        """By the name of its parent directory: the label of a sandbox, and the status of that directory."""
        self._resources = contextlib.ExitStack()
        self._base = self._close_on_exit(os.open(base, OPEN_DIRECTORY_FLAGS))
        try:
            name, self._directory = _make_locked_directory(self._base)
        except BaseException:
            self._resources.close()
            raise
        self._close_on_exit(self._directory)
        self.path = base / name
        self._made = os.fstat(self._directory)
        self._is_removed = False

    @classmethod
    def create(cls, base: Path | None = None) -> Self:
        """Create a workspace in `base` (default: `default_base()`), after removing those of ended runs.

        Raises UsageError if it cannot be created.
        """
        base = Path(os.path.realpath(default_base() if base is None else base))
        remove_stale_workspaces(base)
        try:
            return cls(base)
        except OSError as refusal:
            raise UsageError(
                f"{base}: no workspace can be made here ({refusal.strerror}); "
                f"name a writable directory in {WORKSPACE_VARIABLE}"
            ) from refusal

    def create_sandbox(self, label: str = "") -> bytes:
        """Make an empty directory `<random name>/root` and return its path. Its parent, the outside, is otherwise
        empty.

        `label` names the sandbox in messages. Raises CannotBuild, and WorkspaceLost if it is not in its place any more.
        """
        outside = secrets.token_hex(_FIXTURE_NAME_BYTES).encode()
        self._make_sandbox(outside, label)
        return os.path.join(os.fsencode(self.path), outside, ROOT_NAME)

    def remake_sandbox(self, sandbox: bytes) -> None:
        """Remove a sandbox, or whatever is in its place, and make it again, empty. Raises as `create_sandbox` does."""
        outside = os.path.basename(os.path.dirname(sandbox))
        self.remove_sandbox(sandbox)
        with contextlib.suppress(OSError):  # a file or a link
            os.unlink(outside, dir_fd=self._directory)
        self._make_sandbox(outside, self._sandboxes[outside][0])

    def _make_sandbox(self, outside: bytes, label: str) -> None:
        self.check_in_place()
        try:
            os.mkdir(outside, 0o755, dir_fd=self._directory)
            with open_directory(self._directory, outside) as made:
                self._sandboxes[outside] = label, os.fstat(made)
                os.mkdir(ROOT_NAME, 0o755, dir_fd=made)
        except OSError as refusal:
            self.check_in_place()
            raise CannotBuild(f"no directory can be made in the workspace: {refusal.strerror}") from refusal

    def check_in_place(self, sandbox: bytes | None = None) -> None:
        """Raise WorkspaceLost if the workspace, or a `sandbox` in it, is no longer the private directory made here."""
        try:
            found = os.lstat(self.path)
        except OSError:
            raise WorkspaceLost("it removed or renamed the workspace of the run") from None
        if not os.path.samestat(found, self._made):
            raise WorkspaceLost("it replaced the workspace of the run")
        if stat.S_IMODE(found.st_mode) != _PRIVATE_MODE:
            raise WorkspaceLost("it changed the permissions of the workspace of the run")
        facts = self._sandboxes.get(os.path.basename(os.path.dirname(sandbox))) if sandbox is not None else None
        if sandbox is None or facts is None:
            return
        with contextlib.suppress(OSError):
            outside = os.lstat(os.path.dirname(sandbox))
            if os.path.samestat(outside, facts[1]) and stat.S_ISDIR(os.lstat(sandbox).st_mode):
                return
        raise WorkspaceLost(LOST_FIXTURE)

    def without_paths(self, text: str) -> str:
        """Return `text` with ``$WORKSPACE`` for the paths of the workspace and its sandboxes, so that texts agree."""
        path = str(self.path)
        if path not in text:
            return text
        return re.sub(re.escape(path) + f"(?:/{_FIXTURE_NAME.pattern})?", "$WORKSPACE", text)

    def remove_sandbox(self, sandbox: bytes) -> list[str]:
        """Remove a sandbox and its outside now; return what could not be removed, one line each."""
        outside = os.path.basename(os.path.dirname(sandbox))
        return [self._without_names(problem) for problem in remove_directory(self._directory, outside)]

    def unexpected_names(self) -> list[str]:
        """Return the sorted names that a candidate has created beside the sandboxes."""
        try:
            found = set(os.listdir(self._directory))
        except OSError:
            return []
        return sorted(map(self._without_names, found - {name.decode() for name in self._sandboxes}))

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
        if self._process == os.getpid() and not self._is_removed:
            self._is_removed = True
            name = os.fsencode(self.path.name)
            problems = remove_directory(self._base, name, self._made) + self._remove_moved()
            self.leftovers = [self._without_names(problem) for problem in problems]
            self._resources.close()
        return self.leftovers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()

    def _close_on_exit(self, descriptor: int) -> int:
        self._resources.callback(os.close, descriptor)
        return descriptor

    def _remove_moved(self) -> list[str]:
        """Remove the workspace where a candidate has moved it: in the same directory, or where the system shows it."""
        with contextlib.suppress(OSError), os.scandir(self._base) as entries:
            for entry in entries:
                if entry.inode() == self._made.st_ino and entry.is_dir(follow_symlinks=False):
                    return remove_directory(self._base, os.fsencode(entry.name), self._made)
        with contextlib.suppress(OSError):
            parent, name = os.path.split(path_of(self._directory))
            directory = os.open(parent, OPEN_DIRECTORY_FLAGS)
            try:
                return remove_directory(directory, name, self._made)
            finally:
                os.close(directory)
        return []

    def _without_names(self, text: str) -> str:
        """Return `text` with labels for the random names of this run."""

        def label(found: re.Match[str]) -> str:
            facts = self._sandboxes.get(found[0].encode())
            return found[0] if facts is None else facts[0] or "sandbox"

        return _FIXTURE_NAME.sub(label, text.replace(self.path.name, "workspace"))


def _make_locked_directory(base: int) -> tuple[str, int]:
    """Make a private directory, lock it, and return its name and descriptor. Raises OSError.

    Another run may take the directory for a remainder before it is locked, and remove it; then another one is made.
    Where directories cannot be locked (NFS), the directory of a killed run stays.
    """
    for _ in range(_MAX_ATTEMPTS):
        name = _PREFIX + secrets.token_hex(6)
        os.mkdir(name, _PRIVATE_MODE, dir_fd=base)
        with contextlib.ExitStack() as opened, contextlib.suppress(FileNotFoundError, BlockingIOError):
            directory = os.open(name, OPEN_DIRECTORY_FLAGS, dir_fd=base)
            opened.callback(os.close, directory)
            try:
                fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise
            except OSError:
                pass
            os.fchmod(directory, _PRIVATE_MODE)  # whatever the umask is
            if os.path.samestat(os.stat(name, dir_fd=base, follow_symlinks=False), os.fstat(directory)):
                opened.pop_all()
                return name, directory
    raise OSError(errno.EBUSY, "other runs remove it at once")


_PRIVATE_MODE = 0o700
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
            with _lock_stale_workspace(directory, name) as made:
                if made is not None:
                    problems += remove_directory(directory, os.fsencode(name), made)
    return problems


@contextlib.contextmanager
def _lock_stale_workspace(base: int, name: str) -> Iterator[os.stat_result | None]:
    """Lock a workspace of an ended run and yield its status; None if it must not be removed."""
    with contextlib.ExitStack() as opened:
        try:
            directory = opened.enter_context(open_directory(base, os.fsencode(name)))
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield None
            return
        found = os.fstat(directory)
        private = found.st_uid == os.geteuid() and not found.st_mode & 0o077
        yield found if private else None


def _is_usable(path: Path) -> bool:
    try:
        status = os.statvfs(path)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK) and status.f_bavail * status.f_frsize >= _MIN_FREE_BYTES


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
