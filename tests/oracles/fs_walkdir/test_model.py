"""The model of FS.WalkDir against outcomes worked out by hand and call results with one error."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from treeproof.candidate import CallResult
from treeproof.model.case import Case, Exchange, Unmodelled
from treeproof.oracles.fs_walkdir.model import model
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
    ("tree", "path", "expected"),
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
        ("a", "", "nil or an error of the call"),
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
        ("a/{x}, l->a", "l/", "[]"),
        ("a", 5, "nil or an error of the call"),
        ("a/{b}, f", "f/../a", "b"),
        ("a/{b}", "nope/../a", "b"),
        ("a/{b}", "file://$OUTSIDE/a", "nil"),
    ],
)
def test_the_model_returns_the_expected_outcome(tree: str, path: Any, expected: str) -> None:
    assert model.expected(case(tree, path)) == expected


@pytest.mark.parametrize(
    ("path", "context"),
    [
        ("a/$ROOT/../b", {}),
        ("a", {"roots": ["$ROOT", "$OUTSIDE/other"]}),
        ("a", {"working_dir": "$ROOT/a"}),
    ],
)
def test_an_unsupported_case_is_not_modelled(path: str, context: dict[str, Any]) -> None:
    with pytest.raises(Unmodelled):
        model.expected(replace(case("a/{x}, f", path), context=context))


CORRECT = [element("d", isDir=True), element("d/f", size=3), element("l")]


def violated(value: Any, tree: str = "d/{f=3}, l->d", path: Any = ".") -> list[str]:
    return [finding.requirement for finding in model.judge(Exchange(case(tree, path), ok(value)), ACCEPTED).findings]


ACCEPTED = {
    "AMB-WD-04": frozenset({"zero", "system"}),
    "AMB-WD-05": frozenset({"own", "zero", "target"}),
    "AMB-WD-06": frozenset({"empty", "content", "nil"}),
    "AMB-WD-22": frozenset({"cut", "nearest"}),
}


def test_the_correct_list_has_no_finding_in_any_order() -> None:
    assert violated(CORRECT) == violated(CORRECT[::-1]) == []
    assert violated([{**CORRECT[0], "size": 4096, "modTime": "2023-11-15T00:13:20.0+02:00"}, *CORRECT[1:]]) == []


@pytest.mark.parametrize(
    ("value", "requirement"),
    [
        (None, "WD-WALK-03"),
        ({}, "WD-RET-01"),
        (["d"], "WD-RET-01"),
        ([{**one, "path": "./" + one["path"]} for one in CORRECT], "WD-ENT-02"),
        (CORRECT[:1] + CORRECT[2:], "WD-WALK-01"),
        (CORRECT[:2], "WD-WALK-03"),
        ([*CORRECT, element("l/f", size=3)], "WD-SEC-03"),
        ([*CORRECT, element(".", isDir=True)], "WD-WALK-02"),
        ([*CORRECT, CORRECT[1]], "WD-WALK-01"),
        ([{**one, "mode": 1} for one in CORRECT], "WD-RET-01"),
        ([CORRECT[0], {**CORRECT[1], "name": "d/f"}, CORRECT[2]], "WD-ENT-01"),
        ([*CORRECT[:2], {**CORRECT[2], "isDir": True}], "WD-ENT-03"),
        ([CORRECT[0], {**CORRECT[1], "size": 4096}, CORRECT[2]], "WD-ENT-04"),
        ([CORRECT[0], {**CORRECT[1], "modTime": "2023-11-14T22:13:20"}, CORRECT[2]], "WD-ENT-05"),
        ([CORRECT[0], {**CORRECT[1], "modTime": "2023-11-14T22:13:21Z"}, CORRECT[2]], "WD-ENT-05"),
        ([CORRECT[0], {**CORRECT[1], "modTime": "2023-11-14T22:13:20.5Z"}, CORRECT[2]], "WD-ENT-05"),
    ],
)
def test_one_error_violates_one_requirement(value: Any, requirement: str) -> None:
    assert set(violated(value)) == {requirement}


@pytest.mark.parametrize("fraction", ["", ".0", ".00", ".01", ".005", ".0050", ".005000000000"])
def test_a_correct_fraction_is_cut_or_rounded_after_any_digit(fraction: str) -> None:
    elements = [element("f", modTime=f"2025-04-22T20:36:00{fraction}Z")]
    assert violated(elements, "f@1745354160005") == []


@pytest.mark.parametrize("fraction", [".5", ".02", ".004", ".0051", ".006", ".000000000001"])
def test_a_wrong_fraction_is_found(fraction: str) -> None:
    elements = [element("f", modTime=f"2025-04-22T20:36:00{fraction}Z")]
    assert violated(elements, "f@1745354160005") == ["WD-ENT-05"]


@pytest.mark.parametrize(
    ("tree", "path", "value", "requirement"),
    [
        ("a/{x}", "nope", [], "WD-ERR-03"),
        ("a/{x}", "../b", [element("secret")], "WD-SEC-01"),
        ("a/{x}", "../b", [], "WD-ERR-02"),
        ("a/{x}", "../b", [element("x")], "WD-ERR-02"),
        ("l->../b", "l/x", [element("y")], "WD-SEC-02"),
        ("f", "f", [element("f")], "WD-ERR-05"),
        ("a/%0000{x}", ".", [element("a", isDir=True)], "WD-ERR-06"),
        ("a/", "a", None, "WD-RET-02"),
        ("a/{x}", "a/", None, "WD-ARG-04"),
        ("a/{x}", ".", None, "WD-ARG-05"),
        ("a/{x}", "./", None, "WD-ARG-04"),
        ("a/", "a", {}, "WD-RET-02"),
        ("a/{x}", "a", {}, "WD-RET-01"),
        ("a/", "a", [element("y")], "WD-RET-02"),
        ("a/{x}", "a", [element("x"), element("y")], "WD-WALK-01"),
        ("'a.'/{l->b}", "a.", None, "WD-ARG-04"),
        ("'a.'/{x}, a/{y}", "a.", [element("y")], "WD-ARG-04"),
        ("p:fifo, f", ".", [element("f")], "WD-WALK-03"),
        (r"'\xff'", ".", [], "WD-WALK-01"),
    ],
)
def test_a_wrong_start_or_entry_violates_one_requirement(tree: str, path: str, value: Any, requirement: str) -> None:
    assert violated(value, tree, path) == [requirement]


@pytest.mark.parametrize(
    ("value", "label"),
    [([], "empty"), ([element("x")], "content"), (None, "nil")],
    ids=["empty", "content", "nil"],
)
def test_the_reading_of_a_link_as_start_is_observed(value: Any, label: str) -> None:
    judged = model.judge(Exchange(case("l->a, a/{x}", "l"), ok(value)), ACCEPTED)
    assert judged.observed_readings["AMB-WD-06"] == label


def test_an_error_of_the_call_conforms_only_for_invalid_arguments() -> None:
    failed = CallResult("error", None, "BadArgs", "no", None, None, None, b"")
    accepted = {"AMB-WD-27": frozenset({"nil", "call_error"})}
    assert model.judge(Exchange(case("a", 5), failed), accepted).findings == ()
    (finding,) = model.judge(Exchange(case("a", "nope"), failed), accepted).findings
    assert finding.requirement == "WD-ERR-03"


@pytest.mark.parametrize(
    ("tree", "value"),
    [
        ("a/%0000{x}, f", None),
        ("a/%0000{x}, f", [element("f")]),
        ("a/%0000{x}, f", [element("a", isDir=True), element("f")]),
        ("a/%0444, f", None),
        ("x!L, f", [element("f")]),
    ],
)
def test_what_cannot_be_read_may_be_left_out(tree: str, value: Any) -> None:
    accepted = {"AMB-WD-24": frozenset({"nil", "skipped"})}
    assert model.judge(Exchange(case(tree), ok(value)), accepted).findings == ()


def test_a_readable_entry_may_not_be_left_out_with_an_unreadable_one() -> None:
    accepted = {"AMB-WD-24": frozenset({"nil", "skipped"})}
    (finding,) = model.judge(Exchange(case("a/%0000{x}, f"), ok([element("a", isDir=True)])), accepted).findings
    assert finding.requirement == "WD-ERR-06"


def test_an_absolute_path_may_begin_at_the_sandbox() -> None:
    accepted = {"AMB-WD-10": frozenset({"refused", "joined"})}
    for value in (None, [element("x")]):
        assert model.judge(Exchange(case("a/{x}", "/a"), ok(value)), accepted).findings == ()
    (finding,) = model.judge(Exchange(case("a/{x}", "/a"), ok([element("passwd")])), accepted).findings
    assert finding.requirement == "WD-SEC-01"


def test_errors_fail_the_call_where_that_is_accepted_and_not_for_a_missing_start() -> None:
    failed = CallResult("error", None, "ExecutionFailed", "no", None, None, None, b"")
    accepted = {"AMB-WD-23": frozenset({"error"})}
    assert model.judge(Exchange(case("f", "f"), failed), accepted).findings == ()
    (finding,) = model.judge(Exchange(case("f", "nope"), failed), accepted).findings
    assert finding.requirement == "WD-ERR-03"


def test_a_case_is_written_as_steps() -> None:
    assert model.scenario_steps(case("a/{b}", "a/nope"), "")[1:] == (
        'When FS.WalkDir is called with {"path": "a/nope"}',
        "Then the result is nil, or the call fails",
    )


@pytest.mark.parametrize(
    ("value", "is_accepted"), [([element("b")], True), (None, True), ([element("c")], False), ([], False)]
)
def test_two_dots_behind_a_link_may_be_text_or_a_step_on_the_disk(value: Any, is_accepted: bool) -> None:
    asked = case("l->../out/sub, a/{b}", "l/../a")
    assert (not model.judge(Exchange(asked, ok(value)), {}).findings) is is_accepted


def test_each_name_of_a_file_has_its_metadata() -> None:
    asked = case("d/{a=7}, b=>d/a")
    listed = [element("d", isDir=True), element("d/a", size=7), element("b", size=7)]
    assert not model.judge(Exchange(asked, ok(listed)), {}).findings
    (finding,) = model.judge(Exchange(asked, ok([*listed[:2], element("b")])), {}).findings
    assert finding.requirement == "WD-ENT-04"


def test_the_size_of_a_file_beyond_2_53_is_any_number() -> None:
    asked = case("a=9007199254740994")
    assert not model.judge(Exchange(asked, ok([element("a", size=9.007199254740992e15)])), {}).findings
    assert model.judge(Exchange(asked, ok([element("a", size="9007199254740994")])), {}).findings
