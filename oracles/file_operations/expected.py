"""The accepted outcomes of a call of move or copy, each with the readings that it depends on.

An outcome is an error after which nothing is lost, or the state after a success. The document names no kind of error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.api import AcceptedReadings, Kind, Node, Unmodelled

from ..shared.reading_choices import ReadingChoices, enumerate_readings
from .gates import Gate, path_of
from .tree_state import LeadsOutside, Path, ResolvedPath, State

ANY_ERROR = ""
"""Any kind of error is accepted."""

COPY, MOVE = "copy", "move"

MAX_NAME_BYTES = 255

MAX_FOLLOWED_LINKS = 8
"""Nested links in a copied directory that are followed; trees of tests have fewer, unless one leads to itself."""

RECOMMENDED_READINGS: Mapping[str, str] = {
    "AMB-FO-01": "gate",
    "AMB-FO-04": "usual",
    "AMB-FO-05": "error",
    "AMB-FO-08": "error",
    "AMB-FO-19": "follow",
    "AMB-FO-22": "kept",
    "AMB-FO-29": "error",
    "AMB-FO-30": "error",
    "AMB-FO-32": "refuse",
    "AMB-FO-33": "error",
    "AMB-FO-34": "error",
    "AMB-FO-37": "exists",
    "AMB-FO-38": "exists",
    "AMB-FO-39": "name",
    "AMB-FO-40": "name",
    "AMB-FO-41": "name",
    "AMB-FO-42": "name",
    "AMB-FO-44": "own",
    "AMB-FO-45": "kept",
    "AMB-FO-46": "error",
    "AMB-FO-47": "error",
    "AMB-FO-48": "follow",
    "AMB-FO-49": "name",
    "AMB-FO-53": "kept",
}
"""The recommended reading of each interpretation that the model can read in more than one way."""


@dataclass(frozen=True)
class ExpectedOutcome:
    """An accepted outcome: the kind of error, or None for success, and the state after the call."""

    error_kind: str | None
    state: State
    requirement: str
    labels: Mapping[str, str]
    kinds: tuple[str, ...] = ()
    kind_rule: str = ""
    """The kinds of error that are right where this rule of the framework applies; without a rule, all are."""
    overwrites: bool = False
    """Whether a file takes the name of another one, as the argument and the configuration permit."""
    is_certain: bool = True
    is_midway: bool = False
    """Whether the system can refuse a step in the middle, after which all contents are somewhere (DFO-04)."""


@dataclass(frozen=True)
class Request:
    """A valid call, with the state and the configuration before it."""

    verb: str
    source: Path
    destination: Path
    overwrite: bool | None
    overwrite_allowed: bool | None  # None: the configuration has no value
    state: State
    directories: tuple[bool, bool] = (False, False)
    """Whether source and destination end with a slash, which only a directory does."""


def is_in_doubt(request: Request) -> bool:
    """Return whether the readings of the configuration differ in whether a call may overwrite (AMB-FO-01)."""
    return len(set(_permissions(request).values())) > 1


def _permissions(request: Request) -> Mapping[str, bool]:
    """Return whether a call may overwrite, by each reading of the configuration."""
    requested, allowed = request.overwrite, request.overwrite_allowed
    default = bool(allowed) if requested is None else requested
    return {
        "gate": bool(requested) and bool(allowed),
        "default": default,
        "both": default and bool(allowed),
        "configured": bool(requested) and allowed is not False,
    }


def make_request(
    verb: str,
    arguments: Mapping[str, Any],
    config_table: Mapping[str, Any],
    state: State,
    context: Mapping[str, Any] | None = None,
) -> Request:
    """Return the request of a call; `config_table` is the tools' table of the configuration."""
    texts = [str(arguments[name]) for name in ("source", "destination")]
    source, destination = (path_of(text, context) for text in texts)
    value = config_table.get("allow_overwrite")
    allowed = value if isinstance(value, bool) else None
    ends = tuple(text.endswith(("/", "/.")) for text in texts)
    return Request(verb, source, destination, arguments.get("overwrite"), allowed, state, (ends[0], ends[1]))


def expected_outcomes(request: Request, accepted: AcceptedReadings) -> list[ExpectedOutcome]:
    """Return every outcome of a call that accepted readings allow, those of the recommended ones first."""
    distinct: list[ExpectedOutcome] = []
    for _, outcomes in enumerate_readings(
        RECOMMENDED_READINGS, accepted, lambda readings: list(_Call(request, readings).outcomes())
    ):
        distinct += [outcome for outcome in outcomes if outcome not in distinct]
    return [*distinct, *_refusals(request, accepted)]


def _refusals(request: Request, accepted: AcceptedReadings) -> Iterator[ExpectedOutcome]:
    """Yield the errors of a gate that lets no call request overwriting, also where nothing would be overwritten."""
    if not request.overwrite:
        return
    recommended = frozenset({RECOMMENDED_READINGS["AMB-FO-01"]})
    for label, permits in _permissions(request).items():
        if not permits and label in accepted.get("AMB-FO-01", recommended):
            yield ExpectedOutcome(ANY_ERROR, request.state, "CFG-FOPS-01", {"AMB-FO-01": label})


def outcome_of_gate(gate: Gate, state: State) -> ExpectedOutcome:
    """Return the error of a call that a rule stops."""
    kinds = gate.kinds, gate.kind_rule
    return ExpectedOutcome(ANY_ERROR, state, gate.requirement, gate.labels, *kinds, is_certain=gate.certain)


class _Call:
    """A call under one combination of readings. An outcome depends on the readings that were looked up before it."""

    def __init__(self, request: Request, readings: ReadingChoices) -> None:
        self.request = request
        self.readings = readings
        self.state = request.state
        self.is_move = request.verb == MOVE
        self.source = request.source
        self.destination = request.destination

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
            yield from self.with_parent_steps()
            return
        yield from self.without_parent_steps()

    def with_parent_steps(self) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes of a call with `..`: an error, or what the paths mean without it (AMB-FO-32).

        Only a path that leaves the root by one of its two meanings is a matter of the sandbox.
        """
        texts = [(remove_parent_steps(path), self.physical(path)) for path in (self.source, self.destination)]
        yield self.failure("NFR-FOPS-SEC-01" if any(None in meanings for meanings in texts) else "FR-VAL-04")
        if self.readings["AMB-FO-32"] == "refuse":
            return
        for source in texts[0]:
            for destination in texts[1]:
                if source is not None and destination is not None:
                    other = _Call(self.request, self.readings)
                    other.source, other.destination = source, destination
                    yield from other.without_parent_steps()

    def physical(self, path: Path) -> Path | None:
        """Return a path in which each `..` takes back the place that the path before it leads to; None outside."""
        resolved: Path = ()
        for step in path:
            if step != b"..":
                resolved = (*resolved, step)
                continue
            try:
                place = self.state.follow(resolved)
            except LeadsOutside:
                return None
            if place.path in self.state.roots or not place.reachable:
                return None
            resolved = place.path[:-1]
        return resolved

    def without_parent_steps(self) -> Iterator[ExpectedOutcome]:
        try:
            source, destination = self.state.follow(self.source), self.state.follow(self.destination)
        except LeadsOutside:
            yield from self.leading_outside()
            return
        if source.leaves or destination.leaves:
            yield self.failure("NFR-FOPS-SEC-01")
        if any(map(looks_like_a_way_out, (*self.source, *self.destination))):
            # Not recorded: each such name is a choice of its own.
            if "refuse" in self.readings.accepted_labels("AMB-FO-49"):
                yield self.failure("FR-VAL-04")
            if "name" not in self.readings.accepted_labels("AMB-FO-49"):
                return
        if any(map(self.passes_a_link, (self.source, self.destination))) and self.readings["AMB-FO-48"] == "refuse":
            yield self.failure("FR-VAL-04")
            return
        if not self.source:
            yield self.failure("DFO-06")
            return
        if any(len(name) > MAX_NAME_BYTES for name in (*self.source, *self.destination)):
            yield self.failure("DFO-01" if self.is_move else "DFO-02")
            return
        entry = self.existing_entry(self.source)
        if entry is None:
            yield self.failure("DFO-03")
            return
        node = self.node_at(entry)
        if self.request.directories[0] and node.kind is not Kind.DIR:
            if node.kind is Kind.SYMLINK:
                raise Unmodelled("a slash after a link as the source")
            if self.readings["AMB-FO-30"] == "error":
                yield self.failure("DFO-03")
                return
        if node.kind is Kind.SYMLINK and self.refuses_link():
            yield self.failure("DFO-03")
            return
        start: Path | None = entry
        if not (self.is_move or (source.reachable and self.state.node_at(source.path))):
            yield self.failure("DFO-03")  # a dangling link may be copied as a link
            start = entry if self.readings["AMB-FO-04"] == "link" else None
        elif node.kind is Kind.SYMLINK:
            label = self.readings["AMB-FO-04"]
            if not (label == "link" or (label in ("usual", "moved") and self.is_move)):
                start = self.link_target(source)
                if start is None:
                    yield self.failure("DFO-03")
        if start is not None:
            yield from self.to_destination(start, destination)

    def refuses_link(self) -> bool:
        """Return whether a link is no source (AMB-FO-04)."""
        return self.readings["AMB-FO-04"] in ("refuse", "refuse" if self.is_move else "moved")

    def passes_a_link(self, path: Path) -> bool:
        """Return whether a link stands on the way of a path, before its last name (AMB-FO-48)."""
        return any(self.is_link(path[:length]) for length in range(1, len(path)))

    def is_link(self, path: Path) -> bool:
        """Return whether the entry at a path is a link; the links before it are followed."""
        entry = self.existing_entry(path)
        return entry is not None and self.node_at(entry).kind is Kind.SYMLINK

    def leading_outside(self) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes if a link leads outside; it may do so only if it is itself moved or replaced."""
        yield self.failure("NFR-FOPS-SEC-01")
        source = self.existing_entry(self.source)
        try:
            destination = self.state.follow(self.destination)
        except LeadsOutside:
            # A dangling link that leads outside may be replaced on request, and is never written through.
            final = self.existing_entry(self.destination)
            may_overwrite = self.may_overwrite()
            entry = self.readings["AMB-FO-37" if self.is_move else "AMB-FO-38"] if not may_overwrite else ""
            if final is not None and source is not None and (may_overwrite or entry == "replaced"):
                yield from self.replaced_name(source, final)
            return
        if source is None or self.node_at(source).kind is not Kind.SYMLINK and not self.is_move:
            return
        if self.is_move or self.readings["AMB-FO-04"] == "link":
            yield from self.to_destination(source, destination)

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
            follows = not self.is_link(self.destination) or self.readings["AMB-FO-19"] == "follow"
            if follows or self.request.directories[1]:  # the slash at its end means the directory
                yield from self.to_final_name(start, (*destination.path, self.file_name(start)), into_directory=True)
            if follows:
                return
        if self.request.directories[1] and self.destination:
            if state.node_at(destination.path) is not None:
                yield self.failure(self.taken_name_rule)
            else:
                label = self.readings["AMB-FO-29" if self.is_move else "AMB-FO-46"]
                if label == "error":
                    yield self.failure(self.entering_rule)
                elif label == "make":
                    yield from self.into_new_directory(start, destination.path)
                if label != "strip":
                    return
        parent = state.follow(self.destination[:-1])
        final = (*parent.path, self.destination[-1])
        if parent.reachable and state.is_directory(parent.path):
            yield from self.to_final_name(start, final, into_directory=False)
            return
        created = self.with_made_directories(parent.path)
        made = "AMB-FO-08" if self.is_move else "AMB-FO-47"
        if created is None or final[: len(start)] == start or self.readings[made] != "make":
            yield self.failure("DFO-09")
            return
        for outcome in self.transferred(start, final, "DFO-09", created):
            yield outcome if outcome.error_kind is None else replace(outcome, state=self.state)

    def into_new_directory(self, start: Path, directory: Path) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes if the destination is made, because the slash at its end shows that it is a directory."""
        made = self.with_made_directories(directory)
        if made is None or directory[: len(start)] == start:
            yield self.failure(self.entering_rule)
        else:
            yield from self.transferred(start, (*directory, self.file_name(start)), self.entering_rule, made)

    @property
    def entering_rule(self) -> str:
        """The requirement on a destination that is a directory."""
        return "FR-FOPS-MV-02" if self.is_move else "FR-FOPS-CP-02"

    def file_name(self, start: Path) -> bytes:
        """Return the name that the source has in a directory: its own, or the one that a link leads to (AMB-FO-44)."""
        if start == self.existing_entry(self.source) or self.readings["AMB-FO-44"] == "own":
            return self.source[-1]
        return start[-1]

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
        if final == start and self.may_overwrite():
            yield self.success(self.state, "DFO-06")
        if node.kind is Kind.DIR and final[: len(start)] == start:
            is_taken = final == start and not self.request.overwrite and not self.request.overwrite_allowed
            yield self.failure(self.taken_name_rule if is_taken else "DFO-06")
            is_new_copy = not self.is_move and final != start and existing is None
            if is_new_copy and self.readings["AMB-FO-33"] == "complete":
                yield from self.copied_directory(start, final, "DFO-06", self.state)
            return
        move, copy = ("FR-FOPS-MV-02", "FR-FOPS-CP-02") if into_directory else ("DFO-01", "DFO-02")
        requirement = move if self.is_move else copy
        if not self.is_permitted(start, final):
            yield replace(self.failure(requirement), is_midway=True)
        if existing is None:
            yield from self.transferred(start, final, requirement)
        elif self.may_overwrite():
            for outcome in self.overwritten(start, final, requirement):
                yield replace(outcome, overwrites=outcome.error_kind is None and bool(self.request.overwrite))
        elif self.request.overwrite:
            # Only the configuration stands against it.
            yield self.failure("CFG-FOPS-01")
        else:
            yield from self.taken(start, final)

    def is_permitted(self, start: Path, final: Path) -> bool:
        """Return whether the permissions of directories let the entry be moved or copied."""
        opened = [path[:length] for path in (start, final) for length in range(len(path))]
        changed = [final[:-1], *([start[:-1], start] if self.is_move else [])]
        if self.is_move and self.state.is_far(start) != self.state.is_far(final):
            changed += [start, *self.state.below(start)]
        needed = [*((path, 0o100) for path in opened), *((path, 0o300) for path in changed)]
        found = ((self.state.node_at(path), bits) for path, bits in needed)
        return all(node is None or node.kind is not Kind.DIR or has_mode(node, bits) for node, bits in found)

    @property
    def taken_name_rule(self) -> str:
        """The requirement on a final name that is taken."""
        return "FR-FOPS-MV-03" if self.is_move else "FR-FOPS-CP-03"

    def taken(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes where overwriting is not requested."""
        requirement = self.taken_name_rule
        if self.request.overwrite is None and self.request.overwrite_allowed:
            requirement = "CFG-FOPS-01"  # only one reading of the configuration stands against it
        if self.node_at(final).kind is not Kind.SYMLINK:
            yield self.failure(requirement)
            return
        try:
            target = self.state.follow(final)
        except LeadsOutside:
            yield self.failure(requirement)
            return
        if target.reachable and self.state.node_at(target.path) is not None:
            yield self.failure(requirement)
            return
        label = self.readings["AMB-FO-37" if self.is_move else "AMB-FO-38"]
        if label == "replaced":
            yield from self.transferred(start, final, requirement)
        elif label == "created" and target.reachable and self.state.is_directory(target.path[:-1]):
            yield self.failure(requirement)  # where a directory goes through a link, the system refuses
            yield from self.transferred(start, target.path, requirement)
        else:
            yield self.failure(requirement)

    def may_overwrite(self) -> bool:
        """Return whether an existing entry may be overwritten, by the reading of the configuration (AMB-FO-01)."""
        by_reading = _permissions(self.request)
        is_certain = len(set(by_reading.values())) == 1
        return by_reading["gate" if is_certain else self.readings["AMB-FO-01"]]

    def overwritten(self, start: Path, final: Path, requirement: str) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes where overwriting is requested and allowed."""
        state = self.state
        node, existing = self.node_at(start), self.node_at(final)
        if not (is_readable(existing) and is_writable(existing)):
            yield self.failure(requirement)  # a tool may open the old file
        if start == final or state.names[start] == state.names[final]:
            yield self.failure("DFO-06")
            yield self.success(state, "DFO-06")
            if start != final and self.is_move:
                yield self.success(state.without([start]), "DFO-06")
            elif start != final:
                yield self.success(state.without([final]).with_entry(final, _without_mode(node)), "DFO-06")
        elif Kind.DIR in (node.kind, existing.kind):
            yield from self.overwritten_directory(start, final)
        elif existing.kind is Kind.SYMLINK:
            yield from self.overwritten_link(start, final)
        elif existing.kind is not Kind.FILE or node.kind is not Kind.FILE:
            # The specification does not determine whether pipes and links are overwritten, and with what.
            yield from self.transferred(start, final, requirement)
            yield self.failure(requirement)
        elif not state.other_names(final):
            yield from self.transferred(start, final, requirement)
        elif self.readings["AMB-FO-41" if self.is_move else "AMB-FO-42"] == "through":
            yield from self.written_through(start, final)
        else:
            yield from self.transferred(start, final, "DFO-07")

    def overwritten_directory(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes where one of both is a directory: open wherever no content is lost (AMB-FO-05)."""
        state, node, existing = self.state, self.node_at(start), self.node_at(final)
        is_replaceable = self.is_move and node.kind is existing.kind is Kind.DIR and not state.below(final)
        moves_directories = not is_replaceable or self.readings["AMB-FO-34"] != "never"
        if is_replaceable and moves_directories and self.readings["AMB-FO-05"] == "replace":
            yield self.success(state.with_move(start, final), "DFO-05")
            return
        yield self.failure("DFO-05")
        if not self.is_move and node.kind is Kind.DIR and self.readings["AMB-FO-33"] == "error":
            return
        is_empty = existing.kind is Kind.DIR and not state.below(final)
        if is_replaceable:
            return
        if is_empty or existing.kind is not Kind.DIR:
            for outcome in self.transferred(start, final, "DFO-05"):
                if outcome.error_kind is None:
                    yield outcome
            if existing.kind is Kind.SYMLINK:
                yield from self.created_through(start, final)
        elif node.kind is Kind.DIR and not self.common_names(start, final):
            yield from self.merged(start, final)

    def created_through(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        """Yield the state in which what a dangling link leads to is made, if it can be."""
        try:
            target = self.state.follow(final)
        except LeadsOutside:
            return
        is_free = target.reachable and target.path and self.state.node_at(target.path) is None
        inside_itself = target.path[: len(start)] == start
        if is_free and not inside_itself and self.state.is_directory(target.path[:-1]):
            for outcome in self.transferred(start, target.path, "DFO-05"):
                if outcome.error_kind is None:
                    yield outcome

    def common_names(self, start: Path, final: Path) -> set[Path]:
        """Return the paths below both directories; directories with entries of their own are no obstacle."""
        state = self.state
        ours = {path[len(start) :] for path in state.below(start)}
        theirs = {path[len(final) :] for path in state.below(final)}
        both_directories = {
            path
            for path in ours & theirs
            if state.is_directory((*start, *path)) and state.is_directory((*final, *path))
        }
        return (ours & theirs) - both_directories

    def merged(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        """Yield the state in which a directory has its own entries and those of another one."""
        if final[: len(start)] == start or start[: len(final)] == final:
            return
        kept = {(*final, *path[len(start) :]) for path in self.state.below(start)}
        for outcome in self.transferred(start, final, "DFO-05"):
            if outcome.error_kind is None:
                state = outcome.state
                for path in self.state.below(final):
                    if path not in kept:
                        state = state.with_name_of(path, self.state)
                yield replace(outcome, state=state)

    def overwritten_link(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        labels = self.readings.labels
        label = self.readings["AMB-FO-39" if self.is_move else "AMB-FO-40"]
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
            yield from self.unrecorded(self.transferred(start, final, "DFO-07"), labels)
            if target.path == start:
                yield ExpectedOutcome(None, self.state, "DFO-06", labels)
            else:
                yield from self.unrecorded(self.created_through(start, final), labels)
        elif label == "through":
            yield from self.written_through(start, target.path)

    def unrecorded(self, outcomes: Iterator[ExpectedOutcome], labels: Mapping[str, str]) -> Iterator[ExpectedOutcome]:
        """Yield the successes among outcomes, without readings that do not matter for them."""
        for outcome in outcomes:
            if outcome.error_kind is None:
                yield replace(outcome, labels=labels)

    def written_through(self, start: Path, target: Path) -> Iterator[ExpectedOutcome]:
        """Yield the state whose existing file has the new content under all its names (AMB-FO-39 to 42)."""
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
        if self.is_move and state.is_far(start) != state.is_far(final):
            yield from self.moved_across(start, final, requirement, state)
        elif self.is_move:
            if node.kind is Kind.DIR and self.readings["AMB-FO-34"] == "never":
                yield self.failure(requirement)
                return
            if node.kind not in (Kind.FILE, Kind.DIR, Kind.SYMLINK):
                yield self.failure("DFO-01")
            yield self.success(state.with_move(start, final), requirement)
        elif node.kind is Kind.DIR:
            if self.readings["AMB-FO-33"] == "error":
                yield self.failure(requirement)
            else:
                yield from self.copied_directory(start, final, requirement, state)
        else:
            if node.kind not in (Kind.FILE, Kind.SYMLINK) or not is_readable(node):
                yield self.failure("DFO-02")
            copied = state.without([final]).with_entry(final, _without_mode(node))
            yield self.success(copied, requirement)

    def moved_across(self, start: Path, final: Path, requirement: str, state: State) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes of a move to another file system: a file is copied and deleted, the rest is open."""
        node = self.node_at(start)
        if node.kind is Kind.DIR:
            if self.readings["AMB-FO-34"] != "complete":
                yield self.failure("DFO-01")
                return
            for outcome in self.copied_directory(start, final, "DFO-01", state):
                if outcome.error_kind is None:
                    gone = outcome.state.without([start, *outcome.state.below(start)])
                    outcome = replace(outcome, state=gone)
                yield outcome
            return
        if node.kind is Kind.SYMLINK and self.readings["AMB-FO-22"] == "error":
            yield self.failure("DFO-07")
            return
        if node.kind not in (Kind.FILE, Kind.SYMLINK) or not is_readable(node):
            yield self.failure("DFO-01")
        yield self.success(state.with_move(start, final), "FR-FOPS-MV-04" if node.kind is Kind.FILE else requirement)

    def copied_directory(self, start: Path, final: Path, requirement: str, state: State) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes of a complete copy of a directory (AMB-FO-33); links in it by AMB-FO-45 or 53."""
        below = sorted(state.below(start))
        kinds = {self.node_at(path).kind for path in below}
        label = self.readings["AMB-FO-53" if self.is_move else "AMB-FO-45"] if Kind.SYMLINK in kinds else "kept"
        if label == "error":
            yield self.failure(requirement)
            return
        if kinds - {Kind.FILE, Kind.DIR, Kind.SYMLINK} or not all(is_readable(self.node_at(path)) for path in below):
            yield self.failure(requirement)
        copied = self.with_copy(state.without([final]), start, final, follows=label == "followed", depth=0)
        if copied is None:
            yield self.failure(requirement)
        else:
            yield self.success(copied, requirement)

    def with_copy(self, state: State, path: Path, final: Path, *, follows: bool, depth: int) -> State | None:
        """Return the state with a copy of an entry; None if a link in it cannot be followed."""
        node = self.node_at(path)
        if follows and node.kind is Kind.SYMLINK:
            try:
                target = self.state.follow(path)
            except LeadsOutside:
                return None
            if not target.reachable or self.state.node_at(target.path) is None or depth > MAX_FOLLOWED_LINKS:
                return None
            return self.with_copy(state, target.path, final, follows=True, depth=depth + 1)
        copied: State | None = state.with_entry(final, _without_mode(node))
        if node.kind is Kind.DIR:
            for name in sorted(name for name in self.state.below(path) if len(name) == len(path) + 1):
                if copied is not None:
                    copied = self.with_copy(copied, name, (*final, name[-1]), follows=follows, depth=depth)
        return copied


def looks_like_a_way_out(name: bytes) -> bool:
    """Return whether a name looks like the way up or like a home directory, and is neither (AMB-FO-49)."""
    return name.startswith(b"~") or (b".." in name and name != b"..")


def is_readable(node: Node) -> bool:
    """Return whether the owner of a file may read it."""
    return has_mode(node, 0o500 if node.kind is Kind.DIR else 0o400)


def is_writable(node: Node) -> bool:
    """Return whether the owner of a file may write to it."""
    return has_mode(node, 0o200)


def has_mode(node: Node, bits: int) -> bool:
    """Return whether the permissions of an entry have all these bits."""
    return node.mode is None or node.mode & bits == bits


def remove_parent_steps(path: Path) -> Path | None:
    """Return a path in which each `..` takes back the name before it; None if it leads out."""
    kept: Path = ()
    for step in path:
        if step == b"..":
            if not kept:
                return None
            kept = kept[:-1]
        else:
            kept = (*kept, step)
    return kept


def _without_mode(node: Node) -> Node:
    """Return a node without permissions: the specification does not determine them."""
    return replace(node, mode=None)
