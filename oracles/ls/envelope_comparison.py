"""The comparison of the members of an envelope, without the listing or the error in it.

Its mistakes are independent of each other and of everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from treeproof.api import Finding

from ..shared.formatting import format_json
from .outcomes import ALL_CODES, ExpectedOutcome

_MAX_EXACT = 2**53
"""The greatest number up to which a floating-point number holds every integer."""

TOP_MEMBERS = ("status", "data", "text", "stats", "context")
STATUSES = ("success", "partial", "error")


def shows_error(members: Mapping[str, Any]) -> bool:
    """Return whether an envelope is that of an error."""
    status = members.get("status")
    return status == "error" or ("error" in members and status not in ("success", "partial"))


def compare_envelope(members: Mapping[str, Any], expected: ExpectedOutcome) -> Iterator[Finding]:
    """Yield the differences in the form of an envelope."""
    yield from _top(members)
    yield from _parts(members)
    stats, context = members.get("stats"), members.get("context")
    if "stats" in members and not _is_time(stats.get("time_ms") if isinstance(stats, dict) else None):
        rule = "LS-ENV-11" if members.get("status") == "error" else "LS-ENV-06"
        kind = member_kind(stats, "stats.time_ms")
        yield _finding(rule, "stats.time_ms is no number from 0", "0", stats, kind=kind)
    if "context" in members:
        yield from _context(context if isinstance(context, dict) else {}, expected.cwd, expected.echo)


def member_kind(members: object, place: str) -> str:
    """Return the kind of a difference at a member, such as ``stats.links``, that ``members`` has or lacks."""
    name = place.rpartition(".")[2]
    return f"another {place}" if isinstance(members, dict) and name in members else f"no {place}"


def is_error(error: Any) -> bool:
    """Return whether a value is an error object with a code and a message; the code may be unknown."""
    return isinstance(error, dict) and all(isinstance(error.get(name), str) for name in ("code", "message"))


def _top(members: Mapping[str, Any]) -> Iterator[Finding]:
    status = members.get("status")
    due = [*TOP_MEMBERS, *(["error"] if shows_error(members) else [])]
    if set(members) != set(due):
        missing = [name for name in due if name not in members]
        kind = f"the envelope has no {missing[0]}" if missing else "the envelope has other members"
        yield Finding("LS-ENV-01", kind, format_json(due), format_json([*members]), kind=kind)
    if "status" in members and status not in STATUSES:
        yield _finding("LS-ENV-02", "there is no such status", format_json(STATUSES), status)


def _parts(members: Mapping[str, Any]) -> Iterator[Finding]:
    is_of_error = members.get("status") == "error"
    data, text, error = members.get("data"), members.get("text"), members.get("error")
    if "data" in members and not isinstance(data, dict):
        yield _finding("LS-ENV-11" if is_of_error else "LS-ENV-03", "data is no object", "{}", data)
    if "text" in members and (not isinstance(text, str) or not text):
        yield _finding("LS-ENV-11" if is_of_error else "LS-ENV-05", "there is no text", "a text", text)
    if not (is_of_error and "error" in members):
        return
    if not is_error(error):
        name = "message" if isinstance(error, dict) and isinstance(error.get("code"), str) else "code"
        kind = f"the error has no {name}"
        yield _finding("LS-ENV-04", kind, "an object with code and message", error)
    elif isinstance(error, dict) and not error["message"]:
        yield _finding("LS-ENV-11", "the message is empty", "a text", error["message"])


def with_one_name(text: str) -> str:
    """Return a text in which the sandbox root has one name, whatever its path was joined from."""
    return text.replace("$OUTSIDE/root", "$ROOT")


def is_unknown_code(code: str) -> bool:
    """Return whether no row of the table of errors has a code."""
    return code not in ALL_CODES


def _context(context: Mapping[str, Any], cwd: str, sent: Any) -> Iterator[Finding]:
    if context.get("cwd") != cwd:
        kind = member_kind(context, "context.cwd")
        yield _finding("LS-ENV-07", "cwd is wrong", format_json(cwd), context.get("cwd"), kind=kind)
    echo = context.get("params_input")
    if isinstance(sent, dict) and not _is_echo(sent, echo):
        kind = member_kind(context, "context.params_input")
        yield _finding("LS-ENV-08", "params_input is not what was sent", format_json(sent), echo, kind=kind)


def _is_time(time: Any) -> bool:
    return isinstance(time, int | float) and not isinstance(time, bool) and time >= 0


def _is_echo(sent: Any, got: Any) -> bool:
    """Compare as JSON, numbers by value."""
    match sent:
        case bool() | None:
            return sent is got
        case int() | float():
            is_number = isinstance(got, int | float) and not isinstance(got, bool)
            return is_number and (sent == got or (abs(sent) > _MAX_EXACT and _as_double(sent) == _as_double(got)))
        case list():
            if not isinstance(got, list) or len(got) != len(sent):
                return False
            return all(_is_echo(one, other) for one, other in zip(sent, got, strict=True))
        case dict():
            same = isinstance(got, dict) and set(got) == set(sent)
            return same and all(_is_echo(sent[name], got[name]) for name in sent)
        case _:
            return isinstance(got, str) and with_one_name(sent) == with_one_name(got)


def _as_double(number: float) -> float:
    """Return the nearest double: JSON promises no more, and a language of doubles writes other digits for it."""
    try:
        return float(number)
    except OverflowError:
        return float("inf")


def _finding(requirement: str, message: str, expected: str, got: Any, *, kind: str = "") -> Finding:
    values = expected, format_json(got)[:400]
    return Finding(requirement, message, *values, kind=kind or message)
