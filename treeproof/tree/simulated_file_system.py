"""A simulated file system of another platform, in memory by pyfakefs.

It is no evidence about the platform. It supports only what pyfakefs simulates faithfully: names, case, separators,
drives, shares, links, sizes and times. Its import is slow, so it is imported for the first simulated scenario.

The Patcher of pyfakefs affects the whole interpreter, including other threads. Here only the modules of some packages
use another `os`, during calls.
"""

import hashlib
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from pyfakefs.fake_file import FakeDirectory, FakeFile
from pyfakefs.fake_filesystem import FakeFilesystem, OSType
from pyfakefs.fake_os import FakeOsModule

from treeproof.tree.builder import CannotBuild
from treeproof.tree.name_notation import format_path
from treeproof.tree.recipe import DEFAULT_MTIME_NS, Kind, Node, Tree
from treeproof.tree.snapshot import EntryState, Snapshot
from treeproof.tree.windows import name_problem

# With slashes, which Windows accepts, too: a backslash would need an escape in JSON.
_SYSTEMS = {"windows": (OSType.WINDOWS, b"C:/simulated"), "macos": (OSType.MACOS, b"/simulated")}


class SimulatedFileSystem:
    """An empty file system of `platform`, "windows" or "macos". `base` is the parent of its sandboxes."""

    def __init__(self, platform: str) -> None:
        self.platform = platform
        system, self.base = _SYSTEMS[platform]
        self._files = FakeFilesystem()
        self._files.os = system
        self._files.shuffle_listdir_results = False
        self._os: Any = FakeOsModule(self._files)

    def build_tree(self, tree: Tree, directory: bytes, *, substitutions: Mapping[bytes, bytes] | None = None) -> None:
        """Create the entries of `tree` in `directory`, which is created if it is missing; times come last.

        Raises CannotBuild for names that the platform does not permit and for features that are not simulated.
        """
        directories = {b"": self._ensure_directory(directory)}
        times: list[tuple[FakeFile, int | None]] = [(directories[b""], None)]
        for path, node in tree.walk():
            parent = directories[path.rpartition(b"/")[0]]
            self._check_supported(path, node, parent)
            file = self._create_entry(path, node, substitutions or {})
            parent.add_entry(file)
            times.append((file, node.mtime_ns))
            if isinstance(file, FakeDirectory):
                directories[path] = file
        for file, time in times:
            file.st_atime_ns = file.st_mtime_ns = DEFAULT_MTIME_NS if time is None else time

    def _ensure_directory(self, path: bytes) -> FakeDirectory:
        name = os.fsdecode(path)
        if not self._files.exists(name):
            with suppress(FileExistsError):  # drives and shares are created at their first use
                self._files.create_dir(name)
        directory = self._files.resolve(name)
        if not isinstance(directory, FakeDirectory):
            raise CannotBuild(f"{format_path(path)}: not a directory")
        return directory

    def _create_entry(self, path: bytes, node: Node, substitutions: Mapping[bytes, bytes]) -> FakeFile:
        """Return the node as an object without a directory; resolving paths in pyfakefs is slow."""
        name = os.fsdecode(node.name)
        match node.kind:
            case Kind.DIR:
                return FakeDirectory(name, 0o755, filesystem=self._files)
            case Kind.FILE:
                file = FakeFile(name, stat.S_IFREG | 0o644, filesystem=self._files)
                if node.content is None and node.size:
                    file.set_large_file_size(node.size)
                else:
                    file.set_initial_contents(node.content or b"")
                return file
            case Kind.SYMLINK:
                link = FakeFile(name, stat.S_IFLNK | 0o755, filesystem=self._files)
                link.set_initial_contents(os.fsdecode(node.target_with(substitutions)))
                return link
            case Kind.FIFO | Kind.SOCKET | Kind.CHARDEV | Kind.BLOCKDEV:
                raise CannotBuild(f"{format_path(path)}: a simulated platform has no {node.kind}")

    def _check_supported(self, path: bytes, node: Node, parent: FakeDirectory) -> None:
        where = format_path(path)
        try:
            name = node.name.decode("utf-8")
        except UnicodeDecodeError:
            raise CannotBuild(f"{where}: names are Unicode there") from None
        if self.platform == "windows" and name_problem(name) is not None:
            raise CannotBuild(f"{where}: Windows has no such name")
        if name.casefold() in (other.casefold() for other in parent.entries):
            raise CannotBuild(f"{where}: a sibling differs in case only")
        if node.mode is not None or node.hardlink is not None or node.faults:
            raise CannotBuild(f"{where}: modes, hard links and faults are not simulated")

    def take_snapshot(self, directory: bytes) -> Snapshot:
        """Return the state of `directory` and everything below it, like `snapshot.take_snapshot`; empty if it is
        missing.
        """
        entries: dict[bytes, EntryState] = {}
        try:
            pending = [(b".", self._files.get_object(os.fsdecode(directory)))]
        except OSError:
            return Snapshot(entries)
        while pending:
            path, found = pending.pop()
            entries[path] = _entry_state(found)
            if isinstance(found, FakeDirectory):
                pending += [
                    (os.path.normpath(os.path.join(path, os.fsencode(name))), inner)
                    for name, inner in found.entries.items()
                ]
        return Snapshot(entries)

    @contextmanager
    def patch_os(self, *packages: str) -> Iterator[None]:
        """Replace `os` by the simulated one in the modules of `packages`, under any name.

        Functions that they imported from `os` (`from os import lstat`) and other modules use the real file system,
        where the simulated tree does not exist.
        """
        fakes = {id(os): self._os, id(os.path): self._os.path}
        originals: list[tuple[dict[str, Any], str, Any]] = []
        for name, module in list(sys.modules.items()):
            if any(f"{name}.".startswith(f"{package}.") for package in packages):
                names = vars(module)
                originals += [(names, key, value) for key, value in names.items() if id(value) in fakes]
        try:
            for names, key, value in originals:
                names[key] = fakes[id(value)]
            yield
        finally:
            for names, key, value in originals:
                names[key] = value


def _entry_state(found: FakeFile) -> EntryState:
    text = found.contents if stat.S_ISLNK(found.st_mode) else None
    content = found.byte_contents if text is None and not isinstance(found, FakeDirectory) else None
    return EntryState(
        found.st_mode,
        found.size,
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_ino,
        found.st_nlink,
        found.st_uid,
        found.st_gid,
        None if text is None else os.fsencode(text),
        None if content is None else hashlib.blake2b(content, digest_size=16).digest(),
        None,
    )
