"""The properties of LS on the reference and on mutants: which requirements fail, and the evidence."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack, parse_feature

PACK = load_pack(find_pack("ls"))
PROPERTY_SCENARIOS = parse_feature(PACK.folder / "laws.feature").scenarios
MUTANTS = "mutant:"
FEW_CASES = 10
"""The number of cases with which each error below shows."""


def run_target(target: str, *, select: tuple[str, ...] = (), **options: Any) -> dict[str, Any]:
    selected = select or tuple(case.id for case in PROPERTY_SCENARIOS)
    return run(Options(target=target, specs=("ls",), select=selected, **options)).document.to_json()


def scenarios(document: dict[str, Any], outcome: str) -> list[dict[str, Any]]:
    return [one for one in document["specs"][0]["scenarios"] if one["outcome"] == outcome]


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"profile": "lenient", "examples": FEW_CASES}], ids=str)
def test_the_reference_satisfies_every_property(options: dict[str, Any]) -> None:
    """`make demo` checks the default sample and profile."""
    passed = {one["id"] for one in scenarios(run_target("reference", **options), "passed")}
    assert {case.id for case in PROPERTY_SCENARIOS} - passed == set()


@pytest.mark.slow
@pytest.mark.usefixtures("unminimised")
@pytest.mark.parametrize(
    ("mutant", "requirement", "also"),
    [
        ("MUT-LS-118", "LS-PAGE-03", {"LS-ARG-08"}),
    ],
)
def test_a_mutant_fails_the_violated_requirement(mutant: str, requirement: str, also: set[str]) -> None:
    failed = {one["requirement"] for one in scenarios(run_target(MUTANTS + mutant, examples=FEW_CASES), "failed")}
    assert requirement in failed
    assert failed <= {requirement, *also}


@pytest.mark.slow
def test_the_evidence_has_a_small_tree_and_a_scenario() -> None:
    (found,) = scenarios(run_target(MUTANTS + "MUT-LS-203", select=("LS-P-SORT-03-01",), examples=40), "failed")
    evidence = found["evidence"]
    assert len(evidence["tree"]) < 40
    assert evidence["scenario"].startswith("Given beside the sandbox the tree")
    assert "the entries in order are" in evidence["scenario"]
