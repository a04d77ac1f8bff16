"""Where a start path leads: paths of the run, ways out and back, other sandboxes, and what is seen of the outside."""

from __future__ import annotations

from typing import Any

import pytest

from .calls import call, element, failed, ok, violated

OUTSIDE = "outside/{secret, od/{deep}, back->../root/a}, root2/{other, below/{more}}, alias->root, ROOT/{big}"
TREE = "a/{x}, out->../outside, home->$ROOT/a, near->$ROOT2, f"


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$ROOT/a", ([element("x")], None)),
        ("$ROOT/../root/a", ([element("x")], None)),
        ("$ROOT2", (None,)),
        ("$OUTSIDE/outside", (None,)),
        ("file://$OUTSIDE/outside", (None,)),
        ("../root/a", ([element("x")], None)),
        ("../../a", ([element("x")], None)),
        ("out/back", ([element("x")], [], None)),
        ("out/..", (None,)),
        ("home", ([element("x")], [], None)),
        ("near", ([], None)),
        ("a\ud800", (None,)),
        ("/a", ([element("x")], None)),
        (f"{'./' * 3000}a", ([element("x")], None)),
    ],
)
def test_a_path_has_its_right_answers_and_no_other_list(path: str, values: tuple[Any, ...]) -> None:
    asked = call(TREE, path, outside=OUTSIDE)
    for value in values:
        assert violated(asked, ok(value)) == []
    assert violated(asked, ok([element("made-up")])) != []


@pytest.mark.parametrize(
    ("path", "listed", "requirement"),
    [
        ("..", "outside", "WD-SEC-01"),
        ("../outside", "secret", "WD-SEC-01"),
        ("$OUTSIDE/outside", "secret", "WD-SEC-01"),
        ("$ROOT2", "other", "WD-SEC-01"),
        ("../root2/below", "more", "WD-SEC-02"),
        ("../ROOT", "big", "WD-SEC-01"),
        ("/etc", "passwd", "WD-SEC-01"),
        ("%2e%2e/outside", "secret", "WD-SEC-01"),
        ("out", "secret", "WD-SEC-02"),
        ("out/od", "deep", "WD-SEC-02"),
        ("out/..", "root2", "WD-SEC-02"),
        ("od", "deep", "WD-SEC-02"),
        ("a", "secret", "WD-SEC-02"),
        (".", "out/secret", "WD-SEC-03"),
    ],
)
def test_what_is_listed_from_outside_breaks_the_rule_of_its_way(path: str, listed: str, requirement: str) -> None:
    assert violated(call(TREE, path, outside=OUTSIDE), ok([element(listed)])) == [requirement]


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("../a", ([element("x")],)),
        ("../outside", (None,)),
        ("out/od", (None,)),
        ("out", ([], None)),
        ("home", (None,)),
        ("top/a", ([element("x")],)),
    ],
)
def test_with_the_sandbox_for_the_root_a_way_out_is_no_error(path: str, values: tuple[Any, ...]) -> None:
    asked = call(f"{TREE}, top->/", path, outside=OUTSIDE)
    for value in values:
        assert violated(asked, ok(value, ())) == []
    assert violated(asked, ok([element("secret")])) != []


def test_a_list_of_what_is_inside_is_no_escape() -> None:
    asked = call("a/{x}, od/{x}", "../outside", outside="outside/{od/{x}}")
    assert violated(asked, ok([element("x")])) == ["WD-ERR-02"]
    assert violated(asked, ok([])) == ["WD-ERR-02"]


@pytest.mark.parametrize(("root", "path"), [("$OUTSIDE/alias", "a"), ("$OUTSIDE/outside", "od")])
def test_the_sandbox_is_that_of_the_context(root: str, path: str) -> None:
    asked = call(TREE, path, outside=OUTSIDE, roots=[root], working_dir=root)
    listed = element({"a": "x", "od": "deep"}[path])
    assert violated(asked, ok([listed])) == []
    assert violated(asked, ok(None)) == ["WD-ARG-04"]  # in a sandbox of another name it is the way that is unusual


@pytest.mark.parametrize("answer", [ok(None), ok([]), failed()])
def test_a_dangling_start_is_missing_or_a_link_or_an_error(answer: Any) -> None:
    assert violated(call("l->gone", "l"), answer, AMB_WD_23="error") == []
    assert violated(call("l->gone", "l"), ok([element("gone")])) == ["WD-ERR-03"]


@pytest.mark.parametrize(
    ("arguments", "is_walked"),
    [("a", True), (["a"], True), ({"dir": "a"}, True), (["a", "b"], False), ([], False), (5, False), (None, False)],
)
def test_one_positional_argument_may_be_the_path(arguments: Any, is_walked: bool) -> None:
    asked = call("a/{x}").with_update({"arguments": arguments})
    assert violated(asked, ok(None)) == violated(asked, failed()) == []
    assert (violated(asked, ok([element("x")])) == []) is is_walked


def test_a_pinned_reading_excludes_the_others() -> None:
    assert violated(call("f", "f"), ok(None), AMB_WD_23="error") == ["WD-ERR-01"]
    assert violated(call("a", 5), failed(), AMB_WD_27="nil", AMB_WD_23="nil") == ["WD-ARG-02"]
    assert violated(call("a/{x}", "/a"), ok([element("x")]), AMB_WD_10="refused") == ["WD-ERR-02"]
