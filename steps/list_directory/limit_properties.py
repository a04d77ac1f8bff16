"""The property laws of list_directory about limits and budgets: which entries are left, and how long a document may be.

What a law is, and when it is silent, is said in `properties`.
"""

from __future__ import annotations

import json

from treeproof.api import REMOVE_MEMBER, CallResult, CaseUpdate, Mismatch

from ..shared.properties import PropertyCheck
from ..shared.values import assert_same_names, format_names
from .properties import UNBOUNDED, comparable, format_value, listing_or_none
from .view import CUT_BY_SIZE, Document, canonical_json, largest_that_fits, parse_answer, utf8_length

AMPLE_BUDGET = 2**40
TOO_SMALL_BUDGET = 60
"""Bytes: less than the names of the members of a document take."""


def _walk_order(found: Document) -> list[str] | None:
    """The paths in the order of the walk; None where names look alike, so that nobody can tell."""
    if len(set(found.keys)) < len(found.keys):
        return None
    return sorted(
        found.keys, key=lambda path: [part.encode("utf-8", "surrogatepass") for part in path.split("/")]
    )


def first_of_the_walk(trial: PropertyCheck) -> bool:
    """P-06: under every limit the entries are the first of the unlimited walk."""
    full = listing_or_none(trial.case_run, UNBOUNDED)
    walk = _walk_order(full) if full else None
    if not walk:
        return False
    for limit in sorted({1, len(walk) // 2, len(walk) - 1} - {0}):
        cut = listing_or_none(trial.case_run, {**UNBOUNDED, "arguments.max_entries": limit})
        if cut is not None and len(cut.keys) == limit:
            assert_same_names(f"with max_entries {limit} the entries", walk[:limit], cut.keys)
    return len(walk) > 1


def flag_above_the_limit(trial: PropertyCheck) -> bool:
    """P-23: from the limit on it is met exactly, and above it the listing says that it was cut."""
    full = listing_or_none(trial.case_run, UNBOUNDED)
    if full is None or not full.entries:
        return False
    count = len(full.entries)
    for limit in sorted({1, count - 1, count, count + 1} - {0}):
        cut = listing_or_none(trial.case_run, {**UNBOUNDED, "arguments.max_entries": limit})
        if cut is None:
            continue
        due = min(count, limit)
        what = f"with max_entries {limit} of {count} that qualify"
        if len(cut.entries) != due:
            raise Mismatch(what, expected=f"{due} entries", got=f"{len(cut.entries)} entries")
        if limit < count and cut.members.get("truncated") is not True:
            raise Mismatch(what, expected="truncated", got=format_value(cut.members.get("truncated")))
    return True


def no_flag_below_the_limit(trial: PropertyCheck) -> bool:
    """P-23: a flat listing of less than the limit is not truncated."""
    full = listing_or_none(
        trial.case_run, {**UNBOUNDED, "arguments.recursive": False, "arguments.max_depth": REMOVE_MEMBER}
    )
    if full is None or not full.entries:
        return False
    if full.members.get("truncated") is not False:
        what = f"{len(full.entries)} entries are less than the limit"
        raise Mismatch(what, expected="not truncated", got=format_value(full.members.get("truncated")))
    return True


def _with_budget(budget: int) -> CaseUpdate:
    return {"context.max_output_bytes": budget, "context.available_capacity_bytes": AMPLE_BUDGET}


def _untruncated(trial: PropertyCheck) -> Document | None:
    return listing_or_none(trial.case_run, _with_budget(AMPLE_BUDGET))


def _edge_budgets(full: Document) -> list[int]:
    """The edges: the whole document and one byte less, half of it, and too little for anything."""
    return [full.size, full.size - 1, full.size // 2, 120, 90]


def _answers_by_budget(trial: PropertyCheck, full: Document) -> list[tuple[int, CallResult]]:
    """The answers under the edges, by falling budgets."""
    budgets = sorted({budget for budget in _edge_budgets(full) if budget >= 0}, reverse=True)
    return [(budget, trial.case_run.call_candidate(_with_budget(budget))) for budget in budgets]


def within_both_budgets(trial: PropertyCheck) -> bool:
    """P-08: the output is no longer than the smaller budget."""
    full = _untruncated(trial)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(trial, full):
        text = answer.content if answer.status == "ok" else ""
        # Too many bytes for too few characters is a matter of how they are counted, which another law looks at.
        if text and len(text) > budget:
            raise Mismatch(
                "the output exceeds the budget",
                expected=f"at most {budget} bytes",
                got=f"{utf8_length(text)}",
            )
    return bool(full.entries)


def counted_in_bytes(trial: PropertyCheck) -> bool:
    """P-08 where characters take several bytes: no output is within the budget in characters alone."""
    full = _untruncated(trial)
    if full is None or full.raw.isascii():
        return False
    for budget in (full.size - 1, len(full.raw)):
        cut = listing_or_none(trial.case_run, _with_budget(budget))
        # One that is longer than it has to be is too long for another reason.
        if (
            cut is not None
            and cut.size > budget >= len(cut.raw)
            and utf8_length(canonical_json(cut)) > budget
        ):
            raise Mismatch(
                "the output fits in characters and not in bytes",
                expected=f"at most {budget} bytes",
                got=f"{cut.size} bytes, {len(cut.raw)} characters",
            )
    return bool(full.entries)


def valid_under_every_budget(trial: PropertyCheck) -> bool:
    """P-08: whatever the budget, the output is JSON, or the call fails with ExecutionFailed."""
    full = _untruncated(trial)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(trial, full):
        if answer.status == "ok":
            try:
                parse_answer(answer)
            except Mismatch as why:
                why.expected = "one JSON object"
                raise why.within(f"under {budget} bytes: ") from why
    return bool(full.entries)


def failures_are_monotonic(trial: PropertyCheck) -> bool:
    """P-08: what fails under a budget fails under every smaller one, and everything fails where nothing can fit."""
    full = _untruncated(trial)
    if full is None:
        return False
    failed: int | None = None
    answers = [
        *_answers_by_budget(trial, full),
        (TOO_SMALL_BUDGET, trial.case_run.call_candidate(_with_budget(TOO_SMALL_BUDGET))),
    ]
    for budget, answer in answers:
        if answer.status == "ok" and (failed is not None or budget == TOO_SMALL_BUDGET):
            raise Mismatch(
                f"the call succeeds under {budget} bytes",
                expected="ExecutionFailed",
                got=(answer.content or "")[:400],
            )
        if answer.status == "error":
            failed = budget
            if answer.error_kind != "ExecutionFailed":
                got = f"{answer.error_kind}: {answer.error_message}"
                raise Mismatch(
                    f"under {budget} bytes the wrong kind of error", expected="ExecutionFailed", got=got
                )
    return bool(full.entries)


def beginning_of_the_list(trial: PropertyCheck) -> bool:
    """P-07: what a budget leaves is the beginning of the whole list, and grows with the budget."""
    full = _untruncated(trial)
    if full is None:
        return False
    whole, larger = [format_value(entry) for entry in full.entries], len(full.entries)
    for budget, answer in _answers_by_budget(trial, full):
        cut = listing_or_none(trial.case_run, _with_budget(budget)) if answer.status == "ok" else None
        if cut is None:
            continue
        kept = [format_value(entry) for entry in cut.entries]
        if kept != whole[: len(kept)]:
            raise Mismatch(
                f"under {budget} bytes the entries are not the first of the whole list",
                expected=format_names(full.keys[: len(kept)]),
                got=format_names(cut.keys),
            )
        if len(kept) > larger:
            raise Mismatch(
                f"a budget of {budget} bytes leaves more than a larger one", got=format_names(cut.keys)
            )
        larger = len(kept)
    return bool(full.entries)


def as_many_as_fit(trial: PropertyCheck) -> bool:
    """P-09: with one entry more the document would be too long, priced in the candidate's own spelling."""
    full = _untruncated(trial)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(trial, full):
        try:
            due = largest_that_fits(full, budget)
        except (ValueError, KeyError, TypeError):
            return False  # no document of the right shape
        cut = listing_or_none(trial.case_run, _with_budget(budget)) if answer.status == "ok" else None
        if due is None or cut is None or cut.size > budget:
            continue  # how a call fails, and how long a document may be, is for other laws
        count = len(json.loads(due)["entries"])
        if len(cut.entries) < count:
            raise Mismatch(
                f"{count} entries fit into {budget} bytes",
                expected=due,
                got=cut.raw,
                diff=f"{len(cut.entries)} are kept",
            )
    return bool(full.entries)


def truncation_is_reported(trial: PropertyCheck) -> bool:
    """P-07: a document from which a budget has taken entries says max_output_bytes, and only such a one."""
    full = _untruncated(trial)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(trial, full):
        cut = listing_or_none(trial.case_run, _with_budget(budget)) if answer.status == "ok" else None
        if cut is None:
            continue
        told = (cut.members.get("truncated"), cut.members.get("truncated_reason")) == (True, CUT_BY_SIZE)
        if told is not (len(cut.entries) < len(full.entries)):
            raise Mismatch(
                f"under {budget} bytes {len(cut.entries)} of {len(full.entries)} entries are left",
                expected="truncated with max_output_bytes if and only if entries are missing",
                got=format_value({key: cut.members.get(key) for key in ("truncated", "truncated_reason")}),
            )
    return bool(full.entries)


def budgets_are_interchangeable(trial: PropertyCheck) -> bool:
    """P-10: exchanging the two budgets changes nothing."""
    full = _untruncated(trial)
    if full is None:
        return False
    for one, other in ((full.size - 1, AMPLE_BUDGET), (full.size, full.size - 1), (120, full.size)):
        places = ("context.max_output_bytes", "context.available_capacity_bytes")
        first = trial.case_run.call_candidate(dict(zip(places, (one, other), strict=True)))
        second = trial.case_run.call_candidate(dict(zip(places, (other, one), strict=True)))
        if comparable(first) != comparable(second):
            raise Mismatch(
                f"budgets of {one} and {other} bytes, and the other way round",
                expected=comparable(first),
                got=comparable(second),
            )
    return bool(full.entries)
