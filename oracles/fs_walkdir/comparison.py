"""An answer against one outcome: what differs, and which requirement is to blame.

From the coarse to the fine: nil or a list, a list of what, which paths, and of each what is said. A step looks only at
what those before it have found right.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from treeproof.api import CallResult, Finding, Kind, format_path

from .expected import ExpectedListing, ExpectedOutcome
from .path_resolution import ExpectedFailure, ResolvedDirectory
from .walk import ExpectedElement

ELEMENT_KEYS = frozenset({"name", "path", "isDir", "size", "modTime"})
MATCH: tuple[int, tuple[Finding, ...]] = (9, ())

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", re.IGNORECASE)


def compare(outcome: ExpectedOutcome, answer: CallResult) -> tuple[int, tuple[Finding, ...]]:
    """How far the answer is what the outcome says, and what differs there."""
    if answer.status != "ok":
        got = f"{answer.error_kind}: {answer.error_message}"
        if isinstance(outcome, ExpectedFailure):
            if outcome.may_fail:
                return MATCH
            first = Finding(
                "WD-ERR-01",
                f"the call fails, as {outcome.reason}",
                "nil",
                got,
                other_requirements=(outcome.requirement,),
            )
            return 1, (first,)
        return 0, (_unexpected_failure(outcome, "the call fails", got),)
    try:
        value = json.loads(answer.content or "")
    except ValueError:
        return 0, (
            Finding("WD-RET-01", "the output is no JSON", "a list or null", (answer.content or "")[:400]),
        )
    if isinstance(outcome, ExpectedFailure):
        return _compare_failure(outcome, value)
    if value is None:
        return 0, (_unexpected_failure(outcome, "the result is nil", "null"),)
    return _compare_list(outcome, value)


def _compare_failure(outcome: ExpectedFailure, value: Any) -> tuple[int, tuple[Finding, ...]]:
    if value is None or (outcome.allows_empty_list and value == []):
        return MATCH
    others = (*outcome.other_requirements, "WD-ERR-01")
    return 1, (
        Finding(
            outcome.requirement,
            f"not nil although {outcome.reason}",
            "null",
            _format_json(value),
            other_requirements=others,
        ),
    )


def _unexpected_failure(outcome: ExpectedListing, message: str, got: str) -> Finding:
    """A walk that did not happen although it should: for its start, for what it meets, or at all."""
    found, due = outcome.start, outcome.elements
    reasons: list[str] = []
    if found.through_link:
        reasons.append("WD-WALK-04")
    if not found.is_simple_path:
        reasons += [_path_requirement(found), "WD-ARG-04"]
    if not due:
        reasons.append("WD-RET-02")
    if not all(one.is_utf8 for one in due):
        reasons.append("WD-ENT-01")
    if any(one.node.kind is Kind.SYMLINK for one in due):
        reasons.append("WD-SEC-03")
    if any(one.is_special or b"/." in b"/" + one.raw_path for one in due):
        reasons.append("WD-WALK-03")
    reasons += ["WD-WALK-01", "WD-ERR-06"]
    return Finding(reasons[0], message, f"{len(due)} elements", got, other_requirements=tuple(reasons[1:]))


def _path_requirement(found: ResolvedDirectory) -> str:
    """Who is to blame where a path that is not plain is taken for another one."""
    return "WD-ARG-04" if set(found.path.split("/")) - {"", "."} else "WD-ARG-05"


def _compare_list(outcome: ExpectedListing, value: Any) -> tuple[int, tuple[Finding, ...]]:
    if not isinstance(value, list) or not all(isinstance(element, dict) for element in value):
        return 1, (
            Finding("WD-RET-01", "the result is no list of maps", "a list of maps", _format_json(value)),
        )
    if not all(isinstance(element.get("path"), str) for element in value):
        return 1, (
            Finding(
                "WD-RET-01",
                "a map has no text under path",
                got=_format_json(value),
                other_requirements=("WD-ENT-02",),
            ),
        )
    wrong = list(_compare_paths(outcome, [element["path"] for element in value]))
    if wrong:
        return 2, tuple(wrong)
    by_path: dict[str, list[ExpectedElement]] = {}
    for one in outcome.elements:
        by_path.setdefault(one.path, []).append(one)
    wrong = []
    for element in value:
        alike = by_path.get(element["path"], [])
        # Names that look alike, or are spelt freely, cannot be told apart: theirs is whatever fits one of them.
        told = [list(_compare_element(one, element, outcome.allows_extra_keys)) for one in alike]
        closest: list[Finding] = min(told, key=_mismatch_rank, default=[])
        wrong += closest
    return (3, tuple(wrong)) if wrong else MATCH


def _compare_paths(outcome: ExpectedListing, got: list[str]) -> Iterator[Finding]:
    due = outcome.elements
    wanted = Counter(one.path for one in due)
    if outcome.any_non_utf8_spelling:
        loose = sum(not one.is_utf8 for one in due)
        plain = {one.path for one in due if one.is_utf8}
        if (
            len(got) == len(due)
            and plain <= set(got)
            and len([path for path in got if path not in plain]) == loose
        ):
            return
    missing, surplus = wanted - Counter(got), Counter(got) - wanted
    if not missing and not surplus:
        return
    found = outcome.start
    shown = (_format_paths(sorted(wanted.elements())), _format_paths(sorted(got)))
    links = [one.path + "/" for one in due if one.node.kind is Kind.SYMLINK]
    others: tuple[str, ...] = ()
    if missing and surplus and set(map(_last_component, surplus)) & set(map(_last_component, missing)):
        others = (
            "WD-WALK-01",
            "WD-WALK-02",
            "WD-ENT-01",
            *([] if found.is_simple_path else [_path_requirement(found)]),
        )
        yield Finding("WD-ENT-02", "paths are spelt otherwise", *shown, other_requirements=others)
        return
    if surplus and not (found.is_simple_path or found.through_link) and not set(got) & set(wanted):
        others = ("WD-WALK-01", "WD-WALK-02", "WD-ENT-02", "WD-ENT-01", "WD-SEC-03")
        yield Finding(
            _path_requirement(found), "another directory is walked", *shown, other_requirements=others
        )
        return
    for path in surplus:
        if any(path.startswith(link) for link in links):
            yield Finding("WD-SEC-03", f"{_format_paths([path])} lies behind a link", *shown)
        elif path in ("", ".", "./"):
            yield Finding("WD-WALK-02", "the start is an element", *shown)
        elif not due and outcome.start.ends_in_link:
            yield Finding("WD-WALK-04", f"{_format_paths([path])} lies behind the link", *shown)
        else:
            others = ("WD-ENT-02", "WD-ENT-01", "WD-SEC-02")
            yield Finding(
                "WD-WALK-01", f"{_format_paths([path])} is too much", *shown, other_requirements=others
            )
    for one in due:
        if one.path not in missing:
            continue
        reasons = ["WD-WALK-01"]
        if not one.is_utf8:
            reasons.insert(0, "WD-ENT-01")
        if one.node.kind is Kind.SYMLINK:
            reasons.insert(0, "WD-SEC-03")
        if one.is_special or b"/." in b"/" + one.raw_path:
            reasons.insert(0, "WD-WALK-03")
        if not outcome.start.is_simple_path:
            reasons.append("WD-ARG-04")
        yield Finding(
            reasons[0],
            f"{_format_paths([one.path])} is missing",
            *shown,
            other_requirements=tuple(reasons[1:]),
        )


def _mismatch_rank(told: list[Finding]) -> tuple[bool, int]:
    return any(finding.requirement == "WD-ENT-03" for finding in told), len(told)


def _last_component(path: str) -> str:
    """The last component of a path, however it is spelt."""
    return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def _compare_element(due: ExpectedElement, element: dict[str, Any], opened: bool) -> Iterator[Finding]:
    what = f"of {_format_paths([due.path])}"
    missing, surplus = ELEMENT_KEYS - set(element), set(element) - ELEMENT_KEYS
    if missing or (surplus and not opened):
        keys = ", ".join(sorted(element))
        yield Finding("WD-RET-01", f"the keys {what} are wrong", ", ".join(sorted(ELEMENT_KEYS)), keys)
        if missing:
            return
    name = due.path.rpartition("/")[2]
    if due.is_utf8 and element["name"] != name:
        yield Finding("WD-ENT-01", f"name {what} is wrong", _format_json(name), _format_json(element["name"]))
    is_dir = due.node.kind is Kind.DIR
    if element["isDir"] is not is_dir:
        others = ("WD-SEC-03",) if due.node.kind is Kind.SYMLINK else ()
        yield Finding(
            "WD-ENT-03",
            f"isDir {what} is wrong",
            _format_json(is_dir),
            _format_json(element["isDir"]),
            other_requirements=others,
        )
    size = element["size"]
    numeric = type(size) in (int, float) and size >= 0
    if not numeric or (due.sizes is not None and size not in due.sizes):
        expected = "a number" if due.sizes is None else " or ".join(map(str, due.sizes))
        yield Finding("WD-ENT-04", f"size {what} is wrong", expected, _format_json(size))
    yield from _compare_time(due, element["modTime"], what)


def _compare_time(due: ExpectedElement, text: Any, what: str) -> Iterator[Finding]:
    match = _TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        yield Finding(
            "WD-ENT-05", f"modTime {what} is not RFC 3339", "a time in RFC 3339", _format_json(text)
        )
        return
    offset = "+00:00" if match[4] in "Zz" else match[4]
    try:
        moment = datetime.fromisoformat(f"{match[1]} {match[2]}{offset}")
    except ValueError:
        yield Finding("WD-ENT-05", f"modTime {what} is no time", "a time in RFC 3339", _format_json(text))
        return
    if due.mtime_ns is None:
        return
    second, fraction = divmod(due.mtime_ns, 10**9)
    if int(moment.timestamp()) != second or not _is_fraction_prefix(match[3] or "", f"{fraction:09}"):
        instant = f"{datetime.fromtimestamp(second, UTC).isoformat()[:-6]}.{fraction:09}Z"
        yield Finding("WD-ENT-05", f"modTime {what} is another instant", instant, _format_json(text))


def _is_fraction_prefix(digits: str, exact: str) -> bool:
    """Whether the digits of a fraction are the first ones of the exact one, which goes on with zeros."""
    return digits == exact.ljust(len(digits), "0")[: len(digits)]


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:400]


def _format_paths(paths: list[str]) -> str:
    return ", ".join(format_path(path.encode("utf-8", "surrogatepass")) for path in paths[:30])
