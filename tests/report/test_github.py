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


def test_each_cause_has_one_command_the_worst_first(mixed: Json) -> None:
    failures = [(properties["title"], data) for kind, properties, data in parse_commands(mixed)[1:] if kind == "error"]
    assert [(title, data.split("\n")[0]) for title, data in failures] == [
        ("FR-LD-LST-06 (MUST): crash or hang", mixed["specs"][0]["scenarios"][3]["evidence"]["cause"]),
        ("FR-LD-LST-05 (MUST): wrong answer", "why LD-LST-05-02 ended failed"),
        ("FR-LD-LST-05 (MUST): wrong answer", "the entries differ from the expected ones"),
        (
            "FR-LD-VAL-02 (MUST): wrong answer",
            "inconsistent readings of AMB-LD-02: LD-VAL-02-01 saw b, other scenarios saw a",
        ),
    ]


def test_a_cause_has_the_feature_line_evidence_and_rerun_command_of_its_smallest_case(mixed: Json) -> None:
    (found,) = [each for each in parse_commands(mixed) if "LD-LST-05-01" in each[2]]
    assert (found[1]["file"], found[1]["line"]) == ("features/list_directory/traversal.feature", "12")
    assert found[2].split("\n") == [
        "the entries differ from the expected ones",
        "LD-LST-05-01 pre-order decides survivors, path order decides output",
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
    assert [(kind, properties["title"][:4]) for kind, properties, _ in parse_commands(held)[1:]] == [
        ("notice", "FR-B"),
        ("warning", "FR-A"),
    ]


def test_the_number_of_commands_is_limited_and_the_rest_is_counted(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    many = run(
        [requirement("FR-A", "FAIL")], [scenario(f"A-{i}", "FR-A", "failed", message="x" * (i + 1)) for i in range(60)]
    )
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
