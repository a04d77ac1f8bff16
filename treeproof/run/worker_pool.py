"""A pool of worker processes, for parallel runs and for mutation testing. Knows no scenario and no mutant.

Requests and messages are objects, which a connection of `multiprocessing` carries. Nothing foreign runs in a worker: a
candidate has a process of its own.
"""

from __future__ import annotations

import contextlib
import copyreg
import gc
import os
import signal
import subprocess
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, NoReturn, Self, TypeVar

from treeproof.candidate.exit_status import describe_exit, die_with_parent
from treeproof.errors import UsageError
from treeproof.run.interrupts import Interrupts
from treeproof.tree.workspace import remove_stale_workspaces

_SHUTDOWN_SECONDS = 15.0
"""How long workers may take to exit after a signal: they stop candidates and remove trees."""

_EXIT_SECONDS = 5.0
"""How long a process may take to exit after the end of its connection: it may write a core file."""


def _read_only(members: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(members)


# A catalogue contains read-only mappings, which pickle does not support.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


class ParentConnection:
    """The parent as a worker sees it."""

    def __init__(self, connection: Connection, interrupts: Interrupts) -> None:
        self.interrupts = interrupts
        self._connection = connection

    def read_requests(self) -> Iterator[Any]:
        """Yield the requests until the parent has no more, or has been killed. Raises KeyboardInterrupt."""
        with contextlib.suppress(EOFError, ConnectionError):
            while (request := self._next_request()) is not None:
                yield request

    def _next_request(self) -> Any:
        with self.interrupts.interruptible():
            return self._connection.recv()

    def send(self, message: object) -> None:
        """Send a message. Raises KeyboardInterrupt if the parent has been killed."""
        try:
            self._connection.send(message)
        except ConnectionError:
            raise KeyboardInterrupt from None


Work = Callable[[Any, ParentConnection], None]
"""What a worker does with the task of all workers and with its requests; a function of a module."""


def run_worker(descriptor: int) -> NoReturn:
    """Do the work that the parent sends first, over its connection, until it has no requests or a signal arrives.

    Then the process ends at once: the code that a specification names may have left threads that do not end, and
    functions that run at the exit.
    """
    code = 0
    try:
        os.set_inheritable(descriptor, False)  # no candidate may write into it
        die_with_parent()
        gc.set_threshold(100_000, 20, 20)  # as in the parent, and for the same reason
        with Interrupts(process_exits_afterwards=True) as interrupts, contextlib.suppress(KeyboardInterrupt):
            parent = ParentConnection(Connection(descriptor), interrupts)
            try:
                for work, task in parent.read_requests():
                    work(task, parent)
                    break
            except UsageError as error:
                parent.send(UsageError(str(error)))
    except BaseException:
        code = 1
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    os._exit(code)


class Worker:
    """One worker as its parent sees it."""

    def __init__(self, work: Work, task: object) -> None:
        self.connection, its_end = Pipe()
        paths = [path or os.getcwd() for path in sys.path]  # noqa: PTH109 - as the interpreter means ""
        start = f"from treeproof.run.worker_pool import run_worker; run_worker({its_end.fileno()})"
        # Not by `multiprocessing.Process`: its resource tracker would remain after the run, and it would import the
        # script of a user again. In a session of its own: a Ctrl-C reaches only the parent, which stops its workers.
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path[:] = {paths!a}; {start}"],
            stdin=subprocess.DEVNULL,
            pass_fds=[its_end.fileno()],
            start_new_session=True,
        )
        its_end.close()
        self.send((work, task))

    def send(self, request: object) -> None:
        """Send a request; None ends the worker."""
        with contextlib.suppress(ConnectionError):  # it has exited; the end of its connection shows that
            self.connection.send(request)

    def terminate(self) -> None:
        """Let the worker end early."""
        with contextlib.suppress(ProcessLookupError):
            self._process.terminate()
        self.send(None)

    def stop(self) -> str:
        """End the process and its descendants; return how it ended."""
        self.connection.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        return describe_exit(self._process.wait())


W = TypeVar("W", bound=Worker)


class WorkerPool(ABC, Generic[W]):
    """The workers of one class. A context manager: at its end none of them remains, and none of their workspaces.

    Each calls ``work`` with ``task``. ``base`` is the parent directory of the workspaces.
    """

    def __init__(self, worker_class: type[W], work: Work, task: object, interrupts: Interrupts, base: Path) -> None:
        self._create: Callable[[], W] = lambda: worker_class(work, task)
        self._interrupts = interrupts
        self._base = base
        self._workers: list[W] = []
        self._is_closing = False

    @abstractmethod
    def next_request(self, worker: W) -> object | None:
        """Return the next request for an idle worker; None if it shall exit."""

    @abstractmethod
    def on_message(self, worker: W, message: object) -> None:
        """Handle a message, and `assign` the next request if the worker is idle now. Raises UsageError."""

    @abstractmethod
    def on_exit(self, worker: W, ending: str) -> None:
        """Handle the exit of a worker; ``ending`` describes it. May start another worker. Raises UsageError."""

    def run(self, jobs: int) -> None:
        """Start ``jobs`` workers and handle messages until all have exited. Raises KeyboardInterrupt and UsageError."""
        for _ in range(jobs):
            self.start_worker()
        while self._workers and not self._is_closing:
            with self._interrupts.interruptible():
                ready = self._wait(None)
            for worker in ready:
                self._receive(worker)

    def start_worker(self) -> None:
        """Start a worker and send its first request."""
        worker = self._create()
        self._workers.append(worker)
        self.assign(worker)

    def assign(self, worker: W) -> None:
        """Send an idle worker its next request; without one it exits."""
        worker.send(None if self._is_closing else self.next_request(worker))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._is_closing = True
        for worker in self._workers:
            worker.terminate()
        deadline = time.monotonic() + _SHUTDOWN_SECONDS
        with contextlib.suppress(KeyboardInterrupt, UsageError):
            while self._workers and (remaining := deadline - time.monotonic()) > 0:
                for worker in self._wait(remaining):
                    self._receive(worker)
        for worker in list(self._workers):
            self._remove(worker)
        remove_stale_workspaces(self._base)  # those of workers that were killed

    def _wait(self, seconds: float | None) -> list[W]:
        """Return the workers that have sent a message or exited."""
        ready = wait([worker.connection for worker in self._workers], seconds)
        return [worker for worker in self._workers if worker.connection in ready]

    def _receive(self, worker: W) -> None:
        try:
            message = worker.connection.recv()
        except (EOFError, ConnectionError):
            ending = self._remove(worker)
            if not self._is_closing:
                self.on_exit(worker, ending)
            return
        if isinstance(message, UsageError):
            raise message
        self.on_message(worker, message)

    def _remove(self, worker: W) -> str:
        self._workers.remove(worker)
        return worker.stop()
