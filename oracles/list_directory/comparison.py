"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

What comes from outside of the sandbox is found first, whichever outcome is due.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from treeproof.api import CallResult, Case, Finding

from ..shared.formatting import format_json
from ..shared.judgement import Comparison
from .arguments import ExpectedFailure
from .escapes import find_escape, with_harm
from .expected import ExpectedListing, ExpectedOutcome
from .failure_comparison import (
    approval_without_need,
    compare_failure,
    compare_unexpected_failure,
    truncation_is_allowed,
)
from .listing_comparison import ListingComparison
from .lossy_names import is_utf8, possible_decodings
from .parsed_answer import MalformedDocument, ParsedDocument, parse_document
from .walk import ShownNames

_NEAREST = 20
"""The stage of what decides, whichever outcome is due: an escape."""
_AFTER_THE_DOCUMENT = 12


_OF_ANOTHER_START = frozenset(
    {"FR-LD-VAL-06a", "FR-LD-VAL-07", "FR-LD-VAL-08", "FR-LD-VAL-10", "FR-LD-ERR-02", "FR-LD-LST-01", "FR-LD-LST-02"}
    | {"T-LD-02"}
)
"""The requirements of a difference that a path from another start can make."""
_HARMFUL = frozenset({"FR-LD-VAL-07", "FR-LD-VAL-09", "FR-LD-ERR-02"})
"""The requirements that are to prevent an escape; of a document, its names show whether there was one."""


def compare(outcome: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    stage, findings = _compare(outcome, answer, case)
    if findings and starts_elsewhere(case):
        findings = tuple(map(_of_the_start, findings))
    found = parse_document(answer.content or "") if findings and answer.status == "ok" else None
    return stage, tuple(with_harm(one, found, case) if one.requirement in _HARMFUL else one for one in findings)


def starts_elsewhere(case: Case) -> bool:
    """Return whether a relative path starts in a place that is not the first root."""
    first, *_ = case.context.get("roots", ("$ROOT",))
    return bool(case.context.get("working_dir", "$ROOT") != first.rstrip("/"))


def _of_the_start(finding: Finding) -> Finding:
    """Return the finding as one on where a relative path starts; what lies outside stays one on the sandbox."""
    if finding.harm is not None or finding.requirement not in _OF_ANOTHER_START:
        return finding
    return replace(finding, requirement="CWD-LD", other_requirements=finding.possible_requirements)


def _compare(outcome: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
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


def shown_readings(outcome: ExpectedOutcome, answer: CallResult, case: Case) -> Mapping[str, str]:
    """Return the reading that a right document shows by its escapes; the minimal ones show none."""
    found = parse_document(answer.content or "") if answer.status == "ok" else None
    if not isinstance(found, ParsedDocument) or answer.is_mapped or found.raw == found.canonical_text:
        return {}
    return {"AMB-LD-15": "any_valid"}


def shown_names(case: Case, answer: CallResult) -> ShownNames:
    """Return the texts in a document that may stand for names that are not UTF-8."""
    found = parse_document(answer.content or "") if answer.status == "ok" else None
    if not isinstance(found, ParsedDocument):
        return {}
    names = {path.rpartition(b"/")[2] for path, _ in case.tree.walk()}
    texts = [one["name"] for one in found.entries if isinstance(one["name"], str)]
    shown = {name: possible_decodings(name, texts) for name in names if not is_utf8(name)}
    return {name: candidates for name, candidates in shown.items() if candidates}


def find_unreadable(answer: CallResult) -> Finding | None:
    """Return the finding for a text without a document."""
    found = parse_document(answer.content or "") if answer.status == "ok" else None
    if not isinstance(found, MalformedDocument) or found.readable is not None:
        return None
    return _malformed_finding(found, answer.content or "")


def _compare_error(outcome: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    is_permitted = isinstance(outcome, ExpectedFailure) and "UnknownTool" in outcome.kinds
    if answer.error_kind == "UnknownTool" and not is_permitted:
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
    return Finding(ids[0], found.message, found.expected, found.got or content[:400], ids[1:], found.kind)
