"""The case labels of a move or copy call, computed from its state and arguments."""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.api import Command, Kind, Node

from .circumstances import LISTING_TOOLS, UNKNOWN_TOOLS
from .gates import is_plain
from .outcome import Request
from .tree_state import LeadsOutside, Path, State

ALL_CASE_LABELS = (
    *(
        "move",
        "copy",
        "another name of the tool",
        "file",
        "directory",
        "link",
        "socket",
        "file of several names",
    ),
    *("no source", "into a directory", "onto a name that is taken", "onto a link"),
    *("overwriting allowed and asked for", "overwriting in doubt", "no directory for it", "one and the same"),
    *("into itself", "leads out", ".."),
    *("listing", "no name of a tool", "policy", "denied patterns", "absolute paths or another directory"),
    *("another configuration", "unusual arguments"),
)
NO_TRANSFER = frozenset({"listing", "no name of a tool"})
"""Labels of calls that neither move nor copy."""

_KINDS = {Kind.FILE: "file", Kind.DIR: "directory", Kind.SYMLINK: "link", Kind.SOCKET: "socket"}


def unusual_labels(command: Command) -> frozenset[str]:
    """Return the labels of what is unusual about a call."""
    return frozenset(_unusual(command))


def _unusual(command: Command) -> Iterator[str]:
    context = command.context
    if command.tool in LISTING_TOOLS:
        yield "listing"
    if command.tool in UNKNOWN_TOOLS:
        yield "no name of a tool"
    if "policy" in context:
        yield "policy"
    if context.keys() & {"denied_patterns", "include_default_denies"}:
        yield "denied patterns"
    if context.keys() & {"allow_absolute", "working_dir"}:
        yield "absolute paths or another directory"
    if "config" in context and not is_plain(context["config"]):
        yield "another configuration"
    if command.arguments.keys() - {"source", "destination", "overwrite"}:
        yield "unusual arguments"


def case_labels(request: Request, tool: str) -> frozenset[str]:
    """Return the labels that apply to a call. `tool` is the name that was called."""
    return frozenset(_labels(request, tool))


def _labels(request: Request, tool: str) -> Iterator[str]:
    yield request.verb
    if tool != request.verb:
        yield "another name of the tool"
    state = request.state
    source, destination = request.source, request.destination
    if b".." in (*source, *destination):
        yield ".."
        return
    yield from _source_labels(state, source, state.node_at(source) if source else None)
    try:
        state.follow(source)
        target = state.follow(destination)
    except LeadsOutside:
        yield "leads out"
        return
    final = target.path
    if target.reachable and state.is_directory(final):
        yield "into a directory"
        final = (*final, *source[-1:])
    elif not state.is_directory(final[:-1]):
        yield "no directory for it"
    yield from _destination_labels(request, source, destination, final)


def _source_labels(state: State, source: Path, node: Node | None) -> Iterator[str]:
    if node is None:
        yield "no source"
        return
    if node.kind in _KINDS:
        yield _KINDS[node.kind]
    if node.kind is Kind.FILE and state.other_names(source):
        yield "file of several names"


def _destination_labels(request: Request, source: Path, destination: Path, final: Path) -> Iterator[str]:
    state = request.state
    existing = state.node_at(final) if final else None
    named = state.node_at(destination) if destination else None
    if source and final == source:
        yield "one and the same"
    elif source and final[: len(source)] == source:
        yield "into itself"
    elif existing is not None:
        yield "onto a name that is taken"
        if state.names.get(final) == state.names.get(source):
            yield "one and the same"
    if named is not None and named.kind is Kind.SYMLINK:
        yield "onto a link"
    if existing is not None and bool(request.overwrite) != bool(request.overwrite_allowed):
        yield "overwriting in doubt"
    elif existing is not None and request.overwrite:
        yield "overwriting allowed and asked for"
