"""Runs the scenarios of a pack against mutants, in a worker, until the result is certain.

Scenarios that cannot change a verdict do not run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from treeproof.candidate import CandidateFault
from treeproof.mutation.mutant_report import MutantResult
from treeproof.mutation.pack_runner import PackRunner, has_call
from treeproof.run.interrupts import Interrupts
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.scenario_runner import run_scenario
from treeproof.run.session import Session, StepRegistry
from treeproof.run.targets import mutant_target
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.mutants import load_kills
from treeproof.tree import Host
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord
from treeproof.verdict.judge import resolve_alone
from treeproof.verdict.spec_result import Verdict

_STOP_OUTCOMES = {
    True: frozenset({Outcome.FAILED, Outcome.FAULT, Outcome.NOT_VERIFIED}),
    False: frozenset({Outcome.FAILED}),
}
"""The outcomes that end a requirement: for a null candidate, those that keep it from passing."""


_FIRST_BATCH = 32
"""So many scenarios run before the records are judged again; then twice as many, because a judgement takes long."""

_WITHOUT_VERDICT = (Outcome.FAULT, Outcome.NOT_VERIFIED)


class MutantRunner(PackRunner):
    """Runs the scenarios of one pack against mutants, one mutant after the other."""

    def __init__(self, pack: Pack, host: Host, interrupts: Interrupts, registry: StepRegistry) -> None:
        super().__init__(pack, host, interrupts, registry)
        self._kills = load_kills(pack)
        self._seconds: dict[str, float] = {}
        """The time of each scenario that did not fail: a failure may end early."""

    def run(self, id: str, requirements: Iterable[str], *, is_null_candidate: bool) -> MutantResult:
        """Return the result of a mutant from the scenarios of ``requirements`` (empty: all).

        The scenario that killed the mutant last runs first. A requirement ends with its first scenario that fails; for
        a null candidate, with the first that does not pass.
        """
        began = time.perf_counter()
        requirements = frozenset(requirements)
        # A finding fails the requirement that it names in any scenario.
        wanted = frozenset() if is_null_candidate else self._with_restated(requirements)
        records: list[ScenarioRecord] = []
        evidence: Mapping[str, str] = {}
        fault = ""
        stop_outcomes = _STOP_OUTCOMES[is_null_candidate]
        if not requirements and not is_null_candidate:
            stop_outcomes = frozenset()  # any scenario can have a finding on any requirement
        try:
            with self.open_session(mutant_target(self._pack, id), Session) as session:
                first = self._kills.get(id)
                own = [case for case in self._cases if not wanted or case.requirement in wanted or case.id == first]
                records = self._run_scenarios(session, own, stop_outcomes, first, wanted)
                # Alone, a finding may be attributed to a wanted requirement, or to another, and beside others not.
                ran = {record.id for record in records}
                rest = self.cheapest_first(case for case in self._cases if case.id not in ran)
                rest.sort(key=lambda case: case.requirement not in wanted)
                count = _FIRST_BATCH
                while wanted and rest and not wanted & _failed(self._judge_strictly(records, {})):
                    records += self._run_scenarios(session, rest[:count], frozenset())
                    rest, count = rest[count:], count * 2
                evidence = PositiveEvidence.for_session(session).finish()
        except CandidateFault as error:
            fault = f"it did not start: {error}"
        unable = (one for one in records if one.outcome in _WITHOUT_VERDICT and one.requirement in wanted)
        fault = fault or next((f"{one.id} has no verdict: {one.evidence.cause}" for one in unable), "")
        judgement = self._judge_strictly(records, evidence)
        return MutantResult(
            id=id,
            failed=_failed(judgement),
            passed=frozenset(one.id for one in judgement.requirements if one.verdict is Verdict.PASS),
            whole_suite=not requirements,
            seconds=time.perf_counter() - began,
            scenarios=tuple(sorted(record.id for record in judgement.records if _kills(record))),
            fault=fault,
        )

    def _run_scenarios(
        self,
        session: Session,
        cases: Iterable[ScenarioCase],
        stop_outcomes: frozenset[Outcome],
        first: str | None = None,
        wanted: frozenset[str] = frozenset(),
    ) -> list[ScenarioRecord]:
        """Run the scenarios: the one with the id ``first``, then the fast ones before the slow ones.

        A requirement ends with its first outcome in ``stop_outcomes``, or with a finding in the scenario of any. If
        requirements are ``wanted``, their scenarios come before others, and nothing runs once one of them has ended.
        """
        records = []
        decided: set[str] = set()

        def rank(case: ScenarioCase) -> tuple[bool, bool]:
            return case.id != first, bool(wanted) and case.requirement not in wanted

        for case in sorted(self.cheapest_first(cases), key=rank):
            if wanted & decided:
                break
            if case.requirement not in decided:
                record = run_scenario(session, case)
                self.keep_time(record)
                records.append(record)
                alone = resolve_alone(session.pack, record, Profile.STRICT)
                if alone.outcome in stop_outcomes:
                    decided.add(case.requirement)
                if stop_outcomes:
                    decided |= {finding.requirement for finding in alone.findings if finding.decides}
        return records

    def keep_time(self, record: ScenarioRecord) -> None:
        """Keep the time of a scenario unless it failed."""
        if record.outcome is not Outcome.FAILED:
            self._seconds[record.id] = record.seconds

    def cheapest_first(self, cases: Iterable[ScenarioCase]) -> list[ScenarioCase]:
        """Return the cases in the order of their times; those without a When make many calls and come last."""
        return sorted(cases, key=lambda case: (not has_call(case), self._seconds.get(case.id, 0.0)))

    def _judge_strictly(self, records: list[ScenarioRecord], evidence: Mapping[str, str]) -> PackJudgement:
        # A warning beyond the document detects a mutant as well.
        return self._judge(records, evidence, Profile.STRICT)

    def _with_restated(self, requirements: frozenset[str]) -> frozenset[str]:
        return frozenset(one.restates or one.id for one in self._pack.requirements if one.id in requirements)


def _failed(judgement: PackJudgement) -> frozenset[str]:
    """Return the requirements that fail; scenarios of those that findings fail need not be among the ones that ran."""
    by_verdict = {one.id for one in judgement.requirements if one.verdict is Verdict.FAIL}
    return frozenset(by_verdict.union(*(_blamed(record) for record in judgement.records)))


def _blamed(record: ScenarioRecord) -> set[str]:
    return {finding.requirement for finding in record.findings if finding.decides}


def _kills(record: ScenarioRecord) -> bool:
    return record.outcome is Outcome.FAILED or bool(_blamed(record))
