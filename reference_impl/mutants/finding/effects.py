"""Wrong in what a list does beside answering, and in what it depends on."""

import os
import time
from collections.abc import Iterable
from typing import Any

from ...context import CallContext
from ...finding.entries import Seen, Telling
from ...finding.reading import Reading
from ...local_files import ListDirectory
from ..mutant import Mutant
from .made import Entries, wrong

REMEMBERED: dict[int, Any] = {}


class KeepsAnIndex(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        found = list(super().names(below))
        with open(self.path(*below, b".index"), "w") as index:
            index.write("x")
        return found


class Touches(Reading):
    def names(self, below: tuple[bytes, ...]) -> Iterable[bytes]:
        os.utime(self.path(*below))
        return super().names(below)


class LocalTimes(Telling):
    """Takes the time for one of the local zone."""

    def last_modified(self, seen: Seen) -> Any:
        offset = time.localtime(seen.mtime_ns // 10**9).tm_gmtoff
        return super().last_modified(seen) + offset * 1000


class Remembers(ListDirectory):
    """Keeps the metadata of each name from the first call on."""

    def entries(self, arguments: Any, context: CallContext) -> Entries:
        found = super().entries(arguments, context)
        key = hash((arguments["path"], tuple(entry["name"] for entry in found)))
        kept: Entries = REMEMBERED.setdefault(key, found)
        return kept


class RemembersPlaces(ListDirectory):
    """A directory that was listed once is not read any more."""

    def entries(self, arguments: Any, context: CallContext) -> Entries:
        found = super().entries(arguments, context)
        kept: Entries = REMEMBERED.setdefault(hash((context.roots[0], arguments["path"])), found)
        return kept


class TrimsPaths(ListDirectory):
    def directory(self, path: str, context: CallContext) -> str:
        return super().directory(path.strip(), context)


EVERYWHERE = (
    "LF-LIST-01",
    "LF-ERR-01",
    "LF-FIELD-01",
    "LF-FIELD-02",
    "LF-FIELD-03",
    "LF-FIELD-04",
    "LF-FIND-01",
    "LF-FIND-02",
    "LF-FIND-03",
    "LF-FIND-04",
    "LF-FIND-05",
    "LF-LINK-01",
    "LF-LINK-02",
    "LF-LINK-03",
    "LF-LIST-02",
    "LF-MODEL-01",
    "LF-MODEL-02",
    "LF-SORT-01",
    "LF-SORT-02",
    "LF-TYPE-01",
    "LF-TYPE-02",
    "LF-TYPE-03",
    "LF-ERR-02",
)
"""Wherever it is asked: every rule has scenarios that look at the tree afterwards."""

MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-LF-130",
        "An index is left behind.",
        "LF-WHY-01",
        *EVERYWHERE,
        reading=KeepsAnIndex,
    ),
    wrong(
        "MUT-LF-131",
        "The directory gets a new time.",
        "LF-WHY-01",
        *EVERYWHERE,
        reading=Touches,
    ),
    wrong("MUT-LF-132", "lastModified is local time.", "LF-FIELD-04", "LF-WHY-01", telling=LocalTimes),
    wrong("MUT-LF-133", "What was once told of a directory is told again.", "LF-FIELD-04", listing=Remembers),
    wrong("MUT-LF-135", "Blanks around a path are left out.", "LF-LIST-01", listing=TrimsPaths),
    wrong(
        "MUT-LF-134",
        "A directory that was listed once is not read any more.",
        "LF-LIST-01",
        "LF-FIELD-04",
        listing=RemembersPlaces,
    ),
)
