"""The fs_walkdir pack: its requirements, its readings and its schemas, compared with literals in this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from treeproof.spec import load_pack, parse_feature
from treeproof.spec.catalogue import Pack

FOLDER = Path(__file__).parent.parents[2] / "features" / "fs_walkdir"
SCRIPTS = Path(__file__).parent.parents[2] / "fixtures" / "fs_walkdir"

REQUIREMENT_IDS = """
WD-SYN-01 WD-ARG-01 WD-ARG-02 WD-ARG-03 WD-ARG-04 WD-ARG-05
WD-RET-01 WD-RET-02 WD-ENT-01 WD-ENT-02 WD-ENT-03 WD-ENT-04 WD-ENT-05 WD-ENT-06
WD-WALK-01 WD-WALK-02 WD-WALK-03 WD-WALK-04
WD-ERR-01 WD-ERR-02 WD-ERR-03 WD-ERR-04 WD-ERR-05 WD-ERR-06 WD-LOG-01 WD-LOG-02 WD-LAST-01
WD-SEC-01 WD-SEC-02 WD-SEC-03 WD-SEC-04
"""
REQUIREMENTS = REQUIREMENT_IDS.split()
SHOULD = {"WD-ENT-06", "WD-ERR-06"}
"""The document says "typically" and "likely" of them."""

TREATMENTS = {
    "strict": {2, 7, 8, 11, 12, 17},
    "any": {4, 5, 6, 10, 14, 15, 19, 20, 22, 24, 25, 26, 27, 28, 29},
    "declared": {1, 16, 18, 23},
    "editorial": {3, 13, 21},
}

FILE = {"name": "b", "path": "a/b", "isDir": False, "size": 0, "modTime": "2025-04-22T20:36:00Z"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


def test_every_requirement_is_catalogued_with_its_level(pack: Pack) -> None:
    assert [requirement.id for requirement in pack.requirements] == REQUIREMENTS
    assert {requirement.id for requirement in pack.requirements if requirement.level != "MUST"} == SHOULD
    assert not any(one.excluded or one.restates or one.condition for one in pack.requirements)


def test_every_requirement_has_scenarios(pack: Pack) -> None:
    verified = [case.requirement for file in pack.feature_files() for case in parse_feature(file).scenarios]
    assert set(verified) == set(REQUIREMENTS)
    assert len(verified) > 250


def test_every_interpretation_has_its_treatment(pack: Pack) -> None:
    found = {entry.id: entry.treatment for entry in pack.interpretations}
    expected = {f"AMB-WD-{n:02}": treatment for treatment, numbers in TREATMENTS.items() for n in numbers}
    assert found == expected


def test_the_tools_are_the_function_and_the_interpreter(pack: Pack) -> None:
    assert [tool.name for tool in pack.tools] == ["FS.WalkDir", "NeuroScript"]
    assert pack.tools[0].capabilities == ("log",)


def test_every_script_is_run_by_a_scenario() -> None:
    cases = [case for file in FOLDER.glob("*.feature") for case in parse_feature(file).scenarios]
    steps = [step.text for case in cases for step in case.steps]
    named = {step.split('"')[1] for step in steps if step.startswith("the script ") and "is run" in step}
    assert named == {file.stem for file in SCRIPTS.glob("*.ns")}


def is_valid(name: str, value: Any) -> bool:
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return bool(Draft202012Validator(schema).is_valid(value))


@pytest.mark.parametrize("value", [{"path": "."}, {"path": " "}, {"path": "a/../b"}])
def test_valid_arguments_are_accepted(value: object) -> None:
    assert is_valid("arguments", value)


@pytest.mark.parametrize("value", [{}, {"path": ""}, {"path": 1}, {"path": ".", "x": 1}, [], None, "."])
def test_invalid_arguments_are_refused(value: object) -> None:
    assert not is_valid("arguments", value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        [FILE],
        [FILE, {**FILE, "name": "a", "path": "a", "isDir": True, "size": 4096}],
        [{**FILE, "modTime": "2025-04-22T22:36:00.123+02:00"}],
        [{**FILE, "size": 9.0}],
        [{**FILE, "name": "..a", "path": "..a"}],
    ],
)
def test_valid_results_are_accepted(value: object) -> None:
    assert is_valid("output", value)


@pytest.mark.parametrize("value", [{}, "", 0, False, [None], [[]], ["a"], {"entries": [FILE]}])
def test_invalid_results_are_refused(value: object) -> None:
    assert not is_valid("output", value)


@pytest.mark.parametrize(
    "members",
    [
        {"name": ""},
        {"name": "a/b"},
        {"path": "/a/b"},
        {"path": "./b"},
        {"path": "a/"},
        {"path": "."},
        {"path": "a/../b"},
        {"isDir": 0},
        {"isDir": "false"},
        {"size": "0"},
        {"size": -1},
        {"size": None},
        {"modTime": 0},
        {"modTime": "2025-04-22T20:36:00"},
        {"modTime": "2025-04-22 20:36:00Z"},
        {"mode": 420},
    ],
)
def test_an_element_with_one_wrong_key_is_refused(members: dict[str, Any]) -> None:
    assert not is_valid("output", [{**FILE, **members}])


@pytest.mark.parametrize("key", sorted(FILE))
def test_an_element_without_one_of_its_keys_is_refused(key: str) -> None:
    assert not is_valid("output", [{name: value for name, value in FILE.items() if name != key}])
