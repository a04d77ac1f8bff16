"""Listings against the behaviour contract: what is wrong breaks one rule, and what a tool is free to do breaks none."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest

from treeproof.candidate import Call, CallResult
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.oracles.behaviour.model import MODEL
from treeproof.tree import parse_tree

ROOT = "/tmp/x/root"


def rules(
    tree: str,
    answer: Any,
    path: str = ".",
    *,
    tool: str = "list_directory",
    outside: str = "root2/{secret}",
    **arguments: Any,
) -> set[str]:
    """Return the rules that an answer breaks: a list of names or of entries, None for an error, or another value."""
    case = Case(tool, parse_tree(tree), {"path": path, **arguments}, {}, outside=parse_tree(outside))
    if answer is None:
        result = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")
    else:
        document = {"entries": answer} if tool == "list_directory" and isinstance(answer, list) else answer
        result = CallResult("ok", json.dumps(document), None, None, None, None, None, b"")
    call = Call(tool, {}, {"roots": [ROOT]})
    found = MODEL.judge(Exchange(case, result, call=call), {}).findings
    return {finding.requirement for finding in found}


def entries(**kinds: str) -> list[dict[str, str]]:
    return [{"name": name, "type": kind} for name, kind in kinds.items()]


@pytest.mark.parametrize(
    ("tree", "path", "answer", "expected"),
    [
        ("a, d/{x}", ".", ["a"], "BEH-06"),
        ("a, d/{x}", ".", ["a", "d", "a"], "BEH-06"),
        ("a, d/{x}", ".", [], "BEH-06"),
        ("a, d/{x}", "d", None, "BEH-06"),
        ("'a\\xffb', c", ".", ["c", "c"], "BEH-06"),
        ("'d\\xfe', 'd\\xff', c", ".", ["d?", "c"], "BEH-06"),
        ("a, d/{x}", ".", [{"name": "b", "path": "a"}, {"name": "d", "path": "d"}], "BEH-07"),
        ("a, d/{x}", ".", ["a", "d", "b"], "BEH-07"),
        ("a, d/{x}", "n", [], "BEH-07"),
        ("a, d/{x}", "a", ["d"], "BEH-07"),
        ("a, d/{x}", "n", ["a", "d"], "BEH-13"),
        ("a./{x}, a/{y}", "a.", ["a/y"], "BEH-13"),
        ("a, d/{x}", ".", entries(a="dir", d="dir"), "BEH-08"),
        ("a, d/{x}", ".", entries(a="symlink", d="dir"), "BEH-08"),
        ("l->d, d/{x}", ".", entries(l="dir", d="dir"), "BEH-09"),
        ("l->d, d/{x}", ".", ["l", "d", "l/x"], "BEH-09"),
        ("l->d, d/{x}", ".", entries(l="file", d="dir"), "BEH-10"),
        ("'*'/{x}, a/{y}", "*", ["x", "y"], "BEH-13"),
        ("'%61'/{x}, a/{y}", "%61", ["y"], "BEH-13"),
        ("a", "..", ["secret"], "BEH-01"),
        ("a", "/etc", ["passwd"], "BEH-01"),
        ("a", "n/../../root2", ["secret"], "BEH-01"),
        ("a, l->../root2", ".", ["a", "l", "l/secret"], "BEH-01"),
        ("a, l->../root2", "l", ["secret"], "BEH-01"),
    ],
)
def test_a_wrong_answer_breaks_its_rule(tree: str, path: str, answer: Any, expected: str) -> None:
    assert expected in rules(tree, answer, path)


@pytest.mark.parametrize(
    ("tree", "path", "answer"),
    [
        ("a, d/{x}", ".", ["d", "a"]),
        ("a, d/{x}", ".", ["./a", "d/"]),
        ("a, d/{x}", ".", [f"{ROOT}/a", f"{ROOT}/d"]),
        ("a, d/{x}", "d", ["d/x"]),
        ("d/{d, y}", "d", ["d", "d/d", "d/y"]),
        ("a, d/{x}", ".", ["a", "d", "d/x"]),
        (".h, .git/{x}, node_modules/{y}, Thumbs.db, p:fifo, a", ".", ["a"]),
        (".h, a", ".", [".h", "a"]),
        ("'a\\xffb', c", ".", ["a?b", "c"]),
        ("'a\\nb', c", ".", ["a\\nb", "c"]),
        ("'a\\nb', c", ".", ["a", "b", "c"]),
        ("d/%0000{x}, c", ".", ["d", "c"]),
        ("d/%0000{x}, c", ".", ["c"]),
        ("d/{x}", "d/", None),
        ("d/%0000{x}", "d", None),
        ("d/%0000{x}", "d", []),
        ("l->d, d/{x}", ".", entries(l="symlink", d="dir")),
        ("l->d, d/{x}", "l", ["x"]),
        ("l->d, d/{x}", "l", None),
        ("a, l->../root2, m->/etc", ".", ["a"]),
        ("f", "f", ["f"]),
        ("f", "f", []),
        ("a, d/{x}", "n", None),
        ("a./{x}", "a.", None),
        ("a", "..", ["a"]),
        ("a", "/", ["a"]),
        ("a", "..", None),
        ("d/{x}", "d/../d", None),
        ("d/{x}", "d/../d", ["x"]),
        ("'a b'/{x}", "a b", None),
        ("a/{x}, ' a'/{y}", " a", ["x"]),
        ("'a\\\\b'/{x}, a/{b/{y}}", "a\\b", ["y"]),
    ],
)
def test_what_a_tool_is_free_to_do_breaks_no_rule(tree: str, path: str, answer: Any) -> None:
    assert rules(tree, answer, path) == set()


def test_a_long_listing_may_be_cut() -> None:
    with pytest.raises(Unmodelled, match="may cut"):
        rules("f000..f149", ["f000"])


def test_the_answers_of_the_other_tools_are_read() -> None:
    walked = [{"name": "d", "path": "d", "isDir": True}, {"name": "x", "path": "d/x", "isDir": False}]
    assert rules("d/{x}", walked, tool="FS.WalkDir") == set()
    assert rules("d/{x}", walked[:1], tool="FS.WalkDir") == {"BEH-06"}
    shown = {"data": {"entries": [{"path": "d", "type": "dir"}, {"path": "l", "type": "dir"}]}}
    assert rules("d/{x}, l->d", shown, tool="LS") == {"BEH-09"}
    entry = {"@type": "FileEntry", "name": "d", "path": f"{ROOT}/d"}
    assert rules("d/{x}", [entry], "$ROOT", tool="listDirectory") == {"BEH-08"}
    assert rules("d/{x}", [entry], "$ROOT", tool="findFiles", recursive=True, glob="*.x") == {"BEH-08"}
    found = [{"path": f"{ROOT}/d/x"}]
    assert rules("d/{x}, l->d, m->n", found, "$ROOT", tool="findFiles", recursive=True, glob="**/*") == set()
    assert rules("d/{x, y}", found, "$ROOT", tool="findFiles", recursive=True, glob="**/*") == {"BEH-06"}


def test_a_tool_with_names_only_is_judged_by_its_names() -> None:
    assert rules("a, d/{x}", {"entries": ["a", "d"]}) == set()
    assert rules("a, d/{x}", {"entries": ["a", "e"]}) == {"BEH-06", "BEH-07"}


@pytest.mark.parametrize(
    "answer",
    [
        1,
        [1],
        [None],
        [[]],
        [{}],
        [{"name": 5}],
        {"entries": 1},
        ["\ud800"],
        ["a" * 100_000],
        ["x/" * 5_000],
        ["\0", "", "/", "//"],
    ],
)
def test_no_answer_breaks_the_judge(answer: Any) -> None:
    with contextlib.suppress(Unmodelled):
        assert rules("a, l->d, d/{x}", answer)


def test_far_too_many_entries_are_one_difference() -> None:
    assert rules("a, l->d, d/{x}", [str(number) for number in range(200_000)]) == {"BEH-07"}
