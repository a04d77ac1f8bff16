"""The expected outcome of a call by one combination of readings: a list of entries, or an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from treeproof.api import Case, Unmodelled

from ..shared.formatting import join_paths
from ..shared.reading_choices import ReadingChoices
from .outcomes import (
    ExpectedEntry,
    ExpectedFailure,
    ExpectedListing,
    ExpectedOutcome,
    MemberRules,
    RequestedDirectory,
)
from .path_resolution import Surroundings, resolve_directory
from .searches import found_entries, malformed_glob
from .walk import CannotRead, can_be_read, children, has_metadata, walk

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-LF-01": "kind",
    "AMB-LF-05": "normalised",
    "AMB-LF-08": "floor",
    "AMB-LF-09": "negative",
    "AMB-LF-11": "all",
    "AMB-LF-12": "relative",
    "AMB-LF-13": "children",
    "AMB-LF-15": "skipped",
    "AMB-LF-16": "skipped",
    "AMB-LF-17": "replacement",
    "AMB-LF-23": "error",
    "AMB-LF-24": "lexical",
    "AMB-LF-25": "replacement",
    "AMB-LF-26": "searched",
    "AMB-LF-28": "verbatim",
    "AMB-LF-29": "error",
    "AMB-LF-30": "error",
    "AMB-LF-31": "error",
    "AMB-LF-32": "error",
    "AMB-LF-33": "nothing",
    "AMB-LF-34": "passed_by",
    "AMB-LF-35": "alternatives",
    "AMB-LF-36": "plain",
    "AMB-LF-37": "below",
    "AMB-LF-38": "none_too",
    "AMB-LF-39": "none_too",
    "AMB-LF-40": "one",
    "AMB-LF-41": "found",
    "AMB-LF-42": "found",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""

_NOTHING_BELOW = {
    "the path does not exist": "AMB-LF-29",
    "the path is no directory": "AMB-LF-30",
    "the directory cannot be read": "AMB-LF-31",
}
"""The interpretations by which a search finds nothing where a list is an error."""


def describe_outcome(expected: ExpectedOutcome) -> str:
    """Return the expected paths in the tree notation, or "an error"."""
    if isinstance(expected, ExpectedFailure):
        return "[]" if expected.allows == "an empty list" else "an error"
    return join_paths(entry.raw_path for entry in expected.entries) or "[]"


def expected_outcome(case: Case, readings: ReadingChoices) -> ExpectedOutcome:
    """Return the expected outcome of a case. Raises Unmodelled."""
    arguments, is_search = case.arguments, case.tool == "findFiles"
    if not isinstance(arguments, dict):
        raise Unmodelled("the arguments are no object")
    path = arguments.get("path")
    if not isinstance(path, str):
        return ExpectedFailure("the path is no text")
    if is_search and not isinstance(arguments.get("glob"), str):
        return ExpectedFailure("the glob is no text", requirement="LF-ERR-02")
    if is_search and type(arguments.get("recursive")) is not bool:
        raise Unmodelled("the document does not say what a search does without a truth value for recursive")
    surroundings = Surroundings(case)
    found = resolve_directory(surroundings, path, readings)
    if isinstance(found, RequestedDirectory) and not can_be_read(found.node):
        found = "the directory cannot be read"
    if isinstance(found, str):
        return _failure(found, is_search, readings)
    if is_search:
        return _search_outcome(found, arguments["glob"], arguments["recursive"], surroundings, readings)
    try:
        entries = tuple(children(found.place, b"", readings))
    except CannotRead as error:
        return ExpectedFailure(str(error))
    return _listing(found, entries, (), readings)


def _failure(reason: str, is_search: bool, readings: ReadingChoices) -> ExpectedFailure:
    if not is_search:
        return ExpectedFailure(reason)
    id = _NOTHING_BELOW.get(reason)
    if id is None:  # another way not to be there
        return ExpectedFailure(reason, "either" if "nothing" in readings.accepted_labels("AMB-LF-29") else "an error")
    return ExpectedFailure(reason, "an empty list" if readings[id] == "nothing" else "an error")


def _search_outcome(
    directory: RequestedDirectory, glob: str, recursive: bool, surroundings: Surroundings, readings: ReadingChoices
) -> ExpectedOutcome:
    parsed = malformed_glob(glob, readings)
    if isinstance(parsed, ExpectedFailure):
        return parsed
    if directory.ends_in_link:
        match _root_that_is_a_link(directory, readings):
            case "refused":
                return ExpectedFailure("the root of the search is a link", requirement="LF-FIND-01")
            case "nothing":
                return ExpectedFailure("nothing is below a link", "an empty list", "LF-FIND-01")
    if not has_metadata(directory.node):
        raise Unmodelled("a search in a directory whose entries have no metadata")
    walked = walk(directory.place, recursive, surroundings, readings)
    if isinstance(walked, ExpectedFailure):
        return walked
    found = found_entries(walked, parsed, recursive, surroundings, readings)
    listing = _listing(directory, found.due, (*found.optional, *walked.entries), readings)
    if isinstance(listing, ExpectedFailure):
        return listing
    return replace(listing, optional=found.optional, search=replace(found.search, glob=glob))


def _root_that_is_a_link(directory: RequestedDirectory, readings: ReadingChoices) -> str:
    """Return the reading of AMB-LF-26; with a slash behind the link the system itself leads to the directory."""
    if directory.spellings["verbatim"].endswith(("/", "/.")):
        options = readings.accepted_labels("AMB-LF-26")
        return str(readings.choose("a slash behind the link that is the root of a search", options))
    return readings["AMB-LF-26"]


def _rules(readings: ReadingChoices) -> MemberRules:
    labels = readings.accepted_labels
    return MemberRules(labels("AMB-LF-05"), labels("AMB-LF-08"), labels("AMB-LF-28"), labels("AMB-LF-01"))


def _listing(
    directory: RequestedDirectory,
    entries: tuple[ExpectedEntry, ...],
    others: Sequence[ExpectedEntry],
    readings: ReadingChoices,
) -> ExpectedOutcome:
    """Return the list of these entries, or why it fails; `others` are entries at which the call may look as well."""
    labels = {}
    for id, concerns in _OF_ENTRIES.items():
        if (label := _label_of_entries(id, concerns, entries, others, readings)) == "error":
            return ExpectedFailure(f"{_REASONS[id]}, which fails the call", requirement=_REQUIREMENTS[id])
        labels[id] = label
    rules = replace(
        _rules(readings),
        before_1970=labels["AMB-LF-09"],
        other_texts_for_targets=labels["AMB-LF-25"] == "other",
    )
    return ExpectedListing(directory, entries, rules, any_non_utf8_spelling=labels["AMB-LF-17"] == "other")


def _label_of_entries(
    id: str,
    concerns: Callable[[ExpectedEntry], bool],
    entries: Iterable[ExpectedEntry],
    others: Iterable[ExpectedEntry],
    readings: ReadingChoices,
) -> str:
    """Return the reading of something unusual in the metadata or the name of entries."""
    if any(map(concerns, entries)):
        return readings[id]
    if not any(map(concerns, others)):
        return RECOMMENDED_READINGS[id]
    label = readings[id]
    if label == "error" and not readings.choose(f"{id} also of what is not found", (True, False)):
        return RECOMMENDED_READINGS[id]
    return label


def _is_before_1970(entry: ExpectedEntry) -> bool:
    return entry.has_metadata and entry.node.mtime_ns is not None and entry.node.mtime_ns < 0


def _is_no_text(entry: ExpectedEntry) -> bool:
    return not entry.is_utf8


def _has_target_without_text(entry: ExpectedEntry) -> bool:
    target = entry.node.target if entry.is_link else None
    return target is not None and entry.has_metadata and target.decode("utf-8", "replace").encode() != target


_OF_ENTRIES: Mapping[str, Callable[[ExpectedEntry], bool]] = {
    "AMB-LF-17": _is_no_text,
    "AMB-LF-09": _is_before_1970,
    "AMB-LF-25": _has_target_without_text,
}
_REASONS = {
    "AMB-LF-17": "a name is not UTF-8",
    "AMB-LF-09": "a time is before 1970",
    "AMB-LF-25": "a target is not UTF-8",
}
_REQUIREMENTS = {"AMB-LF-17": "LF-FIELD-01", "AMB-LF-09": "LF-FIELD-04", "AMB-LF-25": "LF-LINK-01"}
