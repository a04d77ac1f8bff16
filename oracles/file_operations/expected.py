"""The accepted outcomes of a call of move or copy, each with the readings that it depends on.

An outcome is an error that changes nothing, or the state after a success. If a call has several defects, the error of
each one is accepted. So an error has a kind only if there is one defect and the framework prescribes its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.api import AcceptedReadings, Kind, Node

from ..shared.reading_choices import ReadingChoices, enumerate_readings
from .tree_state import LeadsOutside, Path, ResolvedPath, State, components

ANY_ERROR = ""
"""Any kind of error is accepted."""

COPY, MOVE = "copy", "move"

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-FO-01": "gate",
    "AMB-FO-04": "usual",
    "AMB-FO-05": "error",
    "AMB-FO-06": "name",
    "AMB-FO-07": "error",
    "AMB-FO-08": "error",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


@dataclass(frozen=True)
class ExpectedOutcome:
    """An accepted outcome: the kind of error, or None for success, and the state after the call."""

    error_kind: str | None
    state: State
    requirement: str
    labels: Mapping[str, str]


@dataclass(frozen=True)
class Request:
    """A valid call, with the state and the configuration before it."""

    verb: str
    source: str
    destination: str
    overwrite: bool | None
    overwrite_allowed: bool
    state: State


def make_request(verb: str, arguments: Mapping[str, Any], config_table: Mapping[str, Any], state: State) -> Request:
    """Return the request of a call; `config_table` is the tools' table of the configuration."""
    return Request(
        verb,
        arguments["source"],
        arguments["destination"],
        arguments.get("overwrite"),
        bool(config_table.get("allow_overwrite", False)),
        state,
    )


def expected_outcomes(request: Request, accepted: AcceptedReadings) -> list[ExpectedOutcome]:
    """Return every outcome of a call that accepted readings allow, those of the recommended ones first."""
    distinct: list[ExpectedOutcome] = []
    for _, outcomes in enumerate_readings(
        RECOMMENDED_READINGS, accepted, lambda readings: list(_Call(request, readings).outcomes())
    ):
        distinct += [outcome for outcome in outcomes if outcome not in distinct]
    return distinct


class _Call:
    """A call under one combination of readings. An outcome depends on the readings that were looked up before it."""

    def __init__(self, request: Request, readings: ReadingChoices) -> None:
        self.request = request
        self.readings = readings
        self.state = request.state
        self.is_move = request.verb == MOVE
        self.source = components(request.source)
        self.destination = components(request.destination)

    def failure(
        self, requirement: str, kind: str = ANY_ERROR, labels: Mapping[str, str] | None = None
    ) -> ExpectedOutcome:
        """Return an error. `labels`: the readings that it depends on (default: all that were looked up)."""
        labels = self.readings.labels if labels is None else labels
        return ExpectedOutcome(kind, self.state, requirement, labels)

    def success(self, state: State, requirement: str) -> ExpectedOutcome:
        return ExpectedOutcome(None, state, requirement, self.readings.labels)

    def outcomes(self) -> Iterator[ExpectedOutcome]:
        if b".." in (*self.source, *self.destination):
            yield self.failure("NFR-FOPS-SEC-01", "SandboxViolation")
            return
        try:
            source, destination = self.state.follow(self.source), self.state.follow(self.destination)
        except LeadsOutside:
            yield from self.leading_outside()
            return
        if not self.source:
            yield self.failure("DFO-06")
            return
        entry = self.existing_entry(self.source)
        if entry is None:
            yield self.failure("DFO-03")
            return
        node = self.node_at(entry)
        start: Path | None = entry
        if not (self.is_move or (source.reachable and self.state.node_at(source.path))):
            yield self.failure("DFO-03")  # a dangling link may be copied as a link
            start = entry if self.readings["AMB-FO-04"] == "link" else None
        elif node.kind is Kind.SYMLINK:
            label = self.readings["AMB-FO-04"]
            if not (label == "link" or (label == "usual" and self.is_move)):
                start = self.link_target(source)
                if start is None:
                    yield self.failure("DFO-03")
        if start is not None:
            yield from self.to_destination(start, destination)

    def leading_outside(self) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes if a link leads outside; it may do so only if it is itself moved or replaced."""
        kind = "SandboxViolation" if self.only_sandbox_is_violated() else ANY_ERROR
        yield self.failure("NFR-FOPS-SEC-01", kind)
        source = self.existing_entry(self.source)
        try:
            destination = self.state.follow(self.destination)
        except LeadsOutside:
            # A dangling link that leads outside may be replaced on request, and is never written through.
            final = self.existing_entry(self.destination)
            may_overwrite = self.request.overwrite and self.request.overwrite_allowed
            if final is not None and source is not None and may_overwrite:
                yield from self.replaced_name(source, final)
            return
        if self.is_move and source is not None:
            yield from self.to_destination(source, destination)

    def only_sandbox_is_violated(self) -> bool:
        """Return whether leading outside is the only defect of the call."""
        found = self.existing_entry(self.source)
        if found is None or self.source_leads_nowhere():
            return False
        try:
            target = self.state.follow(self.destination)
        except LeadsOutside:
            return self.state.node_at(found) is not None
        is_free = target.reachable and self.state.node_at(target.path) is None
        return is_free and self.state.is_directory(target.path[:-1])

    def source_leads_nowhere(self) -> bool:
        """Return whether the source is a link to nothing, or to itself."""
        try:
            target = self.state.follow(self.source)
        except LeadsOutside:
            return False
        return not target.reachable or self.state.node_at(target.path) is None

    def replaced_name(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        node = self.node_at(start)
        if node.kind is not Kind.FILE or start == final:
            return
        if self.is_move:
            yield self.success(self.state.with_move(start, final), "NFR-FOPS-SEC-01")
        else:
            state = self.state.without([final]).with_entry(final, _without_mode(node))
            yield self.success(state, "NFR-FOPS-SEC-01")

    def node_at(self, path: Path) -> Node:
        """Return an existing node."""
        found = self.state.node_at(path)
        assert found is not None
        return found

    def existing_entry(self, path: Path) -> Path | None:
        """Return the canonical path of an entry, its last name not followed; None if it does not exist."""
        if not path:
            return None
        try:
            parent = self.state.follow(path[:-1])
        except LeadsOutside:
            return None
        entry = (*parent.path, path[-1])
        return entry if parent.reachable and self.state.node_at(entry) is not None else None

    def link_target(self, target: ResolvedPath) -> Path | None:
        """Return the path that a link leads to; None for the sandbox root and for a missing target."""
        exists = target.path and target.reachable and self.state.node_at(target.path) is not None
        return target.path if exists else None

    def to_destination(self, start: Path, destination: ResolvedPath) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes for an entry that is transferred to the requested destination."""
        state = self.state
        if destination.reachable and state.is_directory(destination.path):
            yield from self.to_final_name(start, (*destination.path, self.source[-1]), into_directory=True)
            return
        parent = state.follow(self.destination[:-1])
        final = (*parent.path, self.destination[-1])
        if parent.reachable and state.is_directory(parent.path):
            yield from self.to_final_name(start, final, into_directory=False)
            return
        yield self.failure("DFO-09")
        created = self.with_made_directories(parent.path)
        if created is None or final[: len(start)] == start or self.readings["AMB-FO-08"] != "make":
            return
        for outcome in self.transferred(start, final, "DFO-09", created):
            if outcome.error_kind is None:
                yield outcome

    def with_made_directories(self, directory: Path) -> State | None:
        """Return the state with a new directory and its parents; None if another entry prevents that."""
        state, missing = self.state, []
        while directory and state.node_at(directory) is None:
            missing.append(directory)
            directory = directory[:-1]
        if not missing or not state.is_directory(directory):
            return None
        for path in reversed(missing):
            state = state.with_entry(path, Node(b"?", Kind.DIR))
        return state

    def to_final_name(self, start: Path, final: Path, *, into_directory: bool) -> Iterator[ExpectedOutcome]:
        node, existing = self.node_at(start), self.state.node_at(final)
        if node.kind is Kind.DIR and final[: len(start)] == start:
            yield self.failure("DFO-06")
            is_new_copy = not self.is_move and final != start and existing is None
            if is_new_copy and self.readings["AMB-FO-07"] == "complete":
                yield self.copied_directory(start, final, "DFO-06", self.state)
            return
        move, copy = ("FR-FOPS-MV-02", "FR-FOPS-CP-02") if into_directory else ("DFO-01", "DFO-02")
        requirement = move if self.is_move else copy
        if existing is None:
            yield from self.transferred(start, final, requirement)
        elif self.may_overwrite():
            yield from self.overwritten(start, final, requirement)
        else:
            yield self.failure("FR-FOPS-MV-03" if self.is_move else "FR-FOPS-CP-03")

    def may_overwrite(self) -> bool:
        """Return whether an existing entry may be overwritten, by the reading of the configuration (AMB-FO-01)."""
        requested, allowed = self.request.overwrite, self.request.overwrite_allowed
        default = allowed if requested is None else requested
        by_reading = {"gate": bool(requested) and allowed, "default": default, "both": default and allowed}
        is_certain = len(set(by_reading.values())) == 1
        return by_reading["gate" if is_certain else self.readings["AMB-FO-01"]]

    def overwritten(self, start: Path, final: Path, requirement: str) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes where overwriting is requested and allowed."""
        state = self.state
        node, existing = self.node_at(start), self.node_at(final)
        if start == final or state.names[start] == state.names[final]:
            yield self.failure("DFO-06")
            is_removed = self.is_move and start != final
            yield self.success(state.without([start]) if is_removed else state, "DFO-06")
        elif Kind.DIR in (node.kind, existing.kind):
            yield self.failure("DFO-05")
            is_empty_target = node.kind is existing.kind and self.is_move and not state.below(final)
            if is_empty_target and self.readings["AMB-FO-05"] == "replace":
                yield self.success(state.with_move(start, final), "DFO-05")
        elif existing.kind is Kind.SYMLINK:
            yield from self.overwritten_link(start, final)
        elif existing.kind is not Kind.FILE or node.kind is not Kind.FILE:
            # The specification does not determine whether pipes and links are overwritten, and with what.
            yield from self.transferred(start, final, requirement)
            yield self.failure(requirement)
        elif not state.other_names(final):
            yield from self.transferred(start, final, requirement)
        elif self.readings["AMB-FO-06"] == "through":
            yield from self.written_through(start, final)
        else:
            yield from self.transferred(start, final, "DFO-07")

    def overwritten_link(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        labels = self.readings.labels
        label = self.readings["AMB-FO-06"]
        if label == "name":
            yield from self.transferred(start, final, "DFO-07")
        elif label == "refuse":
            yield self.failure("DFO-07")
        try:
            target = self.state.follow(final)
        except LeadsOutside:
            yield self.failure("NFR-FOPS-SEC-01", labels=labels)
            return
        node = self.state.node_at(target.path) if target.reachable else None
        if node is None or target.path == start or node.kind is not Kind.FILE:
            yield self.failure("DFO-07", labels=labels)  # cannot be written through, and need not be replaced
        elif label == "through":
            yield from self.written_through(start, target.path)

    def written_through(self, start: Path, target: Path) -> Iterator[ExpectedOutcome]:
        """Yield the state whose existing file has the new content under all its names (AMB-FO-06)."""
        state, node = self.state, self.node_at(start)
        if node.kind is Kind.FILE and state.names[start] != state.names[target]:
            written = state.with_content(target, node)
            yield self.success(written.without([start]) if self.is_move else written, "DFO-07")

    def transferred(
        self, start: Path, final: Path, requirement: str, state: State | None = None
    ) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes in which the entry has its final name; `state`: the one before the transfer."""
        state = self.state if state is None else state
        node = self.node_at(start)
        if self.is_move:
            yield self.success(state.with_move(start, final), requirement)
        elif node.kind is Kind.DIR:
            if self.readings["AMB-FO-07"] == "error":
                yield self.failure(requirement)
            else:
                yield self.copied_directory(start, final, requirement, state)
        else:
            if node.kind not in (Kind.FILE, Kind.SYMLINK):
                yield self.failure("DFO-02")
            copied = state.without([final]).with_entry(final, _without_mode(node))
            yield self.success(copied, requirement)

    def copied_directory(self, start: Path, final: Path, requirement: str, state: State) -> ExpectedOutcome:
        """Return the state with a complete copy of a directory (AMB-FO-07)."""
        copied = state.with_entry(final, _without_mode(self.node_at(start)))
        for path in sorted(state.below(start)):
            copied = copied.with_entry((*final, *path[len(start) :]), _without_mode(self.node_at(path)))
        return self.success(copied, requirement)


def _without_mode(node: Node) -> Node:
    """Return a node without permissions: the specification does not determine them."""
    return replace(node, mode=None)
