"""Mutants: errors in the truncation of a document that is too large, and in the result if no document fits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.list_directory.document import BudgetTooSmall, Document, TruncationReason
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ErrorKind
from treeproof.reference_impl.shared.executor import Executor, Result
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant
from .implied import CUT
from .output_budget import SIZE, TOO_SMALL, with_document


class Halves(Document):
    def max_fitting_count(self) -> int:
        count = len(self.entry_texts)
        while count and self.size_with_entries(count, "max_output_bytes") > self.budget:
            count //= 2
        return min(count, super().max_fitting_count())


class AllOrNothing(Document):
    def max_fitting_count(self) -> int:
        return min(0, super().max_fitting_count())


class OneTooMany(Document):
    def max_fitting_count(self) -> int:
        return max(0, super().max_fitting_count() - 1)


class CutsTheFront(Document):
    def max_fitting_count(self) -> int:
        count = super().max_fitting_count()
        while True:
            kept = self.entry_texts[len(self.entry_texts) - count :]
            sizes = sum(self.byte_size(text) + 1 for text in kept)
            head, tail = self.head_and_tail(count, "max_output_bytes")
            if self.byte_size(head) + max(sizes - 1, 0) + self.byte_size(tail) <= self.budget or not count:
                self.entry_texts = kept
                return count
            count -= 1


class CutsTheWalk(Document):
    def __init__(self, path: str, entries: Sequence[Entry], max_entries: int, *, capped: bool, budget: int) -> None:
        super().__init__(path, entries, max_entries, capped=capped, budget=budget)
        self._met = entries

    def max_fitting_count(self) -> int:
        for count in range(len(self._met), 0, -1):
            kept = [self.encode_entry(entry) for entry in self.sort(self._met[:count])]
            head, tail = self.head_and_tail(count, "max_output_bytes")
            if self.byte_size(head) + self.byte_size(",".join(kept)) + self.byte_size(tail) <= self.budget:
                self.entry_texts = kept
                return count
        return min(0, super().max_fitting_count())


class CutsTheLargest(Document):
    def max_fitting_count(self) -> int:
        fewest = super().max_fitting_count()
        kept = list(self.entry_texts)
        while len(kept) > fewest and kept:
            kept.remove(max(kept, key=self.byte_size))
            head, tail = self.head_and_tail(len(kept), "max_output_bytes")
            if self.byte_size(head) + self.byte_size(",".join(kept)) + self.byte_size(tail) <= self.budget:
                break
        self.entry_texts = kept
        return len(kept)


class KeepsTheReason(Document):
    """Keeps the reason of a capped listing that is cut for size."""

    def assemble(self, count: int, reason: TruncationReason | None) -> str:
        return super().assemble(count, "max_entries" if self.capped else reason)


class Unreported(Document):
    def assemble(self, count: int, reason: TruncationReason | None) -> str:
        return super().assemble(count, None if reason == "max_output_bytes" else reason)


class CapReported(Document):
    def assemble(self, count: int, reason: TruncationReason | None) -> str:
        return super().assemble(count, reason and "max_entries")


class CountsTheLost(Document):
    def head_and_tail(self, count: int, reason: TruncationReason | None) -> tuple[str, str]:
        return super().head_and_tail(len(self.entry_texts), reason)


class EmptyObject(Document):
    def render(self) -> str:
        try:
            return super().render()
        except BudgetTooSmall:
            return "{}"


class CutText(Document):
    def render(self) -> str:
        whole = self.assemble(len(self.entry_texts), "max_entries" if self.capped else None)
        return whole.encode()[: max(self.budget, 0)].decode("utf-8", "ignore")


class CutTooSmall(Document):
    def render(self) -> str:
        try:
            return super().render()
        except BudgetTooSmall:
            return self.assemble(0, "max_output_bytes").encode()[: max(self.budget, 0)].decode("utf-8", "ignore")


class EmptyAnyway(Document):
    def render(self) -> str:
        try:
            return super().render()
        except BudgetTooSmall:
            return self.assemble(0, "max_output_bytes")


class PretendsEmpty(Document):
    def render(self) -> str:
        try:
            return super().render()
        except BudgetTooSmall:
            if self.size_with_entries(0, None) > self.budget:
                raise
            return self.assemble(0, None)


class TooSmallIsBadArgs(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        is_budget = "budget" in (result.message or "")
        return replace(result, kind=ErrorKind.BAD_ARGS) if is_budget else result


class FailsWhenTooLong(Document):
    def max_fitting_count(self) -> int:
        raise BudgetTooSmall


class TooSmallIsSilent(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        return replace(result, message="") if "budget" in (result.message or "") else result


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-082",
        "The number of entries is halved until they fit.",
        "FR-LD-OUT-07",
        SIZE,
        "FR-LD-OUT-03",
        tool=with_document(Halves),
    ),
    build_mutant(
        "MUT-083",
        "Entries are cut from the front.",
        "FR-LD-OUT-07",
        SIZE,
        "FR-LD-OUT-03",
        tool=with_document(CutsTheFront),
    ),
    build_mutant(
        "MUT-085",
        "The reason stays max_entries if a capped listing is cut for size.",
        "FR-LD-OUT-07 T-LD-14 DOC-07 FR-LD-OUT-02b",
        tool=with_document(KeepsTheReason),
    ),
    build_mutant(
        "MUT-086",
        "If nothing fits, an empty object is returned.",
        "FR-LD-OUT-08 NFR-LD-REL-01 T-LD-13 FR-LD-OUT-03 FR-LD-OUT-04 FR-LD-OUT-07 DOC-01",
        tool=with_document(EmptyObject),
    ),
    build_mutant(
        "MUT-561",
        "A document that does not fit loses all its entries.",
        "FR-LD-OUT-07",
        SIZE,
        "FR-LD-OUT-03",
        tool=with_document(AllOrNothing),
    ),
    build_mutant(
        "MUT-562",
        "One entry too many is cut.",
        "FR-LD-OUT-07",
        SIZE,
        "FR-LD-OUT-03",
        tool=with_document(OneTooMany),
    ),
    build_mutant(
        "MUT-563",
        "The last visited entries are cut instead of the last shown.",
        "FR-LD-OUT-07 FR-LD-OUT-03",
        tool=with_document(CutsTheWalk),
    ),
    build_mutant(
        "MUT-564",
        "The longest entries are cut first.",
        "FR-LD-OUT-07",
        SIZE,
        "FR-LD-OUT-03",
        tool=with_document(CutsTheLargest),
    ),
    build_mutant(
        "MUT-565",
        "A listing cut for size is not reported as truncated.",
        "FR-LD-OUT-05 FR-LD-OUT-07 T-LD-06 T-LD-14 FR-LD-OUT-08 FR-LD-OUT-02b DOC-06 DOC-07 FR-LD-OUT-03 FR-LD-OUT-06",
        tool=with_document(Unreported),
    ),
    build_mutant(
        "MUT-566",
        "The reason is always max_entries.",
        "FR-LD-OUT-05 FR-LD-OUT-07 T-LD-06 T-LD-14 FR-LD-OUT-08 FR-LD-OUT-02b DOC-07 DOC-06 FR-LD-OUT-03 FR-LD-OUT-06",
        tool=with_document(CapReported),
    ),
    build_mutant(
        "MUT-567",
        "returned counts the entries before the cut for size.",
        "FR-LD-OUT-02b DOC-04 FR-LD-OUT-05 FR-LD-OUT-07 FR-LD-OUT-06 T-LD-06 FR-LD-OUT-03",
        tool=with_document(CountsTheLost),
    ),
    build_mutant(
        "MUT-568",
        "A document that does not fit is cut at the budget's end.",
        "NFR-LD-REL-01",
        SIZE,
        "FR-LD-OUT-03 FR-LD-OUT-08 T-LD-13",
        TOO_SMALL,
        CUT,
        tool=with_document(CutText),
    ),
    build_mutant(
        "MUT-569",
        "If nothing fits, the beginning of the empty document is returned.",
        "FR-LD-OUT-08 NFR-LD-REL-01 T-LD-13",
        TOO_SMALL,
        tool=with_document(CutTooSmall),
    ),
    build_mutant(
        "MUT-570",
        "If nothing fits, the empty document is returned anyway.",
        "FR-LD-OUT-08 FR-LD-OUT-03 T-LD-13",
        TOO_SMALL,
        tool=with_document(EmptyAnyway),
    ),
    build_mutant(
        "MUT-571",
        "If only the shorter empty document fits, a directory is reported as empty.",
        "FR-LD-OUT-08 FR-LD-OUT-05",
        TOO_SMALL,
        tool=with_document(PretendsEmpty),
    ),
    build_mutant(
        "MUT-573",
        "A budget that is too small is reported as BadArgs.",
        "FR-LD-OUT-08 T-LD-13",
        TOO_SMALL,
        executor=TooSmallIsBadArgs,
    ),
    build_mutant(
        "MUT-574",
        "A budget that is too small is reported without a message.",
        "FR-LD-OUT-08 T-LD-13",
        TOO_SMALL,
        executor=TooSmallIsSilent,
    ),
    build_mutant(
        "MUT-575",
        "A listing that does not fit fails.",
        "FR-LD-OUT-05",
        SIZE,
        "FR-LD-OUT-08 FR-LD-OUT-03",
        TOO_SMALL,
        CUT,
        tool=with_document(FailsWhenTooLong),
    ),
)
