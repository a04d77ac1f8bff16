"""Runs the variants of a pack in worker processes: each alone, and each two that change the same scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from treeproof.mutation.task_pool import Task, TaskWorker, run_tasks
from treeproof.mutation.variant_report import VariantReport, VariantResult, build_variant_report
from treeproof.mutation.variant_worker import REFERENCE_ID
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack
from treeproof.spec.variants import JOIN, Variant, find_variant, load_variants, unobservable_readings


class VariantWorker(TaskWorker):
    """A worker that runs variants."""

    module = "treeproof.mutation.variant_worker"


def run_variants(
    pack: Pack,
    *,
    ids: Sequence[str] = (),
    jobs: int = 2,
    on_result: Callable[[VariantResult], None] = lambda result: None,
    interrupts: Interrupts | None = None,
) -> VariantReport:
    """Return the report on the variants of ``pack``. Raises UsageError for an unknown id, and KeyboardInterrupt.

    Each variant runs against the whole suite. Two variants run together against the scenarios in which each of them
    answers differently from the reference. With ``ids``, only these variants and combinations run.
    """
    variants = load_variants(pack)
    for id in ids:
        find_variant([pack], id, id)
    single = [{"id": id, "scenarios": None} for id in [REFERENCE_ID, *(ids or variants)]]

    def run(tasks: Sequence[Task]) -> dict[str, VariantResult]:
        return run_tasks(VariantWorker, pack, tasks, jobs, interrupts, VariantResult.from_json, on_result)

    results = run(single)
    reference = results.pop(REFERENCE_ID)
    if not ids:
        results |= run(list(pairs_to_run(variants, results.values())))
    found = {id: variants[id] for id in results}
    return build_variant_report(pack, found, results.values(), reference.observed, unobservable_readings(pack))


def pairs_to_run(variants: Mapping[str, Variant], results: Iterable[VariantResult]) -> Iterator[Task]:
    """Yield a request for each two variants that can be combined and change a common scenario."""
    changed = {result.id: frozenset(result.changed) for result in results if not result.failures}
    for first, second in combinations(sorted(changed), 2):
        common = changed[first] & changed[second]
        if common and _can_combine(variants, f"{first}{JOIN}{second}"):
            yield {"id": f"{first}{JOIN}{second}", "scenarios": sorted(common)}


def _can_combine(variants: Mapping[str, Variant], id: str) -> bool:
    try:
        variants[id]
    except (KeyError, ValueError):  # the pack refuses the combination
        return False
    return True
