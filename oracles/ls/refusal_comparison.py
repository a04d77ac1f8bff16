"""The comparison where an error is due or came: of codes and messages, and whom an unexpected error blames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from posixpath import normpath
from typing import Any

from treeproof.api import CallResult, Case, Finding

from ..shared.formatting import format_json
from ..shared.judgement import MATCH, Comparison
from .arguments import PARAMETER_REQUIREMENTS
from .envelope_comparison import is_error, is_unknown_code, with_one_name
from .outcomes import ExpectedEntry, ExpectedFailure, ExpectedListing, ExpectedOutcome
from .refusals import OUTSIDE_MESSAGE

NOT_REFUSED = "not refused"
_PLAIN, _LONG = re.compile(r"[A-Za-z0-9_-]*[A-Za-z0-9_](\.[A-Za-z0-9]+)*", re.ASCII), 100
"""Names that every program takes as they are, and the length from which a path is unusual."""


def failed_call(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Finding:
    """Return the finding for a call that fails without an envelope.

    Where the document names the error that is due, that sentence is broken as well, and is the more special one.
    """
    got = format_json(f"{answer.error_kind}: {answer.error_message}")
    if answer.error_kind == "UnknownTool":
        kind = "no tool has this name"
        return Finding("LS-DEF-01", f"{kind}: {case.tool}", format_json(case.tool), got, kind=kind)
    requirements = ["LS-ARG-08"]
    if isinstance(expected, ExpectedListing):
        if 0 < expected.request.offset >= len(expected.entries):
            requirements.insert(0, "LS-PAGE-05")
    elif not expected.requirement.startswith("LS-SEC"):
        requirements.insert(0, expected.requirement)
    return without_envelope(answer, *dict.fromkeys(requirements))


def without_envelope(answer: CallResult, first: str = "LS-ARG-08", *others: str) -> Finding:
    """Return the finding for an error of the call itself, and what it breaks: the rule of envelopes, at least."""
    got = format_json(f"{answer.error_kind}: {answer.error_message}")
    kind = f"the call failed with {answer.error_kind} and without an envelope"
    message = f"{kind}: {answer.error_message}"
    return Finding(first, message, '"an envelope"', got, others, kind=kind)


def not_refused(expected: ExpectedFailure, members: Mapping[str, Any], case: Case) -> Finding:
    """Return the finding for a listing where an error is due. One of names inside alone has reached nothing outside."""
    data = members.get("data")
    entries = data.get("entries") if isinstance(data, dict) else None
    paths = [one.get("path") for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    inside = {path.rpartition(b"/")[2].decode("utf-8", "replace") for path, _ in case.tree.walk()}
    is_escape = not {str(path).rstrip("/").rpartition("/")[2] for path in paths} <= inside
    message = f"the call succeeds although {expected.reason}"
    codes, got = " or ".join(expected.codes), format_json(paths)
    others = expected.other_requirements
    finding = Finding(expected.requirement, message, codes, got, others, kind=NOT_REFUSED)
    # A rule of arguments keeps nothing inside, whatever is listed.
    return replace(finding, harm="escape") if is_escape and finding.requirement.startswith("LS-SEC") else finding


def compare_error(expected: ExpectedFailure, members: Mapping[str, Any], sent: Mapping[str, Any]) -> Comparison:
    """Return the differences of an error from the one that is due."""
    error = members.get("error")
    if not is_error(error):
        return 3, ()  # compare_envelope reports this
    assert isinstance(error, dict)
    code, message = error["code"], error["message"]
    if code not in expected.codes:
        return 2, (_other_code(expected, code, message, sent),)
    findings = list(_message(expected, message, sent)) or list(_text(members.get("text"), message))
    findings += _resolved_path(expected, members.get("context"))
    return (3, tuple(findings)) if findings else MATCH


def _other_code(expected: ExpectedFailure, code: str, message: str, sent: Mapping[str, Any]) -> Finding:
    first, others = expected.requirement, [*expected.other_requirements, *_path_suspects(expected, sent)]
    if code == "INVALID_PARAM":
        others += _argument_suspects(sent)
    if is_unknown_code(code):
        others = ["LS-ENV-04"]
        if first == "LS-ARG-08":  # any code of the table is right here
            first, others = "LS-ENV-04", []
    what = f"the kind of error is wrong, as {expected.reason}"
    kind = "refused with a code that the table lacks" if is_unknown_code(code) else f"refused with {code}"
    codes, got = " or ".join(expected.codes), format_json(f"{code}: {message}")
    possible = tuple(dict.fromkeys(one for one in others if one != first))
    return Finding(first, what, codes, got, possible, kind=kind)


def _message(expected: ExpectedFailure, message: str, sent: Mapping[str, Any]) -> Iterator[Finding]:
    accepted = map(with_one_name, expected.messages)
    if not expected.messages or with_one_name(message) in accepted or not message:
        return
    first = "LS-ERR-02" if OUTSIDE_MESSAGE in expected.messages else "LS-ERR-09"
    others: tuple[str, ...] = ()
    if any(name in message for name in sent if name != "path"):  # it may be about that argument
        others = tuple(_argument_suspects(sent))
    what = "the error has another message"
    got = format_json(message)
    yield Finding(first, what, format_json(expected.messages[0]), got, others, kind=what)


def _text(text: Any, message: str) -> Iterator[Finding]:
    if isinstance(text, str) and text and message not in text:
        what = "the text lacks the message"
        yield Finding("LS-ERR-07", what, format_json(message), format_json(text), kind=what)


def _resolved_path(expected: ExpectedFailure, context: Any) -> Iterator[Finding]:
    got = context.get("path_resolved") if isinstance(context, dict) else None
    if got == "":  # as good as none
        return
    if got is not None and not isinstance(got, str):
        kind = "another context.path_resolved"
        yield Finding("LS-ENV-09", "path_resolved is no path", "a text", format_json(got), kind=kind)
    elif got is not None and expected.resolved_paths and got not in expected.resolved_paths:
        what, due = "path_resolved is wrong", format_json(expected.resolved_paths[0])
        kind = "another context.path_resolved"
        yield Finding("LS-ENV-09", what, due, format_json(got), kind=kind)


def _path_suspects(expected: ExpectedFailure, sent: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements about the place of a path, if it is taken for another one."""
    path = sent.get("path")
    if expected.cwd != ".":
        yield "LS-SEC-02"
    if isinstance(path, str) and path != normpath(path):
        yield "LS-ENV-09"


def _argument_suspects(sent: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements by which the arguments beside the path are right, if they are refused."""
    if type(offset := sent.get("offset")) is int and offset > 0:
        yield "LS-PAGE-05"
    names = ("limit", "offset", "ignore", "include_hidden")
    yield from (PARAMETER_REQUIREMENTS[name] for name in names if name in sent)


def unexpected_error(expected: ExpectedListing, members: Mapping[str, Any], sent: Mapping[str, Any]) -> Finding:
    """Return the finding for an error where a listing is due."""
    error = members.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    first, *others = dict.fromkeys(_rules_against_error(expected, code, sent))
    kind = f"the call is refused with {code}"
    message = error.get("message") if isinstance(error, dict) else None
    what = f"{kind}, although it is valid: {message}"
    got = format_json(error)[:400]
    return Finding(first, what, '"a listing"', got, tuple(others), kind=kind)


def _rules_against_error(expected: ExpectedListing, code: Any, sent: Mapping[str, Any]) -> Iterator[str]:
    """Yield the requirements that an unexpected error may violate, the most special ones first."""
    request = expected.request
    if expected.is_in_hidden:  # whether such a directory can be requested is open
        yield "LS-FILT-10"
        return
    if 0 < request.offset >= len(expected.entries):
        yield "LS-PAGE-05"
    if code == "INVALID_PARAM" and not expected.through_link:
        if not expected.entries and request.offset == 0 and "offset" in sent:
            yield "LS-PAGE-05"
        yield from (id for id in _argument_suspects(sent) if id != "LS-PAGE-05")
    yield from rules_of_path(expected)
    if code == "NOT_FOUND" and "path" in sent:  # it was sought elsewhere
        yield "LS-SEC-02"
    yield from rules_of_entries(expected.entries)
    yield "LS-DATA-06"


def rules_of_path(expected: ExpectedListing) -> Iterator[str]:
    """Yield the requirements that make a path lead to its directory, the most special one first."""
    path = expected.request.path
    if expected.through_link:
        yield "LS-SEC-04"
    if path.startswith(("$ROOT", "$OUTSIDE", "/")):
        yield "LS-SEC-03"
    is_unusual = len(path) > _LONG or any(map(_is_unusual, path.replace("$ROOT", "/").split("/")))
    if expected.cwd != "." or is_unusual:
        yield "LS-SEC-02"
    if not expected.is_simple_path and expected.cwd == ".":
        yield "LS-ENV-09"


def _is_unusual(component: str) -> bool:
    """Return whether a program could take a name in a path for something else, or change it."""
    return component not in ("", ".", "..") and _PLAIN.fullmatch(component) is None


def rules_of_entries(entries: Iterable[ExpectedEntry]) -> Iterator[str]:
    """Yield the requirements by which unusual entries are listed."""
    if any(entry.is_closed for entry in entries):
        yield "LS-SEC-08"
    if any(entry.leads_outside for entry in entries):
        yield "LS-SEC-07"
