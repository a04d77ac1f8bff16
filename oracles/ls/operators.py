"""The operators of LS, and the requirements that the change of an answer by each of them breaks."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterator
from typing import Any

from treeproof.api import Exchange, Operator, by_path

from ..shared.operators import (
    EntryOperators,
    LineOperators,
    MemberOperators,
    because,
    list_at,
    of_odd_names,
    on_json,
    unreadable,
    where,
)


def _document(exchange: Exchange) -> dict[str, Any]:
    try:
        found = json.loads(exchange.answer.content or "")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _is_listing(exchange: Exchange) -> bool:
    return _document(exchange).get("status") in ("success", "partial")


def _is_error(exchange: Exchange) -> bool:
    return _document(exchange).get("status") == "error"


_entries_of = list_at("data", "entries")
_entries, _lines = EntryOperators(_entries_of), LineOperators("text")
_top, _data, _stats = MemberOperators(), MemberOperators("data"), MemberOperators("stats")
_context, _error = MemberOperators("context"), MemberOperators("error")

_MAX_NAME, _USUAL_SIGNS = 250, f"{string.ascii_letters}{string.digits}/.-_$"
_CODES = ("NOT_FOUND", "INVALID_PARAM", "ACCESS_DENIED", "INTERNAL_ERROR")
_ARGUMENTS = ("LS-ARG-01", "LS-ARG-02", "LS-ARG-03", "LS-ARG-04", "LS-ARG-05", "LS-ARG-06", "LS-ARG-07", "LS-ARG-08")
_REFUSALS = {
    "NOT_FOUND": ("LS-ERR-01", "LS-SEC-01", "LS-SEC-06", "LS-ARG-08"),
    "INVALID_PARAM": (*_ARGUMENTS, "LS-ERR-03", "LS-ERR-05", "LS-ERR-09"),
    "ACCESS_DENIED": ("LS-SEC-01", "LS-SEC-04", "LS-SEC-05", "LS-SEC-06", "LS-ERR-04"),
    "INTERNAL_ERROR": ("LS-ERR-06", "LS-ARG-08"),
}
"""What another answer breaks where an error of this code is due."""

_LISTED = ("LS-DATA-06", "LS-PAGE-01", "LS-DEF-04", "LS-SEC-07", "LS-SEC-08", "LS-FILT-03", "LS-FILT-09", "LS-FILT-10")
"""What an entry breaks that is left out: the rule with a word on it, or else that all entries are listed."""

_PATTERNS = ("LS-FILT-04", "LS-FILT-05", "LS-FILT-06")
_COUNTED = ("LS-FILT-07", "LS-STAT-01", "LS-STAT-03", "LS-TEXT-01", "LS-TEXT-05")
"""What an entry breaks that is left out, and rightly so by another reading, but counted and in the text."""


def _patterns(exchange: Exchange) -> list[Any]:
    arguments = exchange.case.arguments
    return list(arguments.get("ignore") or ()) if isinstance(arguments, dict) else []


def _ignores_nothing(exchange: Exchange) -> bool:
    return not _patterns(exchange)


def _code(code: str) -> Callable[[list[Any]], bool]:
    def change(holder: list[Any]) -> bool:
        error = holder[0].get("error")
        is_other = bool(error["code"] != code)
        error["code"] = code
        return is_other

    return change


def _of_refusals(code: str) -> Iterator[Operator]:
    due = _REFUSALS[code]
    yield from where(
        lambda exchange: _document(exchange).get("error", {}).get("code") == code,
        *(on_json(f"{code}: {other} instead", due, _code(other), _code_reason) for other in _CODES if other != code),
        on_json(f"{code}: another code", ("LS-ENV-04", *due), _code("EXIST"), _code_reason),
        # By another reading a listing may be due, of links out as well.
        on_json(f"{code}: an empty listing", (*due, "LS-DATA-06", "LS-SEC-07", *_PATTERNS), _to_success),
    )


def _path_of(exchange: Exchange) -> Any:
    return exchange.case.arguments.get("path") if isinstance(exchange.case.arguments, dict) else ""


def _has_unusual_path(recorded: Exchange, changed: Exchange) -> bool:
    path = str(_path_of(recorded))
    return len(path) > _MAX_NAME or _leads_in_a_loop(recorded, path) or not set(path) <= set(_USUAL_SIGNS)


def _leads_in_a_loop(recorded: Exchange, path: str) -> bool:
    name = path.partition("/")[0].encode()
    node = by_path(recorded.case.tree).get(name)
    return node is not None and node.target == name


def _leads_over_a_link(recorded: Exchange) -> bool:
    names = [name for name in str(_path_of(recorded)).removeprefix("$ROOT").split("/") if name not in ("", ".")]
    nodes = by_path(recorded.case.tree)
    found = (nodes.get("/".join(names[:end]).encode()) for end in range(1, len(names) + 1))
    return any(node is not None and node.target is not None for node in found)


def _is_free(recorded: Exchange, changed: Exchange) -> bool:
    """Return whether nothing is at the end of the path, or of the link that is there."""
    nodes = {**by_path(recorded.case.outside), **by_path(recorded.case.tree)}
    names = {path.rpartition(b"/")[2]: node.target for path, node in nodes.items()}
    name = str(_path_of(recorded)).rpartition("/")[2].encode()
    target = names.get(name)
    return (target.rpartition(b"/")[2] if target else name) not in names


def _code_reason(recorded: Exchange, changed: Exchange) -> str:
    codes = {_document(one).get("error", {}).get("code") for one in (recorded, changed)}
    if codes == {"ACCESS_DENIED", "NOT_FOUND"} and _is_free(recorded, changed):
        return "a path outside at which nothing is may be NOT_FOUND"
    if _leads_over_a_link(recorded):
        return "a tool that follows no links may refuse a path over one with any code"
    if _has_unusual_path(recorded, changed):
        return "a path that the system may not take has no code of its own"
    root = str(recorded.case.context.get("roots", ["$ROOT"])[0])
    if root.startswith("$OUTSIDE/") and root.removeprefix("$OUTSIDE/").encode() not in by_path(recorded.case.outside):
        return "a missing root has no code of its own"
    if _path_of(recorded) == "" or ".." in str(_path_of(recorded)).split("/"):
        return "an empty path, or one with two dots, may be refused (AMB-LS-80)"
    return ""


def _has_controls(recorded: Exchange, changed: Exchange) -> bool:
    shown = repr(list(by_path(recorded.case.tree))) + repr(recorded.case.arguments)
    return "\\x" in shown or "\\t" in shown or "\\n" in shown


def _of_lines(recorded: Exchange, changed: Exchange) -> str:
    if not _document(recorded)["data"]["entries"] and recorded.case.arguments.get("offset"):
        return "the third and fourth line of a page beyond the end are open"
    return _of_controls(recorded, changed)


_of_controls = because("how control characters look in the text is open", _has_controls)

_of_errors = because(
    "an error need not say what its path means, nor can it where the path is none",
    lambda recorded, _: _is_error(recorded),
)

_of_other_arguments = because(
    "arguments that are no object have no members to repeat",
    lambda recorded, _: not isinstance(recorded.case.arguments, dict),
)


def _may_be_refused(recorded: Exchange, changed: Exchange) -> bool:
    nodes = by_path(recorded.case.tree)
    closed = {name for name, node in nodes.items() if node.mode is not None and not node.mode & 0o100}
    into_closed = any(node.target and node.target.rpartition(b"/")[0] in closed for node in nodes.values())
    return into_closed or re.search("%(2e|2f|00|25)", str(_path_of(recorded)), re.IGNORECASE) is not None


_of_guards = because(
    "a path with an escape may be refused, and a directory with a link to a place that cannot be seen", _may_be_refused
)


def _to_success(holder: list[Any]) -> bool:
    holder[0] = {
        "status": "success",
        "data": {"entries": [], "truncated": False},
        "text": "Listed 0 entries in '.'\n(Total: 0 items - 0 dirs, 0 files, 0 links)",
        "stats": {"time_ms": 0, "total_entries": 0, "dirs": 0, "files": 0, "links": 0, "returned": 0},
        "context": holder[0]["context"],
    }
    return True


def _to_error(holder: list[Any]) -> bool:
    message = "Access denied. Path must be within the project root."
    holder[0] = {
        "status": "error",
        "data": {},
        "text": message,
        "stats": {"time_ms": 0},
        "context": holder[0]["context"],
        "error": {"code": "ACCESS_DENIED", "message": message},
    }
    return True


_COUNTS = {
    "total_entries": "LS-STAT-01",
    "dirs": "LS-STAT-02",
    "files": "LS-STAT-02",
    "links": "LS-STAT-02",
    "returned": "LS-STAT-03",
}
_TEXT = ("LS-TEXT-01", "LS-TEXT-02", "LS-TEXT-03", "LS-TEXT-04", "LS-TEXT-05")
"""What a line less or more breaks: the rules of all lines that are no longer at their place."""

operators: tuple[Operator, ...] = (
    *where(_ignores_nothing, *_entries.less(*_LISTED)),
    *where(
        lambda exchange: bool(_patterns(exchange)),
        *EntryOperators(_entries_of, "entry of a listing with patterns").less(*_LISTED, *_PATTERNS, *_COUNTED),
    ),
    *_entries.twice("LS-DATA-06", "LS-PAGE-01"),
    _entries.invented(("path",), "LS-DATA-06", "LS-PAGE-01"),
    *_entries.swapped(
        "LS-SORT-01", "LS-SORT-02", "LS-SORT-03", "LS-SORT-04", "LS-SEC-07", "LS-TEXT-05", reason=_of_controls
    ),
    *_entries.member(
        "path",
        value=("LS-DATA-03", "LS-DATA-06"),
        form=("LS-DATA-02",),
        absent=("LS-DATA-02",),
        reason=of_odd_names(_entries_of),
    ),
    *_entries.member("type", value=("LS-DATA-02",), form=("LS-DATA-02",), absent=("LS-DATA-02",)),
    *_top.member("status", value=("LS-ENV-02",), form=("LS-ENV-02",), absent=("LS-ENV-01",)),
    *_top.member("data", form=("LS-ENV-03", "LS-ENV-11"), absent=("LS-ENV-01",)),
    *_top.member("text", form=("LS-ENV-05", "LS-ENV-11"), absent=("LS-ENV-01",)),
    *_top.member(
        "stats", form=("LS-ENV-06", "LS-ENV-11", "LS-STAT-01", "LS-STAT-02", "LS-STAT-03"), absent=("LS-ENV-01",)
    ),
    *_top.member("context", form=("LS-ENV-07", "LS-ENV-08"), absent=("LS-ENV-01",)),
    _top.further("LS-ENV-01"),
    *unreadable("LS-ENV-10"),
    *where(
        _is_listing,
        *_data.member("entries", form=("LS-DATA-01",), absent=("LS-DATA-01",)),
        *_data.member("truncated", value=("LS-PAGE-02",), form=("LS-DATA-04",), absent=("LS-DATA-04",)),
        *(
            operator
            for key, number in _COUNTS.items()
            for operator in _stats.member(key, value=[number], less=[number], form=[number], absent=[number])
        ),
        *_stats.member("time_ms", form=("LS-ENV-06",), absent=("LS-ENV-06",)),
        on_json("status of the other listing", ("LS-PAGE-03",), lambda holder: _other_listing(holder[0])),
        on_json(
            "an error for a listing",
            (*_LISTED, *_PATTERNS, "LS-SEC-02", "LS-SEC-03", "LS-SEC-04", "LS-PAGE-05", "LS-ENV-09", "LS-ARG-05"),
            _to_error,
            _of_guards,
        ),
    ),
    *_context.member("cwd", value=("LS-ENV-07",), form=("LS-ENV-07",), absent=("LS-ENV-07",)),
    *_context.member("params_input", form=("LS-ENV-08",), absent=("LS-ENV-08",), reason=_of_other_arguments),
    *_context.member("path_resolved", value=("LS-ENV-09",), form=("LS-ENV-09",), reason=_of_errors),
    *where(_is_listing, *_context.member("path_resolved", absent=("LS-ENV-12",))),
    MemberOperators("context", "params_input").further("LS-ENV-08"),
    *where(
        _is_error,
        *_error.member("code", form=("LS-ENV-04",), absent=("LS-ENV-04",)),
        *_error.member("message", form=("LS-ENV-04",), absent=("LS-ENV-04",)),
        *_top.member("error", form=("LS-ENV-04",), absent=("LS-ENV-01",)),
    ),
    *(operator for code in _CODES for operator in _of_refusals(code)),
    *where(
        _is_listing,
        *_lines.line("first line", 0, changed=("LS-TEXT-01",), shifted=_TEXT, reason=_of_controls),
        *_lines.line("second line", 1, changed=("LS-TEXT-02",), shifted=_TEXT, reason=_of_lines),
        *_lines.line(
            "last line", -1, changed=("LS-TEXT-02", "LS-TEXT-04", "LS-TEXT-05"), shifted=_TEXT, reason=_of_lines
        ),
    ),
)


def _other_listing(document: dict[str, Any]) -> bool:
    document["status"] = "success" if document["status"] == "partial" else "partial"
    return True
