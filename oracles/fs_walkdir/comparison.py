"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

The stages run from coarse to fine: nil or list, shape, paths, elements. A stage runs only if the earlier ones found
no difference.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from itertools import chain
from math import ceil, floor
from typing import Any

from treeproof.api import (
    MISSING_ENTRIES,
    UNEXPECTED_ENTRIES,
    CallResult,
    Case,
    ComparisonStage,
    Finding,
    Kind,
)

from ..shared.formatting import format_json, format_paths
from ..shared.judgement import MATCH, Comparison, first_differences
from .expected import ExpectedListing, ExpectedOutcome
from .path_resolution import ExpectedFailure, ResolvedDirectory
from .walk import ExpectedElement

ELEMENT_KEYS = frozenset({"name", "path", "isDir", "size", "modTime"})

_TWICE = "elements are there twice"
_START = "the start is an element"
_BEHIND = "elements lie behind others that are no directories"
_STARTS = frozenset({"", ".", "./", "..", "../", "/"})
_BOTH = f"{MISSING_ENTRIES} and {UNEXPECTED_ENTRIES}"
_OTHER_TIME: tuple[ComparisonStage, str] = ("members", "another modTime")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", re.IGNORECASE)


def compare(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    if answer.status != "ok":
        got = f"{answer.error_kind}: {answer.error_message}"
        if isinstance(expected, ExpectedListing):
            return 0, (_unexpected_failure(expected, "the call fails", got, _failure_kind(answer)),)
        if expected.may_fail:
            return MATCH
        return 1, (_failure_instead_of_nil(expected, got, _failure_kind(answer)),)
    try:
        value = json.loads(answer.content or "")
    except (ValueError, RecursionError):
        got = (answer.content or "")[:400]
        is_empty = isinstance(expected, ExpectedListing) and not expected.elements
        ids = ("WD-RET-02", "WD-RET-01") if is_empty else ("WD-RET-01",)
        return 0, (Finding(ids[0], "the output is no JSON", "", got, ids[1:], "output"),)
    if isinstance(expected, ExpectedFailure):
        if value is None or (expected.allows_empty_list and value == []):
            return MATCH
        return 1, (_value_instead_of_nil(expected, value, case),)
    if value is None:
        return 0, (_unexpected_failure(expected, "the result is nil", "null", "the result is nil"),)
    stages = (
        lambda: _compare_shape(expected, value),
        lambda: _compare_paths(expected, [element["path"] for element in value], _names(value)),
        lambda: _compare_elements(expected, value),
    )
    return first_differences(stages, start=1)


def _failure_instead_of_nil(expected: ExpectedFailure, got: str, kind: str) -> Finding:
    """Return the finding for a call that fails. Of a way out it is no escape."""
    id = "WD-ERR-02" if expected.requirement.startswith("WD-SEC") else expected.requirement
    message = f"the call fails, as {expected.reason}"
    if not id.startswith("WD-ERR"):
        return Finding("WD-ERR-01", message, "null", got, stage="call", kind=kind)
    return Finding(id, message, "null", got, ("WD-ERR-01",), "call", kind)


def _value_instead_of_nil(expected: ExpectedFailure, value: Any, case: Case) -> Finding:
    """Return the finding for a value where nil is due. A list of what is inside the sandbox is no escape."""
    id, others = expected.requirement, (*expected.other_requirements, "WD-ERR-01")
    if id.startswith("WD-SEC"):
        secure = tuple(other for other in others if other.startswith("WD-SEC"))
        if not isinstance(value, list) or not value:
            id, others = "WD-ERR-02", ("WD-ERR-01",)
        elif _is_list_of_inside(value, case):
            id, others = "WD-ERR-02", (id, *secure)
        else:
            others = secure
    message, got = f"not nil although {expected.reason}", format_json(value)
    kind = "something is listed" if id.startswith("WD-SEC") else "the result is not nil"
    return Finding(id, message, "null", got, others, "refusal", kind)


def _is_list_of_inside(value: list[Any], case: Case) -> bool:
    """Return whether the names directly below the start are those of a directory inside the sandbox."""
    paths = [str(element.get("path")) if isinstance(element, dict) else "" for element in value]
    names = {path for path in paths if "/" not in path}
    directories = [case.tree.entries, *(node.children for _, node in case.tree.walk() if node.kind is Kind.DIR)]
    return any(names == {node.name.decode("utf-8", "replace") for node in entries} for entries in directories)


def _failure_kind(answer: CallResult) -> str:
    return f"the call failed with {answer.error_kind}"


def _unexpected_failure(expected: ExpectedListing, message: str, got: str, kind: str) -> Finding:
    """Return the finding for a walk that fails; the likely causes are its start and its entries."""
    start, elements = expected.start, expected.elements
    reasons: list[str] = []
    if start.through_link:
        reasons.append("WD-WALK-04")
    path_reasons = [] if start.is_simple_path else [_path_requirement(start), "WD-ARG-04"]
    if not start.is_sandbox_itself:
        reasons += path_reasons
    if not elements:
        reasons.append("WD-RET-02")
    if not all(element.is_utf8 for element in elements):
        reasons.append("WD-ENT-01")
    if any(element.node.kind is Kind.SYMLINK for element in elements):
        reasons.append("WD-SEC-03")
    if any(element.is_special or element.has_hidden_name for element in elements):
        reasons.append("WD-WALK-03")
    if start.is_sandbox_itself:  # the entries are a likelier cause than a dot
        reasons += path_reasons
    reasons += ["WD-WALK-01", "WD-ERR-06"]
    return Finding(reasons[0], message, f"{len(elements)} elements", got, tuple(reasons[1:]), "call", kind)


def _path_requirement(start: ResolvedDirectory) -> str:
    """Return the requirement that is violated if a path that is not simple leads to another directory."""
    return "WD-ARG-05" if start.path == "." else "WD-ARG-04"


def _compare_shape(expected: ExpectedListing, value: Any) -> Iterator[Finding]:
    got = format_json(value)
    if not isinstance(value, list) or not all(isinstance(element, dict) for element in value):
        id, *others = ("WD-RET-01",) if expected.elements else ("WD-RET-02", "WD-RET-01")
        yield Finding(id, "the result is no list of maps", "", got, tuple(others), "output")
    elif any(map(_is_nested, value)):
        yield Finding("WD-RET-01", "the list is nested", "", got, (), "output")
    elif not all(isinstance(element.get("path"), str) for element in value):
        yield Finding("WD-RET-01", "a map has no text under path", "", got, ("WD-ENT-02",), "output", "no path")


def _is_nested(element: dict[str, Any]) -> bool:
    """Return whether a member of an element is a list of further elements."""
    lists = (value for value in element.values() if isinstance(value, list))
    return any(isinstance(item, dict) and "name" in item for items in lists for item in items)


def _compare_elements(expected: ExpectedListing, value: list[dict[str, Any]]) -> Iterator[Finding]:
    by_path: dict[str, list[ExpectedElement]] = {}
    for one in expected.elements:
        by_path.setdefault(one.path, []).append(one)
    for element in value:
        # Elements with equal paths, or with free ones, cannot be distinguished: the closest expected one is compared.
        candidates = by_path.get(element["path"], [])
        findings = [list(_compare_element(one, element, expected.allows_extra_keys)) for one in candidates]
        yield from min(findings, key=_mismatch_rank, default=[])


def _mismatch_rank(findings: list[Finding]) -> tuple[bool, int]:
    return any(finding.requirement == "WD-ENT-03" for finding in findings), len(findings)


def _names(value: list[dict[str, Any]]) -> list[str]:
    return sorted(str(element.get("name", _last_component(element["path"]))) for element in value)


def _compare_paths(expected: ExpectedListing, got: list[str], names: list[str]) -> Iterator[Finding]:
    start, elements = expected.start, expected.elements
    wanted = Counter(element.path for element in elements)
    if expected.any_non_utf8_spelling:
        plain = {element.path for element in elements if element.is_utf8}
        free = sum(not element.is_utf8 for element in elements)
        surplus_count = len([path for path in got if path not in plain])
        if len(got) == len(elements) and plain <= set(got) and surplus_count == free:
            return
    optional = Counter(element.path for element in elements if element.is_optional)
    missing, surplus = wanted - Counter(got) - optional, Counter(got) - wanted
    shown = (format_paths(sorted(wanted.elements())), format_paths(sorted(got)))
    if start.is_absolute and missing and not got:
        yield Finding("WD-ERR-02", "nothing is listed, and it is not nil", *shown, ("WD-ARG-04",), "refusal")
        return
    if start.is_absolute and (missing or surplus):
        yield Finding("WD-SEC-01", "another directory is walked", *shown, ("WD-ARG-04",), "entries", _BOTH)
        return
    lost = len(elements) - sum(optional.values()) - len(got)
    if lost > 0 and not all(element.is_utf8 for element in elements):
        plain = {element.path for element in elements if element.is_utf8}
        if not set(missing) & plain:
            what = "elements whose names are not UTF-8 are missing"
            yield Finding("WD-WALK-01", what, *shown, ("WD-ENT-01", "WD-ENT-02"), "entries", MISSING_ENTRIES)
            return
    if missing and names == sorted(element.path.rpartition("/")[2] for element in elements):
        yield Finding("WD-ENT-02", "paths have another form", *shown, (), "output")
        return
    is_tree = all(_directory(path) in ("", *got) for path in surplus)
    if start.through_link and missing and surplus and is_tree:
        yield Finding("WD-WALK-04", "another directory is walked", *shown, ("WD-ARG-04",), "entries", _BOTH)
        return
    if set(map(_last_component, surplus)) & set(map(_last_component, missing)):
        others = ["WD-WALK-01", "WD-WALK-02", "WD-ENT-01"]
        others += [] if start.is_simple_path else [_path_requirement(start)]
        yield Finding("WD-ENT-02", "paths have another form", *shown, tuple(others), "output")
        return
    elsewhere = set(surplus) - _STARTS
    if (
        elsewhere
        and not (start.is_simple_path or start.through_link)
        and 2 * len(set(got) & set(wanted)) <= len(wanted)
    ):
        likely: tuple[str, ...] = ("WD-WALK-01", "WD-WALK-02", "WD-ENT-02", "WD-ENT-01", "WD-SEC-03")
        first = _path_requirement(start)
        if not elements:
            first, likely = "WD-RET-02", (first, *likely)
        yield Finding(first, "another directory is walked", *shown, likely, "entries", _BOTH)
        return
    links = tuple(element.path + "/" for element in elements if element.node.kind is Kind.SYMLINK)
    for path in surplus:
        subject = format_paths([path])
        if path.startswith(links):
            yield Finding("WD-SEC-03", f"{subject} lies behind a link", *shown, (), "entries", _BEHIND)
        elif path in _STARTS:
            yield Finding("WD-WALK-02", _START, *shown, (), "entries", _START)
        elif not elements and start.ends_in_link:
            yield Finding("WD-WALK-04", f"{subject} lies behind the link", *shown, (), "entries", UNEXPECTED_ENTRIES)
        elif path in wanted:
            yield Finding("WD-WALK-01", f"{subject} is there twice", *shown, (), "entries", _TWICE)
        else:
            message = f"{subject} is not expected"
            id = "WD-ERR-06" if expected.is_partial else "WD-WALK-01"
            others = ["WD-ENT-02", "WD-ENT-01", "WD-SEC-02"]
            if not elements and not expected.is_partial:
                id, others = "WD-RET-02", [id, *others]
            yield Finding(id, message, *shown, tuple(others), "entries", UNEXPECTED_ENTRIES)
    for path in missing:
        # Elements with equal paths cannot be distinguished: each of them may be the missing one.
        alike = [_missing_suspects(element, start) for element in elements if element.path == path]
        suspects = dict.fromkeys(chain.from_iterable(alike))
        first, *others = ["WD-ERR-06"] if expected.is_partial else suspects
        message = f"{format_paths([path])} is missing"
        yield Finding(first, message, *shown, tuple(others), "entries", MISSING_ENTRIES)


def _missing_suspects(element: ExpectedElement, start: ResolvedDirectory) -> Iterator[str]:
    """Yield the requirements that a missing element may violate, the likeliest first."""
    if element.is_special or (element.is_utf8 and not element.has_simple_names):
        yield "WD-WALK-03"
    if element.node.kind is Kind.SYMLINK:
        yield "WD-SEC-03"
    if not element.is_utf8:
        yield "WD-ENT-01"
    yield "WD-WALK-01"
    if not start.is_simple_path:
        yield "WD-ARG-04"


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def _last_component(path: str) -> str:
    return path.rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def _compare_element(expected: ExpectedElement, element: dict[str, Any], allows_extra_keys: bool) -> Iterator[Finding]:
    subject, node = f"of {format_paths([expected.path])}", expected.node
    missing, surplus = ELEMENT_KEYS - set(element), set(element) - ELEMENT_KEYS
    if missing or (surplus and not allows_extra_keys):
        keys = ", ".join(sorted(ELEMENT_KEYS)), ", ".join(sorted(element))
        stage: ComparisonStage = "output" if missing else "members"
        kind = f"no {min(missing)}" if missing else "a map has further keys"
        yield Finding("WD-RET-01", f"the keys {subject} are wrong", *keys, (), stage, kind)
        if missing:
            return
    name, is_dir, size = element["name"], element["isDir"], element["size"]
    expected_name = expected.path.rpartition("/")[2]
    if expected.is_utf8 and name != expected_name:
        values = format_json(expected_name), format_json(name)
        yield Finding("WD-ENT-01", f"name {subject} is wrong", *values, (), "members", "another name")
    if is_dir is not (node.kind is Kind.DIR):
        values = format_json(node.kind is Kind.DIR), format_json(is_dir)
        others = ("WD-SEC-03",) if node.kind is Kind.SYMLINK else ()
        yield Finding("WD-ENT-03", f"isDir {subject} is wrong", *values, others, "members", "another isDir")
    is_size = type(size) in (int, float) and size >= 0
    if not is_size or (expected.sizes is not None and size not in expected.sizes):
        sizes = "a number" if expected.sizes is None else " or ".join(map(str, expected.sizes))
        yield Finding("WD-ENT-04", f"size {subject} is wrong", sizes, format_json(size), (), "members", "another size")
    yield from _compare_time(expected, element["modTime"], subject)


def _compare_time(expected: ExpectedElement, text: Any, subject: str) -> Iterator[Finding]:
    got, form = format_json(text), "a time in RFC 3339"
    match = _TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        yield Finding("WD-ENT-05", f"modTime {subject} is not RFC 3339", form, got, (), *_OTHER_TIME)
        return
    offset = "+00:00" if match[4] in "Zz" else match[4]
    try:
        moment = datetime.fromisoformat(f"{match[1]} {match[2]}{offset}")
    except ValueError:
        yield Finding("WD-ENT-05", f"modTime {subject} is no time", form, got, (), *_OTHER_TIME)
        return
    if expected.mtime_ns is None:
        return
    second, fraction = divmod(expected.mtime_ns, 10**9)
    # Zeros after the nanoseconds change nothing; thousands of digits are no number of Python.
    digits = (match[3] or "")[:9] + (match[3] or "")[9:].rstrip("0")
    is_exact = len(digits) <= 9
    written = int(moment.timestamp()) * 10 ** len(digits) + int(digits or "0") if is_exact else None
    if written not in _instants(Fraction(expected.mtime_ns, 10**9) * 10 ** len(digits)):
        instant = f"{datetime.fromtimestamp(second, UTC).isoformat()[:-6]}.{fraction:09}Z"
        yield Finding("WD-ENT-05", f"modTime {subject} is another instant", instant, got, (), *_OTHER_TIME)


def _instants(exact: Fraction) -> set[int]:
    """Return the right whole numbers for an instant: cut off, rounded, and before 1970 also cut off towards it."""
    half = Fraction(1, 2)
    return {floor(exact), floor(exact + half), ceil(exact - half)} | ({ceil(exact)} if exact < 0 else set())
