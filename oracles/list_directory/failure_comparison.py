"""Errors: an error where a listing is due, a listing where an error is due, and an error of another kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from treeproof.api import CallResult, Finding, Kind

from ..shared.formatting import format_paths
from ..shared.judgement import MATCH, Comparison
from .arguments import ExpectedFailure
from .document import CUT_BY_SIZE, document_size, longest_escaped_size
from .expected import ExpectedListing
from .membership import SIZE_SUSPECTS, all_utf8
from .parsed_answer import ParsedDocument
from .path_resolution import listable

_ERROR_KIND_REQUIREMENTS = {"BadArgs": "FR-LD-ERR-01", "SandboxViolation": "FR-LD-ERR-02"}
"""The requirement that prescribes a kind of error."""
_MESSAGE_REQUIREMENTS = {"BadArgs": "FR-LD-ERR-01", "ExecutionFailed": "FR-LD-VAL-08"}
"""The requirement that demands a message of errors of this kind."""
_MISTAKEN_FOR = {"BadArgs": ("FR-LD-VAL-01", "SCH-LD"), "SandboxViolation": ("FR-LD-VAL-07",)}
"""The requirements whose violation an error of this kind reports."""
_NO_MESSAGE = re.compile(r"\s*(?:list_directory(?: failed)?\s*:?\s*)?")
"""A message of nothing, or of what a framework puts before the tool's own message."""
_APPROVAL_REQUESTED = "approval was requested"


def compare_failure(outcome: ExpectedFailure, answer: CallResult, found: object) -> Comparison:
    """Return the differences of an answer where a failure is due; `found` is the document of a success."""
    expected = "any error" if outcome.is_of_any_kind else " or ".join(sorted(outcome.kinds)) or "one unknown entry"
    if outcome.stands_for_itself:
        if isinstance(found, ParsedDocument) and [one["type"] for one in found.entries] == ["unknown"]:
            return MATCH
        if not outcome.kinds and answer.status != "ok":
            message = "the call fails, and no entry stands for the directory"
            return 0, (Finding(outcome.requirement, message, expected, str(answer.error_kind)),)
    if answer.status == "ok":
        message = f"the call succeeds although {outcome.reason}"
        kind = f"the call succeeded; it should fail with {expected}"
        requirement = outcome.requirement_of_listing if isinstance(found, ParsedDocument) else ""
        others: tuple[str, ...] = (outcome.requirement, "FR-LD-LST-01") if requirement else ()
        got = format_paths(found.paths) if isinstance(found, ParsedDocument) and found.paths else answer.content or ""
        return 0, (Finding(requirement or outcome.requirement, message, expected, got, others, kind),)
    got = f"{answer.error_kind}: {answer.error_message}"
    if answer.error_kind not in outcome.kinds:
        only_kind = next(iter(outcome.kinds)) if len(outcome.kinds) == 1 else ""
        first = _ERROR_KIND_REQUIREMENTS.get(only_kind, outcome.requirement)
        message = f"the kind of error is wrong, as {outcome.reason}"
        others = (outcome.requirement, *_MISTAKEN_FOR.get(answer.error_kind or "", ()))
        kind = _other_kind(answer, expected)
        return 1, (Finding(first, message, expected, got, others, kind),)
    if _NO_MESSAGE.fullmatch(answer.error_message or "") and not outcome.is_of_any_kind:
        message = "the error has no message"
        if answer.error_kind in _MESSAGE_REQUIREMENTS:
            first = _MESSAGE_REQUIREMENTS[answer.error_kind]
            return 2, (Finding(first, message, "a message", got, (outcome.requirement,), message),)
    if outcome.message_part and outcome.message_part not in (answer.error_message or "").lower():
        phrase, kind = f"… {outcome.message_part} …", "the message lacks its phrase"
        return 2, (Finding("T-LD-02", kind, phrase, got, kind=kind),)
    return MATCH


def compare_unexpected_failure(outcome: ExpectedListing, answer: CallResult) -> Comparison:
    """Return the differences of an error where a listing is due, or an error for the budget."""
    kind, got = answer.error_kind or "", f"{answer.error_kind}: {answer.error_message}"
    if outcome.kept_count is None:
        return _compare_budget_failure(outcome, answer, got)
    if kind == "ExecutionFailed" and (_truncation_is_uncertain(outcome) or _header_may_not_fit(outcome)):
        return MATCH
    first, *others = dict.fromkeys(_suspects(outcome, kind))
    due = format_paths([entry.path for entry in outcome.entries]) or "an empty listing"
    message, difference = "the call fails although it is valid", f"the call failed with {kind}"
    return 0, (Finding(first, message, due, got, tuple(others), difference),)


def approval_without_need(answer: CallResult) -> Iterator[Finding]:
    """Yield a finding if an approval was requested for a call that needs none."""
    if answer.approval_requested is True:
        got = "approval_requested is true"
        yield Finding(
            "FR-LD-DEF-04",
            _APPROVAL_REQUESTED,
            "no request",
            got,
            ("FR-LD-DEF-05",),
            _APPROVAL_REQUESTED,
            basis="framework",
        )


def truncation_is_allowed(answer: CallResult) -> Iterator[Finding]:
    """Yield a finding if the context of a successful call lets the framework cut its output."""
    context: Mapping[str, Any] = answer.context or {}
    if context.get("allow_truncation", False) is not False:
        kind = "the context allows truncation"
        got = f"allow_truncation is {context['allow_truncation']!r}"
        yield Finding("FR-LD-OUT-04", kind, "allow_truncation is false", got, (), kind)


def _compare_budget_failure(outcome: ExpectedListing, answer: CallResult, got: str) -> Comparison:
    if answer.error_kind != "ExecutionFailed":
        message, expected = "the kind of error is wrong, as nothing fits into the budget", "ExecutionFailed"
        suspects = tuple(_suspects(outcome, answer.error_kind or ""))
        kind = _other_kind(answer, expected)
        return 1, (Finding("FR-LD-OUT-08", message, expected, got, suspects, kind),)
    if _NO_MESSAGE.fullmatch(answer.error_message or ""):
        message = "the error has no message"
        return 2, (Finding("FR-LD-OUT-08", message, "a message", got, ("FR-LD-VAL-08",), message),)
    return MATCH


def _other_kind(answer: CallResult, expected: str) -> str:
    return f"the call failed with {answer.error_kind}; it should fail with {expected}"


def _truncation_is_uncertain(outcome: ExpectedListing) -> bool:
    """Return whether the budget cuts a listing with error texts, whose length only the candidate determines."""
    return outcome.full_size > outcome.budget and any(entry.error_codes for entry in outcome.entries)


def _header_may_not_fit(outcome: ExpectedListing) -> bool:
    """Return whether the path takes more than the budget if its characters are escaped by number where any are."""
    escaped = "x" * longest_escaped_size(outcome.path)
    limit = outcome.request.max_entries
    return outcome.any_escapes and document_size(escaped, (), limit, CUT_BY_SIZE) > outcome.budget


def _suspects(outcome: ExpectedListing, kind: str) -> Iterator[str]:
    """Yield the requirements that an unexpected error of this kind may violate, the likeliest first."""
    match kind:
        case "PolicyDenied":
            yield from ("FR-LD-DEF-05", "FR-LD-DEF-04")
        case "ApprovalDenied":
            yield from ("FR-LD-DEF-04", "FR-LD-DEF-05")
        case "BadArgs":
            yield from _suspects_of_arguments(outcome)
        case "ConfigInvalid":
            yield "FR-LD-VAL-06a"
        case _:
            yield from _suspects_of_target(outcome, kind)
    yield "T-LD-01"


def _suspects_of_arguments(outcome: ExpectedListing) -> Iterator[str]:
    request, sources = outcome.request, outcome.request.sources
    if sources["max_entries"] == "call":
        yield "FR-LD-VAL-04"
    if sources["max_depth"] == "call":
        yield "FR-LD-VAL-06b" if request.recursive else "FR-LD-VAL-02"
    if not all((request.files, request.dirs, request.symlinks)):
        yield "FR-LD-VAL-05"
    if outcome.is_respelt:
        yield from ("FR-LD-VAL-10", "FR-LD-VAL-01")
    if not outcome.directory.is_sandbox_root:
        yield "FR-LD-VAL-08"
    if outcome.has_unusual_path:
        yield from ("FR-LD-VAL-10", "FR-LD-VAL-01")
    yield "SCH-LD"


def _suspects_of_target(outcome: ExpectedListing, kind: str) -> Iterator[str]:
    request = outcome.request
    if not all_utf8(outcome.qualifying):
        yield "NFR-LD-REL-02"
    if kind == "SandboxViolation" and (".." in outcome.path or not outcome.has_unusual_path):
        yield "FR-LD-VAL-07"
    if not outcome.is_respelt and not outcome.directory.is_sandbox_root and kind == "ExecutionFailed":
        yield from _suspects_of_entries(outcome)
        yield "FR-LD-VAL-08"
    if outcome.has_unusual_path:
        yield "FR-LD-VAL-10"
    if kind == "SandboxViolation":
        yield from ("FR-LD-VAL-07", "FR-LD-VAL-08")
    if kind == "ExecutionFailed" and outcome.budget < outcome.full_size + 32:
        yield from ("FR-LD-OUT-08", *SIZE_SUSPECTS)
    yield from _suspects_of_entries(outcome)
    if not outcome.directory.is_sandbox_root and kind != "SandboxViolation":
        yield "FR-LD-VAL-08"
    if any(time is None or time < 0 for entry in outcome.entries for time in entry.accepted_times):
        yield "EF-06"
    if not request.recursive and set(request.sources.values()) == {"built-in"}:
        yield "T-LD-01"
    yield "FR-LD-LST-02" if request.recursive else "FR-LD-LST-01"
    yield "FR-LD-VAL-05"


def _suspects_of_entries(outcome: ExpectedListing) -> Iterator[str]:
    """Yield the requirements by which an entry that cannot be read fails no call; one behind the limit may be met."""
    if any(node.kind is Kind.DIR and not listable(node) for node in outcome.directory.children):
        yield "FR-LD-LST-08"  # also one that is only met in the search for further entries
    elif any("read_dir_failed" in entry.error_codes for entry in outcome.qualifying):
        yield "FR-LD-LST-08"
    if any(entry.error_codes for entry in outcome.qualifying):
        yield "FR-LD-LST-04"
