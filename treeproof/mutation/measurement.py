"""Runs the mutants, the variants and the operators of a pack in the same worker processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treeproof.mutation.mutant_plan import MutantPlan
from treeproof.mutation.mutant_report import KillMatrix
from treeproof.mutation.operator_plan import OperatorPlan
from treeproof.mutation.operator_report import OperatorReport
from treeproof.mutation.task_pool import Result, Task, run_tasks
from treeproof.mutation.variant_plan import VariantPlan
from treeproof.mutation.variant_report import VariantReport
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack

Report = KillMatrix | VariantReport | OperatorReport


@dataclass(frozen=True)
class Measurement:
    """What was measured of a pack; None: it was not."""

    pack: Pack
    matrix: KillMatrix | None
    variants: VariantReport | None
    operators: OperatorReport | None

    def broken_gates(self) -> list[str]:
        """Return one message per failed gate."""
        parts: tuple[Report | None, ...] = (self.matrix, self.variants, self.operators)
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
    found: dict[str, dict[str, Any]] = defaultdict(dict)

    def keep(task: Task, result: Result) -> None:
        found[task["kind"]][result.id] = result
        on_result(result)

    # Variants first: they take longest, and what a mutant may leave in its process does not reach them.
    plans = [plan.tasks for plan in (variants, operators, mutants) if plan is not None]
    tasks = [task for own in plans for task in own]
    while tasks:
        run_tasks(pack, tasks, jobs, interrupts, keep)
        tasks = variants.further_tasks(found["variant"]) if variants else []
    return Measurement(
        pack,
        mutants.report(found["mutant"]) if mutants else None,
        variants.report(found["variant"]) if variants else None,
        operators.report(found["operators"]) if operators else None,
    )
