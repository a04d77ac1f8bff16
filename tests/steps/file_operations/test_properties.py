"""The steps and properties of the file operations on the reference and on mutants: messages and evidence."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.report import document
from treeproof.run import sandbox
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack, parse_feature
from treeproof.verdict import Profile

PACK = load_pack(find_pack("file_operations"))
PROPERTIES = {case.id: case.requirement for case in parse_feature(PACK.folder / "laws.feature").scenarios}
PROPERTY_SCENARIOS = tuple(PROPERTIES)
AMBIGUOUS = tuple(
    case.id
    for file in PACK.feature_files()
    for case in parse_feature(file).scenarios
    if any("AMB-FO-" in step.text for step in case.steps)
)
MUTANTS = "mutant:"
UNDETERRED = Path(__file__).parents[2] / "features" / "file_operations" / "sample_candidates" / "undeterred.py"


def run_target(target: str, **options: Any) -> dict[str, Any]:
    done = run(Options(target=target, specs=("file_operations",), **options)).document
    document.validate(done.to_json())
    return done.to_json()


def only_scenario(done: Mapping[str, Any]) -> dict[str, Any]:
    (scenario,) = done["specs"][0]["scenarios"]
    return dict(scenario)


def failed_requirements(done: Mapping[str, Any]) -> set[str]:
    return {v["id"] for v in done["specs"][0]["requirements"] if v["verdict"] == "FAIL"}


def test_the_reference_follows_the_recommended_readings() -> None:
    done = run_target("reference", profile=Profile.STRICT, select=AMBIGUOUS)
    assert {one["outcome"] for one in done["specs"][0]["scenarios"]} == {"passed"}


def test_a_sample_in_which_no_call_has_to_change_anything_fails_nothing() -> None:
    done = run_target("reference", select=("FO-SEC-01-101",), examples=1)
    (scenario,) = done["specs"][0]["scenarios"]
    assert (scenario["outcome"], scenario["evidence"]["code"]) == ("not-verified", "no_evidence")


@pytest.mark.parametrize(
    ("mutant", "scenario", "message"),
    [
        ("NULL-FO-01", "FO-D01-01", "a success without the effect: "),
        ("NULL-FO-04", "FO-D01-01", "the call failed (ExecutionFailed: no); expected: success"),
        ("MUT-FO-091", "FO-D01-01", "a partial effect: the call succeeded"),
        ("MUT-FO-202", "FO-SEC-02-03", "an effect with an error: the call failed (ApprovalDenied"),
        ("MUT-FO-167", "FO-D04-08", "the call succeeded; expected: any error"),
        ("MUT-FO-084", "FO-D02-02", "another effect than the expected one"),
        ("MUT-FO-075", "FO-D11-02", 'lost contents: "OLD"'),
        ("MUT-FO-176", "FO-D10-08", "d/b has neither its old content nor the new one"),
        ("MUT-FO-177", "FO-D04-16", "previous contents are lost"),
        ("MUT-FO-081", "FO-D02-08", "another effect than the expected one"),
    ],
)
def test_a_wrong_side_effect_is_described(mutant: str, scenario: str, message: str) -> None:
    one = only_scenario(run_target(MUTANTS + mutant, select=(scenario,)))
    if one["outcome"] == "not-verified":
        pytest.skip(f"not verified: {one['evidence']['cause']}")
    assert one["outcome"] == "failed"
    assert message in one["evidence"].get("line", one["evidence"])["message"]


def test_the_evidence_of_a_failure_shows_the_trees_before_after_and_expected() -> None:
    evidence = only_scenario(run_target(MUTANTS + "MUT-FO-091", select=("FO-D01-01",)))["evidence"]
    other_directories = 'away/{secret="S"}, '
    assert evidence["before"] == other_directories + 'root/{a="A", c="C"}, root2/'
    assert evidence["after"] == other_directories + 'root/{a="A", b="A", c="C"}, root2/'
    assert evidence["expected"] == other_directories + 'root/{b="A", c="C"}, root2/'
    assert evidence["got"] == evidence["after"]
    assert evidence["line"]["diff"] == '+ root/a: a file of 1 byte ("A"), should not be there'


def test_the_evidence_of_a_passed_scenario_shows_the_trees_too() -> None:
    evidence = only_scenario(run_target("reference", select=("FO-MV-04-02",)))["evidence"]
    assert evidence["before"].startswith('$FAR/{k="K"}, ')
    assert evidence["after"] == evidence["expected"]
    assert evidence["after"].startswith('$FAR/{a="A", k="K"}, ')


@pytest.mark.usefixtures("unminimised")
@pytest.mark.parametrize(
    ("mutant", "requirement"),
    [
        ("MUT-FO-042", "FR-FOPS-CP-02"),
        ("MUT-FO-126", "DFO-06"),
    ],
)
def test_a_property_detects_a_mutant(mutant: str, requirement: str) -> None:
    own = tuple(id for id, verified in PROPERTIES.items() if verified == requirement)
    assert requirement in failed_requirements(run_target(MUTANTS + mutant, select=own))


@pytest.mark.slow
@pytest.mark.usefixtures("unlinted")
def test_a_scenario_that_a_property_wrote_has_one_call_and_fails_unchanged(tmp_path: Path) -> None:
    evidence = only_scenario(run_target(MUTANTS + "MUT-FO-061", select=("FO-MV-03-101",)))["evidence"]
    found = evidence["scenario"]
    assert sum(step.startswith("When ") for step in found.split("\n")) == 1
    assert len(evidence["tree"]) < 60
    pack = tmp_path / "again"
    pack.mkdir()
    catalogue, _, _ = PACK.pack_file.read_text("utf-8").partition("[[retired]]")  # their successors are not here
    (pack / "spec.toml").write_text(catalogue, "utf-8")
    (pack / "arguments.schema.json").write_bytes((PACK.folder / "arguments.schema.json").read_bytes())
    text = "\n".join(f"      {line}" for line in found.split("\n"))
    (pack / "found.feature").write_text(
        "@file_operations\nFeature: found\n\n  @FR-FOPS-MV-03\n  Rule: found\n\n"
        f"    @FO-FOUND-01\n    Scenario: found\n{text}\n"
    )
    for target, outcome in ((MUTANTS + "MUT-FO-061", "failed"), ("reference", "passed")):
        done = run(Options(target=target, specs=(str(pack),), select=("FO-FOUND-01",))).document
        assert only_scenario(done.to_json())["outcome"] == outcome


def test_without_a_second_file_system_strace_simulates_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "find_base_on_other_file_system", lambda than: None)
    one = only_scenario(run_target("reference", select=("FO-MV-04-02",)))
    if one["outcome"] == "not-verified":
        pytest.skip(f"not verified: {one['evidence']['cause']}")
    assert one["outcome"] == "passed"


@pytest.mark.parametrize(
    "scenario",
    ["FO-D04-01", "FO-D04-03", "FO-D04-08", "FO-D04-11", "FO-D04-17", "FO-D04-20", "FO-D10-01", "FO-D11-01"],
)
def test_a_success_in_spite_of_a_fault_is_not_verified(scenario: str) -> None:
    one = only_scenario(run_target(f"python:{UNDETERRED}:candidate", select=(scenario,)))
    assert one["outcome"] == "not-verified"
    assert one["evidence"]["code"] == "fault_without_effect" or one["evidence"]["cause"].startswith("needs ")


@pytest.mark.parametrize("scenario", ["FO-D10-08", "FO-MV-04-24"])
def test_a_scenario_that_needs_a_process_between_calls_is_not_verified_without_one(scenario: str) -> None:
    host = f"{sys.executable} -m treeproof.candidate.host command"
    one = only_scenario(run_target(f"command:{host} {PACK.reference}", select=(scenario,)))
    assert one["outcome"] == "not-verified"
    assert re.search("between two messages|^needs ", one["evidence"]["cause"])


def test_a_candidate_without_list_directory_fails_no_requirement(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(
        "from treeproof.reference_impl.shared.candidate import Candidate\n"
        "from treeproof.reference_impl.file_operations.candidate import copy_tool, move_tool\n"
        "def candidate():\n"
        "    return Candidate([move_tool(), copy_tool()])\n"
    )
    selected = ("FR-FOPS-01", "FR-FOPS-LS-01", "T-FOPS-LS-01", "T-FOPS-MV-01")
    done = run_target(f"python:{tmp_path}/two.py:candidate", select=selected)
    verdicts = {v["id"]: v["verdict"] for v in done["specs"][0]["requirements"] if v["id"] in selected}
    assert verdicts == {
        "FR-FOPS-01": "NOT VERIFIED",
        "FR-FOPS-LS-01": "NOT VERIFIED",
        "T-FOPS-LS-01": "NOT VERIFIED",
        "T-FOPS-MV-01": "PASS",
    }


@pytest.mark.parametrize("entry", ["AMB-LD-21", "AMB-XX-01"])
def test_a_candidate_declares_readings_of_its_other_specifications(tmp_path: Path, entry: str) -> None:
    (tmp_path / "three.py").write_text(
        "from treeproof.reference_impl.file_operations.candidate import candidate as reference\n"
        "class Declaring:\n"
        "    def __init__(self):\n"
        "        self.reference = reference()\n"
        "    def __getattr__(self, name):\n"
        "        return getattr(self.reference, name)\n"
        "    def initialize(self, params):\n"
        f"        return {{**self.reference.initialize(params), 'interpretations': {{{entry!r}: 'resolve'}}}}\n"
    )
    options = Options(target=f"python:{tmp_path}/three.py:Declaring", specs=("file_operations",), select=("FO-D01-01",))
    if entry == "AMB-XX-01":
        with pytest.raises(UsageError, match="AMB-XX-01: no such entry"):
            run(options)
    else:
        assert only_scenario(run(options).document.to_json())["outcome"] == "passed"
