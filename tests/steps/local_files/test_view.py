"""The view of a list: keys, and the stage of a difference whose form another requirement owns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.steps.local_files.view import Listing
from treeproof.verdict import Mismatch


def parsed(tool: str, directory: Path, *entries: dict[str, Any]) -> Listing:
    answer = CallResult("ok", json.dumps(list(entries)), None, None, None, None, None, b"")
    return Listing.parse(answer, Call(tool, {"path": str(directory)}, {}))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").touch()
    return tmp_path


def test_members_of_a_wrong_form_differ_at_the_stage_of_the_output(directory: Path) -> None:
    entry = {"@type": "File", "name": "d", "path": "d", "size": "0"}
    found = parsed("listDirectory", directory, entry)
    assert [found.member_stage(entry, key) for key in ("@type", "path", "lastModified", "size", "name")] == [
        "output",
        "output",
        "output",
        "members",
        "members",
    ]
    right = {"@type": "FileEntry", "path": str(directory / "d")}
    assert {found.member_stage(right, key) for key in right} == {"members"}


@pytest.mark.parametrize("path", [None, 1, "file:///d/f", "/nowhere/f"])
def test_what_a_search_found_needs_a_path_that_leads_somewhere(directory: Path, path: object) -> None:
    with pytest.raises(Mismatch) as why:
        _ = parsed("findFiles", directory, {"name": "f", "path": path}).keys
    assert (why.value.stage, why.value.kind) == ("output", "another path")


def test_the_path_of_what_a_search_found_may_be_relative(directory: Path) -> None:
    found = parsed("findFiles", directory, {"path": "d/f"}, {"path": f"{directory}/d/f"}, {"path": "d/\ufffd"})
    assert found.keys == ["d/f", "d/f", "d/\ufffd"]


def test_a_list_names_its_entries_without_a_path(directory: Path) -> None:
    assert parsed("listDirectory", directory, {"name": "d"}).keys == ["d"]


@pytest.mark.parametrize("name", [None, [], ["d"], {}, {"d": 1}, 1, True])
def test_a_name_in_a_list_may_be_any_value(directory: Path, name: object) -> None:
    found = parsed("listDirectory", directory, {"name": name, "path": "/nowhere/x"}, {"name": name, "path": name})
    assert found.keys == ["/nowhere/x", str(name)]
