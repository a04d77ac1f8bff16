"""The comparison of the members of an envelope, without the listing itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treeproof.api import Case, Finding

from ..shared.formatting import format_json
from .expected import ALL_CODES

TOP_MEMBERS = ("status", "data", "text", "stats", "context")


def compare_envelope(members: dict[str, Any], cwd: str, case: Case) -> Iterator[Finding]:
    """Yield the differences in the form of an envelope; they are independent of each other."""
    status, error = members.get("status"), members.get("error", {})
    expected = {*TOP_MEMBERS, *(["error"] if status == "error" else [])}
    if set(members) != expected:
        yield Finding("LS-ENV-01", "the members at the top are wrong", ", ".join(expected), ", ".join(members))
    if status not in ("success", "partial", "error"):
        yield Finding("LS-ENV-02", "no such status", "success, partial or error", format_json(status))
    data_rule, text_rule, time_rule = (
        ("LS-ENV-11",) * 3 if status == "error" else ("LS-ENV-03", "LS-ENV-05", "LS-ENV-06")
    )
    if "data" in members and not isinstance(members["data"], dict):
        yield Finding(data_rule, "data is no object", "an object", format_json(members["data"]))
    if status == "error" and "error" in members:
        if not is_error(error):
            yield Finding("LS-ENV-04", "error is not code and message", "a code of the table", format_json(error))
        elif not error["message"]:
            yield Finding("LS-ENV-11", "the message is empty", "a message", format_json(error))
    if "text" in members and (not isinstance(members["text"], str) or not members["text"]):
        yield Finding(text_rule, "there is no text", "a text", format_json(members["text"]))
    stats, context = members.get("stats"), members.get("context")
    time = stats.get("time_ms") if isinstance(stats, dict) else None
    if "stats" in members and (isinstance(time, bool) or not isinstance(time, int | float) or not time >= 0):
        yield Finding(time_rule, "stats has no time_ms", "a number, at least 0", format_json(time))
    if "context" not in members:
        return
    got = context if isinstance(context, dict) else {}
    if got.get("cwd") != cwd:
        yield Finding("LS-ENV-07", "cwd is wrong", cwd, format_json(got.get("cwd")))
    sent, echo = case.arguments, got.get("params_input")
    if isinstance(sent, dict) and not _is_echo(sent, echo):
        yield Finding("LS-ENV-08", "params_input is not what was sent", format_json(sent), format_json(echo))


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
            return isinstance(got, int | float) and not isinstance(got, bool) and sent == got
        case str():
            return isinstance(got, str) and ("$ROOT" in sent or "$OUTSIDE" in sent or sent == got)
        case list():
            if not isinstance(got, list) or len(got) != len(sent):
                return False
            return all(_is_echo(one, other) for one, other in zip(sent, got, strict=True))
        case _:
            same = isinstance(got, dict) and set(got) == set(sent)
            return same and all(_is_echo(sent[name], got[name]) for name in sent)
