"""What comes from outside of the sandbox: entries with names that only places outside have."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from treeproof.api import ROOT_NAME, Case, Finding, Kind, Node, Unmodelled

from ..shared.formatting import format_paths
from .parsed_answer import ParsedDocument
from .path_resolution import Names, surroundings_of

_KIND = "content from outside of the sandbox is listed"
_OF_THE_SYSTEM = frozenset({b"bin", b"dev", b"etc", b"hosts", b"passwd", b"proc", b"tmp", b"usr", b"var"})
"""Names in the top directory of every system, and in its `etc`."""


def find_escape(found: object, case: Case) -> Finding | None:
    """Return the finding for a wrong document that lists what is outside; None if it lists nothing of it."""
    if not isinstance(found, ParsedDocument) or not case.outside.entries:
        return None
    leaked = _listed_from(_names_outside(case) - {ROOT_NAME}, found)
    if not leaked:
        return None
    links = {path.decode("utf-8", "replace") for path, node in case.tree.walk() if node.kind is Kind.SYMLINK}
    is_below_link = all(any(path.startswith(f"{link}/") for link in links) for path in leaked)
    requirement, other = "FR-LD-VAL-07", "FR-LD-VAL-09"
    if is_below_link:
        requirement, other = other, requirement
    got, due = format_paths(leaked), "no entry of a place outside"
    return Finding(requirement, f"{_KIND}: {got}", due, got, (other,), _KIND, harm="escape")


def with_harm(finding: Finding, found: object, case: Case) -> Finding:
    """Return the finding as an escape if the document lists names of places outside, or of the rest of the system."""
    if finding.harm is not None or not isinstance(found, ParsedDocument):
        return finding
    inside = {path.rpartition(b"/")[2] for path, _ in case.tree.walk()}
    names = (_names_outside(case) | _OF_THE_SYSTEM | {ROOT_NAME}) - inside
    return replace(finding, harm="escape") if _listed_from(names, found) else finding


def _names_outside(case: Case) -> set[bytes]:
    """Return the names that only places outside of the sandbox have; none for a context that is not modelled."""
    try:
        surroundings = surroundings_of(case)
    except Unmodelled:
        return set()
    places = _places(surroundings.folder, ())
    inside = {name for place in places if surroundings.contains(place) for name in place}
    return {place[-1] for place in places if not surroundings.contains(place)} - inside


def _listed_from(names: Set[bytes], found: ParsedDocument) -> list[str]:
    return [path for path in found.paths if path.rpartition("/")[2].encode("utf-8", "surrogatepass") in names]


def _places(directory: Node, place: Names) -> list[Names]:
    found = [] if not place else [place]
    for child in directory.children:
        found += _places(child, (*place, child.name)) if child.children else [(*place, child.name)]
    return found
