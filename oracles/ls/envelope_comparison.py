"""The comparison of the members of an envelope, without the listing itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treeproof.api import Case, Finding

from ..shared.formatting import format_json
from .expected import ALL_CODES
from .kinds import member_kind

_MAX_EXACT = 2**53
"""The greatest number up to which a floating-point number holds every integer."""

TOP_MEMBERS = ("status", "data", "text", "stats", "context")


def compare_envelope(members: dict[str, Any], cwd: str, case: Case) -> Iterator[Finding]:
    """Yield the differences in the form of an envelope; they are independent of each other."""
    status, error = members.get("status"), members.get("error", {})
    has_error = status == "error" or ("error" in members and status not in ("success", "partial"))
    expected = {*TOP_MEMBERS, *(["error"] if has_error else [])}
    if set(members) != expected:
        missing = [name for name in (*TOP_MEMBERS, "error") if name in expected - set(members)]
        message = f"the envelope has no {missing[0]}" if missing else "the envelope has other members"
        yield Finding("LS-ENV-01", message, ", ".join(expected), ", ".join(members), stage="output")
    if "status" in members and status not in ("success", "partial", "error"):
        allowed = "success, partial or error"
        yield Finding("LS-ENV-02", "there is no such status", allowed, format_json(status), stage="output")
    data_rule, text_rule, time_rule = (
        ("LS-ENV-11",) * 3 if status == "error" else ("LS-ENV-03", "LS-ENV-05", "LS-ENV-06")
    )
    if "data" in members and not isinstance(members["data"], dict):
        yield Finding(data_rule, "data is no object", "", format_json(members["data"]), stage="output")
    if status == "error" and "error" in members:
        if not is_error(error):
            yield _error_finding(error)
        elif not error["message"]:
            message, kind = "the message is empty", "another error.message"
            yield Finding("LS-ENV-11", message, "", format_json(error), stage="members", kind=kind)
    if "text" in members and (not isinstance(members["text"], str) or not members["text"]):
        yield Finding(text_rule, "there is no text", "", format_json(members["text"]), stage="output")
    stats, context = members.get("stats"), members.get("context")
    time = stats.get("time_ms") if isinstance(stats, dict) else None
    if "stats" in members and (isinstance(time, bool) or not isinstance(time, int | float) or not time >= 0):
        message, kind = "stats.time_ms is no number from 0", member_kind(stats, "stats.time_ms")
        yield Finding(time_rule, message, "", format_json(time), stage="members", kind=kind)
    if "context" not in members:
        return
    got = context if isinstance(context, dict) else {}
    if got.get("cwd") != cwd:
        kind = member_kind(got, "context.cwd")
        yield Finding("LS-ENV-07", "cwd is wrong", cwd, format_json(got.get("cwd")), stage="members", kind=kind)
    sent, echo = case.arguments, got.get("params_input")
    if isinstance(sent, dict) and not _is_echo(sent, echo):
        message, kind = "params_input is not what was sent", member_kind(got, "context.params_input")
        yield Finding("LS-ENV-08", message, format_json(sent), format_json(echo), stage="members", kind=kind)


def _error_finding(error: Any) -> Finding:
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        return Finding("LS-ENV-04", "the error has no code", "", format_json(error), stage="output")
    name = "message" if error["code"] in ALL_CODES else "code"
    kind = member_kind(error, f"error.{name}")
    return Finding("LS-ENV-04", f"the error's {name} is wrong", "", format_json(error), stage="members", kind=kind)


def is_error(error: Any) -> bool:
    """Return whether a value is an error object with a known code and a message."""
    if not isinstance(error, dict):
        return False
    return error.get("code") in ALL_CODES and isinstance(error.get("message"), str)


def _is_echo(sent: Any, got: Any) -> bool:
    """Compare as JSON, numbers by value; a text with a placeholder matches any text."""
    match sent:
        case bool() | None:
            return sent is got
        case int() | float():
            is_number = isinstance(got, int | float) and not isinstance(got, bool)
            return is_number and (sent == got or (abs(sent) > _MAX_EXACT and float(sent) == got))  # AMB-LS-62
        case str():
            return isinstance(got, str) and ("$ROOT" in sent or "$OUTSIDE" in sent or sent == got)
        case list():
            if not isinstance(got, list) or len(got) != len(sent):
                return False
            return all(_is_echo(one, other) for one, other in zip(sent, got, strict=True))
        case _:
            same = isinstance(got, dict) and set(got) == set(sent)
            return same and all(_is_echo(sent[name], got[name]) for name in sent)
