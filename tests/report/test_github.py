"""Workflow commands: each line is one command, escaped as the runner unescapes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from treeproof.report.formats import github

Json = dict[str, Any]

COMMAND = re.compile(r"::(?P<kind>error|warning|notice) (?P<properties>[^:]*)::(?P<data>.*)")


def parse_commands(run: Json) -> list[tuple[str, dict[str, str], str]]:
    """Parse the lines as the runner does."""
    lines = github.dump(run).decode("utf-8").removesuffix("\n").split("\n")
    found = [COMMAND.fullmatch(line) for line in lines]
    assert all(found), lines
    return [
        (
            each["kind"],
            {
                name: unescape(value)
                for name, _, value in (pair.partition("=") for pair in each["properties"].split(","))
            },
            unescape(each["data"]),
        )
        for each in found
        if each
    ]


def unescape(text: str) -> str:
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def test_the_first_command_is_the_conclusion_and_its_reason(mixed: Json, run: Callable[..., Json]) -> None:
    assert parse_commands(mixed)[0] == (
        "error",
        {"title": "treeproof: non-conformant"},
        "acme-tools 3.1.0: 2 requirements do not hold: FR-LD-VAL-02, FR-LD-LST-05",
    )
    kinds = {"conformant": "notice", "partial": "notice", "incomplete": "warning", "fault": "error"}
    for conclusion, kind in kinds.items():
        assert parse_commands(run([], [], verdict=conclusion))[0][0] == kind


def test_the_first_failed_scenario_of_each_requirement_comes_before_the_others(mixed: Json) -> None:
    failures = [(properties, data) for kind, properties, data in parse_commands(mixed)[1:] if kind == "error"]
    titles = [(properties["title"], data.split(" ")[0]) for properties, data in failures]
    assert titles == [
        ("FR-LD-VAL-02 (MUST)", "inconsistent"),
        ("FR-LD-LST-05 (MUST) fails", "LD-LST-05-01"),
        ("FR-LD-LST-05 (MUST) fails", "LD-LST-05-02"),
        ("FR-LD-LST-05 (MUST) fails", "LD-LST-05-03"),
        ("LD-LST-06-01: fault", "candidate"),
    ]


def test_a_failure_has_its_feature_line_evidence_and_rerun_command(mixed: Json) -> None:
    (found,) = [each for each in parse_commands(mixed) if each[2].startswith("LD-LST-05-01")]
    assert (found[1]["file"], found[1]["line"]) == ("features/list_directory/traversal.feature", "12")
    assert found[2].split("\n") == [
        "LD-LST-05-01 pre-order decides survivors, path order decides output",
        "the entries differ from the expected ones",
        "tree: a/{b}, a-b",
        "expected: a, a/b",
        "got: a, a-b",
        "re-run: treeproof run TARGET --select LD-LST-05-01",
    ]


def test_an_unverified_requirement_is_a_warning_with_its_remedy(mixed: Json) -> None:
    warnings = [data for kind, _, data in parse_commands(mixed) if kind == "warning"]
    assert any("FR-LD-LST-08, FR-LD-LST-09\nremedy: none on your side" in data for data in warnings)


def test_a_failure_that_does_not_decide_the_exit_code_is_no_error(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    requirements = [requirement("FR-A", "FAIL", level="SHOULD"), requirement("FR-B", "FAIL", known=True)]
    held = run(requirements, [scenario("A-1", "FR-A", "failed"), scenario("B-1", "FR-B", "failed")])
    assert [kind for kind, _, _ in parse_commands(held)[1:]] == ["warning", "notice"]


def test_the_number_of_commands_is_limited_and_the_rest_is_counted(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    many = run([requirement("FR-A", "FAIL")], [scenario(f"A-{i}", "FR-A", "failed") for i in range(60)])
    found = parse_commands(many)
    assert len(found) == 52
    assert found[-1] == ("notice", {"title": "treeproof"}, "10 more in the other reports")


def test_no_text_begins_a_command_or_ends_a_property(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    hostile = "50%25, a:b,line=7::warning::x\n::error::owned\r%0A::set-env name=a::b"
    failed = scenario("A-1", "FR-A", "failed", message=hostile) | {"file": hostile}
    found = parse_commands(run([requirement("FR-A", "FAIL")], [failed]))
    assert len(found) == 2
    assert found[1][1]["file"] == hostile.replace("\n", "\\n").replace("\r", "\\r")
    assert found[1][1]["line"] == "12"
    assert hostile.replace("\r", "\\r") in found[1][2]
