"""The expected outcome of a call by one combination of readings: a list of elements, or nil; of a script, its lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.api import Case

from ..shared.formatting import join_paths
from ..shared.reading_choices import ReadingChoices
from .arguments import parse_arguments
from .outcomes import CallOutcome, ExpectedFailure, ExpectedListing, Failing, MemberRules, ResolvedDirectory
from .path_resolution import MAX_PATH_BYTES, resolve_path
from .walk import UnreadableEntry, WalkQuestions, WalkRules, questions_of, walk

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-WD-01": "list",
    "AMB-WD-04": "zero",
    "AMB-WD-05": "own",
    "AMB-WD-06": "empty",
    "AMB-WD-10": "refused",
    "AMB-WD-14": "accepted",
    "AMB-WD-15": "replacement",
    "AMB-WD-16": "forbidden",
    "AMB-WD-18": "included",
    "AMB-WD-19": "nil",
    "AMB-WD-20": "walked",
    "AMB-WD-22": "cut",
    "AMB-WD-23": "nil",
    "AMB-WD-24": "nil",
    "AMB-WD-25": "name",
    "AMB-WD-26": "nil",
    "AMB-WD-27": "nil",
    "AMB-WD-28": "nil",
    "AMB-WD-29": "nil",
    "AMB-WD-30": "refused",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


def describe_call_outcome(expected: CallOutcome) -> str:
    """Return the expected paths in the tree notation, or nil."""
    if isinstance(expected, ExpectedListing):
        return join_paths(element.path.encode() for element in expected.elements) or "[]"
    if expected.convention or expected.fails == "may":
        return "nil or an error of the call"
    if expected.fails == "must":
        return "an error of the call"
    return "nil or []" if expected.allows_empty_list else "nil"


def call_outcome(case: Case, arguments: Any, readings: ReadingChoices) -> CallOutcome:
    """Return the expected outcome of a call of FS.WalkDir on the trees of a case. Raises Unmodelled."""
    path = parse_arguments(arguments, readings)
    if isinstance(path, ExpectedFailure):
        return path
    found = _outcome_of_path(case, path, readings)
    if not isinstance(found, ExpectedFailure) or found.fails != "no" or found.logged == "no error":
        return found
    labels = readings.accepted_labels("AMB-WD-23")
    if found.logged == "record":
        is_validation = found.requirement.startswith("WD-SEC") or found.requirement in ("WD-ARG-04", "WD-ERR-02")
        key = "an error of the validation" if is_validation else "AMB-WD-23"
        return replace(found, fails="must" if readings.choose(key, labels) == "error" else "no")
    return replace(found, fails="may" if "error" in labels else "no")


def _outcome_of_path(case: Case, path: str, readings: ReadingChoices) -> CallOutcome:
    start = resolve_path(case, path, readings)
    if isinstance(start, ExpectedFailure):
        return start
    refusing = ("clean", "refused") if start.has_dot_dot else () if start.is_clean else ("clean",)
    if readings.resolve("AMB-WD-14", lambda label: label in refusing):
        return ExpectedFailure("WD-ARG-04", "the path is not clean")
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
                return _empty(readings) or ExpectedListing(start, members=_member_rules(readings))
    if start.length > MAX_PATH_BYTES and readings["AMB-WD-20"] == "nil":
        return ExpectedFailure("WD-ERR-04", "the path is too long")
    return _walk_outcome(start, readings)


def _member_rules(readings: ReadingChoices) -> MemberRules:
    ids = ("AMB-WD-04", "AMB-WD-05", "AMB-WD-22", "AMB-WD-16")
    return MemberRules(*(frozenset(readings.accepted_labels(id)) for id in ids))


def _walk_rules(start: ResolvedDirectory, questions: WalkQuestions, readings: ReadingChoices) -> WalkRules:
    """Return how the walk goes, by what it meets."""
    rules = WalkRules()
    if questions.closed_inside:
        looks_inside = readings.choose("a look at entries from inside", (False, True))
        rules = replace(rules, looks_inside=looks_inside)
    if questions.fault:
        rules = replace(rules, meets_faults=readings.choose("a fault is met", (True, False)))
    if start.length + questions.longest_path > MAX_PATH_BYTES and readings["AMB-WD-20"] == "nil":
        rules = replace(rules, max_path=max(MAX_PATH_BYTES - start.length, 0))
    return rules


def _walk_outcome(start: ResolvedDirectory, readings: ReadingChoices) -> CallOutcome:
    questions = questions_of(start.node)
    if questions.long_time and readings.choose("a time beyond 64 bits cannot be had", (False, True)):
        return ExpectedFailure("WD-ERR-06", "the time of an entry does not fit into 64 bits")
    rules = _walk_rules(start, questions, readings)
    is_partial = not rules.meets_faults  # what such a walk lists is that of one which an error may end
    while True:
        try:
            elements = walk(start.node, rules)
            break
        except UnreadableEntry as error:
            skipping = _skipping(rules, error, readings)
            if skipping == rules:
                return ExpectedFailure("WD-ERR-06", str(error))
            rules, is_partial = skipping, True
    any_spelling = False
    if not all(element.is_utf8 for element in elements):
        label = readings["AMB-WD-15"]
        if label == "nil":
            return ExpectedFailure("WD-ENT-01", "a name is not UTF-8")
        any_spelling = label == "other"
    if any(element.is_special for element in elements) and readings["AMB-WD-18"] == "omitted":
        elements = tuple(element for element in elements if not element.is_special)
    if all(element.is_optional for element in elements):
        nil = _empty(readings)
        # What may be left out may also be listed.
        if nil is not None and (not elements or readings.choose("nothing that must be listed", (False, True))):
            return nil
    return ExpectedListing(start, elements, any_spelling, is_partial, _member_rules(readings))


def _empty(readings: ReadingChoices) -> ExpectedFailure | None:
    """Return nil for an empty directory by AMB-WD-01; None if it gives the empty list."""
    if readings["AMB-WD-01"] == "list":
        return None
    fails: Failing = "may" if "error" in readings.accepted_labels("AMB-WD-23") else "no"
    return ExpectedFailure("WD-RET-02", "an empty directory is nil", fails, logged="anything")


def _skipping(rules: WalkRules, error: UnreadableEntry, readings: ReadingChoices) -> WalkRules:
    """Return the rules by the reading of what cannot be read, or of what is gone."""
    if error.is_gone:
        return replace(rules, skips_gone=readings["AMB-WD-19"] == "skipped")
    return replace(rules, skips=readings["AMB-WD-24"] == "skipped")
