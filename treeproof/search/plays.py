"""Sequences of calls made real: trees below the workspace, and a candidate that is asked call after call.

The sequences of a run are drawn and performed once, for all of its laws.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Call
from treeproof.run.placeholders import expand
from treeproof.run.session import Session
from treeproof.search.machine import Play, Step, Turn, machine_of
from treeproof.search.model import Accepted, Finding
from treeproof.tree import CannotBuild, build, parse, portray

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

EXAMPLES = 40
"""Sequences in a run that says nothing else."""

EXAMPLES_ONE_BY_ONE = 4
"""The same for a candidate that is started anew for every message."""

LONGEST = 8
"""Calls of one sequence."""

ATTEMPTS = 400
"""So many further sequences are tried in a run to make failing ones smaller."""

HONOURED = frozenset({"config", "policy"})
"""Parts of a call's context that a candidate need not honour: each is a capability of that name."""


class Plays:
    """The sequences of one run, performed once for all of its laws."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.machine = machine_of(session.pack)
        self.accepted: Accepted = {
            entry.id: session.accepted(entry.id) for entry in session.pack.interpretations
        }
        self.attempts_left = ATTEMPTS
        self._steps: list[Step] | None = None
        self._findings: dict[int, tuple[Step, tuple[Finding, ...]]] = {}

    @classmethod
    def of(cls, session: Session) -> Plays:
        """The sequences of a session, the same ones each time."""
        kept = session.kept.get(__name__)
        if not isinstance(kept, Plays):
            session.kept[__name__] = kept = cls(session)
        return kept

    @property
    def steps(self) -> list[Step]:
        """Every call of the sample, made. Raises CandidateFault."""
        if self._steps is None:
            from treeproof.search.drawing import sample  # hypothesis takes a while to import

            made: list[Step] = []
            for play in sample(self.strategy(), seed=self.session.seed, examples=self._examples):
                with contextlib.suppress(CannotBuild):
                    made += self.perform(play)
            self._steps = made
        return self._steps

    def findings(self, step: Step) -> tuple[Finding, ...]:
        """What the machine finds in one call; found out once."""
        # The step is kept with it: one that is gone leaves its id to the next one.
        if id(step) not in self._findings:
            self._findings[id(step)] = step, self.machine.judge(step, self.accepted)
        return self._findings[id(step)][1]

    def perform(self, play: Play, beside: str | None = None) -> Iterator[Step]:
        """Build the tree of a sequence and make its calls. `beside`: what lies beside the sandbox root.

        Raises CannotBuild before the first one, NotVerified for what this candidate cannot be asked, CandidateFault.
        """
        for part in sorted(HONOURED):
            if any(part in turn.context for turn in play.turns):
                self.session.require(part)
        workspace = self.session.workspace
        root = workspace.fixture("sequence")
        outside = os.path.dirname(root)
        try:
            build(parse(self.machine.outside if beside is None else beside), outside)
            build(play.tree, root)
            before = portray(outside)
            for turn in play.turns:
                call = self._call(turn, os.fsdecode(root))
                answer = self.session.call(call)
                after = portray(outside)
                yield Step(turn, call, before, answer, after)
                before = after
        finally:
            workspace.discard(root)

    def smallest(self, wrong: Callable[[Step], bool]) -> Step | None:
        """The wrong call of the smallest sequence that can be found to have one, beginning with the sample's.

        None where the run has no attempts left.
        """
        if self.attempts_left <= 0:
            return None
        from treeproof.search.drawing import falsified

        attempts = self.attempts_left // (10 if self.session.adapter.kind == "command" else 1)

        def fails(play: Play) -> bool:
            self.attempts_left -= 1
            try:
                return any(map(wrong, self.perform(play)))
            except CannotBuild:
                return False

        play = falsified(
            self.strategy(),
            fails,
            seed=self.session.seed,
            examples=self._examples,
            attempts=attempts,
            weigh=lambda play: play.weight,
        )
        if play is None:
            return None
        return next(filter(wrong, self.perform(play)), None)

    def strategy(self) -> SearchStrategy[Play]:
        """What the sequences are drawn from on this machine."""
        from hypothesis import strategies as st

        from treeproof.search.strategies import possible_shape, trees

        capabilities = self.session.hello.capabilities
        grown = trees(possible_shape(self.machine.shape, self.session.machine))

        @st.composite
        def drawn(draw: Callable[[Any], Any]) -> Play:
            tree = draw(grown)
            columns = self.machine.columns(capabilities, tree)
            parts = st.tuples(*map(st.sampled_from, columns))
            made = draw(st.lists(parts, min_size=1, max_size=LONGEST))
            return Play(tree, tuple(self.machine.turn(*each) for each in made))

        return drawn()

    @property
    def _examples(self) -> int:
        usual = EXAMPLES_ONE_BY_ONE if self.session.adapter.kind == "command" else EXAMPLES
        return self.session.examples or usual

    def _call(self, turn: Turn, root: str) -> Call:
        context = {**self.session.pack.context, **turn.context, "roots": [root], "working_dir": root}
        return Call(turn.tool, dict(turn.arguments), expand(context, {"$ROOT": root}))
