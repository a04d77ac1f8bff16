"""Whom the model blames: for a document with one thing wrong, for a refusal that is not due, for anything at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeproof.verdict import Profile

from .single_calls import BY_PROFILE, blamed, case, error, model, ok

TREE = r"a/{b=3, .c, 'x\xff'}, a-, .h, l->a, p:fifo, 'z\\z'/{y}"
"""A bit of everything for the wrong answers below."""


def blamed_after_change(change: Any, arguments: dict[str, Any] | None = None, tree: str = TREE) -> list[str]:
    """What is blamed for the right document with a change made to its parsed form."""
    asked = case(tree, {"recursive": True, **(arguments or {})})
    found = json.loads(model.expected(asked))
    change(found)
    return blamed(asked, ok(json.dumps(found, ensure_ascii=False, separators=(",", ":"))))


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
        (add("a/.c"), {}, "FR-LD-LST-06"),
        (add("p", type="other"), {}, "FR-LD-VAL-06"),
        (add("l/b"), {}, "FR-LD-VAL-09"),
        (add("a/b"), {"recursive": False}, "FR-LD-LST-01"),
        (add("a/b"), {"max_depth": 1}, "FR-LD-LST-02"),
        (add("."), {}, "FR-LD-LST-03"),
        (add("a/b"), {}, "NFR-LD-REL-02"),
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
        (header(max_entries=7), {}, "DOC-05"),
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
def test_what_is_wrong_names_the_requirement(change: Any, arguments: dict[str, Any], requirement: str | None) -> None:
    assert blamed_after_change(change, arguments) == ([] if requirement is None else [requirement])


def test_other_survivors_of_the_limit_are_the_traversals_fault() -> None:
    def by_path(found: dict[str, Any]) -> None:
        found["entries"][1].update(name="a-b", path="a-b", depth=1)

    assert blamed_after_change(by_path, {"max_entries": 2}, "a/{b}, a-b") == ["FR-LD-LST-05"]


@pytest.mark.parametrize(
    ("budget", "kept", "blame"),
    [
        (543, 3, []),
        (542, 2, []),
        (542, 1, ["FR-LD-OUT-07"]),
        (543, 2, ["FR-LD-OUT-05"]),
        (407, 2, ["FR-LD-OUT-03"]),
        (110, 0, ["FR-LD-OUT-08"]),
    ],
)
def test_what_the_budget_takes_is_judged(budget: int, kept: int, blame: list[str]) -> None:
    arguments = {"recursive": True}
    asked = case("a/{b}, a-b", arguments, max_output_bytes=budget, available_capacity_bytes=10**6)
    prices = {3: 543, 2: 408, 1: 258, 0: 111}
    right = model.expected(case("a/{b}, a-b", arguments, max_output_bytes=prices[kept], available_capacity_bytes=10**6))
    found = blamed(asked, ok(right))
    assert found == (["FR-LD-OUT-03"] if budget == 110 else blame)
    if budget == 110:
        assert blamed(asked, error("ExecutionFailed")) == []
        assert blamed(asked, error("BadArgs")) == blame


def test_a_multibyte_document_that_is_counted_in_characters_is_blamed_as_that() -> None:
    asked = case(r"'\u65e5\u672c\u8a9e'", {}, max_output_bytes=258, available_capacity_bytes=10**6)
    assert blamed(asked, ok(model.expected(case(r"'\u65e5\u672c\u8a9e'")))) == ["FR-LD-OUT-06"]


def test_spelling_alone_is_blamed_as_spelling_and_is_free_where_that_is_accepted() -> None:
    asked = case(r"'\u00e9'")
    escaped = json.dumps(json.loads(model.expected(asked)), separators=(",", ":"))
    assert blamed(asked, ok(escaped)) == ["FR-LD-OUT-02a"]
    assert blamed(asked, ok(model.expected(asked) + "\n")) == ["FR-LD-OUT-02a"]
    assert blamed(asked, ok(escaped), Profile.LENIENT) == []


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
        ("d/%0444{a}", {"recursive": True}, "ExecutionFailed", "FR-LD-ERR-04"),
        (r"'\xff'", {}, "ExecutionFailed", "NFR-LD-REL-02"),
        ("a", {"recursive": True}, "UnknownTool", "FR-LD-LST-02"),
    ],
)
def test_a_refusal_that_is_not_due_names_what_was_probably_misread(
    tree: str, arguments: dict[str, Any], kind: str, requirement: str
) -> None:
    assert blamed(case(tree, arguments), error(kind)) == [requirement]


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
@settings(max_examples=300, database=None, derandomize=True, deadline=None)
def test_whatever_a_candidate_answers_is_judged_and_blamed_on_known_requirements(data: st.DataObject) -> None:
    asked = case(TREE + r", d/%0444{x}, e/%0000{y}, '\xff', '\xfe'", {"recursive": True, "max_entries": 9})
    document = json.loads(model.expected(asked))
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
    for finding in model.judge(asked, answer, BY_PROFILE[Profile.DEFAULT]).findings:
        assert set(finding.possible_requirements) <= model.requirements
