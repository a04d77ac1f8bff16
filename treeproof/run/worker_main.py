"""The inside of a worker process: its connection to the parent, its signals, its end. `worker_pool` starts it."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from treeproof.candidate.exit_status import die_with_parent
from treeproof.errors import UsageError
from treeproof.run.interrupts import Interrupts


class ParentConnection:
    """The pipes from and to the parent, on file descriptors that no other code in this process knows."""

    def __init__(self, interrupts: Interrupts) -> None:
        self.interrupts = interrupts
        self._requests, self._messages = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)
        os.dup2(2, 1)  # what else is printed goes to stderr

    def read_task(self) -> Any:
        """Return the task. Raises EOFError and UnpicklingError if the parent has exited before it sent all of it."""
        return pickle.load(self._requests)

    def read_requests(self) -> Iterator[Mapping[str, Any]]:
        """Yield the requests until the parent closes the pipe. Raises KeyboardInterrupt."""
        while True:
            with self.interrupts.interruptible():
                line = self._requests.readline()
            if not line:
                return
            yield json.loads(line)

    def send(self, **message: Any) -> None:
        """Send a message. Raises KeyboardInterrupt if the parent has been killed."""
        try:
            self._messages.write(json.dumps(message).encode("ascii") + b"\n")
            self._messages.flush()
        except BrokenPipeError:
            raise KeyboardInterrupt from None


def run_worker(work: Callable[[Any, ParentConnection], None]) -> NoReturn:
    """Call ``work`` with the task until stdin ends or a signal arrives; then end the process at once.

    The code that a specification names may have left threads that do not end, and functions that run at the exit.
    """
    code = 0
    try:
        _run(work)
    except BaseException:
        code = 1
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    with contextlib.suppress(BaseException):
        sys.stderr.flush()
    os._exit(code)


def _run(work: Callable[[Any, ParentConnection], None]) -> None:
    die_with_parent()
    gc.set_threshold(100_000, 20, 20)  # as in the parent, and for the same reason
    parent = ParentConnection(Interrupts(process_exits_afterwards=True))
    try:
        task = parent.read_task()
    except (EOFError, pickle.UnpicklingError):
        return
    with parent.interrupts, contextlib.suppress(KeyboardInterrupt):
        try:
            work(task, parent)
        except UsageError as error:
            parent.send(usage=str(error))
