"""A pool of worker processes, for parallel runs and for mutation testing. Knows no scenario and no mutant.

The pool sends one request at a time to each worker and receives messages. Both are lines of JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import selectors
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, ClassVar, Generic, Self, TypeVar

from treeproof.candidate.exit_status import describe_exit
from treeproof.errors import UsageError
from treeproof.run.interrupts import Interrupts
from treeproof.tree.workspace import remove_stale_workspaces

_SHUTDOWN_SECONDS = 15.0
"""How long workers may take to exit after a signal: they stop candidates and remove trees."""

_EXIT_SECONDS = 5.0
"""How long a process may take to exit after the end of its output: it may write a core file."""

_POLL_SECONDS = 2.0
"""The interval of the check for stopped and dead workers while none sends a message."""

_READ_BYTES = 1 << 20
_MAX_MESSAGE_BYTES = 32 << 20
"""A candidate in the worker's process can write to its pipe without end."""

_MESSAGE_KEYS = frozenset({"begun", "record", "done", "hello", "fault", "usage", "left", "result"})
"""Each message has one of these keys."""


class WorkerProcess:
    """One worker as its parent sees it: a process that calls ``work`` of ``module``."""

    module: ClassVar[str]

    def __init__(self, pickled_task: bytes, stderr: IO[bytes] | None = None) -> None:
        self.exited_cleanly = False
        """True after the final message of a run's worker."""
        self._buffer = b""
        self._was_stopped = False
        paths = [path or os.getcwd() for path in sys.path]  # noqa: PTH109 - as the interpreter means ""
        start = f"from treeproof.run.worker_main import run_worker; from {self.module} import work; run_worker(work)"
        # In a session of its own: a Ctrl-C reaches only the parent, which stops its workers in order.
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path[:] = {paths!a}; {start}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._stdin, self.stdout = self.process.stdin, self.process.stdout
        os.set_blocking(self.stdout.fileno(), False)
        self._write(pickled_task)

    def send(self, request: Mapping[str, Any]) -> None:
        """Send a request."""
        self._write(json.dumps(request).encode() + b"\n")

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has exited; the end of its stdout shows that
            self._stdin.write(data)
            self._stdin.flush()

    def close_stdin(self) -> None:
        """Let the worker exit after its current request."""
        with contextlib.suppress(BrokenPipeError):
            self._stdin.close()

    def read_messages(self) -> tuple[list[Mapping[str, Any]], bool]:
        """Return the new messages, and True if no more follow: it has exited or has sent an invalid message.

        Messages before an invalid one count, above all the last scenario that has begun.
        """
        try:
            data = os.read(self.stdout.fileno(), _READ_BYTES)
        except BlockingIOError:
            return [], self.has_exited
        if not data:
            return [], True
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        messages: list[Mapping[str, Any]] = []
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:  # the candidate in the process has written to the pipe
                return messages, True
            if not isinstance(message, dict) or not message.keys() & _MESSAGE_KEYS:
                return messages, True
            messages.append(message)
        return messages, len(self._buffer) > _MAX_MESSAGE_BYTES

    @property
    def has_exited(self) -> bool:
        """Whether the process has exited. A child that a candidate forked may still hold the pipe open."""
        return self.process.poll() is not None

    def kill_if_stopped(self) -> None:
        """Kill the process if it is stopped at two checks in a row: a candidate has sent SIGSTOP to it."""
        before, self._was_stopped = self._was_stopped, _is_stopped(self.process.pid)
        if before and self._was_stopped:
            self.process.kill()

    def stop(self) -> str:
        """End the process and its descendants; return how it ended."""
        self.close_stdin()
        self.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_EXIT_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        return describe_exit(self.process.wait())


def _is_stopped(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as state:
            return state.read().rpartition(b")")[2].split()[0] == b"T"
    except (OSError, IndexError):  # it has exited, or this is not Linux
        return False


Worker = TypeVar("Worker", bound=WorkerProcess)


class WorkerPool(ABC, Generic[Worker]):
    """The workers of one class. A context manager: at its end none of them remains, and none of their workspaces.

    Every worker receives ``task`` first. ``base`` is the parent directory of the workspaces.
    """

    def __init__(self, worker_class: type[Worker], task: object, interrupts: Interrupts, base: Path) -> None:
        self._worker_class = worker_class
        self._pickled_task = pickle.dumps(task)
        self._interrupts = interrupts
        self._base = base
        self._selector = selectors.DefaultSelector()
        self._workers: list[Worker] = []
        self._is_closing = False

    @abstractmethod
    def next_request(self, worker: Worker) -> Mapping[str, Any] | None:
        """Return the next request for an idle worker; None if it shall exit."""

    @abstractmethod
    def on_message(self, worker: Worker, message: Mapping[str, Any]) -> None:
        """Handle a message, and `assign` the next request if the worker is idle now. Raises UsageError."""

    @abstractmethod
    def on_exit(self, worker: Worker, ending: str) -> None:
        """Handle the exit of a worker; ``ending`` describes it. May start another worker. Raises UsageError."""

    def run(self, jobs: int) -> None:
        """Start ``jobs`` workers and handle messages until all have exited. Raises KeyboardInterrupt and UsageError."""
        for _ in range(jobs):
            self.start_worker()
        while self._workers and not self._is_closing:
            with self._interrupts.interruptible():
                ready = [key.data for key, _ in self._selector.select(_POLL_SECONDS)]
            if not ready:
                for worker in self._workers:
                    worker.kill_if_stopped()
                ready = [worker for worker in self._workers if worker.has_exited]
            for worker in ready:
                self._read(worker)

    def start_worker(self) -> None:
        """Start a worker and send its first request."""
        worker = self._worker_class(self._pickled_task)
        self._workers.append(worker)
        self._selector.register(worker.stdout, selectors.EVENT_READ, worker)
        self.assign(worker)

    def assign(self, worker: Worker) -> None:
        """Send an idle worker its next request; without one it exits."""
        request = None if self._is_closing else self.next_request(worker)
        if request is None:
            worker.close_stdin()
        else:
            worker.send(request)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._is_closing = True
        for worker in self._workers:
            with contextlib.suppress(ProcessLookupError):
                worker.process.terminate()
            worker.close_stdin()
        deadline = time.monotonic() + _SHUTDOWN_SECONDS
        with contextlib.suppress(KeyboardInterrupt, UsageError):
            while self._workers and (remaining := deadline - time.monotonic()) > 0:
                for key, _ in self._selector.select(remaining):
                    self._read(key.data)
        for worker in list(self._workers):
            self._remove(worker)
        self._selector.close()
        remove_stale_workspaces(self._base)  # those of workers that were killed

    def _read(self, worker: Worker) -> None:
        messages, is_over = worker.read_messages()
        for message in messages:
            if "usage" in message:
                raise UsageError(message["usage"])
            worker.exited_cleanly |= "left" in message
            self.on_message(worker, message)
        if is_over or worker.exited_cleanly:
            ending = self._remove(worker)
            if not self._is_closing:
                self.on_exit(worker, ending)

    def _remove(self, worker: Worker) -> str:
        self._selector.unregister(worker.stdout)
        self._workers.remove(worker)
        return worker.stop()
