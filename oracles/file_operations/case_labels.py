"""The case labels of a call, computed from its state and arguments: what source and destination are.

A path that names no entry of the sandbox has the label `none`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from treeproof.api import Kind, Node

from .circumstances import LISTING_TOOLS, UNKNOWN_TOOLS
from .outcome import Request
from .transfer import is_readable, is_writable
from .tree_state import LeadsOutside, Path, State

LISTING, NO_TOOL = "listing", "no name of a tool"
NO_TRANSFER = frozenset({LISTING, NO_TOOL})
"""Labels of calls that neither move nor copy."""

SOURCES = (
    *("none", "nothing", "file", "empty file", "file of several names", "file without a permission", "special file"),
    *("link to a file", "link to a directory", "dangling link", "link out"),
    *("empty directory", "directory", "directory with links", "directory with a link out"),
    "directory that cannot be copied whole",
)
CONTENTS = ("none", "other", "the digit 0", "carriage returns", "zeros at its end", "large")
NAMES = ("the digit 0", "hidden", "signs of a shell", "not ASCII", "another")
DESTINATIONS = (
    *("none", "nothing", "nothing in a missing directory", "below a file"),
    *("nothing in a directory", "nothing in a directory behind a link"),
    *("file", "special file", "link to a file", "dangling link", "link out", "link to the source"),
    *("file in a directory", "directory of the name", "link in a directory"),
    *("the source itself", "another name of the source", "what the source leads to"),
    *("inside the source", "inside the source through a link"),
    *("nothing on another file system", "a name on another file system"),
)

NOT_OVERWRITTEN = "overwriting: refused"
_OVERWRITING = frozenset({"FR-FOPS-MV-03", "FR-FOPS-CP-03", "CFG-FOPS-01"})

ALL_CASE_LABELS = (
    *sorted(NO_TRANSFER),
    "unusual arguments",
    NOT_OVERWRITTEN,
    *(f"source: {kind}" for kind in SOURCES),
    *(f"content: {kind}" for kind in CONTENTS),
    *(f"name: {kind}" for kind in NAMES),
    *(f"destination: {kind}" for kind in DESTINATIONS),
)

UNUSUAL = frozenset({"unusual arguments", "source: none", "destination: none"})
"""The labels of a call whose arguments do not fit."""

_LARGE = 1 << 18
"""More than a buffer of usual programs holds, in bytes; larger files are in scenarios by hand."""


def tool_labels(tool: str) -> frozenset[str]:
    """Return the label of a call that neither moves nor copies."""
    if tool in LISTING_TOOLS:
        return frozenset({LISTING})
    return frozenset({NO_TOOL} if tool in UNKNOWN_TOOLS else ())


def case_labels(request: Request, refusals: Set[str]) -> frozenset[str]:
    """Return what source and destination are, as far as they lie in the sandbox. Raises Unmodelled.

    `refusals` are the requirements by which the call may be refused.
    """
    return frozenset(_labels(request, refusals))


def _labels(request: Request, refusals: Set[str]) -> Iterator[str]:
    state = request.state
    source, destination = _entry(state, request.source), _entry(state, request.destination)
    sources = list(_source_kinds(state, source)) if source else ["none"]
    node = state.node_at(source) if source else None
    contents = list(_contents(node)) if node is not None and node.kind is Kind.FILE and node.size else []
    destinations = ["none"]
    if source and destination is not None:
        final = _final(state, request, destination)
        destinations = list(_destination_kinds(state, source, request, destination, final))
        if state.is_far(source) != state.is_far(final):
            destinations = [f"{'nothing' if state.node_at(final) is None else 'a name'} on another file system"]
    yield from (f"source: {kind}" for kind in sources)
    if refusals and refusals <= _OVERWRITING:
        yield NOT_OVERWRITTEN
    if not refusals:
        yield from (f"content: {kind}" for kind in contents or ["none"])
        yield f"name: {_name_kind(request.source[-1].decode())}"
    yield from (f"destination: {kind}" for kind in destinations)


def _entry(state: State, path: Path) -> Path | None:
    """Return the place of a name in the sandbox, a link at its end not followed; None if it has none."""
    for meaning in state.meanings(path) if b".." in path else [path]:
        if not meaning:
            return meaning
        try:
            parent = state.follow(meaning[:-1])
        except LeadsOutside:
            continue
        entry = (*parent.path, meaning[-1])
        if state.is_inside(entry):
            return entry
    return None


def _leads_to(state: State, entry: Path) -> Path | None:
    """Return where a link leads; None for another entry, and for a link that leads out."""
    node = state.node_at(entry)
    if node is None or node.kind is not Kind.SYMLINK:
        return None
    try:
        return state.follow(entry).path
    except LeadsOutside:
        return None


def _source_kinds(state: State, source: Path) -> Iterator[str]:
    node = state.node_at(source)
    if node is None:
        yield "nothing"
        return
    match node.kind:
        case Kind.FILE:
            yield "file" if node.size else "empty file"
            if state.other_names(source):
                yield "file of several names"
            if not (is_readable(node) and is_writable(node)):
                yield "file without a permission"
        case Kind.SYMLINK:
            yield _link_kind(state, source)
        case Kind.DIR:
            yield "directory" if state.below(source) else "empty directory"
            yield from _directory_kinds(state, source)
        case _:
            yield "special file"


def _link_kind(state: State, link: Path) -> str:
    target = _leads_to(state, link)
    found = None if target is None else state.node_at(target)
    if target is None:
        return "link out"
    if found is None or found.kind is Kind.SYMLINK:
        return "dangling link"
    return "link to a directory" if found.kind is Kind.DIR else "link to a file"


def _directory_kinds(state: State, directory: Path) -> Iterator[str]:
    below = [(path, state.nodes[state.names[path]]) for path in state.below(directory)]
    links = [path for path, node in below if node.kind is Kind.SYMLINK]
    if links:
        yield "directory with links"
    if any(_link_kind(state, link) == "link out" for link in links):
        yield "directory with a link out"
    if any(node.kind not in (Kind.FILE, Kind.DIR, Kind.SYMLINK) or not is_readable(node) for _, node in below):
        yield "directory that cannot be copied whole"


def _contents(node: Node) -> Iterator[str]:
    content = node.content or b""
    found = {
        "the digit 0": content == b"0",
        "carriage returns": b"\r" in content,
        "zeros at its end": content.endswith(b"\0") or bool(node.size and not content),
        "large": node.size >= _LARGE,
    }
    yield from [kind for kind, is_so in found.items() if is_so] or ["other"]


def _name_kind(name: str) -> str:
    if name == "0":
        return "the digit 0"
    if re.fullmatch(r"[.][a-z].*", name):
        return "hidden"
    if not name.isascii():
        return "not ASCII"
    return "signs of a shell" if re.match(r"-|.*[*\\[?#\"']", name) else "another"


def _final(state: State, request: Request, destination: Path) -> Path:
    directory = _leads_to(state, destination) or destination
    return (*directory, *request.source[-1:]) if not directory or state.is_directory(directory) else destination


def _destination_kinds(state: State, source: Path, request: Request, destination: Path, final: Path) -> Iterator[str]:
    node, where = state.node_at(final), " in a directory" if final != destination else ""
    if final == source:
        yield "the source itself"
    elif final[: len(source)] == source:
        by_text = request.destination[: len(request.source)] == request.source
        yield "inside the source" if by_text else "inside the source through a link"
    elif final == _leads_to(state, source):
        yield "what the source leads to"
    elif node is None:
        parent = state.node_at(final[:-1])
        if parent is None or parent.kind is not Kind.DIR:
            yield "below a file" if parent is not None else "nothing in a missing directory"
        else:
            yield f"nothing{where}" + (" behind a link" if where and final[:-1] != destination else "")
    elif node.kind is Kind.DIR:
        yield "directory of the name"
    elif node.kind is Kind.SYMLINK:
        is_own = _leads_to(state, final) == source
        yield "link to the source" if is_own else f"link{where}" if where else _link_kind(state, final)
    elif node.kind is not Kind.FILE:
        yield "special file"
    else:
        yield "another name of the source" if state.names.get(source) == state.names[final] else f"file{where}"
