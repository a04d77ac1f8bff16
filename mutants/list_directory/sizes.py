"""Mutants: errors in the sizes of entries."""

import contextlib
from collections.abc import Callable
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import JsonValue
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Walk

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .entry_builders import Found, with_entry_from_metadata, with_link_targets, with_members_shown
from .implied import LENGTH


def with_size(size: Callable[[int], JsonValue]) -> ListDirectory:
    """Return the tool with another size where there is one."""
    return with_members_shown(
        lambda members: {"size_bytes": None if members["size_bytes"] is None else size(int(members["size_bytes"]))}
    )


def with_size_of_content(size: Callable[[bytes], int]) -> ListDirectory:
    """Return the tool with another size of what small files contain."""

    class Reading(Walk):
        def _with_metadata(self, entry: Entry, found: Found) -> Entry:
            right = super()._with_metadata(entry, found)
            if right.type != "file" or found.st_size > 2**16 or not isinstance(self._reader, DirectoryReaderWrapper):
                return right
            with contextlib.suppress(OSError), open(self._reader.join(right.raw_path), "rb") as file:
                right = replace(right, size_bytes=size(file.read()))
            return right

    return ListDirectory(walk=Reading, open_reader=DirectoryReaderWrapper)


def count_characters(content: bytes) -> int:
    try:
        return len(content.decode())
    except UnicodeDecodeError:
        return len(content)


def target_size(entry: Entry, target: Found | None) -> Entry:
    return entry if target is None else replace(entry, size_bytes=target.st_size)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-046",
        "Directories have a size.",
        "EF-05",
        LENGTH,
        tool=with_entry_from_metadata(lambda e, found: replace(e, size_bytes=found.st_size) if e.type == "dir" else e),
    ),
    build_mutant(
        "MUT-050",
        "The size of an empty file is null.",
        "EF-05",
        LENGTH,
        tool=with_size(lambda size: size or None),
    ),
    build_mutant(
        "MUT-052",
        "The size is that of the allocated blocks.",
        "EF-05",
        LENGTH,
        "FR-LD-OUT-02 NFR-LD-REL-02",
        tool=with_entry_from_metadata(
            lambda e, found: replace(e, size_bytes=found.st_blocks * 512) if e.type == "file" else e
        ),
    ),
    build_mutant(
        "MUT-451",
        "The size of a link is the length of its target path.",
        "EF-05",
        LENGTH,
        tool=with_entry_from_metadata(
            lambda e, found: replace(e, size_bytes=found.st_size) if e.type == "symlink" else e
        ),
    ),
    build_mutant(
        "MUT-452",
        "The size of a link is that of its target.",
        "EF-05",
        LENGTH,
        tool=with_link_targets(target_size),
    ),
    build_mutant(
        "MUT-453",
        "The size of entries that are no files is 0.",
        "EF-05",
        LENGTH,
        tool=with_members_shown(lambda members: {"size_bytes": members["size_bytes"] or 0}),
    ),
    build_mutant(
        "MUT-454", "Sizes wrap around at 32 bits.", "EF-05", LENGTH, tool=with_size(lambda size: size % 2**32)
    ),
    build_mutant(
        "MUT-456",
        "Sizes are at most 2147483647.",
        "EF-05",
        LENGTH,
        tool=with_size(lambda size: min(size, 2**31 - 1)),
    ),
    build_mutant("MUT-457", "Sizes are text.", "EF-05", LENGTH, "FR-LD-OUT-02 NFR-LD-REL-02", tool=with_size(str)),
    build_mutant(
        "MUT-458",
        "Sizes are rounded up to kibibytes.",
        "EF-05",
        LENGTH,
        "FR-LD-OUT-02 NFR-LD-REL-02",
        tool=with_size(lambda size: -(-size // 1024) * 1024),
    ),
    build_mutant(
        "MUT-981",
        "The size of a text is its number of characters.",
        "EF-05",
        tool=with_size_of_content(count_characters),
    ),
    build_mutant(
        "MUT-982",
        "In the size of a text, a line break of two bytes counts as one.",
        "EF-05",
        tool=with_size_of_content(lambda content: len(content.replace(b"\r\n", b"\n"))),
    ),
)
