"""Runs the mutants, the variants and the operators of a pack in the same worker processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treeproof.mutation.kill_matrix import KillMatrix, MutantResult
from treeproof.mutation.operator_plan import OperatorPlan
from treeproof.mutation.operator_report import OperatorReport, OperatorResult
from treeproof.mutation.runner import MutantPlan
from treeproof.mutation.task_pool import Task, run_tasks
from treeproof.mutation.variant_report import VariantReport, VariantResult
from treeproof.mutation.variant_runner import VariantPlan
from treeproof.mutation.worker import Result
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack


@dataclass(frozen=True)
class Measurement:
    """What was measured of a pack; None: it was not."""

    pack: Pack
    matrix: KillMatrix | None
    variants: VariantReport | None
    operators: OperatorReport | None

    def broken_gates(self) -> list[str]:
        """Return one message per failed gate."""
        parts = (self.matrix, self.variants, self.operators)
        return [message for part in parts if part is not None for message in part.broken_gates()]


def measure(
    pack: Pack,
    mutants: MutantPlan | None = None,
    variants: VariantPlan | None = None,
    operators: OperatorPlan | None = None,
    *,
    jobs: int = 2,
    on_result: Callable[[Result], None] = lambda result: None,
    interrupts: Interrupts | None = None,
) -> Measurement:
    """Return the kill matrix and the reports on the variants and the operators; None for a plan that is None.

    Raises KeyboardInterrupt, and UsageError if a task ends its worker.
    """
    killed: dict[str, MutantResult] = {}
    accepted: dict[str, VariantResult] = {}
    changed: dict[str, OperatorResult] = {}

    def keep(task: Task, result: Result) -> None:
        match result:
            case MutantResult():
                on_result(killed.setdefault(result.id, result))
            case OperatorResult():
                on_result(changed.setdefault(result.id, result))
            case VariantResult():
                on_result(accepted.setdefault(result.id, result))

    # Variants first: they take longest, and what a mutant may leave in its process does not reach them.
    plans = [plan.tasks for plan in (variants, operators, mutants) if plan is not None]
    tasks = [task for own in plans for task in own]
    while tasks:
        run_tasks(pack, tasks, jobs, interrupts, keep)
        tasks = variants.further_tasks(accepted) if variants else []
    return Measurement(
        pack,
        mutants.matrix(killed) if mutants else None,
        variants.report(accepted) if variants else None,
        operators.report(changed) if operators else None,
    )
