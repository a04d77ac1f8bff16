"""Runs the mutants of a pack in worker processes: against their own requirement, or against the whole suite."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treeproof.errors import UsageError
from treeproof.mutation.kill_matrix import NULL_CANDIDATE_KIND, KillMatrix, MutantResult, build_kill_matrix
from treeproof.report.escape import visible
from treeproof.run.interrupts import Interrupts
from treeproof.run.worker_pool import WorkerPool, WorkerProcess
from treeproof.spec import Pack
from treeproof.spec.gherkin import parse_feature
from treeproof.spec.mutants import find_mutant, load_mutants, requirements_without_mutant
from treeproof.tree.workspace import default_base

MAX_MUTANTS_PER_WORKER = 40
"""A bound for the memory of a worker; its start serves all these mutants."""


def run_mutation_tests(
    pack: Pack,
    *,
    ids: Sequence[str] = (),
    whole_suite: bool = False,
    jobs: int = 2,
    on_result: Callable[[MutantResult], None] = lambda result: None,
    interrupts: Interrupts | None = None,
) -> KillMatrix:
    """Return the kill matrix of ``pack``. Raises UsageError for an unknown id, and KeyboardInterrupt.

    By default a mutant runs against the scenarios of the requirement that it violates, because these must kill it.
    Null candidates, and all mutants if ``whole_suite`` is set, run against the whole suite.
    """
    mutants = load_mutants(pack)
    for id in ids:
        find_mutant([pack], id, id)
    selected = [mutants[id] for id in ids] if ids else list(mutants.values())
    tasks = []
    for mutant in selected:
        is_null = mutant.kind == NULL_CANDIDATE_KIND
        requirements = () if whole_suite or is_null else mutant.violates[:1]
        tasks.append({"id": mutant.id, "requirements": requirements, "is_null_candidate": is_null})
    # Null candidates take longest and start first, so that all workers end at about the same time.
    tasks.sort(key=lambda task: (not task["is_null_candidate"], task["id"]))
    with _MutantPool(pack, tasks, interrupts or Interrupts(), on_result) as pool:
        pool.run(min(max(1, jobs), len(tasks)))
    results = [pool.results[mutant.id] for mutant in selected]
    if ids:  # a selection does not show which requirements have no mutant
        return build_kill_matrix(mutants, results, pack.requirements)
    return build_kill_matrix(
        mutants,
        results,
        pack.requirements,
        verified=_verified_requirements(pack),
        without_mutant=requirements_without_mutant(pack),
    )


def _verified_requirements(pack: Pack) -> list[str]:
    """Return the requirements that have scenarios of their own."""
    verified = {case.requirement for file in pack.feature_files() for case in parse_feature(file).scenarios}
    return [r.id for r in pack.requirements if r.id in verified and not r.restates and not r.excluded]


class _MutantWorker(WorkerProcess):
    """A worker of mutation testing and its current request."""

    module = "treeproof.mutation.worker"
    task: Mapping[str, Any] | None = None
    mutant_count = 0

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


class _MutantPool(WorkerPool[_MutantWorker]):
    """The workers of a pack and the results of its mutants."""

    def __init__(
        self,
        pack: Pack,
        tasks: Sequence[Mapping[str, Any]],
        interrupts: Interrupts,
        on_result: Callable[[MutantResult], None],
    ) -> None:
        super().__init__(_MutantWorker, str(pack.folder), interrupts, default_base())
        self.results: dict[str, MutantResult] = {}
        self._pending = deque(tasks)
        self._repeated: set[str] = set()
        self._on_result = on_result

    def next_request(self, worker: _MutantWorker) -> Mapping[str, Any] | None:
        """Return the next mutant, unless the worker has run enough of them."""
        worker.task = None
        if self._pending and worker.mutant_count < MAX_MUTANTS_PER_WORKER:
            worker.task = self._pending.popleft()
            worker.mutant_count += 1
        return worker.task

    def on_message(self, worker: _MutantWorker, message: Mapping[str, Any]) -> None:
        """Keep a result."""
        result = MutantResult.from_json(message["result"])
        self.results[result.id] = result
        self._on_result(result)
        self.assign(worker)

    def on_exit(self, worker: _MutantWorker, ending: str) -> None:
        """Replace a worker. A mutant that ended it runs once more, in a new worker; UsageError if it ends that too."""
        if worker.task is not None:
            id = worker.task["id"]
            if id in self._repeated:
                raise UsageError(f"{id}: the process that judged it ended early: {visible(ending)}")
            self._repeated.add(id)
            self._pending.appendleft(worker.task)
        if self._pending:
            self.start_worker()
