"""What the model says of single calls: the spelling of paths, refusals, times, and every reading that is accepted."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from typing import Any

import pytest

from treeproof.candidate import Answer
from treeproof.search.model import Case, Unmodelled
from treeproof.spec import find, load
from treeproof.tree import Kind, Node, parse
from treeproof.verdict import Profile, accepted_readings

model = importlib.import_module("treeproof.oracles.list_directory").model
target = importlib.import_module("treeproof.oracles.listing.target")
walk = importlib.import_module("treeproof.oracles.listing.walk")
Readings = importlib.import_module("treeproof.oracles.listing.readings").Readings
readings = importlib.import_module("treeproof.oracles.listing.readings")
outcomes = importlib.import_module("treeproof.oracles.listing.outcomes")

PACK = load(find("list_directory"))
BY_PROFILE = {
    profile: {
        entry.id: accepted_readings(entry, profile, {})
        for entry in PACK.interpretations
        if entry.id in model.interpretations
    }
    for profile in Profile
}


def case(tree: str, arguments: dict[str, Any] | None = None, **context: Any) -> Case:
    return Case("list_directory", parse(tree), {"path": ".", **(arguments or {})}, context)


def listed(tree: str, arguments: Any = None, **context: Any) -> list[str]:
    return [
        entry["path"] for entry in json.loads(model.expected(case(tree, arguments, **context)))["entries"]
    ]


def ok(content: str) -> Answer:
    return Answer("ok", content, None, None, None, None, None, b"")


def error(kind: str, message: str = "no") -> Answer:
    return Answer("error", None, kind, message, None, None, None, b"")


def blamed(asked: Case, answer: Answer, profile: Profile = Profile.DEFAULT) -> list[str]:
    return [finding.requirement for finding in model.judge(asked, answer, BY_PROFILE[profile]).findings]


@pytest.mark.parametrize(
    ("request_", "shown"),
    [
        (".", "."),
        ("./", "."),
        ("././", "."),
        (" a/ ", "a"),
        ("a////b", "a/b"),
        ("a/.//./", "a"),
        ("./a/./b/.", "a/b"),
        ("a./b", "a./b"),
        ("a../b", "a../b"),
        (".../a", ".../a"),
        ("a/ /", "a/ "),
        ("./ a", " a"),
        ("//", "/"),
        ("/.", "/"),
        ("//a//b/./", "/a/b"),
        ("a\\b", "a\\b"),
        ("C:/", "C:/"),
        ("C:/./", "C:/"),
        ("C:", "C:"),
        ("c:/Users/", "c:/Users"),
        ("CC:/", "CC:"),
        ("1:/", "1:"),
        ("\u3000a\u2028", "a"),
        ("\ufeffa", "\ufeffa"),
        (" \t\r\n", None),
        ("", None),
    ],
)
def test_paths_are_shown_cleaned(request_: str, shown: str | None) -> None:
    assert target.clean(request_, Readings({}, {})) == shown


@pytest.mark.parametrize(
    ("request_", "reading", "shown"),
    [
        ("a/.", {"AMB-LD-20": "b"}, "a/."),
        ("a/./", {"AMB-LD-20": "b"}, "a"),
        ("./.", {"AMB-LD-20": "b"}, "."),
        ("a\\b", {"AMB-LD-22": "always"}, "a/b"),
        ("C:/", {"AMB-LD-23": "b"}, "C:"),
        ("\ufeffa", {"AMB-LD-18": "c"}, "a"),
        ("\x1fa", {"AMB-LD-18": "d"}, "a"),
        ("\x85a", {"AMB-LD-18": "a"}, "\x85a"),
        ("\va", {"AMB-LD-18": "e"}, "\va"),
    ],
)
def test_other_readings_show_other_paths(request_: str, reading: Mapping[str, str], shown: str) -> None:
    accepted = {passage: frozenset({label}) for passage, label in reading.items()}
    assert target.clean(request_, Readings(accepted, {})) == shown


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        ({}, "BadArgs"),
        ([], "BadArgs"),
        ({"path": None}, "BadArgs"),
        ({"path": " "}, "BadArgs"),
        ({"path": ".", "max_depth": 2}, "BadArgs"),
        ({"path": ".", "recursive": True, "max_depth": 5}, "BadArgs"),
        ({"path": ".", "max_entries": 201}, "BadArgs"),
        ({"path": ".", "max_entries": True}, "BadArgs"),
        ({"path": ".", "max_entries": 2**64 + 1}, "BadArgs"),
        ({"path": ".", "recursive": None}, "BadArgs"),
        ({"path": ".", "include_files": False, "include_dirs": False, "include_symlinks": False}, "BadArgs"),
        ({"path": ".."}, "SandboxViolation"),
        ({"path": "a/.."}, "SandboxViolation"),
        ({"path": "/etc"}, "SandboxViolation"),
        ({"path": "up"}, "SandboxViolation"),
        ({"path": "f"}, "ExecutionFailed"),
        ({"path": "f/x"}, "ExecutionFailed"),
        ({"path": "nope"}, "ExecutionFailed"),
        ({"path": "gone"}, "ExecutionFailed"),
        ({"path": "a\0"}, "BadArgs"),
        ({"path": "closed"}, "ExecutionFailed"),
    ],
)
def test_refusals(arguments: Any, kinds: str) -> None:
    asked = Case("list_directory", parse("a/, f, up->.., gone->x, closed/%0000"), arguments)
    assert model.expected(asked) == kinds
    for kind in kinds.split(" or "):
        assert blamed(asked, error(kind, "path is not a directory")) == []
    assert blamed(asked, ok("{}")) != []
    assert blamed(asked, error("UnknownTool")) != []


def test_a_link_inside_is_followed_to_the_requested_directory_and_not_below_it() -> None:
    tree = "l->real, real/{m->../other}, other/{x}, m->l/m"
    assert listed(tree, {"path": "l", "recursive": True}) == ["m"]
    assert listed(tree, {"path": "l/m"}) == ["x"]
    assert listed(tree, {"path": "m"}) == ["x"]


@pytest.mark.parametrize(
    ("ns", "values"),
    [
        (0, [0]),
        (1_700_000_000_000_999_999, [1_700_000_000_000, 1_700_000_000_001]),
        (-1_500_000, [-2, None, -1]),
        (-1, [-1, None, 0]),
        (253402300799999_000000, [253402300799999]),
        (8640000000000001_000000, [8640000000000001, None]),
        (2**62 * 10**9, [None, 2**62 * 1000]),
    ],
)
def test_times_out_of_range_are_exact_or_null(ns: int, values: list[int | None]) -> None:
    every = {"AMB-LD-25": frozenset("abcde"), "AMB-LD-26": frozenset({"floor", "trunc", "nearest"})}
    node = Node(b"f", Kind.FILE, mtime_ns=ns)
    assert list(walk.times_of(node, Readings(every, {}))) == values
    assert list(walk.times_of(node, Readings({}, {}))) == values[:1]


def readings_of(tree: str, arguments: dict[str, Any], **accepted: str) -> set[tuple[str, ...]]:
    """The lists of entries that readings allow, each with its flag; `_` in a name stands for `-LD-`."""
    passages = {name.replace("_", "-LD-"): frozenset(labels.split()) for name, labels in accepted.items()}
    found = model.outcomes(case(tree, arguments), passages)
    return {
        (*(f"{entry.path} {entry.type}" for entry in due.entries), *["cut"] * due.flagged)
        for _, due in found
        if isinstance(due, outcomes.Listing)
    }


def test_at_the_limit_the_flag_is_a_matter_of_reading() -> None:
    both = "exceeded reached"
    assert readings_of("a, b", {"max_entries": 2}, AMB_01=both) == {
        ("a file", "b file"),
        ("a file", "b file", "cut"),
    }
    assert readings_of("a, b", {"max_entries": 3}, AMB_01=both) == {("a file", "b file")}
    assert readings_of("a, b", {"max_entries": 1}, AMB_01=both) == {("a file", "cut")}
    assert len(readings_of("a, b/", {"max_entries": 2, "recursive": True}, AMB_02="a b")) == 2
    assert len(readings_of("a, b/", {"max_entries": 2}, AMB_02="a b")) == 1


def test_an_unreadable_directory_is_replaced_or_joined() -> None:
    tree = "d/%0000{x}, e"
    recursive = {"recursive": True}
    assert readings_of(tree, recursive) == {("d unknown", "e file")}
    assert readings_of(tree, recursive, AMB_03="append") == {("d dir", "d unknown", "e file")}
    assert readings_of(tree, {}) == {("d dir", "e file")}
    assert readings_of(tree, {**recursive, "max_entries": 1}, AMB_45="a b") == {
        ("d dir", "cut"),
        ("d unknown", "cut"),
    }
    off = {**recursive, "include_dirs": False}
    assert readings_of(tree, off) == {("d unknown", "e file")}
    assert readings_of(tree, off, AMB_09="b") == {("e file",)}
    assert readings_of(tree, off, AMB_08="prune") == {("e file",)}


def test_a_directory_without_the_search_bit_fails_its_entries_or_itself() -> None:
    tree = "d/%0444{x, y/}, e"
    recursive = {"recursive": True}
    assert readings_of(tree, recursive) == {("d dir", "d/x unknown", "d/y unknown", "e file")}
    assert readings_of(tree, recursive, AMB_57="b") == {("d unknown", "e file")}
    assert readings_of(tree, recursive, AMB_06="include_other") == {("d dir", "e file")}


def test_names_that_look_alike_may_stand_in_any_order_of_their_own() -> None:
    tree, cut = r"'\xff'=1, '\xfe'=2", {"max_entries": 1}
    assert [due.entries[0].size for _, due in model.outcomes(case(tree, cut), {})] == [2]
    accepted = {"AMB-LD-13": frozenset({"a", "c"})}
    assert {due.entries[0].size for _, due in model.outcomes(case(tree, cut), accepted)} == {1, 2}


def test_what_the_budget_leaves_is_judged_without_pricing_texts_nobody_has_seen() -> None:
    asked = case("a, d/%0444{x}", {"recursive": True}, max_output_bytes=420, available_capacity_bytes=9999)
    whole = json.loads(model.expected(case("a, d/%0444{x}", {"recursive": True})))
    entries = whole["entries"]
    cut = {
        **whole,
        "entries": entries[:1],
        "returned": 1,
        "truncated": True,
        "truncated_reason": "max_output_bytes",
    }
    assert blamed(asked, ok(json.dumps(cut, separators=(",", ":")))) == []


def test_calls_of_which_the_model_does_not_speak_are_left_out() -> None:
    for member in ("policy", "denied_patterns", "roots"):
        with pytest.raises(Unmodelled):
            model.expected(case("a", {}, **{member: {}}))
    config = {"tools": {"list_directory": {"max_entries": 0}}}
    with pytest.raises(Unmodelled):
        model.expected(case("a", {}, config=config))
    for tree, path in (("d/!R2{x}", "."), ("'k.pem'/{x}", "k.pem"), ("o->../root/a, a/", "o")):
        with pytest.raises(Unmodelled):
            model.expected(case(tree, {"path": path, "recursive": True}))


TREE = r"a/{b=3, .c, 'x\xff'}, a-, .h, l->a, p:fifo, 'z\\z'/{y}"
"""A bit of everything for the wrong answers below."""


def edited(change: Any, arguments: dict[str, Any] | None = None, tree: str = TREE) -> list[str]:
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


def put(which: str, **members: Any) -> Any:
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
        (put("a/b", name="a"), {}, "EF-01"),
        (put("a/b", path="./a/b"), {}, "EF-02"),
        (put("a/b", path="a\\b"), {}, "NFR-LD-PORT-01"),
        (put("z\\z", path="z/z"), {}, "EF-02"),
        (put("a", depth=0), {}, "EF-03"),
        (put("l", type="dir"), {}, "EF-04"),
        (put("a/b", size_bytes=4), {}, "EF-05"),
        (put("a/b", size_bytes=3.0), {}, "EF-05"),
        (put("a", modified_epoch_ms=1), {}, "EF-06"),
        (put("a", is_hidden=None), {}, "EF-07"),
        (put("a", error_code=""), {}, "EF-08"),
        (put("a", error=""), {}, "EF-09"),
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
def test_what_is_wrong_names_the_requirement(
    change: Any, arguments: dict[str, Any], requirement: str | None
) -> None:
    assert edited(change, arguments) == ([] if requirement is None else [requirement])


def test_other_survivors_of_the_limit_are_the_traversals_fault() -> None:
    def by_path(found: dict[str, Any]) -> None:
        found["entries"][1].update(name="a-b", path="a-b", depth=1)

    assert edited(by_path, {"max_entries": 2}, "a/{b}, a-b") == ["FR-LD-LST-05"]


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
    right = model.expected(
        case("a/{b}, a-b", arguments, max_output_bytes=prices[kept], available_capacity_bytes=10**6)
    )
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


def test_every_requirement_that_can_be_blamed_is_in_the_catalogue() -> None:
    assert model.requirements <= {requirement.id for requirement in PACK.requirements}


def test_the_recommended_readings_are_those_of_the_register() -> None:
    register = {entry.id: entry.recommended for entry in PACK.interpretations}
    assert {id: register[id] for id in readings.RECOMMENDED} == dict(readings.RECOMMENDED)
