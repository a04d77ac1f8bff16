"""All that a call may come to: one outcome for each way in which accepted readings tell the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from treeproof.api import AcceptedReadings, Case

from .path_resolution import ExpectedFailure, ResolvedDirectory, parse_arguments, resolve_path
from .walk import ExpectedElement, UnreadableEntry, walk

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-WD-01": "list",
    "AMB-WD-04": "zero",
    "AMB-WD-06": "empty",
    "AMB-WD-09": "nil",
    "AMB-WD-14": "accepted",
    "AMB-WD-15": "replacement",
    "AMB-WD-16": "forbidden",
    "AMB-WD-18": "included",
}
"""The passages that the model can read in more than one way, and how they are recommended to be read."""


@dataclass(frozen=True)
class ExpectedListing:
    """A list that is due. `free`: names that are not UTF-8 may be spelt otherwise. `open`: maps may have more keys."""

    start: ResolvedDirectory
    elements: tuple[ExpectedElement, ...]
    any_non_utf8_spelling: bool
    allows_extra_keys: bool


ExpectedOutcome = ExpectedListing | ExpectedFailure
LabelledOutcome = tuple[Mapping[str, str], ExpectedOutcome]


def expected_outcomes(case: Case, accepted: AcceptedReadings) -> list[LabelledOutcome]:
    """Every outcome with the readings that it rests on, the recommended one first. Raises Unmodelled."""
    return list(_outcomes(case, accepted))


def _accepted_labels(accepted: AcceptedReadings, passage: str) -> list[str]:
    best = RECOMMENDED_READINGS[passage]
    return sorted(accepted.get(passage, frozenset({best})), key=lambda label: (label != best, label))


def _outcomes(case: Case, accepted: AcceptedReadings) -> Iterator[LabelledOutcome]:
    path = parse_arguments(case.arguments)
    if isinstance(path, ExpectedFailure):
        if not path.may_fail:
            yield {}, path
            return
        for label in _accepted_labels(accepted, "AMB-WD-09"):
            yield {"AMB-WD-09": label}, path
        return
    found = resolve_path(case.tree, path)
    if isinstance(found, ExpectedFailure):
        yield {}, found
        return
    refused = ExpectedFailure("WD-ARG-04", "two dots are refused")
    for label in _accepted_labels(accepted, "AMB-WD-14") if found.has_dot_dot else [""]:
        labels = {"AMB-WD-14": label} if label else {}
        if label == "refused":
            yield labels, refused
        else:
            yield from _start_outcomes(found, labels, accepted)


def _start_outcomes(
    found: ResolvedDirectory, labels: Mapping[str, str], accepted: AcceptedReadings
) -> Iterator[LabelledOutcome]:
    """From the start on: a link may be one, or none."""
    if not found.through_link:
        yield from _walk_outcomes(found, labels, accepted)
        return
    told = _accepted_labels(accepted, "AMB-WD-06")
    if not found.ends_in_link:
        yield from _walk_outcomes(found, labels, accepted)
        if "nil" in told:
            yield {**labels, "AMB-WD-06": "nil"}, ExpectedFailure("WD-WALK-04", "a link is no start")
        return
    for label in told:
        more = {**labels, "AMB-WD-06": label}
        match label:
            case "content":
                yield from _walk_outcomes(found, more, accepted)
            case "nil":
                yield more, ExpectedFailure("WD-WALK-04", "a link is no start")
            case _:
                yield more, ExpectedListing(found, (), any_non_utf8_spelling=False, allows_extra_keys=False)


def _walk_outcomes(
    found: ResolvedDirectory, labels: Mapping[str, str], accepted: AcceptedReadings
) -> Iterator[LabelledOutcome]:
    sizes = None if "system" in _accepted_labels(accepted, "AMB-WD-04") else (0,)
    try:
        due = walk(found.node, found.children, sizes)
    except UnreadableEntry as why:
        yield labels, ExpectedFailure("WD-ERR-06", str(why), ("WD-WALK-03",) if why.only_hidden else ())
        return
    opened = "tolerated" in _accepted_labels(accepted, "AMB-WD-16")
    if not due:
        for label in _accepted_labels(accepted, "AMB-WD-01"):
            nothing = (
                ExpectedFailure("WD-RET-02", "emptiness is nil")
                if label == "nil"
                else ExpectedListing(found, (), False, opened)
            )
            yield {**labels, "AMB-WD-01": label}, nothing
        return
    special = _accepted_labels(accepted, "AMB-WD-18") if any(one.is_special for one in due) else [""]
    odd = _accepted_labels(accepted, "AMB-WD-15") if not all(one.is_utf8 for one in due) else [""]
    for one in special:
        kept = tuple(each for each in due if one != "omitted" or not each.is_special)
        for other in odd:
            own = {"AMB-WD-18": one, "AMB-WD-15": other}
            more = {**labels, **{passage: label for passage, label in own.items() if label}}
            if other == "nil":
                yield more, ExpectedFailure("WD-ENT-01", "a name is not UTF-8")
            else:
                yield more, ExpectedListing(found, kept, other == "other", opened)
