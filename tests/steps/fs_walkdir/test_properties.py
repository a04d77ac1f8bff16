"""The steps and properties of FS.WalkDir on the reference and on mutants: which requirements fail."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.report import document
from treeproof.run.runner import Options, run
from treeproof.spec import find_pack, load_pack, parse_feature

PACK = load_pack(find_pack("fs_walkdir"))
PROPERTY_SCENARIOS = tuple(case.id for case in parse_feature(PACK.folder / "laws.feature").scenarios)
AMBIGUOUS = tuple(
    case.id
    for file in PACK.feature_files()
    for case in parse_feature(file).scenarios
    if any("AMB-WD-" in step.text for step in case.steps)
)
MUTANTS = "mutant:"


def run_target(target: str, **options: Any) -> dict[str, Any]:
    done = run(Options(target=target, specs=("fs_walkdir",), **options)).document
    document.validate(done.to_json())
    return done.to_json()


def failed_requirements(done: dict[str, Any]) -> set[str]:
    return {v["id"] for v in done["specs"][0]["requirements"] if v["verdict"] == "FAIL"}


def test_the_reference_follows_the_recommended_readings() -> None:
    done = run_target("reference", profile="strict", select=(*AMBIGUOUS, *PROPERTY_SCENARIOS), examples=10)
    assert (done["verdict"], done["exit"]) == ("partial", 0)
    assert {one["outcome"] for one in done["specs"][0]["scenarios"]} == {"passed"}


@pytest.mark.slow
@pytest.mark.usefixtures("unminimised")
@pytest.mark.parametrize(
    ("mutant", "requirement"),
    [
        ("MUT-WD-008", "WD-ENT-02"),
        ("MUT-WD-090", "WD-SEC-02"),
    ],
)
def test_properties_fail_only_the_violated_requirement(mutant: str, requirement: str) -> None:
    found = run_target(MUTANTS + mutant, select=PROPERTY_SCENARIOS, examples=25)
    assert failed_requirements(found) == {requirement}


def test_a_name_that_scripts_do_not_know_violates_the_rule_on_the_name(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nameless.py").write_text(
        "from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate\n"
        "from treeproof.reference_impl.fs_walkdir.script import Interpreter\n"
        "def candidate():\n"
        "    return build_candidate(WalkDir(), Interpreter([]))\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    done = run_target("python:nameless:candidate", select=("WD-SYN-01-03", "WD-LAST-01-06"))
    outcomes = {one["id"]: one["outcome"] for one in done["specs"][0]["scenarios"]}
    assert outcomes == {"WD-SYN-01-03": "failed", "WD-LAST-01-06": "not-verified"}


def test_without_an_interpreter_the_requirements_on_scripts_do_not_apply(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bare.py").write_text(
        "from treeproof.reference_impl.shared.candidate import Candidate\n"
        "from treeproof.reference_impl.fs_walkdir.candidate import CAPABILITIES, UnvalidatingExecutor, WalkDir\n"
        "def candidate():\n"
        "    return Candidate([WalkDir()], executor=UnvalidatingExecutor, capabilities=CAPABILITIES)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    done = run_target("python:bare:candidate", select=("WD-LAST-01", "WD-SYN-01", "WD-LOG-02"))
    verdicts = {v["id"]: v["verdict"] for v in done["specs"][0]["requirements"]}
    expected = {"WD-LAST-01": "NOT APPLICABLE", "WD-SYN-01": "PASS", "WD-LOG-02": "PASS"}
    assert {id: verdicts[id] for id in expected} == expected


def test_a_script_that_an_error_may_end_does_not_apply(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ending.py").write_text(
        "from treeproof.reference_impl.fs_walkdir.candidate import WalkDir, build_candidate\n"
        "from treeproof.reference_impl.fs_walkdir.script import Interpreter\n"
        "from treeproof.reference_impl.fs_walkdir.request import ArgumentParser\n"
        "from treeproof.reference_impl.shared.errors import ErrorKind, ToolError\n"
        "class Failing(ArgumentParser):\n"
        "    def parse_path(self, arguments):\n"
        "        if arguments in ({'path': 5}, {'path': 'no_such_dir'}):\n"
        "            raise ToolError(ErrorKind.BAD_ARGS, 'no')\n"
        "        return super().parse_path(arguments)\n"
        "def candidate():\n"
        "    tool = WalkDir(argument_parser=Failing)\n"
        "    return build_candidate(tool, Interpreter([tool]))\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    done = run_target("python:ending:candidate", select=("WD-LAST-01-14", "WD-ERR-01-10"))
    outcomes = {one["id"]: one["outcome"] for one in done["specs"][0]["scenarios"]}
    # Of a number an error of the call is right (AMB-WD-27), of a missing start it is not.
    assert outcomes == {"WD-LAST-01-14": "not-applicable", "WD-ERR-01-10": "failed"}
