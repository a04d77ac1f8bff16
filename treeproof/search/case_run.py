"""A random case on disk: its tree in the workspace, and the calls that a candidate receives for it.

Contains also the samples: the cases that all properties of a run share, each built and called once.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault, ProcessOptions
from treeproof.model.case import AcceptedReadings, Case, CaseFamily, CaseUpdate, Exchange, Model, Unmodelled
from treeproof.model.checked_model import load_model
from treeproof.run.call_builder import expand, scrub
from treeproof.run.candidate_folders import require_own_places
from treeproof.run.circuit_breaker import Subject
from treeproof.run.evidence import evidence_of_call
from treeproof.run.session import Session
from treeproof.tree import (
    LISTED,
    CannotBuild,
    CreationOrder,
    Snapshot,
    Tree,
    build_tree,
    diff_snapshots,
    parse_tree,
    remove_entries,
    render_tree,
    take_snapshot,
    unusual_kinds,
)
from treeproof.verdict.finding import MAX_ALTERNATIVES, Alternative, CallJudgement, Finding, ModelJudgement, truncate

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DEFAULT_EXAMPLES = 25
"""The number of cases of an ordinary family, by default."""

MIN_FURTHER_EXAMPLES = 10
"""The minimum number of cases of a further sample."""

PROCESS_PER_CALL_EXAMPLES = 5
"""The default for a candidate that is started for each message."""

FILE_MODES_CAPABILITY = "modes"
"""The pseudo-capability of a candidate to which file modes apply, so that directories can be unreadable."""

SHRINK_ATTEMPTS_PER_CASE, SHRINK_ATTEMPTS_PER_RUN = 120, 400
"""The maximum number of further cases to shrink one failing case, and in a whole run."""

_ENCODE_UPDATE = json.JSONEncoder(default=repr).encode

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
"""Options for a process with an unusual locale, time zone, directory, umask and hash seed."""


@dataclass
class CaseRun:
    """A case whose tree is built at `root`. Results are cached, so every call is made once only.

    `cases`, `calls` and `answers` list all calls so far, in order; `cache` holds results of properties. `further` are
    other calls that only evidence shows, with their results: a repeated call, or one for another tree.
    """

    session: Session
    family: CaseFamily
    case: Case
    root: bytes
    cases: list[Case] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    answers: list[CallResult] = field(default_factory=list)
    cache: dict[str, Any] = field(default_factory=dict)
    watches_changes: bool = True
    """Whether the state before the first call is kept for `changes`, which takes longer than many calls."""
    broken_call: Call | None = None
    """The last call at which the candidate broke."""
    further: list[tuple[Call, CallResult]] = field(default_factory=list)
    requested_index: int | None = None
    """The index of the answer that was requested last, in `answers` and then `further`; None before the first one."""
    _indexes: dict[Hashable, int] = field(default_factory=dict)
    _faults: dict[Hashable, CandidateFault] = field(default_factory=dict)
    _before: Snapshot | None = None
    _judgements: dict[int, ModelJudgement | Unmodelled] = field(default_factory=dict)

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of the case and their values."""
        return {"$ROOT": os.fsdecode(self.root), "$OUTSIDE": os.fsdecode(os.path.dirname(self.root))}

    def build_tree(self, order: CreationOrder = LISTED) -> None:
        """Build the tree of the case, and the one beside its root; make its earlier calls before.

        Raises CannotBuild, and CandidateFault for an earlier call.
        """
        names = {name.encode(): os.fsencode(path) for name, path in self.placeholders.items()}
        if self.family.outside:
            build_tree(parse_tree(self.family.outside), os.path.dirname(self.root))
        for earlier in self.case.earlier:
            build_tree(earlier.tree, self.root, order=order, substitutions=names)
            self.session.candidate.circuit_breaker.subject = self._subject
            self.session.call(self.build_call(earlier))
            require_own_places(self.root)
            left = remove_entries(self.root)
            if left:
                raise CannotBuild(left[0])
        build_tree(self.case.tree, self.root, order=order, substitutions=names)

    def build_call(self, case: Case) -> Call:
        """Return the call of a case on this tree."""
        root = os.fsdecode(self.root)
        context = {"roots": [root], "working_dir": root, **expand(dict(case.context), self.placeholders)}
        return Call(case.tool, expand(case.arguments, self.placeholders), context)

    def call_candidate(self, update: CaseUpdate | None = None, adapter: Adapter | None = None) -> CallResult:
        """Return the candidate's answer to the case, or to an updated case.

        Raises CandidateFault, the same one each time, and NotVerified if the call is not made because of faults.
        """
        key = (id(adapter), _update_key(update))
        if key in self._faults:
            raise self._faults[key]
        if key not in self._indexes:
            case = self.case.with_update(update) if update else self.case
            call = self.build_call(case)
            try:
                answer = self._send(call, adapter)
            except CandidateFault as fault:
                self._faults[key] = fault
                raise
            self._indexes[key] = len(self.answers)
            self.cases.append(case)
            self.calls.append(call)
            self.answers.append(answer)
        self.requested_index = self._indexes[key]
        return self.answers[self.requested_index]

    def call_again(self, call: Call) -> CallResult:
        """Return the candidate's answer to one more call, which the model does not judge. Raises CandidateFault."""
        answer = self._send(call)
        self._add_further(call, answer)
        return answer

    def add_calls_of(self, other: CaseRun) -> None:
        """Add the calls of a run on another tree as further ones, with this root in place of the other."""
        names = {own: other.placeholders[name] for name, own in self.placeholders.items()}
        for call, answer in zip(other.calls, other.answers, strict=True):
            moved = replace(call, arguments=scrub(call.arguments, names), context=scrub(call.context, names))
            texts = (scrub(answer.content, names), scrub(answer.error_message, names))
            self._add_further(moved, replace(answer, content=texts[0], error_message=texts[1]))

    def _add_further(self, call: Call, answer: CallResult) -> None:
        self.further.append((call, answer))
        self.requested_index = len(self.answers) + len(self.further) - 1

    def _send(self, call: Call, adapter: Adapter | None = None) -> CallResult:
        if self._before is None and self.watches_changes:
            self._before = take_snapshot(os.path.dirname(self.root))
        self.session.candidate.circuit_breaker.subject = self._subject
        try:
            return self.session.call(call, adapter)
        except CandidateFault:
            self.broken_call = call
            raise

    def _subject(self) -> Subject:
        return Subject("random cases", unusual_kinds(self.case.tree))

    def judge(self, model: Model, accepted: AcceptedReadings, update: CaseUpdate | None = None) -> ModelJudgement:
        """Compare the answer to the case, or to an updated case, with the model.

        Raises CandidateFault and Unmodelled.
        """
        self.call_candidate(update)
        assert self.requested_index is not None
        return self.judge_answer(self.requested_index, model, accepted)

    def judge_answer(self, index: int, model: Model, accepted: AcceptedReadings) -> ModelJudgement:
        """Compare one of `answers` with the model; the result is kept. Raises Unmodelled."""
        if index not in self._judgements:
            try:
                case = replace(self.cases[index], outside=_parse_outside(self.family.outside))
                exchange = Exchange(case, self.answers[index], call=self.calls[index])
                self._judgements[index] = model.judge(exchange, accepted)
            except Unmodelled as why:  # found after hundreds of combinations of readings, and each property needs it
                self._judgements[index] = why
        judgement = self._judgements[index]
        if isinstance(judgement, Unmodelled):
            raise judgement
        return judgement

    def failing_scenario(self, model: Model, accepted: AcceptedReadings) -> str:
        """Return the steps of a scenario for an answer with a finding; "" if there is none.

        The answer that was requested last comes first, then the others in order.
        """
        for index in sorted(range(len(self.answers)), key=lambda index: index != self.requested_index):
            with contextlib.suppress(Unmodelled):
                if self.judge_answer(index, model, accepted).findings:
                    return "\n".join(model.scenario_steps(self.cases[index], self.family.outside))
        return ""

    def call_judgement(self, index: int, model: Model, accepted: AcceptedReadings, scenario: str = "") -> CallJudgement:
        """Return the judgement of one of `answers`, with the evidence of a record. Raises Unmodelled."""
        judgement = self.judge_answer(index, model, accepted)
        call, answer = self.calls[index], self.answers[index]
        evidence = evidence_of_call(call, answer, self.placeholders, self.session.workspace)
        trees = {"tree": render_tree(self.case.tree)}
        if self.family.outside:
            trees["outside"] = self.family.outside
        if scenario:
            evidence["scenario"] = truncate(scenario)
        alternatives = judgement.alternatives or (Alternative({}, judgement.findings),)
        return CallJudgement(index + 1, alternatives=alternatives[:MAX_ALTERNATIVES], evidence={**trees, **evidence})

    def changes(self) -> list[str]:
        """Return the changes that the calls have made on the disk, as texts."""
        outside = os.path.dirname(self.root)
        return diff_snapshots(self._before, take_snapshot(outside)) if self._before is not None else []

    @contextlib.contextmanager
    def rebuilt(self, order: CreationOrder = LISTED, tree: Tree | None = None) -> Iterator[CaseRun]:
        """Build the tree again in another creation order, or another tree, and remove it afterwards.

        Raises CannotBuild.
        """
        case = self.case if tree is None else replace(self.case, tree=tree)
        rebuilt_run = CaseRun(self.session, self.family, case, self.session.workspace.create_sandbox("rebuilt"))
        try:
            rebuilt_run.build_tree(order)
            yield rebuilt_run
        finally:
            self.session.workspace.remove_sandbox(rebuilt_run.root)


class CaseSamples:
    """The cases that all properties of a run share, generated per family at the first use.

    Trees of a sample remain as long as the workspace; cases of a family with a fixed tree share one copy.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.model = load_model(session.pack)
        ids = {entry.id for entry in session.pack.interpretations} & self.model.interpretations
        self.accepted_readings: AcceptedReadings = {id: session.accepted_readings(id) for id in ids}
        self.respects_file_modes = session.candidate.adapter.respects_file_modes and session.host.supports("drop_caps")
        capabilities = {
            *session.candidate.initialize_result.capabilities,
            *session.candidate.initialize_result.tools,
            *([FILE_MODES_CAPABILITY] if self.respects_file_modes else []),
        }
        self.families = {family.name: family for family in self.model.families(frozenset(capabilities))}
        self._altered_adapter: Adapter | None = None
        self.shrink_attempts_left = SHRINK_ATTEMPTS_PER_RUN if session.policy.minimises else 0
        self.built_count = 0
        """The number of cases whose tree was built."""
        self.build_errors: list[CannotBuild] = []
        """The errors of the other cases."""
        self.cache: dict[str, Any] = {}
        """Results that properties have computed from all cases."""
        self._case_runs: dict[str, dict[str, CaseRun]] = {}
        self._shared_roots: dict[str, bytes] = {}

    @property
    def all_family_names(self) -> frozenset[str]:
        """The names of the families for a candidate that has every tool and capability of the pack."""
        tools = self.session.pack.tools
        capabilities = {
            FILE_MODES_CAPABILITY,
            *(tool.name for tool in tools),
            *(one for tool in tools for one in tool.capabilities),
        }
        return frozenset(family.name for family in self.model.families(frozenset(capabilities)))

    @classmethod
    def for_session(cls, session: Session) -> CaseSamples:
        """Return the samples of a session, always the same object."""
        return session.shared(cls)

    def case_runs(self, name: str) -> list[CaseRun]:
        """Return the built cases of a family, without those that this host cannot build."""
        if name not in self._case_runs:
            family = self.families[name]
            cases = self.draw_cases(family)
            self._case_runs[name] = {}
            for case in cases:
                with self._count_builds():
                    self._case_runs[name].setdefault(_case_key(case), self._build_run(family, case))
        return list(self._case_runs[name].values())

    def further_runs(self, name: str, round: int) -> Iterator[CaseRun]:
        """Yield the cases of another sample of the family; each is built, and removed before the next one."""
        family = self.families[name]
        for case in self.draw_cases(family, round):
            with self._count_builds(), self.temporary_run(family, case) as run:
                yield run

    @contextlib.contextmanager
    def _count_builds(self) -> Iterator[None]:
        """Count the case as built, or keep the error and skip the case."""
        try:
            yield
            self.built_count += 1
        except CannotBuild as error:
            self.build_errors.append(error)

    def draw_cases(self, family: CaseFamily, round: int = 0) -> list[Case]:
        """Generate the cases of a family; rounds after 0 are other samples of at least MIN_FURTHER_EXAMPLES cases."""
        from treeproof.search.generation import sample  # hypothesis takes a while to import

        if not family.relative_size:
            return []
        examples = self.example_count(family) if round == 0 else max(MIN_FURTHER_EXAMPLES, self.example_count(family))
        return sample(self.strategy(family), seed=self.session.policy.seed + round, examples=examples)

    def strategy(self, family: CaseFamily) -> SearchStrategy[Case]:
        """Return the hypothesis strategy for the cases of a family on this host."""
        from treeproof.search.strategies import cases, restrict_family_to_host

        return cases(self.model.tool, restrict_family_to_host(family, self.session.host))

    def example_count(self, family: CaseFamily) -> int:
        """Return the number of cases of a family."""
        # A candidate of kind command needs one process per call.
        usual = PROCESS_PER_CALL_EXAMPLES if self.session.candidate.adapter.kind == "command" else DEFAULT_EXAMPLES
        return max(1, round((self.session.policy.examples or usual) * family.relative_size))

    def findings(self, case_run: CaseRun) -> Iterator[Finding]:
        """Yield the findings of the model in all answers of a case so far."""
        return (found for found, _ in self.findings_with_answers(case_run))

    def findings_with_answers(self, case_run: CaseRun) -> Iterator[tuple[Finding, int]]:
        """Yield the same findings, each with the index of its answer."""
        for index in range(len(case_run.answers)):
            with contextlib.suppress(Unmodelled):
                for found in case_run.judge_answer(index, self.model, self.accepted_readings).findings:
                    yield found, index

    def find_minimal_case(self, family: CaseFamily, fails: Callable[[CaseRun], bool]) -> Case | None:
        """Return the smallest failing case that is found; the search begins with the sample.

        A run has a limited number of attempts; without any left, return the smallest failing case of the sample.
        """
        from treeproof.search.generation import find_minimal

        cost = 5 if self.session.candidate.adapter.kind == "command" else 1
        attempts = min(SHRINK_ATTEMPTS_PER_CASE // cost, self.shrink_attempts_left)
        if attempts <= 0:
            failing = (run.case for run in self.case_runs(family.name) if fails(run))
            return min(failing, key=lambda case: case.weight, default=None)

        def fails_when_built(case: Case) -> bool:
            self.shrink_attempts_left -= cost
            existing = self._case_runs.get(family.name, {}).get(_case_key(case))
            if existing is not None:
                return fails(existing)
            try:
                with self.temporary_run(family, case) as run:
                    return fails(run)
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
        """Return the candidate in a process with ALTERED_PROCESS_OPTIONS, which must not change its answers.

        Raises CandidateFault, and NotVerified if no such process can be started. `close` stops it.
        """
        if self._altered_adapter is None:
            self._altered_adapter = self.session.spawn(ALTERED_PROCESS_OPTIONS)
        return self._altered_adapter

    def close(self) -> None:
        """Stop the process of `altered_adapter`."""
        if self._altered_adapter is not None:
            self._altered_adapter.close()
            self._altered_adapter = None

    @contextlib.contextmanager
    def temporary_run(self, family: CaseFamily, case: Case) -> Iterator[CaseRun]:
        """Build a case, and remove it afterwards unless other cases share its tree. Raises CannotBuild."""
        run = self._build_run(family, case)
        try:
            yield run
        finally:
            if not _shares_tree(family, case):
                self.session.workspace.remove_sandbox(run.root)

    def _build_run(self, family: CaseFamily, case: Case) -> CaseRun:
        if family.name in self._shared_roots and _shares_tree(family, case):
            return CaseRun(self.session, family, case, self._shared_roots[family.name])
        run = CaseRun(self.session, family, case, self.session.workspace.create_sandbox(f"{family.name} case"))
        run.build_tree()
        if _shares_tree(family, case):
            self._shared_roots[family.name] = run.root
        return run


@cache
def _parse_outside(notation: str) -> Tree:
    return parse_tree(notation)


def _shares_tree(family: CaseFamily, case: Case) -> bool:
    """Return whether a case uses the one copy of its family's fixed tree."""
    return isinstance(family.tree, Tree) and not case.earlier


def _update_key(update: CaseUpdate | None) -> str:
    """Return a key for an update with any JSON values; distinguishes true from 1."""
    return _ENCODE_UPDATE([*update.items()]) if update else ""


def _case_key(case: Case) -> str:
    return json.dumps(case.to_json())
