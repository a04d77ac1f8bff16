"""The properties on the reference and on faulty candidates: which requirements fail, and the evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treeproof.model.checked_model import load_model
from treeproof.report import document
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.tree import parse_tree as tree_of

PACK = load_pack(find_pack("list_directory"))
PROPERTY_SCENARIOS = parse_feature(PACK.folder / "laws.feature").scenarios
MODEL_PROPERTY = "the answer is what the model says of this rule"
FEW_CASES = 15
"""The number of cases with which each error below shows, and is attributed as with many."""


@pytest.fixture
def sample_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "sample_candidates"))


def run_target(name: str, *, select: tuple[str, ...] = (), **options: Any) -> dict[str, Any]:
    target = name if name == "reference" else f"python:faulty_candidates:{name}"
    selected = select or tuple(case.id for case in PROPERTY_SCENARIOS)
    done = run(Options(target=target, specs=("list_directory",), select=selected, **options)).document
    document.validate(done.to_json())
    return done.to_json()


def failed_requirements(run: dict[str, Any]) -> set[str]:
    return {scenario["requirement"] for scenario in scenarios(run, "failed")}


def scenarios(run: dict[str, Any], outcome: str) -> list[dict[str, Any]]:
    return [one for one in run["specs"][0]["scenarios"] if one["outcome"] == outcome]


@pytest.mark.slow
@pytest.mark.usefixtures("unminimised")
@pytest.mark.parametrize(
    ("name", "requirement", "also"),
    [
        ("equal_names_merged", "NFR-LD-REL-02", {"FR-LD-LST-07", "FR-LD-OUT-07"}),
        ("sorted_before_the_limit", "FR-LD-LST-05", set()),
        ("one_kind_of_error", "FR-LD-ERR-01", {"SCH-LD", "FR-LD-ERR-02"}),
    ],
)
def test_a_faulty_candidate_fails_the_violated_requirement(
    sample_candidates: None, name: str, requirement: str, also: set[str]
) -> None:
    found = failed_requirements(run_target(name, examples=FEW_CASES))
    assert requirement in found
    assert found <= {requirement, *also}


@pytest.mark.slow
def test_the_evidence_is_minimal_and_the_same_in_every_run(sample_candidates: None) -> None:
    first, second = (run_target("sorted_by_components", select=("LD-P-01-31",), examples=FEW_CASES) for _ in range(2))
    (scenario,) = scenarios(first, "failed")
    assert scenario["evidence"] == scenarios(second, "failed")[0]["evidence"]
    evidence = scenario["evidence"]
    assert len(list(tree_of(evidence["tree"]).walk())) == 3
    assert "$ROOT" in str(evidence["call"]["context"])
    assert evidence["message"] and evidence["expected"] and evidence["got"]
    assert evidence["scenario"].startswith("Given the tree")


@pytest.mark.usefixtures("unlinted")
def test_the_written_scenario_fails_for_the_candidate_and_passes_for_the_reference(
    sample_candidates: None, tmp_path: Path
) -> None:
    (scenario,) = scenarios(run_target("depth_from_zero", select=("LD-P-01-26",), examples=5), "failed")
    steps = "\n".join(f"      {line}" for line in scenario["evidence"]["scenario"].split("\n"))
    pack_text = (PACK.folder / "spec.toml").read_text("utf-8").replace('name = "list_directory"', 'name = "pasted"', 1)
    (tmp_path / "spec.toml").write_text(pack_text.replace('prefix = "LD"', 'prefix = "PA"', 1), "utf-8")
    for schema in PACK.schemas.values():
        (tmp_path / schema.name).write_bytes(schema.read_bytes())
    feature = f"@pasted\nFeature: f\n\n  @EF-03\n  Rule: r\n\n    @PA-01-01\n    Scenario: s\n{steps}\n"
    (tmp_path / "pasted.feature").write_text(feature, "utf-8")

    def outcome(target: str) -> str:
        done = run(Options(target=target, specs=(str(tmp_path),))).document
        return str(done.to_json()["specs"][0]["scenarios"][0]["outcome"])

    assert outcome("python:faulty_candidates:depth_from_zero") == "failed"
    assert outcome("reference") == "passed"


@pytest.mark.slow
def test_an_exception_in_a_random_case_is_a_fault_and_no_failure(sample_candidates: None) -> None:
    done = run_target("raises_at_emoji", select=("LD-P-01-31",), examples=25)
    (scenario,) = scenarios(done, "fault")
    assert "crash" in scenario["evidence"]["cause"]
    assert "\U0001f600" in scenario["evidence"]["tree"]
    assert scenario["evidence"]["call"]["context"]["roots"] == ["$ROOT"]
    assert done["exit"] == 4


def test_properties_that_need_budgets_or_configuration_are_not_verified_without_them(sample_candidates: None) -> None:
    done = run_target("without_capabilities", examples=5)
    assert failed_requirements(done) == set()
    not_verified = {scenario["id"] for scenario in scenarios(done, "not-verified")}
    expected = {
        case.id
        for case in PROPERTY_SCENARIOS
        if "budget, " in case.steps[0].text or "configuration, " in case.steps[0].text
    }
    assert not_verified == expected != set()


def test_a_property_of_the_model_belongs_to_a_requirement_that_the_model_can_name() -> None:
    found = {case.requirement for case in PROPERTY_SCENARIOS if case.steps[0].text.endswith(MODEL_PROPERTY)}
    assert found and found <= load_model(PACK).requirements


def test_every_requirement_verified_by_properties_has_one() -> None:
    found = {case.requirement for case in PROPERTY_SCENARIOS}
    missing = [
        requirement.id
        for requirement in PACK.requirements
        if "property" in requirement.verified_by and requirement.restates is None and requirement.id not in found
    ]
    assert missing == []
