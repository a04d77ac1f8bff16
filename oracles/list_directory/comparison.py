"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

What comes from outside of the sandbox is found first, whichever outcome is due.
"""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.api import CallResult, Case, Finding

from ..shared.formatting import format_json
from ..shared.judgement import Comparison
from .arguments import ExpectedFailure
from .escapes import find_escape
from .expected import ExpectedListing, ExpectedOutcome
from .failure_comparison import (
    approval_without_need,
    compare_failure,
    compare_unexpected_failure,
    truncation_is_allowed,
)
from .listing_comparison import ListingComparison
from .parsed_answer import MalformedDocument, parse_document

_NEAREST = 20
"""The stage of what decides, whichever outcome is due: an escape."""
_AFTER_THE_DOCUMENT = 12


def compare(outcome: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    if answer.status != "ok":
        return _compare_error(outcome, answer, case)
    found = parse_document(answer.content or "")
    if isinstance(outcome, ExpectedFailure):
        compared = compare_failure(outcome, answer, found)
    elif isinstance(found, MalformedDocument):
        is_cut = found.is_cut and outcome.full_size > outcome.budget  # probably the budget cut through the text
        finding = _malformed_finding(found, answer.content or "", *(["NFR-LD-REL-01"] if is_cut else []))
        readable = found.readable and ListingComparison(outcome, found.readable, case).compare_paths()
        return 1, (finding, *(readable or ()))
    else:
        compared = ListingComparison(outcome, found, case, is_own_text=not answer.is_mapped).compare()
        if not compared[1]:
            compared = _AFTER_THE_DOCUMENT, tuple(_compare_context(outcome, answer))
    if compared[1] and (escape := find_escape(found, case)) is not None:
        return _NEAREST, (escape,)
    return compared


def find_unreadable(answer: CallResult) -> Finding | None:
    """Return the finding for a text without a document."""
    found = parse_document(answer.content or "") if answer.status == "ok" else None
    if not isinstance(found, MalformedDocument) or found.readable is not None:
        return None
    return _malformed_finding(found, answer.content or "")


def _compare_error(outcome: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    if answer.error_kind == "UnknownTool":
        kind, got = "no tool has this name", format_json(f"{answer.error_kind}: {answer.error_message}")
        finding = Finding("FR-LD-DEF-01", kind, format_json(case.tool), got, kind=kind)
        return 0, (finding,)
    if isinstance(outcome, ExpectedFailure):
        return compare_failure(outcome, answer, None)
    return compare_unexpected_failure(outcome, answer)


def _compare_context(outcome: ExpectedListing, answer: CallResult) -> Iterator[Finding]:
    if not outcome.needs_approval:
        yield from approval_without_need(answer)
    yield from truncation_is_allowed(answer)


def _malformed_finding(found: MalformedDocument, content: str, *likelier: str) -> Finding:
    ids = (*likelier, found.requirement, *found.other_requirements)
    return Finding(ids[0], found.message, "a document", content[:400], ids[1:], found.kind)
