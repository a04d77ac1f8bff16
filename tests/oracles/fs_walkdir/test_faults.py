"""Walks that meet what fails, what is gone, and what may be too long or too late; and the records of errors."""

from __future__ import annotations

from typing import Any

import pytest

from .calls import Log, call, element, ok, violated

A, C = element("a"), element("c")
BAD = element("bad", isDir=True)


@pytest.mark.parametrize(
    ("tree", "values"),
    [
        ("a, bad!L, c", (None, [A, C], [A, element("bad"), C])),
        ("a, bad!L=ENOENT, c", (None, [A, C])),
        ("a, bad/!R=EIO{x}, c", (None, [A, C], [A, BAD, C])),
        ("a, bad/!R2{x}, c", (None, [A, C], [A, BAD, C], [A, BAD, element("bad/x"), C])),
        ("a, c@10413792000000", (None, [A, element("c", modTime="2300-01-01T00:00:00Z")])),
    ],
)
def test_a_fault_ends_the_walk_or_costs_its_part_or_is_not_met(tree: str, values: tuple[Any, ...]) -> None:
    for value in values:
        assert violated(call(tree), ok(value)) == []
    assert violated(call(tree), ok([C] if "@" not in tree else [A, A])) != []


def test_what_can_be_read_beside_a_fault_is_not_lost() -> None:
    for value in ([A], []):
        assert violated(call("a, bad!L, c"), ok(value)) == ["WD-ERR-06"]


@pytest.mark.parametrize("tree", [r"a, '\xff'", "a, f@10413792000000"])
def test_only_what_cannot_be_looked_at_may_be_left_out(tree: str) -> None:
    assert violated(call(tree), ok([A]), AMB_WD_24="skipped", AMB_WD_19="skipped") != []
    assert violated(call(tree), ok(None), AMB_WD_15="nil") == []


def test_an_entry_that_is_gone_may_be_left_out_by_a_tool_that_ends_at_other_errors() -> None:
    readings = {"AMB_WD_24": "nil", "AMB_WD_19": "skipped"}
    assert violated(call("a, bad!L=ENOENT, c"), ok([A, C]), **readings) == []
    assert violated(call("a, bad!L, c"), ok([A, C]), **readings) != []


def test_paths_that_are_too_long_may_end_the_walk() -> None:
    name = "p" * 250
    tree = f"t/{{{f'{name}/{{' * 14}x{'}' * 14}, z}}"
    paths = ["/".join([name] * depth) for depth in range(1, 15)]
    whole = [element("z"), *(element(path, isDir=True) for path in paths), element(f"{paths[-1]}/x")]
    for value in (whole, None):
        assert violated(call(tree, "t"), ok(value)) == []
    assert violated(call(tree, "t"), ok(whole[1:])) == ["WD-WALK-01"]
    assert violated(call(tree, "t"), ok(None), AMB_WD_20="walked") != []


ERROR: Log = ({"level": "error", "message": "no"},)
WARNING: Log = ({"level": "warning", "message": "no"},)


@pytest.mark.parametrize(
    ("path", "log", "requirements"),
    [
        ("f", None, []),
        ("f", (), ["WD-LOG-01"]),
        ("f", ({"level": "error", "message": " "},), ["WD-LOG-01"]),
        ("f", ERROR, []),
        ("f", WARNING, []),
        ("nope", (), []),
        ("nope", WARNING, []),
        ("nope", ERROR, ["WD-LOG-02"]),
        ("../outside", (), ["WD-LOG-01"]),
        ("../nope", (), []),
        ("/a", (), ["WD-LOG-01"]),
        ("/nope", (), []),
        ("l", ERROR, []),
        ("l", (), []),
        ("", (), ["WD-LOG-01"]),
    ],
)
def test_nil_for_an_error_has_a_record_and_nil_for_a_missing_start_no_error(
    path: str, log: Log | None, requirements: list[str]
) -> None:
    asked = call("a/{x}, f, l->gone", path, outside="outside/{s}")
    assert violated(asked, ok(None, log), AMB_WD_30="refused") == requirements
