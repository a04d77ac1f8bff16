"""What is interesting in a call of move or copy: the words for it, found out from state and call alone."""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.api import Kind, Node

from .expected import Request
from .tree_state import LeadsOutside, Path, State

ALL_CASE_LABELS = (
    "move",
    "copy",
    "another name of the tool",
    "file",
    "directory",
    "link",
    "pipe",
    "file of several names",
    "no source",
    "into a directory",
    "onto a name that is taken",
    "onto a link",
    "overwriting allowed and asked for",
    "overwriting in doubt",
    "no directory for it",
    "one and the same",
    "into itself",
    "leads out",
    "..",
)
_KINDS = {Kind.FILE: "file", Kind.DIR: "directory", Kind.SYMLINK: "link", Kind.FIFO: "pipe"}


def case_labels(call: Request, tool: str) -> frozenset[str]:
    """The words for a call, of EVERY. `tool` is the name that it was made by."""
    return frozenset(_labels(call, tool))


def _labels(call: Request, tool: str) -> Iterator[str]:
    yield call.verb
    if tool != call.verb:
        yield "another name of the tool"
    source, destination = _components(call.source), _components(call.destination)
    if b".." in (*source, *destination):
        yield ".."
        return
    thing = call.state.node_at(source) if source else None
    yield from _source_labels(call.state, source, thing)
    try:
        call.state.follow(source)
        to = call.state.follow(destination)
    except LeadsOutside:
        yield "leads out"
        return
    final = to.path
    if to.reachable and call.state.is_directory(to.path):
        yield "into a directory"
        final = (*to.path, *source[-1:])
    elif not call.state.is_directory(to.path[:-1]):
        yield "no directory for it"
    yield from _destination_labels(call, source, destination, final)


def _source_labels(state: State, source: Path, thing: Node | None) -> Iterator[str]:
    if thing is None:
        yield "no source"
        return
    if thing.kind in _KINDS:
        yield _KINDS[thing.kind]
    if thing.kind is Kind.FILE and state.other_names(source):
        yield "file of several names"


def _destination_labels(call: Request, source: Path, destination: Path, final: Path) -> Iterator[str]:
    there = call.state.node_at(final) if final else None
    named = call.state.node_at(destination) if destination else None
    if source and final == source:
        yield "one and the same"
    elif source and final[: len(source)] == source:
        yield "into itself"
    elif there is not None:
        yield "onto a name that is taken"
        if call.state.names.get(final) == call.state.names.get(source):
            yield "one and the same"
    if named is not None and named.kind is Kind.SYMLINK:
        yield "onto a link"
    if there is not None and bool(call.overwrite) != call.overwrite_allowed:
        yield "overwriting in doubt"
    elif there is not None and call.overwrite:
        yield "overwriting allowed and asked for"


def _components(path: str) -> Path:
    return tuple(step for step in path.encode().split(b"/") if step not in (b"", b"."))
