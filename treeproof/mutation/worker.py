"""The worker of mutation testing: runs scenarios against mutants and variants, and operators. `task_pool` starts it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from treeproof.candidate import CandidateFault
from treeproof.candidate.orphans import OrphanReaper
from treeproof.mutation.kill_matrix import MutantResult
from treeproof.mutation.mutant_session import NOT_PASSING, ScenarioCosts, open_session, run_scenarios
from treeproof.mutation.operator_report import OperatorResult
from treeproof.mutation.operator_runner import OperatorRunner
from treeproof.mutation.variant_report import VariantResult
from treeproof.mutation.variant_worker import VariantRunner
from treeproof.run.connected_candidate import Environment, open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import platform_name
from treeproof.run.positive_evidence import PositiveEvidence
from treeproof.run.session import Session, StepRegistry
from treeproof.run.targets import mutant_target
from treeproof.run.worker_pool import ParentConnection
from treeproof.spec import Pack, open_pack
from treeproof.spec.mutants import load_kills
from treeproof.spec.version_features import scenarios_of
from treeproof.tree import Host, Workspace
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord, judge
from treeproof.verdict.spec_result import Verdict

Result = MutantResult | VariantResult | OperatorResult


def work(pack_address: str, parent: ParentConnection) -> None:
    """Run the mutant or variant of each request and send its result. Raises UsageError and KeyboardInterrupt."""
    with open_environment(parent.interrupts) as environment, OrphanReaper():
        # open_pack makes the modules of the folder importable; load_pack only reads it.
        pack = open_pack(pack_address)
        registry = StepRegistry(pack.steps, pack.folder)
        mutants = MutantRunner(pack, environment.host, parent.interrupts, registry)
        variants = VariantRunner(pack, environment.host, parent.interrupts, registry)
        operators = OperatorRunner(pack, environment.host, parent.interrupts, registry)
        for request in parent.read_requests():
            id = request["id"]
            if request["kind"] == "mutant":
                requirements, is_null = frozenset(request["requirements"]), request["is_null_candidate"]
                parent.send(mutants.run_mutant(id, requirements, is_null_candidate=is_null))
            elif request["kind"] == "operators":
                parent.send(operators.run(id, request["scenarios"]))
            else:
                scenarios, compare = request["scenarios"], request["compare"]
                parent.send(variants.run_variant(id, scenarios, compare=compare))


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
        # A finding fails the requirement that it names in any scenario.
        wanted = frozenset() if is_null_candidate else self._with_restated(requirements)
        records: list[ScenarioRecord] = []
        evidence: Mapping[str, str] = {}
        fault = ""
        stop_outcomes = NOT_PASSING if is_null_candidate else frozenset({Outcome.FAILED})
        if not requirements and not is_null_candidate:
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
                records = run_scenarios(session, self._cases, self._costs, stop_outcomes, self._kills.get(id), wanted)
                if wanted and not wanted & _failed(self._judge(records, {})):
                    # Alone, a finding was attributed to a wanted requirement; beside others it no longer is.
                    ran = {record.id for record in records}
                    rest = [case for case in self._cases if case.id not in ran]
                    records += run_scenarios(session, rest, self._costs, frozenset())
                evidence = PositiveEvidence.for_session(session).finish()
        except CandidateFault as error:
            fault = str(error)
        judgement = self._judge(records, evidence)
        verdicts = {found.id: found.verdict for found in judgement.requirements}
        return MutantResult(
            id=id,
            failed=_failed(judgement),
            passed=frozenset(v for v, verdict in verdicts.items() if verdict is Verdict.PASS),
            whole_suite=not requirements,
            seconds=time.perf_counter() - began,
            scenarios=tuple(sorted(record.id for record in judgement.records if _kills(record))),
            fault=fault,
        )

    def _judge(self, records: Sequence[ScenarioRecord], evidence: Mapping[str, str]) -> PackJudgement:
        """Return the judgement of records that are all of the run."""
        return judge(
            self._pack,
            records,
            platform=platform_name(),
            selected=frozenset(record.id for record in records),
            expected={case.id: case.requirement for case in self._cases},
            profile=Profile.STRICT,  # a warning beyond the document detects a mutant as well
            evidence=evidence,
        )

    def _with_restated(self, requirements: frozenset[str]) -> frozenset[str]:
        restated = (one.restates for one in self._pack.requirements if one.id in requirements)
        own = (one.id for one in self._pack.requirements if one.id in requirements and not one.restates)
        return frozenset({*own, *filter(None, restated)})


def _failed(judgement: PackJudgement) -> frozenset[str]:
    """Return the requirements that fail; scenarios of those that findings fail need not be among the ones that ran."""
    by_verdict = {one.id for one in judgement.requirements if one.verdict is Verdict.FAIL}
    return frozenset(by_verdict.union(*(_blamed(record) for record in judgement.records)))


def _blamed(record: ScenarioRecord) -> set[str]:
    return {finding.requirement for finding in record.findings if finding.decides}


def _kills(record: ScenarioRecord) -> bool:
    return record.outcome is Outcome.FAILED or any(finding.decides for finding in record.findings)
