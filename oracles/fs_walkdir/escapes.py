"""Whether an answer lists something from outside of the sandbox: by what is there, not by what was requested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treeproof.api import Case, Finding, Kind, Node

from ..shared.formatting import format_json
from ..shared.remembered import once_in_a_row
from .outcomes import CallOutcome, ExpectedFailure
from .surroundings import Place, Surroundings, Way, surroundings_of

_SIGNS_OF_A_WAY_OUT = ("..", "%2", "\uff0e", "file:", "\\")

SOMETHING_OUTSIDE = "something outside is listed"


def find_escape(value: Any, expected: CallOutcome, case: Case) -> Finding | None:
    """Return the finding for a list with elements from outside, None for any other value."""
    if not isinstance(value, list):
        return None
    surroundings = surroundings_of(case)
    names = _names(surroundings)
    leads_out = _may_lead_out(expected)
    is_unknown = leads_out and _is_unknown(surroundings)
    foreign = [
        path
        for path in _paths(value)
        if (one := _last(path)) not in names[True] and (one in names[False] or is_unknown)
    ]
    if not foreign and leads_out and _is_directory_outside(value, surroundings):
        foreign = list(_paths(value))
    if not foreign:
        return None
    requirement = _requirement(foreign, expected, surroundings)
    message = f"{SOMETHING_OUTSIDE}: {format_json(foreign[0])}"
    if len(foreign) > 1:
        message += f" and {len(foreign) - 1} more"
    kind = "what is outside is listed behind a link that the walk meets" if requirement == "WD-SEC-03" else ""
    due = "null" if isinstance(expected, ExpectedFailure) else "[]"
    return Finding(requirement, message, due, format_json(foreign), kind=kind or SOMETHING_OUTSIDE, harm="escape")


def _may_lead_out(expected: CallOutcome) -> bool:
    """Return whether the path leads out of the sandbox, or does so for tools of another reading."""
    if isinstance(expected, ExpectedFailure):
        return expected.requirement.startswith("WD-SEC")
    return expected.start.may_lead_out


def _is_unknown(surroundings: Surroundings) -> bool:
    """Return whether the model does not know what is where the path leads: whatever the sandbox lacks is from there."""
    way = _way(surroundings)
    leads_to_system = way.place is None and way.obstacle is None
    return leads_to_system or not surroundings.case.outside.entries or _path(surroundings).startswith("/")


def _path(surroundings: Surroundings) -> str:
    arguments = surroundings.case.arguments
    path = arguments.get("path") if isinstance(arguments, dict) else None
    return path if isinstance(path, str) else ""


def _way(surroundings: Surroundings) -> Way:
    return surroundings.follow([name.encode("utf-8", "surrogatepass") for name in _path(surroundings).split("/")])


def _paths(value: Sequence[Any]) -> Iterator[str]:
    """Yield the paths of elements; the name of one that has no path."""
    for element in value:
        if isinstance(element, dict):
            texts = (element.get(key) for key in ("path", "name"))
            yield next((text for text in texts if isinstance(text, str)), "")


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


@once_in_a_row
def _names(surroundings: Surroundings) -> Mapping[bool, set[str]]:
    """Return the names of all entries of the sandbox (True), and of all others in its folder."""
    found: dict[bool, set[str]] = {True: {"", ".", ".."}, False: set()}
    pending: list[tuple[Node, bool]] = [(surroundings.folder, False)]
    while pending:
        node, inside = pending.pop()
        inside = inside or node is surroundings.sandbox[-1]
        found[inside].update(_text(child.name) for child in node.children)
        pending += [(child, inside) for child in node.children]
    return found


def _is_directory_outside(value: Sequence[Any], surroundings: Surroundings) -> bool:
    """Return whether the names directly below the start are those of a directory outside, and of none inside.

    Where it is not known what is outside, they are if they are those of none inside.
    """
    names = {path.partition("/")[0] for path in _paths(value)}
    pending: list[tuple[Node, bool]] = [(surroundings.folder, False)]
    found = {True: False, False: False}
    while pending:
        node, inside = pending.pop()
        inside = inside or node is surroundings.sandbox[-1]
        found[inside] = found[inside] or names == {_text(child.name) for child in node.children}
        pending += [(child, inside) for child in node.children if child.kind is Kind.DIR]
    return (found[False] or not surroundings.case.outside.entries) and not found[True]


def _requirement(foreign: Sequence[str], expected: CallOutcome, surroundings: Surroundings) -> str:
    """Return the rule that is broken: of links that the walk meets, of the path, or of the start."""
    links = [path.decode("utf-8", "replace") for path, node in surroundings.case.tree.walk() if node.target is not None]
    ways = {path[:at] for path in foreign for at, sign in enumerate(path) if sign == "/"}
    if any(link == way or link.endswith(f"/{way}") for link in links for way in ways):
        return "WD-SEC-03"
    path, way = _path(surroundings), _way(surroundings)
    if way.place is not None and _is_below_one_that_begins_alike(way.place, surroundings):
        return "WD-SEC-02"
    if isinstance(expected, ExpectedFailure) and expected.requirement.startswith("WD-SEC"):
        return expected.requirement
    if way.through_link:
        return "WD-SEC-02"
    is_way_out = path.startswith(("/", "$")) or any(sign in path.lower() for sign in _SIGNS_OF_A_WAY_OUT)
    return "WD-SEC-01" if is_way_out else "WD-SEC-02"


def _is_below_one_that_begins_alike(place: Place, surroundings: Surroundings) -> bool:
    """Return whether a directory lies in a neighbour of the sandbox whose name begins as its own."""
    depth = len(surroundings.sandbox)
    if len(place) <= depth or surroundings.is_inside(place):
        return False
    return place[depth - 1].name.lower().startswith(surroundings.sandbox[-1].name.lower())
