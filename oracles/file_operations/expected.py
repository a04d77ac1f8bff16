"""What a call of move or copy may come to, from the specification alone: every right end of it, with its readings.

An end is an error that leaves everything, or a state. Where several things are wrong at once any of their errors is
right, so errors are told by kind only where there is but one thing wrong and the framework forces its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.api import AcceptedReadings, Kind, Node

from .tree_state import LeadsOutside, Path, ResolvedPath, State

ANY_ERROR = ""
"""Any kind of error will do."""

COPY, MOVE = "copy", "move"

RECOMMENDED_READINGS: AcceptedReadings = {
    f"AMB-FO-{number}": frozenset({label})
    for number, label in (
        ("01", "gate"),
        ("04", "usual"),
        ("05", "error"),
        ("06", "name"),
        ("07", "error"),
        ("08", "error"),
    )
}


@dataclass(frozen=True)
class ExpectedOutcome:
    """One right end: an error of a kind (ANY: of whichever), or success; the state then.

    `rule` is the requirement that asks for it, `labels` the readings that it rests on.
    """

    error_kind: str | None
    state: State
    requirement: str
    labels: Mapping[str, str]


@dataclass(frozen=True)
class Request:
    """A call that fits the schema: what is asked, on which state, under which configuration."""

    verb: str
    source: str
    destination: str
    overwrite: bool | None
    overwrite_allowed: bool
    state: State

    def requirement_for(self, move: str, copy: str) -> str:
        """The one of two requirements that speaks of this tool."""
        return move if self.verb == MOVE else copy


def make_request(
    verb: str, arguments: Mapping[str, Any], config_table: Mapping[str, Any], state: State
) -> Request:
    """The call of a tool, `table` being its own of the configuration."""
    return Request(
        verb,
        arguments["source"],
        arguments["destination"],
        arguments.get("overwrite"),
        bool(config_table.get("allow_overwrite", False)),
        state,
    )


def expected_outcomes(call: Request, accepted: AcceptedReadings) -> Iterator[ExpectedOutcome]:
    """Every right end of a call by readings that are accepted, the recommended ones first."""
    for end in _outcomes(call):
        if all(label in accepted.get(passage, {label}) for passage, label in end.labels.items()):
            yield end


def _components(path: str) -> Path:
    return tuple(step for step in path.encode().split(b"/") if step not in (b"", b"."))


def _failure(call: Request, rule: str, kind: str = ANY_ERROR, **labels: str) -> ExpectedOutcome:
    return ExpectedOutcome(
        kind, call.state, rule, {f"AMB-FO-{name[1:]}": label for name, label in labels.items()}
    )


def _success(state: State, rule: str, **labels: str) -> ExpectedOutcome:
    return ExpectedOutcome(None, state, rule, {f"AMB-FO-{name[1:]}": label for name, label in labels.items()})


def _outcomes(call: Request) -> Iterator[ExpectedOutcome]:
    source, destination = _components(call.source), _components(call.destination)
    if b".." in (*source, *destination):
        yield _failure(call, "NFR-FOPS-SEC-01", "SandboxViolation")
        return
    try:
        led, to = call.state.follow(source), call.state.follow(destination)
    except LeadsOutside:
        yield from _leading_out(call, source, destination)
        return
    if not source:
        yield _failure(call, "DFO-06")
        return
    entry = _existing_entry(call.state, source)
    if entry is None or (call.verb == COPY and not (led.reachable and call.state.node_at(led.path))):
        yield from _missing(call, entry)
        return
    for start, labels in _sources(call, entry, led):
        yield from _to_destination(call, source[-1], start, destination, to, labels)
    if call.verb == MOVE and not _link_target(call.state, led):
        yield _failure(call, "DFO-03", _04="target")


def _leading_out(call: Request, source: Path, destination: Path) -> Iterator[ExpectedOutcome]:
    """A link on the way leads out. Only a link that is itself moved may stay what it is."""
    yield _failure(
        call,
        "NFR-FOPS-SEC-01",
        "SandboxViolation" if _only_sandbox_is_violated(call, source, destination) else ANY_ERROR,
    )
    with_link = _existing_entry(call.state, source)
    try:
        to = call.state.follow(destination)
    except LeadsOutside:
        # A dangling link that leads out may be replaced where that is asked for, and is never written through.
        end = _existing_entry(call.state, destination)
        if end is not None and with_link is not None and call.overwrite and call.overwrite_allowed:
            yield from _replaced_name(call, with_link, end)
        return
    if call.verb == MOVE and with_link is not None:
        yield from _to_destination(call, source[-1], with_link, destination, to, {})


def _only_sandbox_is_violated(call: Request, source: Path, destination: Path) -> bool:
    """Whether nothing but the sandbox is in the way."""
    found = _existing_entry(call.state, source)
    if found is None or _leads_nowhere(call.state, source):
        return False
    try:
        end = call.state.follow(destination)
    except LeadsOutside:
        return call.state.node_at(found) is not None
    return end.reachable and call.state.node_at(end.path) is None and call.state.is_directory(end.path[:-1])


def _leads_nowhere(state: State, source: Path) -> bool:
    """Whether the source is a link of which nobody need know what it leads to: one to nothing, or to itself."""
    try:
        led = state.follow(source)
    except LeadsOutside:
        return False
    return not led.reachable or state.node_at(led.path) is None


def _replaced_name(call: Request, start: Path, end: Path) -> Iterator[ExpectedOutcome]:
    thing = call.state.node_at(start)
    if thing is None or thing.kind is not Kind.FILE or start == end:
        return
    if call.verb == MOVE:
        yield _success(call.state.with_move(start, end), "NFR-FOPS-SEC-01")
    else:
        yield _success(call.state.without([end]).with_entry(end, _without_mode(thing)), "NFR-FOPS-SEC-01")


def _existing_entry(state: State, path: Path) -> Path | None:
    """The canonical path of an existing entry whose last name is not followed; None where there is none."""
    if not path:
        return None
    try:
        above = state.follow(path[:-1])
    except LeadsOutside:
        return None
    place = (*above.path, path[-1])
    return place if above.reachable and state.node_at(place) is not None else None


def _missing(call: Request, entry: Path | None) -> Iterator[ExpectedOutcome]:
    yield _failure(call, "DFO-03")
    if entry is not None:  # a link that leads nowhere: it can be copied as what it is
        yield from _copied_as_link(call, entry)


def _copied_as_link(call: Request, entry: Path) -> Iterator[ExpectedOutcome]:
    destination = _components(call.destination)
    to = call.state.follow(destination)
    yield from _to_destination(call, entry[-1], entry, destination, to, {"_04": "link"})


def _sources(call: Request, entry: Path, led: ResolvedPath) -> Iterator[tuple[Path, dict[str, str]]]:
    """What is moved or copied, by each reading (AMB-FO-04)."""
    thing = call.state.node_at(entry)
    assert thing is not None
    if thing.kind is not Kind.SYMLINK:
        yield entry, {}
        return
    target = _link_target(call.state, led)
    for label in ("usual", "link", "target"):
        by_link = label == "link" or (label == "usual" and call.verb == MOVE)
        if by_link:
            yield entry, {"_04": label}
        elif target is not None:
            yield target, {"_04": label}


def _link_target(state: State, led: ResolvedPath) -> Path | None:
    """What a link leads to, but for the sandbox root; None where nothing is there."""
    return led.path if led.path and led.reachable and state.node_at(led.path) is not None else None


def _to_destination(
    call: Request, name: bytes, start: Path, destination: Path, to: ResolvedPath, labels: dict[str, str]
) -> Iterator[ExpectedOutcome]:
    """From what is moved or copied to its final name."""
    state = call.state
    if to.reachable and state.is_directory(to.path):
        yield from _to_final_name(call, start, (*to.path, name), labels, into=True)
        return
    above = state.follow(destination[:-1])
    final = (*above.path, destination[-1])
    if not above.reachable or not state.is_directory(above.path):
        yield _failure(call, "DFO-09", **labels)
        yield from _with_made_directories(call, start, above, final, labels)
        return
    yield from _to_final_name(call, start, final, labels, into=False)


def _with_made_directories(
    call: Request, start: Path, above: ResolvedPath, final: Path, labels: dict[str, str]
) -> Iterator[ExpectedOutcome]:
    """The directories of the final name are made (AMB-FO-08), where nothing stands in their way."""
    state, missing = call.state, []
    place = above.path
    while place and state.node_at(place) is None:
        missing.append(place)
        place = place[:-1]
    if not missing or not state.is_directory(place) or final[: len(start)] == start:
        return
    made = state
    for directory in reversed(missing):
        made = made.with_entry(directory, Node(b"?", Kind.DIR))
    for end in _transferred(replace(call, state=made), start, final, {**labels, "_08": "make"}, "DFO-09"):
        if end.error_kind is None:
            yield end


def _to_final_name(
    call: Request, start: Path, final: Path, labels: dict[str, str], *, into: bool
) -> Iterator[ExpectedOutcome]:
    """What has the final name, and whether it may go."""
    state = call.state
    thing, there = state.node_at(start), state.node_at(final)
    assert thing is not None
    if thing.kind is Kind.DIR and final[: len(start)] == start:
        yield _failure(call, "DFO-06", **labels)
        if call.verb == COPY and final != start and there is None:
            yield from _copied_directory(call, start, final, labels, "DFO-06")
        return
    rule = (
        call.requirement_for("FR-FOPS-MV-02", "FR-FOPS-CP-02")
        if into
        else call.requirement_for("DFO-01", "DFO-02")
    )
    if there is None:
        yield from _transferred(call, start, final, labels, rule)
        return
    taken = call.requirement_for("FR-FOPS-MV-03", "FR-FOPS-CP-03")
    for label, may in _may_overwrite(call):
        readings = {**labels, **({"_01": label} if label else {})}
        if may:
            yield from _overwritten(call, start, final, readings, rule)
        else:
            yield _failure(call, taken, **readings)


def _may_overwrite(call: Request) -> Iterator[tuple[str, bool]]:
    """Whether what is there may be overwritten, by each reading of the configuration (AMB-FO-01)."""
    said, allowed = call.overwrite, call.overwrite_allowed
    by = {
        "gate": bool(said) and allowed,
        "default": allowed if said is None else said,
        "both": (allowed if said is None else said) and allowed,
    }
    if len(set(by.values())) == 1:
        yield "", by["gate"]
    else:
        yield from by.items()


def _overwritten(
    call: Request, start: Path, final: Path, labels: dict[str, str], rule: str
) -> Iterator[ExpectedOutcome]:
    """Overwriting is asked for and allowed."""
    state = call.state
    thing, there = state.node_at(start), state.node_at(final)
    assert thing is not None
    assert there is not None
    if start == final:
        yield _failure(call, "DFO-06", **labels)
        yield _success(state, "DFO-06", **labels)
    elif state.names[start] == state.names[final]:
        yield _failure(call, "DFO-06", **labels)
        yield _success(state.without([start]) if call.verb == MOVE else state, "DFO-06", **labels)
    elif there.kind is Kind.DIR:
        yield _failure(call, "DFO-05", **labels)
        if thing.kind is Kind.DIR and call.verb == MOVE and not state.below(final):
            yield _success(state.with_move(start, final), "DFO-05", **labels, _05="replace")
    elif thing.kind is Kind.DIR:
        yield _failure(call, "DFO-05", **labels)
    elif there.kind is Kind.SYMLINK:
        yield from _overwritten_link(call, start, final, labels)
    else:
        yield from _overwritten_file(call, start, final, labels, rule)


def _overwritten_link(
    call: Request, start: Path, final: Path, labels: dict[str, str]
) -> Iterator[ExpectedOutcome]:
    state = call.state
    yield from _transferred(call, start, final, {**labels, "_06": "name"}, "DFO-07")
    yield _failure(call, "DFO-07", **labels, _06="refuse")
    try:
        led = state.follow(final)
    except LeadsOutside:
        yield _failure(call, "NFR-FOPS-SEC-01", **labels)
        return
    target = state.node_at(led.path) if led.reachable else None
    if target is None or led.path == start:
        yield _failure(call, "DFO-07", **labels)  # nothing is written through it, and it need not be replaced
    elif target.kind is Kind.FILE:
        yield from _written_through(call, start, led.path, labels)
    else:
        yield _failure(call, "DFO-07", **labels)


def _written_through(
    call: Request, start: Path, target: Path, labels: dict[str, str]
) -> Iterator[ExpectedOutcome]:
    """The content goes into the file that is there, under all its names (AMB-FO-06)."""
    state, thing = call.state, call.state.node_at(start)
    assert thing is not None
    if thing.kind is Kind.FILE and state.names[start] != state.names[target]:
        written = state.with_content(target, thing)
        if call.verb == MOVE:
            written = written.without([start])
        yield _success(written, "DFO-07", **labels, _06="through")


def _overwritten_file(
    call: Request, start: Path, final: Path, labels: dict[str, str], rule: str
) -> Iterator[ExpectedOutcome]:
    state = call.state
    thing, there = state.node_at(start), state.node_at(final)
    assert thing is not None
    assert there is not None
    if there.kind is not Kind.FILE or thing.kind is not Kind.FILE:
        # Of pipes and links nobody said whether they are overwritten, and with what.
        yield from _transferred(call, start, final, labels, rule)
        yield _failure(call, rule, **labels)
        return
    if not state.other_names(final):
        yield from _transferred(call, start, final, labels, rule)
        return
    yield from _transferred(call, start, final, {**labels, "_06": "name"}, "DFO-07")
    yield from _transferred(call, start, final, {**labels, "_06": "refuse"}, "DFO-07")
    yield from _written_through(call, start, final, labels)


def _transferred(
    call: Request, start: Path, final: Path, labels: dict[str, str], rule: str
) -> Iterator[ExpectedOutcome]:
    """The entry has its final name: moved, or made a second time."""
    state, thing = call.state, call.state.node_at(start)
    assert thing is not None
    if call.verb == MOVE:
        yield _success(state.with_move(start, final), rule, **labels)
    elif thing.kind is Kind.DIR:
        yield _failure(call, rule, **labels, _07="error")
        yield from _copied_directory(call, start, final, labels, rule)
    else:
        if thing.kind not in (Kind.FILE, Kind.SYMLINK):
            yield _failure(call, "DFO-02", **labels)
        yield _success(state.without([final]).with_entry(final, _without_mode(thing)), rule, **labels)


def _copied_directory(
    call: Request, start: Path, final: Path, labels: dict[str, str], rule: str
) -> Iterator[ExpectedOutcome]:
    """The copy of a directory with all that it held (AMB-FO-07)."""
    state = call.state
    made = state.with_entry(final, _without_mode(state.nodes[state.names[start]]))
    for path in sorted(state.below(start)):
        thing = state.node_at(path)
        assert thing is not None
        made = made.with_entry((*final, *path[len(start) :]), _without_mode(thing))
    yield _success(made, rule, **labels, _07="complete")


def _without_mode(thing: Node) -> Node:
    """A thing like another one, of which nobody says the permissions."""
    return replace(thing, mode=None)
