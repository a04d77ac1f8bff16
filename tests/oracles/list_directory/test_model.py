"""The model on single calls: normalised paths, errors, times, and all accepted readings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from treeproof.model.case import AcceptedReadings, Case, Unmodelled
from treeproof.oracles.list_directory import expected as outcomes
from treeproof.oracles.list_directory import path_text, walk
from treeproof.oracles.list_directory.expected import RECOMMENDED_READINGS, ExpectedListing
from treeproof.oracles.shared.reading_choices import ReadingChoices
from treeproof.tree import Kind, Node, parse_tree
from treeproof.verdict import Profile

from .single_calls import BY_PROFILE, PACK, error, listed, make_case, model, ok, violated


@pytest.mark.parametrize(
    ("request_", "expected"),
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
def test_paths_are_normalised(request_: str, expected: str | None) -> None:
    assert path_text.normalise_path(request_, ReadingChoices(RECOMMENDED_READINGS)) == expected


@pytest.mark.parametrize(
    ("request_", "reading", "expected"),
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
def test_other_readings_normalise_differently(request_: str, reading: Mapping[str, str], expected: str) -> None:
    accepted = {passage: frozenset({label}) for passage, label in reading.items()}
    assert path_text.normalise_path(request_, ReadingChoices(RECOMMENDED_READINGS, accepted)) == expected


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
        ({"path": "closed"}, "ExecutionFailed or SandboxViolation"),
    ],
)
def test_the_model_returns_the_expected_error(arguments: Any, kinds: str) -> None:
    case = Case("list_directory", parse_tree("a/, f, up->.., gone->x, closed/%0000"), arguments)
    assert model.expected(case) == kinds
    for kind in kinds.split(" or "):
        assert violated(case, error(kind, "path is not a directory")) == []
    assert violated(case, ok("{}")) != []
    assert violated(case, error("UnknownTool")) != []


def test_an_entry_may_stand_for_a_directory_that_cannot_be_read() -> None:
    case, other = make_case("d/%0000{x}", {"path": "d"}), make_case("d/%0000{x}", {"path": "d", "max_depth": 2})
    content = json.loads(model.expected(make_case("d/")))
    entry = {**content["entries"][0], "name": ".", "path": ".", "depth": 0, "type": "unknown"}
    content.update(path="d", entries=[{**entry, "error_code": "read_dir_failed", "error": "no"}])
    assert violated(case, ok(json.dumps(content, separators=(",", ":")))) == []
    assert violated(other, ok(json.dumps(content, separators=(",", ":")))) == ["FR-LD-VAL-02"]
    content["entries"] = [entry] * 2
    assert violated(case, ok(json.dumps(content, separators=(",", ":")))) != []


@pytest.mark.parametrize(
    ("path", "kind"), [(" a ", "ExecutionFailed"), (" ..", "ExecutionFailed"), (" ..", "SandboxViolation")]
)
def test_the_text_of_a_path_may_be_opened_as_it_came(path: str, kind: str) -> None:
    assert violated(make_case("a/{x}", {"path": path}), error(kind)) == []
    assert violated(make_case("a/{x}", {"path": path}), error("PolicyDenied")) != []


def test_two_dots_may_lead_into_another_root() -> None:
    one = replace(make_case("f", {"path": "../root2"}), outside=parse_tree("root2/{x}"))
    two = replace(one, context={"roots": ["$ROOT", "$OUTSIDE/root2"]})
    shown = ok(model.expected(make_case("x")).replace('"path":"."', '"path":"../root2"', 1))
    assert violated(two, shown) == violated(two, error("SandboxViolation")) == []
    assert violated(one, shown) != []


@pytest.mark.parametrize(("limit", "number"), [(4, 2), (2, 7)])
def test_names_that_are_one_text_have_an_order_where_a_listing_is_cut(limit: int, number: int) -> None:
    case = make_case(r"'\xfd'=1, '\xfe'=2, '\xff'=3", {"max_entries": limit})
    assert len(model.expected_outcomes(case, BY_PROFILE[Profile.DEFAULT])) == number


def test_the_trimmed_text_may_be_opened_and_another_shown() -> None:
    shown = model.expected(make_case(r"'\\'/{x}", {"path": "\\"})).replace('"path":"\\\\"', '"path":"/"', 1)
    assert violated(make_case(r"'\\'/{x}", {"path": "\\\n"}), ok(shown)) == []
    assert violated(make_case("f", {"path": "f/."}), error("ExecutionFailed", "not a directory")) == []
    assert violated(make_case("f", {"path": "./f"}), error("ExecutionFailed", "not a directory")) == ["T-LD-02"]


@pytest.mark.parametrize("path", ["...", ". .", "a..b", "~", "C:/", "c:a"])
def test_a_sandbox_may_refuse_a_name_that_looks_like_another(path: str) -> None:
    assert violated(make_case(f"'{path.strip('/')}'/{{x}}", {"path": path}), error("BadArgs")) == []


@pytest.mark.parametrize("path", ["a\nb", "a\x1bb", "a\x7fb"])
def test_a_sandbox_may_refuse_a_control_character(path: str) -> None:
    found, missing = make_case(f"{path!r}/{{x}}", {"path": path}), make_case("x", {"path": path})
    assert violated(found, error("SandboxViolation")) == violated(missing, error("SandboxViolation")) == []
    assert violated(found, error("BadArgs")) != []


@pytest.mark.parametrize("path", ["a.", ".a", "a~", " ", "CC:", "d/C:"])
def test_any_other_name_is_one(path: str) -> None:
    case = make_case("a./, .a/, a~/, 'CC:'/, d/{'C:'/}", {"path": path})
    assert violated(case, error("SandboxViolation")) != []


@pytest.mark.parametrize("kind", ["PolicyDenied", "ExecutionFailed", "UnknownTool"])
def test_a_call_that_the_policy_stops_may_fail_with_any_kind(kind: str) -> None:
    case = make_case("a", policy={"denylist": ["list_directory"]})
    assert violated(case, error(kind, "")) == []
    assert violated(case, ok(model.expected(make_case("a")))) == ["FR-LD-DEF-05"]


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
    all_readings = {"AMB-LD-25": frozenset("abcde"), "AMB-LD-26": frozenset({"floor", "trunc", "nearest"})}
    node = Node(b"f", Kind.FILE, mtime_ns=ns)
    assert list(walk.accepted_times(node, ReadingChoices(RECOMMENDED_READINGS, all_readings))) == values
    assert list(walk.accepted_times(node, ReadingChoices(RECOMMENDED_READINGS))) == values[:1]


def outcomes_by_reading(tree: str, arguments: dict[str, Any], **accepted: str) -> set[tuple[str, ...]]:
    """Return the expected lists of entries, each with its truncation; `_` in a name stands for `-LD-`."""
    passages = {name.replace("_", "-LD-"): frozenset(labels.split()) for name, labels in accepted.items()}
    found = model.expected_outcomes(make_case(tree, arguments), passages)
    return {
        (*(f"{entry.path} {entry.type}" for entry in outcome.entries), *["cut"] * outcome.is_count_truncated)
        for _, outcome in found
        if isinstance(outcome, outcomes.ExpectedListing)
    }


def test_the_flag_at_the_limit_depends_on_the_reading() -> None:
    both = "exceeded reached"
    assert outcomes_by_reading("a, b", {"max_entries": 2}, AMB_01=both) == {
        ("a file", "b file"),
        ("a file", "b file", "cut"),
    }
    assert outcomes_by_reading("a, b", {"max_entries": 3}, AMB_01=both) == {("a file", "b file")}
    assert outcomes_by_reading("a, b", {"max_entries": 1}, AMB_01=both) == {("a file", "cut")}
    assert len(outcomes_by_reading("a, b/", {"max_entries": 2, "recursive": True}, AMB_02="a b")) == 2
    assert len(outcomes_by_reading("a, b/", {"max_entries": 2}, AMB_02="a b")) == 1


def test_an_unreadable_directory_is_replaced_or_followed_by_an_error_entry() -> None:
    tree = "d/%0000{x}, e"
    recursive = {"recursive": True}
    assert outcomes_by_reading(tree, recursive) == {("d unknown", "e file")}
    assert outcomes_by_reading(tree, recursive, AMB_03="append") == {("d dir", "d unknown", "e file")}
    assert outcomes_by_reading(tree, {}) == {("d dir", "e file")}
    assert outcomes_by_reading(tree, {**recursive, "max_entries": 1}, AMB_45="a b") == {
        ("d dir", "cut"),
        ("d unknown", "cut"),
    }
    off = {**recursive, "include_dirs": False}
    assert outcomes_by_reading(tree, off) == {("d unknown", "e file")}


def test_without_the_search_bit_the_entries_or_the_directory_fail() -> None:
    tree = "d/%0444{x, y/}, e"
    recursive = {"recursive": True}
    assert outcomes_by_reading(tree, recursive) == {("d dir", "d/x unknown", "d/y unknown", "e file")}
    assert outcomes_by_reading(tree, recursive, AMB_57="b") == {("d unknown", "e file")}


def test_names_with_equal_text_may_have_any_order_if_the_reading_is_accepted() -> None:
    def first_sizes(accepted: AcceptedReadings) -> set[int | None]:
        outcomes = model.expected_outcomes(make_case(r"'\xff'=1, '\xfe'=2", {"max_entries": 1}), accepted)
        return {outcome.entries[0].size_bytes for _, outcome in outcomes if isinstance(outcome, ExpectedListing)}

    assert first_sizes({}) == {2}
    assert first_sizes({"AMB-LD-13": frozenset({"a", "c"})}) == {1, 2}


def test_a_budget_is_judged_without_the_sizes_of_unknown_error_texts() -> None:
    case = make_case("a, d/%0444{x}", {"recursive": True}, max_output_bytes=420, available_capacity_bytes=9999)
    complete = json.loads(model.expected(make_case("a, d/%0444{x}", {"recursive": True})))
    entries = complete["entries"]
    truncated = {
        **complete,
        "entries": entries[:1],
        "returned": 1,
        "truncated": True,
        "truncated_reason": "max_output_bytes",
    }
    assert violated(case, ok(json.dumps(truncated, separators=(",", ":")))) == []


PLACES = "in/{a/{.x, y}, f, h=>in/f}, out->../root2, private/{sub/{x}}"


@pytest.mark.parametrize(
    ("path", "context", "expected"),
    [
        (".", {"working_dir": "$ROOT/in"}, ["a", "f", "h"]),
        ("a", {"working_dir": "$ROOT/in"}, ["y"]),
        ("in", {"working_dir": "$ROOT/in"}, "ExecutionFailed"),
        ("$ROOT/in/a", {"allow_absolute": True}, ["y"]),
        ("$ROOT", {"allow_absolute": True}, ["in", "out", "private"]),
        ("$ROOT/out", {"allow_absolute": True}, "ExecutionFailed or SandboxViolation"),
        (" $ROOT/in", {}, "SandboxViolation"),
        ("in", {"denied_patterns": ["private/**"]}, ["a", "f", "h"]),
        ("private/sub", {"denied_patterns": ["private/**"], "include_default_denies": False}, "SandboxViolation"),
        ("in", {"policy": {"mode": "deny", "allowlist": ["read", "list_directory"]}}, ["a", "f", "h"]),
    ],
)
def test_paths_begin_where_the_context_says(path: str, context: dict[str, Any], expected: Any) -> None:
    outcome = model.expected(make_case(PLACES, {"path": path}, **context))
    if isinstance(expected, list):
        assert [entry["path"] for entry in json.loads(outcome)["entries"]] == expected
    else:
        assert outcome == expected


def test_a_second_name_of_a_file_has_its_size_and_time() -> None:
    entries = json.loads(model.expected(make_case("f=3@1000000000001, h=>f", {"path": "."})))["entries"]
    assert [(entry["size_bytes"], entry["modified_epoch_ms"]) for entry in entries] == [(3, 1000000000001)] * 2


@pytest.mark.parametrize(
    "context",
    [
        {"policy": {"denylist": ["ls"]}},
        {"denied_patterns": ["*.x"]},
        {"roots": ["/dev"]},
        {"working_dir": "$ROOT/missing"},
        {"log": True},
    ],
)
def test_an_unsupported_context_is_not_modelled(context: dict[str, Any]) -> None:
    with pytest.raises(Unmodelled):
        model.expected(make_case("a", {}, **context))


def test_a_directory_below_that_is_read_in_part_is_not_modelled() -> None:
    with pytest.raises(Unmodelled):
        model.expected(make_case("d/!R2{x}", {"recursive": True}))


def test_every_requirement_of_the_model_is_in_the_catalogue() -> None:
    assert model.requirements <= {requirement.id for requirement in PACK.requirements}


def test_the_recommended_readings_are_those_of_the_catalogue() -> None:
    catalogue = {entry.id: entry.recommended for entry in PACK.interpretations}
    assert {id: catalogue[id] for id in RECOMMENDED_READINGS} == RECOMMENDED_READINGS
