"""A random case on disk: its tree in the workspace, and the calls that a candidate receives for it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from treeproof.candidate import Adapter, Call, CallResult, CandidateFault
from treeproof.model.case import AcceptedReadings, Case, CaseFamily, CaseUpdate, Exchange, Model, Unmodelled
from treeproof.model.placeholders import placeholders_of, scrub
from treeproof.model.spelling import check_spelling, folds_names
from treeproof.run.call_builder import expand
from treeproof.run.candidate_folders import require_own_places
from treeproof.run.circuit_breaker import Subject
from treeproof.run.evidence_collection import evidence_of_call
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
from treeproof.verdict import NotApplicable, NotSent
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.finding import MAX_ALTERNATIVES, Alternative, CallJudgement, ModelJudgement
from treeproof.verdict.plain_text import truncate

if TYPE_CHECKING:
    pass

_ENCODE_UPDATE = json.JSONEncoder(default=repr).encode


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
    tree: Tree = field(init=False)
    """The tree of the case, or that of an earlier call at which the candidate broke."""
    broken_call: Call | None = None
    """The last call at which the candidate broke."""
    further: list[tuple[Call, CallResult]] = field(default_factory=list)
    requested_index: int | None = None
    """The index of the answer that was requested last, in `answers` and then `further`; None before the first one."""
    _indexes: dict[Hashable, int] = field(default_factory=dict)
    _faults: dict[Hashable, CandidateFault] = field(default_factory=dict)
    _earlier_fault: CandidateFault | None = None
    _before: Snapshot | None = None
    _judgements: dict[int, ModelJudgement | Unmodelled] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tree = self.case.tree

    @property
    def placeholders(self) -> dict[str, str]:
        """The placeholders of the case and their values."""
        return placeholders_of(self.root)

    def build_tree(self, order: CreationOrder = LISTED) -> None:
        """Build the tree of the case, and the one beside its root; make its earlier calls before. Raises CannotBuild.

        A candidate that breaks in an earlier call has no later one: each of these raises the same fault.
        """
        names = {name.encode(): os.fsencode(path) for name, path in self.placeholders.items()}
        if self.family.outside:
            build_tree(parse_tree(self.family.outside), os.path.dirname(self.root))
        for earlier in self.case.earlier:
            build_tree(earlier.tree, self.root, order=order, substitutions=names)
            self.session.candidate.circuit_breaker.subject = self._subject
            call = self.build_call(earlier)
            try:
                self.session.call(call)
            except CandidateFault as fault:
                self._earlier_fault, self.broken_call, self.tree = fault, call, earlier.tree
                return
            except (NotApplicable, NotSent):
                pass
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

        Raises CandidateFault, the same one each time, NotVerified if the call is not made because of faults, and
        NotApplicable if the tool lacks an argument.
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
        if self._earlier_fault is not None:
            raise self._earlier_fault
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
                if folds_names(self.session.host):
                    check_spelling(case)
                root = os.fsdecode(self.root)
                exchange = Exchange(case, self.answers[index], call=self.calls[index], root=root)
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
        evidence = evidence_of_call(self.session, call, answer, self.placeholders)
        trees = {"tree": render_tree(self.case.tree)}
        if self.family.outside:
            trees["outside"] = self.family.outside
        if scenario:
            evidence["scenario"] = truncate(scenario)
        alternatives = judgement.alternatives or (Alternative({}, judgement.findings),)
        shown = Evidence.from_json({**trees, **evidence})
        return CallJudgement(index + 1, alternatives=alternatives[:MAX_ALTERNATIVES], evidence=shown)

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


@cache
def _parse_outside(notation: str) -> Tree:
    return parse_tree(notation)


def _update_key(update: CaseUpdate | None) -> str:
    """Return a key for an update with any JSON values; distinguishes true from 1."""
    return _ENCODE_UPDATE([*update.items()]) if update else ""
