"""The expected outcome of a call by one combination of readings: a list of entries, or an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from treeproof.api import Case, Node, Unmodelled

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
from .path_resolution import ROOT, UNCLEAN, Surroundings, resolve_directory, surroundings_of
from .searches import found_entries, malformed_glob
from .walk import CannotRead, can_be_read, children, has_metadata, walk

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-LF-01": "kind",
    "AMB-LF-05": "normalised",
    "AMB-LF-08": "floor",
    "AMB-LF-11": "all",
    "AMB-LF-13": "children",
    "AMB-LF-14": "working_dir",
    "AMB-LF-15": "skipped",
    "AMB-LF-17": "replacement",
    "AMB-LF-24": "lexical",
    "AMB-LF-26": "searched",
    "AMB-LF-28": "verbatim",
    "AMB-LF-33": "nothing",
    "AMB-LF-34": "passed_by",
    "AMB-LF-35": "alternatives",
    "AMB-LF-37": "below",
    "AMB-LF-38": "none_too",
    "AMB-LF-39": "none_too",
    "AMB-LF-41": "found",
    "AMB-LF-42": "found",
    "AMB-LF-43": "found",
    "AMB-LF-44": "path",
    "AMB-LF-45": "sets",
    "AMB-LF-46": "exclamation",
    "AMB-LF-47": "sensitive",
    "AMB-LF-48": "listed",
    "AMB-LF-49": "followed",
    "AMB-LF-50": "no",
    "AMB-LF-51": "one",
    "AMB-LF-52": "everything",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


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
    general = "LF-FIND-01" if is_search else "LF-LIST-01"
    if not path.startswith(("/", "$")):
        if case.context.get("working_dir", ROOT) != ROOT:
            raise Unmodelled("a relative path from another working directory")
        if (label := readings["AMB-LF-14"]) != "working_dir":
            allows: Literal["an error", "a list from elsewhere"]
            allows = "an error" if label == "refused" else "a list from elsewhere"
            return ExpectedFailure("the path is relative", allows, general)
        path = f"{ROOT}/{path}"
    surroundings = surroundings_of(case)
    found = resolve_directory(surroundings, path, readings)
    if isinstance(found, RequestedDirectory) and not can_be_read(found.node):
        return ExpectedFailure("the directory cannot be read", names=frozenset() if is_search else _names(found.node))
    if isinstance(found, str):
        return ExpectedFailure(found, requirement=general if found == UNCLEAN else "LF-ERR-01")
    if found.passes_link and readings["AMB-LF-49"] == "refused":
        return ExpectedFailure("the path goes through a link", requirement=general)
    if is_search:
        return _search_outcome(found, arguments["glob"], arguments["recursive"], surroundings, readings)
    if found.ends_in_link and _label_of_link(found, "AMB-LF-48", readings) == "refused":
        return ExpectedFailure("the path is a link", requirement="LF-LIST-01")
    try:
        entries = tuple(children(found.place, b"", readings))
    except CannotRead as error:
        return ExpectedFailure(str(error), names=_names(found.node))
    return _listing(found, entries, (), readings)


def _names(directory: Node) -> frozenset[str]:
    return frozenset(node.name.decode("utf-8", "replace") for node in directory.children)


def _search_outcome(
    directory: RequestedDirectory, glob: str, recursive: bool, surroundings: Surroundings, readings: ReadingChoices
) -> ExpectedOutcome:
    parsed = malformed_glob(glob, readings)
    if isinstance(parsed, ExpectedFailure):
        return parsed
    if directory.ends_in_link:
        match _label_of_link(directory, "AMB-LF-26", readings):
            case "refused":
                return ExpectedFailure("the root of the search is a link", requirement="LF-FIND-01")
            case "nothing":
                return ExpectedFailure("nothing is below a link", "an empty list", "LF-FIND-01")
    if not has_metadata(directory.node):
        raise Unmodelled("a search in a directory whose entries have no metadata")
    walked = walk(directory.place, recursive, surroundings, readings)
    if isinstance(walked, ExpectedFailure):
        return walked
    found = found_entries(walked, parsed, recursive, surroundings, readings, directory)
    if isinstance(found, ExpectedFailure):
        return found
    listing = _listing(directory, found.due, (*found.optional, *walked.entries), readings)
    if isinstance(listing, ExpectedFailure):
        return listing
    return replace(listing, optional=found.optional, search=replace(found.search, glob=glob))


def _label_of_link(directory: RequestedDirectory, id: str, readings: ReadingChoices) -> str:
    """Return the reading of a path that is a link; with a slash behind it the system itself leads to the directory."""
    if directory.spellings["verbatim"].endswith(("/", "/.")):
        return str(readings.choose("a slash behind a link", readings.accepted_labels(id)))
    return readings[id]


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
    for subject, concerns in _OF_ENTRIES.items():
        if (label := _label_of_entries(subject, concerns, entries, others, readings)) == "error":
            return ExpectedFailure(f"{_REASONS[subject]}, which fails the call", requirement=_REQUIREMENTS[subject])
        labels[subject] = label
    rules = replace(
        _rules(readings),
        other_texts_for_targets=labels[_TARGETS] == "other",
    )
    return ExpectedListing(directory, entries, rules, any_non_utf8_spelling=labels[_NAMES] == "other")


def _label_of_entries(
    subject: str,
    concerns: Callable[[ExpectedEntry], bool],
    entries: Iterable[ExpectedEntry],
    others: Iterable[ExpectedEntry],
    readings: ReadingChoices,
) -> str:
    """Return the reading of something unusual in the metadata or the name of entries."""
    recommended = RECOMMENDED_READINGS[_NOT_UTF8]
    is_found = any(map(concerns, entries))
    if not is_found and not any(map(concerns, others)):
        return recommended
    if subject == _TARGETS and any(map(_is_no_text, (*entries, *others))):  # a name and a target may differ
        label = str(readings.choose("a target beside a name", readings.accepted_labels(_NOT_UTF8)))
    else:
        label = readings[_NOT_UTF8]
    if label == "error" and not is_found and not readings.choose(f"{subject} also of what is not found", (True, False)):
        return recommended
    return label


def _is_no_text(entry: ExpectedEntry) -> bool:
    return not entry.is_utf8


def _has_target_without_text(entry: ExpectedEntry) -> bool:
    target = entry.node.target if entry.is_link else None
    return target is not None and entry.has_metadata and target.decode("utf-8", "replace").encode() != target


_NAMES, _TARGETS = "names", "targets"

_NOT_UTF8 = "AMB-LF-17"

_OF_ENTRIES: Mapping[str, Callable[[ExpectedEntry], bool]] = {
    _NAMES: _is_no_text,
    _TARGETS: _has_target_without_text,
}
_REASONS = {
    _NAMES: "a name is not UTF-8",
    _TARGETS: "a target is not UTF-8",
}
_REQUIREMENTS = {_NAMES: "LF-FIELD-01", _TARGETS: "LF-LINK-01"}
