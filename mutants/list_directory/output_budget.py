"""Mutants: errors in the calculation of budgets and sizes."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from treeproof.reference_impl.list_directory.candidate import ListDirectory, ListingPlan
from treeproof.reference_impl.list_directory.document import Document, TruncationReason
from treeproof.reference_impl.list_directory.entries import Entry
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.paths import Flavour

from ..shared.mutant import Mutant
from .builders import build_mutant


def with_budget(budget: Callable[[CallContext], int]) -> ListDirectory:
    """Return the tool with another budget."""

    class Within(ListDirectory):
        def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
            return replace(super().plan(arguments, context, flavour), budget=budget(context))

    return Within()


def with_byte_size(weight: Callable[[str], int]) -> ListDirectory:
    """Return the tool with texts measured in another unit."""

    class MeasuringBytes(Document):
        def byte_size(self, text: str) -> int:
            return weight(text)

    return ListDirectory(document=MeasuringBytes)


def with_document(document: type[Document]) -> ListDirectory:
    return ListDirectory(document=document)


class StaleReturned(Document):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        head, tail = self.head_and_tail(len(self.entry_texts), reason)
        return self.byte_size(head) + max(self.prefix_sizes[count] - 1, 0) + self.byte_size(tail)


class FrameOfTheWhole(Document):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        head, tail = self.head_and_tail(count, None)
        return self.byte_size(head) + max(self.prefix_sizes[count] - 1, 0) + self.byte_size(tail)


class FrameOfTheCap(Document):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        head, tail = self.head_and_tail(count, "max_entries" if self.capped else reason)
        return self.byte_size(head) + max(self.prefix_sizes[count] - 1, 0) + self.byte_size(tail)


class NoCommas(Document):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        return super().size_with_entries(count, reason) - max(count - 1, 0)


class EntriesAlone(Document):
    """Counts the entries without the surrounding text."""

    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        return self.prefix_sizes[count]


class PlainPath(Document):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        return (
            super().size_with_entries(count, reason)
            - self.byte_size(self.encode_string(self.path))
            + self.byte_size(self.path)
            + 2
        )


class PlainPathWhenCut(PlainPath):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        if reason == "max_output_bytes" and count:
            return super().size_with_entries(count, reason)
        return Document.size_with_entries(self, count, reason)


class ShortPathWhenCut(Document):
    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        right = super().size_with_entries(count, reason)
        is_cut = reason == "max_output_bytes" and count
        return right - self.byte_size(self.path) + len(self.path) if is_cut else right


class PlainNames(Document):
    """Counts entries without their escapes."""

    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        kept = super().sort(entries)
        self._escapes = [
            0,
            *accumulate(self._escapes_in(entry.name) + self._escapes_in(entry.path) for entry in kept),
        ]
        return kept

    def _escapes_in(self, text: str) -> int:
        return len(self.encode_string(text)) - len(text) - 2

    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        return super().size_with_entries(count, reason) - self._escapes[count]


class StandardErrorTexts(Document):
    """Counts every error text with the same length."""

    length = 64

    def sort(self, entries: Sequence[Entry]) -> list[Entry]:
        kept = super().sort(entries)
        self._differences = [
            0,
            *accumulate(0 if entry.error is None else self.length - len(entry.error) for entry in kept),
        ]
        return kept

    def size_with_entries(self, count: int, reason: TruncationReason | None) -> int:
        return super().size_with_entries(count, reason) + self._differences[count]


class LeavesTruncation(ListDirectory):
    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
        plan = super().plan(arguments, context, flavour)
        context.allow_truncation = True
        return plan


class ClearsTruncationWhenCut(ListDirectory):
    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> ListingPlan:
        plan = super().plan(arguments, context, flavour)
        context.allow_truncation = not json.loads(plan.run())["truncated"]
        return plan


SIZE = "FR-LD-OUT-05 FR-LD-OUT-06 FR-LD-OUT-07 T-LD-06 T-LD-14 NFR-LD-REL-01"
"""A document that was cut for size has another number of entries."""

TOO_SMALL = "FR-LD-OUT-03 FR-LD-OUT-04 FR-LD-OUT-07 NFR-LD-REL-01 T-LD-13"
"""No document fits into the budget."""


class NothingIsNoBudget(Document):
    """A budget of 0 counts as none."""

    def render(self) -> str:
        self.budget = self.budget or 102_400
        return super().render()


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-073",
        "Only available_capacity_bytes counts.",
        "FR-LD-OUT-03",
        SIZE,
        "FR-LD-OUT-08 FR-LD-OUT-06 T-LD-13",
        tool=with_budget(lambda context: context.available_capacity_bytes),
    ),
    build_mutant(
        "MUT-551",
        "Only max_output_bytes counts.",
        "FR-LD-OUT-03",
        SIZE,
        "FR-LD-OUT-08 T-LD-13",
        tool=with_budget(lambda context: context.max_output_bytes),
    ),
    build_mutant(
        "MUT-074",
        "The larger of the two budgets counts.",
        "FR-LD-OUT-03",
        SIZE,
        "FR-LD-OUT-08 FR-LD-OUT-06 T-LD-13",
        tool=with_budget(lambda context: max(context.max_output_bytes, context.available_capacity_bytes)),
    ),
    build_mutant("MUT-076", "Sizes are counted in characters.", "FR-LD-OUT-06 FR-LD-OUT-03", tool=with_byte_size(len)),
    build_mutant(
        "MUT-077",
        "Sizes are counted in UTF-16 code units.",
        "FR-LD-OUT-06 FR-LD-OUT-03",
        tool=with_byte_size(lambda text: len(text.encode("utf-16-le")) // 2),
    ),
    build_mutant(
        "MUT-079",
        "The size is calculated with the number of entries before the cut.",
        "FR-LD-OUT-07 FR-LD-OUT-05 FR-LD-OUT-03",
        tool=with_document(StaleReturned),
    ),
    build_mutant(
        "MUT-080",
        "The size is calculated without truncation, 13 bytes less.",
        "FR-LD-OUT-03",
        SIZE,
        "FR-LD-OUT-08 T-LD-13",
        tool=with_document(FrameOfTheWhole),
    ),
    build_mutant("MUT-088", "Truncation by the framework stays enabled.", "FR-LD-OUT-04", tool=LeavesTruncation()),
    build_mutant(
        "MUT-552",
        "Truncation by the framework is disabled for truncated listings only.",
        "FR-LD-OUT-04 FR-LD-DEF-05",
        tool=ClearsTruncationWhenCut(),
    ),
    build_mutant(
        "MUT-553",
        "A document of exactly the budget does not fit.",
        SIZE,
        "FR-LD-OUT-03 FR-LD-OUT-08",
        tool=with_budget(lambda context: context.effective_max - 1),
    ),
    build_mutant(
        "MUT-554",
        "A document may be one byte longer than the budget.",
        "FR-LD-OUT-03",
        SIZE,
        "FR-LD-OUT-08 T-LD-13",
        tool=with_budget(lambda context: context.effective_max + 1),
    ),
    build_mutant(
        "MUT-555",
        "No document is longer than 64 KiB, whatever the budget.",
        "FR-LD-OUT-07 FR-LD-OUT-05 FR-LD-OUT-03 FR-LD-LST-02",
        tool=with_budget(lambda context: min(context.effective_max, 65_536)),
    ),
    build_mutant(
        "MUT-556",
        "Commas between entries are not counted.",
        "FR-LD-OUT-03",
        SIZE,
        tool=with_document(NoCommas),
    ),
    build_mutant(
        "MUT-557",
        "The text around the entries is not counted.",
        "FR-LD-OUT-03",
        SIZE,
        "FR-LD-OUT-08 T-LD-13 FR-LD-OUT-06 FR-LD-OUT-04",
        tool=with_document(EntriesAlone),
    ),
    build_mutant(
        "MUT-558",
        "The size of a capped listing is calculated with its earlier reason.",
        "FR-LD-OUT-07 FR-LD-OUT-03 T-LD-14",
        tool=with_document(FrameOfTheCap),
    ),
    build_mutant(
        "MUT-559",
        "Escapes in the requested path are not counted.",
        "FR-LD-OUT-06 FR-LD-OUT-08",
        tool=with_document(PlainPath),
    ),
    build_mutant(
        "MUT-560",
        "Escapes in names are not counted.",
        "FR-LD-OUT-06 FR-LD-OUT-03",
        tool=with_document(PlainNames),
    ),
    build_mutant(
        "MUT-928",
        "Every error text is counted with 64 bytes.",  # AMB-LD-64
        "FR-LD-OUT-05",
        tool=with_document(StandardErrorTexts),
    ),
    build_mutant(
        "MUT-935",
        "A budget of 0 counts as none.",
        "FR-LD-OUT-03 FR-LD-OUT-08 T-LD-13 NFR-LD-REL-01 FR-LD-OUT-05 FR-LD-OUT-07",
        tool=with_document(NothingIsNoBudget),
    ),
    build_mutant(
        "MUT-975",
        "Where no budgets are given, they are thousands of bytes.",
        "FR-LD-OUT-07 FR-LD-OUT-05",
        tool=with_budget(
            lambda context: 64_000 if context.available_capacity_bytes == 65_536 else context.effective_max
        ),
    ),
    build_mutant(
        "MUT-985",
        "Escapes in the requested path are not counted where entries are cut.",
        "FR-LD-OUT-06 FR-LD-OUT-03 FR-LD-OUT-08",
        tool=with_document(PlainPathWhenCut),
    ),
    build_mutant(
        "MUT-986",
        "The requested path is counted in characters where entries are cut.",
        "FR-LD-OUT-03 FR-LD-OUT-06 FR-LD-OUT-08",
        tool=with_document(ShortPathWhenCut),
    ),
    build_mutant(
        "MUT-987",
        "Budgets beyond 63 bits count as absent.",
        "FR-LD-OUT-03",
        tool=with_budget(
            lambda context: min(
                102_400 if context.max_output_bytes >= 2**63 else context.max_output_bytes,
                65_536 if context.available_capacity_bytes >= 2**63 else context.available_capacity_bytes,
            )
        ),
    ),
)
