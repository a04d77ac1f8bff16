"""Runs the variants of a pack in worker processes: several as one candidate, or each alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from treeproof.mutation.task_pool import Task, TaskWorker, run_tasks
from treeproof.mutation.variant_report import VariantReport, VariantResult, build_variant_report, find_problems
from treeproof.mutation.variant_worker import REFERENCE_ID
from treeproof.run.interrupts import Interrupts
from treeproof.spec import Pack
from treeproof.spec.traceability import build_traceability_index
from treeproof.spec.variants import JOIN, Variant, find_variant, load_variants, unobservable_readings

GROUP_SIZE = 8
"""The number of variants that run as one candidate."""


class VariantWorker(TaskWorker):
    """A worker that runs variants."""

    module = "treeproof.mutation.variant_worker"


def run_variants(
    pack: Pack,
    *,
    ids: Sequence[str] = (),
    scenarios: Sequence[str] | None = None,
    separately: bool = False,
    jobs: int = 2,
    on_result: Callable[[VariantResult], None] = lambda result: None,
    interrupts: Interrupts | None = None,
) -> VariantReport:
    """Return the report on the variants of ``pack``. Raises UsageError for an unknown id, and KeyboardInterrupt.

    By default groups of variants run against the whole suite, each as one candidate; the variants of a group that is
    not accepted run alone. Two variants whose readings meet in a scenario also run together against it. With
    ``separately`` each variant runs alone, and each two also against the scenarios in which both answer differently
    from the reference. With ``ids`` only these variants and combinations run, each against the whole suite. With
    ``scenarios`` also all others run, in groups and pairs, against these scenarios only.
    """
    variants = load_variants(pack)
    for id in ids:
        find_variant([pack], id, id)

    def run(tasks: Iterable[Task]) -> dict[str, VariantResult]:
        return run_tasks(VariantWorker, pack, list(tasks), jobs, interrupts, VariantResult.from_json, on_result)

    def task(id: str, within: Sequence[str] | None) -> Task:
        return {"id": id, "scenarios": within, "compare": separately and bool(id)}

    alone = ids or (variants if separately else ())
    others = variants if scenarios is None else {id: variants[id] for id in variants if id not in ids}
    is_grouped = not alone if scenarios is None else bool(scenarios) and not separately
    groups = form_groups(others, GROUP_SIZE) if is_grouped else []
    results = run(
        [task(REFERENCE_ID, None), *(task(id, None) for id in alone), *(task(id, scenarios) for id in groups)]
    )
    reference = results.pop(REFERENCE_ID)
    members = [id for group in groups if find_problems(variants[group], results[group]) for id in group.split(JOIN)]
    results |= run(task(id, scenarios) for id in members if id not in results)
    results = dict(divide_groups(variants, groups, results))
    if separately and not ids:
        results |= run(pairs_to_run(variants, results.values()))
    elif scenarios is not None or not ids:
        results |= run(meeting_pairs(pack, variants, scenarios))
    known = {**variants, **{id: variants[id] for id in results}}
    return build_variant_report(pack, known, results.values(), reference.observed, unobservable_readings(pack))


def form_groups(variants: Mapping[str, Variant], size: int) -> list[str]:
    """Return combinations of up to ``size`` variants that contain each variant once.

    Neighbours in the order of ids, which often exchange the same part, belong to different groups.
    """
    groups: list[list[str]] = [[] for _ in range(-(-len(variants) // size))]
    for position, id in enumerate(variants):
        start = position % len(groups)
        for group in [*groups[start:], *groups[:start]]:
            if len(group) < size and (not group or _can_combine(variants, JOIN.join([*group, id]))):
                group.append(id)
                break
        else:
            groups.append([id])
    return [JOIN.join(group) for group in groups if group]


def divide_groups(
    variants: Mapping[str, Variant], groups: Iterable[str], results: Mapping[str, VariantResult]
) -> Iterator[tuple[str, VariantResult]]:
    """Yield the ids and results of ``results``, an accepted group as its variants.

    A group that is not accepted remains only if each of its variants is.
    """
    groups = set(groups)
    for id, result in results.items():
        members = id.split(JOIN)
        if id not in groups or len(members) == 1:
            yield id, result
        elif not find_problems(variants[id], result):
            for member in members:
                yield member, replace(result, id=member, unverified={}, seconds=result.seconds / len(members))
        elif not any(find_problems(variants[member], results[member]) for member in members):
            yield id, result


def meeting_pairs(pack: Pack, variants: Mapping[str, Variant], within: Sequence[str] | None = None) -> Iterator[Task]:
    """Yield a request for each two variants that can be combined and take readings that meet in a scenario.

    ``within``: only in these scenarios.
    """
    index = build_traceability_index(pack)
    scenarios: dict[tuple[str, str], list[str]] = defaultdict(list)
    naming = {entry.id: {case.id for case in index.scenarios_naming(entry.id)} for entry in pack.interpretations}
    for first, second in combinations(naming, 2):
        meeting = naming[first] & naming[second]
        scenarios[first, second] = sorted(meeting if within is None else meeting.intersection(within))
    takers: dict[str, list[str]] = defaultdict(list)
    for id, variant in variants.items():
        for entry in variant.readings:
            takers[entry].append(id)
    common: dict[str, set[str]] = defaultdict(set)
    for (first, second), ids in scenarios.items():
        for pair in product(takers[first], takers[second]) if ids else ():
            common[JOIN.join(sorted(pair))] |= set(ids)
    for id in sorted(common):
        if _can_combine(variants, id):
            yield {"id": id, "scenarios": sorted(common[id]), "compare": False}


def pairs_to_run(variants: Mapping[str, Variant], results: Iterable[VariantResult]) -> Iterator[Task]:
    """Yield a request for each two variants that can be combined and change a common scenario."""
    changed = {result.id: frozenset(result.changed) for result in results if not result.failures}
    for first, second in combinations(sorted(changed), 2):
        common = changed[first] & changed[second]
        if common and _can_combine(variants, f"{first}{JOIN}{second}"):
            yield {"id": f"{first}{JOIN}{second}", "scenarios": sorted(common), "compare": False}


def _can_combine(variants: Mapping[str, Variant], id: str) -> bool:
    try:
        variants[id]
    except (KeyError, ValueError):  # the pack refuses the combination
        return False
    return True
