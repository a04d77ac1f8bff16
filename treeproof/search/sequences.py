"""Sequences of calls on disk: trees in the workspace, and a candidate that receives call after call.

All properties of a run share one sample of sequences; each is generated and run once.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Call, CandidateFault
from treeproof.model.case import AcceptedReadings, Command, CommandSequence, Exchange, Groups
from treeproof.model.checked_model import CheckedStateMachine, load_state_machine
from treeproof.model.placeholders import placeholders_of
from treeproof.run.call_builder import expand
from treeproof.run.call_judge import make_exchange
from treeproof.run.circuit_breaker import Subject
from treeproof.run.sandbox import read_roots
from treeproof.run.session import Session
from treeproof.tree import (
    ROOT_NAME,
    CannotBuild,
    Kind,
    Tree,
    Workspace,
    build_tree,
    by_path,
    find_base_on_other_file_system,
    from_paths,
    nest,
    parent_without_links,
    parse_tree,
    subtree,
    unusual_kinds,
)
from treeproof.verdict import NotApplicable, NotSent, NotVerified
from treeproof.verdict.finding import Finding

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DEFAULT_EXAMPLES = 60
"""The number of sequences, by default."""

PROCESS_PER_CALL_EXAMPLES = 4
"""The default for a candidate that is started for each message."""

MAX_COMMANDS = 8
"""The maximum number of calls in a sequence."""

SHRINK_ATTEMPTS_PER_RUN = 400
"""The number of further sequences that a run tries to shrink failing ones."""

CONTEXT_CAPABILITIES = frozenset({"allow_absolute", "config", "denied_patterns", "policy", "working_dir"})
"""Members of a call's context that only candidates with the capability of the same name support."""


FAR_NAME = b"far"
"""The directory at the top of a tree that stands for the second sandbox root."""


@dataclass(frozen=True)
class BrokenCall:
    """A call at which the candidate broke, or which was not made because of faults; `before` is the tree before it."""

    error: CandidateFault | NotVerified
    before: Tree
    call: Call


class SequenceRunner:
    """The sequences of one run; each runs once, and all properties share the results."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.state_machine = load_state_machine(session.pack)
        self.accepted_readings: AcceptedReadings = {
            entry.id: session.accepted_readings(entry.id) for entry in session.pack.interpretations
        }
        self.shrink_attempts_left = SHRINK_ATTEMPTS_PER_RUN if session.policy.minimises else 0
        self.broken: BrokenCall | None = None
        """The first call of the sample without an answer."""
        self._exchanges: list[Exchange] | None = None
        self._pending: tuple[Tree, Call]
        self._findings: dict[int, tuple[Exchange, tuple[Finding, ...]]] = {}

    @classmethod
    def for_session(cls, session: Session) -> SequenceRunner:
        """Return the sequences of a session, always the same object."""
        return session.shared(cls)

    @property
    def exchanges(self) -> list[Exchange]:
        """All calls of the sample with an answer, after they were made; a fault ends only its sequence.

        All trees are built at one place, so that what a candidate remembers of another tree is seen.
        """
        if self._exchanges is None:
            from treeproof.search.generation import sample  # hypothesis takes a while to import

            exchanges: list[Exchange] = []
            workspace = self.session.workspace
            root = workspace.create_sandbox("sequence")
            for sequence in sample(self.strategy(), seed=self.session.policy.seed, examples=self._example_count):
                try:
                    workspace.remake_sandbox(root)
                    for exchange in self.run_sequence(sequence, root=root):
                        exchanges.append(exchange)  # noqa: PERF402 - the sequence may end with a fault
                except CannotBuild:
                    pass
                except (CandidateFault, NotVerified) as error:
                    if isinstance(error, NotVerified) and error.code != "not_called":
                        raise
                    self.broken = self.broken or BrokenCall(error, *self._pending)
            workspace.remove_sandbox(root)
            self._exchanges = exchanges
        return self._exchanges

    def findings(self, exchange: Exchange) -> tuple[Finding, ...]:
        """Return the findings of the state machine in one call; they are cached."""
        # The exchange is kept too: an id can be reused after its object is deleted.
        if id(exchange) not in self._findings:
            judgement = self.state_machine.judge(exchange, self.accepted_readings)
            self._findings[id(exchange)] = exchange, judgement.findings
        return self._findings[id(exchange)][1]

    def run_sequence(
        self, sequence: CommandSequence, outside_notation: str | None = None, *, root: bytes | None = None
    ) -> Iterator[Exchange]:
        """Build the tree of a sequence, make its calls and yield the exchanges. `root`: an empty sandbox for it.

        Raises CannotBuild before the first call, NotVerified for a missing capability, and CandidateFault.
        """
        for part in sorted(CONTEXT_CAPABILITIES):
            if any(part in command.context for command in sequence.commands):
                self.session.require_capability(part)
        with contextlib.ExitStack() as stack:
            far = stack.enter_context(_build_second_root(self.session, sequence.tree))
            workspace = self.session.workspace
            if root is None:
                root = workspace.create_sandbox("sequence")
                stack.callback(workspace.remove_sandbox, root)
            outside = os.path.dirname(root)
            build_tree(
                parse_tree(self.state_machine.outside if outside_notation is None else outside_notation),
                outside,
            )
            near = Tree(tuple(node for node in sequence.tree.entries if far is None or node.name != FAR_NAME))
            build_tree(near, root)
            if far is not None:
                with parent_without_links(os.path.join(root, FAR_NAME)) as (directory, name):
                    os.symlink(far, name, dir_fd=directory)
            before = read_roots(outside, far)
            names = placeholders_of(root, far)
            breaker = self.session.candidate.circuit_breaker
            breaker.subject = lambda: Subject("random sequences", unusual_kinds(sequence.tree))
            earlier: tuple[Exchange, ...] = ()
            for command in sequence.commands:
                call = self._build_call(command, names)
                self._pending = before, call
                try:
                    answer = self.session.call(call)
                except (NotApplicable, NotSent):  # it has changed nothing
                    continue
                after = read_roots(outside, far)
                exchange = make_exchange(call, answer, before, after, names, self.session.pack.context, earlier)
                yield exchange
                before, earlier = after, (*earlier, exchange)

    def find_minimal_exchange(self, is_failing: Callable[[Exchange], bool]) -> Exchange | None:
        """Return the failing call of the smallest failing sequence that is found; the search begins with the sample.

        None if there is none, or the run has no attempts left.
        """
        if self.shrink_attempts_left <= 0:
            return None
        from treeproof.search.minimisation import find_minimal

        attempts = self.shrink_attempts_left // (10 if self.session.candidate.adapter.kind == "command" else 1)

        def fails(sequence: CommandSequence) -> bool:
            self.shrink_attempts_left -= 1
            try:
                return any(map(is_failing, self.run_sequence(sequence)))
            except (CannotBuild, CandidateFault):
                return False

        sequence = find_minimal(
            self.strategy(),
            fails,
            seed=self.session.policy.seed,
            examples=self._example_count,
            attempts=attempts,
        )
        if sequence is None:
            return None
        return next(filter(is_failing, self.run_sequence(sequence)), None)

    def strategy(self, machine: CheckedStateMachine | None = None) -> SearchStrategy[CommandSequence]:
        """Return the hypothesis strategy for sequences on this host, by default those of a run.

        A search has time for more kinds: those of the machine's `wider`.
        """
        from hypothesis import strategies as st

        from treeproof.search.strategies import restrict_shape_to_host, trees

        machine = machine or self.state_machine

        offered = self.session.candidate.initialize_result
        capabilities = frozenset({*offered.capabilities, *offered.tools})
        tree_strategy = trees(restrict_shape_to_host(machine.tree_shape, self.session.host))
        by_length: dict[int, SearchStrategy[int]] = {}

        def positions(columns: Sequence[Sequence[Any]]) -> SearchStrategy[tuple[int, ...]]:
            """Return positions in the columns. A strategy for each length is made once: that takes a while."""
            for column in columns:
                if len(column) not in by_length:
                    by_length[len(column)] = st.sampled_from(range(len(column)))
            return st.tuples(*(by_length[len(column)] for column in columns))

        @st.composite
        def drawn(draw: Callable[[Any], Any]) -> CommandSequence:
            tree = draw(tree_strategy)
            columns = [
                column[draw(st.integers(0, len(column) - 1))] if isinstance(column, Groups) else column
                for column in machine.command_choices(capabilities, tree)
            ]
            chosen = draw(st.lists(positions(columns), min_size=1, max_size=MAX_COMMANDS))
            commands = (map(lambda column, number: column[number], columns, numbers) for numbers in chosen)
            return CommandSequence(tree, tuple(machine.command(*parts) for parts in commands))

        return drawn()

    @property
    def _example_count(self) -> int:
        default = PROCESS_PER_CALL_EXAMPLES if self.session.candidate.adapter.kind == "command" else DEFAULT_EXAMPLES
        return self.session.policy.examples or default

    def _build_call(self, command: Command, places: Mapping[str, str]) -> Call:
        roots = [places[name] for name in ("$ROOT", "$FAR") if name in places]
        context = {**self.session.pack.context, "working_dir": "$ROOT", **command.context, "roots": roots}
        return Call(command.tool, expand(dict(command.arguments), places), expand(context, places))


@contextlib.contextmanager
def _build_second_root(session: Session, tree: Tree) -> Iterator[bytes | None]:
    """Build the second root of a tree, on another file system, and yield its path. Raises CannotBuild.

    None if it has none, or the candidate lacks the capability, or the machine another file system.
    """
    far = next((node for node in tree.entries if node.name == FAR_NAME and node.kind is Kind.DIR), None)
    others = session.candidate.other_workspaces
    workspace = None if others is None else others.far
    base = None
    if far is not None and others is None and "roots" in session.candidate.initialize_result.capabilities:
        base = find_base_on_other_file_system(session.workspace.path)
    if far is None or (workspace is None and base is None):
        yield None
        return
    with contextlib.ExitStack() as stack:
        if workspace is None:
            workspace = Workspace.create(base)
            stack.callback(workspace.remove)
        root = workspace.create_sandbox("sequence")
        stack.callback(workspace.remove_sandbox, root)
        build_tree(subtree(tree, FAR_NAME), root)  # its hard links have paths from there
        yield root


def with_second_root(tree: Tree) -> Tree:
    """Return the tree of a sandbox root in which the link to the second root is that directory."""
    nodes = by_path(subtree(tree, ROOT_NAME))
    if FAR_NAME not in nodes or nodes[FAR_NAME].target != b"$FAR":
        return from_paths(nodes)
    return from_paths({**nodes, **by_path(nest(subtree(tree, b"$FAR"), FAR_NAME))})
