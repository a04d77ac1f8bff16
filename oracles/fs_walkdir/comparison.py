"""The comparison of an answer with one outcome: the differences, and the requirement that each one violates.

The stages run from coarse to fine: nil or list, shape, paths, elements, records. A stage runs only if the earlier ones
found no difference. What comes from outside of the sandbox is found first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.api import CallResult, Case, Finding

from ..shared.formatting import format_json
from ..shared.judgement import MATCH, Comparison, first_differences
from .element_comparison import ElementComparison, Shown, shared_labels
from .escapes import find_escape
from .log_comparison import compare_log
from .outcomes import CallOutcome, ExpectedFailure, ExpectedListing
from .path_comparison import PathComparison, names_of
from .refusal_comparison import (
    FAILS,
    aggregated,
    failed_instead_of_nil,
    is_json,
    json_in_text,
    nil_instead_of_failure,
    no_list,
    value_instead_of_nil,
)
from .walk import ExpectedElement

_NEAREST = 9
"""The stage of what decides, whichever outcome is due: an escape."""

_LIST_OR_NIL = '"a list of maps"'


class _KeyTwice(ValueError):
    """A map of the output has a key twice."""


def compare_call(expected: CallOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    if answer.status != "ok":
        return _compare_failed_call(expected, answer, case)
    value, problem = parse_output(answer)
    if problem is not None:
        return 0, (problem,)
    stage, findings = _compare_value(expected, value, answer)
    if findings and (escape := find_escape(value, expected, case)) is not None:
        return _NEAREST, (escape,)
    return stage, aggregated(findings)


def parse_output(answer: CallResult) -> tuple[Any, Finding | None]:
    """Return the value of an answer, or the finding for one that cannot be read."""
    text = answer.content or ""
    try:
        return json.loads(text, object_pairs_hook=_without_repeated_keys), None
    except _KeyTwice as problem:
        kind = "a map has a key twice"
        return None, Finding("WD-RET-01", f"{kind}: {problem}", '"each key once"', text[:400], kind=kind)
    except (ValueError, RecursionError):
        kind = "the output is no JSON"
        return None, Finding("WD-RET-01", kind, _LIST_OR_NIL, format_json(text), kind=kind)


def shown_readings(expected: CallOutcome, answer: CallResult) -> Mapping[str, str]:
    """Return the readings that the members of a right list show."""
    if answer.status != "ok" or not isinstance(expected, ExpectedListing):
        return {}
    comparison, shown = ElementComparison(expected), dict[tuple[Any, ...], Shown]()
    for candidates, element in _pairs(expected, json.loads(answer.content or "")):
        alike = len(candidates) > 1
        right = [one for one in candidates if not alike or not any(comparison.differences(one, element))]
        first, *others = [list(comparison.shown_readings(one, element)) for one in right] or [[]]
        if all(other == first for other in others):
            shown |= {(one.interpretation, one.labels): one for one in first}
    return shared_labels(list(shown.values()))


def _without_repeated_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _KeyTwice(format_json(next(key for key in keys if keys.count(key) > 1)))
    return found


def _compare_failed_call(expected: CallOutcome, answer: CallResult, case: Case) -> Comparison:
    if answer.error_kind == "UnknownTool":
        kind = "no tool has this name"
        got = format_json(f"{answer.error_kind}: {answer.error_message}")
        return 0, (Finding("WD-SYN-01", f"{kind}: {case.tool}", format_json(case.tool), got, kind=kind),)
    if isinstance(expected, ExpectedListing):
        got = format_json(f"{answer.error_kind}: {answer.error_message}")
        return 1, (no_list(expected, FAILS, got, FAILS),)
    if expected.fails == "no":  # nearer than a list: only the convention differs
        return 2, (failed_instead_of_nil(expected, answer),)
    return first_differences([lambda: compare_log(expected, answer)], start=5)


def _compare_value(expected: CallOutcome, value: Any, answer: CallResult) -> Comparison:
    if isinstance(expected, ExpectedFailure):
        if value == [] and expected.allows_empty_list:
            return MATCH
        if value is not None:
            return 1, (value_instead_of_nil(expected, value),)
        if expected.fails == "must":
            return 1, (nil_instead_of_failure(expected),)
        return first_differences([lambda: compare_log(expected, answer)], start=5)
    if value is None:
        return 1, (no_list(expected, "the result is nil", "null", "the result is nil"),)
    stages = (
        lambda: _compare_type(expected, value),
        lambda: _compare_shape(value),
        lambda: PathComparison(expected, [element["path"] for element in value], names_of(value)).differences(),
        lambda: _compare_elements(ElementComparison(expected), expected, value),
    )
    return first_differences(stages, start=1)


def _compare_type(expected: ExpectedListing, value: Any) -> Iterator[Finding]:
    got = format_json(value)
    if isinstance(value, str) and is_json(value):
        yield json_in_text(got)
    elif not isinstance(value, list) or not all(isinstance(element, dict) for element in value):
        requirement = "WD-RET-02" if not expected.elements and value == {} else "WD-RET-01"
        kind = "the result is no list of maps"
        yield Finding(requirement, kind, _LIST_OR_NIL, got, kind=kind)


def _compare_shape(value: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    if any(map(_is_nested, value)):
        kind = "the list is nested"
        yield Finding("WD-RET-01", kind, '"a flat list"', format_json(value), kind=kind)
    elif not all(isinstance(element.get("path"), str) for element in value):
        element = next(one for one in value if not isinstance(one.get("path"), str))
        kind = "a path is no text" if "path" in element else "no path"
        yield Finding("WD-RET-01", "a map has no text under path", '"a text"', format_json(element), kind=kind)


def _is_nested(element: Mapping[str, Any]) -> bool:
    """Return whether a member of an element is a list of further elements."""
    lists = (value for value in element.values() if isinstance(value, list))
    return any(isinstance(item, dict) and "name" in item for items in lists for item in items)


def _pairs(
    expected: ExpectedListing, value: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[Sequence[ExpectedElement], Mapping[str, Any]]]:
    """Yield each element with the expected ones that have its path."""
    by_path: dict[str, list[ExpectedElement]] = {}
    for one in expected.elements:
        by_path.setdefault(one.path, []).append(one)
    for element in value:
        yield by_path.get(element["path"], ()), element


def _compare_elements(
    comparison: ElementComparison, expected: ExpectedListing, value: Sequence[Mapping[str, Any]]
) -> Iterator[Finding]:
    for candidates, element in _pairs(expected, value):
        # Elements with equal paths, or with free ones, cannot be distinguished: the closest expected one is compared.
        findings = [list(comparison.differences(one, element)) for one in candidates]
        nearest = min(findings, key=_mismatch_rank, default=[])
        if nearest and any("lstat" in one.node.faults for one in candidates):
            kind = "an entry without metadata has others"
            first = nearest[0]
            yield Finding("WD-ERR-06", f"{kind}: {first.message}", first.expected, first.got, kind=kind)
        else:
            yield from nearest


def _mismatch_rank(findings: Sequence[Finding]) -> tuple[bool, int]:
    return any(finding.requirement == "WD-ENT-03" for finding in findings), len(findings)
