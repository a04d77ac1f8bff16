"""A file system in memory that takes names for the same if they differ in case or in Unicode normalisation only.

It keeps each name as it was first written, as APFS does, and refuses names that are not UTF-8. A program of its own,
because a process that waits for its own file system waits for ever: ``python folding_server.py DIRECTORY`` mounts it
there (Linux, FUSE protocol 7.31), writes one line that says ``mounted`` or why not, and serves until stdin ends,
however its parent ends. Standard library only.
"""

from __future__ import annotations

import array
import ctypes
import errno
import os
import select
import shutil
import socket
import stat
import struct
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

_HEADER, _ANSWER = struct.Struct("<2I2Q4I"), struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<3Q3q10I")
_SET_ATTRIBUTES = struct.Struct("<2I3Q3q3I4I")
_MAX_WRITE_BYTES = 1 << 17
_MAX_REQUEST_BYTES = _MAX_WRITE_BYTES + (1 << 13)
_MAX_FILE_BYTES = 1 << 26
_MAX_NAME_CHARACTERS = 255
_BLOCK_BYTES = 4096
_ROOT = 1
_SET_MODE, _SET_UID, _SET_GID, _SET_SIZE, _SET_ATIME, _SET_MTIME = (1 << number for number in range(6))
_SET_ATIME_NOW, _SET_MTIME_NOW = 1 << 7, 1 << 8
_RENAME_NOREPLACE, _RENAME_EXCHANGE = 1, 2
_OPEN_DIRECT_IO = 1  # two spellings of a name are two inodes for the kernel, which must not cache their contents
_MS_NOSUID, _MS_NODEV, _MNT_DETACH = 2, 4, 2


def fold(name: bytes) -> str:
    """Return what names of the same entry have in common. Raises OSError: the name is not UTF-8, or too long."""
    try:
        text = name.decode()
    except UnicodeDecodeError:
        raise _error(errno.EILSEQ) from None
    if len(text) > _MAX_NAME_CHARACTERS:
        raise _error(errno.ENAMETOOLONG)
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@dataclass(eq=False)
class _Node:
    number: int
    mode: int
    uid: int
    gid: int
    links: int = 1
    device: int = 0
    data: bytearray = field(default_factory=bytearray)
    """The content of a file up to the zeros at its end, or the target of a link."""
    size: int = 0
    children: dict[str, tuple[bytes, _Node]] = field(default_factory=dict)
    """Of a directory, by the folded name: the name as it is stored, and the entry."""
    times: list[int] = field(default_factory=lambda: [time.time_ns()] * 3)
    """Of the last access, the last change of the content, and the last change: nanoseconds."""

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.mode)

    def attributes(self) -> bytes:
        seconds, parts = zip(*(divmod(each, 10**9) for each in self.times), strict=True)
        blocks = -(-len(self.data) // 512)
        facts = self.mode, self.links, self.uid, self.gid, self.device, _BLOCK_BYTES, 0
        return _ATTRIBUTES.pack(self.number, self.size, blocks, *seconds, *parts, *facts)

    def touch(self, *, content: bool = True) -> None:
        now = time.time_ns()
        self.times[1:] = [now if content else self.times[1], now]


class FoldingFileSystem:
    """Answers requests of the kernel. One inode of the kernel is one spelling of the name of a node."""

    def __init__(self, uid: int, gid: int) -> None:
        """Make an empty root directory that `uid` and `gid` own."""
        self._count = _ROOT
        root = _Node(_ROOT, stat.S_IFDIR | 0o755, uid, gid, links=2)
        self._inodes: dict[int, _Node] = {_ROOT: root}
        self._aliases: dict[tuple[int, bytes], int] = {}
        self._listings: dict[int, list[tuple[bytes, _Node]]] = {}
        self._caller = uid, gid
        self._operations: dict[int, Callable[[_Node, bytes], bytes]] = {
            1: self._lookup,
            3: lambda node, body: self._attributes(node),
            4: self._set_attributes,
            5: lambda node, body: bytes(node.data),
            6: self._symlink,
            8: self._mknod,
            9: self._mkdir,
            10: self._unlink,
            11: self._rmdir,
            12: self._rename,
            13: self._link,
            14: lambda node, body: struct.pack("<Q2I", 0, _OPEN_DIRECT_IO, 0),
            15: self._read,
            16: self._write,
            17: lambda node, body: struct.pack(
                "<5Q10I", 1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19, 4096, 255, 4096, *[0] * 7
            ),
            18: lambda node, body: b"",
            20: lambda node, body: b"",
            25: lambda node, body: b"",
            26: self._start,
            27: self._open_directory,
            28: self._read_directory,
            29: self._close_directory,
            30: lambda node, body: b"",
            35: self._create,
            45: self._rename_with_flags,
        }

    def answer(self, request: bytes) -> bytes | None:
        """Return the answer to one request; None for a request that has none."""
        _, operation, unique, inode, uid, gid, _, _ = _HEADER.unpack_from(request)
        if operation in (2, 36, 42):  # FORGET, INTERRUPT: the nodes of one scenario are few, and all stay
            return None
        self._caller = uid, gid
        try:
            handle = self._operations.get(operation)
            if handle is None:
                raise _error(errno.ENOSYS)
            body = handle(self._inodes[inode] if inode else self._inodes[_ROOT], request[_HEADER.size :])
        except OSError as refusal:
            return _ANSWER.pack(_ANSWER.size, -(refusal.errno or errno.EIO), unique)
        return _ANSWER.pack(_ANSWER.size + len(body), 0, unique) + body

    def _start(self, node: _Node, body: bytes) -> bytes:
        return struct.pack("<4I2H2I2H", 7, 31, 0, 1 << 5, 12, 9, _MAX_WRITE_BYTES, 1, 32, 0) + bytes(32)

    def _new(self, mode: int) -> _Node:
        self._count += 1
        node = _Node(self._count, mode, *self._caller, links=2 if stat.S_ISDIR(mode) else 1)
        self._inodes[node.number] = node
        return node

    def _entry(self, node: _Node, asked: bytes, stored: bytes) -> bytes:
        inode = node.number
        if asked != stored:
            inode = self._aliases.get((node.number, asked), 0)
            if not inode:
                self._count += 1
                inode = self._aliases[node.number, asked] = self._count
                self._inodes[inode] = node
        return struct.pack("<4Q2I", inode, 0, 0, 0, 0, 0) + node.attributes()

    def _attributes(self, node: _Node) -> bytes:
        return struct.pack("<Q2I", 0, 0, 0) + node.attributes()

    def _lookup(self, node: _Node, body: bytes) -> bytes:
        name = body[:-1]
        stored, child = self._child(node, name)
        return self._entry(child, name, stored)

    def _child(self, directory: _Node, name: bytes) -> tuple[bytes, _Node]:
        try:
            return directory.children[fold(name)]
        except KeyError:
            raise _error(errno.ENOENT) from None

    def _add(self, directory: _Node, name: bytes, node: _Node) -> bytes:
        key = fold(name)
        if key in directory.children:
            raise _error(errno.EEXIST)
        directory.children[key] = name, node
        directory.links += node.is_directory
        directory.touch()
        return self._entry(node, name, name)

    def _remove(self, directory: _Node, name: bytes) -> None:
        _, node = directory.children.pop(fold(name))
        directory.links -= node.is_directory
        node.links -= 2 if node.is_directory else 1
        node.touch(content=False)
        directory.touch()

    def _set_attributes(self, node: _Node, body: bytes) -> bytes:
        valid, _, _, size, _, atime, mtime, _, apart, mpart, _, mode, _, uid, gid = _SET_ATTRIBUTES.unpack_from(body)
        if valid & _SET_SIZE:
            del node.data[size:]
            node.size = size
            node.touch()
        if valid & _SET_MODE:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        node.uid = uid if valid & _SET_UID else node.uid
        node.gid = gid if valid & _SET_GID else node.gid
        node.touch(content=False)
        now = node.times[2]
        if valid & _SET_ATIME:
            node.times[0] = now if valid & _SET_ATIME_NOW else atime * 10**9 + apart
        if valid & _SET_MTIME:
            node.times[1] = now if valid & _SET_MTIME_NOW else mtime * 10**9 + mpart
        return self._attributes(node)

    def _symlink(self, node: _Node, body: bytes) -> bytes:
        name, target = body[:-1].split(b"\0")
        fold(name)
        made = self._new(stat.S_IFLNK | 0o777)
        made.data[:], made.size = target, len(target)
        return self._add(node, name, made)

    def _mknod(self, node: _Node, body: bytes) -> bytes:
        mode, device, _, _ = struct.unpack_from("<4I", body)
        made = self._new(mode)
        made.device = device
        return self._add(node, body[16:-1], made)

    def _mkdir(self, node: _Node, body: bytes) -> bytes:
        (mode,) = struct.unpack_from("<I", body)
        return self._add(node, body[8:-1], self._new(stat.S_IFDIR | stat.S_IMODE(mode)))

    def _create(self, node: _Node, body: bytes) -> bytes:
        _, mode = struct.unpack_from("<2I", body)
        return self._add(node, body[16:-1], self._new(mode)) + struct.pack("<Q2I", 0, _OPEN_DIRECT_IO, 0)

    def _unlink(self, node: _Node, body: bytes) -> bytes:
        self._child(node, body[:-1])
        self._remove(node, body[:-1])
        return b""

    def _rmdir(self, node: _Node, body: bytes) -> bytes:
        if self._child(node, body[:-1])[1].children:
            raise _error(errno.ENOTEMPTY)
        self._remove(node, body[:-1])
        return b""

    def _link(self, node: _Node, body: bytes) -> bytes:
        source = self._inodes[struct.unpack_from("<Q", body)[0]]
        entry = self._add(node, body[8:-1], source)
        source.links += 1
        source.touch(content=False)
        return entry[: -_ATTRIBUTES.size] + source.attributes()

    def _rename(self, node: _Node, body: bytes) -> bytes:
        (target,) = struct.unpack_from("<Q", body)
        return self._move(node, self._inodes[target], body[8:], 0)

    def _rename_with_flags(self, node: _Node, body: bytes) -> bytes:
        target, flags, _ = struct.unpack_from("<Q2I", body)
        return self._move(node, self._inodes[target], body[16:], flags)

    def _move(self, source: _Node, target: _Node, names: bytes, flags: int) -> bytes:
        old, new = names[:-1].split(b"\0")
        _, node = self._child(source, old)
        found = target.children.get(fold(new))
        is_same_entry = source is target and fold(old) == fold(new)
        if flags & ~_RENAME_NOREPLACE:
            raise _error(errno.EINVAL)
        if node.is_directory and any(each is target for each in self._below(node)):
            raise _error(errno.EINVAL)
        if found is not None and not is_same_entry:
            other = found[1]
            if flags & _RENAME_NOREPLACE:
                raise _error(errno.EEXIST)
            if other is node:
                return b""
            if other.children:
                raise _error(errno.ENOTEMPTY)
            if other.is_directory != node.is_directory:
                raise _error(errno.EISDIR if other.is_directory else errno.ENOTDIR)
            self._remove(target, new)
        del source.children[fold(old)]
        source.links -= node.is_directory
        source.touch()
        self._add(target, new, node)
        node.touch(content=False)
        return b""

    def _below(self, node: _Node) -> Iterator[_Node]:
        pending = [node]
        while pending:
            yield (each := pending.pop())
            pending += [child for _, child in each.children.values()]

    def _read(self, node: _Node, body: bytes) -> bytes:
        _, offset, size = struct.unpack_from("<2QI", body)
        return bytes(node.data[offset : offset + size]).ljust(max(0, min(size, node.size - offset)), b"\0")

    def _write(self, node: _Node, body: bytes) -> bytes:
        _, offset, size, _, _, flags, _ = struct.unpack_from("<2Q2IQ2I", body)
        if flags & os.O_APPEND:
            offset = node.size
        if offset + size > _MAX_FILE_BYTES:
            raise _error(errno.EFBIG)
        node.data.extend(bytes(max(0, offset - len(node.data))))
        node.data[offset : offset + size] = body[40 : 40 + size]
        node.size = max(node.size, offset + size)
        node.touch()
        return struct.pack("<2I", size, 0)

    def _open_directory(self, node: _Node, body: bytes) -> bytes:
        self._count += 1
        return struct.pack("<Q2I", self._count, 0, 0)

    def _read_directory(self, node: _Node, body: bytes) -> bytes:
        handle, offset, size = struct.unpack_from("<2QI", body)
        if offset == 0:
            self._listings[handle] = [(b".", node), (b"..", node), *node.children.values()]
        answer = b""
        listing = self._listings.get(handle, [])
        for position, (name, child) in enumerate(listing[offset:], start=offset + 1):
            entry = struct.pack("<2Q2I", child.number, position, len(name), stat.S_IFMT(child.mode) >> 12) + name
            entry += bytes(-len(entry) % 8)
            if len(answer) + len(entry) > size:
                break
            answer += entry
        return answer

    def _close_directory(self, node: _Node, body: bytes) -> bytes:
        self._listings.pop(struct.unpack_from("<Q", body)[0], None)
        return b""


def _mount(directory: str) -> int:
    """Mount at a directory; return the descriptor by which the kernel asks. Raises OSError."""
    if os.geteuid():
        return _mount_by_helper(directory)
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    options = (
        f"fd={device},rootmode=40000,user_id={os.geteuid()},group_id={os.getegid()},allow_other,default_permissions"
    )
    arguments = (b"treeproof", os.fsencode(directory), b"fuse", _MS_NOSUID | _MS_NODEV, options.encode())
    if ctypes.CDLL(None, use_errno=True).mount(*arguments):
        raise _error(ctypes.get_errno())
    return device


def _mount_by_helper(directory: str) -> int:
    helper = shutil.which("fusermount3")
    if helper is None:
        raise OSError(errno.ENOENT, "fusermount3 is not installed")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        environment = {**os.environ, "_FUSE_COMMFD": str(theirs.fileno())}
        command = [helper, "-o", "default_permissions,nosuid,nodev,fsname=treeproof", "--", directory]
        ended = subprocess.run(
            command, env=environment, pass_fds=[theirs.fileno()], capture_output=True, text=True, check=False
        )
        if ended.returncode:
            raise OSError(errno.EPERM, " ".join(ended.stderr.split()))
        descriptors = array.array("i")
        for _, _, data in ours.recvmsg(1, socket.CMSG_SPACE(4))[1]:
            descriptors.frombytes(data[:4])
        return descriptors[0]


def unmount(directory: str) -> None:
    """Unmount whatever is mounted at a directory, also while it is in use."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).umount2(os.fsencode(directory), _MNT_DETACH)
    elif helper := shutil.which("fusermount3"):
        subprocess.run([helper, "-u", "-z", "--", directory], capture_output=True, check=False)


def main() -> None:
    """Mount, and serve until stdin ends or someone else unmounts."""
    (directory,) = sys.argv[1:]
    try:
        device = _mount(directory)
    except OSError as refusal:
        print(refusal.strerror, flush=True)
        return
    print("mounted", flush=True)
    system = FoldingFileSystem(os.geteuid(), os.getegid())
    poll = select.poll()
    poll.register(device, select.POLLIN)
    poll.register(0, select.POLLIN)
    try:
        while True:
            ready = dict(poll.poll())
            if 0 in ready:
                return
            try:
                request = os.read(device, _MAX_REQUEST_BYTES)
                if answer := system.answer(request):
                    os.write(device, answer)
            except OSError as refusal:
                if refusal.errno not in (errno.ENOENT, errno.EINTR, errno.EAGAIN):  # the caller has gone meanwhile
                    return
    finally:
        unmount(directory)


if __name__ == "__main__":
    main()
