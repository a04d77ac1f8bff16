"""A process that judges mutants: tasks as JSON on stdin, a result a line on stdout. ``drive`` starts it."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time

from treeproof.adequacy.matrix import Result
from treeproof.adequacy.trial import UNEARNED, Costs, Trial
from treeproof.candidate import CandidateFault
from treeproof.candidate.ending import end_with_the_parent
from treeproof.candidate.orphans import Orphans
from treeproof.run.interrupts import Interrupts
from treeproof.run.lookup import Vocabulary
from treeproof.run.runner import platform_name
from treeproof.spec import Pack, open_pack
from treeproof.spec.gherkin import ScenarioRow, parse
from treeproof.tree import Machine, Workspace, probe
from treeproof.verdict import Outcome, Record, judge
from treeproof.verdict.judge import Verdict


class Judge:
    """Judges the mutants of one pack, one after the other."""

    def __init__(self, pack: Pack, machine: Machine, stop: Interrupts) -> None:
        self._stop = stop
        self._pack = pack
        self._machine = machine
        self._rows = [row for file in pack.features() for row in parse(file).scenarios]
        self._vocabulary = Vocabulary(pack.steps)
        self._costs = Costs()

    def result(self, id: str, requirements: frozenset[str], *, earns: bool) -> Result:
        """Return what the scenarios of ``requirements`` (empty: all) say of a mutant.

        A requirement is asked until one of its scenarios fails; where only matters what the mutant ``earns``, until
        one does not pass.
        """
        began = time.perf_counter()
        rows = [row for row in self._rows if self._is_asked(row, requirements)]
        records: list[Record] = []
        with (
            contextlib.suppress(CandidateFault),
            Trial(self._pack, id, self._machine, self._vocabulary, self._stop) as trial,
        ):
            records = trial.ask(rows, self._costs, UNEARNED if earns else frozenset({Outcome.FAILED}))
        judgement = judge(
            self._pack,
            records,
            platform=platform_name(),
            selected=frozenset(record.id for record in records),
            expected={row.id: row.requirement for row in self._rows},
        )
        verdicts = {found.id: found.verdict for found in judgement.requirements}
        return Result(
            id=id,
            failed=frozenset(v for v, verdict in verdicts.items() if verdict is Verdict.FAIL),
            passed=frozenset(v for v, verdict in verdicts.items() if verdict is Verdict.PASS),
            whole=not requirements,
            seconds=time.perf_counter() - began,
            scenarios=tuple(sorted(record.id for record in records if record.outcome is Outcome.FAILED)),
        )

    def _is_asked(self, row: ScenarioRow, requirements: frozenset[str]) -> bool:
        restated = {r.restates for r in self._pack.requirements if r.id in requirements and r.restates}
        return not requirements or row.requirement in requirements | restated


def main() -> int:
    """Judge every task; stdout carries results and nothing else."""
    end_with_the_parent()
    with Interrupts(last=True) as stop, contextlib.suppress(KeyboardInterrupt):
        _judge_all(stop)
        return 0
    return 4


def _judge_all(stop: Interrupts) -> None:
    tasks = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a mutant prints goes to stderr
    with Workspace.create() as place, Orphans():
        machine = probe(os.fsencode(place.path))
        machine.to_json()  # looked at before a mutant can spoil what is looked at
        judge = Judge(
            open_pack(sys.argv[1]), machine, stop
        )  # found, and not only read: its folder has modules
        for id, requirements, earns in tasks:
            stop.check()
            result = judge.result(id, frozenset(requirements), earns=earns)
            answers.write(json.dumps(result.to_json()) + "\n")
            answers.flush()


if __name__ == "__main__":
    sys.exit(main())
