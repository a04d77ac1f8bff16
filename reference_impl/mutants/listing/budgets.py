"""Wrong in what is counted against a budget, and in what goes when it does not fit."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from ...context import CallContext
from ...errors import Kind
from ...executor import Executor, Result
from ...list_directory import ListDirectory, ListingPlan
from ...listing.document import BudgetTooSmall, Document, Reason
from ...listing.entries import Entry
from ...paths import Flavour
from ..mutant import Mutant, wrong


def within(budget: Callable[[CallContext], int]) -> ListDirectory:
    """Takes another number of bytes for the budget."""

    class Within(ListDirectory):
        def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
            return replace(super().plan(arguments, context, flavour), budget=budget(context))

    return Within()


def weighing(weight: Callable[[str], int]) -> ListDirectory:
    """Weighs texts in another unit."""

    class Weighing(Document):
        def weight(self, text: str) -> int:
            return weight(text)

    return ListDirectory(document=Weighing)


def cutting(document: type[Document]) -> ListDirectory:
    return ListDirectory(document=document)


class StaleReturned(Document):
    """Prices the frame with the count before anything was cut."""

    def price(self, count: int, reason: Reason | None) -> int:
        head, tail = self.frame(len(self.texts), reason)
        return self.weight(head) + max(self.sizes[count] - 1, 0) + self.weight(tail)


class FrameOfTheWhole(Document):
    """Prices the frame as if nothing had been cut."""

    def price(self, count: int, reason: Reason | None) -> int:
        head, tail = self.frame(count, None)
        return self.weight(head) + max(self.sizes[count] - 1, 0) + self.weight(tail)


class FrameOfTheCap(Document):
    """Prices the frame of a capped listing with the reason that it had before it was cut for size."""

    def price(self, count: int, reason: Reason | None) -> int:
        head, tail = self.frame(count, "max_entries" if self.capped else reason)
        return self.weight(head) + max(self.sizes[count] - 1, 0) + self.weight(tail)


class NoCommas(Document):
    def price(self, count: int, reason: Reason | None) -> int:
        return super().price(count, reason) - max(count - 1, 0)


class EntriesAlone(Document):
    """Prices the entries without what stands around them."""

    def price(self, count: int, reason: Reason | None) -> int:
        return self.sizes[count]


class PlainPath(Document):
    """Prices the requested path without its escapes."""

    def price(self, count: int, reason: Reason | None) -> int:
        return super().price(count, reason) - self.weight(self.quoted(self.path)) + self.weight(self.path) + 2


class PlainNames(Document):
    """Prices entries without their escapes."""

    def ordered(self, entries: Sequence[Entry]) -> list[Entry]:
        kept = super().ordered(entries)
        self._escapes = [
            0,
            *accumulate(self._escapes_in(entry.name) + self._escapes_in(entry.path) for entry in kept),
        ]
        return kept

    def _escapes_in(self, text: str) -> int:
        return len(self.quoted(text)) - len(text) - 2

    def price(self, count: int, reason: Reason | None) -> int:
        return super().price(count, reason) - self._escapes[count]


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


class LeavesTruncation(ListDirectory):
    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
        plan = super().plan(arguments, context, flavour)
        context.allow_truncation = True
        return plan


class ClearsTruncationWhenCut(ListDirectory):
    """Truncation by the framework is switched off only for documents that were cut."""

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
        plan = super().plan(arguments, context, flavour)
        context.allow_truncation = not json.loads(plan.run())["truncated"]
        return plan


SIZE = ("FR-LD-OUT-05", "FR-LD-OUT-07", "T-LD-06", "T-LD-14", "NFR-LD-REL-01")
"""What goes with any wrong number of entries in a document that was cut for size."""

MUTANTS: tuple[Mutant, ...] = (
    wrong(
        "MUT-073",
        "Only available_capacity_bytes counts.",
        "FR-LD-OUT-03",
        *SIZE,
        "FR-LD-OUT-08",
        "FR-LD-OUT-06",
        "T-LD-13",
        tool=within(lambda context: context.available_capacity_bytes),
    ),
    wrong(
        "MUT-551",
        "Only max_output_bytes counts.",
        "FR-LD-OUT-03",
        *SIZE,
        "FR-LD-OUT-08",
        tool=within(lambda context: context.max_output_bytes),
    ),
    wrong(
        "MUT-074",
        "The larger of the two budgets counts.",
        "FR-LD-OUT-03",
        *SIZE,
        "FR-LD-OUT-08",
        "FR-LD-OUT-06",
        "T-LD-13",
        tool=within(lambda context: max(context.max_output_bytes, context.available_capacity_bytes)),
    ),
    wrong("MUT-076", "Sizes are counted in characters.", "FR-LD-OUT-06", "FR-LD-OUT-03", tool=weighing(len)),
    wrong(
        "MUT-077",
        "Sizes are counted in UTF-16 code units.",
        "FR-LD-OUT-06",
        "FR-LD-OUT-03",
        tool=weighing(lambda text: len(text.encode("utf-16-le")) // 2),
    ),
    wrong(
        "MUT-079",
        "The document is priced with the number of entries before any were cut.",
        "FR-LD-OUT-07",
        "FR-LD-OUT-05",
        "FR-LD-OUT-03",
        tool=cutting(StaleReturned),
    ),
    wrong(
        "MUT-080",
        "The document is priced as if nothing had been cut, 13 bytes short.",
        "FR-LD-OUT-03",
        *SIZE,
        "FR-LD-OUT-08",
        "T-LD-13",
        tool=cutting(FrameOfTheWhole),
    ),
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
        tool=cutting(KeepsTheReason),
    ),
    wrong(
        "MUT-086",
        "Where nothing fits an empty object goes out.",
        "FR-LD-OUT-08",
        "NFR-LD-REL-01",
        "T-LD-13",
        tool=cutting(EmptyObject),
    ),
    wrong(
        "MUT-088",
        "Truncation by the framework stays on.",
        "FR-LD-OUT-04",
        tool=LeavesTruncation(),
    ),
    wrong(
        "MUT-552",
        "Truncation by the framework is switched off for listings that were cut, and no others.",
        "FR-LD-OUT-04",
        tool=ClearsTruncationWhenCut(),
    ),
    wrong(
        "MUT-553",
        "A document of exactly the budget does not fit.",
        "FR-LD-OUT-03",
        *SIZE,
        "FR-LD-OUT-08",
        tool=within(lambda context: context.effective_max - 1),
    ),
    wrong(
        "MUT-554",
        "A document may be one byte longer than the budget.",
        "FR-LD-OUT-03",
        *SIZE,
        "FR-LD-OUT-08",
        "T-LD-13",
        tool=within(lambda context: context.effective_max + 1),
    ),
    wrong(
        "MUT-555",
        "No document is longer than 64 KiB, whatever the budget.",
        "FR-LD-OUT-07",
        "FR-LD-OUT-05",
        "FR-LD-OUT-03",
        "FR-LD-LST-02",
        tool=within(lambda context: min(context.effective_max, 65_536)),
    ),
    wrong(
        "MUT-556", "Commas between entries are not counted.", "FR-LD-OUT-03", *SIZE, tool=cutting(NoCommas)
    ),
    wrong(
        "MUT-557",
        "What stands around the entries is not counted.",
        "FR-LD-OUT-03",
        *SIZE,
        "FR-LD-OUT-08",
        "T-LD-13",
        tool=cutting(EntriesAlone),
    ),
    wrong(
        "MUT-558",
        "A capped listing that is cut for size is priced with the reason that it had before.",
        "FR-LD-OUT-07",
        "FR-LD-OUT-03",
        "T-LD-14",
        tool=cutting(FrameOfTheCap),
    ),
    wrong(
        "MUT-559",
        "Escapes in the requested path are not counted.",
        "FR-LD-OUT-06",
        "FR-LD-OUT-08",
        tool=cutting(PlainPath),
    ),
    wrong("MUT-560", "Escapes in names are not counted.", "FR-LD-OUT-06", tool=cutting(PlainNames)),
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
        tool=cutting(CutsTheWalk),
    ),
    wrong("MUT-564", "The longest entries are cut first.", "FR-LD-OUT-07", tool=cutting(CutsTheLargest)),
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
        tool=cutting(CapReported),
    ),
    wrong(
        "MUT-567",
        "returned tells how many entries there were before they were cut for size.",
        "FR-LD-OUT-02b",
        "DOC-04",
        "FR-LD-OUT-05",
        "FR-LD-OUT-07",
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
        tool=cutting(CutText),
    ),
    wrong(
        "MUT-569",
        "Where nothing fits the beginning of the empty document goes out.",
        "FR-LD-OUT-08",
        "NFR-LD-REL-01",
        "T-LD-13",
        tool=cutting(CutTooSmall),
    ),
    wrong(
        "MUT-570",
        "Where nothing fits the empty document goes out all the same.",
        "FR-LD-OUT-08",
        "FR-LD-OUT-03",
        "T-LD-13",
        tool=cutting(EmptyAnyway),
    ),
    wrong(
        "MUT-571",
        "Where only the shorter empty document fits, a directory passes for empty.",
        "FR-LD-OUT-08",
        "FR-LD-OUT-05",
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
        executor=TooSmallIsBadArgs,
    ),
    wrong(
        "MUT-574",
        "A budget that is too small is reported without a word.",
        "FR-LD-OUT-08",
        "T-LD-13",
        executor=TooSmallIsSilent,
    ),
    wrong(
        "MUT-575",
        "A listing that does not fit as a whole fails.",
        "FR-LD-OUT-05",
        *SIZE,
        "FR-LD-OUT-08",
        "FR-LD-OUT-03",
        tool=cutting(FailsWhenTooLong),
    ),
)
