"""The workers of mutation testing: as many as there is work for, and one more beside a task that waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.mutation import task_pool
from treeproof.mutation.task_pool import Task, run_tasks
from treeproof.spec import bundled_packs, load_pack

PACK = load_pack(bundled_packs()[0])


@dataclass
class FakeWorker:
    """A worker without a process."""

    task: Task | None = None
    task_count: int = 0
    is_closed: bool = False

    def send(self, request: object) -> None:
        self.is_closed |= request is None


class FakePool(task_pool._TaskPool):
    """The pool with fake workers; `finish` ends the task of one."""

    def start_worker(self) -> None:
        worker: Any = FakeWorker()
        self._workers.append(worker)
        self.assign(worker)

    def finish(self, worker: Any) -> None:
        self.on_message(worker, None)
        if worker.is_closed:
            self._workers.remove(worker)
            self.on_exit(worker, "ended with exit code 0")


@pytest.fixture
def finished() -> list[str]:
    return []


def pool_of(tasks: list[Task], jobs: int, finished: list[str]) -> Any:
    from treeproof.run.interrupts import Interrupts

    pool = FakePool(PACK, tasks, jobs, Interrupts(), lambda task, data: finished.append(task["id"]))
    for _ in range(jobs):
        pool.start_worker()
    return pool


def running(pool: Any) -> list[str]:
    return [worker.task["id"] for worker in pool._workers if worker.task is not None]


def test_beside_a_task_that_waits_as_many_others_run_as_without_it(finished: list[str]) -> None:
    pool = pool_of([{"id": "w", "waits": True}, *({"id": f"t{n}"} for n in range(5))], 2, finished)
    assert sorted(running(pool)) == ["t0", "t1", "w"]
    waiting = next(worker for worker in pool._workers if worker.task["id"] == "w")
    pool.finish(waiting)
    assert waiting.is_closed, "the two others are enough"
    assert sorted(running(pool)) == ["t0", "t1"]
    while pool._workers:
        pool.finish(pool._workers[0])
    assert sorted(finished) == ["t0", "t1", "t2", "t3", "t4", "w"]


def test_a_worker_that_has_run_enough_tasks_is_replaced(finished: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_pool, "MAX_TASKS_PER_WORKER", 2)
    pool = pool_of([{"id": f"t{n}"} for n in range(7)], 1, finished)
    while pool._workers:
        assert len(pool._workers) == 1
        pool.finish(pool._workers[0])
    assert finished == [f"t{n}" for n in range(7)]


def test_real_workers_run_mutants_and_variants(finished: list[str]) -> None:
    tasks: list[Task] = [
        {"kind": "variant", "id": "", "scenarios": ["LD-LST-05-01"], "compare": False},
        {"kind": "mutant", "id": "MUT-001", "requirements": ["FR-LD-LST-05"], "is_null_candidate": False},
    ]
    results: dict[str, Any] = {}
    run_tasks(PACK, tasks, 1, None, lambda task, result: results.update({task["id"]: result}))
    assert results["MUT-001"].failed == {"FR-LD-LST-05"}
    assert results[""].failures == {}


def test_a_task_that_ends_its_worker_is_an_error_that_names_it() -> None:
    pool = pool_of([{"id": "t0"}], 1, [])
    with pytest.raises(UsageError, match="^t0: the process that judged it was killed by SIGKILL$"):
        pool.on_exit(pool._workers[0], "was killed by SIGKILL")
