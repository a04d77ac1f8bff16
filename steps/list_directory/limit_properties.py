"""The properties of list_directory for limits and budgets: the entries that remain, and the size of a document.

See `properties` for the rules of all properties.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain

from treeproof.api import MISSING_ENTRIES, REMOVE_MEMBER, UNEXPECTED_ENTRIES, CallResult, CaseUpdate, Mismatch

from ..shared.own_text import own_text
from ..shared.properties import PropertyCheck
from ..shared.values import assert_same_names, first_difference, format_json, format_member, format_names
from .json_encoding import EXCEEDS_BUDGET, mismatch_of_failure
from .properties import UNBOUNDED, comparable, listing_or_none
from .truncation import OTHER_TRUNCATION
from .view import CUT_BY_SIZE, Document, canonical_json, largest_that_fits, parse_answer, utf8_length

AMPLE_BUDGET = 2**40
TOO_SMALL_BUDGET = 60
"""A number of bytes that is too small for the member names of a document."""


def _walk_order(found: Document) -> list[str] | None:
    """Return the paths in the order of the walk; None if several names may have one text: their order is unknown.

    Paths that are equal show that. A directory that is not listed shows it only by what lies below such a text.
    """
    if len(set(found.keys)) < len(found.keys) or any("\ufffd" in path.rpartition("/")[0] for path in found.keys):
        return None
    return sorted(found.keys, key=lambda path: [part.encode("utf-8", "surrogatepass") for part in path.split("/")])


def first_of_the_walk(check: PropertyCheck) -> bool:
    """P-06: under every limit the entries are the first ones of the unlimited walk."""
    full = listing_or_none(check.case_run, UNBOUNDED)
    walk = _walk_order(full) if full else None
    if not walk:
        return False
    for limit in sorted({1, len(walk) // 2, len(walk) - 1} - {0}):
        cut = listing_or_none(check.case_run, {**UNBOUNDED, "arguments.max_entries": limit})
        if cut is not None and len(cut.keys) == limit:
            assert_same_names(f"with max_entries {limit} the entries", walk[:limit], cut.keys)
    return len(walk) > 1


def flag_above_the_limit(check: PropertyCheck) -> bool:
    """P-23: a limit below the number of entries is reached exactly, and the listing is truncated."""
    full = listing_or_none(check.case_run, UNBOUNDED)
    if full is None or not full.entries:
        return False
    count = len(full.entries)
    for limit in sorted({1, count - 1, count, count + 1} - {0}):
        cut = listing_or_none(check.case_run, {**UNBOUNDED, "arguments.max_entries": limit})
        if cut is None:
            continue
        due = min(count, limit)
        what = f"with max_entries {limit}, of {count} entries that qualify,"
        if len(cut.entries) != due:
            message = f"{what} {len(cut.entries)} are listed; it should be {due}"
            kind = MISSING_ENTRIES if len(cut.entries) < due else UNEXPECTED_ENTRIES
            raise Mismatch(message, got=format_names(cut.keys), kind=kind)
        if limit < count and cut.members.get("truncated") is not True:
            got = format_member(cut.members, "truncated")
            what = f"{what} the listing is not truncated"
            raise Mismatch(what, expected='{"truncated": true}', got=got, kind=OTHER_TRUNCATION)
    return True


def no_flag_below_the_limit(check: PropertyCheck) -> bool:
    """P-23: a flat listing with fewer entries than the limit is not truncated."""
    full = listing_or_none(
        check.case_run, {**UNBOUNDED, "arguments.recursive": False, "arguments.max_depth": REMOVE_MEMBER}
    )
    if full is None or not full.entries:
        return False
    if full.members.get("truncated") is not False:
        what = f"the listing is truncated, though {len(full.entries)} entries are less than the limit"
        got = format_member(full.members, "truncated")
        raise Mismatch(what, expected='{"truncated": false}', got=got, kind=OTHER_TRUNCATION)
    return True


def _with_budget(budget: int) -> CaseUpdate:
    return {"context.max_output_bytes": budget, "context.available_capacity_bytes": AMPLE_BUDGET}


def _untruncated(check: PropertyCheck) -> Document | None:
    return listing_or_none(check.case_run, _with_budget(AMPLE_BUDGET))


def _edge_budgets(full: Document) -> list[int]:
    """Return the sizes of the whole document, one byte less, half of it, and two that are too small."""
    return [full.size, full.size - 1, full.size // 2, 120, 90]


def _answers_by_budget(check: PropertyCheck, full: Document) -> Iterator[tuple[int, CallResult]]:
    """Yield the call results under these budgets, in descending order; each call is made when it is needed."""
    for budget in sorted({budget for budget in _edge_budgets(full) if budget >= 0}, reverse=True):
        yield budget, check.case_run.call_candidate(_with_budget(budget))


def within_both_budgets(check: PropertyCheck) -> bool:
    """P-08: the output is no longer than the smaller budget."""
    full = _untruncated(check)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(check, full):
        text = own_text(answer) if answer.status == "ok" else ""
        # Another property checks that bytes are counted, not characters.
        if text and len(text) > budget:
            what = f"the output has {utf8_length(text)} bytes under a budget of {budget} bytes"
            raise Mismatch(what, got=text[:2000], kind=EXCEEDS_BUDGET)
    return bool(full.entries)


def counted_in_bytes(check: PropertyCheck) -> bool:
    """P-08 for characters of several bytes: no output is within the budget only in characters."""
    full = _untruncated(check)
    if full is None:
        return False
    if full.raw.isascii():
        # With such an escaping characters and bytes agree, which is evidence if other escapings are possible.
        escapes_all = "any_valid" in check.samples.accepted_readings["AMB-LD-15"]
        return escapes_all and not canonical_json(full).isascii()
    for budget in (full.size - 1, len(full.raw)):
        cut = listing_or_none(check.case_run, _with_budget(budget))
        # A text that is not canonical is too long for another reason.
        if cut is not None and cut.size > budget >= len(cut.raw) and utf8_length(canonical_json(cut)) > budget:
            what = f"under {budget} bytes the output fits in characters ({len(cut.raw)}) and not in bytes ({cut.size})"
            raise Mismatch(what, got=cut.raw[:2000], kind="the output fits in characters and not in bytes")
    return bool(full.entries)


def valid_under_every_budget(check: PropertyCheck) -> bool:
    """P-08: under every budget the output is JSON, or the call fails with ExecutionFailed."""
    full = _untruncated(check)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(check, full):
        if answer.status == "ok":
            try:
                parse_answer(answer)
            except Mismatch as why:
                raise why.within(f"under {budget} bytes: ") from why
    return bool(full.entries)


def failures_are_monotonic(check: PropertyCheck) -> bool:
    """P-08: a call that fails under a budget fails under every smaller one, and all calls fail under a tiny one."""
    full = _untruncated(check)
    if full is None:
        return False
    failed: int | None = None
    smallest = (check.case_run.call_candidate(_with_budget(budget)) for budget in (TOO_SMALL_BUDGET,))
    for budget, answer in chain(_answers_by_budget(check, full), ((TOO_SMALL_BUDGET, one) for one in smallest)):
        if answer.status == "ok" and (failed is not None or budget == TOO_SMALL_BUDGET):
            raise mismatch_of_failure(f"the call succeeds under {budget} bytes", answer, "ExecutionFailed")
        if answer.status == "error":
            failed = budget
            if answer.error_kind != "ExecutionFailed":
                what = f"under {budget} bytes the wrong kind of error"
                raise mismatch_of_failure(what, answer, "ExecutionFailed")
    return bool(full.entries)


def beginning_of_the_list(check: PropertyCheck) -> bool:
    """P-07: the entries under a budget are the first ones of the whole list, and more under a larger budget."""
    full = _untruncated(check)
    if full is None:
        return False
    whole, larger = [format_json(entry) for entry in full.entries], len(full.entries)
    for budget, answer in _answers_by_budget(check, full):
        cut = listing_or_none(check.case_run, _with_budget(budget)) if answer.status == "ok" else None
        if cut is None:
            continue
        kept = [format_json(entry) for entry in cut.entries]
        if kept != whole[: len(kept)]:
            raise Mismatch(
                f"under {budget} bytes the entries are not the first of the whole list",
                expected=format_names(full.keys[: len(kept)]),
                got=format_names(cut.keys),
            )
        if len(kept) > larger:
            what = f"a budget of {budget} bytes leaves more than a larger one"
            raise Mismatch(what, got=format_names(cut.keys))
        larger = len(kept)
    return bool(full.entries)


def as_many_as_fit(check: PropertyCheck) -> bool:
    """P-09: with one more entry the document would be too long, in the candidate's own spelling."""
    full = _untruncated(check)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(check, full):
        try:
            due = largest_that_fits(full, budget)
            count = len(json.loads(due)["entries"]) if due is not None else 0
        except (ValueError, KeyError, TypeError):
            return False  # the document has another form
        cut = listing_or_none(check.case_run, _with_budget(budget)) if answer.status == "ok" else None
        if due is None or cut is None or cut.size > budget:
            continue  # other properties check errors and the size of a document
        if len(cut.entries) < count:
            raise Mismatch(
                f"{count} entries fit into {budget} bytes, and {len(cut.entries)} are kept",
                expected=due,
                got=cut.raw,
                diff=first_difference(due, cut.raw),
                kind=MISSING_ENTRIES,
            )
    return bool(full.entries)


def truncation_is_reported(check: PropertyCheck) -> bool:
    """P-07: a document has the reason max_output_bytes exactly if the budget removed entries."""
    full = _untruncated(check)
    if full is None:
        return False
    for budget, answer in _answers_by_budget(check, full):
        cut = listing_or_none(check.case_run, _with_budget(budget)) if answer.status == "ok" else None
        if cut is None:
            continue
        reported = (cut.members.get("truncated"), cut.members.get("truncated_reason")) == (True, CUT_BY_SIZE)
        if reported is not (len(cut.entries) < len(full.entries)):
            raise Mismatch(
                f"under {budget} bytes {len(cut.entries)} of {len(full.entries)} entries are left; the document should "
                "be truncated with the reason max_output_bytes if and only if entries are missing",
                got=format_json({key: cut.members.get(key) for key in ("truncated", "truncated_reason")}),
                kind=OTHER_TRUNCATION,
            )
    return bool(full.entries)


def budgets_are_interchangeable(check: PropertyCheck) -> bool:
    """P-10: exchanging the two budgets changes nothing."""
    full = _untruncated(check)
    if full is None:
        return False
    for one, other in ((full.size - 1, AMPLE_BUDGET), (full.size, full.size - 1), (120, full.size)):
        places = ("context.max_output_bytes", "context.available_capacity_bytes")
        first = check.case_run.call_candidate(dict(zip(places, (one, other), strict=True)))
        second = check.case_run.call_candidate(dict(zip(places, (other, one), strict=True)))
        if comparable(first) != comparable(second):
            expected, got = comparable(first), comparable(second)
            what = f"budgets of {one} and {other} bytes, and the same exchanged, give different answers"
            diff = first_difference(expected, got)
            raise Mismatch(what, expected=expected, got=got, diff=diff, compares_answers=True)
    return bool(full.entries)
