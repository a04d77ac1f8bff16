"""The worker of mutation testing: runs the scenarios of a pack against mutants and variants. `task_pool` starts it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from treeproof.candidate import CandidateFault
from treeproof.candidate.orphans import OrphanReaper
from treeproof.mutation.kill_matrix import MutantResult
from treeproof.mutation.mutant_session import NOT_PASSING, ScenarioCosts, open_session, run_scenarios
from treeproof.mutation.variant_worker import VariantRunner
from treeproof.run.connected_candidate import Environment, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import platform_name
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.session import Session
from treeproof.run.step_registry import StepRegistry
from treeproof.run.targets import mutant_target
from treeproof.run.worker_main import ParentConnection
from treeproof.spec import Pack, open_pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.mutants import load_kills
from treeproof.spec.version_features import scenarios_of
from treeproof.tree import Host, Workspace
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord, judge
from treeproof.verdict.judge import Verdict


def work(pack_address: str, parent: ParentConnection) -> None:
    """Run the mutant or variant of each request and send its result. Raises UsageError and KeyboardInterrupt."""
    with open_environment(parent.interrupts) as environment, OrphanReaper():
        # open_pack makes the modules of the folder importable; load_pack only reads it.
        pack = open_pack(pack_address)
        registry = StepRegistry(pack.steps, pack.folder)
        mutants = MutantRunner(pack, environment.host, parent.interrupts, registry)
        variants = VariantRunner(pack, environment.host, parent.interrupts, registry)
        for request in parent.read_requests():
            id = request["id"]
            if request["kind"] == "mutant":
                requirements, is_null = frozenset(request["requirements"]), request["is_null_candidate"]
                parent.send(result=mutants.run_mutant(id, requirements, is_null_candidate=is_null).to_json())
            else:
                scenarios, compare = request["scenarios"], request["compare"]
                parent.send(result=variants.run_variant(id, scenarios, compare=compare).to_json())


class MutantRunner:
    """Runs the scenarios of one pack against mutants, one mutant after the other."""

    def __init__(self, pack: Pack, host: Host, interrupts: Interrupts, registry: StepRegistry) -> None:
        self._interrupts = interrupts
        self._pack = pack
        self._host = host
        self._cases = scenarios_of(pack)
        self._registry = registry
        self._costs = ScenarioCosts()
        self._kills = load_kills(pack)

    def run_mutant(self, id: str, requirements: frozenset[str], *, is_null_candidate: bool) -> MutantResult:
        """Return the result of a mutant from the scenarios of ``requirements`` (empty: all).

        The scenario that killed the mutant last runs first. A requirement ends with its first scenario that fails; for
        a null candidate, with the first that does not pass.
        """
        began = time.perf_counter()
        # A finding fails the requirement that it names in any scenario; lines fail only their own.
        is_whole = self._pack.judged == "whole"
        cases = self._cases_of(requirements) if requirements and not is_whole else self._cases
        wanted = self._with_restated(requirements) if is_whole and not is_null_candidate else frozenset()
        records: list[ScenarioRecord] = []
        evidence: Mapping[str, str] = {}
        fault = ""
        stop_outcomes = NOT_PASSING if is_null_candidate else frozenset({Outcome.FAILED})
        if is_whole and not requirements and not is_null_candidate:
            stop_outcomes = frozenset()  # any scenario can have a finding on any requirement
        try:
            with (
                Workspace.create() as workspace,
                open_session(
                    self._pack,
                    mutant_target(self._pack, id),
                    Environment(workspace, self._host, self._interrupts),
                    self._registry,
                    Session,
                ) as session,
            ):
                records = run_scenarios(session, cases, self._costs, stop_outcomes, self._kills.get(id), wanted)
                if not requirements and not is_null_candidate:
                    further = _after_blocked(cases, records, self._judge(cases, records))
                    records += run_scenarios(session, further, self._costs, frozenset())
                evidence = PositiveEvidence.for_session(session).finish()
        except CandidateFault as error:
            fault = str(error)
        judgement = self._judge(cases, records, evidence)
        verdicts = {found.id: found.verdict for found in judgement.requirements}
        return MutantResult(
            id=id,
            failed=frozenset(v for v, verdict in verdicts.items() if verdict is Verdict.FAIL),
            passed=frozenset(v for v, verdict in verdicts.items() if verdict is Verdict.PASS),
            whole_suite=not requirements,
            seconds=time.perf_counter() - began,
            scenarios=tuple(sorted(record.id for record in judgement.records if _kills(record))),
            fault=fault,
            named=frozenset(id for record in records for id in _named_by(record)),
        )

    def _judge(
        self,
        cases: Sequence[ScenarioCase],
        records: Sequence[ScenarioRecord],
        evidence: Mapping[str, str] | None = None,
    ) -> PackJudgement:
        """Return the judgement of records that are all of ``cases``."""
        return judge(
            self._pack,
            records,
            platform=platform_name(),
            selected=frozenset(record.id for record in records),
            expected={case.id: case.requirement for case in cases},
            profile=Profile.STRICT,  # a warning beyond the document detects a mutant as well
            evidence=evidence,
        )

    def _cases_of(self, requirements: frozenset[str]) -> list[ScenarioCase]:
        selected = self._with_restated(requirements)
        return [case for case in self._cases if case.requirement in selected]

    def _with_restated(self, requirements: frozenset[str]) -> frozenset[str]:
        restated = (one.restates for one in self._pack.requirements if one.id in requirements)
        own = (one.id for one in self._pack.requirements if one.id in requirements and not one.restates)
        return frozenset({*own, *filter(None, restated)})


def _named_by(record: ScenarioRecord) -> Iterator[str]:
    """Yield the requirements that findings of a scenario name, alone or beside others."""
    for call in record.calls:
        for finding in call.alternatives[0].findings if call.alternatives else ():
            yield from finding.possible_requirements


def _kills(record: ScenarioRecord) -> bool:
    return record.outcome is Outcome.FAILED or any(finding.decides for finding in record.findings)


def _after_blocked(
    cases: Iterable[ScenarioCase], records: Iterable[ScenarioRecord], judgement: PackJudgement
) -> list[ScenarioCase]:
    """Return the scenarios without a record of the requirements whose only failures are blocked.

    Another requirement blocks the failure that ended them, so a later scenario can still decide them.
    """
    known = {record.id for record in records}
    ended = {record.requirement for record in records if record.outcome is Outcome.FAILED}
    undecided = {one.id for one in judgement.requirements if one.verdict is Verdict.NOT_VERIFIED} & ended
    return [case for case in cases if case.requirement in undecided and case.id not in known]
