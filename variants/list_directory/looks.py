"""Variants: which directories and entries are looked at, by which calls, and when."""

import os
from contextlib import suppress
from typing import Any

from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.request import Request
from treeproof.reference_impl.list_directory.walk import ReadDirectory, Walk
from treeproof.reference_impl.shared.directory_reader import DescriptorReader, DirectoryReader, Route
from treeproof.reference_impl.shared.paths import Flavour
from treeproof.reference_impl.shared.sandbox import Place

from ..shared.variant import variant
from .readers import ExtendedReader, require_place

AHEAD = 16


class RemembersNames(ExtendedReader):
    """Reads a directory once, also if that fails."""

    def __init__(self, place: Place, flavour: Flavour) -> None:
        super().__init__(place, flavour)
        self._known: dict[Route, list[bytes] | OSError] = {}

    def list_names(self, route: Route) -> list[bytes]:
        if route not in self._known:
            try:
                self._known[route] = super().list_names(route)
            except OSError as error:
                self._known[route] = error
        found = self._known[route]
        if isinstance(found, OSError):
            raise found
        return found


class ReadsAhead(Walk):
    """Reads the first directories in a directory at once, whether the listing has room for their entries or not."""

    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        level = super()._read_directory(route, prefix)
        names = list(level.remaining_names)
        entries = [self._read_entry(level, *pair) for pair in names[:AHEAD]]
        for (_, name), entry in zip(names, entries, strict=False):
            if self._is_entered(entry):
                with suppress(OSError):  # it is reported when the walk arrives there
                    list(self._reader.list_names((*route, name)))
        return ReadDirectory(route, prefix, iter(names))


class ExaminesAtOnce(Walk):
    def __init__(self, reader: DirectoryReader, request: Request, flavour: Flavour, **of_others: Any) -> None:
        super().__init__(reader, request, flavour, **of_others)
        self._examined: dict[tuple[Route, bytes], Entry] = {}

    def _read_directory(self, route: Route, prefix: str) -> ReadDirectory:
        level = super()._read_directory(route, prefix)
        names = list(level.remaining_names)
        for lossy_name, name in names:
            self._examined[route, name] = super()._read_entry(level, lossy_name, name)
        return ReadDirectory(route, prefix, iter(names))

    def _read_entry(self, level: ReadDirectory, lossy_name: str, name: bytes) -> Entry:
        known = self._examined.get((level.route, name))
        return super()._read_entry(level, lossy_name, name) if known is None else known


class OpensChildren(DescriptorReader):
    """Opens each directory that it meets and examines the descriptor; reads nothing from it."""

    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        found = super().lstat(route, name)
        try:
            descriptor = os.open(os.fsdecode(name), self.flags, dir_fd=self._descriptor(route))
        except OSError:
            return found
        try:
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)


class TakesHold(DescriptorReader):
    """Examines each entry by a descriptor that can read nothing."""

    def lstat(self, route: Route, name: bytes) -> os.stat_result:
        descriptor = os.open(os.fsdecode(name), os.O_PATH | os.O_NOFOLLOW, dir_fd=self._descriptor(route))
        try:
            return os.fstat(descriptor)
        finally:
            os.close(descriptor)


class StopsEarly(DescriptorReader):
    """Asks for no more names when all that it got would have fitted into one answer of the system."""

    def list_names(self, route: Route) -> list[bytes]:
        names: list[bytes] = []
        with os.scandir(self._descriptor(route)) as records:
            try:
                names.extend(os.fsencode(record.name) for record in records)
            except OSError:
                if not names or sum(len(name) + 32 for name in names) > 16_384:
                    raise
        return names


class OpensFirst(ExtendedReader):
    reader: type[DescriptorReader] = OpensChildren

    def open_inner(self, place: Place, flavour: Flavour) -> DirectoryReader:
        require_place(place)
        return self.reader(place)


class HoldsFirst(OpensFirst):
    reader = TakesHold


class ReadsOnce(OpensFirst):
    reader = StopsEarly


READERS = ("AMB-LD-53=b", "AMB-LD-66=b", "VAR-LD-66", "VAR-LD-106", "VAR-LD-111", "VAR-LD-118")
"""Variants that read directories by other calls; one implementation has one way to read."""

VARIANTS = (
    variant("AMB-LD-49=d", "Sixteen directories are read ahead.")(walk=ReadsAhead, open_reader=RemembersNames),
    variant("VAR-LD-49", "All entries of a directory are examined at once.")(walk=ExaminesAtOnce),
    variant("VAR-LD-106", "Directories are opened, not only examined.", excludes=READERS)(open_reader=OpensFirst),
    variant("VAR-LD-111", "Entries are examined by descriptors that read nothing.", excludes=READERS)(
        open_reader=HoldsFirst
    ),
    variant(
        "VAR-LD-118",
        "A directory that fits into one answer is read once.",
        unverified=dict.fromkeys(
            ("FR-LD-LST-08", "T-LD-12"), "An injected failure of a second read has no effect where there is none."
        ),
        excludes=READERS,
    )(open_reader=ReadsOnce),
)
