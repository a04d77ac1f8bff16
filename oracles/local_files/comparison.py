"""The comparison of an answer with one outcome: the differences, and the requirement that each one breaks.

The stages run from coarse to fine: error or list, shape, which entries, their members, their order. A stage runs only
if the earlier ones found no difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import CallResult, Case, Finding, Kind

from ..shared.formatting import format_json, format_paths
from ..shared.judgement import MATCH, Comparison, first_differences
from ..shared.remembered import once_in_a_row
from .entry_comparison import ALL_TYPES, MEMBERS, EntryComparison, Known, Shown, shared_labels
from .identification import Element, Pairing, pair_elements
from .membership import membership_findings
from .order import ORDERS, fitting_orders
from .outcomes import ExpectedFailure, ExpectedListing, ExpectedOutcome
from .path_resolution import ROOT

_LARGE, _LONG_TIME_NS = 2**31 - 1, 2**32 * 10**9
_MANY_NAMES, _LONG_PATH = 8, 255


def compare(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Comparison:
    """Return the differences of the answer from the outcome."""
    if isinstance(expected, ExpectedFailure):
        return _compare_failure(expected, answer)
    if answer.status != "ok":
        return 0, (_unexpected_failure(expected, answer, case),)
    requirements = ("LF-MODEL-01",) if expected.search is None else ("LF-FIND-03", "LF-MODEL-01")
    value, problem = _parse_list(answer, requirements)
    if problem is not None:
        return 0, (problem,)
    entries, pairing = _pair(expected, value, answer)
    stages = (
        lambda: membership_findings(expected, pairing),
        lambda: _compare_entries(entries, pairing),
        lambda: _compare_order(expected, value),
    )
    stage, findings = first_differences(stages, start=1)
    return stage, _aggregated(findings)


def shown_readings(expected: ExpectedOutcome, answer: CallResult, case: Case) -> Mapping[str, str]:
    """Return the readings that the members and the order of a right list show."""
    if not isinstance(expected, ExpectedListing) or answer.status != "ok":
        return {}
    value, _ = _read(answer)
    entries, pairing = _pair(expected, value, answer)
    shown = [one for entry, element in pairing.pairs for one in entries.shown_readings(entry, element)]
    orders = fitting_orders(value) if expected.search is None else frozenset(ORDERS)
    return shared_labels(iter((*shown, Shown("AMB-LF-01", orders & set(expected.rules.orders)))))


@once_in_a_row
def _known_of(answer: CallResult) -> Known:
    return {}


def _pair(expected: ExpectedListing, value: Sequence[Element], answer: CallResult) -> tuple[EntryComparison, Pairing]:
    entries = EntryComparison(expected, _known_of(answer))
    if expected.search is not None and expected.search.finds_root:
        paths = {path.rstrip("/") for path in expected.directory.spellings.values()}
        root = next((one for one in value if str(one.get("path")) in paths and _is_whole_root(one)), None)
        value = [one for one in value if one is not root]
    return entries, pair_elements(expected, value, entries.count)


def _is_whole_root(element: Element) -> bool:
    """Return whether an element with the path of the searched directory is the whole entry of that."""
    name = element["path"].rpartition("/")[2]
    has_name = element.get("name") == name or (name == ROOT and element.get("name") not in ("", ".", "/"))
    return has_name and element.get("@type") == ALL_TYPES[0] and set(element) == MEMBERS


def _compare_failure(expected: ExpectedFailure, answer: CallResult) -> Comparison:
    is_empty = answer.status == "ok" and _is_empty_list(answer.content or "")
    if answer.status == "ok" and expected.allows == "a list from elsewhere":
        return _compare_list_from_elsewhere(answer)
    if (answer.status != "ok" and expected.allows != "an empty list") or (is_empty and expected.allows != "an error"):
        return MATCH
    if answer.status != "ok":
        message, kind = f"the call fails although {expected.reason}, where nothing is found", "the call fails"
        got = f"{answer.error_kind}: {answer.error_message}"
        return 0, (Finding("LF-FIND-01", message, "[]", got, kind=kind),)
    rules = ("LF-FIND-03", "LF-MODEL-01") if expected.requirement.startswith("LF-FIND") else ("LF-MODEL-01",)
    if (problem := _parse_list(answer, rules)[1]) is not None:
        return 0, (problem,)
    kind = "the empty list stands for an error" if is_empty else "the call succeeds where an error is due"
    message, got = f"the call succeeds although {expected.reason}", _paths_of(_read(answer)[0])
    requirement = _requirement_of_unknown_entries(expected, answer) or expected.requirement
    return 0, (Finding(requirement, message, "an error", got, kind=kind),)


def _compare_list_from_elsewhere(answer: CallResult) -> Comparison:
    """Compare a list of which no more is known than that its paths are absolute, and not below the sandbox root."""
    value, problem = _parse_list(answer, ("LF-MODEL-01",))
    if problem is not None:
        return 0, (problem,)
    paths = [element.get("path") for element in value]
    for path in paths:
        if not isinstance(path, str) or not path.startswith(("/", "$")):
            kind = "a path is not absolute"
            return 2, (Finding("LF-FIELD-02", kind, "an absolute path", format_json(path), kind=kind),)
    if not paths:
        kind = "the empty list stands for an error"
        return 2, (Finding("LF-ERR-01", kind, "an error", "[]", kind=kind),)
    if any(path.startswith("$") for path in paths):
        kind = "the list is none of another directory"
        return 0, (Finding("LF-LIST-01", kind, "an error", _paths_of(value), kind=kind),)
    return MATCH


def _requirement_of_unknown_entries(expected: ExpectedFailure, answer: CallResult) -> str:
    """Return the rule that a list breaks some of whose entries cannot be known: no entry is lost, and each is whole."""
    elements, problem = _parse_list(answer, ("LF-MODEL-01",))
    if problem is not None or not expected.names:
        return ""
    if expected.names - {str(element.get("name")) for element in elements}:
        return "LF-LIST-01"
    return "" if all(element.get(name) is not None for element in elements for name in MEMBERS) else "LF-MODEL-02"


def _paths_of(elements: Sequence[Mapping[str, Any]]) -> str:
    return format_json([element.get("path") for element in elements])


def _is_empty_list(content: str) -> bool:
    try:
        return bool(json.loads(content) == [])
    except (ValueError, RecursionError):
        return False


def _parse_list(answer: CallResult, requirements: tuple[str, ...]) -> tuple[Any, Finding | None]:
    """Return the value of an answer, or the finding for one that is no list of objects."""
    rule, *others = requirements
    value, kind = _read(answer)
    if not kind:
        return value, None
    return None, Finding(rule, kind, "a list of objects", value, tuple(others), kind)


@once_in_a_row
def _read(answer: CallResult) -> tuple[Any, str]:
    """Return the list in an answer, or a text and why it is none."""
    try:
        value = json.loads(answer.content or "")
    except (ValueError, RecursionError):
        return (answer.content or "")[:400], "the output is no JSON"
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        return format_json(value), "the output is no list of objects"
    return value, ""


def find_unreadable(answer: CallResult) -> Finding | None:
    """Return the finding for an answer that is no list of objects."""
    return _parse_list(answer, ("LF-MODEL-01",))[1] if answer.status == "ok" else None


def _unexpected_failure(expected: ExpectedListing, answer: CallResult, case: Case) -> Finding:
    first, *others = dict.fromkeys(_rules_of_call(expected, case))
    due = format_json([entry.path for entry in expected.entries])
    got = f"{answer.error_kind}: {answer.error_message}"
    kind = "the call fails"
    return Finding(first, f"{kind}, which should list entries", due, got, tuple(others), kind)


def _rules_of_call(expected: ExpectedListing, case: Case) -> Iterator[str]:
    """Yield the rules that a failed call breaks, the most specific first: of its path, its glob, its entries."""
    general = "LF-LIST-01" if expected.search is None else "LF-FIND-01"
    if not _is_plain_path(str(case.arguments["path"]), expected):
        yield general
        return
    if expected.search is not None:
        if any(one.is_link for one in expected.search.everything):
            yield "LF-FIND-05"
        if not set(expected.search.glob) <= set("*/.") | set(_PLAIN_LETTERS):
            yield "LF-FIND-02"
    else:
        yield from _rules_of_entries(expected)
    yield general


_PLAIN_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _is_plain_path(path: str, expected: ExpectedListing) -> bool:
    """Return whether a path below the sandbox has nothing that a tool could refuse."""
    names = path.split("/")[1:]
    is_short = len(names) <= _MANY_NAMES and len(path) <= _LONG_PATH
    return expected.directory.has_plain_path and is_short and all(name.isascii() and name.isalnum() for name in names)


def _rules_of_entries(expected: ExpectedListing) -> Iterator[str]:
    """Yield the rules of entries that plain directories lack, the most unusual ones first."""
    nodes = [entry.node for entry in expected.entries]
    if not all(entry.is_utf8 for entry in expected.entries):
        yield "LF-FIELD-01"
    if any(node.kind is Kind.SYMLINK for node in nodes):
        yield "LF-LINK-01"
    if any(node.kind not in (Kind.FILE, Kind.DIR, Kind.SYMLINK) for node in nodes):
        yield "LF-TYPE-03"
    if any(node.size > _LARGE for node in nodes):
        yield "LF-FIELD-03"
    if any(node.mtime_ns is not None and not 0 <= node.mtime_ns < _LONG_TIME_NS for node in nodes):
        yield "LF-FIELD-04"


def _compare_entries(entries: EntryComparison, pairing: Pairing) -> Iterator[Finding]:
    for entry, element in pairing.pairs:
        yield from entries.differences(entry, element)
    for path, element in pairing.foreign:  # behind a link, where anything may be
        if element.get("@type") not in ALL_TYPES:
            kind = "another word as @type" if "@type" in element else "no @type"
            got, others = format_json(element.get("@type")), ("LF-TYPE-01",)
            message = f"{kind} of {format_paths([path])}"
            yield Finding("LF-FIND-03", message, " or ".join(ALL_TYPES), got, others, kind)


def _compare_order(expected: ExpectedListing, value: Sequence[Element]) -> Iterator[Finding]:
    accepted = expected.rules.orders
    if expected.search is not None or fitting_orders(value) & set(accepted):
        return
    orders = "; or ".join(ORDERS[label] for label in accepted)
    types = [str(element.get("@type")) for element in value]
    got = format_paths([str(element.get("name")) for element in value])
    yield Finding(
        "LF-SORT-01",
        f"the list is in no accepted order: {orders}",
        ", ".join(sorted(types, key=lambda word: ALL_TYPES.index(word) if word in ALL_TYPES else 9)),
        f"{got} ({', '.join(types)})",
        kind="the list is in another order",
    )


def _aggregated(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return one finding for each requirement and kind: the first one, which names how many there are."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.requirement, finding.kind), []).append(finding)
    return tuple(map(_with_count, groups.values()))


def _with_count(group: Sequence[Finding]) -> Finding:
    first, more = group[0], len(group) - 1
    if not more:
        return first
    # What one of them cannot be attributed to, all of them cannot.
    common = tuple(id for id in first.other_requirements if all(id in one.possible_requirements for one in group))
    return replace(first, message=f"{first.message}, and {more} more like it", other_requirements=common)
