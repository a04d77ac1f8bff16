"""Mutants: side effects, and results that depend on earlier calls or the environment."""

import os
import time
from collections.abc import Iterable
from typing import Any

from treeproof.reference_impl.local_files.candidate import ListDirectory
from treeproof.reference_impl.local_files.directory_scan import DirectoryScan
from treeproof.reference_impl.local_files.entries import EntryFormatter, EntryMetadata
from treeproof.reference_impl.shared.context import CallContext

from ..shared.mutant import Mutant
from .builders import Entries, build_mutant

REMEMBERED: dict[int, Any] = {}


class KeepsAnIndex(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        found = list(super().list_names(below))
        with open(self.join(*below, b".index"), "w") as index:
            index.write("x")
        return found


class Touches(DirectoryScan):
    def list_names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        os.utime(self.join(*below))
        return super().list_names(below)


class LocalTimes(EntryFormatter):
    """Interprets the time as local time."""

    def last_modified(self, item: EntryMetadata) -> Any:
        offset = time.localtime(item.mtime_ns // 10**9).tm_gmtoff
        return super().last_modified(item) + offset * 1000


class Remembers(ListDirectory):
    """Caches the metadata of each name."""

    def list_entries(self, arguments: Any, context: CallContext) -> Entries:
        found = super().list_entries(arguments, context)
        key = hash((arguments["path"], tuple(entry["name"] for entry in found)))
        kept: Entries = REMEMBERED.setdefault(key, found)
        return kept


class RemembersPlaces(ListDirectory):
    def list_entries(self, arguments: Any, context: CallContext) -> Entries:
        found = super().list_entries(arguments, context)
        kept: Entries = REMEMBERED.setdefault(hash((context.roots[0], arguments["path"])), found)
        return kept


class TrimsPaths(ListDirectory):
    def normalise_path(self, path: str, context: CallContext) -> str:
        return super().normalise_path(path.strip(), context)


EVERYWHERE = (
    "LF-LIST-01 LF-ERR-01 LF-FIELD-01 LF-FIELD-02 LF-FIELD-03 LF-FIELD-04 LF-FIND-01 LF-FIND-02 "
    "LF-FIND-03 LF-FIND-04 LF-FIND-05 LF-LINK-01 LF-LINK-02 LF-LINK-03 LF-LIST-02 LF-MODEL-01 LF-MODEL-02 "
    "LF-SORT-01 LF-SORT-02 LF-TYPE-01 LF-TYPE-02 LF-TYPE-03 LF-ERR-02 LF-ERR-03 LF-WHY-01"
)
"""The requirements whose scenarios compare the tree afterwards."""

MUTANTS: tuple[Mutant, ...] = (
    build_mutant("MUT-LF-132", "lastModified is local time.", "LF-FIELD-04 LF-WHY-01", entry_formatter=LocalTimes),
)
