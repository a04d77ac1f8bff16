"""The ls pack: its requirements, its readings and its schemas, compared with literals in this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from treeproof.spec import load_pack, parse_feature
from treeproof.spec.catalogue import Pack

FOLDER = Path(__file__).parent.parents[2] / "features" / "ls"

COUNTS = {"DEF": 5, "ARG": 8, "ENV": 13, "DATA": 7, "PAGE": 5, "STAT": 3, "FILT": 10, "SORT": 5, "SEC": 9, "ERR": 9}
COUNTS |= {"TEXT": 6, "XR": 1}
REQUIREMENTS = {f"LS-{part}-{n:02}" for part, count in COUNTS.items() for n in range(1, count + 1)}

NOT_MUST = {"LS-DEF-02": "MAY", "LS-ARG-07": "MAY"} | dict.fromkeys(
    (
        *("LS-DEF-05", "LS-ENV-06", "LS-ENV-11", "LS-ENV-12", "LS-ENV-13", "LS-STAT-01", "LS-STAT-02", "LS-STAT-03"),
        *("LS-FILT-10", "LS-SORT-05", "LS-SEC-09"),
        *("LS-ERR-02", "LS-ERR-07", "LS-ERR-08", "LS-ERR-09"),
    ),
    "SHOULD",
)
TREATMENTS = {
    "strict": "03 07 08 24 31 32",
    "advisory": "16 43",
    "editorial": "15 30 34",
    "any": "01 02 04 05 06 09 10 12 13 17 18 19 20 21 22 23 25 26 27 28 29 33 41 42"
    " 51 52 53 57 59 61 63 64 66 67 70 71 72 75 76 78 79 80 81 82 83",
}

LISTING: dict[str, Any] = {
    "status": "partial",
    "data": {
        "entries": [{"path": "agents", "type": "dir"}, {"path": "README.md", "type": "file"}],
        "truncated": True,
    },
    "text": "Listed 2 entries in '.'",
    "stats": {"time_ms": 4, "total_entries": 120, "dirs": 5, "files": 112, "links": 3, "returned": 2},
    "context": {"cwd": ".", "params_input": {"path": ".", "limit": 2}, "path_resolved": "."},
}
ERROR: dict[str, Any] = {
    "status": "error",
    "data": {},
    "text": "Path 'x' does not exist.",
    "stats": {"time_ms": 0.25},
    "context": {"cwd": "src", "params_input": {"path": "x"}},
    "error": {"code": "NOT_FOUND", "message": "Path 'x' does not exist."},
}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


def schema(name: str) -> dict[str, Any]:
    value = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def is_valid_envelope(value: object) -> bool:
    return bool(Draft202012Validator(schema("envelope")).is_valid(value))


def test_exactly_the_81_requirements_are_catalogued(pack: Pack) -> None:
    assert {requirement.id for requirement in pack.requirements} == REQUIREMENTS
    assert len(pack.requirements) == 81
    assert {r.id: r.level for r in pack.requirements if r.level != "MUST"} == NOT_MUST


def test_only_ls_def_02_is_excluded(pack: Pack) -> None:
    assert [r.id for r in pack.requirements if r.excluded is not None] == ["LS-DEF-02"]
    assert [r.id for r in pack.requirements if r.restates or r.condition] == []


def test_verified_by_names_the_scenarios_and_properties_that_exist(pack: Pack) -> None:
    found: dict[str, set[str]] = {}
    for file in pack.feature_files():
        for case in parse_feature(file).scenarios:
            found.setdefault(case.requirement, set()).add("property" if file.name == "laws.feature" else "scenario")
    for requirement in pack.requirements:
        assert set(requirement.verified_by) == found.get(requirement.id, set()), requirement.id


def test_every_interpretation_has_its_treatment(pack: Pack) -> None:
    expected = {f"AMB-LS-{n}": treatment for treatment, numbers in TREATMENTS.items() for n in numbers.split()}
    assert {entry.id: entry.treatment for entry in pack.interpretations} == expected


def test_every_interpretation_has_readings_and_affects_requirements(pack: Pack) -> None:
    for entry in pack.interpretations:
        assert entry.affects, entry.id
        assert all(reading.implies for reading in entry.readings), entry.id
        if entry.treatment == "editorial":
            continue
        accepted = sum(reading.accepted for reading in entry.readings)
        assert accepted == 1 if entry.treatment == "strict" else accepted >= 2, entry.id


def test_every_observable_interpretation_occurs_in_a_scenario_or_a_step(pack: Pack) -> None:
    features = "".join(file.read_text("utf-8") for file in pack.feature_files())
    steps = (FOLDER.parents[1] / "steps" / "ls" / "members.py").read_text("utf-8")
    used = {entry.id for entry in pack.interpretations if entry.id in features or entry.id in steps}
    assert {entry.id for entry in pack.interpretations if entry.treatment == "any"} - used == set()


@pytest.mark.parametrize("name", ["arguments", "envelope"])
def test_the_schemas_are_valid_json_schema(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"] == f"urn:treeproof:ls:2.0.0:{name}"


def test_the_argument_schema_is_the_published_one() -> None:
    found = schema("arguments")
    assert found["required"] == []
    assert {name: (one["type"], one["default"]) for name, one in found["properties"].items()} == {
        "path": ("string", "."),
        "offset": ("integer", 0),
        "limit": ("integer", 100),
        "include_hidden": ("boolean", False),
        "ignore": ("array", None),
    }


def test_valid_envelopes_are_accepted() -> None:
    assert is_valid_envelope(LISTING)
    assert is_valid_envelope(ERROR)
    complete = {**LISTING, "status": "success", "data": {"entries": [], "truncated": False}}
    assert is_valid_envelope(complete)
    assert is_valid_envelope({**ERROR, "context": {**ERROR["context"], "path_resolved": "a/..b"}})
    assert is_valid_envelope({**ERROR, "data": None, "text": "", "stats": {}})
    assert is_valid_envelope({**LISTING, "stats": {}, "context": {"cwd": ".", "params_input": {}}})
    assert is_valid_envelope(
        {**LISTING, "data": {"entries": [{"path": "a", "type": "dir", "size": 1}], "truncated": True}}
    )


@pytest.mark.parametrize(
    "members",
    [
        {"error": None},
        {"version": 1},
        {"status": "ok"},
        {"status": "success"},
        {"status": "error"},
        {"data": None},
        {"data": {"entries": []}},
        {"data": {"entries": None, "truncated": True}},
        {"data": {"entries": [], "truncated": "true"}},
        {"data": {"entries": [{"path": "a/", "type": "dir"}], "truncated": True}},
        {"data": {"entries": [{"path": "/a", "type": "dir"}], "truncated": True}},
        {"data": {"entries": [{"path": "./a", "type": "dir"}], "truncated": True}},
        {"data": {"entries": [{"path": "a", "type": "directory"}], "truncated": True}},
        {"text": ""},
        {"text": ["a"]},
        {"stats": {**LISTING["stats"], "time_ms": "4ms"}},
        {"stats": {**LISTING["stats"], "dirs": -1}},
        {"context": {"cwd": ".", "path_resolved": "."}},
        {"context": {"cwd": "", "params_input": {}, "path_resolved": "."}},
        {"context": {"cwd": ".", "params_input": {}, "path_resolved": "../x"}},
    ],
)
def test_a_listing_with_one_wrong_member_is_refused(members: dict[str, Any]) -> None:
    assert not is_valid_envelope({**LISTING, **members})


@pytest.mark.parametrize(
    "members",
    [
        {"error": None},
        {"error": {"code": "NOT_FOUND"}},
        {"error": {"code": "PERMISSION_DENIED", "message": "no"}},
        {"error": {"code": "NOT_FOUND", "message": 5}},
        {"text": None},
        {"context": {"cwd": ".", "params_input": {}, "path_resolved": "/abs"}},
    ],
)
def test_an_error_with_one_wrong_member_is_refused(members: dict[str, Any]) -> None:
    assert not is_valid_envelope({**ERROR, **members})


@pytest.mark.parametrize("member", sorted(ERROR))
def test_an_error_without_one_of_its_members_is_refused(member: str) -> None:
    assert not is_valid_envelope({key: value for key, value in ERROR.items() if key != member})
