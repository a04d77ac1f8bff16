"""The judgement of each call of a scenario by the model of its pack: the only place where it becomes a case."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from treeproof.candidate import Call, CallResult
from treeproof.model.case import AcceptedReadings, Case, Exchange, Unmodelled
from treeproof.model.checked_model import load_model
from treeproof.run.call_builder import CallBuilder, placeholders_of
from treeproof.run.fixture import Fixture
from treeproof.run.placeholders import scrub
from treeproof.run.scenario_state import FaultInjection
from treeproof.run.session import Session
from treeproof.tree import Tree
from treeproof.verdict.finding import (
    MAX_ALTERNATIVES,
    MAX_EXPLANATIONS,
    MAX_FINDINGS,
    Alternative,
    CallJudgement,
    Finding,
    ModelJudgement,
)

CHANGED_TREE = "the call changed the file system"
"""The kind of a finding of the runner itself: a tool without side effects has changed the tree."""


class JudgedScenario(Protocol):
    """The parts of a World from which a case is made."""

    session: Session
    fixture: Fixture
    call_builder: CallBuilder
    faults: FaultInjection


class CallJudge:
    """The model of a session's pack, with the readings that the run accepts. Sessions share it among scenarios."""

    def __init__(self, session: Session) -> None:
        pack = session.pack
        self._model = load_model(pack)
        self._accepted: AcceptedReadings = {
            one.id: session.accepted_readings(one.id)
            for one in pack.interpretations
            if one.id in self._model.interpretations
        }
        self._inapplicable = frozenset(
            one.id
            for one in pack.requirements
            if one.capability is not None and not session.offers_capability(one.capability)
        )
        self._escapes = frozenset(one.id for one in pack.requirements if one.harm == "escape")
        self._shares_root = bool(getattr(session.candidate.adapter, "shares_root", False))

    @classmethod
    def for_session(cls, session: Session) -> CallJudge:
        """Return the judge of a session, always the same object."""
        return session.shared(cls)

    @property
    def interpretations(self) -> frozenset[str]:
        """The ids of the interpretations that the model can read in more than one way."""
        return self._model.interpretations

    def judge(self, scenario: JudgedScenario, call: Call, answer: CallResult, number: int) -> CallJudgement:
        """Return the judgement of an answer; a call that it does not model has the reason."""
        try:
            case = case_of_call(scenario, call)
            judgement = self._applicable(self._model.judge(Exchange(case, answer), self._accepted))
        except Unmodelled as why:
            return CallJudgement(number, not_modelled=str(why) or "the document does not determine this case")
        if not judgement.findings:
            return CallJudgement(number, explanations=tuple(judgement.explanations[:MAX_EXPLANATIONS]))
        if self._shares_root and any(one.requirement in self._escapes for one in judgement.findings):
            return CallJudgement(number, not_modelled="the server's root is the whole run's, so nothing is outside")
        return CallJudgement(number, alternatives=judgement.alternatives)

    def _applicable(self, judgement: ModelJudgement) -> ModelJudgement:
        """Return the judgement without findings of rules that do not apply to this candidate.

        An outcome that differs in nothing else explains the answer.
        """
        given = judgement.alternatives or (Alternative({}, judgement.findings),)
        if not judgement.findings:
            return replace(judgement, explanations=judgement.explanations or (judgement.observed_readings,))
        kept = [
            Alternative(one.readings, tuple(f for f in one.findings if f.requirement not in self._inapplicable))
            for one in given
        ]
        if right := [one.readings for one in kept if not one.findings]:
            return ModelJudgement(explanations=tuple(right))
        shown = tuple(replace(one, findings=one.findings[:MAX_FINDINGS]) for one in kept[:MAX_ALTERNATIVES])
        return ModelJudgement(shown[0].findings, alternatives=shown)


def case_of_call(scenario: JudgedScenario, call: Call) -> Case:
    """Return a call as the model sees it, with placeholders for the paths of the run. Raises Unmodelled."""
    fixture = scenario.fixture
    if scenario.faults.race:
        raise Unmodelled("the tree changes while the call runs")
    if call.arguments_text is not None and _has_twin_members(call.arguments_text):
        raise Unmodelled("the arguments have a member twice")
    roots = call.context.get("roots")
    first = os.fsencode(roots[0]) if isinstance(roots, list) and roots and isinstance(roots[0], str) else b""
    is_moved = fixture.sandboxes.is_further_root(first)
    names = placeholders_of(first if is_moved else fixture.root)
    context = {key: scrub(value, names) for key, value in call.context.items()}
    for member, usual in (("roots", ["$ROOT"]), ("working_dir", "$ROOT")):
        if context.get(member) == usual:
            del context[member]
    outside = Tree(()) if is_moved else fixture.outside_tree
    return Case(call.tool, fixture.tree, scrub(call.arguments, names), context, outside=outside)


def changed_tree(requirement: str, changes: Sequence[str], number: int) -> CallJudgement:
    """Return the judgement of a call that has changed the tree, although its tool may not."""
    # What came or went shows more than the time of the directory that it was in.
    shown = min(changes, key=lambda change: (not change.endswith((": appeared", ": vanished")), change[:2] == ".:"))
    got = "\n".join(changes[:20])
    message = f"{CHANGED_TREE}: {shown}"
    finding = Finding(requirement, message, "no change", got, stage="effect", kind=CHANGED_TREE)
    return CallJudgement(number, alternatives=(Alternative({}, (finding,)),))


def _has_twin_members(text: str) -> bool:
    found = False

    def collect(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found = found or len(dict(pairs)) < len(pairs)

    try:
        json.loads(text, object_pairs_hook=collect)
    except (ValueError, RecursionError):
        return False
    return found
