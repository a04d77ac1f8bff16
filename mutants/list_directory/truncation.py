"""Mutants: errors in budgets and sizes, in what is cut from a document that is too large, and if no document fits."""

from dataclasses import replace

from treeproof.api import CallResult
from treeproof.rows.list_directory.listing import (
    BUDGETS,
    CAP,
    CUT,
    ENDLESS,
    Items,
    ListCall,
    Listing,
    document_of,
    dumps,
    is_too_small,
)

from ..shared.mutant import Mutant
from .implied import CUT as NO_DOCUMENT
from .rows import row

SIZE = "FR-LD-OUT-05 FR-LD-OUT-06 FR-LD-OUT-07 T-LD-06 T-LD-14 NFR-LD-REL-01"
"""A document that was cut for size has another number of entries."""
TOO_SMALL = "FR-LD-OUT-03 FR-LD-OUT-04 FR-LD-OUT-07 NFR-LD-REL-01 T-LD-13"
"""No document fits into the budget."""


def size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def escapes(text: str) -> int:
    """Return how many characters the escapes of a text add."""
    return len(dumps(text)) - len(text) - 2


def escapes_in(items: Items) -> int:
    return sum(escapes(item.name) + escapes(item.path) for item in items)


def lengthened(items: Items) -> int:
    """Return what the error texts lack in 64 bytes each."""
    return sum(64 - len(item.entry["error"]) for item in items if item.entry["error"] is not None)


def is_cut(items: Items, reason: str | None) -> bool:
    return reason == CUT and bool(items)


def absent_beyond_63_bits(at: Listing) -> int:
    return min(BUDGETS[name] if budget >= 2**63 else budget for name, budget in at.sent.budgets.items())


def halved(at: Listing, fitting: int) -> int:
    count = len(at.items)
    while count > fitting:
        count //= 2
    return count


def without_the_longest(at: Listing, count: int) -> Items:
    by_size = sorted(at.items, key=lambda item: -size(item.text))
    lost = {item.raw for item in by_size[: len(at.items) - count]}
    return [item for item in at.items if item.raw not in lost]


def beginning(at: Listing, text: str) -> str:
    return text.encode()[: max(at.budget, 0)].decode("utf-8", "ignore")


def counting_the_lost(at: Listing) -> str | None:
    count = at.fitting()
    return None if count < 0 else at.text(at.items[:count], CUT, returned=len(at.items))


def truncatable(sent: ListCall, answer: CallResult) -> CallResult:
    return replace(answer, context={**(answer.context or {}), "allow_truncation": True})


def truncatable_if_whole(sent: ListCall, answer: CallResult) -> CallResult:
    value = document_of(answer)
    return truncatable(sent, answer) if value and not value["truncated"] else answer


MUTANTS: tuple[Mutant, ...] = (
    row("MUT-073", "Only available_capacity_bytes counts.", "FR-LD-OUT-03", SIZE, "FR-LD-OUT-08 FR-LD-OUT-06 T-LD-13")(
        budget=lambda at: at.sent.budgets["available_capacity_bytes"]
    ),
    row("MUT-551", "Only max_output_bytes counts.", "FR-LD-OUT-03", SIZE, "FR-LD-OUT-08 T-LD-13")(
        budget=lambda at: at.sent.budgets["max_output_bytes"]
    ),
    row("MUT-074", "The larger of the two budgets counts.", "FR-LD-OUT-03", SIZE, "FR-LD-OUT-08 FR-LD-OUT-06 T-LD-13")(
        budget=lambda at: max(at.sent.budgets.values())
    ),
    row("MUT-076", "Sizes are counted in characters.", "FR-LD-OUT-06 FR-LD-OUT-03")(
        bytes=lambda at, items, reason: len(at.text(items, reason))
    ),
    row("MUT-077", "Sizes are counted in UTF-16 code units.", "FR-LD-OUT-06 FR-LD-OUT-03")(
        bytes=lambda at, items, reason: len(at.text(items, reason).encode("utf-16-le")) // 2
    ),
    row(
        *("MUT-079", "The size is calculated with the number of entries before the cut."),
        "FR-LD-OUT-07 FR-LD-OUT-05 FR-LD-OUT-03",
    )(bytes=lambda at, items, reason: size(at.text(items, reason, returned=len(at.items)))),
    row(
        *("MUT-080", "The size is calculated without truncation, 13 bytes less.", "FR-LD-OUT-03", SIZE),
        "FR-LD-OUT-08 T-LD-13",
    )(bytes=lambda at, items, reason: at.bytes(items, None)),
    row("MUT-088", "Truncation by the framework stays enabled.", "FR-LD-OUT-04")(result=truncatable),
    row("MUT-552", "Truncation by the framework is disabled for truncated listings only.", "FR-LD-OUT-04 FR-LD-DEF-05")(
        result=truncatable_if_whole
    ),
    row("MUT-553", "A document of exactly the budget does not fit.", SIZE, "FR-LD-OUT-03 FR-LD-OUT-08")(
        budget=lambda at: at.whole_budget - 1
    ),
    row("MUT-554", "A document may be one byte longer than the budget.", "FR-LD-OUT-03", SIZE, "FR-LD-OUT-08 T-LD-13")(
        budget=lambda at: at.whole_budget + 1
    ),
    row(
        *("MUT-555", "No document is longer than 64 KiB, whatever the budget."),
        "FR-LD-OUT-07 FR-LD-OUT-05 FR-LD-OUT-03 FR-LD-LST-02",
    )(budget=lambda at: min(at.whole_budget, 65_536)),
    row("MUT-556", "Commas between entries are not counted.", "FR-LD-OUT-03", SIZE)(
        bytes=lambda at, items, reason: at.bytes(items, reason) - max(len(items) - 1, 0)
    ),
    row(
        *("MUT-557", "The text around the entries is not counted.", "FR-LD-OUT-03", SIZE),
        "FR-LD-OUT-08 T-LD-13 FR-LD-OUT-06 FR-LD-OUT-04",
    )(bytes=lambda at, items, reason: at.bytes(items, reason) - at.bytes([], reason)),
    row(
        *("MUT-558", "The size of a capped listing is calculated with its earlier reason."),
        "FR-LD-OUT-07 FR-LD-OUT-03 T-LD-14",
    )(bytes=lambda at, items, reason: at.bytes(items, at.reason or reason)),
    row("MUT-559", "Escapes in the requested path are not counted.", "FR-LD-OUT-06 FR-LD-OUT-08")(
        bytes=lambda at, items, reason: at.bytes(items, reason) - escapes(at.path)
    ),
    row("MUT-560", "Escapes in names are not counted.", "FR-LD-OUT-06 FR-LD-OUT-03")(
        bytes=lambda at, items, reason: at.bytes(items, reason) - escapes_in(items)
    ),
    # AMB-LD-64
    row("MUT-928", "Every error text is counted with 64 bytes.", "FR-LD-OUT-05")(
        bytes=lambda at, items, reason: at.bytes(items, reason) + lengthened(items)
    ),
    row(
        *("MUT-935", "A budget of 0 counts as none."),
        "FR-LD-OUT-03 FR-LD-OUT-08 T-LD-13 NFR-LD-REL-01 FR-LD-OUT-05 FR-LD-OUT-07",
    )(budget=lambda at: at.whole_budget or 102_400),
    row("MUT-975", "Where no budgets are given, they are thousands of bytes.", "FR-LD-OUT-07 FR-LD-OUT-05")(
        where=lambda sent: sent.budgets["available_capacity_bytes"] == 65_536, budget=lambda at: 64_000
    ),
    row(
        *("MUT-985", "Escapes in the requested path are not counted where entries are cut."),
        "FR-LD-OUT-06 FR-LD-OUT-03 FR-LD-OUT-08",
    )(bytes=lambda at, items, reason: at.bytes(items, reason) - escapes(at.path) * is_cut(items, reason)),
    row(
        *("MUT-986", "The requested path is counted in characters where entries are cut."),
        "FR-LD-OUT-03 FR-LD-OUT-06 FR-LD-OUT-08",
    )(bytes=lambda at, items, reason: at.bytes(items, reason) - (size(at.path) - len(at.path)) * is_cut(items, reason)),
    row("MUT-987", "Budgets beyond 63 bits count as absent.", "FR-LD-OUT-03")(budget=absent_beyond_63_bits),
    # The documents of NFR-LD-PERF-02 are larger.
    row("MUT-778", "No document is larger than 200,000 bytes.", "FR-LD-OUT-07 NFR-LD-PERF-02")(
        budget=lambda at: min(at.whole_budget, 200_000)
    ),
    row("MUT-779", "No document is larger than a mebibyte.", "FR-LD-OUT-07 NFR-LD-PERF-02")(
        budget=lambda at: min(at.whole_budget, 2**20)
    ),
    row("MUT-780", "A number of four digits is counted as one of three.", "FR-LD-OUT-03")(
        bytes=lambda at, items, reason: at.bytes(items, reason) - max(len(str(len(items))) - 3, 0)
    ),
    row("MUT-781", "A budget is too small if more than 500 entries must be removed.", "FR-LD-OUT-07")(
        count=lambda at, fitting: -1 if len(at.items) - fitting > 500 else fitting
    ),
    row("MUT-782", "A call without budgets has no limit.", "FR-LD-OUT-03")(
        context=lambda context: dict.fromkeys(BUDGETS, ENDLESS) | context
    ),
    # Too much is cut.
    row("MUT-789", "The line separator is counted as if it were escaped.", "FR-LD-OUT-06 FR-LD-OUT-07")(
        bytes=lambda at, items, reason: at.bytes(items, reason) + 3 * at.text(items, reason).count("\u2028")
    ),
    row("MUT-790", "DEL is counted as if it were escaped.", "FR-LD-OUT-06 FR-LD-OUT-07")(
        bytes=lambda at, items, reason: at.bytes(items, reason) + 5 * at.text(items, reason).count("\x7f")
    ),
    row("MUT-082", "The number of entries is halved until they fit.", "FR-LD-OUT-07", SIZE, "FR-LD-OUT-03")(
        count=halved
    ),
    row("MUT-083", "Entries are cut from the front.", "FR-LD-OUT-07", SIZE, "FR-LD-OUT-03")(
        take=lambda at, count: at.items[len(at.items) - count :]
    ),
    row(
        *("MUT-085", "The reason stays max_entries if a capped listing is cut for size."),
        "FR-LD-OUT-07 T-LD-14 DOC-07 FR-LD-OUT-02b",
    )(reason=lambda at, reason: at.reason or reason),
    row(
        *("MUT-086", "If nothing fits, an empty object is returned."),
        "FR-LD-OUT-08 NFR-LD-REL-01 T-LD-13 FR-LD-OUT-03 FR-LD-OUT-04 FR-LD-OUT-07 DOC-01",
    )(small=lambda at: "{}"),
    row("MUT-561", "A document that does not fit loses all its entries.", "FR-LD-OUT-07", SIZE, "FR-LD-OUT-03")(
        count=lambda at, fitting: 0
    ),
    row("MUT-562", "One entry too many is cut.", "FR-LD-OUT-07", SIZE, "FR-LD-OUT-03")(
        count=lambda at, fitting: max(0, fitting - 1)
    ),
    row("MUT-563", "The last visited entries are cut instead of the last shown.", "FR-LD-OUT-07 FR-LD-OUT-03")(
        take=lambda at, count: [item for item in at.items if item.turn < count]
    ),
    row("MUT-564", "The longest entries are cut first.", "FR-LD-OUT-07", SIZE, "FR-LD-OUT-03")(
        take=without_the_longest
    ),
    row(
        *("MUT-565", "A listing cut for size is not reported as truncated."),
        "FR-LD-OUT-05 FR-LD-OUT-07 T-LD-06 T-LD-14 FR-LD-OUT-08 FR-LD-OUT-02b DOC-06 DOC-07 FR-LD-OUT-03 FR-LD-OUT-06",
    )(reason=lambda at, reason: None if reason == CUT else reason),
    row(
        *("MUT-566", "The reason is always max_entries."),
        "FR-LD-OUT-05 FR-LD-OUT-07 T-LD-06 T-LD-14 FR-LD-OUT-08 FR-LD-OUT-02b DOC-07 DOC-06 FR-LD-OUT-03 FR-LD-OUT-06",
    )(reason=lambda at, reason: reason and CAP),
    row(
        *("MUT-567", "returned counts the entries before the cut for size."),
        "FR-LD-OUT-02b DOC-04 FR-LD-OUT-05 FR-LD-OUT-07 FR-LD-OUT-06 T-LD-06 FR-LD-OUT-03",
    )(cut=counting_the_lost),
    row(
        *("MUT-568", "A document that does not fit is cut at the budget's end.", "NFR-LD-REL-01", SIZE),
        *("FR-LD-OUT-03 FR-LD-OUT-08 T-LD-13", TOO_SMALL, NO_DOCUMENT),
    )(cut=lambda at: beginning(at, at.text(at.items, at.reason))),
    row(
        *("MUT-569", "If nothing fits, the beginning of the empty document is returned."),
        *("FR-LD-OUT-08 NFR-LD-REL-01 T-LD-13", TOO_SMALL),
    )(small=lambda at: beginning(at, at.text([], CUT))),
    row(
        *("MUT-570", "If nothing fits, the empty document is returned anyway.", "FR-LD-OUT-08 FR-LD-OUT-03 T-LD-13"),
        TOO_SMALL,
    )(small=lambda at: at.text([], CUT)),
    row(
        *("MUT-571", "If only the shorter empty document fits, a directory is reported as empty."),
        *("FR-LD-OUT-08 FR-LD-OUT-05", TOO_SMALL),
    )(small=lambda at: at.text([], None) if at.bytes([], None) <= at.budget else None),
    row("MUT-573", "A budget that is too small is reported as BadArgs.", "FR-LD-OUT-08 T-LD-13", TOO_SMALL)(
        failure=lambda answer: replace(answer, error_kind="BadArgs") if is_too_small(answer) else answer
    ),
    row("MUT-574", "A budget that is too small is reported without a message.", "FR-LD-OUT-08 T-LD-13", TOO_SMALL)(
        failure=lambda answer: replace(answer, error_message="") if is_too_small(answer) else answer
    ),
    row(
        *("MUT-575", "A listing that does not fit fails.", "FR-LD-OUT-05", SIZE, "FR-LD-OUT-08 FR-LD-OUT-03"),
        *(TOO_SMALL, NO_DOCUMENT),
    )(count=lambda at, fitting: -1),
)
