"""Wrong in how far a walk goes: depth, links, and the cap on entries."""

import contextlib
import os
import stat
from dataclasses import replace

from treeproof.reference_impl.list_directory.candidate import ListDirectory
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
        is_asked = self.arguments.get("recursive") or self.parse_path() == "."
        return depth if is_asked else self.settings.max_depth


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


class PeeksIntoChildren(Walk):
    """Opens what it will not list, to see whether there is anything in it."""

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
        return self._is_entered(entry) and not self._reader.list_names(tuple(entry.raw_path.split(b"/")))


class FirstDirectoryOnly(Walk):
    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour) -> None:
        super().__init__(reader, request, flavour)
        self._entered: dict[bytes, bytes] = {}

    def _is_entered(self, entry: Entry) -> bool:
        if not super()._is_entered(entry):
            return False
        parent, _, name = entry.raw_path.rpartition(b"/")
        return not parent or self._entered.setdefault(parent, name) == name


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


class PeeksThroughLinks(Walk):
    def _add_entry(self, entry: Entry) -> int | None:
        if entry.type == "symlink" and isinstance(self._reader, DirectoryReaderWrapper):
            with contextlib.suppress(OSError):
                os.listdir(self._reader.join(entry.raw_path))
        return super()._add_entry(entry)


class Unreported(Walk):
    """A capped listing looks like a whole one."""

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
    """The walk does not end at the cap, the listing does."""

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
        is_met = len(listing.entries) == self._request.max_entries and self._request.max_depth > 1
        return replace(listing, capped=listing.capped or is_met)


def with_argument_parser(kind: type[ArgumentParser]) -> ListDirectory:
    return ListDirectory(argument_parser=kind)


def with_walk(walk: type[Walk]) -> ListDirectory:
    return ListDirectory(walk=walk)


DEPTHS = (
    "NFR-LD-PERF-01 FR-LD-LST-08 FR-LD-VAL-06a CFG-LD-01 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b CFG-LD-03 "
    "CFG-LD-05 FR-LD-VAL-10"
)
CAPS = "FR-LD-LST-07 T-LD-05 FR-LD-OUT-02b DOC-06"

MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-043",
        "Links to directories are entered.",
        "FR-LD-VAL-09 T-LD-08 FR-LD-OUT-02 NFR-LD-REL-02 FR-LD-VAL-10 EF-02 EF-09 FR-LD-DEF-03",
        tool=ListDirectory(walk=EntersLinks, open_reader=Following),
    ),
    build_mutant(
        "MUT-512",
        "What links lead to is opened for nothing.",
        "FR-LD-VAL-09",
        tool=ListDirectory(walk=PeeksThroughLinks, open_reader=DirectoryReaderWrapper),
    ),
    build_mutant(
        "MUT-071",
        "Stopping at the depth limit counts as truncation.",
        "FR-LD-LST-02 DOC-06 T-LD-04 FR-LD-VAL-03 FR-LD-VAL-06b FR-LD-OUT-02b",
        tool=with_walk(DepthIsTruncation),
    ),
    build_mutant(
        "MUT-513",
        "Every listing of another directory than the working one is recursive.",
        "FR-LD-LST-01 T-LD-01 FR-LD-VAL-02 FR-LD-VAL-06a FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-VAL-10",
        tool=with_argument_parser(RecursiveBelow),
    ),
    build_mutant(
        "MUT-515",
        "A flat listing opens the directories that it lists.",
        "FR-LD-LST-01 NFR-LD-PERF-01",
        tool=with_walk(PeeksIntoChildren),
    ),
    build_mutant(
        "MUT-516",
        "No listing of another directory than the working one is recursive.",
        "FR-LD-LST-02",
        DEPTHS,
        "EF-02 EF-03 FR-LD-DEF-03 NFR-LD-PORT-01",
        tool=with_argument_parser(FlatBelow),
    ),
    build_mutant(
        "MUT-517",
        "A recursive listing is one level short.",
        "FR-LD-LST-02",
        DEPTHS,
        "EF-03 EF-08 FR-LD-LST-07 FR-LD-OUT-02b NFR-LD-PORT-01 SCH-LD",
        tool=with_argument_parser(OneLevelShort),
    ),
    build_mutant(
        "MUT-518",
        "A recursive listing is one level too deep.",
        "FR-LD-LST-02",
        DEPTHS,
        tool=with_argument_parser(OneLevelMore),
    ),
    build_mutant(
        "MUT-519",
        "A recursive listing that the cap leaves whole has no empty directories.",
        "FR-LD-LST-02",
        tool=with_walk(WithoutEmptyDirectories),
    ),
    build_mutant(
        "MUT-521",
        "Below the top only the first of the directories side by side is entered.",
        "FR-LD-LST-02 FR-LD-VAL-03",  # where all that is lost lies at the default depth, that depth is not reached
        tool=with_walk(FirstDirectoryOnly),
    ),
    build_mutant(
        "MUT-522",
        "A directory that is named like one above it is taken for a loop.",
        "FR-LD-LST-02",
        tool=with_walk(LoopsByName),
    ),
    build_mutant(
        "MUT-523",
        "Directories that programs fill, such as node_modules, are not entered.",
        "FR-LD-LST-02",
        tool=with_walk(SkipsWellKnown),
    ),
    build_mutant(
        "MUT-531",
        "A listing that the cap has cut does not say so.",
        CAPS,
        "DOC-07 FR-LD-OUT-07 T-LD-14",
        tool=with_walk(Unreported),
    ),
    build_mutant(
        "MUT-532",
        "A recursive listing has one entry more than the cap.",
        # what is filtered out leaves no gap up to the cap
        CAPS,
        "FR-LD-LST-05 FR-LD-LST-06 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-REL-02 T-LD-14",
        tool=with_walk(OneMore),
    ),
    build_mutant(
        "MUT-533",
        "A recursive listing that is cut has one entry less than the cap.",
        # what is filtered out leaves no gap up to the cap
        CAPS,
        "FR-LD-LST-05 FR-LD-LST-06 FR-LD-LST-08 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-PERF-01 NFR-LD-REL-02 "
        "T-LD-14",
        tool=with_walk(OneLess),
    ),
    build_mutant(
        "MUT-536",
        "The cap is on each directory by itself.",
        CAPS,
        "NFR-LD-PERF-01 FR-LD-LST-05 FR-LD-OUT-01 FR-LD-OUT-07 NFR-LD-REL-02 T-LD-14",
        tool=with_walk(CapPerDirectory),
    ),
    build_mutant(
        "MUT-537",
        "The walk goes through the whole tree, whatever the cap.",
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
)
