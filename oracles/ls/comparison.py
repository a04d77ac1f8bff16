"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

The form of the envelope is compared first, since its mistakes are independent of each other. The other stages run from
coarse to fine: error or listing, directory, membership, order, entries, counts and text. A stage runs only if the
earlier ones found no difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from posixpath import normpath
from typing import Any

from treeproof.api import CallResult, Case, Finding

from ..shared.judgement import MATCH, Comparison
from .arguments import PARAMETER_REQUIREMENTS
from .envelope_comparison import compare_envelope, is_error
from .expected import (
    ExpectedFailure,
    ExpectedListing,
    ExpectedOutcome,
    has_hidden_component,
)
from .kinds import (
    NO_JSON,
    NO_OBJECT,
    NOT_REFUSED,
)
from .listing_comparison import ListingComparison

_MESSAGE_REQUIREMENTS = dict.fromkeys(("LS-SEC-01", "LS-SEC-04", "LS-SEC-06"), "LS-ERR-02")
"""The requirement that prescribes the message of an error, if it is not LS-ERR-09."""


def compare(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    if answer.status != "ok":
        if answer.error_kind == "BadArgs" and not isinstance(case.arguments, dict):
            return MATCH  # the tool was not called (AMB-LS-57)
        got = f"{answer.error_kind}: {answer.error_message}"
        kind = f"the call failed with {answer.error_kind} and without an envelope"
        message = "the call fails without an envelope"
        return 0, (Finding("LS-ARG-08", message, "", got, stage="call", kind=kind),)
    raw = answer.content or ""
    try:
        raw.encode("utf-8")
        members = json.loads(raw, parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        message = f"the answer is no JSON in UTF-8: {error}"
        return 0, (Finding("LS-ENV-10", message, "JSON", raw[:400], stage="output", kind=NO_JSON),)
    if not isinstance(members, dict):
        return 0, (Finding("LS-ENV-01", NO_OBJECT, "", raw[:400], stage="output", kind=NO_OBJECT),)
    formal = tuple(compare_envelope(members, expected.cwd, case))
    sent = case.arguments if isinstance(case.arguments, dict) else {}
    stage, found = _compare_content(expected, members, raw, sent)
    return stage, (*formal, *found)


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _compare_content(
    expected: ExpectedOutcome, members: dict[str, Any], raw: str, sent: Mapping[str, Any]
) -> Comparison:
    status = members.get("status")
    has_error_status = status == "error" or ("error" in members and status not in ("success", "partial"))
    if isinstance(expected, ExpectedFailure):
        if "error" in members and has_error_status:
            return _compare_error(expected, members, sent)
        message = f"the call succeeds although {expected.reason}"
        codes, suspects = " or ".join(expected.codes), expected.other_requirements
        return 1, (
            Finding(expected.requirement, message, codes, raw[:400], suspects, stage="refusal", kind=NOT_REFUSED),
        )
    if has_error_status:
        first, *others = _failure_suspects(expected, members, sent)
        error = members.get("error")
        kind = f"the call is refused with {error.get('code') if isinstance(error, dict) else None}"
        message = "the call fails although it is valid"
        return 1, (Finding(first, message, "", raw[:400], tuple(others), stage="call", kind=kind),)
    if not isinstance(members.get("data"), dict):
        return 2, ()  # compare_envelope reports this
    return ListingComparison(expected, members, sent).compare()


def _compare_error(expected: ExpectedFailure, members: dict[str, Any], sent: Mapping[str, Any]) -> Comparison:
    error = members["error"]
    if not is_error(error):
        return 3, ()  # compare_envelope reports this
    code, message = error["code"], error["message"]
    refused_arguments = tuple(_argument_suspects(sent)) if code == "INVALID_PARAM" else ()
    if code not in expected.codes:
        got = f"{code}: {message}"
        others = ("LS-ERR-04",) if expected.requirement == "LS-ERR-04" else expected.other_requirements
        problem = f"the kind of error is wrong, as {expected.reason}"
        codes, kind = " or ".join(expected.codes), f"refused with {code}"
        suspects = (*others, *refused_arguments, *_path_suspects(expected, sent))
        return 2, (Finding(expected.requirement, problem, codes, got, suspects, stage="error", kind=kind),)
    has_placeholder = any("$ROOT" in one or "$OUTSIDE" in one for one in expected.messages)
    if expected.messages and not has_placeholder and message not in expected.messages:
        requirement = _MESSAGE_REQUIREMENTS.get(expected.requirement, "LS-ERR-09")
        what = "the error has another message"
        suspects = (requirement, *refused_arguments)
        if refused_arguments and any(name in message for name in sent if name != "path"):  # it is about that argument
            suspects = (*refused_arguments, requirement)
        return 3, (Finding(suspects[0], what, expected.messages[0], message, suspects[1:], stage="error"),)
    text = members.get("text")
    if isinstance(text, str) and message not in text:
        return 4, (Finding("LS-ERR-07", "the text lacks the message", message, text, stage="text"),)
    return MATCH


def _path_suspects(expected: ExpectedFailure, sent: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements about the place of a path, if it is taken for another one."""
    path = sent.get("path")
    if expected.cwd != ".":
        yield "LS-SEC-02"
    if isinstance(path, str) and has_hidden_component(path):
        yield "LS-FILT-10"
    if isinstance(path, str) and path != normpath(path):
        yield "LS-ENV-09"


def _argument_suspects(sent: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements by which the arguments beside the path are right, if they are refused."""
    if type(offset := sent.get("offset")) is int and offset > 0:
        yield "LS-PAGE-05"
    yield from (
        PARAMETER_REQUIREMENTS[name] for name in ("limit", "offset", "ignore", "include_hidden") if name in sent
    )


def _failure_suspects(expected: ExpectedListing, members: dict[str, Any], sent: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements that an unexpected error may violate, the likeliest first."""
    error, request = members.get("error"), expected.request
    code = error.get("code") if isinstance(error, dict) else None
    if code == "INVALID_PARAM":
        if request.offset >= len(expected.entries):  # the offset 0 of an empty list is at its end too
            yield "LS-PAGE-05"
        yield from (id for id in _argument_suspects(sent) if id != "LS-PAGE-05")
        yield "LS-ARG-01"
    elif code == "ACCESS_DENIED":
        if request.path.startswith("$"):
            yield "LS-SEC-03"
        if expected.through_link:
            yield "LS-SEC-04"
        if ".." in request.path:
            yield from ("LS-SEC-02", "LS-ENV-09")
        yield "LS-SEC-01"
    suspects: list[str] = []
    if expected.cwd != ".":
        suspects.append("LS-SEC-02")
    if has_hidden_component(expected.resolved_paths[0]):
        suspects.append("LS-FILT-10")
    if not expected.is_simple_path:
        suspects.append("LS-ENV-09")
    if expected.through_link:
        suspects.append("LS-SEC-04")
    if any(entry.type == "link" for entry in expected.entries):
        suspects.append("LS-DATA-06")
    yield from suspects
    if not suspects or code == "INTERNAL_ERROR":
        yield "LS-ARG-08"
