"""The fs_walkdir pack: its scripts are all run, and its schemas take what the document describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from treeproof.spec import parse_feature

FOLDER = Path(__file__).parent.parents[2] / "features" / "fs_walkdir"
SCRIPTS = Path(__file__).parent.parents[2] / "fixtures" / "fs_walkdir"

FILE = {"name": "b", "path": "a/b", "isDir": False, "size": 0, "modTime": "2025-04-22T20:36:00Z"}


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
        {"modTime": "2025-04-22_20:36:00Z"},
        {"mode": 420},
    ],
)
def test_an_element_with_one_wrong_key_is_refused(members: dict[str, Any]) -> None:
    assert not is_valid("output", [{**FILE, **members}])


@pytest.mark.parametrize("key", sorted(FILE))
def test_an_element_without_one_of_its_keys_is_refused(key: str) -> None:
    assert not is_valid("output", [{name: value for name, value in FILE.items() if name != key}])
