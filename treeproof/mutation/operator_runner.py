"""Applies the operators of a pack to the calls of the reference, in a worker. The model judges each changed call."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from treeproof.model.case import Exchange
from treeproof.model.operators import Operator, load_operators
from treeproof.mutation.mutant_session import open_session
from treeproof.mutation.operator_report import Miss, OperatorResult
from treeproof.run.call_judge import CallJudge
from treeproof.run.connected_candidate import Environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session, StepRegistry
from treeproof.run.targets import resolve_target
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.version_features import scenarios_of
from treeproof.tree import Host, Workspace
from treeproof.verdict.finding import CallJudgement
from treeproof.verdict.run_findings import nearest, shared_readings


class OperatorRunner:
    """Applies the operators of one pack to the answers in some of its scenarios."""

    def __init__(self, pack: Pack, host: Host, interrupts: Interrupts, registry: StepRegistry) -> None:
        self._pack, self._host, self._interrupts, self._registry = pack, host, interrupts, registry

    def run(self, id: str, scenarios: Sequence[str]) -> OperatorResult:
        """Return what the model finds of the changes of the calls in ``scenarios``."""
        began = time.perf_counter()
        operators = load_operators(self._pack)
        reference = resolve_target("reference", reference=self._pack.reference, folder=self._pack.folder)
        applied, missed, excused = Counter[str](), list[Miss](), Counter[tuple[str, str]]()
        with Workspace.create() as workspace:
            environment = Environment(workspace, self._host, self._interrupts)
            with open_session(self._pack, reference, environment, self._registry, Session) as session:
                judge = CallJudge.for_session(session)
                for scenario, exchange, judgement in self._recorded(session, judge, scenarios):
                    for operator in operators:
                        changed = operator.change(exchange)
                        if changed is None or _is_equal(changed, exchange):
                            continue
                        applied[operator.name] += 1
                        found = judge.judge_exchange(changed, judgement.number)
                        cause = why_wrong(operator, judgement, found)
                        reason = operator.reason(exchange, changed) if cause else ""
                        if reason:
                            excused[operator.name, reason] += 1
                        elif cause:
                            missed.append(Miss(operator.name, scenario, judgement.number, cause))
        reasons = [(*key, count) for key, count in sorted(excused.items())]
        return OperatorResult(id, dict(applied), missed, reasons, time.perf_counter() - began)

    def _recorded(
        self, session: Session, judge: CallJudge, scenarios: Sequence[str]
    ) -> Iterator[tuple[str, Exchange, CallJudgement]]:
        """Yield the answered calls that the model finds right, each of them once."""
        seen: set[bytes] = set()
        calls: list[tuple[Exchange, CallJudgement]] = []
        judge.on_judged = lambda exchange, judgement: calls.append((exchange, judgement))
        for case in cases_with_calls(self._pack):
            if case.id in scenarios:
                calls.clear()
                run_scenario(session, case)
                for exchange, judgement in tuple(calls):
                    is_right = exchange.is_answered and not (judgement.alternatives or judgement.not_modelled)
                    key = hashlib.sha256(repr(exchange).encode("utf-8", "backslashreplace")).digest()
                    if is_right and key not in seen:
                        seen.add(key)
                        yield case.id, exchange, judgement


def cases_with_calls(pack: Pack) -> list[ScenarioCase]:
    """Return the scenarios of which the calls are judged one by one, without properties and simulated platforms."""
    return [
        case
        for case in scenarios_of(pack)
        if case.simulated is None and any(step.keyword_type == "when" for step in case.steps)
    ]


def _is_equal(changed: Exchange, recorded: Exchange) -> bool:
    one, other = changed.answer, recorded.answer
    is_equal = (one.status, one.content, one.error_kind) == (other.status, other.content, other.error_kind)
    return is_equal and changed.after == recorded.after


def why_wrong(operator: Operator, recorded: CallJudgement, found: CallJudgement) -> str:
    """Return why the judgement of a changed call is not the one of the table; an empty text if it is.

    A change that makes the answer that of another accepted reading is right.
    """
    if found.not_modelled:
        return f"not judged: {found.not_modelled}"
    shown = shared_readings(recorded.explanations)
    if not found.alternatives:
        is_by_same = any(one in recorded.explanations for one in found.explanations)
        return "not found" if is_by_same or not found.explanations else ""
    outcome = nearest(found, {id: frozenset({label}) for id, label in shown.items()})
    named = {finding.requirement for finding in outcome.findings} if outcome is not None else set()
    wrong = sorted(named - operator.requirements)
    return f"names {', '.join(wrong)}" if wrong else ""
