"""The judgement of each call of a scenario by the model of its pack: the only place where it becomes a case."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from treeproof.candidate import Call, CallResult
from treeproof.model.case import NO_ANSWER, AcceptedReadings, Case, Exchange, Unmodelled
from treeproof.model.checked_model import load_judge
from treeproof.model.placeholders import placeholders_of, scrub
from treeproof.model.spelling import check_spelling, folds_names
from treeproof.run.call_builder import CallBuilder
from treeproof.run.sandbox import Sandbox, with_placeholders
from treeproof.run.scenario_state import EffectRecorder, FaultInjection
from treeproof.run.session import Session
from treeproof.spec import Requirement
from treeproof.tree import ROOT_NAME, Tree, by_path, from_paths, subtree
from treeproof.verdict.attribution import shared_readings
from treeproof.verdict.finding import (
    MAX_ALTERNATIVES,
    MAX_EXPLANATIONS,
    MAX_FINDINGS,
    Alternative,
    CallJudgement,
    Finding,
    ModelJudgement,
    Readings,
)

CHANGED_TREE = "the call changed the file system"
"""The kind of a finding of the runner itself: a tool without side effects has changed the tree."""


class JudgedScenario(Protocol):
    """The parts of a World from which a case is made."""

    session: Session
    sandbox: Sandbox
    call_builder: CallBuilder
    effects: EffectRecorder
    faults: FaultInjection
    exchanges: list[Exchange]


class CallJudge:
    """The model of a session's pack, with the readings that the run accepts. Sessions share it among scenarios."""

    def __init__(self, session: Session) -> None:
        pack = session.pack
        self._model = load_judge(pack)
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
        self.on_judged: Callable[[Exchange, CallJudgement], object] = lambda exchange, judgement: None
        """Receives each call that is a case, with its judgement."""
        self._folds_names = folds_names(session.host)
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
            exchange = exchange_of_call(scenario, call, answer)
            if self._folds_names:
                check_spelling(exchange.case)
        except Unmodelled as why:
            return self._not_modelled(answer, number, why)
        judged = self.judge_exchange(exchange, number)
        self.on_judged(exchange, judged)
        return judged

    def judge_exchange(self, exchange: Exchange, number: int) -> CallJudgement:
        """Return the judgement of a call that is a case already."""
        try:
            judgement = self._applicable(self._model.judge(exchange, self._accepted))
        except Unmodelled as why:
            return self._not_modelled(exchange.answer, number, why)
        if not judgement.findings:
            return CallJudgement(number, explanations=_shown_explanations(judgement.explanations))
        if self._shares_root and any(one.requirement in self._escapes for one in judgement.findings):
            return CallJudgement(number, not_modelled="the server's root is the whole run's, so nothing is outside")
        return CallJudgement(number, alternatives=judgement.alternatives)

    def _not_modelled(self, answer: CallResult, number: int, why: Unmodelled) -> CallJudgement:
        unreadable = None if answer is NO_ANSWER else self._model.find_unreadable(answer)
        if unreadable is not None:
            return CallJudgement(number, alternatives=(Alternative({}, (unreadable,)),))
        return CallJudgement(number, not_modelled=str(why) or "the document does not determine this case")

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


def _shown_explanations(explanations: Sequence[Readings]) -> tuple[Readings, ...]:
    """Return the combinations that explain an answer, without those that another one makes superfluous.

    Too many are shown as the one that all of them share: to leave out some would deny that the answer is right by them.
    """
    kept = [
        one
        for at, one in enumerate(explanations)
        if one not in explanations[:at] and not any(other.items() < one.items() for other in explanations)
    ]
    return tuple(kept) if len(kept) <= MAX_EXPLANATIONS else (shared_readings(kept),)


def exchange_of_call(scenario: JudgedScenario, call: Call, answer: CallResult) -> Exchange:
    """Return a call of a scenario as the model sees it, and keep one that can change the tree. Raises Unmodelled."""
    case = case_of_call(scenario, call)
    effects = scenario.effects
    if not effects.reads_trees:
        return Exchange(case, answer, call=call, root=os.fsdecode(_root_of(scenario, call)))
    if effects.mount_namespace_root:
        raise Unmodelled("a file system is mounted for the process of the candidate alone")
    if _is_moved(scenario, call) or effects.before is None or effects.after is None:
        raise Unmodelled("the call is made for a copy of the tree")
    names = scenario.sandbox.placeholders
    exchange = make_exchange(
        call, answer, effects.before, effects.after, names, scenario.session.pack.context, scenario.exchanges
    )
    scenario.exchanges.append(exchange)
    if exchange.is_answered and scenario.faults.makes_calls_fail:
        raise Unmodelled("a system call of the candidate is made to fail")
    return exchange


def make_exchange(
    call: Call,
    answer: CallResult,
    before: Tree,
    after: Tree,
    names: Mapping[str, str],
    usual_context: Mapping[str, Any],
    earlier: Sequence[Exchange],
) -> Exchange:
    """Return a call of a tool that changes the tree as the model sees it. The trees have paths of the run."""
    first = _without_paths(before, names)
    last = first if after is before else _without_paths(after, names)
    case = _make_case(call, subtree(first, ROOT_NAME), names, usual_context)
    return Exchange(case, answer, first, last, call, tuple(earlier), names["$ROOT"])


def _make_case(call: Call, tree: Tree, names: Mapping[str, str], usual_context: Mapping[str, Any]) -> Case:
    usual = {"roots": ["$ROOT"], "working_dir": "$ROOT", **usual_context}
    context = {key: scrub(value, names) for key, value in call.context.items()}
    unusual = {key: value for key, value in context.items() if key not in usual or value != usual[key]}
    return Case(call.tool, tree, scrub(call.arguments, names), unusual)


def _without_paths(tree: Tree, names: Mapping[str, str]) -> Tree:
    """Return a tree with placeholders in the targets of its links."""
    nodes = by_path(tree)
    if not any(node.target is not None and node.target.startswith(b"/") for node in nodes.values()):
        return tree
    return from_paths({path: with_placeholders(node, names) for path, node in nodes.items()})


def case_of_call(scenario: JudgedScenario, call: Call) -> Case:
    """Return a call as the model sees it, with placeholders for the paths of the run. Raises Unmodelled."""
    sandbox = scenario.sandbox
    if scenario.faults.race:
        raise Unmodelled("the tree changes while the call runs")
    if sandbox.roots.requires_folding:
        raise Unmodelled("names that differ in case or normalisation are one name here")
    if call.arguments_text is not None and _has_twin_members(call.arguments_text):
        raise Unmodelled("the arguments have a member twice")
    names = placeholders_of(_root_of(scenario, call))
    case = _make_case(call, sandbox.tree, names, scenario.session.pack.context)
    return case if _is_moved(scenario, call) else replace(case, outside=sandbox.outside_tree)


def _root_of(scenario: JudgedScenario, call: Call) -> bytes:
    """Return the directory that contains the tree of a call."""
    return _first_root(call) if _is_moved(scenario, call) else scenario.sandbox.root


def _is_moved(scenario: JudgedScenario, call: Call) -> bool:
    """Return whether a call is made for a copy of the tree, in another sandbox root."""
    return scenario.sandbox.roots.is_further_root(_first_root(call))


def _first_root(call: Call) -> bytes:
    roots = call.context.get("roots")
    return os.fsencode(roots[0]) if isinstance(roots, list) and roots and isinstance(roots[0], str) else b""


def changed_tree(requirement: Requirement, changes: Sequence[str], number: int, *, is_lost: bool) -> CallJudgement:
    """Return the judgement of a call that has changed the tree, although its tool may not."""
    got = "\n".join(changes[:20])
    message = describe_changes(changes)
    finding = Finding(requirement.id, message, "no change", got, kind=CHANGED_TREE, harm="data" if is_lost else None)
    return CallJudgement(number, alternatives=(Alternative({}, (finding,)),))


def describe_changes(changes: Sequence[str]) -> str:
    """Return that a call has changed the tree, with what came or went rather than the time of a directory."""
    shown = min(changes, key=lambda change: (not change.endswith((": appeared", ": vanished")), change[:2] == ".:"))
    return f"{CHANGED_TREE}: {shown}"


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
