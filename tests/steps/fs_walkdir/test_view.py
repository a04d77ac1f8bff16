"""The view of a walk: paths that are there in another form, and keys that are absent."""

from __future__ import annotations

import json

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.steps.fs_walkdir.view import Walk
from treeproof.verdict import Mismatch


def walk(*paths: str) -> Walk:
    return Walk.parse(
        CallResult("ok", json.dumps([{"path": path} for path in paths]), None, None, None, None, None, b"")
    )


@pytest.mark.parametrize("paths", [("t/a", "t/a/b"), ("./a", "./a/b"), ("a/", "a\\b"), ("/root/t/a", "/root/t/a/b")])
def test_paths_with_something_around_them_have_another_form(paths: tuple[str, ...]) -> None:
    assert walk(*paths).has_other_form(["a", "a/b"])


@pytest.mark.parametrize("paths", [("a",), ("a", "c"), ()])
def test_missing_paths_have_no_other_form(paths: tuple[str, ...]) -> None:
    assert not walk(*paths).has_other_form(["a", "a/b"])


def test_an_entry_of_another_form_differs_at_the_stage_of_the_output() -> None:
    with pytest.raises(Mismatch) as why:
        walk("t/a").entries_at("a")
    assert (why.value.stage, why.value.kind) == ("output", "paths have another form")
    with pytest.raises(Mismatch) as why:
        walk("b").entries_at("a")
    assert (why.value.stage, why.value.kind) == ("entries", "entries are missing")


def test_an_absent_key_is_a_difference_of_the_output() -> None:
    found = walk("a")
    assert found.member_stage({"size": 1}, "size") == "members"
    assert found.member_stage({"size": 1}, "isDir") == "output"


@pytest.mark.parametrize(("path", "name", "is_start"), [("t/a/", "a", True), ("t/a/", "b", False), (".", "b", True)])
def test_an_empty_path_is_the_start_unless_its_name_is_that_of_another(path: str, name: str, is_start: bool) -> None:
    content = json.dumps([{"name": name, "path": ""}])
    answer = CallResult("ok", content, None, None, None, None, None, b"")
    found = Walk.parse(answer, Call("FS.WalkDir", {"path": path}, {}))
    assert found.is_start(found.entries[0]) is is_start
    assert found.has_other_form([]) is not is_start
