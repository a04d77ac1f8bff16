"""The one requirement of a difference: by contrast with what else is listed."""

from __future__ import annotations

from typing import Any

import pytest

from treeproof.candidate import CallResult

from .calls import ACCEPTED, call, element, failed, findings, ok, violated


def listing(*paths: str) -> CallResult:
    """Return an answer with these paths; those that end in a slash are directories."""
    return ok([element(path.rstrip("/"), isDir=path.endswith("/")) for path in paths])


@pytest.mark.parametrize(
    ("tree", "paths", "requirement", "kind"),
    [
        (".h, a, b", ("a", "b"), "WD-WALK-03", "hidden entries are missing"),
        (".h, .i, a", (".i", "a"), "WD-WALK-01", "entries are missing"),
        (".l->a, .h, a", (".h", "a"), "WD-WALK-03", "links are missing"),
        (".l->a, m->a, a", ("m", "a"), "WD-WALK-03", "hidden entries are missing"),
        ("l->a, m->a, a", ("m", "a"), "WD-WALK-03", "links are missing"),
        ("p:fifo, a", ("a",), "WD-WALK-03", "special files are missing"),
        ("a, b, c", ("a", "c"), "WD-WALK-01", "entries are missing"),
        ("d/{x}, e/{y}, a", ("d/", "e/", "a"), "WD-WALK-01", "directories are not entered"),
        (".d/{x}, e/{y}", (".d/", "e/", "e/y"), "WD-WALK-03", "directories are not entered for their names"),
        ("build/{x}, e/{y}", ("e/", "e/y"), "WD-WALK-03", "entries are missing for their names"),
        ("d/{x}, e/, a", ("d/x", "a"), "WD-WALK-01", "directories are missing"),
        (".gitignore='y\\n', y, z", (".gitignore", "z"), "WD-WALK-03", "what an ignoring file names is missing"),
        ("f%0000, g", ("g",), "WD-WALK-03", "files that cannot be read are missing"),
        ("a, b", ("a", "b", "b"), "WD-WALK-01", "elements are there twice"),
        ("a, b", ("a", "b", "c"), "WD-WALK-01", "entries are listed that should not be"),
        ("a, b", ("a", "b", "./"), "WD-WALK-02", "the start is an element"),
        ("d/{x}", ("d/", "x"), "WD-ENT-02", "paths have another form"),
        ("l->d, d/{x}", ("l", "l/x", "d/"), "WD-SEC-03", "elements lie behind others that are no directories"),
    ],
)
def test_paths_break_one_rule(tree: str, paths: tuple[str, ...], requirement: str, kind: str) -> None:
    if "='" in tree:
        tree = tree.replace("='", '="').replace("',", '",')
    (finding,) = findings(call(tree), listing(*paths), {"AMB-WD-05": frozenset({"own", "zero", "target"})})
    assert (finding.requirement, finding.kind) == (requirement, kind)


@pytest.mark.parametrize(
    ("tree", "path", "requirement"),
    [
        ("t/{a}", "t", "WD-WALK-01"),
        ("t/{a}", "./t", "WD-ARG-04"),
        ("t/{a}", ".", "WD-ARG-05"),
        ("t/{a}, l->t", "l/", None),
        ("t/{.a}", "t", "WD-WALK-03"),
        ("t/{l->a}", "t", "WD-WALK-03"),
        ("t/{a=4294967297}", "t", "WD-ENT-04"),
        ("t/{a@-1000}", "t", "WD-ENT-05"),
        (".t/{a}", ".t", "WD-WALK-03"),
        ("t/", "t", "WD-RET-02"),
    ],
)
def test_a_walk_without_a_list_breaks_the_rule_that_makes_it_different(
    tree: str, path: str, requirement: str | None
) -> None:
    due = [] if requirement is None else [requirement]
    pins = {"AMB_WD_01": "list", "AMB_WD_14": "accepted", "AMB_WD_23": "nil"}
    assert violated(call(tree, path), ok(None), **pins) == due
    assert violated(call(tree, path), failed(), **pins) == (due or ["WD-WALK-04"])


@pytest.mark.parametrize(
    ("path", "value", "requirement"),
    [
        ("f", [], "WD-ERR-05"),
        ("f", {"error": "no directory"}, "WD-ERR-01"),
        ("nope", [], "WD-ERR-03"),
        ("nope", [element("x")], "WD-ERR-03"),
        ("f/x", [], "WD-ERR-04"),
        ("a\0b", [element("x")], "WD-ERR-02"),
        ("", [element("x")], "WD-ARG-03"),
        (5, [element("x")], "WD-ARG-02"),
        ("f", "null", "WD-RET-01"),
    ],
)
def test_a_value_where_nil_is_due_breaks_the_rule_of_the_error(path: Any, value: Any, requirement: str) -> None:
    assert violated(call("a/{x}, f", path), ok(value)) == [requirement]


def test_a_failed_call_breaks_the_rule_of_its_error_and_the_convention_alike() -> None:
    pinned = ACCEPTED | {"AMB-WD-23": frozenset({"nil"})}
    for path, requirement in (("f", "WD-ERR-05"), ("nope", "WD-ERR-03"), ("a\0b", "WD-ERR-02")):
        (finding,) = findings(call("f", path), failed(), pinned)
        assert finding.possible_requirements == (requirement, "WD-ERR-01")


def test_several_elements_with_one_error_are_one_finding() -> None:
    answer = ok([element("a", size=1), element("b", size=1), element("c", size=1)])
    (finding,) = findings(call("a, b, c"), answer)
    assert (finding.requirement, finding.message) == ("WD-ENT-04", "size of a is wrong, and 2 more like it")


def test_a_key_twice_in_a_map_is_found() -> None:
    text = '[{"name": "x", "name": "a", "path": "a", "isDir": false, "size": 0, "modTime": "2023-11-14T22:13:20Z"}]'
    answer = CallResult("ok", text, None, None, None, None, None, b"")
    assert violated(call("a"), answer) == ["WD-RET-01"]


@pytest.mark.parametrize(
    ("members", "requirement", "kind"),
    [
        ({"isDir": True}, "WD-ENT-03", "isDir of a link is true"),
        ({"size": 7}, "WD-ENT-04", "another size of a link"),
        ({"size": "1"}, "WD-ENT-04", "a size is no number"),
        ({"size": -1}, "WD-ENT-04", "a size is below 0"),
        ({"name": "f"}, "WD-ENT-01", "another name"),
        ({"modTime": 5}, "WD-ENT-05", "a modTime is no time in RFC 3339"),
    ],
)
def test_a_member_of_a_link_breaks_one_rule(members: dict[str, Any], requirement: str, kind: str) -> None:
    (finding,) = findings(call("l->f, f=3"), ok([element("l", **members), element("f", size=3)]))
    assert (finding.requirement, finding.kind) == (requirement, kind)


@pytest.mark.parametrize(("size", "label"), [(1, "own"), (0, "zero"), (3, "target")])
def test_a_link_has_its_own_size_or_none_or_that_of_its_target(size: int, label: str) -> None:
    asked, answer = call("l->f, f=3"), ok([element("l", size=size), element("f", size=3)])
    assert violated(asked, answer) == []
    others = [other for other in ("own", "zero", "target") if other != label]
    assert [violated(asked, answer, AMB_WD_05=other) for other in others] == [["WD-ENT-04"]] * 2


def test_the_size_of_a_directory_is_a_recommendation_only_where_no_other_is_accepted() -> None:
    answer = ok([element("d", isDir=True, size=4096)])
    assert violated(call("d/"), answer) == []
    assert violated(call("d/"), answer, AMB_WD_04="zero") == ["WD-ENT-06"]


def test_a_time_may_have_a_blank_for_its_t() -> None:
    assert violated(call("a"), ok([element("a", modTime="2023-11-14 22:13:20Z")])) == []
