"""The worker of a parallel run: starts candidates and executes batches of scenarios. `parallel_run` judges the records.

Each worker has its own candidates, workspace and sealed pytest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.candidate.orphans import OrphanReaper
from treeproof.run.connected_candidate import open_environment
from treeproof.run.execution import CandidateRun, CleanupReport, RunContext
from treeproof.run.plan import Options, TargetPlan
from treeproof.run.worker_pool import ParentConnection


@dataclass(frozen=True)
class WorkerTask:
    """The part of a run that is the same for all workers."""

    options: Options
    plans: tuple[TargetPlan, ...]


@dataclass(frozen=True)
class WorkBatch:
    """A request: scenarios of one feature file, or of several small ones. Without scenarios: start the candidate."""

    target_index: int
    pack_name: str = ""
    scenario_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Started:
    """A message: the candidate has started, with these packs."""

    hello: InitializeResult
    packs: tuple[str, ...]


@dataclass(frozen=True)
class NotStarted:
    """A message: the candidate did not start; and its output."""

    fault: CandidateFault
    output: str


@dataclass(frozen=True)
class Remains:
    """The last message: what remained, warnings about the candidate, facts about the host."""

    cleanup: CleanupReport
    warnings: list[str]
    host_facts: Mapping[str, object]


def work(task: WorkerTask, parent: ParentConnection) -> None:
    """Execute the batches of the parent, and report at the end what remained. Raises UsageError.

    Sends a record for each scenario, and the result of each batch without them.
    """
    runs: dict[int, CandidateRun] = {}
    with open_environment(parent.interrupts) as environment, OrphanReaper() as orphans:
        context = RunContext(task.options, environment, on_record=parent.send)
        with contextlib.ExitStack() as candidates, contextlib.suppress(KeyboardInterrupt):
            for batch in parent.read_requests():
                if not batch.scenario_ids:
                    run = candidates.enter_context(CandidateRun(task.plans[batch.target_index], context))
                    runs[batch.target_index] = run
                    _start(run, parent)
                else:
                    _execute(runs[batch.target_index], batch, parent)
        host_facts = environment.host.to_json()
        unexpected_names = tuple(environment.workspace.unexpected_names())
    cleanup = CleanupReport(orphans.killed_count, unexpected_names, tuple(environment.workspace.leftovers))
    parent.send(Remains(cleanup, [warning for run in runs.values() for warning in run.warnings], host_facts))


def _start(run: CandidateRun, parent: ParentConnection) -> None:
    candidate = run.candidate
    try:
        run.start()
    except CandidateFault as fault:
        parent.send(NotStarted(fault, candidate.adapter.captured_output()))
    else:
        parent.send(Started(candidate.initialize_result, tuple(part.pack.name for part in candidate.packs)))


def _execute(run: CandidateRun, batch: WorkBatch, parent: ParentConnection) -> None:
    part = next(part for part in run.candidate.packs if part.pack.name == batch.pack_name)
    executed = run.execute(part, frozenset(batch.scenario_ids))
    parent.send(replace(executed, records=()))
    if executed.interrupted:
        raise KeyboardInterrupt
