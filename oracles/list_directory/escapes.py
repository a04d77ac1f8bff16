"""What comes from outside of the sandbox: entries with names that only places outside have."""

from __future__ import annotations

from dataclasses import replace

from treeproof.api import ROOT_NAME, Case, Finding, Kind, Node, Unmodelled

from ..shared.formatting import format_paths
from .parsed_answer import ParsedDocument
from .path_resolution import Names, surroundings_of

_KIND = "content from outside of the sandbox is listed"


def find_escape(found: object, case: Case) -> Finding | None:
    """Return the finding for a wrong document that lists what is outside; None if it lists nothing of it."""
    if not isinstance(found, ParsedDocument) or not case.outside.entries:
        return None
    try:
        surroundings = surroundings_of(case)
    except Unmodelled:
        return None
    places = _places(surroundings.folder, ())
    inside = {name for place in places if surroundings.contains(place) for name in place}
    outside = {place[-1] for place in places if not surroundings.contains(place)} - inside - {ROOT_NAME}
    leaked = [path for path in found.paths if path.rpartition("/")[2].encode("utf-8", "surrogatepass") in outside]
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
    """Return the finding as an escape if the document lists names that the sandbox does not have."""
    if finding.harm is not None or not isinstance(found, ParsedDocument):
        return finding
    inside = {path.rpartition(b"/")[2].decode("utf-8", "replace") for path, _ in case.tree.walk()}
    listed = {path.rpartition("/")[2] for path in found.paths}
    return finding if listed <= inside else replace(finding, harm="escape")


def _places(directory: Node, place: Names) -> list[Names]:
    found = [] if not place else [place]
    for child in directory.children:
        found += _places(child, (*place, child.name)) if child.children else [(*place, child.name)]
    return found
