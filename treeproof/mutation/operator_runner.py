"""Applies the operators of a pack to the calls of the reference, in a worker. The model judges each changed call."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from treeproof.errors import UsageError
from treeproof.model.case import Exchange, Operator
from treeproof.mutation.operator_report import Miss, OperatorResult
from treeproof.mutation.pack_runner import PackRunner, has_call
from treeproof.run.call_judge import CallJudge
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session
from treeproof.spec import Pack
from treeproof.spec.entry_points import load_entry_point
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.version_features import scenarios_of
from treeproof.verdict.attribution import nearest, shared_readings
from treeproof.verdict.finding import CallJudgement

_MAX_ANSWER = 200_000
"""The characters of the longest answer that is changed: a change of one of ten thousand entries shows nothing more."""


def load_operators(pack: Pack) -> Sequence[Operator]:
    """Return the table of a pack, empty without one. Raises UsageError for what is no table."""
    if pack.operators is None:
        return ()
    place = f"{pack.pack_file}: operators: {pack.operators}"
    found = load_entry_point(pack.pack_file, "operators", pack.operators)
    if not isinstance(found, Sequence) or not all(isinstance(one, Operator) for one in found):
        raise UsageError(f"{place} is no sequence of operators; write a tuple of treeproof.api.Operator")
    known, names = {one.id for one in pack.requirements} | pack.ids_of_other_versions, set[str]()
    for operator in found:
        if operator.name in names:
            raise UsageError(f"{place}: two operators have the name {operator.name!r}; name one of them otherwise")
        names.add(operator.name)
        if unknown := sorted(operator.requirements - known):
            raise UsageError(f"{place}: {operator.name}: there is no requirement {unknown[0]}; name one of the pack")
        if not operator.requirements:
            raise UsageError(f"{place}: {operator.name}: no requirements; name those that the change breaks")
    return found


class OperatorRunner(PackRunner):
    """Applies the operators of one pack to the answers in some of its scenarios."""

    def run(self, id: str, scenarios: Sequence[str]) -> OperatorResult:
        """Return what the model finds of the changes of the calls in ``scenarios``."""
        began = time.perf_counter()
        operators = load_operators(self._pack)
        applied, missed, excused = Counter[str](), list[Miss](), Counter[tuple[str, str]]()
        with self.open_session(self._reference, Session) as session:
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
                    is_right = is_right and len(exchange.answer.content or "") <= _MAX_ANSWER
                    key = hashlib.sha256(repr(exchange).encode("utf-8", "backslashreplace")).digest()
                    if is_right and key not in seen:
                        seen.add(key)
                        yield case.id, exchange, judgement


def cases_with_calls(pack: Pack) -> list[ScenarioCase]:
    """Return the scenarios of which the calls are judged one by one, without properties and simulated platforms."""
    return [case for case in scenarios_of(pack) if case.simulated is None and has_call(case)]


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
