"""The file_operations pack: its requirements, its readings and its schema, compared with literals in this file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from treeproof.spec import load_pack, parse_feature
from treeproof.spec.catalogue import Pack

FOLDER = Path(__file__).parent.parents[2] / "features" / "file_operations"

REQUIREMENT_IDS = """
FR-FOPS-01
FR-FOPS-MV-01 FR-FOPS-MV-02 FR-FOPS-MV-03 FR-FOPS-MV-04 FR-FOPS-CP-01 FR-FOPS-CP-02 FR-FOPS-CP-03
FR-FOPS-LS-01 NFR-FOPS-SEC-01 NFR-FOPS-SEC-02 CFG-FOPS-01
T-FOPS-MV-01 T-FOPS-MV-02 T-FOPS-CP-01 T-FOPS-LS-01
DFO-01 DFO-02 DFO-03 DFO-04 DFO-05 DFO-06 DFO-07 DFO-08 DFO-09 DFO-10 DFO-11
FR-VAL-01 FR-VAL-02 FR-VAL-04 FR-VAL-05 FR-VAL-06 FR-VAL-07 FR-VAL-08 FR-VAL-09
FR-APR-04a FR-APR-04b FR-APR-04c FR-APR-04d FR-APR-05 FR-APR-06 FR-REG-01 FR-EXE-01
"""
REQUIREMENTS = REQUIREMENT_IDS.split()
SHOULD = {"DFO-07", "DFO-08", "DFO-10", "DFO-11", "FR-VAL-06", "FR-APR-06"}

TREATMENTS = {
    "strict": {2, 10, 11, 15, 18, 20},
    "any": {1, 3, 4, 5, 8, 9, 19, 22, 23, *range(29, 35), *range(37, 43), *range(44, 54)},
    "advisory": {14, 16, 17, 21, 26},
    "editorial": {13, 28},
}
RECOMMENDED = {
    1: "gate",
    4: "usual",
    9: "policy",
    11: "into",
    18: "canonical",
    23: "exdev",
    32: "refuse",
    33: "error",
    39: "name",
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


def test_every_requirement_is_catalogued_with_its_level(pack: Pack) -> None:
    assert [requirement.id for requirement in pack.requirements] == REQUIREMENTS
    assert len(REQUIREMENTS) == 43
    assert {one.id for one in pack.requirements if one.level == "SHOULD"} == SHOULD
    assert {one.level for one in pack.requirements} == {"MUST", "SHOULD"}
    assert {one.id: one.restates for one in pack.requirements if one.restates} == {"FR-VAL-07": "NFR-FOPS-SEC-01"}
    assert not any(one.excluded or one.condition for one in pack.requirements)


def test_every_requirement_has_scenarios(pack: Pack) -> None:
    verified = Counter(case.requirement for file in pack.feature_files() for case in parse_feature(file).scenarios)
    assert set(verified) == set(REQUIREMENTS) - {"FR-VAL-07"}
    assert verified.total() > 340


def test_every_interpretation_has_its_treatment(pack: Pack) -> None:
    found = {entry.id: entry.treatment for entry in pack.interpretations}
    expected = {f"AMB-FO-{n:02}": treatment for treatment, numbers in TREATMENTS.items() for n in numbers}
    assert found == expected
    for number, label in RECOMMENDED.items():
        assert pack.interpretation(f"AMB-FO-{number:02}").recommended == label


def test_calls_are_approved_by_default_and_tools_with_side_effects_are_declared(pack: Pack) -> None:
    assert dict(pack.context) == {"approval": "approve"}
    assert [(tool.name, tool.has_side_effects, tool.config_table) for tool in pack.tools] == [
        ("move", True, "fileops"),
        ("copy", True, "fileops"),
        ("list_directory", False, "list_directory"),
    ]


def test_the_schema_is_the_published_one(pack: Pack) -> None:
    schema = json.loads(pack.schemas["arguments"].read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    is_valid = Draft202012Validator(schema).is_valid
    assert is_valid({"source": "a", "destination": "b"})
    assert is_valid({"source": "a", "destination": "b", "overwrite": True, "more": 1})
    for invalid in (
        {"source": "a"},
        {"source": 1, "destination": "b"},
        {"source": "a", "destination": "b", "overwrite": 1},
    ):
        assert not is_valid(invalid)


def test_each_scenario_begins_with_a_tree_outside_the_sandbox(pack: Pack) -> None:
    for file in pack.feature_files():
        for case in parse_feature(file).scenarios:
            if file.name != "laws.feature":
                assert case.steps[0].text.startswith("beside the sandbox the tree"), case.id
