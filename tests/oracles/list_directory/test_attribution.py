"""Attribution by the model: documents with one error, unexpected errors, and arbitrary call results."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeproof.model.case import Exchange
from treeproof.verdict import Profile

from .single_calls import BY_PROFILE, error, make_case, model, ok, violated

TREE = r"a/{b=3, .c, 'x\xff'}, a-, .h, l->a, p:fifo, 'z\\z'/{y}"
"""A tree with all kinds of entries."""


def violated_after_change(change: Any, arguments: dict[str, Any] | None = None, tree: str = TREE) -> list[str]:
    """Return the violated requirements after a change of the parsed correct document."""
    case = make_case(tree, {"recursive": True, **(arguments or {})})
    found = json.loads(model.expected(case))
    change(found)
    return violated(case, ok(json.dumps(found, ensure_ascii=False, separators=(",", ":"))))


def drop(path: str) -> Any:
    def change(found: dict[str, Any]) -> None:
        found["entries"] = [entry for entry in found["entries"] if entry["path"] != path]
        found["returned"] = len(found["entries"])

    return change


def add(path: str, **members: Any) -> Any:
    def change(found: dict[str, Any]) -> None:
        entry = {**found["entries"][0], "path": path, "name": path.split("/")[-1], **members}
        found["entries"] = sorted([*found["entries"], entry], key=lambda entry: entry["path"])
        found["returned"] = len(found["entries"])

    return change


def change_entries(which: str, **members: Any) -> Any:
    def change(found: dict[str, Any]) -> None:
        next(entry for entry in found["entries"] if entry["path"] == which).update(members)

    return change


def header(**members: Any) -> Any:
    return lambda found: found.update(members)


@pytest.mark.parametrize(
    ("change", "arguments", "requirement"),
    [
        (lambda found: None, {}, None),
        (drop("a/b"), {}, "FR-LD-LST-02"),
        (drop("a"), {"recursive": False}, "FR-LD-LST-01"),
        (drop("a/x\ufffd"), {}, "NFR-LD-REL-02"),
        (drop(".h"), {"include_hidden": True}, "FR-LD-LST-06"),
        (drop("p"), {"include_other": True}, "FR-LD-VAL-06"),
        (add("a/.c"), {}, "FR-LD-VAL-06a"),
        (add("a/.c"), {"include_hidden": False}, "FR-LD-LST-06"),
        (add("p", type="other"), {}, "FR-LD-VAL-06"),
        (add("l/b"), {}, "FR-LD-VAL-09"),
        (add("a/b"), {"recursive": False}, "FR-LD-LST-01"),
        (add("a/b"), {"max_depth": 1}, "FR-LD-LST-02"),
        (add("."), {}, "FR-LD-LST-03"),
        (add("a/b"), {}, "FR-LD-LST-02"),
        (header(returned="9"), {}, "DOC-04"),
        (header(truncated=0), {}, "DOC-06"),
        (header(truncated=True, truncated_reason="limit"), {}, "DOC-07"),
        (add("l"), {"include_symlinks": False}, "FR-LD-VAL-06a"),
        (lambda found: found["entries"].reverse(), {}, "FR-LD-OUT-01"),
        (change_entries("a/b", name="a"), {}, "EF-01"),
        (change_entries("a/b", path="./a/b"), {}, "EF-02"),
        (change_entries("a/b", path="a\\b"), {}, "NFR-LD-PORT-01"),
        (change_entries("z\\z", path="z/z"), {}, "EF-02"),
        (change_entries("a", depth=0), {}, "EF-03"),
        (change_entries("l", type="dir"), {}, "EF-04"),
        (change_entries("a/b", size_bytes=4), {}, "EF-05"),
        (change_entries("a/b", size_bytes=3.0), {}, "EF-05"),
        (change_entries("a", modified_epoch_ms=1), {}, "EF-06"),
        (change_entries("a", is_hidden=None), {}, "EF-07"),
        (change_entries("a", error_code=""), {}, "EF-08"),
        (change_entries("a", error=""), {}, "EF-09"),
        (header(path="./"), {}, "FR-LD-VAL-10"),
        (header(returned=0), {}, "FR-LD-OUT-02b"),
        (header(max_entries=7), {}, "CFG-LD-05"),
        (header(max_entries=7), {"max_entries": 50}, "DOC-05"),
        (header(truncated=True, truncated_reason="max_entries"), {}, "DOC-06"),
        (header(truncated=True, truncated_reason="max_entries"), {"max_depth": 1}, "FR-LD-LST-02"),
        (header(truncated=True), {}, "FR-LD-OUT-02b"),
        (header(truncated=False, truncated_reason=None), {"max_entries": 2}, "FR-LD-LST-07"),
        (drop("a/b"), {"max_entries": 2}, "FR-LD-LST-06"),
        (add("a-"), {"max_entries": 2}, "FR-LD-LST-07"),
        (header(truncated=True, truncated_reason="max_output_bytes"), {}, "FR-LD-OUT-05"),
        (lambda found: found.pop("path"), {}, "DOC-01"),
        (lambda found: found["entries"][0].pop("error"), {}, "DOC-03"),
    ],
)
def test_one_error_violates_one_requirement(change: Any, arguments: dict[str, Any], requirement: str | None) -> None:
    assert violated_after_change(change, arguments) == ([] if requirement is None else [requirement])


def test_a_wrong_selection_at_the_limit_violates_the_traversal_order() -> None:
    def by_path(found: dict[str, Any]) -> None:
        found["entries"][1].update(name="a-b", path="a-b", depth=1)

    assert violated_after_change(by_path, {"max_entries": 2}, "a/{b}, a-b") == ["FR-LD-LST-05"]


@pytest.mark.parametrize(
    ("budget", "count", "requirements"),
    [
        (543, 3, []),
        (542, 2, []),
        (542, 1, ["FR-LD-OUT-07"]),
        (543, 2, ["FR-LD-OUT-05"]),
        (407, 2, ["FR-LD-OUT-03"]),
        (110, 0, ["FR-LD-OUT-08"]),
    ],
)
def test_a_wrong_reduction_to_the_budget_is_found(budget: int, count: int, requirements: list[str]) -> None:
    arguments = {"recursive": True}
    case = make_case("a/{b}, a-b", arguments, max_output_bytes=budget, available_capacity_bytes=10**6)
    budgets = {3: 543, 2: 408, 1: 258, 0: 111}
    content = model.expected(
        make_case("a/{b}, a-b", arguments, max_output_bytes=budgets[count], available_capacity_bytes=10**6)
    )
    assert violated(case, ok(content), Profile.STRICT) == requirements
    if budget == 110:
        assert violated(case, error("ExecutionFailed")) == []
        assert violated(case, error("BadArgs")) == requirements


def test_a_budget_counted_in_characters_instead_of_bytes_is_found() -> None:
    case = make_case(r"'\u65e5\u672c\u8a9e'", {}, max_output_bytes=258, available_capacity_bytes=10**6)
    assert violated(case, ok(model.expected(make_case(r"'\u65e5\u672c\u8a9e'")))) == ["FR-LD-OUT-06"]


def test_a_different_json_encoding_violates_one_requirement_unless_it_is_accepted() -> None:
    case = make_case(r"'\u00e9'")
    escaped = json.dumps(json.loads(model.expected(case)), separators=(",", ":"))
    assert violated(case, ok(escaped), Profile.STRICT) == ["FR-LD-OUT-02a"]
    assert violated(case, ok(escaped)) == []
    for form in (model.expected(case) + "\n", json.dumps(json.loads(escaped)), escaped.replace(":", " :")):
        assert violated(case, ok(form)) == ["FR-LD-OUT-02a"]


def test_a_budget_is_used_up_as_far_as_the_spelling_of_the_document_tells() -> None:
    budget: dict[str, Any] = {"max_output_bytes": 600, "available_capacity_bytes": 10**6}
    full, cut = (json.loads(model.expected(make_case("a, b, c", **more))) for more in ({}, budget))
    assert len(full["entries"]) == len(cut["entries"])
    for entries, requirement in ((2, "FR-LD-OUT-05"), (3, None)):
        found = {**full, "entries": full["entries"][:entries], "returned": entries}
        found.update({"truncated": entries < 3, "truncated_reason": "max_output_bytes" if entries < 3 else None})
        answer = ok(json.dumps(found, separators=(",", ":")))
        assert violated(make_case("a, b, c", **budget), answer) == ([requirement] if requirement else [])


def test_names_may_have_any_number_of_replacements_from_one_for_a_run_to_one_for_a_byte() -> None:
    case = make_case(r"'\xe0\x80\xafz'=1, '\xf0\x82\x82\xac'=2, b")
    right = model.expected(case)
    for first, second in (("\ufffd", "\ufffd\ufffd"), ("\ufffd\ufffd", "\ufffd")):
        found = json.loads(right)
        for entry in found["entries"]:
            text = {1: first + "z", 2: second}.get(entry["size_bytes"], entry["name"])
            entry.update(name=text, path=text)
        found["entries"].sort(key=lambda entry: str(entry["path"]))
        assert violated(case, ok(json.dumps(found, ensure_ascii=False, separators=(",", ":")))) == []
    for wrong in ("?", "", "\ufffd" * 5):
        changed = right.replace("\ufffd" * 4, wrong)
        assert "NFR-LD-REL-02" in violated(case, ok(changed))


@pytest.mark.parametrize(
    ("tree", "arguments", "kind", "requirement"),
    [
        ("a", {"max_entries": 200}, "BadArgs", "FR-LD-VAL-04"),
        ("a", {"recursive": True, "max_depth": 4}, "BadArgs", "FR-LD-VAL-06b"),
        ("a", {"max_depth": 1}, "BadArgs", "FR-LD-VAL-02"),
        ("a", {"include_files": False}, "BadArgs", "FR-LD-VAL-05"),
        ("a", {}, "BadArgs", "SCH-LD"),
        ("a", {}, "SandboxViolation", "FR-LD-VAL-07"),
        ("d/{a}", {"path": "d"}, "ExecutionFailed", "FR-LD-VAL-08"),
        ("d/%0444{a}", {"recursive": True}, "ExecutionFailed", "FR-LD-LST-04"),
        (r"'\xff'", {}, "ExecutionFailed", "NFR-LD-REL-02"),
        ("a", {"recursive": True}, "Timeout", "FR-LD-LST-02"),
        ("a", {}, "Timeout", "T-LD-01"),
        ("a", {}, "UnknownTool", "FR-LD-DEF-01"),
        ("a", {}, "ApprovalDenied", "FR-LD-DEF-04"),
        ("a", {}, "PolicyDenied", "FR-LD-DEF-05"),
    ],
)
def test_an_unexpected_error_violates_the_most_probable_requirement(
    tree: str, arguments: dict[str, Any], kind: str, requirement: str
) -> None:
    assert violated(make_case(tree, arguments), error(kind)) == [requirement]


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**70) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
MEMBERS = ("path", "entries", "returned", "max_entries", "truncated", "truncated_reason")
ENTRY = (
    "name",
    "path",
    "depth",
    "type",
    "size_bytes",
    "modified_epoch_ms",
    "is_hidden",
    "error_code",
    "error",
)


@given(st.data())
@settings(max_examples=60)
def test_any_call_result_is_judged_with_known_requirements(data: st.DataObject) -> None:
    case = make_case(TREE + r", d/%0444{x}, e/%0000{y}, '\xff', '\xfe'", {"recursive": True, "max_entries": 9})
    document = json.loads(model.expected(case))
    for _ in range(data.draw(st.integers(0, 3))):
        entries = document["entries"]
        if entries and data.draw(st.booleans()):
            entry = entries[data.draw(st.integers(0, len(entries) - 1))]
            entry[data.draw(st.sampled_from(ENTRY))] = data.draw(ANY_JSON)
        elif entries and data.draw(st.booleans()):
            entries.pop(data.draw(st.integers(0, len(entries) - 1)))
        else:
            document[data.draw(st.sampled_from(MEMBERS[2:]))] = data.draw(ANY_JSON)
    answer = data.draw(
        st.just(ok(json.dumps(document)))
        | st.builds(ok, ANY_JSON.map(json.dumps) | st.text(max_size=9))
        | st.builds(error, st.sampled_from(["BadArgs", "SandboxViolation", "ExecutionFailed", "UnknownTool"]))
    )
    for finding in model.judge(Exchange(case, answer), BY_PROFILE[Profile.DEFAULT]).findings:
        assert set(finding.possible_requirements) <= model.requirements
