"""FS.WalkDir as a candidate: its value and its log."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.tree import build_tree, parse_tree

Walk = Callable[..., tuple[Any, list[dict[str, str]]]]


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    """Return a function that walks a path with file modes in effect and returns the value and the log."""
    root = tmp_path / "root"

    def walk(tree: str, path: Any = ".", **more: Any) -> tuple[Any, list[dict[str, str]]]:
        if not root.exists():
            root.mkdir()
            build_tree(parse_tree(tree), os.fsencode(root))
        candidate = importlib.import_module("treeproof.reference_impl.fs_walkdir.candidate").candidate()
        context = {"roots": [str(root)], "working_dir": str(root)}
        with drop_dac_capabilities():
            answer = candidate.call({"tool": "FS.WalkDir", "arguments": {"path": path, **more}, "context": context})
        assert answer["status"] == "ok", answer
        return json.loads(answer["content"]), answer["log"]

    return walk


def paths(found: Any) -> list[str]:
    return sorted(element["path"] for element in found)


def test_an_element_has_the_five_keys_in_the_order_of_the_document(walk: Walk) -> None:
    found, log = walk("d/{f=9@1745354160999}", "d")
    element = {"name": "f", "path": "f", "isDir": False, "size": 9, "modTime": "2025-04-22T20:36:00Z"}
    assert [list(one.items()) for one in found] == [list(element.items())]
    assert log == []


def test_directories_have_the_size_0(walk: Walk) -> None:
    found, _ = walk("d/{f=9}")
    assert {one["path"]: one["size"] for one in found} == {"d": 0, "d/f": 9}


@pytest.mark.parametrize(
    ("time", "text"),
    [
        ("-1ns", "1969-12-31T23:59:59Z"),
        ("-1000000000000", "1938-04-24T22:13:20Z"),
        ("4102444800000", "2100-01-01T00:00:00Z"),
    ],
)
def test_times_are_cut_to_the_second(walk: Walk, time: str, text: str) -> None:
    found, _ = walk(f"f@{time}")
    assert found[0]["modTime"] == text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b", ["x"]),
        ("a/../a/b/", ["x"]),
        ("./a//b/.", ["x"]),
        ("l/b", ["x"]),
        ("l", []),
        ("a", ["b", "b/x"]),
    ],
)
def test_every_spelling_of_the_start_is_walked(walk: Walk, path: str, expected: list[str]) -> None:
    found, log = walk("a/{b/{x}}, l->a", path)
    assert (paths(found), log) == (expected, [])


@pytest.mark.parametrize(
    "path",
    [
        "",
        "..",
        "../x",
        "a/../..",
        "/",
        "/etc",
        "f",
        "f/x",
        "o",
        "o/x",
        "c/x",
        "loop",
        "a\0",
        "\ud800",
        5,
        None,
    ],
)
def test_a_failure_is_nil_and_logged(walk: Walk, path: Any) -> None:
    found, log = walk("a/, f, o->.., c/%0000{x/}, loop->loop", path)
    assert found is None
    assert [record["level"] for record in log] == ["error"]
    assert log[0]["message"]


@pytest.mark.parametrize("path", ["nope", "a/nope", "dangling", "dangling/x"])
def test_a_missing_start_is_nil_and_not_logged(walk: Walk, path: str) -> None:
    assert walk("a/, dangling->nope", path) == (None, [])


def test_a_second_argument_is_refused(walk: Walk) -> None:
    assert walk("a/", "a", recursive=True)[0] is None


def test_an_unreadable_directory_ends_the_walk(walk: Walk) -> None:
    found, log = walk("a/{x}, b/%0000, c/{y}")
    assert found is None
    assert "ermission denied" in log[0]["message"]


def test_links_are_listed_and_not_followed(walk: Walk) -> None:
    found, _ = walk("a/{up->.., x}, l->a, out->../..")
    assert paths(found) == ["a", "a/up", "a/x", "l", "out"]
    assert {one["path"] for one in found if one["isDir"]} == {"a"}


def test_default_denied_patterns_do_not_apply(walk: Walk) -> None:
    assert paths(walk(".ssh/{id_rsa, x.pem}", ".ssh")[0]) == ["id_rsa", "x.pem"]


def test_deep_trees_are_walked_without_recursion(walk: Walk) -> None:
    tree = "d/{" * 400 + "f" + "}" * 400
    found, _ = walk(tree)
    assert max(one["path"].count("/") for one in found) == 400
