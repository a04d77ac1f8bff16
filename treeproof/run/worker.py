"""The worker process of a run: reads a task and batches of scenarios from stdin, writes records as JSON lines.

`worker_pool` starts it. It has its own candidate, workspace and pytest. The parent process judges the records.
"""

from __future__ import annotations

import contextlib
import copyreg
import gc
import json
import os
import pickle
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, BinaryIO, NoReturn

from treeproof.candidate import CandidateFault, InitializeResult
from treeproof.candidate.deadline import enable_hard_deadline
from treeproof.candidate.exit_status import die_with_parent
from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.run.connected_candidate import open_environment
from treeproof.run.execution import CandidateRun, RunContext
from treeproof.run.interrupts import Interrupts
from treeproof.run.plan import Options, SelectedPack, TargetPlan


def _read_only(members: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(members)


# A catalogue holds read-only mappings, which pickle does not support.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


@dataclass(frozen=True)
class WorkerTask:
    """The first message to every worker of a run."""

    options: Options
    plans: tuple[TargetPlan, ...]


def main() -> NoReturn:
    """Work until stdin ends or a signal arrives; then clean up and end the process at once.

    A candidate in this process may have left endless threads and exit handlers.
    """
    code = 0
    try:
        _run()
    except BaseException:  # a candidate may have changed the interpreter
        code = 1
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    _exit(code)


_exit = os._exit
"""Saved before a candidate can replace it."""


def _run() -> None:
    die_with_parent()
    gc.set_threshold(100_000, 20, 20)  # as in `treeproof.cli`, for the same reason
    requests, answers = _take_over_streams()
    try:
        task: WorkerTask = pickle.load(requests)
    except (EOFError, pickle.UnpicklingError):
        return  # the parent process ended before it sent a task
    if not all(plan.is_reference for plan in task.plans):
        enable_hard_deadline()
    with Interrupts(process_exits_afterwards=True) as stop:
        worker = _Worker(task, requests, answers, stop)
        try:
            worker.run()
        except UsageError as error:
            worker.send(usage=str(error))
        except KeyboardInterrupt:
            pass


class _Worker:
    def __init__(self, task: WorkerTask, requests: BinaryIO, answers: BinaryIO, stop: Interrupts) -> None:
        self._task = task
        self._requests = requests
        self._answers = answers
        self._interrupts = stop
        self._candidate_runs: dict[int, CandidateRun] = {}
        self._packs: dict[str, SelectedPack] = {}

    def send(self, **message: Any) -> None:
        """Write one message to the parent process."""
        self._answers.write(json.dumps(message).encode("ascii") + b"\n")
        self._answers.flush()

    def run(self) -> None:
        """Handle requests until stdin ends. Raises UsageError and KeyboardInterrupt."""
        warnings: list[str] = []
        with open_environment(self._interrupts) as environment, OrphanReaper() as orphans:
            context = RunContext(
                self._task.options,
                environment,
                on_record=lambda record: self.send(record=record.to_json()),
                on_scenario_start=lambda id: self.send(begun=id),
            )
            try:
                while request := self._read_request():
                    self._handle_request(request, context)
            except KeyboardInterrupt:
                pass  # all records so far have been sent
            finally:
                for run in self._candidate_runs.values():
                    warnings += run.warnings
                    run.close()
                facilities = environment.host.to_json()
                unexpected = environment.workspace.unexpected_names()
        self.send(
            left={
                "orphan_count": orphans.killed_count,
                "unexpected_names": unexpected,
                "removal_errors": environment.workspace.leftovers,
            },
            said=warnings,
            machine=facilities,
        )

    def _read_request(self) -> Mapping[str, Any] | None:
        with self._interrupts.interruptible():
            line = self._requests.readline()
        return json.loads(line) if line else None

    def _handle_request(self, request: Mapping[str, Any], context: RunContext) -> None:
        number = request["party"]
        if number not in self._candidate_runs:
            self._start_candidate(number, context)
            return
        run, part = self._candidate_runs[number], self._packs[request["pack"]]
        executed = run.execute(part, frozenset(request["ids"]))
        self.send(done=True, guards=executed.completeness_errors, interrupted=executed.interrupted)
        if executed.interrupted:
            raise KeyboardInterrupt

    def _start_candidate(self, number: int, context: RunContext) -> None:
        run = CandidateRun(self._task.plans[number], context)
        try:
            run.start()
        except CandidateFault as fault:
            self.send(fault=[fault.kind, fault.detail], said=run.candidate.adapter.captured_output())
            run.close()
            return
        except BaseException:
            run.close()
            raise
        self._candidate_runs[number] = run
        candidate = run.candidate
        self._packs |= {part.pack.name: part for part in candidate.packs}
        self.send(
            hello=initialize_result_to_json(candidate.initialize_result),
            packs=[part.pack.name for part in candidate.packs],
        )


def initialize_result_to_json(hello: InitializeResult) -> dict[str, Any]:
    """Return the declarations of a candidate as JSON for `initialize_result_from_json`."""
    members = {**vars(hello), "capabilities": sorted(hello.capabilities)}
    return {name: value for name, value in members.items() if name != "raw"}


def initialize_result_from_json(data: Mapping[str, Any]) -> InitializeResult:
    """Return the result that `initialize_result_to_json` has written."""
    return InitializeResult(**{**data, "capabilities": frozenset(data["capabilities"])})


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return streams for requests and answers, on descriptors that a candidate in this process does not know."""
    requests, answers = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)  # output of a candidate goes to stderr
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")
