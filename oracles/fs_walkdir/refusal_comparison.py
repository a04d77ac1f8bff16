"""Nil and lists: an answer of the one kind where the other is due, and the rule that the call turns on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult, Finding, Kind

from ..shared.formatting import format_json
from .outcomes import ExpectedFailure, ExpectedListing, ResolvedDirectory
from .walk import ExpectedElement

_MANY_NAMES, _LONG_NAME = 8, 100
_VALUE = re.compile(r"[0-9].*|false|true|null|nil|none|undefined")
"""Names that languages take for other values."""
_RESERVED_NAMES = frozenset(("con", "nul", "aux", "prn", "com1", "lpt1", "lpt9"))
_LARGE, _EPOCH, _LONG_TIME_NS = 2**31 - 1, 0, 2**32 * 10**9


FAILS, FAILS_FOR_NIL = "the call fails", "the call fails where nil is due"
"""The kinds of a failed call where a list is due, and where nil is."""


def failed_instead_of_nil(expected: ExpectedFailure, answer: CallResult) -> Finding:
    """Return the finding for a call that fails."""
    got = format_json(f"{answer.error_kind}: {answer.error_message}")
    # The rule of this one error, and the rule that all errors are nil, forbid it alike.
    rules = (_rule_of_nil(expected), "WD-ERR-01")
    message = f"the call fails, and is not nil, although {expected.reason}"
    return Finding(rules[0], message, "null", got, rules[1:], kind=FAILS_FOR_NIL)


def _rule_of_nil(expected: ExpectedFailure) -> str:
    """Return the rule of an expected nil; what lists nothing from outside is no escape."""
    return "WD-ERR-02" if expected.requirement.startswith("WD-SEC") else expected.requirement


def nil_instead_of_failure(expected: ExpectedFailure) -> Finding:
    """Return the finding for nil by a reading that demands an error of the call."""
    message = f"the call does not fail, although {expected.reason}"
    return Finding("WD-ERR-01", message, '"an error of the call"', "null", kind="the call is nil")


def value_instead_of_nil(expected: ExpectedFailure, value: Any) -> Finding:
    """Return the finding for a value where nil is due. What lists nothing from outside is no escape."""
    got = format_json(value)
    if isinstance(value, str) and is_json(value):
        return json_in_text(got)
    if not isinstance(value, list):
        kind = "an error is another value than nil"
        rules = ("WD-ERR-01", _rule_of_nil(expected))
        message = f"{kind}, although {expected.reason}"
        return Finding(rules[0], message, "null", got, rules[1:], kind=kind)
    kind = "the empty list stands for nil" if not value else "something is listed where nil is due"
    others = ("WD-ERR-01",) if not value else ()
    message = f"{kind}, although {expected.reason}"
    return Finding(_rule_of_nil(expected), message, "null", got, others, kind=kind)


def is_json(text: str) -> bool:
    """Return whether a text is JSON itself."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def json_in_text(got: str) -> Finding:
    """Return the finding for a value that is written as JSON within a text."""
    kind = "the value is JSON within a text"
    return Finding("WD-RET-01", kind, '"a list or nil"', got, kind=kind)


def no_list(expected: ExpectedListing, message: str, got: str, kind: str) -> Finding:
    """Return the finding for a walk that gives no list, with the rule that makes it different from a plain walk."""
    due = format_json([element.path for element in expected.elements])
    first, *others = dict.fromkeys(_rules_of_walk(expected))
    return Finding(first, message, due, got, tuple(others), kind=kind)


def _rules_of_walk(expected: ExpectedListing) -> Iterator[str]:
    """Yield the rules that a walk without any result breaks, the most specific first: of its start, of its entries."""
    start, elements = expected.start, expected.elements
    if start.through_link:
        yield "WD-WALK-04"
    if not start.is_sandbox_itself and (not start.is_simple_path or _is_unusual_way(start)):
        yield "WD-ARG-04"
    if not elements:
        yield "WD-RET-02"
    yield from _rules_of_entries(elements)
    if start.is_sandbox_itself:
        yield path_rule(expected)
    if start.place[-1].name.startswith(b"."):
        yield "WD-WALK-03"
    yield "WD-WALK-01"


def _is_unusual_way(start: ResolvedDirectory) -> bool:
    """Return whether a path of simple names is long, has names that Windows keeps, or that look like something else.

    So has one in a sandbox that the context names in another way.
    """
    names = [name.partition(".")[0] for name in start.path.split("/")]
    looks_like_another_value = any(name.startswith("-") or _VALUE.fullmatch(name) for name in names)
    is_long = len(names) > _MANY_NAMES or max(map(len, names)) > _LONG_NAME
    has_alias = "roots" in start.surroundings.case.context
    return is_long or has_alias or looks_like_another_value or not _RESERVED_NAMES.isdisjoint(names)


def path_rule(expected: ExpectedListing) -> str:
    """Return the rule of the path that names the start."""
    if expected.start.through_link:
        return "WD-WALK-04"
    return "WD-ARG-05" if expected.start.path == "." else "WD-ARG-04"


def _rules_of_entries(elements: Sequence[ExpectedElement]) -> Iterator[str]:
    """Yield the rules of entries that plain walks lack, the most unusual ones first."""
    if not all(element.is_utf8 for element in elements):
        yield "WD-ENT-01"
    if any(element.node.kind is Kind.SYMLINK or element.is_special for element in elements):
        yield "WD-WALK-03"
    if any(element.node.size > _LARGE for element in elements):
        yield "WD-ENT-04"
    if any(_has_unusual_time(element) for element in elements):
        yield "WD-ENT-05"
    if any(element.has_hidden_name or not element.has_simple_names for element in elements):
        yield "WD-WALK-03"


def _has_unusual_time(element: ExpectedElement) -> bool:
    return element.mtime_ns is not None and not _EPOCH <= element.mtime_ns < _LONG_TIME_NS


def aggregated(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return one finding for each requirement and kind: the first one, which names how many there are."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.requirement, finding.kind), []).append(finding)
    return tuple(_with_count(group) for group in groups.values())


def _with_count(group: Sequence[Finding]) -> Finding:
    first = group[0]
    if len(group) == 1:
        return first
    message = f"{first.message}, and {len(group) - 1} more like it"
    # What one of them cannot be attributed to, all of them cannot.
    common = tuple(id for id in first.other_requirements if all(id in one.possible_requirements for one in group))
    return replace(first, message=message, other_requirements=common)
