"""Wrong only where there are many: names, directories, entries that go, and bytes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...candidate import Candidate
from ...list_directory import ListDirectory
from ...listing.document import BudgetTooSmall, Document, Reason
from ...listing.entries import Entry
from ...listing.walk import Closed, Level, Walk
from ..mutant import Mutant
from .budgets import cutting
from .made import wrong
from .order import Names
from .reach import walking

BATCH = 1024
MANY = 64
ENDLESS = 10**9


class RunsOutOfFiles(Walk):
    """Keeps every directory open that it has read."""

    _opened = 0

    def _open(self, directory: Closed) -> Level | None:
        self._opened += 1
        return super()._open(directory) if self._opened <= 1000 else None


class SortsBatches(Walk):
    def _ordered(self, names: Iterable[tuple[str, bytes]]) -> Names:
        met = list(names)
        batches = [met[start : start + BATCH] for start in range(0, len(met), BATCH)]
        return [both for batch in batches for both in super(SortsBatches, self)._ordered(batch)]


class KeepsTheFirstNames(Walk):
    """Of a large directory as many names are kept as there may be entries, and one to tell that there are more."""

    def _ordered(self, names: Iterable[tuple[str, bytes]]) -> Names:
        ordered = super()._ordered(names)
        return ordered[: self._request.max_entries + 1] if len(ordered) > MANY else ordered


def capped(size: int) -> ListDirectory:
    """A tool with a budget of its own beside that of the call."""

    class Capped(Document):
        def __init__(
            self, path: str, entries: Sequence[Entry], max_entries: int, *, capped: bool, budget: int
        ) -> None:
            super().__init__(path, entries, max_entries, capped=capped, budget=min(budget, size))

    return cutting(Capped)


class ThreeDigits(Document):
    """Prices the number of entries with three digits at most."""

    def price(self, count: int, reason: Reason | None) -> int:
        return super().price(count, reason) - max(len(str(count)) - 3, 0)


class GivesUp(Document):
    """Takes entries away one by one, and loses patience."""

    def affordable(self) -> int:
        count = super().affordable()
        if len(self.texts) - count > 500:
            raise BudgetTooSmall
        return count


class WithoutUsualBudgets(Candidate):
    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        usual = {"max_output_bytes": ENDLESS, "available_capacity_bytes": ENDLESS}
        return super().call({**params, "context": usual | params["context"]})


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-775",
        "After a thousand directories no more can be opened.",
        "FR-LD-LST-02",
        tool=walking(RunsOutOfFiles),
    ),
    wrong(
        "MUT-776",
        "Names are sorted in batches of 1024.",
        "FR-LD-LST-05",
        "NFR-LD-PERF-01",  # in whose trees there are more names than that
        tool=walking(SortsBatches),
    ),
    wrong(
        "MUT-777",
        "Of a large directory the first max_entries names are kept, whatever their kinds.",
        "FR-LD-LST-06",
        tool=walking(KeepsTheFirstNames),
    ),
    wrong(
        "MUT-778",
        "No document is larger than 200,000 bytes.",
        "FR-LD-OUT-07",
        "NFR-LD-PERF-02",  # whose documents are larger
        tool=capped(200_000),
    ),
    wrong(
        "MUT-779",
        "No document is larger than a mebibyte.",
        "FR-LD-OUT-07",
        "NFR-LD-PERF-02",  # whose documents are larger
        tool=capped(2**20),
    ),
    wrong(
        "MUT-780",
        "A number of entries of four digits is priced as one of three.",
        "FR-LD-OUT-03",
        tool=cutting(ThreeDigits),
    ),
    wrong(
        "MUT-781",
        "A budget is too small if more than 500 entries have to go.",
        "FR-LD-OUT-07",
        tool=cutting(GivesUp),
    ),
    wrong(
        "MUT-782",
        "A call that names no budgets has none.",
        "FR-LD-OUT-03",
        face=WithoutUsualBudgets,
    ),
)
