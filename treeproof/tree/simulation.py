"""Another platform's file system, simulated in memory by pyfakefs: its making, its look, and who sees it.

What happens on it proves nothing about the platform. Only what pyfakefs does honestly is made here: names,
case, separators, drives, shares, links, sizes and times; the rest is refused. Importing this costs, so it is
imported when the first simulated row runs.

pyfakefs's own Patcher hands the simulation to the whole interpreter, other threads included. Here only the
modules of one package get another `os`, and only for a moment.
"""

import hashlib
import os
import re
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

# Spelt with slashes, which Windows takes as well: a backslash would have to be escaped in JSON.
_SYSTEMS = {"windows": (OSType.WINDOWS, b"C:/simulated"), "macos": (OSType.MACOS, b"/simulated")}

# What no name on Windows holds, and the devices that a name there must not be.
_INVALID_WINDOWS_NAME = re.compile(
    r'.*[<>:"/\\|?*\x00-\x1f].*|.*[. ]|(?:CON|PRN|AUX|NUL|(?:COM|LPT)[1-9])(?:\..*)?',
    re.IGNORECASE | re.DOTALL,
)


class SimulatedFileSystem:
    """An empty file system of `platform`, "windows" or "macos". `base` is where sandboxes may lie on it."""

    def __init__(self, platform: str) -> None:
        self.platform = platform
        system, self.base = _SYSTEMS[platform]
        self._files = FakeFilesystem()
        self._files.os = system
        self._files.shuffle_listdir_results = False
        self._os: Any = FakeOsModule(self._files)

    def build_tree(
        self, tree: Tree, directory: bytes, *, substitutions: Mapping[bytes, bytes] | None = None
    ) -> None:
        """Make the entries of `tree` in `at`, which is made if it is missing.

        Times come last, as in a real tree. Raises CannotBuild for what the platform has no name for and for what
        is not simulated.
        """
        holders = {b"": self._ensure_directory(directory)}
        made: list[tuple[FakeFile, int | None]] = [(holders[b""], None)]
        for path, node in tree.walk():
            holder = holders[path.rpartition(b"/")[0]]
            self._check_supported(path, node, holder)
            file = self._create_entry(path, node, substitutions or {})
            holder.add_entry(file)
            made.append((file, node.mtime_ns))
            if isinstance(file, FakeDirectory):
                holders[path] = file
        for file, time in made:
            file.st_atime_ns = file.st_mtime_ns = DEFAULT_MTIME_NS if time is None else time

    def _ensure_directory(self, at: bytes) -> FakeDirectory:
        place = os.fsdecode(at)
        if not self._files.exists(place):
            with suppress(FileExistsError):  # a drive or a share comes to be when it is first named
                self._files.create_dir(place)
        found = self._files.resolve(place)
        if not isinstance(found, FakeDirectory):
            raise CannotBuild(f"{format_path(at)}: it is no directory")
        return found

    def _create_entry(self, path: bytes, node: Node, substitutions: Mapping[bytes, bytes]) -> FakeFile:
        """The node as an object that stands nowhere yet; pyfakefs takes its time to find the way to a path."""
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
                target = node.target or b""
                for placeholder, value in substitutions.items():
                    target = target.replace(placeholder, value)
                link = FakeFile(name, stat.S_IFLNK | 0o755, filesystem=self._files)
                link.set_initial_contents(os.fsdecode(target))
                return link
            case Kind.FIFO | Kind.SOCKET | Kind.CHARDEV:
                raise CannotBuild(f"{format_path(path)}: a simulated platform has no {node.kind}")

    def _check_supported(self, path: bytes, node: Node, holder: FakeDirectory) -> None:
        shown = format_path(path)
        try:
            name = node.name.decode("utf-8")
        except UnicodeDecodeError:
            raise CannotBuild(f"{shown}: names are Unicode there") from None
        if self.platform == "windows" and _INVALID_WINDOWS_NAME.fullmatch(name):
            raise CannotBuild(f"{shown}: Windows has no such name")
        if name.casefold() in (other.casefold() for other in holder.entries):
            raise CannotBuild(f"{shown}: a sibling differs in case only")
        if node.mode is not None or node.hardlink is not None or node.faults:
            raise CannotBuild(f"{shown}: modes, hard links and faults are not simulated")

    def take_snapshot(self, directory: bytes) -> Snapshot:
        """What stands in `at` and below it, as `snapshot.take` sees a real tree; nothing where nothing is."""
        entries: dict[bytes, EntryState] = {}
        try:
            waiting = [(b".", self._files.get_object(os.fsdecode(directory)))]
        except OSError:
            return Snapshot(entries)
        while waiting:
            path, found = waiting.pop()
            entries[path] = _entry_state(found)
            if isinstance(found, FakeDirectory):
                waiting += [
                    (os.path.normpath(os.path.join(path, os.fsencode(name))), inner)
                    for name, inner in found.entries.items()
                ]
        return Snapshot(entries)

    @contextmanager
    def patch_os(self, *packages: str) -> Iterator[None]:
        """Inside, `os` is the simulated one in the modules of `packages` that hold it under any name.

        What they took out of `os` before (`from os import lstat`), and other modules that reach files, stay
        real; on the real file system they find nothing of the simulated tree.
        """
        fakes = {id(os): self._os, id(os.path): self._os.path}
        kept: list[tuple[dict[str, Any], str, Any]] = []
        for name, module in list(sys.modules.items()):
            if any(f"{name}.".startswith(f"{package}.") for package in packages):
                names = vars(module)
                kept += [(names, key, value) for key, value in names.items() if id(value) in fakes]
        try:
            for names, key, value in kept:
                names[key] = fakes[id(value)]
            yield
        finally:
            for names, key, value in kept:
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
