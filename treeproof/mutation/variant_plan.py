"""The variants of a pack as tasks: several as one candidate, or each alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from treeproof.mutation.task_pool import Task
from treeproof.mutation.variant_report import VariantReport, VariantResult, build_variant_report, find_problems
from treeproof.mutation.variant_runner import REFERENCE_ID
from treeproof.spec import Pack
from treeproof.spec.traceability import build_traceability_index
from treeproof.spec.variants import JOIN, Variant, find_variant, load_variants, unobservable_readings

GROUP_SIZE = 24
"""The number of variants that run as one candidate."""


class VariantPlan:
    """The tasks for the variants of ``pack``, and the report on their results. Raises UsageError for an unknown id.

    By default groups of variants run against the whole suite, each as one candidate; the variants of a group that is
    not accepted run alone. Two variants whose readings meet in a scenario also run together against it. With
    ``separately`` each variant runs alone, and each two also against the scenarios in which both answer differently
    from the reference. With ``ids`` only these variants and combinations run, each against the whole suite. With
    ``scenarios`` also all others run, in groups and pairs, against these scenarios only.
    """

    def __init__(
        self,
        pack: Pack,
        *,
        ids: Sequence[str] = (),
        scenarios: Sequence[str] | None = None,
        separately: bool = False,
    ) -> None:
        self._pack = pack
        self._variants = load_variants(pack)
        self._scenarios = scenarios
        self._separately = separately
        self._runs_pairs_of_results = separately and not ids
        for id in ids:
            find_variant([pack], id, id)
        alone = ids or (self._variants if separately else ())
        others = (
            self._variants if scenarios is None else {id: self._variants[id] for id in self._variants if id not in ids}
        )
        is_grouped = not alone if scenarios is None else bool(scenarios) and not separately
        self._groups = form_groups(others, GROUP_SIZE) if is_grouped else []
        self._planned: list[str] = []
        """The ids in the order of the report."""
        tasks = [
            *(self._task(id, None) for id in alone),
            *(self._task(id, scenarios) for id in self._groups),
            self._task(REFERENCE_ID, naming_scenarios(pack)),
        ]
        if not self._runs_pairs_of_results and (scenarios is not None or not ids):
            tasks += [task for task in meeting_pairs(pack, self._variants, scenarios) if task["id"] not in self._groups]
        self.tasks = self._plan(tasks)

    def _task(self, id: str, within: Sequence[str] | None) -> Task:
        return _task(id, within, compare=self._separately and bool(id))

    def _plan(self, tasks: list[Task]) -> list[Task]:
        self._planned += [task["id"] for task in tasks]
        return tasks

    def further_tasks(self, results: Mapping[str, VariantResult]) -> list[Task]:
        """Return the tasks that follow from all results so far; empty if there are none."""
        rejected = [group for group in self._groups if find_problems(self._variants[group], results[group])]
        members = [id for group in rejected for id in group.split(JOIN) if id not in results]
        if members or not self._runs_pairs_of_results:
            return self._plan([self._task(id, self._scenarios) for id in members])
        single = [result for id, result in results.items() if id in self._variants and JOIN not in id]
        return self._plan([task for task in pairs_to_run(self._variants, single) if task["id"] not in results])

    def report(self, found: Mapping[str, VariantResult]) -> VariantReport:
        """Return the report on the results, by id."""
        planned = {id: found[id] for id in self._planned if id != REFERENCE_ID}
        results = dict(divide_groups(self._variants, self._groups, planned))
        known = {**self._variants, **{id: self._variants[id] for id in results}}
        readings = found[REFERENCE_ID].observed
        return build_variant_report(self._pack, known, results.values(), readings, unobservable_readings(self._pack))


def naming_scenarios(pack: Pack) -> list[str]:
    """Return the scenarios that name an interpretation: what they observe of the reference needs no variant."""
    index = build_traceability_index(pack)
    return sorted({case.id for entry in pack.interpretations for case in index.scenarios_naming(entry.id)})


def _task(id: str, within: Sequence[str] | None, *, compare: bool = False) -> Task:
    return {"kind": "variant", "id": id, "scenarios": within, "compare": compare}


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
            yield _task(id, sorted(common[id]))


def pairs_to_run(variants: Mapping[str, Variant], results: Iterable[VariantResult]) -> Iterator[Task]:
    """Yield a request for each two variants that can be combined and change a common scenario."""
    changed = {result.id: frozenset(result.changed) for result in results if not result.failures}
    for first, second in combinations(sorted(changed), 2):
        common = changed[first] & changed[second]
        if common and _can_combine(variants, f"{first}{JOIN}{second}"):
            yield _task(f"{first}{JOIN}{second}", sorted(common))


def _can_combine(variants: Mapping[str, Variant], id: str) -> bool:
    try:
        variants[id]
    except (KeyError, ValueError):  # the pack refuses the combination
        return False
    return True
