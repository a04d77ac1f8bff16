"""The worker process of mutation testing: reads tasks as JSON from stdin, writes one result per line."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time

from treeproof.candidate import CandidateFault
from treeproof.candidate.exit_status import die_with_parent
from treeproof.candidate.orphans import OrphanReaper
from treeproof.mutation.kill_matrix import MutantResult
from treeproof.mutation.mutant_session import NOT_PASSING, ScenarioCosts, open_mutant, run_scenarios
from treeproof.run.connected_candidate import Environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import platform_name
from treeproof.run.step_registry import StepRegistry
from treeproof.spec import Pack, open_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.tree import Host, Workspace, probe_host
from treeproof.verdict import Outcome, ScenarioRecord, judge
from treeproof.verdict.judge import Verdict


class MutantRunner:
    """Judges the mutants of one pack, one after the other."""

    def __init__(self, pack: Pack, machine: Host, stop: Interrupts) -> None:
        self._stop = stop
        self._pack = pack
        self._machine = machine
        self._scenarios = [row for file in pack.feature_files() for row in parse_feature(file).scenarios]
        self._vocabulary = StepRegistry(pack.steps)
        self._costs = ScenarioCosts()

    def run_mutant(self, id: str, requirements: frozenset[str], *, is_null_candidate: bool) -> MutantResult:
        """Return what the scenarios of ``requirements`` (empty: all) say of a mutant.

        A requirement is asked until one of its scenarios fails; where only matters what the mutant ``earns``, until
        one does not pass.
        """
        began = time.perf_counter()
        rows = [row for row in self._scenarios if self._is_selected(row, requirements)]
        records: list[ScenarioRecord] = []
        with (
            contextlib.suppress(CandidateFault),
            Workspace.create() as workspace,
            open_mutant(self._pack, id, Environment(workspace, self._machine, self._stop), self._vocabulary) as session,
        ):
            stop_outcomes = NOT_PASSING if is_null_candidate else frozenset({Outcome.FAILED})
            records = run_scenarios(session, rows, self._costs, stop_outcomes)
        judgement = judge(
            self._pack,
            records,
            platform=platform_name(),
            selected=frozenset(record.id for record in records),
            expected={row.id: row.requirement for row in self._scenarios},
        )
        verdicts = {found.id: found.verdict for found in judgement.requirements}
        return MutantResult(
            id=id,
            failed=frozenset(v for v, verdict in verdicts.items() if verdict is Verdict.FAIL),
            passed=frozenset(v for v, verdict in verdicts.items() if verdict is Verdict.PASS),
            whole_suite=not requirements,
            seconds=time.perf_counter() - began,
            scenarios=tuple(sorted(record.id for record in records if record.outcome is Outcome.FAILED)),
        )

    def _is_selected(self, row: ScenarioCase, requirements: frozenset[str]) -> bool:
        restated = {r.restates for r in self._pack.requirements if r.id in requirements and r.restates}
        return not requirements or row.requirement in requirements | restated


def main() -> int:
    """Judge every task; stdout carries results and nothing else."""
    die_with_parent()
    with Interrupts(process_exits_afterwards=True) as stop, contextlib.suppress(KeyboardInterrupt):
        _run_tasks(stop)
        return 0
    return 4


def _run_tasks(stop: Interrupts) -> None:
    tasks = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a mutant prints goes to stderr
    with Workspace.create() as place, OrphanReaper():
        machine = probe_host(os.fsencode(place.path))
        machine.to_json()  # looked at before a mutant can spoil what is looked at
        judge = MutantRunner(open_pack(sys.argv[1]), machine, stop)  # found, and not only read: its folder has modules
        for id, requirements, earns in tasks:
            stop.raise_if_pending()
            result = judge.run_mutant(id, frozenset(requirements), is_null_candidate=earns)
            answers.write(json.dumps(result.to_json()) + "\n")
            answers.flush()


if __name__ == "__main__":
    sys.exit(main())
