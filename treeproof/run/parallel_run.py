"""Runs feature files in several worker processes in parallel and combines their records into one run.

The parent judges all records once, so the document equals that of one process. When a worker dies, its current
scenario is a fault and another worker runs the rest.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.errors import UsageError
from treeproof.processors import usable_processors
from treeproof.run.circuit_breaker import FAILURE_THRESHOLD, CircuitBreaker, Subject
from treeproof.run.connected_candidate import check_same_declarations
from treeproof.run.execution import CleanupReport, OnStart, RunContext, RunResults
from treeproof.run.interrupts import INTERRUPTED
from treeproof.run.plan import TargetPlan, scenario_ids_by_file
from treeproof.run.scenario_record import build_record
from treeproof.run.selected_pack import SelectedPack
from treeproof.run.worker import WorkerTask, initialize_result_from_json
from treeproof.run.worker_pool import WorkerPool, WorkerProcess
from treeproof.verdict import NotVerified, Outcome, ScenarioRecord

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


@dataclass(frozen=True)
class WorkBatch:
    """The scenarios of one request: those of one feature file, or of several small ones."""

    target_index: int
    pack_name: str
    scenario_ids: tuple[str, ...]


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
    circuit_breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    failed_starts: list[tuple[CandidateFault, str]] = field(default_factory=list)
    """Failed starts with the candidate's output, while other starts may still succeed."""


class _RunWorker(WorkerProcess):
    """A worker of a run and its current request."""

    module = "treeproof.run.worker"
    started_targets: frozenset[int] = frozenset()
    starting_target: int | None = None
    batch: WorkBatch | None = None
    scenario_started_at = 0.0
    running_scenario: str | None = None


class _RunPool(WorkerPool[_RunWorker]):
    """The workers of a run and its results."""

    def __init__(self, plans: Sequence[TargetPlan], context: RunContext, on_start: OnStart) -> None:
        options = replace(context.options, order=None, baseline=None, jobs=1)
        environment = context.environment
        super().__init__(
            _RunWorker,
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
            if state.circuit_breaker.open_reason:
                self._results.warnings.append(f"the candidate was {state.circuit_breaker.open_reason}")
        return replace(
            self._results,
            completeness_errors=list(dict.fromkeys(self._results.completeness_errors)),
            warnings=list(dict.fromkeys(self._results.warnings)),
        )

    def next_request(self, worker: _RunWorker) -> Mapping[str, Any] | None:
        """Return the next batch, or the start of the candidate that it needs."""
        for index, state in enumerate(self._targets):
            if self._results.fault is not None:
                break
            if state.initialize_result is not None and not state.pending:
                continue
            if index not in worker.started_targets:
                worker.starting_target = index
                return {"target_index": index}
            worker.batch, worker.scenario_started_at = state.pending.popleft(), time.monotonic()
            worker.running_scenario = None
            return vars(worker.batch)
        return None

    # ---- messages -----------------------------------------------------------------------------------------------

    def on_message(self, worker: _RunWorker, message: Mapping[str, Any]) -> None:
        """Handle a message. A batch that a signal has interrupted ends the run."""
        match message:
            case {"begun": id}:
                worker.running_scenario, worker.scenario_started_at = id, time.monotonic()
            case {"record": record}:
                assert worker.batch is not None
                self._add_record(worker.batch, ScenarioRecord.from_json(record))
            case {"done": completeness_errors, "interrupted": interrupted, "evidence": evidence}:
                assert worker.batch is not None
                self._results.add_evidence(worker.batch.pack_name, evidence)
                worker.batch = None
                if interrupted:  # scenarios that it did not execute are no error
                    self._results.interrupted = self._is_closing = True
                else:
                    self._results.completeness_errors += completeness_errors
                self.assign(worker)
            case {"hello": hello, "packs": packs}:
                self._target_started(worker, initialize_result_from_json(hello), packs)
                self.assign(worker)
            case {"fault": [kind, detail], "output": output}:
                self._start_failed(worker, CandidateFault(kind, detail), output)
            case {"left": [count, names, errors], "warnings": warnings, "host_facts": facts}:
                self._results.cleanup_reports.append(CleanupReport(count, tuple(names), tuple(errors)))
                self._results.warnings += warnings
                self._results.host_facts.append(facts)

    def _add_record(self, batch: WorkBatch, record: ScenarioRecord) -> None:
        if record.outcome in (Outcome.PASSED, Outcome.FAILED):
            self._targets[batch.target_index].circuit_breaker.record_success()
        self._records.setdefault(batch.pack_name, {})[record.id] = record
        self._context.on_record(record)

    def _target_started(self, worker: _RunWorker, hello: InitializeResult, packs: Sequence[str]) -> None:
        assert worker.starting_target is not None
        index, worker.starting_target = worker.starting_target, None
        state = self._targets[index]
        worker.started_targets |= {index}
        if state.initialize_result is None:
            state.initialize_result = hello
            self._warn_of_failed_starts(state)
            state.packs = [part for part in state.plan.packs if part.pack.name in packs]
            state.pending.extend(split_into_batches(index, state.packs))
            if index == 0:
                remaining = [part for other in self._targets[1:] for part in other.plan.packs]
                self._on_start(hello, sum(part.scenario_count for part in (*state.packs, *remaining)))
        try:
            check_same_declarations(state.initialize_result, hello)
        except CandidateFault as fault:
            self._results.fault = fault

    def _start_failed(self, worker: _RunWorker, fault: CandidateFault, output: str = "") -> None:
        """Report a failed start as a warning if the candidate runs in another worker, else as the fault of the run."""
        assert worker.starting_target is not None
        index, worker.starting_target = worker.starting_target, None
        worker.close_stdin()
        state = self._targets[index]
        state.failed_starts.append((fault, output))
        if state.initialize_result is None and any(other.starting_target == index for other in self._workers):
            return
        if state.initialize_result is not None and any(index in other.started_targets for other in self._workers):
            self._warn_of_failed_starts(state)
        else:
            self._results.fault, output = state.failed_starts[0]
            self._results.warnings += [output] if output else []
            state.failed_starts.clear()

    def _warn_of_failed_starts(self, state: TargetProgress) -> None:
        """Report failed starts of a candidate that runs in another worker."""
        self._results.warnings += [
            f"no further process of the candidate could be started: {fault.detail}; write jobs = 1 in [candidate] of "
            "its manifest, or --jobs 1, if only one can run at a time"
            for fault, _ in state.failed_starts
        ]
        state.failed_starts.clear()

    # ---- workers that die ---------------------------------------------------------------------------------------

    def on_exit(self, worker: _RunWorker, ending: str) -> None:
        """Replace a worker that died during a batch, and record the fault."""
        if worker.exited_cleanly:
            return
        fault = CandidateFault("exit", f"its worker process {ending}")
        if worker.starting_target is not None:
            self._start_failed(worker, fault)
            return
        if worker.batch is None:
            self._results.completeness_errors.append(f"a worker process {ending}")
            return
        state = self._targets[worker.batch.target_index]
        breaker = state.circuit_breaker
        feature = self._feature_of(worker.batch, worker.running_scenario)
        breaker.subject = lambda: Subject(feature)
        breaker.record_failure(fault, time.monotonic() - worker.scenario_started_at)
        self._requeue(worker.batch, worker.running_scenario, fault)
        # A worker that has died cannot be probed.
        if breaker.consecutive_subjects >= FAILURE_THRESHOLD:
            breaker.trip()
        if breaker.open_reason is not None:
            while state.pending:
                self._fail_batch(state.pending.popleft(), NotVerified("not_called", breaker.open_reason))
        self.start_worker()

    def _requeue(self, batch: WorkBatch, running: str | None, fault: CandidateFault) -> None:
        """Record the fault for the scenario that was running; another worker executes the ones after it."""
        finished = self._records.setdefault(batch.pack_name, {})
        remaining = [id for id in batch.scenario_ids if id not in finished]
        if running in remaining:
            self._fail_batch(replace(batch, scenario_ids=(running,)), fault)
            remaining.remove(running)
        if remaining:
            self._targets[batch.target_index].pending.appendleft(replace(batch, scenario_ids=tuple(remaining)))

    def _fail_batch(self, batch: WorkBatch, error: CandidateFault | NotVerified) -> None:
        part = self._part_of(batch)
        for case in (case for text in part.features.values() for case in text.scenarios):
            if case.id in batch.scenario_ids:
                self._add_record(batch, build_record(part.pack, case, None, error, 0.0))

    def _part_of(self, batch: WorkBatch) -> SelectedPack:
        return next(part for part in self._targets[batch.target_index].packs if part.pack.name == batch.pack_name)

    def _feature_of(self, batch: WorkBatch, id: str | None) -> str:
        cases = (case for text in self._part_of(batch).features.values() for case in text.scenarios)
        return next((case.file.name for case in cases if case.id == id), "")
