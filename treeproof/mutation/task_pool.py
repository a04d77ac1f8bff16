"""Worker processes that run tasks of one pack: the pool in the parent, and the work of each process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treeproof.candidate.orphans import OrphanReaper
from treeproof.errors import UsageError
from treeproof.mutation.mutant_report import MutantResult
from treeproof.mutation.mutant_runner import MutantRunner
from treeproof.mutation.operator_report import OperatorResult
from treeproof.mutation.operator_runner import OperatorRunner
from treeproof.mutation.variant_report import VariantResult
from treeproof.mutation.variant_runner import VariantRunner
from treeproof.run.connected_candidate import open_environment
from treeproof.run.interrupts import Interrupts
from treeproof.run.session import StepRegistry
from treeproof.run.worker_pool import ParentConnection, Worker, WorkerPool
from treeproof.spec import Pack, open_pack
from treeproof.spec.packs import address_of
from treeproof.tree.workspace import default_base

MAX_TASKS_PER_WORKER = 120
"""A bound for the memory of a worker; its start serves all these tasks."""

Task = Mapping[str, Any]
"""A request: the members ``kind`` and ``id``, and the other arguments of its runner.

With the member ``waits`` it uses no processor for most of its time.
"""

Result = MutantResult | VariantResult | OperatorResult

_RUNNERS = {"mutant": MutantRunner, "variant": VariantRunner, "operators": OperatorRunner}
"""What runs a task, by its kind."""


def work(pack_address: str, parent: ParentConnection) -> None:
    """Run each task and send its result. Raises UsageError and KeyboardInterrupt."""
    with open_environment(parent.interrupts) as environment, OrphanReaper():
        # open_pack makes the modules of the folder importable; load_pack only reads it.
        pack = open_pack(pack_address)
        registry = StepRegistry(pack.steps, pack.folder)
        runners: dict[str, Any] = {
            kind: runner(pack, environment.host, parent.interrupts, registry) for kind, runner in _RUNNERS.items()
        }
        for task in parent.read_requests():
            arguments = {key: value for key, value in task.items() if key not in ("kind", "waits")}
            parent.send(runners[task["kind"]].run(**arguments))


class TaskWorker(Worker):
    """A worker and its current task."""

    task: Task | None = None
    task_count = 0


def run_tasks(
    pack: Pack,
    tasks: Sequence[Task],
    jobs: int,
    interrupts: Interrupts | None,
    on_result: Callable[[Task, Result], None],
) -> None:
    """Run the tasks, in their order, in ``jobs`` workers; ``on_result`` receives each with its result at once.

    While a task waits, another worker runs beside its own. Raises KeyboardInterrupt, and UsageError if a task ends its
    worker.
    """
    with _TaskPool(pack, tasks, max(1, jobs), interrupts or Interrupts(), on_result) as pool:
        pool.run(min(max(1, jobs), len(tasks)))


class _TaskPool(WorkerPool[TaskWorker]):
    """The workers of a pack and the results of its tasks."""

    def __init__(
        self,
        pack: Pack,
        tasks: Sequence[Task],
        jobs: int,
        interrupts: Interrupts,
        on_result: Callable[[Task, Result], None],
    ) -> None:
        super().__init__(TaskWorker, work, address_of(pack), interrupts, default_base())
        self._pending = deque(tasks)
        self._jobs = jobs
        self._on_result = on_result

    def next_request(self, worker: TaskWorker) -> Task | None:
        """Return the next task, unless the worker has run enough of them or enough others are busy."""
        worker.task = None
        if self._pending and worker.task_count < MAX_TASKS_PER_WORKER and self._busy_count < self._jobs:
            worker.task = self._pending.popleft()
            worker.task_count += 1
        return worker.task

    @property
    def _busy_count(self) -> int:
        return sum(one.task is not None and not one.task.get("waits") for one in self._workers)

    def assign(self, worker: TaskWorker) -> None:
        """Send an idle worker its next task; beside one that waits, start another worker."""
        super().assign(worker)
        if worker.task is not None and worker.task.get("waits") and self._pending and not self._is_closing:
            self.start_worker()

    def on_message(self, worker: TaskWorker, message: Any) -> None:
        """Keep a result."""
        assert worker.task is not None
        self._on_result(worker.task, message)
        self.assign(worker)

    def on_exit(self, worker: TaskWorker, ending: str) -> None:
        """Replace a worker that has run enough tasks. Raises UsageError if a task ended it."""
        if worker.task is not None:
            raise UsageError(f"{worker.task['id']}: the process that judged it {ending}")
        if self._pending and self._busy_count < self._jobs:
            self.start_worker()
