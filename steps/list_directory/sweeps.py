"""When and Then: one call under every budget up to a bound, compared with a table of ranges."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from treeproof.api import (
    CONTROL_CALL,
    MISSING_ENTRIES,
    UNEXPECTED_ENTRIES,
    CallResult,
    Fault,
    Mismatch,
    World,
    then,
    when,
    with_context,
)

from ..shared.interpretations import READING_COLUMN, match_outcomes
from ..shared.values import format_json, parse_rows
from .json_encoding import (
    UNLIMITED_BUDGET,
    assert_form,
    assert_largest_that_fits,
    assert_within_budget,
    mismatch_of_failure,
)
from .truncation import OTHER_TRUNCATION, truncation_reason
from .view import MEMBERS, OTHER_MEMBERS, Document, parse_answer, truncated_text, utf8_length

AMPLE_BUDGET = 1_000_000
QUICK_SECONDS = 0.002
"""A slower candidate is called only at the edges of every range and at every 16th budget."""
RANGE_COLUMNS = ("from", "to", "returned", "reason", "bytes", "fails")
BUDGET_STRIDE = 5
"""Every fifth budget is called, because an incomplete document is incomplete at nearly every budget."""


@when(
    r"(?P<tool>[\w.]+) is called with (?P<arguments>\{.*\}) under every budget up to (?P<bound>\d+) bytes",
    example="list_directory is called with {} under every budget up to 250 bytes",
    role="call",
    capabilities="budget",
)
def under_every_budget(world: World, tool: str, arguments: str, bound: str) -> None:
    """Call with each max_output_bytes from 0 to this number."""
    _start_sweep(world, tool, arguments, int(bound), "max_output_bytes", "available_capacity_bytes")


@when(
    r"(?P<tool>[\w.]+) is called with (?P<arguments>\{.*\}) under every capacity up to (?P<bound>\d+) bytes",
    example="list_directory is called with {} under every capacity up to 250 bytes",
    role="call",
    capabilities="budget",
)
def under_every_capacity(world: World, tool: str, arguments: str, bound: str) -> None:
    """Call with each available_capacity_bytes from 0 to this number."""
    _start_sweep(world, tool, arguments, int(bound), "available_capacity_bytes", "max_output_bytes")


class BudgetSweep:
    """A call under many budgets. The candidate is called once for each budget, when a step needs the answer."""

    def __init__(self, world: World, tool: str, arguments: str, bound: int, swept: str, ample: str) -> None:
        self.world = world
        self.bound = bound
        self._call = world.call_builder.build(tool, arguments, extra_context={swept: AMPLE_BUDGET, ample: AMPLE_BUDGET})
        self._swept = swept
        self._answers: dict[int, CallResult] = {}
        started = time.perf_counter()
        self.untruncated = parse_answer(
            world.send(with_context(self._call, **{swept: UNLIMITED_BUDGET, ample: UNLIMITED_BUDGET}))
        )
        self.is_quick = time.perf_counter() - started < QUICK_SECONDS

    def answer(self, budget: int) -> CallResult:
        """Return the answer under ``budget`` bytes."""
        if budget not in self._answers:
            call = with_context(self._call, **{self._swept: budget})
            self._answers[budget] = self.world.send_unrecorded(call)
        return self._answers[budget]

    @contextlib.contextmanager
    def reporting_budget(self, budget: int) -> Iterator[None]:
        """Add ``budget`` to a Mismatch, and record its call; the Mismatch names it.

        Other calls are not recorded: their number depends on the time of a call, and evidence must not.
        """
        try:
            yield
        except Mismatch as why:
            self.world.log.add(with_context(self._call, **{self._swept: budget}), self._answers[budget])
            raise why.at_answer(len(self.world.log.answers) - 1).within(f"under {budget} bytes: ") from why

    def budgets(self, edges: set[int]) -> list[int]:
        """Return the budgets to call with, in ascending order, including the edges of all ranges."""
        step = 1 if self.is_quick else 16
        return sorted({b for b in edges if 0 <= b <= self.bound} | set(range(0, self.bound + 1, step)))


def _start_sweep(world: World, tool: str, arguments: str, bound: int, swept: str, ample: str) -> None:
    world.require_capability("budget")
    world.keep(BudgetSweep(world, tool, arguments, bound, swept, ample))


def _current_sweep(world: World) -> BudgetSweep:
    return world.kept(BudgetSweep)


@then(
    r"by (?P<entry>AMB-[A-Z]+-\d+) the answers by budget are",
    example="by AMB-LD-17 the answers by budget are",
    columns=(READING_COLUMN, *RANGE_COLUMNS),
)
def by_reading_the_answers_by_budget(world: World, entry: str, datatable: list[list[str]]) -> None:
    """Compare the call results with one table per reading; one reading must hold throughout."""
    rows = parse_rows(datatable)
    groups: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault(row[READING_COLUMN], []).append(row)

    def check(group: dict[str, str]) -> None:
        members = [row for row in groups[group[entry]] if row["from"]]
        if members:
            _check_coverage(members, _current_sweep(world).bound)
        for row in members:
            _check_range(world, row, members)

    earlier = len(world.log.calls)
    match_outcomes(world, [entry], [{entry: label} for label in groups], check)
    # Remove the calls of readings that did not hold: they are no evidence, because another reading holds.
    world.log.keep_first(earlier)


def _check_coverage(rows: list[dict[str, str]], bound: int) -> None:
    covered = sorted(b for row in rows for b in range(int(row["from"]), int(row["to"]) + 1))
    if covered != list(range(bound + 1)):
        raise Fault("harness", f"the table does not cover the budgets 0 to {bound} exactly once")


def _check_range(world: World, row: dict[str, str], rows: list[dict[str, str]]) -> None:
    sweep = _current_sweep(world)
    low, high = int(row["from"]), int(row["to"])
    edges = {int(r[key]) for r in rows for key in ("from", "to")}
    for budget in sweep.budgets(edges):
        if low <= budget <= high:
            answer = sweep.answer(budget)
            with sweep.reporting_budget(budget):
                _check_answer(answer, budget, row)


def _check_answer(answer: CallResult, budget: int, row: dict[str, str]) -> None:
    if row["fails"]:
        assert_within_budget(answer, budget)
        if answer.status == "ok" or answer.error_kind not in row["fails"].split(" or "):
            raise mismatch_of_failure("the call should fail", answer, row["fails"])
        return
    found = parse_answer(answer)
    reason = "null" if (reason := truncation_reason(found)) == "no" else reason
    got = f"{len(found.entries)} entries, reason {reason}, {found.size} bytes"
    expected = f"{row['returned']} entries, reason {row['reason']}, {row['bytes']} bytes"
    if found.size > budget or got != expected:
        what = f"the document has {got}; it should have {expected}"
        raise Mismatch(what, got=found.raw[:400], kind=_difference_from_row(found, row, reason))
    if (returned := found.members.get("returned")) != len(found.entries):
        what = f"returned is {format_json(returned)} with {len(found.entries)} entries"
        raise Mismatch(what, got=found.raw[:400], kind="another returned")


def _difference_from_row(found: Document, row: dict[str, str], reason: str) -> str:
    """Return the kind of the first difference: the entries, the reason, the bytes."""
    if len(found.entries) != int(row["returned"]):
        return MISSING_ENTRIES if len(found.entries) < int(row["returned"]) else UNEXPECTED_ENTRIES
    if reason != row["reason"]:
        return OTHER_TRUNCATION
    return "the output differs"


def _edge_budgets(sweep: BudgetSweep) -> list[int]:
    """Return the budgets on both sides of each edge at which one more entry fits, and some in between."""
    sizes = (*sweep.untruncated.truncated_sizes, sweep.untruncated.size)
    edges = {size + offset for size in sizes for offset in (-1, 0, 1)}
    return sorted({b for b in edges if 0 <= b <= sweep.bound} | set(sweep.budgets(set())[::BUDGET_STRIDE]))


@then("every answer is the largest that fits")
def every_answer_is_the_largest(world: World) -> None:
    """Require that no result could contain one more of the candidate's own entries."""
    sweep = _current_sweep(world)
    try:
        assert_form(sweep.untruncated)
    except Mismatch as why:
        raise why.within(f"{CONTROL_CALL}without a budget: ") from why
    for budget in _edge_budgets(sweep):
        answer = sweep.answer(budget)
        with sweep.reporting_budget(budget):
            assert_largest_that_fits(world, sweep.untruncated, answer, budget)


@then("every answer is within its budget")
def every_answer_is_within(world: World) -> None:
    """Require that no output is longer than its budget. What happens below the smallest document is another rule."""
    sweep = _current_sweep(world)
    smallest = utf8_length(truncated_text(sweep.untruncated, 0))
    for budget in (one for one in _edge_budgets(sweep) if one >= smallest):
        answer = sweep.answer(budget)
        with sweep.reporting_budget(budget):
            assert_within_budget(answer, budget)


@then("every answer is a whole document or ExecutionFailed")
def every_answer_is_whole(world: World) -> None:
    """Require one JSON object with its six members, or that error."""
    sweep = _current_sweep(world)
    for budget in sweep.budgets(set())[::BUDGET_STRIDE]:
        answer = sweep.answer(budget)
        with sweep.reporting_budget(budget):
            _check_whole_document(answer)


def _check_whole_document(answer: CallResult) -> None:
    if answer.status != "ok":
        if answer.error_kind != "ExecutionFailed":
            raise mismatch_of_failure(f"the call failed with {answer.error_kind}", answer, "ExecutionFailed")
        return
    found = parse_answer(answer)
    missing = [name for name in MEMBERS if name not in found.members]
    if missing:
        what = f"the document lacks {', '.join(missing)}"
        raise Mismatch(what, got=found.raw[:400], kind=OTHER_MEMBERS)
    _ = found.entries  # raises Mismatch unless it is an array of objects
