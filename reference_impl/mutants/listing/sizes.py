"""Wrong in the size of an entry."""

from collections.abc import Callable
from dataclasses import replace

from ...list_directory import ListDirectory
from ...listing.document import Value
from ...listing.entries import Entry
from ..mutant import Mutant
from .implied import LENGTH
from .made import wrong
from .members import Found, finding, following, showing


def sized(size: Callable[[int], Value]) -> ListDirectory:
    """Shows another size where there is one."""
    return showing(
        lambda members: {
            "size_bytes": None if members["size_bytes"] is None else size(int(members["size_bytes"]))
        }
    )


def target_size(entry: Entry, target: Found | None) -> Entry:
    return entry if target is None else replace(entry, size_bytes=target.st_size)


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-046",
        "Directories have a size.",
        "EF-05",
        *LENGTH,
        tool=finding(lambda e, found: replace(e, size_bytes=found.st_size) if e.type == "dir" else e),
    ),
    wrong(
        "MUT-050",
        "The size of an empty file is null.",
        "EF-05",
        *LENGTH,
        tool=sized(lambda size: size or None),
    ),
    wrong(
        "MUT-052",
        "The size is that of the blocks.",
        "EF-05",
        *LENGTH,
        "FR-LD-OUT-02",
        "NFR-LD-REL-02",
        tool=finding(
            lambda e, found: replace(e, size_bytes=found.st_blocks * 512) if e.type == "file" else e
        ),
    ),
    wrong(
        "MUT-451",
        "The size of a link is the length of its target's path.",
        "EF-05",
        *LENGTH,
        tool=finding(lambda e, found: replace(e, size_bytes=found.st_size) if e.type == "symlink" else e),
    ),
    wrong(
        "MUT-452",
        "The size of a link is that of what it leads to.",
        "EF-05",
        *LENGTH,
        tool=following(target_size),
    ),
    wrong(
        "MUT-453",
        "The size of what is no file is 0.",
        "EF-05",
        *LENGTH,
        tool=showing(lambda members: {"size_bytes": members["size_bytes"] or 0}),
    ),
    wrong(
        "MUT-454", "Sizes wrap around at 32 bits.", "EF-05", *LENGTH, tool=sized(lambda size: size % 2**32)
    ),
    wrong(
        "MUT-455", "Sizes are exact to 53 bits.", "EF-05", *LENGTH, tool=sized(lambda size: int(float(size)))
    ),
    wrong(
        "MUT-456", "Sizes end at 2147483647.", "EF-05", *LENGTH, tool=sized(lambda size: min(size, 2**31 - 1))
    ),
    wrong("MUT-457", "Sizes are text.", "EF-05", *LENGTH, "FR-LD-OUT-02", "NFR-LD-REL-02", tool=sized(str)),
    wrong(
        "MUT-458",
        "Sizes are rounded up to kibibytes.",
        "EF-05",
        *LENGTH,
        "FR-LD-OUT-02",
        "NFR-LD-REL-02",
        tool=sized(lambda size: -(-size // 1024) * 1024),
    ),
)
