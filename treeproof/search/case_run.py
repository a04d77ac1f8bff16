"""A random case on disk: its tree in the workspace, and the calls that a candidate receives for it.

Contains also the samples: the cases that all properties of a run share, each built and called once.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Adapter, Call, CallResult, ProcessOptions
from treeproof.run.placeholders import expand
from treeproof.run.session import Session
from treeproof.search.model import (
    AcceptedReadings,
    Case,
    CaseFamily,
    CaseUpdate,
    Finding,
    Model,
    ModelJudgement,
    Unmodelled,
)
from treeproof.spec import Pack
from treeproof.spec.entry_points import load_entry_point
from treeproof.tree import (
    LISTED,
    CannotBuild,
    CreationOrder,
    Snapshot,
    Tree,
    build_tree,
    diff_snapshots,
    parse_tree,
    take_snapshot,
)
from treeproof.verdict import NotVerified

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DEFAULT_EXAMPLES = 25
"""Cases of an ordinary family in a run that says nothing else."""

MIN_FURTHER_EXAMPLES = 10
"""Cases of a further sample at least."""

PROCESS_PER_CALL_EXAMPLES = 5
"""The same for a candidate that is started anew for every message."""

FILE_MODES_CAPABILITY = "modes"
"""Stands among the capabilities of a candidate to whom file modes apply, so that directories can be closed to it."""

SHRINK_ATTEMPTS_PER_CASE, SHRINK_ATTEMPTS_PER_RUN = 120, 400
"""So many further cases are tried to make a failing one smaller; and so many in a run altogether."""

ALTERED_PROCESS_OPTIONS = ProcessOptions(
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


def load_model(pack: Pack) -> Model:
    """The model that the catalogue names. Raises NotVerified where it names none, UsageError for what is no model."""
    if pack.oracle is None:
        raise NotVerified("no_model", f"{pack.name} has no model to draw cases from")
    found: Model = load_entry_point(pack.pack_file, "oracle", pack.oracle, Model)
    return found


@dataclass
class CaseRun:
    """A case whose tree stands at `root`. Answers are kept, and every call is made once only.

    `cases`, `calls` and `answers` are all that it was asked, in order; `kept` is for what laws find out about it.
    """

    session: Session
    family: CaseFamily
    case: Case
    root: bytes
    cases: list[Case] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    answers: list[CallResult] = field(default_factory=list)
    cache: dict[str, Any] = field(default_factory=dict)
    unanswered_call: tuple[float, Call] | None = None
    """The call that it broke at, and when that was, in seconds of the monotonic clock; None once it has answered."""
    _answers: dict[Hashable, CallResult] = field(default_factory=dict)
    _before: Snapshot | None = None
    _judgements: dict[Hashable, ModelJudgement] = field(default_factory=dict)

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of the case and what they stand for."""
        return {"$ROOT": os.fsdecode(self.root), "$OUTSIDE": os.fsdecode(os.path.dirname(self.root))}

    def build_tree(self, order: CreationOrder = LISTED) -> None:
        """Build what the case shows, at the root and beside it. Raises CannotBuild."""
        names = {name.encode(): os.fsencode(path) for name, path in self.placeholders.items()}
        if self.family.outside:
            build_tree(parse_tree(self.family.outside), os.path.dirname(self.root))
        build_tree(self.case.tree, self.root, order=order, substitutions=names)

    def build_call(self, case: Case) -> Call:
        """The call of a case on this tree."""
        place = os.fsdecode(self.root)
        context = {"roots": [place], "working_dir": place, **expand(dict(case.context), self.placeholders)}
        return Call(case.tool, expand(case.arguments, self.placeholders), context)

    def call_candidate(self, update: CaseUpdate | None = None, adapter: Adapter | None = None) -> CallResult:
        """The candidate's answer to the case, or to one that differs from it a little. Raises CandidateFault."""
        key = (id(adapter), _update_key(update))
        if key not in self._answers:
            case = self.case.with_update(update) if update else self.case
            call = self.build_call(case)
            if self._before is None:
                self._before = take_snapshot(os.path.dirname(self.root))
            self.unanswered_call = time.monotonic(), call
            self._answers[key] = answer = self.session.call(call, adapter)
            self.unanswered_call = None
            self.cases.append(case)
            self.calls.append(call)
            self.answers.append(answer)
        return self._answers[key]

    def judge(self, model: Model, accepted: AcceptedReadings, update: CaseUpdate | None = None) -> ModelJudgement:
        """The answer to the case, or to one that differs a little, held against the model.

        Raises CandidateFault and Unmodelled.
        """
        key = _update_key(update)
        if key not in self._judgements:
            case = self.case.with_update(update) if update else self.case
            self._judgements[key] = model.judge(case, self.call_candidate(update), accepted)
        return self._judgements[key]

    def failing_scenario(self, model: Model, accepted: AcceptedReadings) -> str:
        """The steps of a scenario for the first answer that the model finds fault with; "" where it finds none."""
        for case, answer in zip(self.cases, self.answers, strict=True):
            with contextlib.suppress(Unmodelled):
                if model.judge(case, answer, accepted).findings:
                    return "\n".join(model.scenario_steps(case, self.family.outside))
        return ""

    def changes(self) -> list[str]:
        """What the calls until now changed on the disk, in words."""
        outside = os.path.dirname(self.root)
        return diff_snapshots(self._before, take_snapshot(outside)) if self._before is not None else []

    @contextlib.contextmanager
    def rebuilt(self, order: CreationOrder) -> Iterator[CaseRun]:
        """The same case on its tree made anew in another order, gone afterwards. Raises CannotBuild."""
        again = CaseRun(self.session, self.family, self.case, self.session.workspace.create_fixture("rebuilt"))
        try:
            again.build_tree(order)
            yield again
        finally:
            self.session.workspace.remove_fixture(again.root)


class CaseSamples:
    """The cases that the laws of one run judge, family by family, drawn when they are needed first.

    Trees of a sample stand until the workspace goes; a family whose tree is the same in every case has it once.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.model = load_model(session.pack)
        known = {entry.id for entry in session.pack.interpretations} & self.model.interpretations
        self.accepted_readings: AcceptedReadings = {id: session.accepted_readings(id) for id in known}
        self.respects_file_modes = session.candidate.adapter.respects_file_modes and session.host.supports("drop_caps")
        capabilities = {
            *session.candidate.initialize_result.capabilities,
            *session.candidate.initialize_result.tools,
            *([FILE_MODES_CAPABILITY] if self.respects_file_modes else []),
        }
        self.families = {family.name: family for family in self.model.families(frozenset(capabilities))}
        self._altered_adapter: Adapter | None = None
        self.shrink_attempts_left = SHRINK_ATTEMPTS_PER_RUN
        self.built_count = 0
        """How many cases could be made."""
        self.build_errors: list[CannotBuild] = []
        """Why the others could not."""
        self.cache: dict[str, Any] = {}
        """What properties have computed from all cases."""
        self._case_runs: dict[str, dict[str, CaseRun]] = {}
        self._shared_roots: dict[str, bytes] = {}

    @property
    def all_family_names(self) -> frozenset[str]:
        """The names of the families for a candidate that has every tool and capability of the pack."""
        tools = self.session.pack.tools
        able = {
            FILE_MODES_CAPABILITY,
            *(tool.name for tool in tools),
            *(one for tool in tools for one in tool.capabilities),
        }
        return frozenset(family.name for family in self.model.families(frozenset(able)))

    @classmethod
    def for_session(cls, session: Session) -> CaseSamples:
        """The samples of a session, the same ones each time."""
        return session.shared(cls)

    def case_runs(self, name: str) -> list[CaseRun]:
        """The sample of a family, built; without the cases that this machine cannot make."""
        if name not in self._case_runs:
            family = self.families[name]
            drawn = self.draw_cases(family)
            self._case_runs[name] = {}
            for case in drawn:
                with self._count_builds():
                    self._case_runs[name].setdefault(_case_key(case), self._build_run(family, case))
        return list(self._case_runs[name].values())

    def last_broken_run(self) -> CaseRun | None:
        """The case of a sample at whose tree the candidate has broken last; None where it was at none."""
        left = [
            (subject.unanswered_call[0], subject)
            for subjects in self._case_runs.values()
            for subject in subjects.values()
            if subject.unanswered_call is not None
        ]
        return max(left, key=lambda pair: pair[0])[1] if left else None

    def further_runs(self, name: str, round: int) -> Iterator[CaseRun]:
        """Cases of another sample of the family, built one by one and gone when the next one comes."""
        family = self.families[name]
        for case in self.draw_cases(family, round):
            with self._count_builds(), self.temporary_run(family, case) as subject:
                yield subject

    @contextlib.contextmanager
    def _count_builds(self) -> Iterator[None]:
        """A case that cannot be made is left out, and remembered."""
        try:
            yield
            self.built_count += 1
        except CannotBuild as refusal:
            self.build_errors.append(refusal)

    def draw_cases(self, family: CaseFamily, round: int = 0) -> list[Case]:
        """The cases of a family's sample, not yet built. Further rounds are other samples, and never tiny."""
        from treeproof.search.generation import sample  # hypothesis takes a while to import

        examples = self.example_count(family) if round == 0 else max(MIN_FURTHER_EXAMPLES, self.example_count(family))
        return sample(self.strategy(family), seed=self.session.policy.seed + round, examples=examples)

    def strategy(self, family: CaseFamily) -> SearchStrategy[Case]:
        """What the cases of a family are drawn from on this machine."""
        from treeproof.search.strategies import cases, restrict_family_to_host

        return cases(self.model.tool, restrict_family_to_host(family, self.session.host))

    def example_count(self, family: CaseFamily) -> int:
        """How many cases of a family are drawn."""
        # A candidate that lives for one message only costs a process a call.
        usual = PROCESS_PER_CALL_EXAMPLES if self.session.candidate.adapter.kind == "command" else DEFAULT_EXAMPLES
        return max(1, round((self.session.policy.examples or usual) * family.relative_size))

    def findings(self, subject: CaseRun) -> Iterator[Finding]:
        """All that the model finds in whatever a subject was asked until now."""
        for case, answer in zip(subject.cases, subject.answers, strict=True):
            with contextlib.suppress(Unmodelled):
                yield from self.model.judge(case, answer, self.accepted_readings).findings

    def find_minimal_case(self, family: CaseFamily, fails: Callable[[CaseRun], bool]) -> Case | None:
        """The smallest case that can be found to fail, beginning with those of the sample.

        A run has a bounded number of attempts; once they are used up it is the smallest of the sample.
        """
        from treeproof.search.minimisation import find_minimal

        one_by_one = 5 if self.session.candidate.adapter.kind == "command" else 1
        attempts = min(SHRINK_ATTEMPTS_PER_CASE // one_by_one, self.shrink_attempts_left)
        if attempts <= 0:
            failing = (subject.case for subject in self.case_runs(family.name) if fails(subject))
            return min(failing, key=lambda case: case.weight, default=None)

        def fails_when_built(case: Case) -> bool:
            self.shrink_attempts_left -= one_by_one
            there = self._case_runs.get(family.name, {}).get(_case_key(case))
            if there is not None:
                return fails(there)
            try:
                with self.temporary_run(family, case) as subject:
                    return fails(subject)
            except CannotBuild:
                return False

        return find_minimal(
            self.strategy(family),
            fails_when_built,
            seed=self.session.policy.seed,
            examples=self.example_count(family),
            attempts=attempts,
            weight=lambda case: case.weight,
        )

    def altered_adapter(self) -> Adapter:
        """The candidate once more, in a process that differs from the run's own in all that should not matter.

        Raises CandidateFault, and NotVerified where no such process can be started. `close` ends it.
        """
        if self._altered_adapter is None:
            self._altered_adapter = self.session.spawn(ALTERED_PROCESS_OPTIONS)
        return self._altered_adapter

    def close(self) -> None:
        """End the process of `elsewhere`."""
        if self._altered_adapter is not None:
            self._altered_adapter.close()
            self._altered_adapter = None

    @contextlib.contextmanager
    def temporary_run(self, family: CaseFamily, case: Case) -> Iterator[CaseRun]:
        """A case built, and gone afterwards unless its tree is that of the whole family. Raises CannotBuild."""
        subject = self._build_run(family, case)
        try:
            yield subject
        finally:
            if not isinstance(family.tree, Tree):
                self.session.workspace.remove_fixture(subject.root)

    def _build_run(self, family: CaseFamily, case: Case) -> CaseRun:
        if family.name in self._shared_roots:
            return CaseRun(self.session, family, case, self._shared_roots[family.name])
        subject = CaseRun(self.session, family, case, self.session.workspace.create_fixture(f"{family.name} case"))
        subject.build_tree()
        if isinstance(family.tree, Tree):
            self._shared_roots[family.name] = subject.root
        return subject


def _update_key(update: CaseUpdate | None) -> str:
    """Tells updates apart, whatever JSON they hold: a list as well, and true from 1."""
    return json.dumps(list((update or {}).items()), default=repr)


def _case_key(case: Case) -> str:
    return json.dumps(case.to_json())
