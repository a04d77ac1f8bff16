"""Runs feature files in several worker processes in parallel and combines their records into one run.

The parent judges all records once, so the document equals that of one process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.errors import UsageError
from treeproof.processors import usable_processors
from treeproof.run.completeness import ExecutionResult
from treeproof.run.connected_candidate import check_same_declarations
from treeproof.run.execution import OnStart, RunContext, RunResults
from treeproof.run.interrupts import INTERRUPTED
from treeproof.run.plan import TargetPlan, scenario_ids_by_file
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.worker import NotStarted, Remains, Started, WorkBatch, WorkerTask, work
from treeproof.run.worker_pool import Worker, WorkerPool
from treeproof.verdict import ScenarioRecord

SHARED_SERVER_KINDS = ("mcp+http",)
"""Kinds of adapters that connect to one server, which all workers would share."""

DEFAULT_CANDIDATE_JOBS = 2
"""The largest number of jobs of a run without ``--jobs``, unless the candidate is the reference."""

MIN_BATCH_SIZE = 40
"""The least number of scenarios in a batch, except the last one of a pack; a feature file is never split."""


def default_jobs(scenario_count: int) -> int:
    """Return the number of processes for a fast candidate: the start of a process takes half a second.

    With several processors it is one more than those: processes wait for strace, for delays, and for fresh processes.
    """
    cores = usable_processors()
    processes = 1 if cores == 1 else min(cores + 1, 4)
    return max(1, min(processes, scenario_count // 250))


def run_in_workers(plans: Sequence[TargetPlan], context: RunContext, on_start: OnStart) -> RunResults:
    """Run all plans in ``context.options.jobs`` processes.

    Raises UsageError for declarations that contradict the manifest, and for a server that all workers would share.
    """
    jobs = context.options.jobs or 1
    for plan in plans:
        if plan.target.kind in SHARED_SERVER_KINDS:
            raise UsageError(
                f"--jobs {jobs}: {plan.target.kind} reaches one server, which all processes would share; "
                "leave --jobs out"
            )
    with _RunPool(plans, context, on_start) as pool:
        pool.run(jobs)
    return pool.collect_results()


def split_into_batches(target_index: int, packs: Sequence[SelectedPack]) -> Iterator[WorkBatch]:
    """Yield the batches of ``packs``, in the order of packs and of their files."""
    for part in packs:
        ids: list[str] = []
        for ids_of_file in scenario_ids_by_file(part).values():
            ids += ids_of_file
            if len(ids) >= MIN_BATCH_SIZE:
                yield WorkBatch(target_index, part.pack.name, tuple(ids))
                ids = []
        if ids:
            yield WorkBatch(target_index, part.pack.name, tuple(ids))


@dataclass
class TargetProgress:
    """The progress of one candidate."""

    plan: TargetPlan
    initialize_result: InitializeResult | None = None
    packs: list[SelectedPack] = field(default_factory=list)
    pending: deque[WorkBatch] = field(default_factory=deque)
    failed_starts: list[NotStarted] = field(default_factory=list)
    """Failed starts, while other starts may still succeed."""


class _RunWorker(Worker):
    """A worker of a run and its current request."""

    started_targets: frozenset[int] = frozenset()
    starting_target: int | None = None
    batch: WorkBatch | None = None
    has_finished = False


class _RunPool(WorkerPool[_RunWorker]):
    """The workers of a run and its results."""

    def __init__(self, plans: Sequence[TargetPlan], context: RunContext, on_start: OnStart) -> None:
        options = replace(context.options, order=None, baseline=None, jobs=1)
        environment = context.environment
        super().__init__(
            _RunWorker,
            work,
            WorkerTask(options, tuple(plans)),
            environment.interrupts,
            environment.workspace.path.parent,
        )
        self._context = context
        self._on_start = on_start
        self._targets = [TargetProgress(plan) for plan in plans]
        self._records: dict[str, dict[str, ScenarioRecord]] = {}
        self._results = RunResults()

    def run(self, jobs: int) -> None:
        """Run until all batches are done, a candidate does not start, or a signal arrives. Raises UsageError."""
        try:
            super().run(jobs)
        except KeyboardInterrupt:
            self._results.interrupted = True
        if self._results.interrupted:
            self._results.completeness_errors.append(INTERRUPTED)

    def collect_results(self) -> RunResults:
        """Return the results, each message once."""
        for state in self._targets:
            for part in state.packs or state.plan.packs:
                records = self._records.get(part.pack.name, {})
                self._results.pack_records.append((part, tuple(records[id] for id in sorted(records))))
            if state.initialize_result is not None:
                self._results.initialize_results.append(state.initialize_result)
        return replace(
            self._results,
            completeness_errors=list(dict.fromkeys(self._results.completeness_errors)),
            warnings=list(dict.fromkeys(self._results.warnings)),
        )

    def next_request(self, worker: _RunWorker) -> WorkBatch | None:
        """Return the next batch, or the start of the candidate that it needs."""
        for index, state in enumerate(self._targets):
            if self._results.fault is not None:
                break
            if state.initialize_result is not None and not state.pending:
                continue
            if index not in worker.started_targets:
                worker.starting_target = index
                return WorkBatch(index)
            worker.batch = state.pending.popleft()
            return worker.batch
        return None

    def on_message(self, worker: _RunWorker, message: object) -> None:
        """Handle a message. A batch that a signal has interrupted ends the run."""
        match message:
            case ScenarioRecord():
                assert worker.batch is not None
                self._records.setdefault(worker.batch.pack_name, {})[message.id] = message
                self._context.on_record(message)
            case ExecutionResult():
                assert worker.batch is not None
                self._results.add_evidence(worker.batch.pack_name, message.evidence)
                worker.batch = None
                if message.interrupted:  # scenarios that it did not execute are no error
                    self._results.interrupted = self._is_closing = True
                else:
                    self._results.completeness_errors += message.completeness_errors
                self.assign(worker)
            case Started():
                self._target_started(worker, message)
                self.assign(worker)
            case NotStarted():
                self._start_failed(worker, message)
                worker.send(None)
            case Remains():
                worker.has_finished = True
                self._results.cleanup_reports.append(message.cleanup)
                self._results.warnings += message.warnings
                self._results.host_facts.append(message.host_facts)

    def _target_started(self, worker: _RunWorker, started: Started) -> None:
        assert worker.starting_target is not None
        index, worker.starting_target = worker.starting_target, None
        state = self._targets[index]
        worker.started_targets |= {index}
        if state.initialize_result is None:
            state.initialize_result = started.hello
            self._warn_of_failed_starts(state)
            state.packs = [part for part in state.plan.packs if part.pack.name in started.packs]
            state.pending.extend(split_into_batches(index, state.packs))
            if index == 0:
                remaining = [part for other in self._targets[1:] for part in other.plan.packs]
                self._on_start(started.hello, sum(part.scenario_count for part in (*state.packs, *remaining)))
        try:
            check_same_declarations(state.initialize_result, started.hello)
        except CandidateFault as fault:
            self._results.fault = fault

    def _start_failed(self, worker: _RunWorker, failed: NotStarted) -> None:
        """Report a failed start as a warning if the candidate runs in another worker, else as the fault of the run."""
        assert worker.starting_target is not None
        index, worker.starting_target = worker.starting_target, None
        state = self._targets[index]
        state.failed_starts.append(failed)
        if state.initialize_result is None and any(other.starting_target == index for other in self._workers):
            return
        if state.initialize_result is not None and any(index in other.started_targets for other in self._workers):
            self._warn_of_failed_starts(state)
        else:
            first = state.failed_starts[0]
            self._results.fault = first.fault
            self._results.warnings += [first.output] if first.output else []
            state.failed_starts.clear()

    def _warn_of_failed_starts(self, state: TargetProgress) -> None:
        """Report failed starts of a candidate that runs in another worker."""
        self._results.warnings += [
            f"no further process of the candidate could be started: {failed.fault.detail}; write jobs = 1 in "
            "[candidate] of its manifest, or --jobs 1, if only one can run at a time"
            for failed in state.failed_starts
        ]
        state.failed_starts.clear()

    def on_exit(self, worker: _RunWorker, ending: str) -> None:
        """Note the early end of a worker. What it has not executed has no verdict, and the run is a fault."""
        if worker.has_finished:
            return
        if worker.starting_target is not None:
            self._start_failed(worker, NotStarted(CandidateFault("exit", f"its worker process {ending}"), ""))
            return
        done = self._records.get(worker.batch.pack_name, {}) if worker.batch else {}
        running = next((id for id in worker.batch.scenario_ids if id not in done), "") if worker.batch else ""
        place = f" during {running}; its other scenarios did not run" if running else ""
        self._results.completeness_errors.append(f"a process of treeproof {ending}{place}")
