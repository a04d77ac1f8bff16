"""Mutants that remain classes: what they do depends on the environment of the candidate's own process."""

import os
import time
from collections.abc import Iterable, Sequence

from treeproof.reference_impl.list_directory.document import Document, JsonValue, TruncationReason
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Name, ReadDirectory, Walk

from ..shared.mutant import Mutant
from .builders import build_mutant

DIGITS = {"ar": 0x660, "fa": 0x6F0}


def folds() -> bool:
    """Return whether the locale has no regard to case."""
    return os.environ.get("LC_ALL", "C").split(".")[0] not in ("C", "POSIX")


class WalksByTheLocale(Walk):
    def _read_directory(self, route: tuple[bytes, ...], prefix: str) -> ReadDirectory:
        return ReadDirectory(route, prefix, iter(self._sort_names(self._visible_names(route))))

    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        return sorted(names, key=lambda both: (both[0].casefold() if folds() else both[0], both[1]))


class SortsByTheLocale(Document):
    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda entry: (entry.path.casefold() if folds() else entry.path, entry.raw_path))


class LocalDigits(Document):
    def head_and_tail(self, count: int, reason: TruncationReason | None) -> tuple[str, str]:
        head, tail = super().head_and_tail(count, reason)
        zero = DIGITS.get(os.environ.get("LC_ALL", "")[:2], ord("0"))
        return head, tail.translate({ord("0") + digit: zero + digit for digit in range(10)})


class LocalErrors(Document):
    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        language = os.environ.get("LC_ALL", "")
        return members | {"error": f"{members['error']} [{language}]"} if entry.type == "unknown" else members


class LocalTimes(Document):
    def members(self, entry: Entry) -> dict[str, JsonValue]:
        members = super().members(entry)
        moment = members["modified_epoch_ms"]
        return members | {"modified_epoch_ms": self.local(moment)} if isinstance(moment, int) else members

    def local(self, moment: int) -> int:
        return moment + time.localtime(moment // 1000).tm_gmtoff * 1000


class TimesThroughLocalTime(LocalTimes):
    def local(self, moment: int) -> int:
        # An hour that a clock shows twice becomes its first one.
        seconds = time.mktime(time.localtime(moment // 1000)[:8] + (-1,))
        return int(seconds) * 1000 + moment % 1000


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-499",
        "The error text is in the language of the environment.",
        "EF-10 EF-09 FR-LD-OUT-02 FR-LD-LST-04",
        document=LocalErrors,
    ),
    build_mutant(
        "MUT-669", "The order of entries follows the locale.", "FR-LD-OUT-02 FR-LD-OUT-01", document=SortsByTheLocale
    ),
    build_mutant("MUT-791", "Numbers have the digits of the locale.", "FR-LD-OUT-02 DOC-01", document=LocalDigits),
    build_mutant("MUT-055", "The time is local time.", "FR-LD-OUT-02 EF-06", document=LocalTimes),
    build_mutant(
        "MUT-798", "Times are converted through local time.", "FR-LD-OUT-02 EF-06", document=TimesThroughLocalTime
    ),
    build_mutant(
        "MUT-990",
        "Under a locale, siblings are walked without regard to case.",
        "FR-LD-LST-05 FR-LD-OUT-02",
        walk=WalksByTheLocale,
    ),
)
