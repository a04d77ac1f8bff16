"""One mutant before the scenarios of its pack, performed one by one: whoever asks may stop when they have seen enough.

What is performed is what a run performs, step by step; what a run adds for people (reports, the smallest case of a
law) is left out, and so is every scenario that cannot change a verdict any more.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from treeproof.candidate import connect
from treeproof.run.interrupts import Interrupts
from treeproof.run.scenario_record import build_record, check_prerequisites
from treeproof.run.session import Session
from treeproof.run.step_registry import StepRegistry
from treeproof.run.step_runner import run_steps
from treeproof.run.targets import mutant_target
from treeproof.run.world import World
from treeproof.search.case_run import CaseSamples
from treeproof.search.sequences import SequenceRunner
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.tree import Host, Workspace
from treeproof.verdict import Outcome, Profile, ScenarioRecord

NOT_PASSING = frozenset({Outcome.FAILED, Outcome.FAULT, Outcome.NOT_VERIFIED})
"""How a scenario can end that its requirement cannot pass with."""


class MutantSession:
    """A context: the mutant is started on entering, and gone with all that was built on leaving.

    Raises CandidateFault on entering for a mutant that does not start.
    """

    def __init__(
        self, pack: Pack, id: str, machine: Host, vocabulary: StepRegistry, stop: Interrupts
    ) -> None:
        self._pack = pack
        self._id = id
        self._machine = machine
        self._vocabulary = vocabulary
        self._stop = stop
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            workspace = opened.enter_context(Workspace.create())
            adapter = connect(mutant_target(self._pack, self._id))
            opened.callback(adapter.close)
            with self._stop.interruptible():
                hello = adapter.start(str(workspace.path))
            self._session = Session(
                self._pack,
                adapter,
                hello,
                workspace,
                self._machine,
                Profile.DEFAULT,
                hello.interpretations,
                interrupts=self._stop,
            )
            opened.callback(self._session.close)
            if self._pack.oracle is not None:
                CaseSamples.for_session(self._session).shrink_attempts_left = 0
            if self._pack.state_machine is not None:
                SequenceRunner.for_session(self._session).shrink_attempts_left = 0
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def run_scenarios(
        self, scenarios: Iterable[ScenarioCase], costs: ScenarioCosts, stop_outcomes: frozenset[Outcome]
    ) -> list[ScenarioRecord]:
        """Perform the scenarios, of each requirement the cheap ones first and none once one ended as in ``enough``."""
        records = []
        settled: set[str] = set()
        for row in costs.cheapest_first(scenarios):
            if row.requirement not in settled:
                record = self._run_scenario(row)
                costs.add(record)
                records.append(record)
                if record.outcome in stop_outcomes and not record.advisory:
                    settled.add(row.requirement)
        return records

    def _run_scenario(self, row: ScenarioCase) -> ScenarioRecord:
        began, error = time.monotonic(), None
        world = World(self._session, row)
        try:
            check_prerequisites(world)
            run_steps(world, self._vocabulary)
            world.check_evidence()
        except Exception as problem:
            error = problem
        record = build_record(self._pack.folder, row, world, error, time.monotonic() - began)
        try:
            world.close()
        except Exception as problem:
            return build_record(self._pack.folder, row, world, problem, record.seconds, teardown=True)
        return record


class ScenarioCosts:
    """What scenarios have cost until now, in seconds by id."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def add(self, record: ScenarioRecord) -> None:
        """Keep what a scenario has cost; one that ended early says little."""
        if record.outcome is not Outcome.FAILED:
            self._seconds[record.id] = record.seconds

    def cheapest_first(self, rows: Iterable[ScenarioCase]) -> list[ScenarioCase]:
        """Return the rows in the order of their costs; those without a When, which try many calls, come last."""
        return sorted(rows, key=lambda row: (not _has_call(row), self._seconds.get(row.id, 0.0)))


def _has_call(row: ScenarioCase) -> bool:
    return any(step.keyword_type == "when" for step in row.steps)
