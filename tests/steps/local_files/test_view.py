"""The view of a list: the keys of its entries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.steps.local_files.view import Listing


def parsed(tool: str, directory: Path, *entries: dict[str, Any]) -> Listing:
    answer = CallResult("ok", json.dumps(list(entries)), None, None, None, None, None, b"")
    return Listing.parse(answer, Call(tool, {"path": str(directory)}, {}))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").touch()
    return tmp_path


def test_the_key_of_an_entry_is_its_path_below_the_directory(directory: Path) -> None:
    found = parsed(
        "findFiles", directory, {"name": "f", "path": f"{directory}/d/./f"}, {"path": f"{directory}/d/\ufffd"}
    )
    assert found.keys == ["d/f", "d/\ufffd"]


def test_a_list_names_its_entries_without_a_path(directory: Path) -> None:
    assert parsed("listDirectory", directory, {"name": "d"}).keys == ["d"]


@pytest.mark.parametrize("name", [None, [], ["d"], {}, {"d": 1}, 1, True])
def test_a_name_in_a_list_may_be_any_value(directory: Path, name: object) -> None:
    found = parsed("listDirectory", directory, {"name": name, "path": "/nowhere/x"}, {"name": name, "path": name})
    assert found.keys == [str(name), str(name)]
