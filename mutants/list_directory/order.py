"""Mutants: errors in the order of the walk and of the entries."""

import os
import re
import unicodedata
from typing import Any

from treeproof.rows.list_directory.listing import Item, ListCall, Rule

from ..shared.mutant import Mutant
from .rows import row

CUTS = "T-LD-01 FR-LD-OUT-03 FR-LD-OUT-05 FR-LD-OUT-07 T-LD-06 T-LD-14"
"""Entries in another order differ from the sorted ones, and lose other entries when cut for size."""


def utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def natural(text: str) -> list[Any]:
    return [int(part) if part.isdigit() else part for part in re.split("([0-9]+)", text)]


def collated(text: str) -> tuple[str, str]:
    """Return a key similar to a dictionary's order: separators and case are compared last."""
    return re.sub("[ _-]", "", text).casefold(), text


def by_names(key: Any) -> Rule:
    """Return the order of a walk that compares siblings by a key of their names."""
    return lambda item: [(key(name), raw) for name, raw in zip(item.parts, item.raw_parts, strict=True)]


def by_raw_names(item: Item) -> Any:
    return item.raw_parts


def by_raw_path(item: Item) -> Any:
    return item.raw


def escaped(item: Item) -> Any:
    return [name.decode("utf-8", "surrogateescape") for name in item.raw_parts]


def by_level(item: Item) -> Any:
    return item.depth, item.parts


def by_directory(item: Item) -> Any:
    return item.parts[:-1], item.name


def directories_first(item: Item) -> Any:
    return [(0, name) for name in item.parts[:-1]] + [(0 if item.is_dir or item.is_unread else 1, item.name)]


def after_the_content(item: Item) -> Any:
    return item.parts + ["\U0010ffff" * 256]


def as_on_the_disk(item: Item) -> Any:
    """Sort each directory as the system does."""
    return [
        item.sent.turns(os.path.join(item.start, *item.raw_parts[:level])).get(name, 0)
        for level, name in enumerate(item.raw_parts)
    ]


def on_the_disk_below(item: Item) -> Any:
    return item.raw_parts[0], as_on_the_disk(item)[1:]


def shows_all(sent: ListCall) -> bool:
    return bool(sent.effective("include_other") and sent.effective("include_hidden"))


def numbers_first(item: Item) -> tuple[int, int, str]:
    """Sort like the keys of a JavaScript object."""
    number = item.path.isascii() and item.path.isdigit() and str(int(item.path)) == item.path
    return (0, int(item.path), "") if number else (1, 0, item.path)


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-001", "The walk is breadth-first.", "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-LST-08 FR-LD-OUT-07")(
        walk=by_level
    ),
    row(
        *("MUT-002", "All entries are collected, sorted by path and then cut to max_entries."),
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-PERF-01",
    )(walk=lambda item: item.path),
    row("MUT-004", "Entries are sorted by the components of their paths.", "FR-LD-OUT-01", CUTS)(
        order=lambda item: item.parts
    ),
    row("MUT-005", "Directories are sorted as if their paths ended in a slash.", "FR-LD-OUT-01", CUTS)(
        order=lambda item: item.path + "/" * item.is_dir
    ),
    row("MUT-007", "Entries are sorted case-insensitively.", "FR-LD-OUT-01 T-LD-01")(
        order=lambda item: item.path.casefold()
    ),
    row("MUT-008", "Numbers in paths are sorted by value.", "FR-LD-OUT-01 T-LD-01")(
        order=lambda item: natural(item.path)
    ),
    row("MUT-010", "Names and paths are compared by UTF-16 code units.", "FR-LD-OUT-01 FR-LD-LST-05")(
        walk=by_names(utf16), order=lambda item: utf16(item.path)
    ),
    row("MUT-011", "Entries are sorted by raw bytes.", "NFR-LD-REL-02 FR-LD-OUT-01 FR-LD-LST-05")(
        walk=by_raw_names, order=by_raw_path
    ),
    row("MUT-013", "The walk sorts by raw bytes.", "FR-LD-LST-05")(walk=by_raw_names),
    row(
        "MUT-014", "Below the first level, the walk uses the system's order.", "FR-LD-LST-05 FR-LD-OUT-02 FR-LD-LST-07"
    )(walk=on_the_disk_below),
    row("MUT-016", "Names with equal converted texts keep the system's order.", "FR-LD-OUT-02")(
        walk=lambda item: [(name, turn) for name, turn in zip(item.parts, as_on_the_disk(item), strict=True)],
        order=lambda item: (item.path, as_on_the_disk(item)),
    ),
    row(
        *("MUT-922", "Listings with special and hidden files keep the system's order."),
        "FR-LD-OUT-02 FR-LD-OUT-01 FR-LD-OUT-05 FR-LD-LST-05",
    )(where=shows_all, walk=as_on_the_disk, order=as_on_the_disk),
    row("MUT-351", "Entries are in the order of the walk.", "FR-LD-OUT-01", CUTS)(order=lambda item: item.parts),
    row("MUT-353", "Entries are sorted by name.", "FR-LD-OUT-01", CUTS)(order=lambda item: (item.name, item.path)),
    row("MUT-354", "Entries are sorted by level.", "FR-LD-OUT-01", CUTS)(order=lambda item: (item.depth, item.path)),
    row("MUT-355", "Directories come first.", "FR-LD-OUT-01", CUTS)(order=lambda item: (not item.is_dir, item.path)),
    row("MUT-356", "Entries are sorted like a dictionary.", "FR-LD-OUT-01", CUTS)(
        order=lambda item: collated(item.path)
    ),
    row("MUT-357", "Entries are sorted by their paths in NFC.", "FR-LD-OUT-01")(
        order=lambda item: unicodedata.normalize("NFC", item.path)
    ),
    row("MUT-358", "Failed entries come last.", "FR-LD-OUT-01")(order=lambda item: (item.is_unknown, item.path)),
    row("MUT-361", "The walk sorts case-insensitively.", "FR-LD-LST-05")(walk=by_names(str.casefold)),
    row("MUT-362", "The walk sorts numbers in names by value.", "FR-LD-LST-05")(walk=by_names(natural)),
    row("MUT-363", "The walk sorts by UTF-16 code units.", "FR-LD-LST-05")(walk=by_names(utf16)),
    row("MUT-364", "The walk sorts undecodable bytes as lone surrogates.", "FR-LD-LST-05")(walk=escaped),
    row(
        *("MUT-366", "The walk visits directories first."),
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-OUT-02a NFR-LD-PERF-01 NFR-LD-REL-02",
    )(walk=directories_first),
    row("MUT-368", "The walk visits a directory after its entries.", "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01")(
        walk=after_the_content
    ),
    row(
        *("MUT-369", "The walk visits all entries of a directory before it enters any directory."),
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-LST-08 FR-LD-OUT-07",
    )(walk=by_directory),
    row("MUT-1015", "The output is sorted in blocks of 128 entries.", "FR-LD-OUT-01 FR-LD-OUT-07")(
        order=lambda item: (item.turn // 128, item.path)
    ),
    row("MUT-902", "Names that are numbers come first, sorted by value.", "FR-LD-OUT-01", CUTS)(order=numbers_first),
)
