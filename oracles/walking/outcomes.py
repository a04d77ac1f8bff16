"""All that a call may come to: one outcome for each way in which accepted readings tell the document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from treeproof.search.model import Accepted, Case

from .lists import Broken, Due, walked
from .starts import Found, NoWalk, located, understood

RECOMMENDED: Mapping[str, str] = {
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
class Walk:
    """A list that is due. `free`: names that are not UTF-8 may be spelt otherwise. `open`: maps may have more keys."""

    found: Found
    due: tuple[Due, ...]
    free: bool
    open: bool


Outcome = Walk | NoWalk
Labelled = tuple[Mapping[str, str], Outcome]


def outcomes(case: Case, accepted: Accepted) -> list[Labelled]:
    """Every outcome with the readings that it rests on, the recommended one first. Raises Unmodelled."""
    return list(_outcomes(case, accepted))


def _labels(accepted: Accepted, passage: str) -> list[str]:
    best = RECOMMENDED[passage]
    return sorted(accepted.get(passage, frozenset({best})), key=lambda label: (label != best, label))


def _outcomes(case: Case, accepted: Accepted) -> Iterator[Labelled]:
    path = understood(case.arguments)
    if isinstance(path, NoWalk):
        if not path.failing:
            yield {}, path
            return
        for label in _labels(accepted, "AMB-WD-09"):
            yield {"AMB-WD-09": label}, path
        return
    found = located(case.tree, path)
    if isinstance(found, NoWalk):
        yield {}, found
        return
    refused = NoWalk("WD-ARG-04", "two dots are refused")
    for label in _labels(accepted, "AMB-WD-14") if found.climbs else [""]:
        labels = {"AMB-WD-14": label} if label else {}
        if label == "refused":
            yield labels, refused
        else:
            yield from _started(found, labels, accepted)


def _started(found: Found, labels: Mapping[str, str], accepted: Accepted) -> Iterator[Labelled]:
    """From the start on: a link may be one, or none."""
    if not found.through:
        yield from _walked(found, labels, accepted)
        return
    told = _labels(accepted, "AMB-WD-06")
    if not found.ends:
        yield from _walked(found, labels, accepted)
        if "nil" in told:
            yield {**labels, "AMB-WD-06": "nil"}, NoWalk("WD-WALK-04", "a link is no start")
        return
    for label in told:
        more = {**labels, "AMB-WD-06": label}
        match label:
            case "content":
                yield from _walked(found, more, accepted)
            case "nil":
                yield more, NoWalk("WD-WALK-04", "a link is no start")
            case _:
                yield more, Walk(found, (), free=False, open=False)


def _walked(found: Found, labels: Mapping[str, str], accepted: Accepted) -> Iterator[Labelled]:
    sizes = None if "system" in _labels(accepted, "AMB-WD-04") else (0,)
    try:
        due = walked(found.node, found.children, sizes)
    except Broken as why:
        yield labels, NoWalk("WD-ERR-06", str(why), ("WD-WALK-03",) if why.hidden else ())
        return
    opened = "tolerated" in _labels(accepted, "AMB-WD-16")
    if not due:
        for label in _labels(accepted, "AMB-WD-01"):
            nothing = (
                NoWalk("WD-RET-02", "emptiness is nil") if label == "nil" else Walk(found, (), False, opened)
            )
            yield {**labels, "AMB-WD-01": label}, nothing
        return
    special = _labels(accepted, "AMB-WD-18") if any(one.is_special for one in due) else [""]
    odd = _labels(accepted, "AMB-WD-15") if not all(one.is_text for one in due) else [""]
    for one in special:
        kept = tuple(each for each in due if one != "omitted" or not each.is_special)
        for other in odd:
            own = {"AMB-WD-18": one, "AMB-WD-15": other}
            more = {**labels, **{passage: label for passage, label in own.items() if label}}
            if other == "nil":
                yield more, NoWalk("WD-ENT-01", "a name is not UTF-8")
            else:
                yield more, Walk(found, kept, other == "other", opened)
