"""Runs feature files in several worker processes in parallel and combines their records into one run.

Every worker has its own candidate, workspace and sealed pytest. The parent judges all records once, so the document
equals that of one process. When a worker dies, its current scenario is a fault and another worker runs the rest.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.errors import UsageError
from treeproof.run.circuit_breaker import CircuitBreaker
from treeproof.run.connected_candidate import check_same_declarations
from treeproof.run.execution import CleanupReport, OnStart, RunContext, RunResults
from treeproof.run.interrupts import INTERRUPTED
from treeproof.run.plan import SelectedPack, TargetPlan
from treeproof.run.scenario_record import build_record
from treeproof.run.worker import WorkerTask, initialize_result_from_json
from treeproof.run.worker_process import WorkBatch, WorkerProcess, split_into_batches
from treeproof.tree.workspace import remove_stale_workspaces
from treeproof.verdict import Outcome, ScenarioRecord

SHARED_SERVER_KINDS = ("mcp+http",)
"""Kinds of candidates of which one stands at one address, for all."""

_SHUTDOWN_SECONDS = 15.0
"""So long a worker may take to end in order: it ends a candidate, and removes what it built."""

_POLL_SECONDS = 2.0
"""So often workers are looked at while none of them says anything: one may be stopped, or gone."""


def default_jobs(scenario_count: int) -> int:
    """How many processes a run over ``size`` scenarios of a quick candidate is worth: a start costs half a second."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, 4, scenario_count // 250))


def run_in_workers(plans: Sequence[TargetPlan], context: RunContext, on_start: OnStart) -> RunResults:
    """Ask every party in ``means.options.jobs`` processes.

    Raises UsageError where manifest and candidate disagree, and for candidates of which there can be only one.
    """
    jobs = context.options.jobs or 1
    for party in plans:
        if party.target.kind in SHARED_SERVER_KINDS:
            raise UsageError(
                f"--jobs {jobs}: {party.target.kind} reaches one server, which all processes would share; "
                "leave --jobs out"
            )
    with WorkerPool(plans, context, on_start, jobs) as crew:
        crew.run()
    return crew.collect_results()


@dataclass
class TargetProgress:
    """How far the asking of one candidate is."""

    plan: TargetPlan
    initialize_result: InitializeResult | None = None
    packs: list[SelectedPack] = field(default_factory=list)
    pending: deque[WorkBatch] = field(default_factory=deque)
    circuit_breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    failed_starts: list[tuple[CandidateFault, str]] = field(default_factory=list)
    """Starts that failed while others might still succeed, and what the candidate said then."""


class WorkerPool:
    """The workers of a run. A context manager: on leaving none of them remains."""

    def __init__(self, parties: Sequence[TargetPlan], means: RunContext, started: OnStart, jobs: int) -> None:
        self._context = means
        self._on_start = started
        self._jobs = jobs
        self._targets = [TargetProgress(party) for party in parties]
        self._records: dict[str, dict[str, ScenarioRecord]] = {}
        self._results = RunResults()
        self._selector = selectors.DefaultSelector()
        self._workers: list[WorkerProcess] = []
        options = replace(means.options, order=None, baseline=None, jobs=1)
        self._task = pickle.dumps(WorkerTask(options, tuple(parties)))

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in list(self._workers):
            with contextlib.suppress(ProcessLookupError):
                worker.process.terminate()
            worker.close_stdin()
        with contextlib.suppress(KeyboardInterrupt, UsageError):
            self._drain_workers()
        for worker in list(self._workers):
            self._remove_worker(worker)
        self._selector.close()
        remove_stale_workspaces(
            self._context.environment.workspace.path.parent
        )  # what a worker left that could not end in order

    # ---- the course of it ---------------------------------------------------------------------------------------

    def run(self) -> None:
        """Ask until everything is asked, a candidate does not start, or somebody interrupts. Raises UsageError."""
        try:
            for number in range(self._jobs):
                self._start_worker(number)
            while self._workers:
                for worker in self._ready_workers():
                    self._read_messages(worker)
                if self._results.interrupted:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            self._results.interrupted = True
        if self._results.interrupted:
            self._results.completeness_errors.append(INTERRUPTED)

    def collect_results(self) -> RunResults:
        """What came of it."""
        for state in self._targets:
            parts = state.packs or list(state.plan.packs)
            for part in parts:
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

    def _ready_workers(self) -> list[WorkerProcess]:
        with self._context.environment.interrupts.interruptible():
            ready = [key.data for key, _ in self._selector.select(_POLL_SECONDS)]
        if ready:
            return ready
        for worker in self._workers:
            worker.kill_if_stopped()
        return [worker for worker in self._workers if worker.has_exited]

    def _drain_workers(self) -> None:
        deadline = time.monotonic() + _SHUTDOWN_SECONDS
        while self._workers and (left := deadline - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                self._read_messages(key.data)

    def _start_worker(self, number: int) -> None:
        worker = WorkerProcess(number, self._task)
        self._workers.append(worker)
        self._selector.register(worker.stdout, selectors.EVENT_READ, worker)
        self._assign(worker)

    def _remove_worker(self, worker: WorkerProcess) -> str:
        self._selector.unregister(worker.stdout)
        self._workers.remove(worker)
        return worker.stop()

    def _assign(self, worker: WorkerProcess) -> None:
        """Give a worker that is free its next unit, a candidate to start, or its leave."""
        for number, state in enumerate(self._targets):
            if self._results.fault is not None or self._results.interrupted:
                break
            if state.initialize_result is not None and not state.pending:
                continue
            if number not in worker.started_targets:
                worker.request(number)
            else:
                worker.request(number, state.pending.popleft())
            return
        worker.batch = worker.starting_target = None
        worker.close_stdin()

    # ---- what they say ------------------------------------------------------------------------------------------

    def _read_messages(self, worker: WorkerProcess) -> None:
        messages, was_the_last = worker.read_messages()
        for message in messages:
            self._handle_message(worker, message)
        if was_the_last:
            self._worker_ended(worker)
        elif worker.exited_cleanly:
            self._remove_worker(worker)

    def _handle_message(self, worker: WorkerProcess, message: Mapping[str, Any]) -> None:
        match message:
            case {"begun": id}:
                worker.running_scenario = id
            case {"record": record}:
                self._add_record(worker.batch, ScenarioRecord.from_json(record))
            case {"done": _, "guards": guards, "interrupted": interrupted}:
                worker.batch = None
                if interrupted:  # what was not executed then is no broken promise
                    self._results.interrupted = True
                else:
                    self._results.completeness_errors += guards
                self._assign(worker)
            case {"hello": hello, "packs": packs}:
                self._target_started(worker, initialize_result_from_json(hello), packs)
                self._assign(worker)
            case {"fault": [kind, detail], "said": said}:
                self._start_failed(worker, CandidateFault(kind, detail), said)
            case {"usage": problem}:
                raise UsageError(problem)
            case {"left": left, "said": said, "machine": machine}:
                worker.exited_cleanly = True
                self._results.cleanup_reports.append(
                    CleanupReport(**{name: _to_tuple(value) for name, value in left.items()})
                )
                self._results.warnings += said
                self._results.host_facts.append(machine)

    def _add_record(self, unit: WorkBatch | None, record: ScenarioRecord) -> None:
        assert unit is not None
        state = self._targets[unit.target_index]
        if record.outcome in (Outcome.PASSED, Outcome.FAILED):
            state.circuit_breaker.record_success()
        self._records.setdefault(unit.pack_name, {})[record.id] = record
        self._context.on_record(record)

    def _target_started(self, worker: WorkerProcess, hello: InitializeResult, packs: Sequence[str]) -> None:
        assert worker.starting_target is not None
        number, worker.starting_target = worker.starting_target, None
        state = self._targets[number]
        worker.started_targets.add(number)
        if state.initialize_result is None:
            state.initialize_result = hello
            state.packs = [part for part in state.plan.packs if part.pack.name in packs]
            state.pending.extend(split_into_batches(number, state.packs))
            if number == 0:
                rest = sum(part.scenario_count for other in self._targets[1:] for part in other.plan.packs)
                self._on_start(hello, rest + sum(part.scenario_count for part in state.packs))
        try:
            check_same_declarations(state.initialize_result, hello)
        except CandidateFault as fault:
            self._results.fault = fault

    def _start_failed(self, worker: WorkerProcess, fault: CandidateFault, said: str) -> None:
        assert worker.starting_target is not None
        number, worker.starting_target = worker.starting_target, None
        self._targets[number].failed_starts.append((fault, said))
        worker.close_stdin()
        self._resolve_failed_starts(number)

    def _resolve_failed_starts(self, number: int) -> None:
        """A candidate of which one process starts is asked; one of which none does, did not start."""
        state = self._targets[number]
        if not state.failed_starts or (
            state.initialize_result is None and any(w.starting_target == number for w in self._workers)
        ):
            return
        if state.initialize_result is not None and any(number in worker.started_targets for worker in self._workers):
            self._results.warnings += [
                f"no further process of the candidate could be started: {fault.detail}"
                for fault, _ in state.failed_starts
            ]
        else:
            self._results.fault, said = state.failed_starts[0]
            self._results.warnings += [said] if said else []
        state.failed_starts.clear()

    # ---- what they do not say -----------------------------------------------------------------------------------

    def _worker_ended(self, worker: WorkerProcess) -> None:
        """A worker has ended: in order, or not."""
        ending = self._remove_worker(worker)
        if worker.exited_cleanly or self._results.interrupted:
            return
        fault = CandidateFault("exit", f"the process in which it was asked {ending}")
        if worker.starting_target is not None:
            self._targets[worker.starting_target].failed_starts.append((fault, ""))
            self._resolve_failed_starts(worker.starting_target)
            return
        if worker.batch is None:
            self._results.completeness_errors.append(f"a process that asked {ending}")
            return
        state = self._targets[worker.batch.target_index]
        state.circuit_breaker.record_failure(fault, time.monotonic() - worker.batch_started_at)
        self._requeue(worker.batch, worker.running_scenario, fault)
        if state.circuit_breaker.needs_probe:
            state.circuit_breaker.trip()
            while state.pending:
                self._fail_batch(
                    state.pending.popleft(), CandidateFault("exit", state.circuit_breaker.open_reason or "")
                )
        self._start_worker(worker.number)

    def _requeue(self, unit: WorkBatch, begun: str | None, fault: CandidateFault) -> None:
        """Blame the scenario that was being asked; the ones after it are asked by another process."""
        known = self._records.setdefault(unit.pack_name, {})
        left = [id for id in unit.scenario_ids if id not in known]
        if begun in left:
            self._fail_batch(replace(unit, scenario_ids=(begun,)), fault)
            left.remove(begun)
        if left:
            self._targets[unit.target_index].pending.appendleft(replace(unit, scenario_ids=tuple(left)))

    def _fail_batch(self, unit: WorkBatch, fault: CandidateFault) -> None:
        part = next(part for part in self._targets[unit.target_index].packs if part.pack.name == unit.pack_name)
        rows = [row for text in part.features.values() for row in text.scenarios]
        for row in rows:
            if row.id in unit.scenario_ids:
                self._add_record(unit, build_record(part.pack.folder, row, None, fault, 0.0))


def _to_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
