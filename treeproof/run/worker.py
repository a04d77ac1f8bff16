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


# A catalogue holds read-only mappings, which pickle does not know.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


@dataclass(frozen=True)
class WorkerTask:
    """What every worker of a run is told first."""

    options: Options
    plans: tuple[TargetPlan, ...]


def main() -> NoReturn:
    """Work until stdin ends or a signal comes; either way nothing remains, and the process ends at once.

    A candidate in this process may have left threads that do not end and functions to be called at the exit.
    """
    code = 0
    try:
        _run()
    except BaseException:  # it may have made anything of this interpreter
        code = 1
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    _exit(code)


_exit = os._exit
"""Kept from before a candidate is here."""


def _run() -> None:
    die_with_parent()
    gc.set_threshold(100_000, 20, 20)  # as the verb has it, and for the same reason
    requests, answers = _take_over_streams()
    try:
        task: WorkerTask = pickle.load(requests)
    except (EOFError, pickle.UnpicklingError):
        return  # whoever started this process was gone before it could say what to do
    if not all(party.is_reference for party in task.plans):
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
        """One line to whoever started this process."""
        self._answers.write(json.dumps(message).encode("ascii") + b"\n")
        self._answers.flush()

    def run(self) -> None:
        """Do what is asked. Raises UsageError and KeyboardInterrupt."""
        said: list[str] = []
        with open_environment(self._interrupts) as environment, OrphanReaper() as orphans:
            means = RunContext(
                self._task.options,
                environment,
                on_record=lambda record: self.send(record=record.to_json()),
                on_scenario_start=lambda id: self.send(begun=id),
            )
            try:
                while request := self._read_request():
                    self._handle_request(request, means)
            except KeyboardInterrupt:
                pass  # what was asked until now has been told
            finally:
                for inquiry in self._candidate_runs.values():
                    said += inquiry.warnings
                    inquiry.close()
                facilities = environment.host.to_json()
                strangers = environment.workspace.unexpected_names()
        self.send(
            left={
                "orphan_count": orphans.killed_count,
                "unexpected_names": strangers,
                "removal_errors": environment.workspace.leftovers,
            },
            said=said,
            machine=facilities,
        )

    def _read_request(self) -> Mapping[str, Any] | None:
        with self._interrupts.interruptible():
            line = self._requests.readline()
        return json.loads(line) if line else None

    def _handle_request(self, request: Mapping[str, Any], means: RunContext) -> None:
        number = request["party"]
        if number not in self._candidate_runs:
            self._start_candidate(number, means)
            return
        inquiry, part = self._candidate_runs[number], self._packs[request["pack"]]
        executed = inquiry.execute(part, frozenset(request["ids"]))
        self.send(done=True, guards=executed.completeness_errors, interrupted=executed.interrupted)
        if executed.interrupted:
            raise KeyboardInterrupt

    def _start_candidate(self, number: int, means: RunContext) -> None:
        inquiry = CandidateRun(self._task.plans[number], means)
        try:
            inquiry.start()
        except CandidateFault as fault:
            self.send(fault=[fault.kind, fault.detail], said=inquiry.candidate.adapter.captured_output())
            inquiry.close()
            return
        except BaseException:
            inquiry.close()
            raise
        self._candidate_runs[number] = inquiry
        candidate = inquiry.candidate
        self._packs |= {part.pack.name: part for part in candidate.packs}
        self.send(
            hello=initialize_result_to_json(candidate.initialize_result),
            packs=[part.pack.name for part in candidate.packs],
        )


def initialize_result_to_json(hello: InitializeResult) -> dict[str, Any]:
    """What a candidate said of itself, as JSON; `hello_from` reads it back."""
    members = {**vars(hello), "capabilities": sorted(hello.capabilities)}
    return {name: value for name, value in members.items() if name != "raw"}


def initialize_result_from_json(data: Mapping[str, Any]) -> InitializeResult:
    """Read back what `told` wrote."""
    return InitializeResult(**{**data, "capabilities": frozenset(data["capabilities"])})


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """The requests and the answers on descriptors that a candidate in this process does not know."""
    requests, answers = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)  # whatever a candidate prints goes to stderr
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")
