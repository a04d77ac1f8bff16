"""The steps and properties of LocalFiles on the reference and on mutants: which requirements fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeproof.report import document
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack, parse_feature

PACK = load_pack(find_pack("local_files"))
PROPERTY_SCENARIOS = tuple(case.id for case in parse_feature(PACK.folder / "laws.feature").scenarios)
AMBIGUOUS = tuple(
    case.id
    for file in PACK.feature_files()
    for case in parse_feature(file).scenarios
    if any("AMB-LF-" in step.text for step in case.steps)
)
MUTANTS = "mutant:"
FEW_CASES = 10
"""The number of cases with which each error below shows."""


def run_target(target: str, **options: Any) -> dict[str, Any]:
    done = run(Options(target=target, specs=("local_files",), **options)).document
    document.validate(done.to_json())
    return done.to_json()


def verdicts(done: dict[str, Any]) -> dict[str, str]:
    return {v["id"]: v["verdict"] for v in done["specs"][0]["requirements"]}


def test_the_reference_follows_the_recommended_readings() -> None:
    done = run_target("reference", profile="strict", select=(*AMBIGUOUS, *PROPERTY_SCENARIOS), examples=FEW_CASES)
    assert (done["verdict"], done["exit"]) == ("partial", 0)
    assert {one["outcome"] for one in done["specs"][0]["scenarios"]} == {"passed"}


@pytest.mark.slow
@pytest.mark.usefixtures("unminimised")
@pytest.mark.parametrize(
    ("mutant", "requirement"),
    [
        ("MUT-LF-045", "LF-MODEL-02"),
    ],
)
def test_properties_find_the_violated_requirement(mutant: str, requirement: str) -> None:
    done = run_target(MUTANTS + mutant, select=PROPERTY_SCENARIOS, examples=FEW_CASES)
    found = [one for scenario in done["specs"][0]["scenarios"] for one in scenario.get("findings", ())]
    assert requirement in {one["requirement"] for one in found}


@pytest.mark.parametrize(
    ("mutant", "scenario", "kind"),
    [
        ("MUT-LF-045", "LF-MODEL-02-06", "no target"),
        ("MUT-LF-047", "LF-MODEL-02-06", "an entry has further members"),
        ("MUT-LF-055", "LF-FIND-03-01", "no @type"),
    ],
)
def test_a_finding_names_the_kind_of_the_difference(mutant: str, scenario: str, kind: str) -> None:
    (found,) = run_target(MUTANTS + mutant, select=(scenario,))["specs"][0]["scenarios"]
    assert (found["outcome"], found["evidence"]["kind"]) == ("failed", kind)


@pytest.mark.parametrize(
    ("mutant", "scenario", "owner"),
    [("MUT-LF-001", "LF-TYPE-02-09", "LF-TYPE-01"), ("MUT-LF-045", "LF-LINK-01-01", "LF-MODEL-02")],
)
def test_a_line_that_fails_beside_a_finding_is_blocked_by_its_requirement(
    mutant: str, scenario: str, owner: str
) -> None:
    (found,) = run_target(MUTANTS + mutant, select=(scenario,))["specs"][0]["scenarios"]
    assert (found["outcome"], found["evidence"]["blocked_by"]) == ("not-verified", owner)


@pytest.mark.slow
@pytest.mark.usefixtures("unminimised")
def test_a_candidate_that_violates_only_a_should_is_conformant() -> None:
    done = run_target(MUTANTS + "MUT-LF-111", examples=2)
    assert {id for id, verdict in verdicts(done).items() if verdict not in ("PASS", "EXCLUDED")} == {"LF-ERR-02"}
    assert (done["verdict"], done["exit"]) == ("conformant", 0)


def test_the_property_on_other_processes_reports_their_environment_and_the_first_difference() -> None:
    done = run_target(MUTANTS + "MUT-LF-132", select=("LF-P-FIELD-04-03",))
    (one,) = done["specs"][0]["scenarios"]
    assert one["outcome"] == "failed"
    failure = json.dumps(one)
    for word in ("LC_ALL=C", "no LANG", "TZ=Asia/Kathmandu", "working directory /", "umask 077"):
        assert word in failure
    assert "entry 1" in one["evidence"]["message"]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (["a", "b"], ["a", "c"], (2, "b", "c")),
        (["a"], ["a", "b"], (2, "", "b")),
        (["a"], [], (1, "a", "")),
    ],
)
def test_the_first_entry_that_differs_in_two_lists_is_reported(
    one: list[str], other: list[str], expected: tuple[int, str, str]
) -> None:
    from treeproof.steps.local_files import properties

    assert properties.first_differing_entry(one, other) == expected


@pytest.mark.slow
def test_requirements_on_searches_do_not_apply_to_a_candidate_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lists_only.py").write_text(
        "from treeproof.reference_impl.local_files.candidate import ListDirectory, build_candidate\n"
        "def candidate():\n"
        "    return build_candidate(ListDirectory())\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    done = run_target("python:lists_only:candidate", examples=2)
    found = verdicts(done)
    assert found.pop("LF-ROLE-01") == "EXCLUDED"
    searches = {"LF-FIND-01", "LF-FIND-02", "LF-FIND-03", "LF-FIND-04", "LF-FIND-05", "LF-ERR-02"}
    assert {found.pop(id) for id in searches} == {"NOT APPLICABLE"}
    assert set(found.values()) == {"PASS"}
    assert done["verdict"] == "conformant"
