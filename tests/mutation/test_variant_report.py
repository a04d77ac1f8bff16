"""The report on variants: why one is not accepted, and which readings lack one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from treeproof.mutation.variant_plan import divide_groups, form_groups, meeting_pairs, pairs_to_run
from treeproof.mutation.variant_report import VariantReport, VariantResult, build_variant_report
from treeproof.spec import Interpretation, Reading, open_pack
from treeproof.spec.gherkin import parse_feature
from treeproof.spec.variants import load_variants

ENTRY = Interpretation(
    "AMB-X-01", "?", "any", "a", "why", (), (Reading("a", "A."), Reading("b", "B."), Reading("c", "C.", accepted=False))
)
PACK = replace(open_pack("ls"), interpretations=(ENTRY,))
GOOD = VariantResult("AMB-X-01=b", {}, {}, {"AMB-X-01": ["b"]})


@dataclass
class SampleVariant:
    id: str = "AMB-X-01=b"
    summary: str = "It takes b."
    readings: dict[str, str] = field(default_factory=lambda: {"AMB-X-01": "b"})
    unverified: dict[str, str] = field(default_factory=dict)

    def __call__(self) -> None: ...


def report(result: VariantResult, unobservable: tuple[str, ...] = (), **fields: Any) -> VariantReport:
    variants = {result.id: SampleVariant(**fields)}
    return build_variant_report(PACK, variants, [result], {"AMB-X-01": ["a"]}, dict.fromkeys(unobservable, "why"))


def test_a_variant_without_a_failure_is_accepted() -> None:
    assert report(GOOD).broken_gates() == []


@pytest.mark.parametrize(
    ("result", "problem"),
    [
        (replace(GOOD, failures={"X-01": "the order differs"}), "X-01 fails: the order differs"),
        (replace(GOOD, observed={"AMB-X-01": ["a", "b"]}), "inconsistent readings of AMB-X-01: a, b"),
        (
            replace(GOOD, observed={"AMB-X-01": ["a"]}),
            "AMB-X-01 was observed as a, the variant takes b",
        ),
        (replace(GOOD, unverified={"R-1": "no clock"}), "R-1 is not verified: no clock"),
    ],
)
def test_a_variant_with_a_problem_is_not_accepted(result: VariantResult, problem: str) -> None:
    found = report(result)
    assert found.rejected[0].problems == (problem,)
    assert found.broken_gates() == ["AMB-X-01=b: a right implementation is not accepted"]


def test_a_requirement_may_be_unverified_for_a_reason() -> None:
    assert report(replace(GOOD, unverified={"R-1": "no clock"}), unverified={"R-1": "it reads no clock"}).rejected == []


def test_each_accepted_reading_needs_a_variant_or_a_reason() -> None:
    assert report(GOOD, readings={}).broken_gates() == ["AMB-X-01=b: no variant and no reason for that"]
    assert report(GOOD, ("AMB-X-01=b",), readings={}).broken_gates() == []
    assert report(GOOD, ("AMB-X-01=b",)).broken_gates() == ["AMB-X-01=b: a variant although a reason denies it"]


def test_two_variants_run_together_in_the_scenarios_that_both_change() -> None:
    results = [
        VariantResult("a", {}, {}, {}, ("X-1", "X-2")),
        VariantResult("b", {}, {}, {}, ("X-2", "X-3", "X-1")),
        VariantResult("c", {}, {}, {}, ("X-4",)),
        VariantResult("d", {"X-1": "it fails alone"}, {}, {}, ("X-1",)),
    ]
    variants = dict.fromkeys(("a+b", "a", "b"), SampleVariant())
    (task,) = pairs_to_run(variants, results)
    assert (task["id"], task["scenarios"], task["compare"]) == ("a+b", ["X-1", "X-2"], False)


class SampleVariants(dict[str, Any]):
    """Variants that combine unless their ids begin with the same letter."""

    def __init__(self, *ids: str, **readings: dict[str, str]) -> None:
        super().__init__({id: SampleVariant(id, readings=readings.get(id, {})) for id in ids})

    def __missing__(self, id: str) -> SampleVariant:
        parts = id.split("+")
        if len({part[0] for part in parts}) < len(parts):
            raise ValueError("incompatible")
        return SampleVariant(id, readings={key: value for part in parts for key, value in self[part].readings.items()})


def test_a_group_contains_variants_that_can_be_combined_and_each_variant_is_in_one_group() -> None:
    assert form_groups(SampleVariants("a1", "a2", "b1", "c1"), 2) == ["a1+b1", "a2+c1"]
    assert form_groups(SampleVariants("a1", "a2", "a3"), 4) == ["a1", "a2", "a3"]
    assert form_groups(SampleVariants(), 4) == []


def test_an_accepted_group_accepts_each_of_its_variants() -> None:
    variants = SampleVariants("a", "b", a={"AMB-X-01": "b"})
    group = VariantResult("a+b", {}, {}, {"AMB-X-01": ["b"]}, seconds=4)
    found = dict(divide_groups(variants, ["a+b"], {"a+b": group}))
    assert {id: (result.id, result.seconds) for id, result in found.items()} == {"a": ("a", 2), "b": ("b", 2)}


def test_a_group_that_is_not_accepted_remains_only_if_each_of_its_variants_is_accepted() -> None:
    variants = SampleVariants("a", "b")
    failed, passed = {"X-1": "it fails"}, dict[str, str]()
    group, first, second = (VariantResult(id, failed, {}, {}) for id in ("a+b", "a", "b"))
    results = {"a+b": group, "a": first, "b": replace(second, failures=passed)}
    assert list(dict(divide_groups(variants, ["a+b"], results))) == ["a", "b"]
    results["a"] = replace(first, failures=passed)
    assert list(dict(divide_groups(variants, ["a+b"], results))) == ["a+b", "a", "b"]


def test_variants_whose_readings_meet_in_a_scenario_run_together_in_it() -> None:
    pack = open_pack("fs_walkdir")
    texts = {case.id: repr(case.steps) for file in pack.feature_files() for case in parse_feature(file).scenarios}
    variants = load_variants(pack)
    tasks = [task for task in meeting_pairs(pack, variants) if "=" in task["id"]]
    assert tasks
    for task in tasks:
        first, second = (next(iter(variants[id].readings)) for id in task["id"].split("+"))
        met = {id for id, text in texts.items() if first in text and second in text}
        assert met <= set(task["scenarios"]), task["id"]
