"""Worker processes that run tasks of one pack, each with an id and one result. Knows neither mutants nor variants."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from treeproof.errors import UsageError
from treeproof.report.escape import visible
from treeproof.run.interrupts import Interrupts
from treeproof.run.worker_pool import WorkerPool, WorkerProcess
from treeproof.spec import Pack
from treeproof.spec.packs import address_of
from treeproof.tree.workspace import default_base

MAX_TASKS_PER_WORKER = 40
"""A bound for the memory of a worker; its start serves all these tasks."""

Task = Mapping[str, Any]
"""A request with the member ``id``."""

Result = TypeVar("Result")


class TaskWorker(WorkerProcess):
    """A worker and its current task. A subclass names its module."""

    task: Task | None = None
    task_count = 0

    def __init__(self, pickled_task: bytes) -> None:
        self._stderr = tempfile.TemporaryFile(dir=default_base())  # noqa: SIM115 - closed by `stop`
        super().__init__(pickled_task, self._stderr)

    def stop(self) -> str:
        """End the process; return the last line of its stderr, or else its exit code."""
        super().stop()
        with self._stderr as stderr:
            stderr.seek(0)
            lines = stderr.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit {self.process.returncode}"


def run_tasks(
    worker_class: type[TaskWorker],
    pack: Pack,
    tasks: Sequence[Task],
    jobs: int,
    interrupts: Interrupts | None,
    parse_result: Callable[[Mapping[str, Any]], Result],
    on_result: Callable[[Result], None],
) -> dict[str, Result]:
    """Return the result of each task by its id; ``on_result`` receives it at once.

    Raises KeyboardInterrupt, and UsageError if a task ends its worker twice.
    """
    with _TaskPool(worker_class, pack, tasks, interrupts or Interrupts(), parse_result, on_result) as pool:
        pool.run(min(max(1, jobs), len(tasks)))
        return pool.results


class _TaskPool(WorkerPool[TaskWorker], Generic[Result]):
    """The workers of a pack and the results of its tasks."""

    def __init__(
        self,
        worker_class: type[TaskWorker],
        pack: Pack,
        tasks: Sequence[Task],
        interrupts: Interrupts,
        parse_result: Callable[[Mapping[str, Any]], Result],
        on_result: Callable[[Result], None],
    ) -> None:
        super().__init__(worker_class, address_of(pack), interrupts, default_base())
        self.results: dict[str, Result] = {}
        self._pending = deque(tasks)
        self._repeated: set[str] = set()
        self._parse_result = parse_result
        self._on_result = on_result

    def next_request(self, worker: TaskWorker) -> Task | None:
        """Return the next task, unless the worker has run enough of them."""
        worker.task = None
        if self._pending and worker.task_count < MAX_TASKS_PER_WORKER:
            worker.task = self._pending.popleft()
            worker.task_count += 1
        return worker.task

    def on_message(self, worker: TaskWorker, message: Mapping[str, Any]) -> None:
        """Keep a result."""
        assert worker.task is not None
        result = self._parse_result(message["result"])
        self.results[worker.task["id"]] = result
        self._on_result(result)
        self.assign(worker)

    def on_exit(self, worker: TaskWorker, ending: str) -> None:
        """Replace a worker. A task that ended it runs once more, in a new worker; UsageError if it ends that too."""
        if worker.task is not None:
            id = worker.task["id"]
            if id in self._repeated:
                raise UsageError(f"{id}: the process that judged it ended early: {visible(ending)}")
            self._repeated.add(id)
            self._pending.appendleft(worker.task)
        if self._pending:
            self.start_worker()
