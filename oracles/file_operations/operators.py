"""The operators of the file operations, and the requirements that each of them breaks: on answers and on trees."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import replace

from treeproof.api import ROOT_NAME, Exchange, Kind, Node, Operator, by_path

from ..shared.operators import Nodes, because, on_answer, on_tree, remove, where, with_other_byte
from .calls import tool_name
from .expected import has_odd_names
from .generators import TOOLS
from .tree_state import FAR, components

_ROOT = ROOT_NAME + b"/"

_RULES = {
    "move": ("FR-FOPS-MV-01", "FR-FOPS-MV-02", "FR-FOPS-MV-03", "FR-FOPS-MV-04", "DFO-01", "DFO-07"),
    "copy": ("FR-FOPS-CP-01", "FR-FOPS-CP-02", "FR-FOPS-CP-03", "DFO-02", "DFO-07"),
}
"""The rules of which one decides what a call has to do."""

_OF_BOTH = ("FR-FOPS-01", "CFG-FOPS-01", "DFO-06", "DFO-09", "FR-VAL-04", "FR-VAL-08", "FR-VAL-09", "FR-EXE-01")
"""The rules of both tools, by which a call is carried out although another tool would refuse it."""

_REFUSALS = (
    *("FR-VAL-01", "FR-VAL-05", "FR-APR-04a", "FR-APR-04b", "FR-APR-04c", "FR-APR-04d"),
    *("NFR-FOPS-SEC-01", "NFR-FOPS-SEC-02", "DFO-03", "DFO-04", "DFO-05"),
)
"""The rules by which a call is refused."""

_NAMED_KINDS = ("PolicyDenied",)
_KINDS = ("DFO-01", "DFO-02", "FR-APR-04a", "FR-APR-04b", "FR-APR-04c", "NFR-FOPS-SEC-02")
"""A kind of error that the framework names, and what a call with another one breaks."""

_LOST = ("DFO-04", "DFO-05", "DFO-06")
_SANDBOX = "NFR-FOPS-SEC-01"


def _added(exchange: Exchange) -> list[bytes]:
    """Return the entries that a call has made or replaced, the topmost ones first."""
    before, after = by_path(exchange.before), by_path(exchange.after)
    return [
        path
        for path, node in after.items()
        if before.get(path) != node and node.kind is not Kind.DIR or path not in before
    ]


def _removed(exchange: Exchange) -> list[bytes]:
    before, after = by_path(exchange.before), by_path(exchange.after)
    return [path for path in before if path not in after]


def _untouched(exchange: Exchange, inside: bool) -> Iterator[bytes]:
    """Yield the files that a call has left as they were."""
    after = by_path(exchange.after)
    for path, node in by_path(exchange.before).items():
        is_file = node.kind is Kind.FILE and node.hardlink is None and after.get(path) == node
        if is_file and path.startswith(_ROOT) == inside and not path.startswith(FAR + b"/"):
            yield path


def _on_added(change: Callable[[Node], Node | None]) -> Callable[[Exchange, Nodes], bool]:
    def changed(exchange: Exchange, nodes: Nodes) -> bool:
        for path in _added(exchange):
            new = change(nodes[path])
            if new is not None:
                nodes[path] = new
                return True
        return False

    return changed


def _on_untouched(change: Callable[[Nodes, bytes], object], *, inside: bool) -> Callable[[Exchange, Nodes], bool]:
    def changed(exchange: Exchange, nodes: Nodes) -> bool:
        path = next(_untouched(exchange, inside), None)
        if path is None or any(node.hardlink == path for node in nodes.values()):
            return False
        change(nodes, path)
        return True

    return changed


def _spoil(nodes: Nodes, path: bytes) -> None:
    nodes[path] = with_other_byte(nodes[path])


def _without_destination(exchange: Exchange, nodes: Nodes) -> bool:
    added = _added(exchange)
    if added:
        remove(nodes, added[0])
    return bool(added)


def _with_source(exchange: Exchange, nodes: Nodes) -> bool:
    before, removed = by_path(exchange.before), _removed(exchange)
    for path in removed:
        nodes[path] = replace(before[path], hardlink=None, children=())
    return bool(removed)


def _without_source(exchange: Exchange, nodes: Nodes) -> bool:
    path = _ROOT + _argument(exchange, "source").encode()
    if path not in nodes or any(node.hardlink == path for node in nodes.values()):
        return False
    remove(nodes, path)
    return True


def _stray(place: bytes) -> Callable[[Exchange, Nodes], bool]:
    def add(exchange: Exchange, nodes: Nodes) -> bool:
        nodes[place + b"stray-file"] = Node(b"stray-file", Kind.FILE, 1, b"x")
        return True

    return add


def _other_byte(node: Node) -> Node | None:
    return with_other_byte(node) if node.kind is Kind.FILE and node.hardlink is None else None


def _other_target(node: Node) -> Node | None:
    return replace(node, target=(node.target or b"") + b"x") if node.kind is Kind.SYMLINK else None


def _empty_file(node: Node) -> Node | None:
    return (
        replace(node, size=0, content=b"") if node.kind is Kind.FILE and node.size and node.hardlink is None else None
    )


def _argument(exchange: Exchange, key: str) -> str:
    arguments = exchange.command.arguments
    value = arguments.get(key) if isinstance(arguments, dict) else None
    return value if isinstance(value, str) else ""


def _end_of(nodes: Nodes, text: str) -> bytes:
    """Return where a path ends after all links on its way, and at its end, are followed."""
    place, rest = [ROOT_NAME], [part.encode() for part in text.removeprefix("$ROOT").split("/")]
    for _ in range(200):
        if not rest:
            break
        part = rest.pop(0)
        if part == b"..":
            place.pop()
        elif part not in (b"", b"."):
            node = nodes.get(b"/".join([*place, part]))
            if node is None or node.target is None:
                place.append(part)
            else:
                rest = [*node.target.split(b"/"), *rest]
    return b"/".join(place)


def _leads_outside(exchange: Exchange) -> bool:
    nodes = dict(by_path(exchange.before))
    paths = [_argument(exchange, key) for key in ("source", "destination")]
    return any(".." in path or not (_end_of(nodes, path) + b"/").startswith(_ROOT) for path in paths)


def _concerns_one_file(exchange: Exchange) -> bool:
    nodes = dict(by_path(exchange.before))
    source, destination = (_end_of(nodes, _argument(exchange, key)) for key in ("source", "destination"))
    into = destination + b"/" + _argument(exchange, "source").rstrip("/").rpartition("/")[2].encode()
    files = {(node.hardlink or path): path for path, node in nodes.items() if path in (source, destination, into)}
    return source in (destination, into) or len(files) < len({source, destination, into} & nodes.keys())


def _is_overwritten(recorded: Exchange, changed: Exchange) -> bool:
    """Return whether only what a directory or a special file was to overwrite differs: it may be deleted first."""
    nodes = dict(by_path(recorded.before))
    source, destination = (_end_of(nodes, _argument(recorded, key)) for key in ("source", "destination"))
    into = destination + b"/" + _argument(recorded, "source").rstrip("/").rpartition("/")[2].encode()
    after, found = by_path(recorded.after), by_path(changed.after)
    is_other = source in nodes and nodes[source].kind is not Kind.FILE
    is_requested = recorded.command.arguments.get("overwrite") is True
    return (
        is_other and is_requested and {path for path in after if found.get(path) != after[path]} <= {destination, into}
    )


_of_overwritten = because("what was to be overwritten may be gone after an error (DFO-11)", _is_overwritten)


def _is_onto_link(exchange: Exchange) -> bool:
    name = posixpath.normpath(_argument(exchange, "destination"))
    node = by_path(exchange.before).get(_ROOT + name.encode())
    return node is not None and node.kind is Kind.SYMLINK


def _open_reason(recorded: Exchange, changed: Exchange) -> str:
    """Return why a call may be carried out as well as refused."""
    if _concerns_one_file(recorded):
        return "where source and destination are one file, a success that changes nothing is as right as an error"
    if has_odd_names(*(components(_argument(recorded, key)) for key in ("source", "destination"))):
        return "a name that looks like another path, is not seen, or is none elsewhere may be refused (AMB-FO-49)"
    if _is_onto_link(recorded):
        return "what a link at the destination does is open"
    if _argument(recorded, "source").startswith("$OUTSIDE") or "roots" in recorded.command.context:
        return "a path that leaves the first root may be refused, although it leads into a root"
    if any(node.kind not in (Kind.FILE, Kind.DIR, Kind.SYMLINK) for node in by_path(recorded.case.tree).values()):
        return "a special file may be moved or refused"
    if recorded.command.context.get("config") or recorded.command.context.get("config_text"):
        return "whether the configuration allows this overwriting is open (AMB-FO-01)"
    return ""


def _ok(verb: str) -> Callable[[Exchange], bool]:
    return lambda exchange: exchange.answer.status == "ok" and _is_call_of(exchange, verb)


def _failed(verb: str) -> Callable[[Exchange], bool]:
    return lambda exchange: exchange.answer.status == "error" and _is_call_of(exchange, verb)


def _is_call_of(exchange: Exchange, verb: str) -> bool:
    return exchange.command.tool in TOOLS and tool_name(exchange.command) == verb


def _undone(exchange: Exchange) -> Exchange:
    return replace(exchange, after=exchange.before)


def _successful(verb: str) -> Iterator[Operator]:
    transferred = _TRANSFERRED[verb]
    own = (*_RULES[verb], *_OF_BOTH, "DFO-03", "FR-APR-04c")
    yield Operator(f"{verb}: nothing is done", frozenset(own), _undone, _open_reason)
    yield on_answer(f"{verb}: done with an error", own, _open_reason, status="error", content=None, error_kind="Other")
    yield Operator(
        f"{verb}: not done, with an error",
        frozenset(own),
        lambda one: replace(_undone(one), answer=replace(one.answer, status="error", content=None, error_kind="Other")),
        _open_reason,
    )
    yield on_tree(f"{verb}: another byte", (transferred, *_LOST), _on_added(_other_byte))
    yield on_tree(f"{verb}: no content", (transferred, *_LOST), _on_added(_empty_file))
    yield on_tree(f"{verb}: another target of a link", (transferred, "DFO-07"), _on_added(_other_target))
    yield on_tree(f"{verb}: no destination", (*own, *_LOST), _without_destination, _open_reason)
    yield on_tree(f"{verb}: a stray entry", own, _stray(_ROOT))
    yield on_tree(f"{verb}: another file has another byte", (*own, *_LOST), _on_untouched(_spoil, inside=True))
    yield on_tree(f"{verb}: another file is gone", (*own, *_LOST), _on_untouched(remove, inside=True))
    yield on_tree(f"{verb}: an entry beside the root", (_SANDBOX,), _stray(b""))
    yield on_tree(f"{verb}: another byte beside the root", (_SANDBOX,), _on_untouched(_spoil, inside=False))


def _refused(verb: str) -> Iterator[Operator]:
    own = (*_RULES[verb], *_OF_BOTH, *_REFUSALS)
    yield on_answer(f"{verb} fails: success", own, _open_reason, status="ok", content="done", error_kind=None)
    yield from where(
        lambda exchange: exchange.answer.error_kind in _NAMED_KINDS,
        on_answer(
            f"{verb} fails: with another kind of error",
            _KINDS,
            because(
                "a path outside, or the root as a source, is refused as well, with any kind of error",
                lambda one, _: _leads_outside(one) or not _argument(one, "source").strip("./"),
            ),
            error_kind="ExecutionFailed",
        ),
    )
    yield on_tree(f"{verb} fails: the source is gone", (*own, *_LOST), _without_source)
    for name, change in (("a file has another byte", _spoil), ("a file is gone", remove)):
        rules = (*_LOST, _TRANSFERRED[verb])
        yield on_tree(f"{verb} fails: {name}", rules, _on_untouched(change, inside=True), _of_overwritten)
    yield on_tree(f"{verb} fails: an entry beside the root", (_SANDBOX,), _stray(b""))
    yield on_tree(f"{verb} fails: another byte beside the root", (_SANDBOX,), _on_untouched(_spoil, inside=False))


_TRANSFERRED = {"move": "DFO-01", "copy": "DFO-02"}

operators: tuple[Operator, ...] = (
    *(operator for verb in _RULES for operator in where(_ok(verb), *_successful(verb))),
    *(operator for verb in _RULES for operator in where(_failed(verb), *_refused(verb))),
    *where(_ok("move"), on_tree("move: the source is still there", ("DFO-01", "DFO-06"), _with_source)),
    *where(_ok("copy"), on_tree("copy: the source is gone", ("DFO-02", *_LOST), _without_source)),
)
