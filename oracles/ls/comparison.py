"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

The form of the envelope is compared first, since its mistakes are independent of each other. The other stages run from
coarse to fine: error or listing, directory, membership, order, entries, counts and text. A stage runs only if the
earlier ones found no difference. What comes from outside of the project is found first.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from treeproof.api import UNCLASSIFIED, CallResult, Case, Exchange, Finding

from ..shared.formatting import format_json
from ..shared.judgement import MATCH, Comparison
from .envelope_comparison import compare_envelope, shows_error
from .escapes import find_escape
from .listing_comparison import NAMED_MEMBERS, ListingComparison
from .outcomes import ExpectedFailure, ExpectedListing, ExpectedOutcome
from .path_resolution import FOLDER
from .refusal_comparison import compare_error, failed_call, not_refused, unexpected_error, without_envelope
from .text_comparison import line_form

NO_JSON = "the answer is no JSON in UTF-8"
NO_OBJECT = "the answer is no object"
TWIN_MEMBERS = "an object has a member twice"
_NEAREST = 9
"""The stage of what decides, whichever outcome is due: an escape."""


def without_paths(exchange: Exchange) -> CallResult:
    """Return the answer with placeholders for the paths of the run, as the case has them."""
    answer, root = exchange.answer, exchange.root
    if answer.content is None or not root:
        return answer
    folder = os.path.dirname(root)
    content = answer.content
    for path, placeholder in ((root, "$ROOT"), (folder, "$OUTSIDE")):
        for spelling in (path, path.replace("/", "\\/")):
            content = content.replace(spelling, placeholder)
    roots = exchange.call.context.get("roots")
    # Below `/` as the root, the paths of entries have no slash before them.
    if isinstance(roots, list) and roots and not str(roots[0]).strip("/"):
        for spelling in (folder[1:], folder[1:].replace("/", "\\/")):
            content = content.replace(spelling, FOLDER.decode())
    return replace(answer, content=content)


def compare(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    if answer.status != "ok":
        if answer.error_kind == "BadArgs" and not isinstance(case.arguments, dict):
            return MATCH  # the tool was not called (AMB-LS-57)
        return 0, (failed_call(expected, answer, case),)
    members, problem = _parse(answer.content or "")
    if problem is not None:
        return 0, (problem,)
    formal = (*compare_envelope(members, expected), *_twins(answer.content or ""))
    sent = case.arguments if isinstance(case.arguments, dict) else {}
    stage, found = _compare_content(expected, members, sent, case)
    if found and (escape := find_escape(members, expected, case)) is not None:
        stage, found = _NEAREST, (escape,)
    return stage, (*formal, *found)


def shown_readings(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Mapping[str, str]:
    """Return the readings of a right listing that its entries and their lines show."""
    members, _ = _parse(answer.content or "")
    data, text = members.get("data"), members.get("text")
    if not isinstance(expected, ExpectedListing) or not isinstance(data, dict) or not isinstance(text, str):
        return {}
    entries = data["entries"]
    paths = [entry["path"] for entry in entries]
    found = {"AMB-LS-67": "tolerated"} if any(len(entry) > len(NAMED_MEMBERS) for entry in entries) else {}
    if any("/" in path for path in paths) and all(path.isprintable() for path in paths):
        found["AMB-LS-05"] = line_form(expected, paths, text.rstrip("\n").split("\n"))
    return found


def find_unreadable(answer: CallResult) -> Finding | None:
    """Return the finding for an answer that is no envelope; the framework's own errors have none."""
    if answer.status == "ok":
        return _parse(answer.content or "")[1]
    return without_envelope(answer) if answer.error_kind in ("BadArgs", "ExecutionFailed", UNCLASSIFIED) else None


@lru_cache(maxsize=2)  # all outcomes of a call are compared with one answer
def _parse(raw: str) -> tuple[dict[str, Any], Finding | None]:
    """Return the members of an answer, or the finding for one that is no object."""
    try:
        raw.encode("utf-8")
        members = json.loads(raw, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        return {}, Finding("LS-ENV-10", f"{NO_JSON}: {error}", "a JSON object", format_json(raw[:400]), kind=NO_JSON)
    if not isinstance(members, dict):
        return {}, Finding("LS-ENV-01", NO_OBJECT, "a JSON object", format_json(members)[:400], kind=NO_OBJECT)
    return members, None


@lru_cache(maxsize=2)
def _twins(raw: str) -> tuple[Finding, ...]:
    """Return the finding for an object that has a member twice: readers differ in which of the two they take."""
    twins: list[str] = []

    def count(pairs: list[tuple[str, Any]]) -> None:
        twins.extend(name for name, number in Counter(name for name, _ in pairs).items() if number > 1)

    json.loads(raw, object_pairs_hook=count)
    if not twins:
        return ()
    return (
        Finding("LS-ENV-13", f"{TWIN_MEMBERS}: {twins[0]}", "each member once", format_json(twins), kind=TWIN_MEMBERS),
    )


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _compare_content(
    expected: ExpectedOutcome, members: dict[str, Any], sent: Mapping[str, Any], case: Case
) -> Comparison:
    if isinstance(expected, ExpectedFailure):
        if shows_error(members):
            return compare_error(expected, members, sent)
        return 1, (not_refused(expected, members, case),)
    return _compare_listing(expected, members, sent)


def _compare_listing(expected: ExpectedListing, members: dict[str, Any], sent: Mapping[str, Any]) -> Comparison:
    if shows_error(members):
        return 1, (unexpected_error(expected, members, sent),)
    if not isinstance(members.get("data"), dict):
        return 2, ()  # compare_envelope reports this
    return ListingComparison(expected, members, sent).compare()
