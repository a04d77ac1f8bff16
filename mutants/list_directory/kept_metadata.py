"""Mutants: metadata that an earlier call found are given again."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Walk

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .entry_builders import Found

Key = Callable[[bytes, Found], Hashable]


def by_inode(path: bytes, found: Found) -> Hashable:
    return found.st_dev, found.st_ino


def by_path(path: bytes, found: Found) -> Hashable:
    return path


def keeping(key: Key, *members: str) -> ListDirectory:
    """Return the tool that keeps members of the entries of earlier calls."""
    known: dict[Hashable, Entry] = {}

    class Keeping(Walk):
        def _with_metadata(self, entry: Entry, found: Found) -> Entry:
            right = super()._with_metadata(entry, found)
            if not isinstance(self._reader, DirectoryReaderWrapper):
                return right
            kept = known.setdefault(key(self._reader.join(right.raw_path), found), right)
            changes: dict[str, Any] = {name: getattr(kept, name) for name in members}
            return replace(right, **changes)

    return ListDirectory(walk=Keeping, open_reader=DirectoryReaderWrapper)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-976",
        "The size of a file is kept by its inode.",
        "EF-05 FR-LD-OUT-02",
        tool=keeping(by_inode, "size_bytes"),
    ),
    build_mutant(
        "MUT-977", "The size of a file is kept by its path.", "EF-05 FR-LD-OUT-02", tool=keeping(by_path, "size_bytes")
    ),
    build_mutant(
        "MUT-978",
        "The time of an entry is kept by its inode.",
        "EF-06 FR-LD-OUT-02",
        tool=keeping(by_inode, "modified_epoch_ms"),
    ),
    build_mutant(
        "MUT-979",
        "The time of an entry is kept by its path.",
        "EF-06 FR-LD-OUT-02",
        tool=keeping(by_path, "modified_epoch_ms"),
    ),
    build_mutant(
        "MUT-980", "The type of an entry is kept by its path.", "EF-04 FR-LD-OUT-02", tool=keeping(by_path, "type")
    ),
)
