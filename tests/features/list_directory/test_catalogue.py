"""The list_directory pack: its requirements, its readings and its schemas, compared with literals in this file."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from treeproof.spec import load_pack
from treeproof.spec.catalogue import Pack

FOLDER = Path(__file__).parent.parents[2] / "features" / "list_directory"

REQUIREMENT_IDS = """
C-01 C-02 C-03 C-04 C-05
A-01 A-02 A-03 A-04
FR-LD-DEF-01 FR-LD-DEF-02 FR-LD-DEF-03 FR-LD-DEF-04 FR-LD-DEF-05
SCH-LD
FR-LD-VAL-01 FR-LD-VAL-02 FR-LD-VAL-03 FR-LD-VAL-04 FR-LD-VAL-05 FR-LD-VAL-06 FR-LD-VAL-06a FR-LD-VAL-06b
FR-LD-VAL-07 FR-LD-VAL-08 FR-LD-VAL-09 FR-LD-VAL-10 CWD-LD
FR-LD-LST-01 FR-LD-LST-02 FR-LD-LST-03 FR-LD-LST-04 FR-LD-LST-05 FR-LD-LST-06 FR-LD-LST-06a HID-01
FR-LD-LST-07 FR-LD-LST-08
DOC-01 DOC-02 DOC-03 DOC-04 DOC-05 DOC-06 DOC-07
EF-01 EF-02 EF-03 EF-04 EF-05 EF-06 EF-07 EF-08 EF-09 EF-10
FR-LD-OUT-01 FR-LD-OUT-02 FR-LD-OUT-02a FR-LD-OUT-02b FR-LD-OUT-03 FR-LD-OUT-04 FR-LD-OUT-05 FR-LD-OUT-06
FR-LD-OUT-07 FR-LD-OUT-08
FR-LD-ERR-01 FR-LD-ERR-02 FR-LD-ERR-03 FR-LD-ERR-04
NFR-LD-PERF-01 NFR-LD-PERF-02 NFR-LD-SEC-01 NFR-LD-SEC-02 NFR-LD-SEC-03 NFR-LD-REL-01 NFR-LD-REL-02
NFR-LD-PORT-01
CFG-LD-01 CFG-LD-02 CFG-LD-03 CFG-LD-04 CFG-LD-05
T-LD-01 T-LD-02 T-LD-03 T-LD-04 T-LD-05 T-LD-06 T-LD-07 T-LD-08 T-LD-09 T-LD-10 T-LD-11 T-LD-12
T-LD-13 T-LD-14
"""
REQUIREMENTS = REQUIREMENT_IDS.split()

RESTATED = {
    "C-02": "FR-LD-VAL-07",
    "C-03": "FR-LD-OUT-02",
    "C-04": "NFR-LD-SEC-02",
    "CFG-LD-02": "FR-LD-VAL-04",
    "CFG-LD-04": "FR-LD-VAL-06a",
    "DOC-02": "FR-LD-VAL-10",
    "FR-LD-ERR-03": "FR-LD-VAL-08",
    "FR-LD-ERR-04": "FR-LD-LST-04",
    "NFR-LD-SEC-01": "FR-LD-VAL-07",
    "NFR-LD-SEC-03": "FR-LD-VAL-09",
    "T-LD-03": "FR-LD-ERR-02",
    "T-LD-04": "FR-LD-LST-02",
    "T-LD-05": "FR-LD-LST-07",
    "T-LD-06": "FR-LD-OUT-05",
    "T-LD-07": "FR-LD-LST-06",
    "T-LD-08": "FR-LD-VAL-09",
    "T-LD-09": "NFR-LD-REL-02",
    "T-LD-10": "FR-LD-LST-04",
    "T-LD-11": "FR-LD-LST-06",
    "T-LD-12": "FR-LD-LST-08",
    "T-LD-13": "FR-LD-OUT-08",
    "T-LD-14": "FR-LD-OUT-07",
}
EXCLUDED = {"C-01", "A-01", "A-02", "A-03", "A-04"}

TREATMENTS = {
    "strict": "06 07 08 09 14 16 30 43 47 50 51 56 58 63 64",
    "any": "01 02 03 04 10 11 12 13 15 17 18 19 20 21 22 23 25 26 27 28 29 31 32 33 34 35 36 37 39 40 44 45 46 49 53"
    " 57 61 62 65 66 67 68 69 70",
    "advisory": "05 38 41 54 55",
    "editorial": "52",
}

PUBLISHED_SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "recursive": {"type": "boolean", "default": False},
        "max_depth": {"type": "integer", "minimum": 1},
        "max_entries": {"type": "integer", "minimum": 1},
        "include_hidden": {"type": "boolean", "default": False},
        "include_files": {"type": "boolean", "default": True},
        "include_dirs": {"type": "boolean", "default": True},
        "include_symlinks": {"type": "boolean", "default": True},
        "include_other": {"type": "boolean", "default": False},
    },
    "required": ["path"],
}

GOLDEN = [
    '{"path":".","entries":[],"returned":0,"max_entries":200,"truncated":false,"truncated_reason":null}',
    '{"path":".","entries":[{"name":"a","path":"a","depth":1,"type":"file","size_bytes":12,'
    '"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],'
    '"returned":1,"max_entries":200,"truncated":false,"truncated_reason":null}',
    '{"path":".","entries":[{"name":".h","path":".h","depth":1,"type":"file","size_bytes":0,'
    '"modified_epoch_ms":1700000000000,"is_hidden":true,"error_code":null,"error":null},'
    '{"name":"d","path":"d","depth":1,"type":"dir","size_bytes":null,'
    '"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null},'
    '{"name":"f","path":"f","depth":1,"type":"file","size_bytes":7,'
    '"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null},'
    '{"name":"l","path":"l","depth":1,"type":"symlink","size_bytes":null,'
    '"modified_epoch_ms":1700000000000,"is_hidden":false,"error_code":null,"error":null}],'
    '"returned":4,"max_entries":200,"truncated":false,"truncated_reason":null}',
]

FILE: Mapping[str, Any] = {
    "name": "b",
    "path": "a/b",
    "depth": 2,
    "type": "file",
    "size_bytes": 0,
    "modified_epoch_ms": -1,
    "is_hidden": False,
    "error_code": None,
    "error": None,
}
FAILED = {
    **FILE,
    "type": "unknown",
    "size_bytes": None,
    "modified_epoch_ms": None,
    "error_code": "io_error",
    "error": "cannot be read",
}
UNREADABLE = {**FAILED, "modified_epoch_ms": 5, "error_code": "read_dir_failed"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


def schema(name: str) -> dict[str, Any]:
    value = json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def document(*entries: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    return {
        "path": ".",
        "entries": [dict(entry) for entry in entries],
        "returned": len(entries),
        "max_entries": 200,
        "truncated": False,
        "truncated_reason": None,
        **members,
    }


def is_valid_output(value: object) -> bool:
    return bool(Draft202012Validator(schema("output")).is_valid(value))


def are_valid_arguments(value: object) -> bool:
    return bool(Draft202012Validator(schema("arguments")).is_valid(value))


# --- the catalogue ----------------------------------------------------------------------------------------


def test_every_requirement_of_the_specification_is_catalogued_and_no_other(pack: Pack) -> None:
    assert [requirement.id for requirement in pack.requirements] == REQUIREMENTS


def test_only_the_assumptions_and_the_texts_of_errors_are_less_than_must(pack: Pack) -> None:
    levels = {requirement.id: requirement.level for requirement in pack.requirements}
    assert {id for id, level in levels.items() if level != "MUST"} == {"A-01", "A-02", "A-03", "A-04", "EF-10"}


def test_only_the_listed_requirements_restate_another(pack: Pack) -> None:
    assert {r.id: r.restates for r in pack.requirements if r.restates is not None} == RESTATED


def test_only_the_listed_requirements_are_excluded_and_nothing_depends_on_a_platform(pack: Pack) -> None:
    assert {r.id for r in pack.requirements if r.excluded is not None} == EXCLUDED
    assert [r.id for r in pack.requirements if r.condition is not None] == []


def test_every_other_requirement_is_verified_by_scenarios(pack: Pack) -> None:
    expected = set(REQUIREMENTS) - EXCLUDED - set(RESTATED)
    assert expected <= {r.id for r in pack.requirements if "scenario" in r.verified_by}


# --- interpretations -----------------------------------------------------------------------------------------


def test_there_are_65_interpretations_in_order(pack: Pack) -> None:
    numbers = [n for n in range(1, 71) if n not in (24, 42, 48, 59, 60)]
    assert [entry.id for entry in pack.interpretations] == [f"AMB-LD-{n:02}" for n in numbers]


def test_every_interpretation_has_its_treatment(pack: Pack) -> None:
    expected = {f"AMB-LD-{n}": treatment for treatment, numbers in TREATMENTS.items() for n in numbers.split()}
    assert {entry.id: entry.treatment for entry in pack.interpretations} == expected


def test_every_interpretation_has_readings_and_affects_known_requirements(pack: Pack) -> None:
    for entry in pack.interpretations:
        assert len(entry.readings) >= 2, entry.id
        assert entry.affects, entry.id
        assert set(entry.affects) <= set(REQUIREMENTS), entry.id


def test_every_reading_describes_what_it_implies(pack: Pack) -> None:
    undescribed = [(entry.id, r.label) for entry in pack.interpretations for r in entry.readings if not r.implies]
    assert undescribed == []


def test_an_open_interpretation_has_two_accepted_readings(pack: Pack) -> None:
    for entry in pack.interpretations:
        if entry.treatment == "any":
            assert sum(reading.accepted for reading in entry.readings) >= 2, entry.id


@pytest.mark.parametrize(
    ("id", "labels"),
    [
        ("AMB-LD-01", ("exceeded", "reached")),
        ("AMB-LD-03", ("replace", "append")),
        ("AMB-LD-08", ("descend", "prune")),
        ("AMB-LD-10", ("execution_failed", "empty", "unknown_entry")),
        ("AMB-LD-12", ("maximal_subpart", "per_byte", "per_run", "java", "other")),
        ("AMB-LD-15", ("minimal", "any_valid")),
        ("AMB-LD-22", ("platform", "always")),
        ("AMB-LD-26", ("floor", "trunc", "nearest")),
        ("AMB-LD-28", ("reject", "absent")),
        ("AMB-LD-29", ("ignore", "reject")),
        ("AMB-LD-35", ("no", "omit", "listed")),
        ("AMB-LD-36", ("follow", "refuse")),
    ],
)
def test_labels_that_manifests_use_do_not_change(pack: Pack, id: str, labels: tuple[str, ...]) -> None:
    entry = pack.interpretation(id)
    assert entry.labels == labels
    assert entry.recommended == labels[0]


def test_a_candidate_may_resolve_parents_inside_the_root(pack: Pack) -> None:
    entry = pack.interpretation("AMB-LD-21")
    assert {reading.label for reading in entry.readings if reading.accepted} == {"refuse", "resolve"}


# --- the argument schema ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["arguments", "output"])
def test_the_schemas_are_valid_json_schema(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"] == f"urn:treeproof:list_directory:1.1:{name}"


def test_the_argument_schema_is_the_published_one_except_for_annotations() -> None:
    found = schema("arguments")
    assert {key: value for key, value in found.items() if key not in ("$schema", "$id")} == PUBLISHED_SCHEMA


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "."},
        {"path": "", "bogus": 1},
        {"path": ".", "recursive": True, "max_depth": 1, "max_entries": 10**30},
        {"path": ".", "include_other": True, "include_files": False},
    ],
)
def test_valid_arguments_are_accepted(arguments: object) -> None:
    assert are_valid_arguments(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        [],
        ".",
        None,
        {"Path": "."},
        {"path": None},
        {"path": 1},
        {"path": ".", "recursive": 1},
        {"path": ".", "recursive": None},
        {"path": ".", "max_depth": 0},
        {"path": ".", "max_depth": True},
        {"path": ".", "max_entries": 1.5},
        {"path": ".", "max_entries": "1"},
        {"path": ".", "include_hidden": "false"},
    ],
)
def test_invalid_arguments_are_refused(arguments: object) -> None:
    assert not are_valid_arguments(arguments)


# --- the output schema ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", GOLDEN)
def test_golden_documents_are_accepted(text: str) -> None:
    assert is_valid_output(json.loads(text))


@pytest.mark.parametrize(
    "value",
    [
        document(FILE, {**FILE, "modified_epoch_ms": None}, max_entries=2),
        document(truncated=True, truncated_reason="max_output_bytes"),
        document(FILE, max_entries=1, truncated=True, truncated_reason="max_entries"),
        document({**FILE, "size_bytes": 2**63 - 1}),
        document({**FILE, "type": "other", "size_bytes": None}),
        document(FAILED),
        document({**FAILED, "error_code": "unknown"}),
        document(UNREADABLE),
        document({**UNREADABLE, "modified_epoch_ms": None}),
        document({**UNREADABLE, "error": None}),
        document({**FILE, "name": ".\n", "path": "a/.\n", "is_hidden": True}),
        document({**FILE, "name": "\\", "path": "\\", "depth": 1}),
        document({**FILE, "name": "...", "path": "a/...", "is_hidden": True}),
    ],
)
def test_valid_documents_are_accepted(value: object) -> None:
    assert is_valid_output(value)


@pytest.mark.parametrize("value", [None, [], "", "{}", 0, {}, [document()]])
def test_other_values_are_refused(value: object) -> None:
    assert not is_valid_output(value)


@pytest.mark.parametrize("member", ["path", "entries", "returned", "max_entries", "truncated", "truncated_reason"])
def test_a_document_without_one_of_its_members_is_refused(member: str) -> None:
    value = document(FILE)
    del value[member]
    assert not is_valid_output(value)


@pytest.mark.parametrize("member", sorted(FILE))
def test_an_entry_without_one_of_its_members_is_refused(member: str) -> None:
    entry = {key: value for key, value in FILE.items() if key != member}
    assert not is_valid_output(document(entry))


@pytest.mark.parametrize(
    "members",
    [
        {"path": ""},
        {"path": None},
        {"entries": None},
        {"entries": {}},
        {"returned": -1},
        {"returned": 0},
        {"returned": "1"},
        {"returned": True},
        {"max_entries": 0},
        {"max_entries": None},
        {"max_entries": 200.5},
        {"truncated": 0},
        {"truncated": None},
        {"truncated": True},
        {"truncated_reason": "max_entries"},
        {"truncated_reason": False},
        {"truncated_reason": ""},
        {"truncated": True, "truncated_reason": "max_depth"},
        {"truncated": True, "truncated_reason": "Max_Entries"},
        {"next": None},
    ],
)
def test_a_document_with_one_wrong_member_is_refused(members: dict[str, Any]) -> None:
    assert is_valid_output(document(FILE))
    assert not is_valid_output(document(FILE, **members))


@pytest.mark.parametrize(
    "members",
    [
        {"returned": 1},
        {"truncated": True, "truncated_reason": "max_entries"},
    ],
)
def test_an_empty_document_cannot_count_entries_or_reach_the_limit(members: dict[str, Any]) -> None:
    assert is_valid_output(document())
    assert not is_valid_output(document(**members))


@pytest.mark.parametrize(
    "members",
    [
        {"name": ""},
        {"name": "."},
        {"name": ".."},
        {"name": "a/b"},
        {"name": None},
        {"path": ""},
        {"path": "/a/b"},
        {"path": "./a/b"},
        {"path": "a//b"},
        {"path": "a/./b"},
        {"path": "a/../b"},
        {"path": "a/b/"},
        {"path": "a/b/.."},
        {"path": "b"},
        {"depth": 0},
        {"depth": 1},
        {"depth": None},
        {"depth": 2.5},
        {"type": "directory"},
        {"type": "dir"},
        {"type": None},
        {"size_bytes": None},
        {"size_bytes": -1},
        {"size_bytes": "0"},
        {"modified_epoch_ms": 0.5},
        {"modified_epoch_ms": "0"},
        {"is_hidden": True},
        {"is_hidden": 0},
        {"name": ".b"},
        {"error_code": "io_error"},
        {"error": "cannot be read"},
        {"inode": 7},
    ],
)
def test_an_entry_with_one_wrong_member_is_refused(members: dict[str, Any]) -> None:
    assert is_valid_output(document(FILE))
    assert not is_valid_output(document({**FILE, **members}))


@pytest.mark.parametrize(
    "members",
    [
        {"size_bytes": 0},
        {"modified_epoch_ms": 0},
        {"error_code": None},
        {"error_code": "EIO"},
        {"error_code": 5},
        {"error": None},
        {"error": ""},
        {"error": 5},
    ],
)
def test_an_entry_without_metadata_has_only_an_error_code_and_a_text(members: dict[str, Any]) -> None:
    assert is_valid_output(document(FAILED))
    assert not is_valid_output(document({**FAILED, **members}))


def test_one_invalid_entry_among_valid_ones_is_refused() -> None:
    entries = [copy.deepcopy(dict(FILE)) for _ in range(3)]
    entries[2]["error"] = "x"
    assert not is_valid_output(document(*entries))
