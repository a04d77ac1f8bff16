"""Where a candidate is searched: cases of a kind, drawn, asked and judged, whatever the model of a pack is.

A family of a model and the sequences of a state machine look alike from here: both come to calls on a tree, each
judged by itself, and to a case that can be kept and asked again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from treeproof.candidate import Answer
from treeproof.run.session import Session
from treeproof.search.machine import Play, Step
from treeproof.search.model import Case, Family, Finding, Unmodelled
from treeproof.search.plays import Plays
from treeproof.search.subject import Samples
from treeproof.spec import Pack
from treeproof.tree import ROOT, CannotBuild, Tree, inside, unremarkable

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SEQUENCES = "sequences"
"""The name of the ground of a state machine, among those of families."""

Kept: TypeAlias = "Case | Play"
"""What is drawn, and kept where a candidate answers it otherwise: a call on a tree, or several after each other."""


@dataclass(frozen=True)
class Looked:
    """What came of a case: all that is wrong with it, the last answer, and of each call that was judged its classes."""

    findings: tuple[Finding, ...]
    answer: Answer
    classes: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Counterexample:
    """A case made ready to be kept: what is wrong with its last call, and the steps of a scenario, "" where none is."""

    case: Kept
    finding: Finding
    answer: Answer
    scenario: str


class Ground(Protocol):
    """Cases of one kind. What looks at one raises CandidateFault, CannotBuild and Unmodelled."""

    @property
    def name(self) -> str:
        """What it is called in a bundle."""

    @property
    def outside(self) -> str:
        """What lies beside the sandbox root, in the notation."""

    def takes(self, case: Kept) -> bool:
        """Whether it is a case of this kind."""

    def strategy(self) -> SearchStrategy[Any]:
        """What its cases are drawn from on this machine."""

    def look(self, case: Any) -> Looked:
        """Ask, and hold the answers against the model."""

    def told(self, case: Any, wanted: Finding) -> Counterexample:
        """The case asked once more, with no more than it takes to see what is wanted."""

    def beside(self, outside: str) -> Ground:
        """The same ground for a case that has been kept, with this beside the sandbox root."""


class OfFamily:
    """The cases of one family of a model."""

    def __init__(self, samples: Samples, family: Family) -> None:
        self._samples, self._family = samples, family
        self.name, self.outside = family.name, family.outside

    def takes(self, case: Kept) -> bool:
        """Whether it is a call on a tree."""
        return isinstance(case, Case)

    def strategy(self) -> SearchStrategy[Any]:
        """What its cases are drawn from on this machine."""
        return self._samples.strategy(self._family)

    def look(self, case: Case) -> Looked:
        """Ask, and hold the answer against the model."""
        with self._samples.made(self._family, case) as subject:
            findings = subject.judged(self._samples.model, self._samples.accepted).findings
            return Looked(findings, subject.ask(), (self._samples.model.classes(case),))

    def told(self, case: Case, wanted: Finding) -> Counterexample:
        """The case asked once more."""
        looked = self.look(case)
        scenario = ""
        with contextlib.suppress(Unmodelled):
            scenario = "\n".join(self._samples.model.sentences(case, self.outside))
        return Counterexample(case, _same(looked.findings, wanted) or wanted, looked.answer, scenario)

    def beside(self, outside: str) -> OfFamily:
        """The family, with this beside the sandbox root; every case brings its own tree."""
        return OfFamily(self._samples, replace(self._family, tree=None, outside=outside))


class OfSequences:
    """The sequences of calls of a state machine."""

    name = SEQUENCES

    def __init__(self, plays: Plays, outside: str) -> None:
        self._plays = plays
        self.outside = outside

    def takes(self, case: Kept) -> bool:
        """Whether it is a sequence."""
        return isinstance(case, Play)

    def strategy(self) -> SearchStrategy[Any]:
        """What the sequences are drawn from on this machine."""
        return self._plays.strategy()

    def look(self, play: Play) -> Looked:
        """Make all calls, and hold each against the model, on the tree that it was made on."""
        steps = self._performed(play)
        findings = tuple(finding for step in steps for finding in self._judged(step))
        classes = tuple(self._plays.machine.classes(step) for step in steps)
        return Looked(findings, steps[-1].answer, classes)

    def told(self, play: Play, wanted: Finding) -> Counterexample:
        """The call that is wrong, alone on the tree that it was made on; with those before it where it takes them."""
        steps = self._up_to(play, wanted)
        last = steps[-1]
        if len(steps) > 1:
            try:
                alone = self._up_to(Play(_root(last), (last.turn,)), wanted)
            except CannotBuild:  # it is the candidate's own work
                alone = steps
            one_will_do = len(alone) == 1 and self._shows(alone, wanted)
            steps = alone if one_will_do else self._fewest(steps, wanted)
        kept = Play(_root(steps[0]), tuple(step.turn for step in steps))
        scenario = ""
        with contextlib.suppress(Unmodelled):
            scenario = "\n".join(self._plays.machine.sentences(steps, self._plays.accepted))
        finding = _same(self._judged(steps[-1]), wanted) or wanted
        return Counterexample(kept, finding, steps[-1].answer, scenario)

    def beside(self, outside: str) -> OfSequences:
        """The sequences, with this beside the sandbox root."""
        return OfSequences(self._plays, outside)

    def _performed(self, play: Play) -> list[Step]:
        return list(self._plays.perform(play, self.outside))

    def _judged(self, step: Step) -> tuple[Finding, ...]:
        return self._plays.machine.judge(step, self._plays.accepted)

    def _fewest(self, steps: list[Step], wanted: Finding) -> list[Step]:
        """The wrong call after as few others as it takes."""
        tree = _root(steps[0])
        for at in reversed(range(len(steps) - 1)):
            if at >= len(steps) - 1:
                continue  # an earlier call was wrong this time: this one is not before it any more
            rest = tuple(step.turn for step in (*steps[:at], *steps[at + 1 :]))
            fewer = self._up_to(Play(tree, rest), wanted)
            if self._shows(fewer, wanted):
                steps = fewer
        return steps

    def _shows(self, steps: list[Step], wanted: Finding) -> bool:
        return _same(self._judged(steps[-1]), wanted) is not None

    def _up_to(self, play: Play, wanted: Finding) -> list[Step]:
        """The steps up to the first one with such a finding; all, where none has it this time."""
        steps = self._performed(play)
        wrong = (at for at, step in enumerate(steps) if _same(self._judged(step), wanted))
        return steps[: next(wrong, len(steps) - 1) + 1]


def _root(step: Step) -> Tree:
    """What stood in the sandbox root before a call, as a tree that can be built and read."""
    return unremarkable(inside(step.before, ROOT))


def _same(findings: tuple[Finding, ...], wanted: Finding) -> Finding | None:
    return next((finding for finding in findings if finding.requirement == wanted.requirement), None)


class Grounds:
    """All that a candidate is searched on: the families of its pack's model, and the sequences of its state machine."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._every_name: set[str] = set()
        self.every_class: tuple[str, ...] = ()
        """All words for what is interesting in a case, in the order in which they are shown."""
        self._grounds = {ground.name: ground for ground in self._found(session.pack)}

    def _found(self, pack: Pack) -> Iterator[Ground]:
        if pack.oracle is not None:
            samples = Samples(self.session)
            self._every_name |= samples.every_family
            self.every_class += samples.model.every_class
            for family in samples.families.values():
                yield OfFamily(samples, family)
        if pack.state_machine is not None:
            plays = Plays(self.session)
            self._every_name.add(SEQUENCES)
            self.every_class += tuple(w for w in plays.machine.every_class if w not in self.every_class)
            yield OfSequences(plays, plays.machine.outside)

    def __iter__(self) -> Iterator[Ground]:
        return iter(self._grounds.values())

    def named(self, name: str) -> Ground | None:
        """The ground of this name; None where the candidate cannot be asked its cases, or there is none."""
        return self._grounds.get(name)

    def knows(self, name: str) -> bool:
        """Whether there is such a ground for a candidate that can be asked everything."""
        return name in self._every_name


def can_be_searched(pack: Pack) -> bool:
    """Whether a pack names a model of one kind or the other."""
    return pack.oracle is not None or pack.state_machine is not None
