"""Builds a tree on a real file system, exactly or not at all.

Every path is relative to the descriptor of a nearby parent directory, so neither PATH_MAX nor the depth of a tree is
a limit. Each entry is checked after its creation: if the file system has changed a time, a size or permissions, it
cannot build the tree. Of equal empty files of one directory, the first is checked.
"""

import os
import random
import secrets
import socket
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal

from treeproof.systems import is_linux
from treeproof.tree.deep_walk import MAX_RELATIVE_PATH, OPEN_DIRECTORY_FLAGS, open_without_links, set_mode
from treeproof.tree.name_notation import format_path
from treeproof.tree.recipe import DEFAULT_MTIME_NS, Kind, Node, Tree

_NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_BIND = "import os, socket, sys; os.fchdir(int(sys.argv[1])); socket.socket(socket.AF_UNIX).bind(sys.argv[2])"
_MAX_SOCKET_ADDRESS = 100  # a socket's path: 104 (BSD) or 108 (Linux) bytes with its NUL
_NULL_DEVICE = (1, 3)
_NO_DEVICE = (0, 0)  # a number that no driver has: nothing can be read from it


class CannotBuild(Exception):
    """The host refuses a tree, its faults, or a watch of it; requirements that need it cannot be verified here.

    `cause` is one line that names the entry and the refusal.
    """

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.reason = cause


@dataclass(frozen=True, slots=True)
class CreationOrder:
    """The order in which the entries of each directory are made; many file systems list them in this order."""

    kind: Literal["listed", "reversed", "shuffled"] = "listed"
    seed: int = 0


LISTED = CreationOrder("listed")
REVERSED = CreationOrder("reversed")


def shuffled(seed: int) -> CreationOrder:
    """Return a random order, determined by the seed."""
    return CreationOrder("shuffled", seed)


def build_tree(
    tree: Tree,
    directory: bytes,
    *,
    order: CreationOrder = LISTED,
    substitutions: Mapping[bytes, bytes] | None = None,
    add_to_existing: bool = False,
) -> None:
    """Create the entries of `tree` in `directory`, which is created if it is missing; no part of it may be a link.

    Contents come first, then permissions, and times last, deepest first; `directory` itself gets the default time.
    Directories have mode 0755 and everything else 0644, independent of the umask, unless the tree sets another.
    Each key of `substitutions` is replaced by its value in link targets. Faults are not injected here. With
    `add_to_existing` an existing directory gets more entries, and keeps its permissions and time. Raises
    CannotBuild, and leaves the entries that exist by then.
    """
    with ExitStack() as opened:
        builder = _TreeBuilder(order, substitutions or {}, opened, add_to_existing)
        try:
            builder.build(tree, builder.keep_open(open_without_links(directory, make=True)))
        except (OSError, OverflowError) as refusal:
            reason = refusal.strerror if isinstance(refusal, OSError) else str(refusal)
            raise CannotBuild(f"{_format_path(builder.current_path or directory)}: {reason}") from refusal


class _TreeBuilder:
    """Builds one tree. `current_path` is the path in progress, for messages."""

    def __init__(
        self,
        order: CreationOrder,
        substitutions: Mapping[bytes, bytes],
        opened: ExitStack,
        add_to_existing: bool,
    ) -> None:
        self.order = order
        self.random = random.Random(order.seed)
        self.substitutions = substitutions
        self.open_directories = opened
        self.add_to_existing = add_to_existing
        self.current_path = b""
        self._kept_as_made: set[tuple[int, bytes, int, int]] = set()
        """Directory, mode and time of empty files that the file system has kept as they were made."""

    def build(self, tree: Tree, top: int) -> None:
        directories: list[tuple[int, bytes, Node]] = []
        hard_links: list[tuple[int, bytes, bytes]] = []
        pending = [(top, node.name, node) for node in self.reversed_creation_order(tree.entries)]
        while pending:
            dir_fd, path, node = pending.pop()
            self.current_path = path
            if node.kind is Kind.DIR:
                directories.append((dir_fd, path, self.make_directory(dir_fd, path, node)))
                if node.children:
                    inner, prefix = dir_fd, path + b"/"
                    if len(path) > MAX_RELATIVE_PATH:
                        inner, prefix = self.keep_open(os.open(path, OPEN_DIRECTORY_FLAGS, dir_fd=dir_fd)), b""
                    pending += [(inner, prefix + n.name, n) for n in self.reversed_creation_order(node.children)]
            elif node.kind is Kind.FILE and node.hardlink is not None:
                hard_links.append((dir_fd, path, node.hardlink))
            elif node.kind is Kind.FILE:
                self.make_file(dir_fd, path, node)
            else:
                self.make_special(dir_fd, path, node)
        for dir_fd, path, first_name in hard_links:
            self.current_path = path
            os.link(first_name, path, src_dir_fd=top, dst_dir_fd=dir_fd, follow_symlinks=False)
        # A new entry changes the time of its directory: all directories get their times last, deepest first.
        for dir_fd, path, node in reversed(directories):
            self.current_path = path
            _verify_names(dir_fd, path, node.children)
            _set_metadata(dir_fd, path, node)
        _verify_names(top, b".", tree.entries)
        self.current_path = b""
        os.utime(top, ns=(DEFAULT_MTIME_NS, DEFAULT_MTIME_NS))

    def make_directory(self, dir_fd: int, path: bytes, node: Node) -> Node:
        """Make a directory, or accept an existing one; the result has the actual permissions and time of the latter."""
        try:
            os.mkdir(path, 0o755, dir_fd=dir_fd)
            return node
        except FileExistsError:
            existing = os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
            if not self.add_to_existing or not stat.S_ISDIR(existing.st_mode):
                raise
        mode = stat.S_IMODE(existing.st_mode) if node.mode is None else node.mode
        time = existing.st_mtime_ns if node.mtime_ns is None else node.mtime_ns
        return node.with_metadata(mode, time)

    def make_file(self, dir_fd: int, path: bytes, node: Node) -> None:
        mode = 0o644 if node.mode is None else node.mode
        time = DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns
        alike = (dir_fd, path.rpartition(b"/")[0], mode, time)
        if node.size == 0 and alike in self._kept_as_made:
            os.mknod(path, stat.S_IFREG | mode, dir_fd=dir_fd)
            os.utime(path, ns=(time, time), dir_fd=dir_fd, follow_symlinks=False)
        elif _make_file(dir_fd, path, node, mode, time) and is_linux():  # mknod needs root elsewhere
            self._kept_as_made.add(alike)

    def keep_open(self, descriptor: int) -> int:
        self.open_directories.callback(os.close, descriptor)
        return descriptor

    def reversed_creation_order(self, siblings: Sequence[Node]) -> Sequence[Node]:
        """Return the siblings in reverse order of creation."""
        match self.order.kind:
            case "listed":
                return siblings[::-1]
            case "reversed":
                return siblings
            case "shuffled":
                return self.random.sample(siblings, len(siblings))

    def make_special(self, dir_fd: int, path: bytes, node: Node) -> None:
        match node.kind:
            case Kind.SYMLINK:
                os.symlink(node.target_with(self.substitutions), path, dir_fd=dir_fd)
            case Kind.FIFO:
                os.mkfifo(path, 0o644, dir_fd=dir_fd)
            case Kind.CHARDEV:
                os.mknod(path, 0o644 | stat.S_IFCHR, os.makedev(*_NULL_DEVICE), dir_fd=dir_fd)
            case Kind.BLOCKDEV:
                os.mknod(path, 0o644 | stat.S_IFBLK, os.makedev(*_NO_DEVICE), dir_fd=dir_fd)
            case Kind.SOCKET:
                _make_socket(dir_fd, path)
            case Kind.FILE | Kind.DIR:
                raise AssertionError("files and directories are made elsewhere")
        _set_metadata(dir_fd, path, node)


def _make_file(dir_fd: int, path: bytes, node: Node, mode: int, time: int) -> bool:
    """Make and check a file; return whether the file system made it with its permissions. Raises CannotBuild."""
    descriptor = os.open(path, _NEW_FILE_FLAGS, mode, dir_fd=dir_fd)
    try:
        if node.content is not None:
            with os.fdopen(descriptor, "wb", closefd=False) as file:
                file.write(node.content)
        elif node.size:
            os.ftruncate(descriptor, node.size)
        os.utime(descriptor, ns=(time, time))
        status = os.fstat(descriptor)
        is_masked = stat.S_IMODE(status.st_mode) != mode  # by the umask
        if is_masked:
            os.fchmod(descriptor, mode)
            status = os.fstat(descriptor)
        _verify_metadata(path, status, node.size, mode, time)
        return not is_masked
    finally:
        os.close(descriptor)


def _make_socket(dir_fd: int, path: bytes) -> None:
    """Bind below a descriptor and rename, because a socket's address is limited to fewer bytes than a name."""
    parent, _, name = path.rpartition(b"/")
    directory = os.open(parent or b".", OPEN_DIRECTORY_FLAGS, dir_fd=dir_fd)
    try:
        address = b"/proc/self/fd/%d/%s" % (directory, name)
        if len(address) > _MAX_SOCKET_ADDRESS:
            name = secrets.token_hex(16).encode()
            address = b"/proc/self/fd/%d/%s" % (directory, name)
        if is_linux():
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(address)
        else:  # no directory has an address there but the working directory, which is that of all threads
            command: list[str | bytes] = [sys.executable, "-I", "-S", "-c", _BIND, str(directory), name]
            ended = subprocess.run(command, pass_fds=[directory], stdin=subprocess.DEVNULL, capture_output=True)
            if ended.returncode:
                raise CannotBuild(f"a socket cannot be made here: {ended.stderr.decode(errors='replace')[-200:]}")
        os.rename(name, path, src_dir_fd=directory, dst_dir_fd=dir_fd)
    finally:
        os.close(directory)


def _set_metadata(dir_fd: int, path: bytes, node: Node) -> None:
    """Set and check permissions and time of an entry that is not a file."""
    time = DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns
    os.utime(path, ns=(time, time), dir_fd=dir_fd, follow_symlinks=False)
    status = os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
    if node.kind is Kind.SYMLINK:
        _verify_metadata(path, status, None, None, time)
        return
    mode = (0o755 if node.kind is Kind.DIR else 0o644) if node.mode is None else node.mode
    if stat.S_IMODE(status.st_mode) != mode:
        set_mode(dir_fd, path, mode)
        status = os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
    _verify_metadata(path, status, None, mode, time)


def _verify_metadata(path: bytes, status: os.stat_result, size: int | None, mode: int | None, time: int) -> None:
    if status.st_mtime_ns != time:
        raise CannotBuild(f"{_format_path(path)}: the file system keeps the time {time} ns as {status.st_mtime_ns} ns")
    if size is not None and status.st_size != size:
        raise CannotBuild(f"{_format_path(path)}: the file system keeps {size} bytes as {status.st_size}")
    if mode is not None and stat.S_IMODE(status.st_mode) != mode:
        kept = stat.S_IMODE(status.st_mode)
        raise CannotBuild(f"{_format_path(path)}: the file system keeps the mode {mode:04o} as {kept:04o}")


def _verify_names(dir_fd: int, path: bytes, children: Sequence[Node]) -> None:
    """Check that the file system does not normalise names. ASCII names need no check."""
    if all(node.name.isascii() for node in children):
        return
    directory = os.open(path, OPEN_DIRECTORY_FLAGS, dir_fd=dir_fd)
    try:
        listed = {os.fsencode(name) for name in os.listdir(directory)}
    finally:
        os.close(directory)
    missing = next((node.name for node in children if node.name not in listed), None)
    if missing is not None:
        raise CannotBuild(f"{_format_path(missing)}: the file system lists this name in another spelling")


def _format_path(path: bytes) -> str:
    return format_path(path) if len(path) < 200 else "…" + format_path(path[-200:])
