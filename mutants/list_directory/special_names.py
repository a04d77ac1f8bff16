"""Mutants: errors with names and numbers that have a special meaning elsewhere."""

import unicodedata
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Name, Walk
from treeproof.reference_impl.shared.directory_reader import Route

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant
from .configuration import with_table_changed
from .order import CUTS, with_shown_order
from .sandbox import with_path_expanded, with_sandbox
from .type_switches import dropping_names

VALUES = (b"true", b"false", b"undefined", b"NaN", b"None", b"nil", b"Infinity")
SYSTEM_NAMES = (b"lost+found", b"Thumbs.db", b"desktop.ini", b"$RECYCLE.BIN", b"NTUSER.DAT", b"aquota.user")
OPERATORS = (b"(", b")", b"!", b"-o", b";", b"{}")


class LosesThePrototype(Walk):
    """Stores entries by name, as a JavaScript object does."""

    def _visible_names(self, route: Route) -> Iterator[Name]:
        return (both for both in super()._visible_names(route) if both[0] != "__proto__")


class StopsAtManyLevels(Walk):
    """Keeps each open directory of the walk open, until no descriptors are left."""

    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and entry.depth < 250


class NumbersStayClosed(Walk):
    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and not entry.name.isdigit()


def first_of_each(key: Callable[[bytes], Hashable]) -> ListDirectory:
    """Return the first name for each key."""

    class OneOfEach(DirectoryReaderWrapper):
        def list_names(self, route: Route) -> list[bytes]:
            return list({key(name): name for name in sorted(super().list_names(route), reverse=True)}.values())

    return ListDirectory(open_reader=OneOfEach)


def without_ends(name: bytes) -> bytes:
    return name.lstrip(b" ").rstrip(b" .") or name


def composed(name: bytes) -> str:
    return unicodedata.normalize("NFC", name.decode("utf-8", "surrogateescape"))


def numbers_first(entry: Entry) -> tuple[int, int, str]:
    """Sort like the keys of a JavaScript object."""
    number = entry.path.isascii() and entry.path.isdigit() and str(int(entry.path)) == entry.path
    return (0, int(entry.path), "") if number else (1, 0, entry.path)


def with_numbers_changed(number: Callable[[int], int], *keys: str) -> ListDirectory:
    """Return the tool with changed numbers in its configuration."""

    def change(table: dict[str, Any]) -> dict[str, Any]:
        return {
            key: number(value) or value if key in keys and type(value) is int and value > 0 else value
            for key, value in table.items()
        }

    return with_table_changed(change)


def with_one_beyond(number: int) -> int:
    beyond = (number + 1 + 2**31) % 2**32 - 2**31
    return max(1, beyond - 1)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-901",
        "An entry named __proto__ is lost.",
        "FR-LD-LST-02",
        tool=ListDirectory(walk=LosesThePrototype),
    ),
    build_mutant(
        "MUT-902",
        "Names that are numbers come first, sorted by value.",
        "FR-LD-OUT-01",
        CUTS,
        tool=ListDirectory(document=with_shown_order(numbers_first)),
    ),
    build_mutant(
        "MUT-903",
        "Limits of the configuration wrap around at 32 bits.",
        "FR-LD-VAL-04 FR-LD-VAL-06b CFG-LD-03",
        tool=with_numbers_changed(lambda number: number & 0xFFFFFFFF, "max_entries", "max_depth"),
    ),
    build_mutant(
        "MUT-904",
        "Directories on level 250 are not entered.",
        "FR-LD-LST-02",
        tool=ListDirectory(walk=StopsAtManyLevels),
    ),
    build_mutant(
        "MUT-906",
        "A path that begins with a dash is read as an option.",
        "FR-LD-VAL-08",
        tool=with_sandbox(with_path_expanded(lambda path: "." if path.startswith("-") and path != "-" else path)),
    ),
    build_mutant(
        "MUT-907",
        "A path that is a value in JavaScript counts as missing.",
        "FR-LD-VAL-08",
        tool=with_sandbox(with_path_expanded(lambda path: "." if path in ("0", "null", "__proto__") else path)),
    ),
    build_mutant(
        "MUT-908",
        "Names that are values of a programming language are lost.",
        "FR-LD-LST-02",
        tool=dropping_names(lambda name: name in VALUES),
    ),
    build_mutant(
        "MUT-909",
        "Directories whose names are numbers are not entered.",
        "FR-LD-LST-02",
        tool=ListDirectory(walk=NumbersStayClosed),
    ),
    build_mutant(
        "MUT-910",
        "Names that begin with two dashes are lost.",
        "FR-LD-LST-02",
        tool=dropping_names(lambda name: name.startswith(b"--")),
    ),
    build_mutant(
        "MUT-911",
        "Names that are operators of find are lost.",
        "FR-LD-LST-02",
        tool=dropping_names(lambda name: name in OPERATORS),
    ),
    build_mutant(
        "MUT-912",
        "Of names that differ in case only, one is listed.",
        # its trees contain such names
        "FR-LD-LST-02 FR-LD-OUT-01 FR-LD-OUT-02",
        tool=first_of_each(bytes.lower),
    ),
    build_mutant(
        "MUT-913",
        "Names that are shell patterns are lost.",
        # its trees contain such names
        "FR-LD-LST-02 EF-02 NFR-LD-REL-02",
        tool=dropping_names(lambda name: name in (b"*", b"?", b"[a-z]")),
    ),
    build_mutant(
        "MUT-914",
        "Names that begin like format strings are lost.",
        "FR-LD-LST-02",
        tool=dropping_names(lambda name: name.startswith((b"%s", b"%n"))),
    ),
    build_mutant(
        "MUT-915",
        "Of names that differ in trailing blanks and dots, one is listed.",
        # its trees contain such names
        "FR-LD-LST-02 FR-LD-LST-06a FR-LD-OUT-01",
        tool=first_of_each(without_ends),
    ),
    build_mutant(
        "MUT-916",
        "Of names with the same normal form, one is listed.",
        # its trees contain such names
        "FR-LD-LST-02 EF-01 FR-LD-OUT-01 NFR-LD-REL-02",
        tool=first_of_each(composed),
    ),
    build_mutant(
        "MUT-917",
        "The configured depth is stored in 8 bits.",
        "CFG-LD-03 FR-LD-VAL-06b FR-LD-LST-02",
        tool=with_numbers_changed(lambda number: number & 0xFF, "max_depth"),
    ),
    build_mutant(
        "MUT-918",
        "The configured number of entries is stored in 16 bits.",
        "FR-LD-VAL-04",
        tool=with_numbers_changed(lambda number: number & 0xFFFF, "max_entries"),
    ),
    build_mutant(
        "MUT-919",
        "Limits plus one are stored in 32 signed bits.",
        "FR-LD-VAL-04 FR-LD-VAL-06b CFG-LD-03",
        tool=with_numbers_changed(with_one_beyond, "max_entries", "max_depth"),
    ),
    build_mutant(
        "MUT-961",
        "Names with characters that are not seen are lost.",
        # its trees contain such names
        "FR-LD-LST-02 NFR-LD-REL-02",
        tool=dropping_names(lambda name: any(sign.encode() in name for sign in "\u200b\u00ad\ufeff")),
    ),
    build_mutant(
        "MUT-962",
        "Of names that differ in blanks, one is listed.",
        "FR-LD-LST-02 FR-LD-LST-06a FR-LD-OUT-01",
        tool=first_of_each(lambda name: " ".join(name.decode("utf-8", "surrogateescape").split()) or name),
    ),
    build_mutant(
        "MUT-963",
        "Names with a sign of a shell are lost.",
        "FR-LD-LST-02",
        tool=dropping_names(lambda name: any(sign in name for sign in b"&<>()$")),
    ),
    build_mutant(
        "MUT-964",
        "Names with a colon are lost.",
        "FR-LD-LST-02 FR-LD-VAL-10 EF-02",
        tool=dropping_names(lambda name: b":" in name),
    ),
    build_mutant(
        "MUT-967",
        "The longest names are lost.",
        # its trees contain such names
        "FR-LD-LST-02 FR-LD-OUT-06 NFR-LD-REL-02 FR-LD-VAL-08",
        tool=dropping_names(lambda name: len(name) == 255),
    ),
    build_mutant(
        "MUT-968",
        "Names with a line end are lost.",
        # its trees contain such names
        "FR-LD-LST-02 FR-LD-LST-01 NFR-LD-SEC-02 NFR-LD-REL-02 FR-LD-LST-06a",
        tool=dropping_names(lambda name: b"\n" in name or b"\r" in name),
    ),
    build_mutant(
        "MUT-969",
        "Names that systems keep for themselves are hidden.",
        "FR-LD-LST-06a FR-LD-LST-02",
        tool=dropping_names(lambda name: name in SYSTEM_NAMES),
    ),
)
