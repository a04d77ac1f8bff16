"""Mutants: errors with large inputs: many names, directories, omitted entries, or bytes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory
from treeproof.reference_impl.list_directory.document import BudgetTooSmall, Document, TruncationReason
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.list_directory.walk import Listing, Name, ReadDirectory, UnreadDirectory, Walk
from treeproof.reference_impl.shared.candidate import Candidate

from ..shared.mutant import Mutant
from .builders import build_mutant
from .order import SortsAllNames
from .output_budget import with_document
from .traversal import with_walk

BATCH = 1024
MANY = 64
ENDLESS = 10**9


class RunsOutOfFiles(Walk):
    """Keeps every directory that it has read open."""

    _opened = 0

    def _try_read_directory(self, directory: UnreadDirectory) -> ReadDirectory | None:
        self._opened += 1
        return super()._try_read_directory(directory) if self._opened <= 1000 else None


class LimitInOneByte(Walk):
    """Keeps the limit in a byte."""

    def run(self) -> Listing:
        self._request = replace(self._request, max_entries=self._request.max_entries % 256 or 256)
        return super().run()


class SortsBatches(SortsAllNames):
    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        met = list(names)
        return [both for start in range(0, len(met), BATCH) for both in sorted(met[start : start + BATCH])]


class KeepsTheFirstNames(SortsAllNames):
    def _sort_names(self, names: Iterable[Name]) -> list[Name]:
        ordered = sorted(names)
        return ordered[: self._request.max_entries + 1] if len(ordered) > MANY else ordered


def with_own_budget(size: int) -> ListDirectory:
    """Return the tool with its own additional budget."""

    class Capped(Document):
        def __init__(self, path: str, entries: Sequence[Entry], max_entries: int, *, capped: bool, budget: int) -> None:
            super().__init__(path, entries, max_entries, capped=capped, budget=min(budget, size))

    return with_document(Capped)


class ThreeDigits(Document):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        return super().size_with_entries(count, reason) - max(len(str(count)) - 3, 0)


class GivesUp(Document):
    """Removes entries one by one, and gives up."""

    def max_fitting_count(self) -> int:
        count = super().max_fitting_count()
        if len(self.entry_texts) - count > 500:
            raise BudgetTooSmall
        return count


class WithoutUsualBudgets(Candidate):
    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        usual = {"max_output_bytes": ENDLESS, "available_capacity_bytes": ENDLESS}
        return super().call({**params, "context": usual | params["context"]})


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-775",
        "After 1,000 directories, no more can be opened.",
        "FR-LD-LST-02",
        tool=with_walk(RunsOutOfFiles),
    ),
    build_mutant(
        "MUT-776",
        "Names are sorted in batches of 1024.",
        "FR-LD-LST-05 NFR-LD-PERF-01",  # Its trees have more names.
        tool=with_walk(SortsBatches),
    ),
    build_mutant(
        "MUT-777",
        "Of a large directory, the first max_entries names of any type are kept.",
        "FR-LD-LST-06",
        tool=with_walk(KeepsTheFirstNames),
    ),
    build_mutant(
        "MUT-778",
        "No document is larger than 200,000 bytes.",
        "FR-LD-OUT-07 NFR-LD-PERF-02",  # Its documents are larger.
        tool=with_own_budget(200_000),
    ),
    build_mutant(
        "MUT-779",
        "No document is larger than a mebibyte.",
        "FR-LD-OUT-07 NFR-LD-PERF-02",  # Its documents are larger.
        tool=with_own_budget(2**20),
    ),
    build_mutant(
        "MUT-780",
        "A number of four digits is counted as one of three.",
        "FR-LD-OUT-03",
        tool=with_document(ThreeDigits),
    ),
    build_mutant(
        "MUT-781",
        "A budget is too small if more than 500 entries must be removed.",
        "FR-LD-OUT-07",
        tool=with_document(GivesUp),
    ),
    build_mutant(
        "MUT-782",
        "A call without budgets has no limit.",
        "FR-LD-OUT-03",
        candidate_class=WithoutUsualBudgets,
    ),
    build_mutant(
        "MUT-805",
        "The walk ends at the limit modulo 256.",
        "FR-LD-LST-07 FR-LD-LST-02 FR-LD-OUT-07 FR-LD-VAL-06a DOC-04 FR-LD-VAL-04 NFR-LD-PERF-02",
        tool=with_walk(LimitInOneByte),
    ),
)
