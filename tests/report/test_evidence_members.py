"""The evidence of a scenario as labelled texts: their order, and parts that only some scenarios have."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from treeproof.report import markdown
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.evidence_members import evidence_members, format_table
from treeproof.report.terminal_causes import print_scenario
from treeproof.verdict import Evidence, ScenarioRecord
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
CALL = {"tool": "list", "arguments": '{"path": "b"}'}
EARLIER = {"tool": "list", "arguments": '{"path": "a"}'}
TABLE = [["name", "size"], ["a long name", "1"], ["x", "20"]]


def texts(evidence: Json) -> list[tuple[str, str]]:
    return [(member.label, member.text) for member in evidence_members(Evidence.from_json(evidence))]


def test_the_parts_have_one_order() -> None:
    evidence = {
        "stderr": "trace",
        "diff": "- a",
        "got": "b",
        "expected": "a",
        "message": "differs",
        "race": "a link was exchanged 40 times while the call ran",
        "docstring": "two\nlines",
        "table": TABLE,
        "step": "Then the entries are",
        "after": "",
        "call": CALL,
        "before": "t, u",
        "outside": "o",
        "tree": "t",
        "simulated": "macos",
    }
    assert [label for label, _ in texts(evidence)] == [
        "host",
        "tree",
        "beside",
        "before",
        "call",
        "after",
        "step",
        "table",
        "text",
        "race",
        "message",
        "expected",
        "got",
        "difference",
        "stderr",
    ]
    assert ("after", "(empty)") in texts(evidence)


def test_calls_lead_to_the_one_that_failed() -> None:
    two = [("call", 'list {"path": "a"}'), ("call", 'list {"path": "b"}')]
    assert texts({"calls": [EARLIER, CALL], "call": CALL}) == two
    assert texts({"calls": [EARLIER], "call": CALL}) == two
    assert texts({"call": {**CALL, "context": {"roots": ["$ROOT"], "log": True}}})[1:] == [("context", '{"log": true}')]


@pytest.mark.parametrize(
    ("evidence", "shown"),
    [
        ({}, [("error", "BadArgs: no such member")]),
        ({"got": "BadArgs: no such member"}, [("error", "BadArgs: no such member")]),
        ({"got": "null"}, [("got", "null"), ("error", "BadArgs: no such member")]),
        (
            {"message": "the call failed with BadArgs: no such member"},
            [("message", "the call failed with BadArgs: no such member")],
        ),
    ],
)
def test_the_error_of_the_candidate_is_shown_once(evidence: Json, shown: list[tuple[str, str]]) -> None:
    outcome = {"status": "error", "kind": "BadArgs", "message": "no such member"}
    assert texts({**evidence, "outcome": outcome}) == shown


def test_an_error_may_lack_kind_or_message() -> None:
    assert Evidence.from_json({"outcome": {"status": "error", "kind": None, "message": "why"}}).error == "why"
    assert Evidence.from_json({"outcome": {"status": "error", "kind": "BadArgs"}}).error == "BadArgs"
    assert Evidence.from_json({"outcome": {"status": "ok", "content": "x"}}).error == Evidence.from_json({}).error == ""


def test_the_content_is_shown_if_no_part_of_it_was_compared() -> None:
    outcome = {"status": "ok", "content": "[]"}
    assert texts({"outcome": outcome}) == [("got", "[]")]
    assert texts({"outcome": outcome, "got": "0 entries"}) == [("got", "0 entries")]


def test_an_answer_is_not_compared_with_the_expected_tree() -> None:
    evidence = {"after": "b", "expected": "a", "outcome": {"status": "ok", "content": "Moved a to b"}}
    assert texts(evidence) == [("after", "b"), ("expected", "a"), ("answer", "Moved a to b")]


def test_a_table_has_aligned_columns_and_one_line_for_each_row() -> None:
    assert format_table(TABLE).split("\n") == [
        "| name        | size |",
        "| a long name | 1    |",
        "| x           | 20   |",
    ]
    assert format_table([["a\nb", "\x1b[31m"], ["c"]]).split("\n") == ["| a\\nb | \\x1b[31m |", "| c    |"]
    assert format_table([[]]) == "|  |"
    assert "more characters)" in format_table([["x" * 5000]]) and len(format_table([["x" * 5000]])) < 300


def test_the_terminal_shows_table_and_race_and_the_summary_the_race(mixed: Json, scenario: Callable[..., Json]) -> None:
    evidence = {"table": TABLE, "step": "Then the entries are", "race": "a race of 40 rounds"}
    stream = io.StringIO()
    shown = ScenarioRecord.from_json(scenario("S-1", "FR-1", "failed", **evidence))
    print_scenario(ConsoleWriter(console_for(stream, {"COLUMNS": "80"})), shown)
    assert (
        "    step       Then the entries are\n"
        "    table      | name        | size |\n"
        "               | a long name | 1    |\n"
        "               | x           | 20   |\n"
        "    race       a race of 40 rounds\n"
    ) in stream.getvalue()
    mixed["specs"][0]["scenarios"][0]["evidence"] |= evidence
    text = markdown.dump(RunDocument.from_json(mixed)).decode()
    assert "  - race: `a race of 40 rounds`\n" in text and "a long name" not in text


def test_long_values_are_cut_with_their_length_and_differ_where_they_differ() -> None:
    long = "x" * 2000
    found = dict(
        texts(
            {
                "tree": f"a/{{{long}}}",
                "call": {"tool": "LS", "arguments": f'{{"path": "{long}"}}'},
                "message": f"missing: '{long}'",
                "expected": f"{long}A{long}",
                "got": f"{long}B{long}",
                "diff": f"-{long}A\n+{long}B",
            }
        )
    )
    start = "x" * 40
    assert found["tree"] == f"a/{{{start}… (2,000 bytes)}}"
    assert found["call"] == f'LS {{"path": "{start}…" (2,000 bytes)}}'
    assert found["message"] == f"missing: '{start}…' (2,000 bytes)"
    middle = "x" * 24
    assert found["expected"] == f"{start}…{middle}A{'x' * 23}… (4,001 bytes)"
    assert found["got"] == f"{start}…{middle}B{'x' * 23}… (4,001 bytes)"
    assert found["difference"] == f"-{start}…{middle}A (2,001 bytes)\n+{start}…{middle}B (2,001 bytes)"
