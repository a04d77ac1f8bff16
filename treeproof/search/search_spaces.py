"""Search spaces: kinds of random cases that can be generated, run, judged and minimised.

The families of a model and the sequences of a state machine have the same interface here. Each of their cases can be
saved and run again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from treeproof.candidate import CallResult
from treeproof.run.session import Session
from treeproof.search.case_run import CaseSamples
from treeproof.search.model import Case, CaseFamily, Finding, Unmodelled
from treeproof.search.sequences import SequenceRunner
from treeproof.search.state_machine import CommandSequence, Transition
from treeproof.spec import Pack
from treeproof.tree import ROOT_NAME, CannotBuild, Tree, subtree, without_default_metadata

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SEQUENCES_NAME = "sequences"
"""The name of the ground of a state machine, among those of families."""

SearchCase: TypeAlias = "Case | CommandSequence"
"""What is drawn, and kept where a candidate answers it otherwise: a call on a tree, or several after each other."""


@dataclass(frozen=True)
class CaseResult:
    """What came of a case: all that is wrong with it, the last answer, and of each call that was judged its classes."""

    findings: tuple[Finding, ...]
    answer: CallResult
    case_labels: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Counterexample:
    """A case made ready to be kept: what is wrong with its last call, and the steps of a scenario, "" where none is."""

    case: SearchCase
    finding: Finding
    answer: CallResult
    scenario: str


class SearchSpace(Protocol):
    """Cases of one kind. What looks at one raises CandidateFault, CannotBuild and Unmodelled."""

    @property
    def name(self) -> str:
        """What it is called in a bundle."""

    @property
    def outside(self) -> str:
        """What lies beside the sandbox root, in the notation."""

    def accepts(self, case: SearchCase) -> bool:
        """Whether it is a case of this kind."""

    def strategy(self) -> SearchStrategy[Any]:
        """What its cases are drawn from on this machine."""

    def run_case(self, case: Any) -> CaseResult:
        """Ask, and hold the answers against the model."""

    def minimise(self, case: Any, target: Finding) -> Counterexample:
        """The case asked once more, with no more than it takes to see what is wanted."""

    def with_outside(self, outside: str) -> SearchSpace:
        """The same ground for a case that has been kept, with this beside the sandbox root."""


class ModelCases:
    """The cases of one family of a model."""

    def __init__(self, samples: CaseSamples, family: CaseFamily) -> None:
        self._samples, self._family = samples, family
        self.name, self.outside = family.name, family.outside

    def accepts(self, case: SearchCase) -> bool:
        """Whether it is a call on a tree."""
        return isinstance(case, Case)

    def strategy(self) -> SearchStrategy[Any]:
        """What its cases are drawn from on this machine."""
        return self._samples.strategy(self._family)

    def run_case(self, case: Case) -> CaseResult:
        """Ask, and hold the answer against the model."""
        with self._samples.temporary_run(self._family, case) as subject:
            findings = subject.judge(self._samples.model, self._samples.accepted_readings).findings
            return CaseResult(findings, subject.call_candidate(), (self._samples.model.case_labels(case),))

    def minimise(self, case: Case, target: Finding) -> Counterexample:
        """The case asked once more."""
        looked = self.run_case(case)
        scenario = ""
        with contextlib.suppress(Unmodelled):
            scenario = "\n".join(self._samples.model.scenario_steps(case, self.outside))
        return Counterexample(case, _matching_finding(looked.findings, target) or target, looked.answer, scenario)

    def with_outside(self, outside: str) -> ModelCases:
        """The family, with this beside the sandbox root; every case brings its own tree."""
        return ModelCases(self._samples, replace(self._family, tree=None, outside=outside))


class StatefulCases:
    """The sequences of calls of a state machine."""

    name = SEQUENCES_NAME

    def __init__(self, plays: SequenceRunner, outside: str) -> None:
        self._runner = plays
        self.outside = outside

    def accepts(self, case: SearchCase) -> bool:
        """Whether it is a sequence."""
        return isinstance(case, CommandSequence)

    def strategy(self) -> SearchStrategy[Any]:
        """What the sequences are drawn from on this machine."""
        return self._runner.strategy()

    def run_case(self, play: CommandSequence) -> CaseResult:
        """Make all calls, and hold each against the model, on the tree that it was made on."""
        steps = self._run_sequence(play)
        findings = tuple(finding for step in steps for finding in self._judge(step))
        classes = tuple(self._runner.state_machine.case_labels(step) for step in steps)
        return CaseResult(findings, steps[-1].answer, classes)

    def minimise(self, play: CommandSequence, target: Finding) -> Counterexample:
        """The call that is wrong, alone on the tree that it was made on; with those before it where it takes them."""
        steps = self._run_until_failure(play, target)
        last = steps[-1]
        if len(steps) > 1:
            try:
                alone = self._run_until_failure(CommandSequence(_tree_before(last), (last.command,)), target)
            except CannotBuild:  # it is the candidate's own work
                alone = steps
            one_will_do = len(alone) == 1 and self._reproduces(alone, target)
            steps = alone if one_will_do else self._minimise_commands(steps, target)
        kept = CommandSequence(_tree_before(steps[0]), tuple(step.command for step in steps))
        scenario = ""
        with contextlib.suppress(Unmodelled):
            scenario = "\n".join(self._runner.state_machine.scenario_steps(steps, self._runner.accepted_readings))
        finding = _matching_finding(self._judge(steps[-1]), target) or target
        return Counterexample(kept, finding, steps[-1].answer, scenario)

    def with_outside(self, outside: str) -> StatefulCases:
        """The sequences, with this beside the sandbox root."""
        return StatefulCases(self._runner, outside)

    def _run_sequence(self, play: CommandSequence) -> list[Transition]:
        return list(self._runner.run_sequence(play, self.outside))

    def _judge(self, step: Transition) -> tuple[Finding, ...]:
        return self._runner.state_machine.judge(step, self._runner.accepted_readings)

    def _minimise_commands(self, steps: list[Transition], wanted: Finding) -> list[Transition]:
        """The wrong call after as few others as it takes."""
        tree = _tree_before(steps[0])
        for at in reversed(range(len(steps) - 1)):
            if at >= len(steps) - 1:
                continue  # an earlier call was wrong this time: this one is not before it any more
            rest = tuple(step.command for step in (*steps[:at], *steps[at + 1 :]))
            fewer = self._run_until_failure(CommandSequence(tree, rest), wanted)
            if self._reproduces(fewer, wanted):
                steps = fewer
        return steps

    def _reproduces(self, steps: list[Transition], wanted: Finding) -> bool:
        return _matching_finding(self._judge(steps[-1]), wanted) is not None

    def _run_until_failure(self, play: CommandSequence, wanted: Finding) -> list[Transition]:
        """The steps up to the first one with such a finding; all, where none has it this time."""
        steps = self._run_sequence(play)
        wrong = (at for at, step in enumerate(steps) if _matching_finding(self._judge(step), wanted))
        return steps[: next(wrong, len(steps) - 1) + 1]


def _tree_before(step: Transition) -> Tree:
    """What stood in the sandbox root before a call, as a tree that can be built and read."""
    return without_default_metadata(subtree(step.before, ROOT_NAME))


def _matching_finding(findings: tuple[Finding, ...], wanted: Finding) -> Finding | None:
    return next((finding for finding in findings if finding.requirement == wanted.requirement), None)


class SearchSpaces:
    """All that a candidate is searched on: the families of its pack's model, and the sequences of its state machine."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._all_names: set[str] = set()
        self.all_case_labels: tuple[str, ...] = ()
        """All words for what is interesting in a case, in the order in which they are shown."""
        self._spaces = {ground.name: ground for ground in self._create_spaces(session.pack)}

    def _create_spaces(self, pack: Pack) -> Iterator[SearchSpace]:
        if pack.oracle is not None:
            samples = CaseSamples(self.session)
            self._all_names |= samples.all_family_names
            self.all_case_labels += samples.model.all_case_labels
            for family in samples.families.values():
                yield ModelCases(samples, family)
        if pack.state_machine is not None:
            plays = SequenceRunner(self.session)
            self._all_names.add(SEQUENCES_NAME)
            self.all_case_labels += tuple(
                w for w in plays.state_machine.all_case_labels if w not in self.all_case_labels
            )
            yield StatefulCases(plays, plays.state_machine.outside)

    def __iter__(self) -> Iterator[SearchSpace]:
        return iter(self._spaces.values())

    def get(self, name: str) -> SearchSpace | None:
        """The ground of this name; None where the candidate cannot be asked its cases, or there is none."""
        return self._spaces.get(name)

    def is_known(self, name: str) -> bool:
        """Whether there is such a ground for a candidate that can be asked everything."""
        return name in self._all_names


def has_model(pack: Pack) -> bool:
    """Whether a pack names a model of one kind or the other."""
    return pack.oracle is not None or pack.state_machine is not None


def disable_minimising(session: Session) -> None:
    """Let the properties of a session report a failing case as it is found, without reducing it."""
    if session.pack.oracle is not None:
        CaseSamples.for_session(session).shrink_attempts_left = 0
    if session.pack.state_machine is not None:
        SequenceRunner.for_session(session).shrink_attempts_left = 0
