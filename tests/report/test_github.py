"""Workflow commands: each line is one command, escaped as the runner unescapes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from treeproof.report.formats import github
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]

COMMAND = re.compile(r"::(?P<kind>error|warning|notice) (?P<properties>[^:]*)::(?P<data>.*)")


def parse_commands(run: Json, environ: Mapping[str, str] | None = None) -> list[tuple[str, dict[str, str], str]]:
    """Parse the lines as the runner does."""
    lines = github.dump(RunDocument.from_json(run), environ or {}).decode("utf-8").removesuffix("\n").split("\n")
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


def test_a_cause_has_the_evidence_and_rerun_command_of_its_smallest_case(mixed: Json) -> None:
    (found,) = [each for each in parse_commands(mixed) if "LD-LST-05-01" in each[2]]
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


@pytest.mark.parametrize(
    ("target", "workspace", "file"),
    [
        ("treeproof.toml", "", "treeproof.toml"),
        (".", "", "treeproof.toml"),
        ("./tools/other.toml", "", "tools/other.toml"),
        ("tools", "", "tools/treeproof.toml"),
        ("sub", "{cwd}", "sub/treeproof.toml"),
        ("sub", "{parent}", "{name}/sub/treeproof.toml"),
        ("sub", "{cwd}/other", None),
        ("../treeproof.toml", "", None),
        ("/elsewhere/treeproof.toml", "", None),
        ("reference", "", None),
        ("mutant:MUT-001", "", None),
        ("stdio:node server.toml", "", None),
        ("mcp+http://127.0.0.1:8080/mcp", "", None),
    ],
)
def test_a_command_points_to_the_manifest_if_the_run_has_one(
    mixed: Json, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, workspace: str, file: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"cwd": str(tmp_path), "parent": str(tmp_path.parent), "name": tmp_path.name}
    mixed["command"] = [target, "--spec", "ls"]
    found = parse_commands(mixed, {"GITHUB_WORKSPACE": workspace.format_map(names)})
    expected = (file.format_map(names), "1") if file else (None, None)
    assert {(properties.get("file"), properties.get("line")) for _, properties, _ in found} == {expected}


def test_no_command_occurs_twice(mixed: Json) -> None:
    mixed["specs"].append({**mixed["specs"][0], "name": "ls"})
    mixed["warnings"] *= 3
    found = parse_commands(mixed)
    assert len(found) == len({(kind, properties["title"], data) for kind, properties, data in found})
    gaps = [data for _, properties, data in found if properties["title"] == "not verified: 4 requirements"]
    assert len(gaps) == 1 and "\nFR-LD-LST-08, FR-LD-LST-09, FR-LD-LST-08, FR-LD-LST-09\n" in gaps[0]


def test_no_text_begins_a_command_or_ends_a_property(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    hostile = "50%25, a:b,line=7::warning::x\n::error::owned\r%0A::set-env name=a::b"
    failed = scenario("A-1", "FR-A", "failed", message=hostile)
    found = parse_commands(run([requirement("FR-A", "FAIL")], [failed], command=[f"./{hostile}.toml"]))
    assert len(found) == 2
    escaped = hostile.replace("\r", "\\r")
    assert found[1][1]["file"] == escaped.replace("\n", "\\n") + ".toml"
    assert found[1][1]["line"] == "1"
    assert escaped in found[1][2]
