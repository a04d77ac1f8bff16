"""A worker process as its parent sees it: its batches of scenarios and its messages."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.candidate.exit_status import describe_exit
from treeproof.run.plan import SelectedPack, scenario_ids_by_file

MIN_BATCH_SIZE = 40
"""So many scenarios a worker is asked for at a time at least, as far as there are; a file is never split."""

_EXIT_SECONDS = 5.0
"""So long after the end of its output it may take to exit: a core is dumped, the machine is busy."""

_MESSAGE_KEYS = frozenset({"begun", "record", "done", "hello", "fault", "usage", "left"})
"""One of these is in all that a worker says."""


@dataclass(frozen=True)
class WorkBatch:
    """What a worker is asked for at a time: the scenarios of one feature file, or of some small ones."""

    target_index: int
    pack_name: str
    scenario_ids: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as the worker reads it."""
        return {"party": self.target_index, "pack": self.pack_name, "ids": list(self.scenario_ids)}


def split_into_batches(target_index: int, packs: Sequence[SelectedPack]) -> Iterator[WorkBatch]:
    """Yield what workers are asked for of ``parts``, in the order of packs and of their files."""
    for part in packs:
        ids: list[str] = []
        for of_file in scenario_ids_by_file(part).values():
            ids += of_file
            if len(ids) >= MIN_BATCH_SIZE:
                yield WorkBatch(target_index, part.pack.name, tuple(ids))
                ids = []
        if ids:
            yield WorkBatch(target_index, part.pack.name, tuple(ids))


class WorkerProcess:
    """One process, what it is doing, and what it has said but not yet finished."""

    def __init__(self, number: int, pickled_task: bytes) -> None:
        self.number = number
        self.batch: WorkBatch | None = None
        self.starting_target: int | None = None
        self.running_scenario: str | None = None
        self.batch_started_at = time.monotonic()
        self.started_targets: set[int] = set()
        self.exited_cleanly = False
        self._buffer = b""
        self._was_stopped = False
        paths = [path or os.getcwd() for path in sys.path]  # noqa: PTH109 - as the interpreter means ""
        start = f"import sys; sys.path[:] = {paths!a}; from treeproof.run.worker import main; main()"
        # A session of its own: a Ctrl-C is for the run, which ends its workers in order.
        self.process = subprocess.Popen(
            [sys.executable, "-c", start],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._stdin, self.stdout = self.process.stdin, self.process.stdout
        os.set_blocking(self.stdout.fileno(), False)
        self._send(pickled_task)

    def request(self, party: int, unit: WorkBatch | None = None) -> None:
        """Ask for a unit, or for the start of a candidate."""
        self.batch, self.running_scenario, self.batch_started_at = unit, None, time.monotonic()
        self.starting_target = party if unit is None else None
        self._send(json.dumps(unit.to_json() if unit else {"party": party}).encode() + b"\n")

    def _send(self, data: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has ended, which its stdout tells
            self._stdin.write(data)
            self._stdin.flush()

    def close_stdin(self) -> None:
        """Nothing more will be asked."""
        with contextlib.suppress(BrokenPipeError):
            self._stdin.close()

    def read_messages(self) -> tuple[list[Mapping[str, Any]], bool]:
        """What it has said since, and whether that was the last: it has ended, or said what it cannot say.

        What came before such words counts: which scenario was begun, above all.
        """
        data = self.stdout.read()
        if data == b"" or (data is None and self.has_exited):
            return [], True
        *lines, self._buffer = (self._buffer + (data or b"")).split(b"\n")
        told: list[Mapping[str, Any]] = []
        for line in lines:
            try:
                one = json.loads(line)
            except ValueError:  # the candidate has found the way to the harness's own words
                return told, True
            if not isinstance(one, dict) or not one.keys() & _MESSAGE_KEYS:
                return told, True
            told.append(one)
        return told, False

    @property
    def has_exited(self) -> bool:
        """Whether the process is gone. A child that the candidate forked may hold the other end of the pipe open."""
        return self.process.poll() is not None

    def kill_if_stopped(self) -> None:
        """End it when it is found stopped for the second time in a row: nothing will ever come from there.

        A candidate in it has sent SIGSTOP to its own process.
        """
        before, self._was_stopped = self._was_stopped, _is_stopped(self.process.pid)
        if before and self._was_stopped:
            self.process.kill()

    def stop(self) -> str:
        """Nothing of it remains; returns how it ended."""
        self.close_stdin()
        self.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_EXIT_SECONDS)  # the end of its output and its exit are two events
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        return describe_exit(self.process.wait())


def _is_stopped(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as state:
            return state.read().rpartition(b")")[2].split()[0] == b"T"
    except (OSError, IndexError):  # it has ended, or this is not Linux
        return False
