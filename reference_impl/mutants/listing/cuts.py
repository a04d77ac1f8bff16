"""Wrong in what goes when a document does not fit, and in what comes when nothing fits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...context import CallContext
from ...errors import Kind
from ...executor import Executor, Result
from ...listing.document import BudgetTooSmall, Document, Reason
from ...listing.entries import Entry
from ...paths import Flavour
from ..mutant import Mutant
from .budgets import SIZE, TOO_SMALL, cutting
from .implied import CUT
from .made import wrong


class Halves(Document):
    """Keeps half of the entries, and half of those, until they fit."""

    def affordable(self) -> int:
        count = len(self.texts)
        while count and self.price(count, "max_output_bytes") > self.budget:
            count //= 2
        return min(count, super().affordable())


class AllOrNothing(Document):
    def affordable(self) -> int:
        return min(0, super().affordable())


class OneTooMany(Document):
    """Cuts one entry more than it takes."""

    def affordable(self) -> int:
        return max(0, super().affordable() - 1)


class CutsTheFront(Document):
    def affordable(self) -> int:
        count = super().affordable()
        while True:
            kept = self.texts[len(self.texts) - count :]
            sizes = sum(self.weight(text) + 1 for text in kept)
            head, tail = self.frame(count, "max_output_bytes")
            if self.weight(head) + max(sizes - 1, 0) + self.weight(tail) <= self.budget or not count:
                self.texts = kept
                return count
            count -= 1


class CutsTheWalk(Document):
    """Cuts what was met last instead of what is shown last."""

    def __init__(
        self, path: str, entries: Sequence[Entry], max_entries: int, *, capped: bool, budget: int
    ) -> None:
        super().__init__(path, entries, max_entries, capped=capped, budget=budget)
        self._met = entries

    def affordable(self) -> int:
        for count in range(len(self._met), 0, -1):
            kept = [self.entry_text(entry) for entry in self.ordered(self._met[:count])]
            head, tail = self.frame(count, "max_output_bytes")
            if self.weight(head) + self.weight(",".join(kept)) + self.weight(tail) <= self.budget:
                self.texts = kept
                return count
        return min(0, super().affordable())


class CutsTheLargest(Document):
    """Cuts the longest entries first."""

    def affordable(self) -> int:
        fewest = super().affordable()
        kept = list(self.texts)
        while len(kept) > fewest and kept:
            kept.remove(max(kept, key=self.weight))
            head, tail = self.frame(len(kept), "max_output_bytes")
            if self.weight(head) + self.weight(",".join(kept)) + self.weight(tail) <= self.budget:
                break
        self.texts = kept
        return len(kept)


class KeepsTheReason(Document):
    """A capped listing keeps that reason when it is cut for size."""

    def written(self, count: int, reason: Reason | None) -> str:
        return super().written(count, "max_entries" if self.capped else reason)


class Unreported(Document):
    """A listing that was cut for size looks like a whole one."""

    def written(self, count: int, reason: Reason | None) -> str:
        return super().written(count, None if reason == "max_output_bytes" else reason)


class CapReported(Document):
    """Whatever was cut, the reason is max_entries."""

    def written(self, count: int, reason: Reason | None) -> str:
        return super().written(count, reason and "max_entries")


class CountsTheLost(Document):
    """`returned` tells how many entries there were before they were cut for size."""

    def frame(self, count: int, reason: Reason | None) -> tuple[str, str]:
        return super().frame(len(self.texts), reason)


class EmptyObject(Document):
    def text(self) -> str:
        try:
            return super().text()
        except BudgetTooSmall:
            return "{}"


class CutText(Document):
    """What does not fit is cut off at the last byte that does."""

    def text(self) -> str:
        whole = self.written(len(self.texts), "max_entries" if self.capped else None)
        return whole.encode()[: max(self.budget, 0)].decode("utf-8", "ignore")


class CutTooSmall(Document):
    """Where not even the empty document fits, its beginning goes out."""

    def text(self) -> str:
        try:
            return super().text()
        except BudgetTooSmall:
            return (
                self.written(0, "max_output_bytes").encode()[: max(self.budget, 0)].decode("utf-8", "ignore")
            )


class EmptyAnyway(Document):
    """Where not even the empty document fits, it goes out all the same."""

    def text(self) -> str:
        try:
            return super().text()
        except BudgetTooSmall:
            return self.written(0, "max_output_bytes")


class PretendsEmpty(Document):
    """Where only the shorter of the two empty documents fits, a directory passes for empty."""

    def text(self) -> str:
        try:
            return super().text()
        except BudgetTooSmall:
            if self.price(0, None) > self.budget:
                raise
            return self.written(0, None)


class NeedsTheLonger(Document):
    """An empty directory, too, needs room for the longer of the two empty documents."""

    def text(self) -> str:
        if self.price(0, "max_output_bytes") > self.budget:
            raise BudgetTooSmall
        return super().text()


class TooSmallIsBadArgs(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        is_budget = "budget" in (result.message or "")
        return replace(result, kind=Kind.BAD_ARGS) if is_budget else result


class FailsWhenTooLong(Document):
    """What does not fit as a whole fails."""

    def affordable(self) -> int:
        raise BudgetTooSmall


class TooSmallIsSilent(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        return replace(result, message="") if "budget" in (result.message or "") else result


MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-082",
        "Entries are halved until they fit.",
        "FR-LD-OUT-07",
        *SIZE,
        "FR-LD-OUT-03",
        tool=cutting(Halves),
    ),
    wrong(
        "MUT-083",
        "Entries are cut from the front.",
        "FR-LD-OUT-07",
        *SIZE,
        "FR-LD-OUT-03",
        tool=cutting(CutsTheFront),
    ),
    wrong(
        "MUT-085",
        "The reason stays max_entries where a capped listing is cut for size.",
        "FR-LD-OUT-07",
        "T-LD-14",
        "DOC-07",
        "FR-LD-OUT-02b",
        tool=cutting(KeepsTheReason),
    ),
    wrong(
        "MUT-086",
        "Where nothing fits an empty object goes out.",
        "FR-LD-OUT-08",
        "NFR-LD-REL-01",
        "T-LD-13",
        "FR-LD-OUT-03",
        "FR-LD-OUT-04",
        "FR-LD-OUT-07",
        "DOC-01",
        tool=cutting(EmptyObject),
    ),
    wrong(
        "MUT-561",
        "What does not fit as a whole loses all its entries.",
        "FR-LD-OUT-07",
        *SIZE,
        "FR-LD-OUT-03",
        tool=cutting(AllOrNothing),
    ),
    wrong(
        "MUT-562",
        "One entry more is cut than it takes.",
        "FR-LD-OUT-07",
        *SIZE,
        "FR-LD-OUT-03",
        tool=cutting(OneTooMany),
    ),
    wrong(
        "MUT-563",
        "What was met last is cut instead of what is shown last.",
        "FR-LD-OUT-07",
        "FR-LD-OUT-03",
        tool=cutting(CutsTheWalk),
    ),
    wrong(
        "MUT-564",
        "The longest entries are cut first.",
        "FR-LD-OUT-07",
        *SIZE,
        "FR-LD-OUT-03",
        tool=cutting(CutsTheLargest),
    ),
    wrong(
        "MUT-565",
        "A listing that was cut for size does not say so.",
        "FR-LD-OUT-05",
        "FR-LD-OUT-07",
        "T-LD-06",
        "T-LD-14",
        "FR-LD-OUT-08",
        "FR-LD-OUT-02b",
        "DOC-06",
        "DOC-07",
        "FR-LD-OUT-03",
        "FR-LD-OUT-06",
        tool=cutting(Unreported),
    ),
    wrong(
        "MUT-566",
        "Whatever was cut, the reason is max_entries.",
        "FR-LD-OUT-05",
        "FR-LD-OUT-07",
        "T-LD-06",
        "T-LD-14",
        "FR-LD-OUT-08",
        "FR-LD-OUT-02b",
        "DOC-07",
        "DOC-06",
        "FR-LD-OUT-03",
        "FR-LD-OUT-06",
        tool=cutting(CapReported),
    ),
    wrong(
        "MUT-567",
        "returned tells how many entries there were before they were cut for size.",
        "FR-LD-OUT-02b",
        "DOC-04",
        "FR-LD-OUT-05",
        "FR-LD-OUT-07",
        "FR-LD-OUT-06",
        "T-LD-06",
        "FR-LD-OUT-03",  # what is due under every budget is said with the number of entries that are left
        tool=cutting(CountsTheLost),
    ),
    wrong(
        "MUT-568",
        "A document that does not fit is cut off where the budget ends.",
        "NFR-LD-REL-01",
        *SIZE,
        "FR-LD-OUT-03",
        "FR-LD-OUT-08",
        "T-LD-13",
        *TOO_SMALL,
        *CUT,
        tool=cutting(CutText),
    ),
    wrong(
        "MUT-569",
        "Where nothing fits the beginning of the empty document goes out.",
        "FR-LD-OUT-08",
        "NFR-LD-REL-01",
        "T-LD-13",
        *TOO_SMALL,
        tool=cutting(CutTooSmall),
    ),
    wrong(
        "MUT-570",
        "Where nothing fits the empty document goes out all the same.",
        "FR-LD-OUT-08",
        "FR-LD-OUT-03",
        "T-LD-13",
        *TOO_SMALL,
        tool=cutting(EmptyAnyway),
    ),
    wrong(
        "MUT-571",
        "Where only the shorter empty document fits, a directory passes for empty.",
        "FR-LD-OUT-08",
        "FR-LD-OUT-05",
        *TOO_SMALL,
        tool=cutting(PretendsEmpty),
    ),
    wrong(
        "MUT-572",
        "An empty directory needs room for the longer of the two empty documents.",
        "FR-LD-OUT-08",
        tool=cutting(NeedsTheLonger),
        reading="AMB-LD-17 longer",
    ),
    wrong(
        "MUT-573",
        "A budget that is too small is reported as BadArgs.",
        "FR-LD-OUT-08",
        "T-LD-13",
        *TOO_SMALL,
        executor=TooSmallIsBadArgs,
    ),
    wrong(
        "MUT-574",
        "A budget that is too small is reported without a word.",
        "FR-LD-OUT-08",
        "T-LD-13",
        *TOO_SMALL,
        executor=TooSmallIsSilent,
    ),
    wrong(
        "MUT-575",
        "A listing that does not fit as a whole fails.",
        "FR-LD-OUT-05",
        *SIZE,
        "FR-LD-OUT-08",
        "FR-LD-OUT-03",
        *TOO_SMALL,
        *CUT,
        tool=cutting(FailsWhenTooLong),
    ),
)
