"""The outcomes of a call whose final name is taken: by a file, a directory or a link, with and without `overwrite`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from treeproof.api import Kind, Node

from .outcome import ExpectedOutcome, permissions
from .transfer import Transfer, is_readable, is_writable, without_mode
from .tree_state import LeadsOutside, Path, State


class TakenName(Transfer):
    """A call under one combination of readings, with what becomes of the entry that has its final name."""

    @property
    def taken_name_rule(self) -> str:
        """The requirement on a final name that is taken."""
        return "FR-FOPS-MV-03" if self.is_move else "FR-FOPS-CP-03"

    def taken(self, start: Path, final: Path) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes where overwriting is not requested."""
        requirement = self.taken_name_rule
        if self.request.overwrite is None and self.request.overwrite_allowed:
            requirement = "CFG-FOPS-01"  # only one reading of the configuration stands against it
        try:
            target = self.state.follow(final)
        except LeadsOutside:
            yield self.failure(requirement)
            return
        is_dangling = self.state.node_at(target.path) is None
        label = self.readings["AMB-FO-37" if self.is_move else "AMB-FO-38"] if is_dangling else "exists"
        has_parent = target.reachable and self.state.is_directory(target.path[:-1])
        # Where a directory goes through a link, the system refuses.
        if label != "created" or self.node_at(start).kind is not Kind.FILE or not has_parent:
            yield self.failure(requirement)
        if label != "created":
            return
        if has_parent:
            yield from self.transferred(start, target.path, requirement)
        elif (made := self.with_made_directories(target.path[:-1])) is not None and self.makes_directories:
            yield from self.transferred(start, target.path, requirement, made)

    @property
    def makes_directories(self) -> bool:
        """Return whether missing directories of a destination are made."""
        return self.readings["AMB-FO-08" if self.is_move else "AMB-FO-47"] == "make"

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

    def may_overwrite(self) -> bool:
        """Return whether an existing entry may be overwritten, by the reading of the configuration (AMB-FO-01)."""
        by_reading = permissions(self.request)
        is_certain = len(set(by_reading.values())) == 1
        return by_reading["gate" if is_certain else self.readings["AMB-FO-01"]]

    def overwritten(self, start: Path, final: Path, requirement: str) -> Iterator[ExpectedOutcome]:
        """Yield the outcomes where overwriting is requested and allowed.

        What was to be overwritten may be gone after an error (DFO-11): a tool may delete it first.
        """
        node = self.node_at(start)
        can_fail = node.kind not in (Kind.FILE, Kind.SYMLINK) or not is_readable(node)
        is_other_file = self.state.names[start] != self.state.names[final]
        is_directory = self.node_at(final).kind is Kind.DIR
        has_nothing_below = not is_directory or not (self.is_move or self.state.below(final))
        may_go = can_fail and is_other_file and has_nothing_below
        for outcome in self.replaced(start, final, requirement):
            yield outcome
            if outcome.error_kind is not None and may_go:
                yield replace(outcome, state=self.state.without([final]))

    def replaced(self, start: Path, final: Path, requirement: str) -> Iterator[ExpectedOutcome]:
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
                yield self.success(state.without([final]).with_entry(final, without_mode(node)), "DFO-06")
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
        if existing.kind is Kind.SYMLINK and self.leads_to(final, start):
            yield self.success(state, "DFO-06")
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

    def leads_to(self, link: Path, place: Path) -> bool:
        """Return whether a link leads to a place."""
        try:
            return self.state.follow(link).path == place
        except LeadsOutside:
            return False

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
        try:
            target = self.state.follow(final)
        except LeadsOutside:
            target = None
        node = self.state.node_at(target.path) if target is not None and target.reachable else None
        is_own = target is not None and self.state.names.get(target.path) == self.state.names[start]
        rule = "DFO-06" if is_own else "DFO-07"
        if label == "name":
            yield from self.transferred(start, final, rule)
        elif label == "refuse":
            yield self.failure(rule)
        if target is None:
            yield self.failure("NFR-FOPS-SEC-01", labels=labels)
        elif node is None or is_own or not node.kind == self.node_at(start).kind == Kind.FILE:
            yield self.failure(rule, labels=labels)  # cannot be written through, and need not be replaced
            yield from self.unrecorded(self.transferred(start, final, rule), labels)
            if target is not None and is_own:
                yield ExpectedOutcome(None, self.state, rule, labels)
                if not self.is_move:  # a new file with the same bytes
                    rest = self.state.without([target.path])
                    copied = rest.with_entry(target.path, without_mode(self.node_at(start)))
                    yield ExpectedOutcome(None, copied, rule, labels)
                elif target.path != start:
                    yield ExpectedOutcome(None, self.state.without([start]), rule, labels)
            elif node is None or node.kind is not Kind.FILE:
                yield from self.unrecorded(self.created_through(start, final), labels)
        elif label == "through":
            yield from self.written_through(start, target.path)
            yield from self.transferred(start, target.path, rule)  # what the link leads to may be replaced as well

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
