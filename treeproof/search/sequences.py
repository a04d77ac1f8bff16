"""Sequences of calls on disk: trees in the workspace, and a candidate that receives call after call.

All properties of a run share one sample of sequences; each is generated and run once.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Call
from treeproof.run.placeholders import expand
from treeproof.run.session import Session
from treeproof.search.model import AcceptedReadings, Finding
from treeproof.search.state_machine import Command, CommandSequence, Transition, load_state_machine
from treeproof.tree import CannotBuild, build_tree, parse_tree, read_tree

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DEFAULT_EXAMPLES = 40
"""Sequences in a run that says nothing else."""

PROCESS_PER_CALL_EXAMPLES = 4
"""The same for a candidate that is started anew for every message."""

MAX_COMMANDS = 8
"""Calls of one sequence."""

SHRINK_ATTEMPTS_PER_RUN = 400
"""So many further sequences are tried in a run to make failing ones smaller."""

CONTEXT_CAPABILITIES = frozenset({"config", "policy"})
"""Parts of a call's context that a candidate need not honour: each is a capability of that name."""


class SequenceRunner:
    """The sequences of one run, performed once for all of its laws."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.state_machine = load_state_machine(session.pack)
        self.accepted_readings: AcceptedReadings = {
            entry.id: session.accepted_readings(entry.id) for entry in session.pack.interpretations
        }
        self.shrink_attempts_left = SHRINK_ATTEMPTS_PER_RUN
        self._transitions: list[Transition] | None = None
        self._findings: dict[int, tuple[Transition, tuple[Finding, ...]]] = {}

    @classmethod
    def for_session(cls, session: Session) -> SequenceRunner:
        """The sequences of a session, the same ones each time."""
        return session.shared(cls)

    @property
    def transitions(self) -> list[Transition]:
        """Every call of the sample, made. Raises CandidateFault."""
        if self._transitions is None:
            from treeproof.search.generation import sample  # hypothesis takes a while to import

            made: list[Transition] = []
            for play in sample(self.strategy(), seed=self.session.policy.seed, examples=self._example_count):
                with contextlib.suppress(CannotBuild):
                    made += self.run_sequence(play)
            self._transitions = made
        return self._transitions

    def findings(self, step: Transition) -> tuple[Finding, ...]:
        """What the machine finds in one call; found out once."""
        # The step is kept with it: one that is gone leaves its id to the next one.
        if id(step) not in self._findings:
            self._findings[id(step)] = step, self.state_machine.judge(step, self.accepted_readings)
        return self._findings[id(step)][1]

    def run_sequence(self, sequence: CommandSequence, outside_notation: str | None = None) -> Iterator[Transition]:
        """Build the tree of a sequence and make its calls. `beside`: what lies beside the sandbox root.

        Raises CannotBuild before the first one, NotVerified for what this candidate cannot be asked, CandidateFault.
        """
        for part in sorted(CONTEXT_CAPABILITIES):
            if any(part in turn.context for turn in sequence.commands):
                self.session.require_capability(part)
        workspace = self.session.workspace
        root = workspace.create_fixture("sequence")
        outside = os.path.dirname(root)
        try:
            build_tree(
                parse_tree(self.state_machine.outside if outside_notation is None else outside_notation),
                outside,
            )
            build_tree(sequence.tree, root)
            before = read_tree(outside)
            for turn in sequence.commands:
                call = self._build_call(turn, os.fsdecode(root))
                answer = self.session.call(call)
                after = read_tree(outside)
                yield Transition(turn, call, before, answer, after)
                before = after
        finally:
            workspace.remove_fixture(root)

    def find_minimal_transition(self, is_failing: Callable[[Transition], bool]) -> Transition | None:
        """The wrong call of the smallest sequence that can be found to have one, beginning with the sample's.

        None where the run has no attempts left.
        """
        if self.shrink_attempts_left <= 0:
            return None
        from treeproof.search.minimisation import find_minimal

        attempts = self.shrink_attempts_left // (10 if self.session.candidate.adapter.kind == "command" else 1)

        def fails(play: CommandSequence) -> bool:
            self.shrink_attempts_left -= 1
            try:
                return any(map(is_failing, self.run_sequence(play)))
            except CannotBuild:
                return False

        play = find_minimal(
            self.strategy(),
            fails,
            seed=self.session.policy.seed,
            examples=self._example_count,
            attempts=attempts,
            weight=lambda play: play.weight,
        )
        if play is None:
            return None
        return next(filter(is_failing, self.run_sequence(play)), None)

    def strategy(self) -> SearchStrategy[CommandSequence]:
        """What the sequences are drawn from on this machine."""
        from hypothesis import strategies as st

        from treeproof.search.strategies import restrict_shape_to_host, trees

        capabilities = self.session.candidate.initialize_result.capabilities
        grown = trees(restrict_shape_to_host(self.state_machine.tree_shape, self.session.host))

        @st.composite
        def drawn(draw: Callable[[Any], Any]) -> CommandSequence:
            tree = draw(grown)
            columns = self.state_machine.command_choices(capabilities, tree)
            parts = st.tuples(*map(st.sampled_from, columns))
            made = draw(st.lists(parts, min_size=1, max_size=MAX_COMMANDS))
            return CommandSequence(tree, tuple(self.state_machine.command(*each) for each in made))

        return drawn()

    @property
    def _example_count(self) -> int:
        usual = PROCESS_PER_CALL_EXAMPLES if self.session.candidate.adapter.kind == "command" else DEFAULT_EXAMPLES
        return self.session.policy.examples or usual

    def _build_call(self, turn: Command, root: str) -> Call:
        context = {**self.session.pack.context, **turn.context, "roots": [root], "working_dir": root}
        return Call(turn.tool, dict(turn.arguments), expand(context, {"$ROOT": root}))
