"""The local_files pack: its requirements, its readings and its schemas, compared with literals in this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from treeproof.spec import load_pack, parse_feature
from treeproof.spec.catalogue import Pack

FOLDER = Path(__file__).parent.parents[2] / "features" / "local_files"

REQUIREMENT_IDS = """
LF-WHY-01 LF-ROLE-01 LF-ROLE-02
LF-MODEL-01 LF-MODEL-02 LF-TYPE-01 LF-TYPE-02 LF-TYPE-03
LF-FIELD-01 LF-FIELD-02 LF-FIELD-03 LF-FIELD-04 LF-LINK-01 LF-LINK-02 LF-LINK-03
LF-LIST-01 LF-LIST-02 LF-LIST-03 LF-SORT-01 LF-SORT-02 LF-ERR-01 LF-ERR-03
LF-ERR-02 LF-FIND-01 LF-FIND-02 LF-FIND-03 LF-FIND-04 LF-FIND-05
"""
REQUIREMENTS = REQUIREMENT_IDS.split()
LEVELS = {
    "SHOULD": {"LF-LIST-03", "LF-SORT-02", "LF-ERR-01", "LF-ERR-02", "LF-ERR-03"},
    "MAY": {"LF-ROLE-01"},
}

TREATMENTS = {
    "strict": {4, 7, 9, 10, 21},
    "any": {1, 5, 6, 8, 11, 13, 14, 15, 17, 24, 26, 28, 33, 34, 35, 37, 38, 39, *range(41, 53)},
    "editorial": {2, 3, 18, 19, 20, 27},
}

FILE = {"@type": "FileEntry", "name": "b", "path": "/a/b", "size": 0, "lastModified": 1762473883050}
LINK = {**FILE, "@type": "SymbolicLinkEntry", "target": "../x"}


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


def test_every_requirement_is_catalogued_with_its_level(pack: Pack) -> None:
    assert [requirement.id for requirement in pack.requirements] == REQUIREMENTS
    for level, ids in LEVELS.items():
        assert {one.id for one in pack.requirements if one.level == level} == ids
    assert [one.id for one in pack.requirements if one.excluded] == ["LF-ROLE-01"]


def test_every_requirement_except_the_excluded_one_has_scenarios(pack: Pack) -> None:
    verified = [case.requirement for file in pack.feature_files() for case in parse_feature(file).scenarios]
    assert set(verified) == set(REQUIREMENTS) - {"LF-ROLE-01"}
    assert len(verified) > 200


def test_every_interpretation_has_its_treatment(pack: Pack) -> None:
    found = {entry.id: entry.treatment for entry in pack.interpretations}
    expected = {f"AMB-LF-{n:02}": treatment for treatment, numbers in TREATMENTS.items() for n in numbers}
    assert found == expected


def test_the_model_judges_each_call_whole_but_for_what_no_answer_shows(pack: Pack) -> None:
    assert (pack.unchanged, pack.by_lines) == ("LF-ROLE-02", ("LF-WHY-01",))
    assert all(tool.evidence for tool in pack.tools)


def test_find_files_is_optional(pack: Pack) -> None:
    assert [(tool.name, tool.optional) for tool in pack.tools] == [
        ("listDirectory", False),
        ("findFiles", True),
    ]


def is_valid(name: str, value: Any) -> bool:
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return bool(Draft202012Validator(schema).is_valid(value))


@pytest.mark.parametrize(
    "value", [{"path": "/"}, {"path": "/a b"}, {"path": "/a", "recursive": True, "glob": "**/*.java"}]
)
def test_valid_arguments_are_accepted(value: object) -> None:
    assert is_valid("arguments", value)


@pytest.mark.parametrize(
    "value",
    [{}, {"path": "a"}, {"path": 1}, {"path": "/", "recursive": True}, {"path": "/", "glob": "*"}, [], "/"],
)
def test_invalid_arguments_are_refused(value: object) -> None:
    assert not is_valid("arguments", value)


def test_the_example_of_the_specification_is_valid() -> None:
    folder = "/home/user/my-project"
    entries = [
        {
            "@type": "DirectoryEntry",
            "name": "src",
            "path": f"{folder}/src",
            "size": 4096,
            "lastModified": 1762778000000,
        },
        {
            "@type": "FileEntry",
            "name": "pom.xml",
            "path": f"{folder}/pom.xml",
            "size": 9854,
            "lastModified": 1762473883050,
        },
        {
            **{"@type": "SymbolicLinkEntry", "name": "latest_log", "path": f"{folder}/latest_log", "size": 12},
            **{"lastModified": 1762778123000, "target": "/tmp/app.log"},
        },
    ]
    assert is_valid("output", entries)
    assert is_valid("output", [])


@pytest.mark.parametrize("value", [None, {}, "", [None], ["/a"], [[]], {"entries": [FILE]}])
def test_other_values_are_refused(value: object) -> None:
    assert not is_valid("output", value)


@pytest.mark.parametrize(
    "members",
    [
        {"@type": "Directory"},
        {"@type": "org.example.FileEntry"},
        {"name": ""},
        {"name": "a/b"},
        {"path": "a/b"},
        {"size": "0"},
        {"size": -1},
        {"size": 0.5},
        {"lastModified": "2025"},
        {"lastModified": 0.5},
        {"target": "x"},
        {"target": None},
        {"owner": "root"},
    ],
)
def test_an_entry_with_one_wrong_member_is_refused(members: dict[str, Any]) -> None:
    assert is_valid("output", [FILE])
    assert not is_valid("output", [{**FILE, **members}])


@pytest.mark.parametrize("member", sorted(LINK))
def test_a_link_without_one_of_its_members_is_refused(member: str) -> None:
    assert is_valid("output", [LINK])
    assert not is_valid("output", [{key: value for key, value in LINK.items() if key != member}])


def test_only_files_and_directories_have_no_further_members() -> None:
    assert is_valid("output", [{**LINK, "owner": "root"}, {**FILE, "@type": "OtherEntry", "owner": "root"}])


def test_a_path_may_keep_the_dots_of_the_requested_one() -> None:
    assert is_valid("output", [{**FILE, "path": "/a/./../a//b"}])
