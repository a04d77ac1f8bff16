"""Runs the mutants of a pack in worker processes: against their own requirement, or against the whole suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treeproof.mutation.kill_matrix import NULL_CANDIDATE_KIND, KillMatrix, MutantResult, build_kill_matrix
from treeproof.mutation.task_pool import TaskWorker, run_tasks
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack
from treeproof.spec.mutants import find_mutant, load_mutants, requirements_without_mutant
from treeproof.spec.version_features import scenarios_of


class MutantWorker(TaskWorker):
    """A worker that runs mutants."""

    module = "treeproof.mutation.worker"


def run_mutation_tests(
    pack: Pack,
    *,
    ids: Sequence[str] = (),
    whole_suite: bool = False,
    null_requirements: frozenset[str] = frozenset(),
    jobs: int = 2,
    on_result: Callable[[MutantResult], None] = lambda result: None,
    interrupts: Interrupts | None = None,
) -> KillMatrix:
    """Return the kill matrix of ``pack``. Raises UsageError for an unknown id, and KeyboardInterrupt.

    By default a mutant runs against the scenarios of the requirement that it violates, because these must kill it.
    Null candidates, and all mutants if ``whole_suite`` is set, run against the whole suite; null candidates only
    against ``null_requirements`` if there are any.
    """
    mutants = load_mutants(pack)
    for id in ids:
        find_mutant([pack], id, id)
    selected = [mutants[id] for id in ids] if ids else list(mutants.values())
    tasks = []
    for mutant in selected:
        is_null = mutant.kind == NULL_CANDIDATE_KIND
        requirements = tuple(sorted(null_requirements)) if is_null else mutant.violates[:1]
        requirements = () if whole_suite else requirements
        tasks.append({"id": mutant.id, "requirements": requirements, "is_null_candidate": is_null})
    # Null candidates take longest and start first, so that all workers end at about the same time.
    tasks.sort(key=lambda task: (not task["is_null_candidate"], task["id"]))
    found = run_tasks(MutantWorker, pack, tasks, jobs, interrupts, MutantResult.from_json, on_result)
    results = [found[mutant.id] for mutant in selected]
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
    verified = {case.requirement for case in scenarios_of(pack)}
    return [r.id for r in pack.requirements if r.id in verified and not r.restates and not r.excluded]
