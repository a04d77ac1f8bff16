"""Runs the mutants of a pack in worker processes: against their own requirement, or against the whole suite."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from treeproof.errors import UsageError
from treeproof.mutation.kill_matrix import NULL_CANDIDATE_KIND, KillMatrix, MutantResult, build_kill_matrix
from treeproof.report.escape import visible as shown
from treeproof.spec import Pack
from treeproof.spec.gherkin import parse_feature
from treeproof.spec.mutants import Mutant, find_mutant, load_mutants, requirements_without_mutant
from treeproof.tree.workspace import default_base, remove_stale_workspaces

CHUNK_SIZE = 40
"""How many mutants one worker process judges: its start is paid once for all of them."""

_EXIT_SECONDS = 5.0
"""So long a process may take to end in order: it removes what it built."""

MutantTask = tuple[str, Sequence[str], bool]
"""A mutant's id, the requirements that are asked (none: all), and whether only matters what it earns."""


def run_mutation_tests(
    pack: Pack,
    *,
    ids: Sequence[str] = (),
    whole_suite: bool = False,
    jobs: int = 2,
    on_result: Callable[[MutantResult], None] = lambda result: None,
) -> KillMatrix:
    """Return the kill matrix of ``pack``. Raises UsageError for an unknown id.

    By default a mutant meets the scenarios of the requirement that it violates, which is what can kill it; null
    candidates, and every mutant when ``full`` is set, meet the whole suite.
    """
    animals = load_mutants(pack)
    for id in ids:
        find_mutant([pack], id, id)
    chosen = [animals[id] for id in ids] if ids else list(animals.values())
    results = {}
    for result in _run_mutants(pack, chosen, whole_suite, jobs):
        results[result.id] = result
        on_result(result)
    found = [results[mutant.id] for mutant in chosen]
    if ids:  # of some mutants nobody can tell which are missing
        return build_kill_matrix(animals, found, pack.requirements)
    return build_kill_matrix(
        animals,
        found,
        pack.requirements,
        verified=_verified_requirements(pack),
        without_mutant=requirements_without_mutant(pack),
    )


def _verified_requirements(pack: Pack) -> list[str]:
    """The requirements that have scenarios of their own."""
    asked = {row.requirement for file in pack.feature_files() for row in parse_feature(file).scenarios}
    return [r.id for r in pack.requirements if r.id in asked and not r.restates and not r.excluded]


def _run_mutants(pack: Pack, chosen: Sequence[Mutant], full: bool, jobs: int) -> Iterator[MutantResult]:
    # The whole suite takes longest, so it begins first. A chunk is small, so that no worker ends long after the other.
    asked = sorted((mutant.kind != NULL_CANDIDATE_KIND, mutant.id, mutant.violates) for mutant in chosen)
    tasks = [(id, () if full or not wrong else violates[:1], not wrong) for wrong, id, violates in asked]
    size = max(1, min(CHUNK_SIZE, len(tasks) // (2 * jobs)))
    chunks = [tasks[at : at + size] for at in range(0, len(tasks), size)]
    workers = _WorkerProcesses(pack)
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        futures = [pool.submit(workers.run_tasks, chunk) for chunk in chunks]
        try:
            for future in as_completed(futures):
                yield from future.result()
        except BaseException:  # a signal, above all
            pool.shutdown(wait=False, cancel_futures=True)
            workers.stop()
            raise


class _WorkerProcesses:
    """The processes that judge, as long as they do."""

    def __init__(self, pack: Pack) -> None:
        self._command = [sys.executable, "-m", "treeproof.mutation.worker", str(pack.folder)]
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self._stopped = False

    def run_tasks(self, tasks: Sequence[MutantTask]) -> list[MutantResult]:
        """Judge some mutants in a process; one that ends it is tried once more, alone, and then given up."""
        code, out, err = self._run_process(json.dumps(list(tasks)))
        results = [MutantResult.from_json(json.loads(line)) for line in out.splitlines()]
        if len(results) == len(tasks) or self._stopped:
            return results
        if len(tasks) == 1:
            said = err.strip().splitlines()[-1:] or [f"exit {code}"]
            raise UsageError(f"{tasks[0][0]}: the process that judged it ended early: {shown(said[0])}")
        rest = tasks[len(results) :]
        return [*results, *self.run_tasks(rest[:1]), *(self.run_tasks(rest[1:]) if rest[1:] else [])]

    def stop(self) -> None:
        """End them all, and no further one begins; nothing that they built remains."""
        with self._lock:
            self._stopped = True
            living = list(self._running)
        for process in living:
            process.terminate()
        deadline = time.monotonic() + _EXIT_SECONDS
        for process in living:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        remove_stale_workspaces(default_base())

    def _run_process(self, tasks: str) -> tuple[int, str, str]:
        pipe = subprocess.PIPE
        with self._lock:
            if self._stopped:
                return 0, "", ""
            # A session of its own: a Ctrl-C is for the verb, which ends its processes in order.
            process = subprocess.Popen(
                self._command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True
            )
            self._running.add(process)
        try:
            out, err = process.communicate(tasks)
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, out, err
