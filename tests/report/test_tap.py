"""TAP 14, parsed by a small strict parser of the grammar of its specification."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from treeproof.report.formats import tap

Json = dict[str, Any]

POINT = re.compile(r"(?P<not>not )?ok (?P<number>\d+) - (?P<rest>.*)")
DIRECTIVE = re.compile(r"^(?P<description>.*?)(?<!\\) # (?P<directive>SKIP|TODO) (?P<reason>.+)$")


@dataclass
class Point:
    """A test point as a harness sees it."""

    ok: bool
    number: int
    description: str
    directive: str = ""
    reason: str = ""
    yaml: dict[str, Any] = field(default_factory=dict)


def unescape(text: str) -> str:
    return re.sub(r"\\([\\#])", r"\1", text)


def parse_tap(data: bytes) -> list[Point]:
    """Parse a document; a line that is not in the grammar fails an assertion."""
    version, plan, *lines = data.decode("utf-8").removesuffix("\n").split("\n")
    assert version == "TAP version 14"
    planned = re.fullmatch(r"1\.\.(\d+)", plan)
    assert planned
    points: list[Point] = []
    rest = iter(lines)
    for line in rest:
        if line == "  ---":
            points[-1].yaml = parse_yaml(list(iter(lambda: next(rest), "  ...")))
        elif not line.startswith("#"):
            points.append(parse_point(line))
    assert [each.number for each in points] == list(range(1, int(planned[1]) + 1))
    return points


def parse_point(line: str) -> Point:
    found = POINT.fullmatch(line)
    assert found, line
    ok, number, rest = not found["not"], int(found["number"]), found["rest"]
    directed = DIRECTIVE.fullmatch(rest)
    if directed is None:
        assert not re.search(r"(?<!\\)(?:\\\\)*#", rest), line
        return Point(ok, number, unescape(rest))
    return Point(ok, number, unescape(directed["description"]), directed["directive"], unescape(directed["reason"]))


def parse_yaml(lines: list[str]) -> dict[str, Any]:
    """Parse the block mappings and sequences of JSON texts that treeproof writes; TAP harnesses parse all of YAML."""
    found: dict[str, Any] = {}
    for line in lines:
        item = re.fullmatch(r'    - (".*")', line)
        member = re.fullmatch(r"(  |    )(\w+):(?: (.+))?", line)
        if item:
            last = next(reversed(found))
            found[last] = [*(found[last] or []), json.loads(item[1])]
        else:
            assert member, line
            inside = found if member[1] == "  " else found.setdefault("at", None) or found.update(at={}) or found["at"]
            inside[member[2]] = json.loads(member[3]) if member[3] else None
    return found


def by_id(run: Json) -> dict[str, Point]:
    return {each.description.split(" ")[0]: each for each in parse_tap(tap.dump(run))}


@pytest.mark.parametrize(
    ("id", "ok", "directive", "reason"),
    [
        ("LD-VAL-01-01", True, "", ""),
        ("LD-LST-05-01", False, "", ""),
        ("LD-LST-06-01", False, "", ""),
        ("LD-LST-07-01", True, "SKIP", "not verified: the candidate does not declare the capability config"),
        ("LD-LST-10-01", True, "SKIP", "not applicable: applies on Windows only"),
        ("FR-LD-LST-08", True, "SKIP", "not verified: no scenario verifies it yet"),
        ("FR-LD-LST-11", True, "SKIP", "excluded: a reason"),
    ],
)
def test_each_outcome_has_its_directive(mixed: Json, id: str, ok: bool, directive: str, reason: str) -> None:
    point = by_id(mixed)[id]
    assert (point.ok, point.directive, point.reason) == (ok, directive, reason)


def test_a_failure_and_a_fault_contain_their_evidence(mixed: Json) -> None:
    points = by_id(mixed)
    failed = points["LD-LST-05-01"].yaml
    assert (failed["outcome"], failed["requirement"], failed["level"], failed["verdict"]) == (
        "failed",
        "FR-LD-LST-05",
        "MUST",
        "FAIL",
    )
    assert failed["message"] == "the entries differ from the expected ones"
    assert failed["tree"] == "a/{b}, a-b" and failed["diff"] == ["- a/b", "+ a-b"]
    assert failed["at"] == {"file": "features/list_directory/traversal.feature", "line": 12}
    assert points["LD-LST-06-01"].yaml["outcome"] == "fault"
    assert points["LD-LST-06-01"].yaml["stderr"].startswith("panic")


def test_a_known_failure_is_a_todo_point(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    known = run([requirement("FR-A", "FAIL", known=True)], [scenario("A-1", "FR-A", "failed", message="m")])
    point = by_id(known)["A-1"]
    assert (point.ok, point.directive, point.reason) == (False, "TODO", "known failure: m")


def test_tap_syntax_in_a_text_stays_text(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    hostile = "a \\# # SKIP not \\\\ todo # TODO x\n  ...\nBail out! now\nok 1"
    failed = scenario("A-1", "FR-A", "failed", message=hostile, tree="...\n  ...\n---\n1..0")
    failed["title"] = hostile
    point = by_id(run([requirement("FR-A", "FAIL")], [failed]))["A-1"]
    assert not point.ok and point.directive == ""
    assert point.description == "A-1 a \\# # SKIP not \\\\ todo # TODO x\\n  ...\\nBail out! now\\nok 1"
    assert point.yaml["tree"] == ["...", "  ...", "---", "1..0"]


def test_a_run_without_scenarios_is_not_ok(run: Callable[..., Json]) -> None:
    (only,) = parse_tap(tap.dump(run([], [], verdict="incomplete", exit=3, reason="nothing was executed")))
    assert not only.ok


def test_the_conclusion_and_its_reason_are_the_first_comment(mixed: Json) -> None:
    assert tap.dump(mixed).decode().split("\n")[2] == (
        "# treeproof 0.1.0: non-conformant: 2 requirements do not hold: FR-LD-VAL-02, FR-LD-LST-05"
    )
