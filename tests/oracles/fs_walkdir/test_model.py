"""The model of FS.WalkDir against outcomes worked out by hand, and against answers that are wrong in one way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.oracles.fs_walkdir.model import model
from treeproof.search.model import Case, Unmodelled
from treeproof.tree import parse_tree

TIME = "2023-11-14T22:13:20Z"


def case(tree: str, path: Any = ".") -> Case:
    return Case("FS.WalkDir", parse_tree(tree), {"path": path})


def ok(value: Any) -> CallResult:
    return CallResult("ok", json.dumps(value), None, None, None, None, None, b"")


def element(path: str, **members: Any) -> dict[str, Any]:
    name = path.rpartition("/")[2]
    return {"name": name, "path": path, "isDir": False, "size": 0, "modTime": TIME, **members}


@pytest.mark.parametrize(
    ("tree", "path", "due"),
    [
        ("a/{b}, f", ".", "a, a/b, f"),
        ("a/{b}, f", "a", "b"),
        ("a/{b}, f", "./a//", "b"),
        ("a/{b/{c}}", "a/../a/b", "c"),
        ("a/", "a", "[]"),
        ("l->a, a/{x}", ".", "l, a, a/x"),
        ("l->a, a/{x}", "l", "[]"),
        ("l->a, a/{b/{x}}", "l/b", "x"),
        ("l->$ROOT/a, a/{b/{x}}", "l/b", "x"),
        ("p:fifo, .h", ".", "p, .h"),
        ("a", "", "nil"),
        ("a", "b", "nil"),
        ("a", "a", "nil"),
        ("a", "a/b", "nil"),
        ("a", "..", "nil"),
        ("a", "/a", "nil"),
        ("a", "a\0", "nil"),
        ("a/%0000{x}", ".", "nil"),
        ("a/%0111{x}", ".", "nil"),
        ("a/%0444{x}", ".", "nil"),
        ("a/%0444", ".", "a"),
        ("a/{x!L}", ".", "nil"),
        ("l->..", "l", "nil or []"),
        ("l->../out", "l/x", "nil"),
        ("l->l", "l", "nil"),
        ("a", 5, "nil or an error of the call"),
    ],
)
def test_what_is_due(tree: str, path: Any, due: str) -> None:
    assert model.expected(case(tree, path)) == due


@pytest.mark.parametrize("path", ["../root/a", "f/../a", "nope/../a", "$ROOT/a"])
def test_what_it_does_not_speak_of(path: str) -> None:
    with pytest.raises(Unmodelled):
        model.expected(case("a/{x}, f", path))


RIGHT = [element("d", isDir=True), element("d/f", size=3), element("l")]


def blamed(value: Any, tree: str = "d/{f=3}, l->d", path: Any = ".") -> list[str]:
    return [finding.requirement for finding in model.judge(case(tree, path), ok(value), ACCEPTED).findings]


ACCEPTED = {"AMB-WD-04": frozenset({"zero", "system"}), "AMB-WD-06": frozenset({"empty", "content", "nil"})}


def test_the_right_list_in_any_order_has_no_finding() -> None:
    assert blamed(RIGHT) == blamed(RIGHT[::-1]) == []
    assert blamed([{**RIGHT[0], "size": 4096, "modTime": "2023-11-15T00:13:20.0+02:00"}, *RIGHT[1:]]) == []


@pytest.mark.parametrize(
    ("value", "requirement"),
    [
        (None, "WD-ARG-05"),
        ({}, "WD-RET-01"),
        (["d"], "WD-RET-01"),
        ([{**one, "path": "./" + one["path"]} for one in RIGHT], "WD-ENT-02"),
        (RIGHT[:1] + RIGHT[2:], "WD-WALK-01"),
        (RIGHT[:2], "WD-SEC-03"),
        ([*RIGHT, element("l/f", size=3)], "WD-SEC-03"),
        ([*RIGHT, element(".", isDir=True)], "WD-WALK-02"),
        ([*RIGHT, RIGHT[1]], "WD-WALK-01"),
        ([{**one, "mode": 1} for one in RIGHT], "WD-RET-01"),
        ([RIGHT[0], {**RIGHT[1], "name": "d/f"}, RIGHT[2]], "WD-ENT-01"),
        ([*RIGHT[:2], {**RIGHT[2], "isDir": True}], "WD-ENT-03"),
        ([RIGHT[0], {**RIGHT[1], "size": 4096}, RIGHT[2]], "WD-ENT-04"),
        ([RIGHT[0], {**RIGHT[1], "modTime": "2023-11-14T22:13:20"}, RIGHT[2]], "WD-ENT-05"),
        ([RIGHT[0], {**RIGHT[1], "modTime": "2023-11-14T22:13:21Z"}, RIGHT[2]], "WD-ENT-05"),
        ([RIGHT[0], {**RIGHT[1], "modTime": "2023-11-14T22:13:20.5Z"}, RIGHT[2]], "WD-ENT-05"),
    ],
)
def test_one_mistake_is_blamed_once(value: Any, requirement: str) -> None:
    assert set(blamed(value)) == {requirement}


@pytest.mark.parametrize("fraction", ["", ".0", ".00", ".005", ".0050", ".005000000000"])
def test_a_fraction_may_end_after_any_digit(fraction: str) -> None:
    told = [element("f", modTime=f"2025-04-22T20:36:00{fraction}Z")]
    assert blamed(told, "f@1745354160005") == []


@pytest.mark.parametrize("fraction", [".5", ".01", ".004", ".0051", ".006", ".000000000001"])
def test_a_fraction_says_nothing_else(fraction: str) -> None:
    told = [element("f", modTime=f"2025-04-22T20:36:00{fraction}Z")]
    assert blamed(told, "f@1745354160005") == ["WD-ENT-05"]


@pytest.mark.parametrize(
    ("tree", "path", "value", "requirement"),
    [
        ("a/{x}", "nope", [], "WD-ERR-03"),
        ("a/{x}", "../b", [], "WD-SEC-01"),
        ("l->../b", "l/x", [element("x")], "WD-SEC-02"),
        ("f", "f", [element("f")], "WD-ERR-05"),
        ("a/%0000{x}", ".", [element("a", isDir=True)], "WD-ERR-06"),
        ("a/", "a", None, "WD-RET-02"),
        ("a/{x}", "a/", None, "WD-ARG-04"),
        ("a/{x}", "./", None, "WD-ARG-05"),
        ("'a.'/{l->b}", "a.", None, "WD-ARG-04"),
        ("'a.'/{x}, a/{y}", "a.", [element("y")], "WD-ARG-04"),
        ("p:fifo, f", ".", [element("f")], "WD-WALK-03"),
        (r"'\xff'", ".", [], "WD-ENT-01"),
    ],
)
def test_a_start_or_an_entry_that_is_taken_wrongly(tree: str, path: str, value: Any, requirement: str) -> None:
    assert blamed(value, tree, path) == [requirement]


@pytest.mark.parametrize(
    ("value", "label"),
    [([], "empty"), ([element("x")], "content"), (None, "nil")],
    ids=["empty", "content", "nil"],
)
def test_the_reading_of_a_link_as_start_is_seen(value: Any, label: str) -> None:
    assert model.judge(case("l->a, a/{x}", "l"), ok(value), ACCEPTED).observed_readings == {"AMB-WD-06": label}


def test_an_error_of_the_call_is_a_value_nowhere_but_for_wrong_arguments() -> None:
    failed = CallResult("error", None, "BadArgs", "no", None, None, None, b"")
    assert model.judge(case("a", 5), failed, {}).findings == ()
    (finding,) = model.judge(case("a", "nope"), failed, {}).findings
    assert finding.requirement == "WD-ERR-01"


def test_a_case_is_told_in_sentences_of_the_features() -> None:
    assert model.scenario_steps(case("a/{b}", "a/nope"), "")[1:] == (
        'When FS.WalkDir is called with {"path": "a/nope"}',
        "Then the result is nil",
        'And a control call with {"path": "."} on the tree "a/{b}" lists "a, a/b"',
        "And the tree is unchanged",
    )
