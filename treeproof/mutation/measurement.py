"""Runs the mutants and the variants of a pack in the same worker processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.mutation.kill_matrix import KillMatrix, MutantResult
from treeproof.mutation.runner import MutantPlan
from treeproof.mutation.task_pool import Task, run_tasks
from treeproof.mutation.variant_report import VariantReport, VariantResult
from treeproof.mutation.variant_runner import VariantPlan
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack


def measure(
    pack: Pack,
    mutants: MutantPlan | None = None,
    variants: VariantPlan | None = None,
    *,
    jobs: int = 2,
    on_result: Callable[[MutantResult | VariantResult], None] = lambda result: None,
    interrupts: Interrupts | None = None,
) -> tuple[KillMatrix | None, VariantReport | None]:
    """Return the kill matrix and the report on the variants; None for a plan that is None.

    Raises KeyboardInterrupt, and UsageError if a mutant or variant ends its worker twice.
    """
    killed: dict[str, MutantResult] = {}
    accepted: dict[str, VariantResult] = {}

    def keep(task: Task, data: Mapping[str, Any]) -> None:
        if task["kind"] == "mutant":
            on_result(killed.setdefault(task["id"], MutantResult.from_json(data)))
        else:
            on_result(accepted.setdefault(task["id"], VariantResult.from_json(data)))

    # Variants first: they take longest, and what a mutant may leave in its process does not reach them.
    tasks = [*(variants.tasks if variants else ()), *(mutants.tasks if mutants else ())]
    while tasks:
        run_tasks(pack, tasks, jobs, interrupts, keep)
        tasks = variants.further_tasks(accepted) if variants else []
    return (
        mutants.matrix(killed) if mutants else None,
        variants.report(accepted) if variants else None,
    )
