"""Mutants: errors in the order of the walk and of the entries."""

import os
import re
import stat
import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Listing, Name, ReadDirectory, UnreadDirectory, Walk

from ..shared.mutant import Mutant
from .builders import build_mutant

Key = Callable[[str], Any]


def utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def natural(text: str) -> list[Any]:
    return [int(part) if part.isdigit() else part for part in re.split("([0-9]+)", text)]


def collated(text: str) -> tuple[str, str]:
    """Return a key similar to a dictionary's order: separators and case are compared last."""
    return re.sub("[ _-]", "", text).casefold(), text


class SortsAllNames(Walk):
    """Holds all names of a directory and sorts them."""

    def _read_directory(self, route: tuple[bytes, ...], prefix: str) -> ReadDirectory:
        return ReadDirectory(route, prefix, iter(self._sort_names(self._visible_names(route))))

    @abstractmethod
    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        """Return the names in another order."""


def with_sibling_order(key: Key) -> type[Walk]:
    """Return a walk that sorts siblings by another key of their converted names."""

    class SortingSiblings(SortsAllNames):
        def _sort_names(self, names: Iterable[Name]) -> list[Name]:
            return sorted(names, key=lambda both: (key(both[0]), both[1]))

    return SortingSiblings


def with_shown_order(key: Callable[[Entry], Any]) -> type[Document]:
    """Return the tool with another key for the entries."""

    class Showing(Document):
        def sort(self, entries: Sequence[Entry]) -> list[Entry]:
            return sorted(entries, key=lambda entry: (key(entry), entry.raw_path))

    return Showing


def by_path(key: Key) -> type[Document]:
    return with_shown_order(lambda entry: key(entry.path))


class AsWalked(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        return list(entries)


class AllAsTheyCome(SortsAllNames):
    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        is_all = self._request.include_other and self._request.include_hidden
        return list(names) if is_all else sorted(names)


class AllAsWalked(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        is_all = any(entry.type == "other" for entry in entries) and any(entry.is_hidden for entry in entries)
        return list(entries) if is_all else super().sort(entries)


class RawOrder(SortsAllNames):
    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        return sorted(names, key=lambda both: both[1])


class EscapedOrder(SortsAllNames):
    """Undecodable bytes are sorted as Python's lone surrogates."""

    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        return sorted(names, key=lambda both: both[1].decode("utf-8", "surrogateescape"))


class WalksByTheLocale(SortsAllNames):
    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        folds = os.environ.get("LC_ALL", "C").split(".")[0] not in ("C", "POSIX")
        return sorted(names, key=lambda both: (both[0].casefold() if folds else both[0], both[1]))


class SortsInBlocks(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        blocks = (entries[start : start + 128] for start in range(0, len(entries), 128))
        return [entry for block in blocks for entry in super(SortsInBlocks, self).sort(block)]


class NoOrderBelow(Walk):
    def _read_directory(self, route: tuple[bytes, ...], prefix: str) -> ReadDirectory:
        level = super()._read_directory(route, prefix)
        return replace(level, remaining_names=self._visible_names(route)) if route else level


class LossyOrderAlone(SortsAllNames):
    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        return sorted(names, key=lambda both: both[0])


class LossyPathAlone(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda entry: entry.path)


class DirectoriesFirst(Walk):
    def _read_directory(self, route: tuple[bytes, ...], prefix: str) -> ReadDirectory:
        level = super()._read_directory(route, prefix)

        def rank(both: tuple[str, bytes]) -> bool:
            try:
                is_directory = stat.S_ISDIR(self._reader.lstat(route, both[1]).st_mode)
            except OSError:
                is_directory = False
            return not is_directory

        return replace(level, remaining_names=iter(sorted(level.remaining_names, key=rank)))


class Plain(Walk):
    """Reads one entry beyond the cap, to detect further entries."""

    def run(self) -> Listing:
        limit = self._request.max_entries
        self._request = replace(self._request, max_entries=limit + 1)
        self.walk(self._read_directory((), ""))
        return Listing(self._entries[:limit], capped=len(self._entries) > limit)

    @abstractmethod
    def walk(self, top: ReadDirectory) -> None:
        """Walk from the top in another order."""

    def add_all(self, level: ReadDirectory | None) -> list[UnreadDirectory]:
        """Add the entries of a directory until the cap is reached; return those to enter."""
        found: list[UnreadDirectory] = []
        if level is None:
            return found
        for lossy_name, name in level.remaining_names:
            if self._is_full():
                break
            entry = self._read_entry(level, lossy_name, name)
            index = self._add_entry(entry)
            if self._is_entered(entry):
                found.append(UnreadDirectory((*level.route, name), entry, index))
        return found

    def enter(self, directory: UnreadDirectory) -> ReadDirectory | None:
        below = self._try_read_directory(directory)
        if below is None:
            self._report_unreadable(directory)
        return below


class BreadthFirst(Plain):
    def walk(self, top: ReadDirectory) -> None:
        waiting: list[UnreadDirectory] = []
        level: ReadDirectory | None = top
        while True:
            found = self.add_all(level)
            if self._is_full():
                return
            waiting += found
            if not waiting:
                return
            level = self.enter(waiting.pop(0))


class ChildrenBeforeGrandchildren(Plain):
    def walk(self, top: ReadDirectory) -> None:
        waiting: list[UnreadDirectory] = []
        level: ReadDirectory | None = top
        while True:
            found = self.add_all(level)
            if self._is_full():
                return
            waiting = [*found, *waiting]
            if not waiting:
                return
            level = self.enter(waiting.pop(0))


class PostOrder(Plain):
    def walk(self, top: ReadDirectory) -> None:
        stack: list[tuple[ReadDirectory, Entry | None]] = [(top, None)]
        while stack and not self._is_full():
            level, own = stack[-1]
            both = next(level.remaining_names, None)
            if both is None:
                stack.pop()
                if own is not None:
                    self._add_entry(own)
                continue
            entry = self._read_entry(level, *both)
            if not self._is_entered(entry):
                self._add_entry(entry)
                continue
            directory = UnreadDirectory((*level.route, both[1]), entry, None)
            below = self._try_read_directory(directory)
            if below is None:
                self._report_unreadable(directory)
            else:
                stack.append((below, entry))


class SortsBeforeItCuts(Walk):
    def run(self) -> Listing:
        limit = self._request.max_entries
        self._request = replace(self._request, max_entries=10**9)
        found = sorted(super().run().entries, key=lambda entry: (entry.path, entry.raw_path))
        return Listing(found[:limit], capped=len(found) > limit)


def with_document(document: type[Document]) -> ListDirectory:
    return ListDirectory(document=document)


def with_walk(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


# Entries in another order differ from the sorted ones, and lose other entries when cut for size.
CUTS = "T-LD-01 FR-LD-OUT-03 FR-LD-OUT-05 FR-LD-OUT-07 T-LD-06 T-LD-14"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-001",
        "The walk is breadth-first.",
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-LST-08 FR-LD-OUT-07",
        tool=with_walk(BreadthFirst),
    ),
    build_mutant(
        "MUT-002",
        "All entries are collected, sorted by path and then cut to max_entries.",
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-PERF-01",
        tool=with_walk(SortsBeforeItCuts),
    ),
    build_mutant(
        "MUT-004",
        "Entries are sorted by the components of their paths.",
        "FR-LD-OUT-01",
        CUTS,
        tool=with_document(by_path(lambda path: path.split("/"))),
    ),
    build_mutant(
        "MUT-005",
        "Directories are sorted as if their paths ended in a slash.",
        "FR-LD-OUT-01",
        CUTS,
        tool=with_document(with_shown_order(lambda entry: entry.path + "/" * (entry.type == "dir"))),
    ),
    build_mutant(
        "MUT-007",
        "Entries are sorted case-insensitively.",
        "FR-LD-OUT-01 T-LD-01",
        tool=with_document(by_path(str.casefold)),
    ),
    build_mutant(
        "MUT-008",
        "Numbers in paths are sorted by value.",
        "FR-LD-OUT-01 T-LD-01",
        tool=with_document(by_path(natural)),
    ),
    build_mutant(
        "MUT-010",
        "Names and paths are compared by UTF-16 code units.",
        "FR-LD-OUT-01 FR-LD-LST-05",
        tool=ListDirectory(walk=with_sibling_order(utf16), document=by_path(utf16)),
    ),
    build_mutant(
        "MUT-011",
        "Entries are sorted by raw bytes.",
        "NFR-LD-REL-02 FR-LD-OUT-01 FR-LD-LST-05",
        tool=ListDirectory(walk=RawOrder, document=with_shown_order(lambda entry: entry.raw_path)),
    ),
    build_mutant("MUT-013", "The walk sorts by raw bytes.", "FR-LD-LST-05", tool=with_walk(RawOrder)),
    build_mutant(
        "MUT-014",
        "Below the first level, the walk uses the system's order.",
        "FR-LD-LST-05 FR-LD-OUT-02 FR-LD-LST-07",
        tool=with_walk(NoOrderBelow),
    ),
    build_mutant(
        "MUT-016",
        "Names with equal converted texts keep the system's order.",
        "FR-LD-OUT-02",
        tool=ListDirectory(walk=LossyOrderAlone, document=LossyPathAlone),
    ),
    build_mutant(
        "MUT-922",
        "Listings with special and hidden files keep the system's order.",
        "FR-LD-OUT-02 FR-LD-OUT-01 FR-LD-OUT-05 FR-LD-LST-05",
        tool=ListDirectory(walk=AllAsTheyCome, document=AllAsWalked),
    ),
    build_mutant(
        "MUT-351", "Entries are in the order of the walk.", "FR-LD-OUT-01", CUTS, tool=with_document(AsWalked)
    ),
    build_mutant(
        "MUT-353",
        "Entries are sorted by name.",
        "FR-LD-OUT-01",
        CUTS,
        tool=with_document(with_shown_order(lambda entry: (entry.name, entry.path))),
    ),
    build_mutant(
        "MUT-354",
        "Entries are sorted by level.",
        "FR-LD-OUT-01",
        CUTS,
        tool=with_document(with_shown_order(lambda entry: (entry.depth, entry.path))),
    ),
    build_mutant(
        "MUT-355",
        "Directories come first.",
        "FR-LD-OUT-01",
        CUTS,
        tool=with_document(with_shown_order(lambda entry: (entry.type != "dir", entry.path))),
    ),
    build_mutant(
        "MUT-356",
        "Entries are sorted like a dictionary.",
        "FR-LD-OUT-01",
        CUTS,
        tool=with_document(by_path(collated)),
    ),
    build_mutant(
        "MUT-357",
        "Entries are sorted by their paths in NFC.",
        "FR-LD-OUT-01",
        tool=with_document(by_path(lambda path: unicodedata.normalize("NFC", path))),
    ),
    build_mutant(
        "MUT-358",
        "Failed entries come last.",
        "FR-LD-OUT-01",
        tool=with_document(with_shown_order(lambda entry: (entry.type == "unknown", entry.path))),
    ),
    build_mutant(
        "MUT-361",
        "The walk sorts case-insensitively.",
        "FR-LD-LST-05",
        tool=with_walk(with_sibling_order(str.casefold)),
    ),
    build_mutant(
        "MUT-362",
        "The walk sorts numbers in names by value.",
        "FR-LD-LST-05",
        tool=with_walk(with_sibling_order(natural)),
    ),
    build_mutant(
        "MUT-363",
        "The walk sorts by UTF-16 code units.",
        "FR-LD-LST-05",
        tool=with_walk(with_sibling_order(utf16)),
    ),
    build_mutant(
        "MUT-364",
        "The walk sorts undecodable bytes as lone surrogates.",
        "FR-LD-LST-05",
        tool=with_walk(EscapedOrder),
    ),
    build_mutant(
        "MUT-366",
        "The walk visits directories first.",
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-OUT-02a NFR-LD-PERF-01 NFR-LD-REL-02",
        tool=with_walk(DirectoriesFirst),
    ),
    build_mutant(
        "MUT-368",
        "The walk visits a directory after its entries.",
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01",
        tool=with_walk(PostOrder),
    ),
    build_mutant(
        "MUT-369",
        "The walk visits all entries of a directory before it enters any directory.",
        "FR-LD-LST-05 FR-LD-LST-07 FR-LD-OUT-01 FR-LD-LST-08 FR-LD-OUT-07",
        tool=with_walk(ChildrenBeforeGrandchildren),
    ),
    build_mutant(
        "MUT-990",
        "Under a locale, siblings are walked without regard to case.",
        "FR-LD-LST-05 FR-LD-OUT-02",
        tool=ListDirectory(walk=WalksByTheLocale),
    ),
    build_mutant(
        "MUT-1015",
        "The output is sorted in blocks of 128 entries.",
        "FR-LD-OUT-01 FR-LD-OUT-07",
        tool=with_document(SortsInBlocks),
    ),
)
