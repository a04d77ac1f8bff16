"""LocalFiles as a candidate: lists and their order, searches, errors and globs."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate.privileges import drop_dac_capabilities
from treeproof.reference_impl.local_files import globs
from treeproof.tree import build_tree, parse_tree

Call = Callable[..., dict[str, Any]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def call(root: Path) -> Call:
    """Return a function that calls a tool on a tree with file modes in effect."""

    def call(tree: str, path: str = "", tool: str = "listDirectory", **more: Any) -> dict[str, Any]:
        if not root.exists():
            root.mkdir()
            build_tree(parse_tree(tree), os.fsencode(root))
        candidate = importlib.import_module("treeproof.reference_impl.local_files.candidate").candidate()
        arguments = {"path": f"{root}{path}", **more}
        context = {"roots": [str(root)], "working_dir": str(root)}
        with drop_dac_capabilities():
            answer: dict[str, Any] = candidate.call({"tool": tool, "arguments": arguments, "context": context})
        return answer

    return call


def entries(answer: dict[str, Any]) -> list[dict[str, Any]]:
    assert answer["status"] == "ok", answer
    found: list[dict[str, Any]] = json.loads(answer["content"])
    return found


def names(answer: dict[str, Any]) -> list[str]:
    return [entry["name"] for entry in entries(answer)]


def test_an_entry_has_its_members_in_the_order_of_the_document(call: Call, root: Path) -> None:
    (file,) = entries(call("f=9854@1762473883050"))
    assert list(file) == ["@type", "name", "path", "size", "lastModified"]
    assert list(file.values()) == ["FileEntry", "f", f"{root}/f", 9854, 1762473883050]


def test_a_link_has_its_own_size_time_and_target(call: Call) -> None:
    link = entries(call("t=4321, l->./t@1100000000000"))[1]
    values = [link[member] for member in ("@type", "size", "lastModified", "target")]
    assert values == ["SymbolicLinkEntry", 3, 1100000000000, "./t"]


def test_the_order_is_by_kind_and_by_name(call: Call) -> None:
    assert names(call("b, a, C, z/, y/, l2->x, l1->y, q:sock, p:fifo")) == [
        *("y", "z", "C", "a", "b", "l1", "l2", "p", "q")
    ]


@pytest.mark.parametrize("path", ["/d", "/d/", "/./d", "//d/.", "/e/../d"])
def test_paths_are_normalised(call: Call, root: Path, path: str) -> None:
    (file,) = entries(call("d/{f}, e/", path))
    assert file["path"] == f"{root}/d/f"


def test_a_link_in_the_path_is_followed_and_kept(call: Call, root: Path) -> None:
    (file,) = entries(call("d/{f}, l->d", "/l"))
    assert file["path"] == f"{root}/l/f"


@pytest.mark.parametrize("path", ["/nope", "/f", "/f/x", "/closed", "/gone", "/loop", "/p", "/noentry"])
def test_an_error_names_the_path_that_cannot_be_listed(call: Call, root: Path, path: str) -> None:
    answer = call("f, closed/%0000, noentry/%0444{x}, gone->nope, loop->loop, p:fifo", path)
    assert answer["error"]["kind"] == "ExecutionFailed"
    assert f"{root}{path} " in answer["error"]["message"]


def test_a_path_with_a_nul_is_an_error(call: Call) -> None:
    assert call("f", "/f\0")["error"]["kind"] == "BadArgs"


def test_names_that_are_not_utf_8_have_a_replacement_character(call: Call) -> None:
    assert names(call(r"a, x'\xff'")) == ["a", "x\ufffd"]


def found(call: Call, tree: str, glob: str, recursive: bool = True) -> list[str]:
    answer = call(tree, tool="findFiles", glob=glob, recursive=recursive)
    return sorted(entry["path"].rpartition("/root/")[2] for entry in entries(answer))


def test_a_search_skips_unreadable_directories_and_follows_no_link(call: Call) -> None:
    tree = "a/{x.c, up->..}, l->a, closed/%0000{y.c}, z.c"
    assert found(call, tree, "**/*.c") == ["a/x.c", "z.c"]


def test_a_search_without_recursion_finds_entries_of_one_level(call: Call) -> None:
    assert found(call, "a/{x.c}, z.c", "**/*.c", recursive=False) == ["z.c"]


@pytest.mark.parametrize(
    ("glob", "matching", "others"),
    [
        ("**/*.java", ["A.java", "a/B.java", "a/b/.java"], ["A.javax", "java", "a/java"]),
        ("*", ["a", ".h"], ["a/b"]),
        ("**", ["a", "a/b", "a/b/c"], []),
        ("a/**", ["a/b", "a/b/c"], ["a", "b/c"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "b"]),
        ("[!a-c]", ["d", "é", "-"], ["a", "b", "/", "dd"]),
        ("[a^]", ["a", "^"], ["b"]),
        ("{a,b{c,d}}e", ["ae", "bce", "bde"], ["be", "ace"]),
        ("{,x}a", ["a", "xa"], ["ya"]),
        ("a,b}", ["a,b}"], ["a"]),
        (r"\*\?", ["*?"], ["ab"]),
        ("a.b+c(d)", ["a.b+c(d)"], ["axb+c(d)", "a.bbc(d)"]),
        ("x?", ["xy", "x\n"], ["x", "x/", "xyz"]),
        ("src**.c", ["src.c", "src/a.c"], ["sr.c"]),
    ],
)
def test_a_glob_matches_whole_paths(glob: str, matching: list[str], others: list[str]) -> None:
    compiled = globs.Glob(glob)
    assert [path for path in matching if not compiled.matches(path)] == []
    assert [path for path in others if compiled.matches(path)] == []


@pytest.mark.parametrize("glob", ["{a", "[a", "a\\", "{a,{b}", "**/[", "[]"])
def test_a_glob_with_an_open_bracket_or_escape_is_malformed(glob: str) -> None:
    with pytest.raises(globs.MalformedGlob):
        globs.Glob(glob)


@pytest.mark.parametrize("arguments", [{"glob": "*"}, {"recursive": True}, {"glob": "*", "recursive": "yes"}])
def test_a_search_needs_all_of_its_arguments(call: Call, arguments: dict[str, Any]) -> None:
    assert call("a", tool="findFiles", **arguments)["error"]["kind"] == "BadArgs"


def test_entries_of_a_search_with_equal_names_stand_by_type_and_then_by_path(call: Call) -> None:
    answer = call("b/{x, d/{x/}}, a/{x, d/{x/{x}}}, 'x'", tool="findFiles", recursive=True, glob="**/x")
    assert [(entry["@type"], entry["path"].partition("/root/")[2]) for entry in entries(answer)] == [
        ("DirectoryEntry", "a/d/x"),
        ("DirectoryEntry", "b/d/x"),
        ("FileEntry", "a/d/x/x"),
        ("FileEntry", "a/x"),
        ("FileEntry", "b/x"),
        ("FileEntry", "x"),
    ]
