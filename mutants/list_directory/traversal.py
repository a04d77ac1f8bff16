"""Mutants: errors in the extent of a walk: depth, links, the cap on entries."""

import contextlib
import os
import stat
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import Document, TruncationReason
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.request import ArgumentParser, Request
from treeproof.reference_impl.list_directory.walk import Listing, UnreadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import DirectoryReader, Route
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from ..shared.reader_wrapper import DirectoryReaderWrapper
from .builders import build_mutant


class RecursiveBelow(ArgumentParser):
    def parse_max_depth(self) -> int:
        depth = super().parse_max_depth()
        is_requested = self.arguments.get("recursive") or self.parse_path() == "."
        return depth if is_requested else self.settings.max_depth


class FlatBelow(ArgumentParser):
    def parse_max_depth(self) -> int:
        depth = super().parse_max_depth()
        return depth if self.parse_path() == "." else 1


class OneLevelShort(ArgumentParser):
    def parse_max_depth(self) -> int:
        depth = super().parse_max_depth()
        return max(1, depth - 1) if self.arguments.get("recursive") else depth


class OneLevelMore(ArgumentParser):
    def parse_max_depth(self) -> int:
        depth = super().parse_max_depth()
        return depth + 1 if self.arguments.get("recursive") else depth


class OpensUnlistedDirectories(Walk):
    """Opens directories that it does not list, to look for entries."""

    def _add_entry(self, entry: Entry) -> int | None:
        if entry.type == "dir" and self._request.max_depth == 1:
            self._try_read_directory(UnreadDirectory((entry.raw_path,), entry, None))
        return super()._add_entry(entry)


class WithoutEmptyDirectories(Walk):
    def run(self) -> Listing:
        listing = super().run()
        if self._is_full():
            return listing
        return replace(listing, entries=[entry for entry in listing.entries if not self._is_empty(entry)])

    def _is_empty(self, entry: Entry) -> bool:
        return self._is_entered(entry) and not list(self._reader.list_names(tuple(entry.raw_path.split(b"/"))))


class FirstDirectoryOnly(Walk):
    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
        super().__init__(reader, request, flavour)
        self._entered: dict[bytes, bytes] = {}

    def _is_entered(self, entry: Entry) -> bool:
        if not super()._is_entered(entry):
            return False
        parent, _, name = entry.raw_path.rpartition(b"/")
        return not parent or self._entered.setdefault(parent, name) == name


class FirstDirectoryFurtherDown(FirstDirectoryOnly):
    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) if entry.depth >= 3 else Walk._is_entered(self, entry)


class LastOfAFullRead(DirectoryReaderWrapper):
    """A directory of 64 names, or of a multiple of them, lacks the last one."""

    def list_names(self, route: Route) -> list[bytes]:
        names = sorted(super().list_names(route))
        return names[:-1] if names and len(names) % 64 == 0 else names


class UnreadableAreFiles(Walk):
    """Without files, no directory that cannot be read is listed."""

    def run(self) -> Listing:
        listing = super().run()
        if self._request.include_files:
            return listing
        kept = [entry for entry in listing.entries if entry.error_code != "read_dir_failed"]
        return replace(listing, entries=kept)


class LoopsByName(Walk):
    def _is_entered(self, entry: Entry) -> bool:
        *above, name = entry.raw_path.split(b"/")
        return super()._is_entered(entry) and name not in above


class SkipsWellKnown(Walk):
    def _is_entered(self, entry: Entry) -> bool:
        return super()._is_entered(entry) and entry.name not in (
            "node_modules",
            "target",
            "__pycache__",
            "build",
        )


class DepthIsTruncation(Walk):
    def run(self) -> Listing:
        listing = super().run()
        limit = self._request.max_depth
        deepest = any(entry.type == "dir" and entry.depth == limit > 1 for entry in listing.entries)
        return replace(listing, capped=listing.capped or deepest)


class EntersLinks(Walk):
    def _is_entered(self, entry: Entry) -> bool:
        if entry.type != "symlink" or not isinstance(self._reader, DirectoryReaderWrapper):
            return super()._is_entered(entry)
        target = self._reader.stat_link_target(entry.raw_path)
        is_directory = target is not None and stat.S_ISDIR(target.st_mode)
        return is_directory and entry.depth < self._request.max_depth


class Following(DirectoryReaderWrapper):
    """Reads directories through links."""

    def list_names(self, route: Route) -> list[bytes]:
        return os.listdir(self.join(*route))

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        return os.lstat(self.join(*route, name))


class OpensLinkedDirectories(Walk):
    def _add_entry(self, entry: Entry) -> int | None:
        if entry.type == "symlink" and isinstance(self._reader, DirectoryReaderWrapper):
            with contextlib.suppress(OSError):
                os.listdir(self._reader.join(entry.raw_path))
        return super()._add_entry(entry)


class Unreported(Walk):
    """A capped listing looks complete."""

    def run(self) -> Listing:
        return replace(super().run(), capped=False)


class OneMore(Walk):
    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
        limit = request.max_entries + (request.max_depth > 1)
        super().__init__(reader, replace(request, max_entries=limit), flavour)


class OneLess(Walk):
    def run(self) -> Listing:
        listing = super().run()
        is_cut = listing.capped and self._request.max_depth > 1
        return replace(listing, entries=listing.entries[:-1]) if is_cut else listing


class CapPerDirectory(Walk):
    def run(self) -> Listing:
        limit = self._request.max_entries
        self._request = replace(self._request, max_entries=10**9)
        kept: list[Entry] = []
        count: dict[bytes, int] = {}
        found = super().run().entries
        for entry in found:
            parent = entry.raw_path.rpartition(b"/")[0]
            count[parent] = count.get(parent, 0) + 1
            if count[parent] <= limit:
                kept.append(entry)
        return Listing(kept, capped=len(kept) < len(found))


class WalksOn(Walk):
    """The walk continues after the cap."""

    def run(self) -> Listing:
        limit = self._request.max_entries
        self._request = replace(self._request, max_entries=10**9)
        found = super().run().entries
        return Listing(found[:limit], capped=len(found) > limit)


class FilesAreCounted(Walk):
    def _is_full(self) -> bool:
        return sum(entry.type != "dir" for entry in self._entries) >= self._request.max_entries


class OneReadingWhenFlat(Walk):
    def run(self) -> Listing:
        listing = super().run()
        is_full = len(listing.entries) == self._request.max_entries and self._request.max_depth > 1
        return replace(listing, capped=listing.capped or is_full)


def with_argument_parser(kind: type[ArgumentParser]) -> ListDirectory:
    return ListDirectory(argument_parser=kind)


def with_walk(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


DEPTHS = (
    "NFR-LD-PERF-01 FR-LD-LST-08 FR-LD-VAL-06a CFG-LD-01 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b CFG-LD-03 "
    "CFG-LD-05 FR-LD-VAL-10"
)
CAPS = "FR-LD-LST-07 T-LD-05 FR-LD-OUT-02b DOC-06"


class EachFileOnce(Walk):
    """A recursive listing has one of the names of each file."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._seen: set[tuple[int, int]] = set()

    def _with_metadata(self, entry: Entry, found: os.stat_result) -> Entry:
        right = super()._with_metadata(entry, found)
        key = found.st_dev, found.st_ino
        is_again = right.type == "file" and self._request.max_depth > 1 and key in self._seen
        self._seen.add(key)
        self._is_dropped = is_again
        return right

    def _is_included(self, entry: Entry) -> bool:
        is_dropped = entry.type == "file" and getattr(self, "_is_dropped", False)
        return super()._is_included(entry) and not is_dropped


class ReasonsByDepth(Document):
    """Gives the depth as the reason."""

    def assemble(self, count: int, reason: TruncationReason | None) -> str:
        return (
            super()
            .assemble(count, reason)
            .replace('"truncated_reason":"max_entries"}', '"truncated_reason":"max_depth"}')
        )


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-043",
        "Links to directories are entered.",
        "FR-LD-VAL-09 T-LD-08 FR-LD-OUT-02 NFR-LD-REL-02 FR-LD-VAL-10 EF-02 EF-09 FR-LD-DEF-03",
        tool=ListDirectory(walk=EntersLinks, open_reader=Following),
    ),
    build_mutant(
        "MUT-512",
        "The targets of links are opened needlessly.",
        "FR-LD-VAL-09",
        tool=ListDirectory(walk=OpensLinkedDirectories, open_reader=DirectoryReaderWrapper),
    ),
    build_mutant(
        "MUT-071",
        "Reaching the depth limit counts as truncation.",
        "FR-LD-LST-02 DOC-06 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b FR-LD-OUT-02b",
        tool=with_walk(DepthIsTruncation),
    ),
    build_mutant(
        "MUT-513",
        "Every listing of another directory than the working directory is recursive.",
        "FR-LD-LST-01 T-LD-01 FR-LD-VAL-02 FR-LD-VAL-06a FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-VAL-10",
        tool=with_argument_parser(RecursiveBelow),
    ),
    build_mutant(
        "MUT-515",
        "A flat listing opens the directories that it lists.",
        "NFR-LD-PERF-01 FR-LD-LST-01",
        tool=with_walk(OpensUnlistedDirectories),
    ),
    build_mutant(
        "MUT-516",
        "No listing of another directory than the working directory is recursive.",
        "FR-LD-LST-02",
        DEPTHS,
        "EF-02 EF-03 FR-LD-DEF-03 NFR-LD-PORT-01",
        tool=with_argument_parser(FlatBelow),
    ),
    build_mutant(
        "MUT-517",
        "A recursive listing has one level too few.",
        "FR-LD-LST-02",
        DEPTHS,
        "EF-03 EF-08 FR-LD-LST-07 FR-LD-OUT-02b NFR-LD-PORT-01 SCH-LD",
        tool=with_argument_parser(OneLevelShort),
    ),
    build_mutant(
        "MUT-518",
        "A recursive listing has one level too many.",
        "FR-LD-LST-02",
        DEPTHS,
        tool=with_argument_parser(OneLevelMore),
    ),
    build_mutant(
        "MUT-519",
        "A complete recursive listing omits empty directories.",
        "FR-LD-LST-02",
        tool=with_walk(WithoutEmptyDirectories),
    ),
    build_mutant(
        "MUT-521",
        "Below the first level, only the first of several directories is entered.",
        "FR-LD-LST-02 FR-LD-VAL-03",  # If all lost entries are at the default depth, that depth is not reached.
        tool=with_walk(FirstDirectoryOnly),
    ),
    build_mutant(
        "MUT-522",
        "A directory named like one above it counts as a loop.",
        "FR-LD-LST-02",
        tool=with_walk(LoopsByName),
    ),
    build_mutant(
        "MUT-523",
        "Directories such as node_modules are not entered.",
        "FR-LD-LST-02",
        tool=with_walk(SkipsWellKnown),
    ),
    build_mutant(
        "MUT-531",
        "A capped listing is not reported as truncated.",
        CAPS,
        "DOC-07 FR-LD-OUT-07 T-LD-14",
        tool=with_walk(Unreported),
    ),
    build_mutant(
        "MUT-532",
        "A recursive listing has one entry more than the cap.",
        # Filtered entries leave no gap before the cap.
        CAPS,
        "FR-LD-LST-05 FR-LD-LST-06 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-REL-02 T-LD-14",
        tool=with_walk(OneMore),
    ),
    build_mutant(
        "MUT-533",
        "A recursive listing that is cut has one entry less than the cap.",
        # Filtered entries leave no gap before the cap.
        CAPS,
        "FR-LD-LST-05 FR-LD-LST-06 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-PERF-01 NFR-LD-REL-02 T-LD-14",
        tool=with_walk(OneLess),
    ),
    build_mutant(
        "MUT-536",
        "The cap applies to each directory separately.",
        CAPS,
        "NFR-LD-PERF-01 FR-LD-LST-05 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-REL-02 T-LD-14",
        tool=with_walk(CapPerDirectory),
    ),
    build_mutant(
        "MUT-537",
        "The walk visits the whole tree, whatever the cap.",
        "NFR-LD-PERF-01 FR-LD-LST-07",
        tool=with_walk(WalksOn),
    ),
    build_mutant(
        "MUT-538",
        "Directories do not count towards the cap.",
        CAPS,
        "FR-LD-LST-05 DOC-01 FR-LD-OUT-01 FR-LD-OUT-07 SCH-LD T-LD-14",
        tool=with_walk(FilesAreCounted),
    ),
    build_mutant(
        "MUT-539",
        "A listing of exactly max_entries is truncated when it is recursive and complete when it is flat.",
        "FR-LD-LST-07 DOC-06 FR-LD-LST-06 FR-LD-OUT-02b",
        tool=with_walk(OneReadingWhenFlat),
    ),
    build_mutant(
        "MUT-933",
        "Of the names of a file, a recursive listing has the first.",
        "FR-LD-LST-02",
        tool=with_walk(EachFileOnce),
    ),
    build_mutant(
        "MUT-936",
        "A tree that is deeper than the call is cut, for the reason `max_depth`.",
        "DOC-07 DOC-06 FR-LD-OUT-02b FR-LD-LST-02 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b",
        tool=ListDirectory(walk=DepthIsTruncation, document=ReasonsByDepth),
    ),
    build_mutant(
        "MUT-965",
        "Below the third level, only the first of several directories is entered.",
        "FR-LD-LST-02 FR-LD-VAL-03",
        tool=with_walk(FirstDirectoryFurtherDown),
    ),
    build_mutant(
        "MUT-966",
        "A directory of a multiple of 64 names lacks the last one.",
        "FR-LD-LST-02",
        tool=ListDirectory(open_reader=LastOfAFullRead),
    ),
    build_mutant(
        "MUT-974",
        "Without files, directories that cannot be read are left out.",
        "FR-LD-LST-08",
        tool=with_walk(UnreadableAreFiles),
    ),
)
