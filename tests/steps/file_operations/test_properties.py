"""The sentences about effects on the reference and on wrong candidates: what is told, and with which evidence."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from treeproof.report import document
from treeproof.run import sandboxes
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.verdict import Profile

PACK = load_pack(find_pack("file_operations"))
PROPERTY_SCENARIOS = tuple(row.id for row in parse_feature(PACK.folder / "laws.feature").scenarios)
AMBIGUOUS = tuple(
    row.id
    for file in PACK.feature_files()
    for row in parse_feature(file).scenarios
    if any("AMB-FO-" in step.text for step in row.steps)
)
MUTANTS = "mutant:"


def run_target(target: str, **options: Any) -> dict[str, Any]:
    done = run(Options(target=target, specs=("file_operations",), **options)).document
    document.validate(done)
    return done


def only(done: Mapping[str, Any]) -> dict[str, Any]:
    (scenario,) = done["specs"][0]["scenarios"]
    return dict(scenario)


def failed(done: Mapping[str, Any]) -> set[str]:
    return {v["id"] for v in done["specs"][0]["requirements"] if v["verdict"] == "FAIL"}


def test_the_reference_is_conformant() -> None:
    done = run_target("reference")
    left = [one for one in done["specs"][0]["scenarios"] if one["outcome"] != "passed"]
    assert {one["outcome"] for one in left} <= {"not-verified"}
    if causes := {one["evidence"]["cause"] for one in left}:
        assert all(cause.startswith("needs ") for cause in causes)
        pytest.skip(f"not verified: {'; '.join(sorted(causes))}")
    assert (done["verdict"], done["exit"]) == ("conformant", 0)


def test_the_reference_reads_everything_as_is_recommended() -> None:
    done = run_target("reference", profile=Profile.STRICT, select=AMBIGUOUS)
    assert {one["outcome"] for one in done["specs"][0]["scenarios"]} == {"passed"}


def test_the_reference_keeps_every_law_on_other_samples() -> None:
    done = run_target("reference", select=PROPERTY_SCENARIOS, seed=11, examples=60)
    assert {one["outcome"] for one in done["specs"][0]["scenarios"]} == {"passed"}


@pytest.mark.parametrize(
    ("mutant", "scenario", "told"),
    [
        ("NULL-FO-01", "FO-D01-01", "a success without the effect: "),
        ("NULL-FO-04", "FO-D01-01", "the call failed (ExecutionFailed: no); expected: success"),
        ("MUT-FO-091", "FO-D01-01", "a partial effect: the call succeeded"),
        ("MUT-FO-202", "FO-SEC-02-03", "an effect with an error: the call failed (ApprovalDenied"),
        ("MUT-FO-167", "FO-D04-08", "the call succeeded; expected: any error"),
        ("MUT-FO-084", "FO-D02-02", "another effect than the expected one"),
        ("MUT-FO-075", "FO-D05-14", 'lost contents: "OLD"'),
        ("MUT-FO-097", "FO-D01-01", "the call succeeded with an empty output"),
        ("MUT-FO-176", "FO-D04-15", "d/b has neither its old content nor the new one"),
        ("MUT-FO-177", "FO-D04-16", "previous contents are lost"),
        ("MUT-FO-081", "FO-D02-08", "another effect than the expected one"),
    ],
)
def test_what_went_wrong_with_an_effect_is_told(mutant: str, scenario: str, told: str) -> None:
    one = only(run_target(MUTANTS + mutant, select=(scenario,)))
    if one["outcome"] == "not-verified":
        pytest.skip(f"not verified: {one['evidence']['cause']}")
    assert one["outcome"] == "failed"
    assert told in one["evidence"]["message"]


def test_the_evidence_shows_what_stood_there_and_what_was_due() -> None:
    evidence = only(run_target(MUTANTS + "MUT-FO-091", select=("FO-D01-01",)))["evidence"]
    rest = 'away/{secret="S"}, '
    assert evidence["before"] == rest + 'root/{a="A", c="C"}, root2/'
    assert evidence["after"] == rest + 'root/{a="A", b="A", c="C"}, root2/'
    assert evidence["expected"] == rest + 'root/{b="A", c="C"}, root2/'
    assert "got" not in evidence
    assert evidence["diff"] == '+ root/a: a file of 1 byte ("A"), should not be there'


def test_the_evidence_of_what_holds_shows_the_trees_as_well() -> None:
    evidence = only(run_target("reference", select=("FO-MV-04-02",)))["evidence"]
    assert evidence["before"].startswith('$FAR/{k="K"}, ')
    assert evidence["after"] == evidence["expected"]
    assert evidence["after"].startswith('$FAR/{a="A", k="K"}, ')


@pytest.mark.parametrize(
    ("mutant", "requirement"),
    [
        ("MUT-FO-061", "FR-FOPS-MV-03"),
        ("MUT-FO-042", "FR-FOPS-CP-02"),
        ("MUT-FO-182", "NFR-FOPS-SEC-01"),
        ("MUT-FO-126", "DFO-06"),
    ],
)
def test_a_law_finds_what_is_wrong_and_writes_a_scenario_of_one_call(mutant: str, requirement: str) -> None:
    done = run_target(MUTANTS + mutant, select=PROPERTY_SCENARIOS)
    assert requirement in failed(done)
    one = next(
        s
        for s in done["specs"][0]["scenarios"]
        if s["requirement"] == requirement and s["outcome"] == "failed" and "scenario" in s["evidence"]
    )
    steps = one["evidence"]["scenario"].split("\n")
    assert sum(step.startswith("When ") for step in steps) == 1
    assert len(one["evidence"]["tree"]) < 60


def test_a_scenario_that_a_law_has_written_fails_as_it_stands(tmp_path: Path) -> None:
    found = only(run_target(MUTANTS + "MUT-FO-061", select=("FO-MV-03-101",)))["evidence"]["scenario"]
    pack = tmp_path / "again"
    pack.mkdir()
    face = PACK.pack_file.read_text("utf-8")
    (pack / "spec.toml").write_text(face)
    (pack / "arguments.schema.json").write_bytes((PACK.folder / "arguments.schema.json").read_bytes())
    text = "\n".join(f"      {line}" for line in found.split("\n"))
    (pack / "found.feature").write_text(
        "@file_operations\nFeature: found\n\n  @FR-FOPS-MV-03\n  Rule: found\n\n"
        f"    @FO-FOUND-01\n    Scenario: found\n{text}\n"
    )
    for target, outcome in ((MUTANTS + "MUT-FO-061", "failed"), ("reference", "passed")):
        done = run(Options(target=target, specs=(str(pack),), select=("FO-FOUND-01",))).document
        assert only(done)["outcome"] == outcome


def test_without_a_second_file_system_the_system_says_that_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandboxes, "find_base_on_other_file_system", lambda than: None)
    one = only(run_target("reference", select=("FO-MV-04-02",)))
    if one["outcome"] == "not-verified":
        pytest.skip(f"not verified: {one['evidence']['cause']}")
    assert one["outcome"] == "passed"


@pytest.mark.parametrize("scenario", ["FO-D04-15", "FO-D04-07"])
def test_what_does_not_live_from_call_to_call_is_not_verified(scenario: str) -> None:
    host = f"{sys.executable} -m treeproof.candidate.host command"
    one = only(run_target(f"command:{host} {PACK.reference}", select=(scenario,)))
    assert one["outcome"] == "not-verified"
    assert re.search("between two messages|^needs ", one["evidence"]["cause"])


def test_who_does_not_offer_list_directory_fails_nothing(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(
        "from treeproof.reference_impl.shared.candidate import Candidate\n"
        "from treeproof.reference_impl.file_operations.candidate import copy_tool, move_tool\n"
        "def candidate():\n"
        "    return Candidate([move_tool(), copy_tool()])\n"
    )
    picked = ("FR-FOPS-01", "FR-FOPS-LS-01", "T-FOPS-LS-01", "T-FOPS-MV-01")
    done = run_target(f"python:{tmp_path}/two.py:candidate", select=picked)
    verdicts = {v["id"]: v["verdict"] for v in done["specs"][0]["requirements"] if v["id"] in picked}
    assert verdicts == {
        "FR-FOPS-01": "PASS",
        "FR-FOPS-LS-01": "NOT VERIFIED",
        "T-FOPS-LS-01": "NOT VERIFIED",
        "T-FOPS-MV-01": "PASS",
    }
