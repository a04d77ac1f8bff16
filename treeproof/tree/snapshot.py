"""Snapshots of the state of a tree, and their differences.

Reading changes nothing, follows no link and opens no pipe or device. An unreadable entry is recorded by its lstat,
in the same way in every snapshot.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from treeproof.systems import is_linux
from treeproof.tree.deep_walk import open_file, parent_without_links, walk_directories
from treeproof.tree.name_notation import format_path

_MIB = 1024 * 1024
_MAX_ENTRIES = 1_000_000
_MAX_DIFFERENCES = 50
_MAX_PATH_BYTES = 400


class EntryState(NamedTuple):
    """The state of one entry: all of lstat but the access time and the number of blocks, and its content.

    `content` is a digest (for a file above 2 MiB, of its first and last MiB), `target` the target of a link,
    `attributes` the extended attributes; each is None if absent or unreadable. Sizes are in bytes, times in
    nanoseconds.
    """

    mode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    links: int
    uid: int
    gid: int
    target: bytes | None
    content: bytes | None
    attributes: tuple[tuple[str, bytes], ...] | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every entry below a directory, and the directory itself as b"."; not `is_complete` above a million entries."""

    entries: Mapping[bytes, EntryState]
    is_complete: bool = True


def take_snapshot(root: bytes) -> Snapshot:
    """Return the state of `root` and everything below it, without entries that vanish meanwhile.

    If `root` is missing, no directory or cannot be opened, the snapshot contains at most `root` itself.
    """
    entries: dict[bytes, EntryState] = {}
    try:
        for path, state in _walk(root):
            if len(entries) == _MAX_ENTRIES:
                return Snapshot(entries, is_complete=False)
            entries[path] = state
    except OSError:
        entries.update(_read_from_parent(root))
    return Snapshot(entries)


def diff_snapshots(before: Snapshot, after: Snapshot) -> list[str]:
    """Return the changes, one line per entry, in path order; [] if there are none."""
    states = {path: (before.entries.get(path), after.entries.get(path)) for path in {**before.entries, **after.entries}}
    changed = sorted(path for path, (old, new) in states.items() if old != new)
    # A candidate may make a million changes, with paths of any length: only the reported ones are formatted.
    lines = [_format_change(path, *states[path]) for path in changed[:_MAX_DIFFERENCES]]
    if not (before.is_complete and after.is_complete):
        lines.append(f"more than {_MAX_ENTRIES} entries; the rest was not compared")
    if len(changed) > _MAX_DIFFERENCES:
        lines.append(f"and {len(changed) - _MAX_DIFFERENCES} more")
    return lines


def loses_content(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the content of a file, or the target of a link, is nowhere any more."""

    def contents(one: Snapshot) -> set[bytes | None]:
        return {value for state in one.entries.values() for value in (state.content, state.target)} - {None}

    return after.is_complete and not contents(before) <= contents(after)


def _format_change(path: bytes, old: EntryState | None, new: EntryState | None) -> str:
    half = _MAX_PATH_BYTES // 2
    where = (
        format_path(path) if len(path) <= _MAX_PATH_BYTES else f"{format_path(path[:half])}…{format_path(path[-half:])}"
    )
    if new is None:
        return f"{where}: vanished"
    return f"{where}: {'appeared' if old is None else _format_attributes(old, new)}"


def _walk(root: bytes) -> Iterator[tuple[bytes, EntryState]]:
    for prefix, directory, entries in walk_directories(root):
        if not prefix:
            yield b".", _entry_state(os.fstat(directory), directory, b".")
        for entry in entries:
            name = os.fsencode(entry.name)
            try:
                found = entry.stat(follow_symlinks=False)
                yield prefix + name, _entry_state(found, directory, name)
            except OSError:  # gone
                continue


def _read_from_parent(root: bytes) -> Iterator[tuple[bytes, EntryState]]:
    with contextlib.suppress(OSError), parent_without_links(root) as (directory, name):
        yield b".", _entry_state(os.stat(name, dir_fd=directory, follow_symlinks=False), directory, name)


def _entry_state(found: os.stat_result, directory: int, name: bytes) -> EntryState:
    mode = found.st_mode
    return EntryState(
        mode,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_ino,
        found.st_nlink,
        found.st_uid,
        found.st_gid,
        os.readlink(name, dir_fd=directory) if stat.S_ISLNK(mode) else None,
        _digest(directory, name, found.st_size) if found.st_size and stat.S_ISREG(mode) else None,
        _attributes(b"/proc/self/fd/%d/%s" % (directory, name)),
    )


def _digest(directory: int, name: bytes, size: int) -> bytes | None:
    parts = [(0, size)] if size <= 2 * _MIB else [(0, _MIB), (size - _MIB, _MIB)]
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open_file(directory, name) as file:
            for start, length in parts:
                digest.update(os.pread(file.fileno(), length, start))
    except OSError:
        return None
    return digest.digest()


def _attributes(path: bytes) -> tuple[tuple[str, bytes], ...] | None:
    if not is_linux():
        return None
    try:
        names = os.listxattr(path, follow_symlinks=False)
        return tuple((name, os.getxattr(path, name, follow_symlinks=False)) for name in sorted(names))
    except OSError:
        return None


def _format_attributes(old: EntryState, new: EntryState) -> str:
    changed = [name for name in EntryState._fields if getattr(old, name) != getattr(new, name)]
    if changed == ["ctime_ns"]:
        return "was changed and changed back (ctime)"
    named = [name for name in changed if name != "ctime_ns"]
    return "; ".join(f"{name} {_format_attribute(name, old)} -> {_format_attribute(name, new)}" for name in named)


def _format_attribute(name: str, state: EntryState) -> str:
    value = getattr(state, name)
    if name == "mode":
        return f"{value:o}"
    if isinstance(value, bytes):
        return value.hex() if name == "content" else format_path(value)
    return str(value)
