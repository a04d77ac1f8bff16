"""A case made real: its tree below the workspace, and the candidate that can be asked about it, once or often.

Samples of subjects live here too: the same cases for every law of a run, built and asked once.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Adapter, Answer, Call, Launch
from treeproof.run.placeholders import expand
from treeproof.run.session import Session
from treeproof.search.model import Accepted, Case, Family, Finding, Judged, Model, Unmodelled, Update
from treeproof.spec import Pack
from treeproof.spec.entries import entry
from treeproof.tree import LISTED, CannotBuild, Order, Snapshot, Tree, build, differences, parse, take
from treeproof.verdict import NotVerified

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

EXAMPLES = 25
"""Cases of an ordinary family in a run that says nothing else."""

FURTHER_EXAMPLES = 10
"""Cases of a further sample at least."""

EXAMPLES_ONE_BY_ONE = 5
"""The same for a candidate that is started anew for every message."""

MODES = "modes"
"""Stands among the capabilities of a candidate to whom file modes apply, so that directories can be closed to it."""

ATTEMPTS, ALL_ATTEMPTS = 120, 400
"""So many further cases are tried to make a failing one smaller; and so many in a run altogether."""

OTHERWISE = Launch(
    env={
        "LC_ALL": "C",
        "LANG": None,
        "TZ": "Asia/Kathmandu",
        "HOME": None,
        "COLUMNS": "1",
        "PYTHONHASHSEED": "1",
    },
    cwd=b"/",
    umask=0o077,
)
"""A process whose locale, time zone, directory, umask and hash seed are others than usual."""


def model_of(pack: Pack) -> Model:
    """The model that the catalogue names. Raises NotVerified where it names none, UsageError for what is no model."""
    if pack.oracle is None:
        raise NotVerified(f"{pack.name} has no model to draw cases from")
    found: Model = entry(pack.face, "oracle", pack.oracle, Model)
    return found


@dataclass
class Subject:
    """A case whose tree stands at `root`. Answers are kept, and every call is made once only.

    `cases`, `calls` and `answers` are all that it was asked, in order; `kept` is for what laws find out about it.
    """

    session: Session
    family: Family
    case: Case
    root: bytes
    cases: list[Case] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    unanswered: tuple[float, Call] | None = None
    """The call that it broke at, and when that was, in seconds of the monotonic clock; None once it has answered."""
    _known: dict[Hashable, Answer] = field(default_factory=dict)
    _before: Snapshot | None = None
    _judged: dict[Hashable, Judged] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """The placeholders of the case and what they stand for."""
        return {"$ROOT": os.fsdecode(self.root), "$OUTSIDE": os.fsdecode(os.path.dirname(self.root))}

    def grow(self, order: Order = LISTED) -> None:
        """Build what the case shows, at the root and beside it. Raises CannotBuild."""
        names = {name.encode(): os.fsencode(path) for name, path in self.names.items()}
        if self.family.outside:
            build(parse(self.family.outside), os.path.dirname(self.root))
        build(self.case.tree, self.root, order=order, substitutions=names)

    def call(self, case: Case) -> Call:
        """The call of a case on this tree."""
        place = os.fsdecode(self.root)
        context = {"roots": [place], "working_dir": place, **expand(dict(case.context), self.names)}
        return Call(case.tool, expand(case.arguments, self.names), context)

    def ask(self, update: Update | None = None, adapter: Adapter | None = None) -> Answer:
        """The candidate's answer to the case, or to one that differs from it a little. Raises CandidateFault."""
        key = (id(adapter), _key_of(update))
        if key not in self._known:
            case = self.case.changed(update) if update else self.case
            call = self.call(case)
            if self._before is None:
                self._before = take(os.path.dirname(self.root))
            self.unanswered = time.monotonic(), call
            self._known[key] = answer = self.session.call(call, adapter)
            self.unanswered = None
            self.cases.append(case)
            self.calls.append(call)
            self.answers.append(answer)
        return self._known[key]

    def judged(self, model: Model, accepted: Accepted, update: Update | None = None) -> Judged:
        """The answer to the case, or to one that differs a little, held against the model.

        Raises CandidateFault and Unmodelled.
        """
        key = _key_of(update)
        if key not in self._judged:
            case = self.case.changed(update) if update else self.case
            self._judged[key] = model.judge(case, self.ask(update), accepted)
        return self._judged[key]

    def scenario(self, model: Model, accepted: Accepted) -> str:
        """The steps of a scenario for the first answer that the model finds fault with; "" where it finds none."""
        for case, answer in zip(self.cases, self.answers, strict=True):
            with contextlib.suppress(Unmodelled):
                if model.judge(case, answer, accepted).findings:
                    return "\n".join(model.sentences(case, self.family.outside))
        return ""

    def changes(self) -> list[str]:
        """What the calls until now changed on the disk, in words."""
        outside = os.path.dirname(self.root)
        return differences(self._before, take(outside)) if self._before is not None else []

    @contextlib.contextmanager
    def rebuilt(self, order: Order) -> Iterator[Subject]:
        """The same case on its tree made anew in another order, gone afterwards. Raises CannotBuild."""
        again = Subject(self.session, self.family, self.case, self.session.workspace.fixture("rebuilt"))
        try:
            again.grow(order)
            yield again
        finally:
            self.session.workspace.discard(again.root)


class Samples:
    """The cases that the laws of one run judge, family by family, drawn when they are needed first.

    Trees of a sample stand until the workspace goes; a family whose tree is the same in every case has it once.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.model = model_of(session.pack)
        known = {entry.id for entry in session.pack.interpretations} & self.model.interpretations
        self.accepted: Accepted = {id: session.accepted(id) for id in known}
        self.heeds_modes = session.adapter.heeds_modes and session.machine.can("drop_caps")
        capabilities = {
            *session.hello.capabilities,
            *session.hello.tools,
            *([MODES] if self.heeds_modes else []),
        }
        self.families = {family.name: family for family in self.model.families(frozenset(capabilities))}
        self._elsewhere: Adapter | None = None
        self.attempts_left = ALL_ATTEMPTS
        self.built = 0
        """How many cases could be made."""
        self.refusals: list[CannotBuild] = []
        """Why the others could not."""
        self._subjects: dict[str, dict[str, Subject]] = {}
        self._shared: dict[str, bytes] = {}

    @property
    def every_family(self) -> frozenset[str]:
        """The names of the families for a candidate that has every tool and capability of the pack."""
        tools = self.session.pack.tools
        able = {MODES, *(tool.name for tool in tools), *(one for tool in tools for one in tool.capabilities)}
        return frozenset(family.name for family in self.model.families(frozenset(able)))

    @classmethod
    def of(cls, session: Session) -> Samples:
        """The samples of a session, the same ones each time."""
        kept = session.kept.get(__name__)
        if not isinstance(kept, Samples):
            session.kept[__name__] = kept = cls(session)
        return kept

    def subjects(self, name: str) -> list[Subject]:
        """The sample of a family, built; without the cases that this machine cannot make."""
        if name not in self._subjects:
            family = self.families[name]
            drawn = self.draw(family)
            self._subjects[name] = {}
            for case in drawn:
                with self._counted():
                    self._subjects[name].setdefault(_key(case), self._built(family, case))
        return list(self._subjects[name].values())

    def broken(self) -> Subject | None:
        """The case of a sample at whose tree the candidate has broken last; None where it was at none."""
        left = [
            (subject.unanswered[0], subject)
            for subjects in self._subjects.values()
            for subject in subjects.values()
            if subject.unanswered is not None
        ]
        return max(left, key=lambda pair: pair[0])[1] if left else None

    def further(self, name: str, round: int) -> Iterator[Subject]:
        """Cases of another sample of the family, built one by one and gone when the next one comes."""
        family = self.families[name]
        for case in self.draw(family, round):
            with self._counted(), self.made(family, case) as subject:
                yield subject

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        """A case that cannot be made is left out, and remembered."""
        try:
            yield
            self.built += 1
        except CannotBuild as refusal:
            self.refusals.append(refusal)

    def draw(self, family: Family, round: int = 0) -> list[Case]:
        """The cases of a family's sample, not yet built. Further rounds are other samples, and never tiny."""
        from treeproof.search.drawing import sample  # hypothesis takes a while to import

        examples = self.examples(family) if round == 0 else max(FURTHER_EXAMPLES, self.examples(family))
        return sample(self.strategy(family), seed=self.session.seed + round, examples=examples)

    def strategy(self, family: Family) -> SearchStrategy[Case]:
        """What the cases of a family are drawn from on this machine."""
        from treeproof.search.strategies import cases, possible

        return cases(self.model.tool, possible(family, self.session.machine))

    def examples(self, family: Family) -> int:
        """How many cases of a family are drawn."""
        # A candidate that lives for one message only costs a process a call.
        usual = EXAMPLES_ONE_BY_ONE if self.session.adapter.kind == "command" else EXAMPLES
        return max(1, round((self.session.examples or usual) * family.share))

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """All that the model finds in whatever a subject was asked until now."""
        for case, answer in zip(subject.cases, subject.answers, strict=True):
            with contextlib.suppress(Unmodelled):
                yield from self.model.judge(case, answer, self.accepted).findings

    def smallest(self, family: Family, fails: Callable[[Subject], bool]) -> Case | None:
        """The smallest case that can be found to fail, beginning with those of the sample.

        A run has a bounded number of attempts; once they are used up it is the smallest of the sample.
        """
        from treeproof.search.drawing import falsified

        one_by_one = 5 if self.session.adapter.kind == "command" else 1
        attempts = min(ATTEMPTS // one_by_one, self.attempts_left)
        if attempts <= 0:
            failing = (subject.case for subject in self.subjects(family.name) if fails(subject))
            return min(failing, key=lambda case: case.weight, default=None)

        def fails_when_built(case: Case) -> bool:
            self.attempts_left -= one_by_one
            there = self._subjects.get(family.name, {}).get(_key(case))
            if there is not None:
                return fails(there)
            try:
                with self.made(family, case) as subject:
                    return fails(subject)
            except CannotBuild:
                return False

        return falsified(
            self.strategy(family),
            fails_when_built,
            seed=self.session.seed,
            examples=self.examples(family),
            attempts=attempts,
            weigh=lambda case: case.weight,
        )

    def elsewhere(self) -> Adapter:
        """The candidate once more, in a process that differs from the run's own in all that should not matter.

        Raises CandidateFault, and NotVerified where no such process can be started. `close` ends it.
        """
        if self._elsewhere is None:
            self._elsewhere = self.session.fresh(OTHERWISE)
        return self._elsewhere

    def close(self) -> None:
        """End the process of `elsewhere`."""
        if self._elsewhere is not None:
            self._elsewhere.close()
            self._elsewhere = None

    @contextlib.contextmanager
    def made(self, family: Family, case: Case) -> Iterator[Subject]:
        """A case built, and gone afterwards unless its tree is that of the whole family. Raises CannotBuild."""
        subject = self._built(family, case)
        try:
            yield subject
        finally:
            if not isinstance(family.tree, Tree):
                self.session.workspace.discard(subject.root)

    def _built(self, family: Family, case: Case) -> Subject:
        if family.name in self._shared:
            return Subject(self.session, family, case, self._shared[family.name])
        subject = Subject(self.session, family, case, self.session.workspace.fixture(f"{family.name} case"))
        subject.grow()
        if isinstance(family.tree, Tree):
            self._shared[family.name] = subject.root
        return subject


def _key_of(update: Update | None) -> str:
    """Tells updates apart, whatever JSON they hold: a list as well, and true from 1."""
    return json.dumps(list((update or {}).items()), default=repr)


def _key(case: Case) -> str:
    return json.dumps(case.to_json())
