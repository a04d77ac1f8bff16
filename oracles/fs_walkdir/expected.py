"""The expected outcome of a call by one combination of readings: a list of elements, or nil."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from treeproof.api import Case

from ..shared.formatting import join_paths
from ..shared.hard_links import with_own_metadata
from ..shared.reading_choices import ReadingChoices
from .path_resolution import ExpectedFailure, ResolvedDirectory, parse_arguments, resolve_path
from .walk import ExpectedElement, UnreadableEntry, WalkRules, has_closed_empty_directory, walk

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-WD-01": "list",
    "AMB-WD-04": "zero",
    "AMB-WD-06": "empty",
    "AMB-WD-10": "refused",
    "AMB-WD-14": "accepted",
    "AMB-WD-15": "replacement",
    "AMB-WD-16": "forbidden",
    "AMB-WD-18": "included",
    "AMB-WD-23": "nil",
    "AMB-WD-24": "nil",
    "AMB-WD-25": "name",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


@dataclass(frozen=True)
class ExpectedListing:
    """An expected list of elements."""

    start: ResolvedDirectory
    elements: tuple[ExpectedElement, ...] = ()
    any_non_utf8_spelling: bool = False
    allows_extra_keys: bool = False
    is_partial: bool = False
    """Whether something is left out because it cannot be read (AMB-WD-24)."""


ExpectedOutcome = ExpectedListing | ExpectedFailure


def describe_outcome(expected: ExpectedOutcome) -> str:
    """Return the expected paths in the tree notation, or nil."""
    if isinstance(expected, ExpectedListing):
        return join_paths(element.path.encode() for element in expected.elements) or "[]"
    if expected.may_fail:
        return "nil or an error of the call"
    return "nil or []" if expected.allows_empty_list else "nil"


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    found = _outcome(case, readings)
    # What is missing is no error. A path that a tool decodes or trims may be one that fails its check.
    if isinstance(found, ExpectedFailure) and (found.requirement != "WD-ERR-03" or found.has_rare_path):
        return replace(found, may_fail=found.may_fail or "error" in readings.accepted_labels("AMB-WD-23"))
    return found


def _outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    path = parse_arguments(case.arguments, readings)
    if isinstance(path, ExpectedFailure):
        return path
    start = resolve_path(with_own_metadata(case.tree), path, readings)
    if isinstance(start, ExpectedFailure):
        return start
    if start.has_dot_dot and readings["AMB-WD-14"] == "refused":
        return ExpectedFailure("WD-ARG-04", "two dots are refused")
    if start.through_link:
        labels = readings.accepted_labels("AMB-WD-06")
        key = "AMB-WD-06"
        if start.ends_in_link and start.has_slash_behind:  # a path that is not cleaned leads to the directory
            key, labels = "a slash behind a link", ("empty", "content", "nil")
        elif not start.ends_in_link:  # only the reading that forbids every link can be distinguished from the others
            labels = ("", *(label for label in labels if label == "nil"))
        match readings.choose(key, labels):
            case "nil":
                return ExpectedFailure("WD-WALK-04", "a link is no start")
            case "empty":
                return ExpectedListing(start)
    return _walk_outcome(start, readings)


def _walk_outcome(start: ResolvedDirectory, readings: ReadingChoices) -> ExpectedOutcome:
    rules = WalkRules(None if "system" in readings.accepted_labels("AMB-WD-04") else (0,))
    allows_extra_keys = "tolerated" in readings.accepted_labels("AMB-WD-16")
    if has_closed_empty_directory(start.node, start.children):
        looks_inside = readings.choose("a look at a directory from inside", (False, True))
        rules = replace(rules, looks_inside=looks_inside)
    try:
        elements = walk(start.node, start.children, rules)
    except UnreadableEntry as error:
        if readings["AMB-WD-24"] == "skipped":
            left = walk(start.node, start.children, replace(rules, skips=True))
            return ExpectedListing(start, left, allows_extra_keys=allows_extra_keys, is_partial=True)
        others = ("WD-WALK-03",) if error.only_hidden else ()
        return ExpectedFailure("WD-ERR-06", str(error), others)
    any_spelling = False
    has_special = any(element.is_special for element in elements)
    omits_special = has_special and readings["AMB-WD-18"] == "omitted"
    if not all(element.is_utf8 for element in elements):
        label = readings["AMB-WD-15"]
        if label == "nil":
            return ExpectedFailure("WD-ENT-01", "a name is not UTF-8")
        any_spelling = label == "other"
    listed = tuple(element for element in elements if not (omits_special and element.is_special))
    if not listed and readings["AMB-WD-01"] == "nil":
        return ExpectedFailure("WD-RET-02", "an empty directory is nil")
    return ExpectedListing(start, listed, any_spelling, allows_extra_keys)
