"""Two runs: what is new, fixed, different or missing; what decides; and every format of the comparison."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.report.comparison import Group, RunComparison, compare_runs
from treeproof.report.comparison_report import print_comparison
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.document import dump
from treeproof.report.formats.registry import COMPARISON_FORMATS
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]
MakeRun = Callable[..., Json]


@pytest.fixture
def run_of(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> Callable[..., Json]:
    """Return a function that makes a run from outcomes or scenarios: `S_1="passed"`, all of them of A-1 to A-9."""

    def make(day: int = 1, /, *, catalogue: str = "123456789", **outcomes: str | Json) -> Json:
        scenarios = []
        for name, outcome in outcomes.items():
            number = name.removeprefix("S_")
            record = scenario(f"S-{number}", f"A-{number}", outcome if isinstance(outcome, str) else outcome["outcome"])
            record["evidence"].update({} if isinstance(outcome, str) else outcome["evidence"])
            scenarios.append(record)
        verdicts = {"passed": "PASS", "failed": "FAIL"}
        requirements = [
            requirement(
                f"A-{number}",
                verdicts.get(next((s["outcome"] for s in scenarios if s["id"] == f"S-{number}"), ""), "NOT VERIFIED"),
                scenarios=[f"S-{number}"],
            )
            for number in catalogue
        ]
        return run(requirements, scenarios, started=f"2001-01-{day:02}T00:00:00Z")

    return make


def failing(kind: str, outcome: str = "failed") -> Json:
    evidence = {"message": f"{kind} is wrong", "kind": kind}
    return {"outcome": outcome, "evidence": evidence if outcome == "failed" else {"cause": f"exit: {kind}"}}


def grouped(found: RunComparison) -> dict[str, list[str]]:
    return {str(group): ids for group in Group if (ids := [one.now.to_json()["id"] for one in found.of_group(group)])}


def test_each_scenario_is_in_one_group_by_its_results(run_of: MakeRun) -> None:
    old = run_of(
        S_1="passed",
        S_2=failing("x"),
        S_3=failing("x"),
        S_4=failing("x"),
        S_5="passed",
        S_6=failing("x", "fault"),
        S_7="not-verified",
        S_8=failing("x", "fault"),
    )
    new = run_of(
        2,
        S_1=failing("x"),
        S_2="passed",
        S_3=failing("y"),
        S_4=failing("x"),
        S_5=failing("x", "fault"),
        S_6="passed",
        S_7=failing("x"),
        S_8=failing("y"),
    )
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert grouped(found) == {
        "new_failures": ["S-1"],
        "changed_failures": ["S-3"],
        "new_faults": ["S-5"],
        "first_failures": ["S-7", "S-8"],
        "fixed": ["S-2"],
        "faults_gone": ["S-6"],
    }
    assert (found.compared, found.unchanged, found.missing) == (8, 1, [])
    assert [one.why for one in found.of_group(Group.FIRST_FAILURES)] == ["why S-7 ended not-verified", "exit: x"]
    assert [(one.requirement.to_json()["id"], one.before, one.now, one.change) for one in found.requirements][:2] == [
        ("A-1", "PASS", "FAIL", "worse"),
        ("A-2", "FAIL", "PASS", "better"),
    ]


@pytest.mark.parametrize(
    ("before", "now", "exit", "result"),
    [
        ("passed", "passed", 0, "not worse"),
        ("passed", "failed", 1, "worse"),
        ("failed", "passed", 0, "not worse"),
        ("failed", "failed", 0, "not worse"),
        ("not-verified", "failed", 0, "not worse"),
        ("passed", "fault", 4, "fault"),
        ("fault", "fault", 0, "not worse"),
        ("passed", "not-verified", 3, "incomplete"),
        ("failed", "not-verified", 3, "incomplete"),
        ("not-verified", "not-verified", 0, "not worse"),
    ],
)
def test_the_exit_code_is_that_of_what_became_worse(
    run_of: MakeRun, before: str, now: str, exit: int, result: str
) -> None:
    found = compare_runs(RunDocument.from_json(run_of(S_1=before)), RunDocument.from_json(run_of(2, S_1=now)))
    assert (found.exit, found.result) == (exit, result), found.reason


def test_another_way_of_failing_is_worse_only_within_one_version_of_treeproof(run_of: MakeRun) -> None:
    old, new = run_of(S_1=failing("x")), run_of(2, S_1=failing("y"))
    assert compare_runs(RunDocument.from_json(old), RunDocument.from_json(new)).exit == 1
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new | {"treeproof": "0.2.0"}))
    assert (found.exit, grouped(found)) == (0, {"changed_failures": ["S-1"]})
    assert any("another way of failing decides nothing" in note for note in found.notes)


def test_what_the_run_does_not_count_decides_nothing(run_of: MakeRun) -> None:
    old, new = run_of(S_1="passed"), run_of(2, S_1="failed")
    for place, change in (
        ("requirements", {"level": "SHOULD"}),
        ("requirements", {"known": True}),
        ("scenarios", {"known": True}),
    ):
        other = copy.deepcopy(new)
        other["specs"][0][place][0] |= change
        if place == "scenarios":
            other["specs"][0]["requirements"][0]["known"] = True
        found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(other))
        assert (found.exit, grouped(found)) == (0, {"new_failures": ["S-1"]}), change
    strict = copy.deepcopy(new) | {"profile": "strict"}
    strict["specs"][0]["requirements"][0]["level"] = "SHOULD"
    assert compare_runs(RunDocument.from_json(old), RunDocument.from_json(strict)).exit == 1


def test_a_requirement_that_fails_without_a_failed_scenario_is_worse(run_of: MakeRun) -> None:
    old, new = run_of(S_1="passed"), run_of(2, S_1="passed")
    new["specs"][0]["requirements"][0] |= {"verdict": "FAIL", "cause": "inconsistent readings"}
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert (found.exit, found.reason) == (1, "1 requirement that passed fails now")


def test_what_was_not_executed_is_never_fixed(run_of: MakeRun) -> None:
    old = run_of(S_1=failing("x"), S_2=failing("x"), S_3="passed")
    new = run_of(2, S_1="passed") | {"selection": ["S-1"], "claim": False}
    for one in new["specs"][0]["requirements"][1:]:
        one |= {"code": "not_selected", "cause": "not selected"}
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert grouped(found) == {"fixed": ["S-1"]}
    assert [(one.reason, one.failed, one.passed, one.decides) for one in found.missing] == [
        ("not selected in NEW", ["S-2"], ["S-3"], False)
    ]
    assert found.exit == 0 and [one.requirement.to_json()["id"] for one in found.requirements] == ["A-1"]
    assert "NEW was narrowed to S-1; 2 scenarios of OLD are not compared: neither fixed nor worse." in found.notes
    assert (
        compare_runs(
            RunDocument.from_json(old), RunDocument.from_json(run_of(2, S_1="passed") | {"interrupted": True})
        ).exit
        == 3
    )


def test_a_part_of_a_requirement_shows_no_better_verdict(run_of: MakeRun) -> None:
    old = run_of(S_1=failing("x"), S_2=failing("x"))
    old["specs"][0]["scenarios"][1]["requirement"] = "A-1"
    new = run_of(2, S_1="passed") | {"selection": ["S-1"], "claim": False}
    assert compare_runs(RunDocument.from_json(old), RunDocument.from_json(new)).requirements == []


def test_a_scenario_that_the_older_run_did_not_execute_is_no_new_failure(run_of: MakeRun) -> None:
    old, new = run_of(S_1="passed", catalogue="1"), run_of(2, S_1="passed", S_2="failed")
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert (found.exit, grouped(found)) == (0, {"first_failures": ["S-2"]})
    assert found.of_group(Group.FIRST_FAILURES)[0].why == "the catalogue of OLD does not contain it"
    assert "list_directory: 8 scenarios of NEW are not in the catalogue of OLD." in found.notes


def test_a_scenario_that_left_the_catalogue_is_not_lost(run_of: MakeRun) -> None:
    found = compare_runs(
        RunDocument.from_json(run_of(S_1="passed", S_2="failed")),
        RunDocument.from_json(run_of(2, S_1="passed", catalogue="1")),
    )
    assert found.exit == 0
    assert [(one.reason, one.failed) for one in found.missing] == [
        ("the catalogue of NEW does not contain it", ["S-2"])
    ]


def test_runs_without_a_common_scenario_show_nothing(run_of: MakeRun) -> None:
    old, new = run_of(S_1="passed"), run_of(2, S_1="passed")
    new["specs"][0]["name"] = "other"
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert (found.exit, found.reason) == (3, "the two runs have no scenario in common")
    assert {"Only OLD ran list_directory: nothing of it is compared."} <= set(found.notes)


def test_notes_name_what_the_runs_do_not_have_in_common(run_of: MakeRun) -> None:
    old, new = run_of(2, S_1="passed"), run_of(1, S_1="passed")
    assert compare_runs(RunDocument.from_json(new), RunDocument.from_json(old)).notes == []
    new |= {"profile": "strict", "seed": 7, "machine": {**new["machine"], "strace": True}}
    new["baseline"] = {"file": "b.toml", "entries": []}
    new["candidate"] = {**new["candidate"], "name": "other", "adapter": "mcp"}
    new["specs"][0]["version"] = "1.2"
    assert compare_runs(RunDocument.from_json(old), RunDocument.from_json(new)).notes == [
        "These are two candidates: acme-tools 3.1.0 (OLD) and other 3.1.0 (NEW). New and fixed are differences between "
        "them, and no progress of one of them.",
        "OLD was connected by the adapter stdio, NEW by mcp.",
        "OLD started after NEW (2001-01-02T00:00:00Z, 2001-01-01T00:00:00Z): check the order of the two files.",
        "list_directory: OLD has version 1.1, NEW version 1.2. Equal ids are compared.",
        "OLD has the profile default, NEW strict: they accept different readings.",
        "NEW has a baseline; its known failures decide nothing.",
        "The random cases of properties differ (seed 0, 7).",
        "The hosts differ (OLD, NEW): strace no, yes.",
    ]


def test_readings_are_compared_in_common_scenarios(run_of: MakeRun) -> None:
    old, new = run_of(S_1="passed", S_2="passed"), run_of(2, S_1="passed")
    for document, labels in ((old, ("a", "c")), (new, ("b",))):
        document["specs"][0]["interpretations"] = [
            {"id": "AMB-1", "observed": sorted(labels), "treatment": "any", "consistent": True}
        ]
        for record, label in zip(document["specs"][0]["scenarios"], labels, strict=True):
            record["readings"] = {"AMB-1": label}
    (changed,) = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new)).readings
    assert (changed.id, changed.before, changed.now) == ("AMB-1", ["a"], ["b"])
    new["specs"][0]["scenarios"][0]["readings"] = {"AMB-1": "a"}
    assert compare_runs(RunDocument.from_json(old), RunDocument.from_json(new)).readings == []


def test_a_slower_scenario_is_reported_and_decides_nothing(run_of: MakeRun) -> None:
    old, new = (run_of(day, **{f"S_{i}": "passed" for i in range(1, 10)}) for day in (1, 2))
    new["specs"][0]["scenarios"][0]["seconds"] = 0.9
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert [(one.id, one.before, one.now) for one in found.slower] == [("S-1", 0.004, 0.9)] and found.exit == 0
    for record in new["specs"][0]["scenarios"]:  # a slower machine
        record["seconds"] = 0.9
    assert compare_runs(RunDocument.from_json(old), RunDocument.from_json(new)).slower == []
    for record, seconds in zip(new["specs"][0]["scenarios"], [0.4, *[0.004] * 8], strict=True):
        record["seconds"] = seconds
    assert compare_runs(RunDocument.from_json(old), RunDocument.from_json(new)).slower == []


def text_of(found: RunComparison, columns: int = 100) -> str:
    stream = io.StringIO()
    print_comparison(found, ConsoleWriter(console_for(stream, {"COLUMNS": str(columns)})))
    return stream.getvalue()


def test_the_terminal_prints_groups_with_entries_alone_and_the_result_last(run_of: MakeRun) -> None:
    text = text_of(
        compare_runs(
            RunDocument.from_json(run_of(S_1="passed")),
            RunDocument.from_json(run_of(2, S_1="failed")),
            ("a.json", "b.json"),
        )
    )
    assert (
        "New failures · 1 scenario, 1 cause\n✗ A-1 · MUST · 1 scenario: S-1\n"
        "    case       the title of S-1\n    now        why S-1 ended failed\n" in text
    )
    assert "  PASS → FAIL, worse: A-1\n" in text
    assert text.split("\n")[-2] == "worse: 1 scenario that passed fails now"
    for title in ("Fixed", "Slower", "readings", "No result", "another way"):
        assert title not in text
    same = text_of(
        compare_runs(RunDocument.from_json(run_of(S_1="passed")), RunDocument.from_json(run_of(2, S_1="passed")))
    )
    assert [line for line in same.split("\n") if "·" in line and not line.startswith(("OLD", "NEW"))] == []


def test_json_has_every_change(run_of: MakeRun) -> None:
    old = run_of(S_1="passed", S_2=failing("x"), S_3="passed")
    new = run_of(2, S_1=failing("y"), S_2="passed", S_3="not-verified")
    found = json.loads(
        COMPARISON_FORMATS["json"](
            compare_runs(RunDocument.from_json(old), RunDocument.from_json(new), ("a.json", "b.json"))
        )
    )
    assert (found["result"], found["exit"], found["compared"], found["unchanged"]) == ("worse", 1, 3, 0)
    assert found["scenarios"]["new_failures"] == [
        {
            "spec": "list_directory",
            "id": "S-1",
            "requirement": "A-1",
            "level": "MUST",
            "title": "the title of S-1",
            "decides": True,
            "before": "passed",
            "now": "failed",
            "message": "y is wrong",
        }
    ]
    assert found["scenarios"]["fixed"][0]["message_before"] == "x is wrong"
    assert found["missing"] == [
        {"reason": "why S-3 ended not-verified", "decides": True, "failed": [], "passed": ["S-3"]}
    ]
    assert found["old"]["file"] == "a.json" and found["new"]["started"] == "2001-01-02T00:00:00Z"
    assert [one["change"] for one in found["requirements"]] == ["worse", "better", "lost"]


def test_a_verdict_that_is_lost_is_not_better(run_of: MakeRun) -> None:
    old = run_of(S_1=failing("x"), S_2="passed")
    new = run_of(2, S_1=failing("timeout", "fault"), S_2=failing("timeout", "fault"))
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert [(one.before, one.now, one.change) for one in found.requirements] == [
        ("FAIL", "NOT VERIFIED", "lost"),
        ("PASS", "NOT VERIFIED", "lost"),
    ]
    for text in (text_of(found), COMPARISON_FORMATS["html"](found).decode()):
        assert "lost" in text and "better" not in text


def test_the_scenarios_of_a_group_are_by_cause(run_of: MakeRun, scenario: Callable[..., Json]) -> None:
    old = run_of(S_1="passed", S_2="passed", S_3="passed")
    new = run_of(2, S_1=failing("y"), S_2=failing("x"), S_3=failing("x"))
    for one in new["specs"][0]["scenarios"][1:]:
        one["requirement"] = "A-2"
    new["specs"][0]["scenarios"][1]["evidence"]["tree"] = "a, b, c"
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    causes = found.causes_of(Group.NEW_FAILURES)
    assert [(one.cause.requirement.id, [change.now.id for change in one.changes]) for one in causes] == [
        ("A-2", ["S-3", "S-2"]),  # the smallest case first
        ("A-1", ["S-1"]),
    ]
    page = COMPARISON_FORMATS["html"](found).decode()
    assert page.count('<details class="panel change"') == 2 and page.count('<details class="more" id="S-2"') == 1


def many(run: Callable[..., Json], requirement: Any, scenario: Any, outcome: str, kind: str, day: int) -> Json:
    ids = range(1500)
    records = [scenario(f"S-{i}", f"A-{i}", outcome) for i in ids]
    for record in records:
        record["evidence"] |= {"kind": kind, "tree": "x" * 3000} if outcome == "failed" else {}
    requirements = [requirement(f"A-{i}", "FAIL" if outcome == "failed" else "PASS", scenarios=[f"S-{i}"]) for i in ids]
    return run(requirements, records, started=f"2001-01-{day:02}T00:00:00Z")


def test_1500_new_failures_fit_into_a_bounded_page(
    run: Callable[..., Json], requirement: Callable[..., Json], scenario: Callable[..., Json]
) -> None:
    old = many(run, requirement, scenario, "passed", "", 1)
    new = many(run, requirement, scenario, "failed", "x", 2)
    found = compare_runs(RunDocument.from_json(old), RunDocument.from_json(new))
    assert "and 1460 more" in text_of(found)
    page = COMPARISON_FORMATS["html"](found)
    assert page.count(b'<details class="panel change"') == 1500 and len(page) < 2_500_000


def test_no_text_of_a_candidate_is_markup_or_a_command(mixed: Json, hostile_texts: str) -> None:
    new = copy.deepcopy(mixed)
    for document in (mixed, new):
        document["candidate"] |= {"name": hostile_texts, "version": hostile_texts}
    for record in new["specs"][0]["scenarios"]:
        record |= {"outcome": "failed", "title": hostile_texts}
        record["evidence"] |= {"message": hostile_texts, "kind": hostile_texts, "got": hostile_texts}
    found = compare_runs(RunDocument.from_json(mixed), RunDocument.from_json(new))
    page = COMPARISON_FORMATS["html"](found).decode()
    assert page.count("<script>") == 1 and "<img" not in page and "\x1b" not in page and "\u202e" not in page
    text = text_of(found)
    assert "\x1b" not in text and "\u202e" not in text
    assert not [line for line in text.split("\n") if line.lstrip().startswith("::")]


@pytest.mark.parametrize("reverse", [False, True])
def test_the_case_is_shown_from_the_run_that_failed(run_of: MakeRun, reverse: bool) -> None:
    broken = failing("order")
    broken["evidence"] |= {"tree": "a/{b}", "call": {"tool": "t", "arguments": "{}"}}
    runs = [
        RunDocument.from_json(json.loads(dump(RunDocument.from_json(run))))
        for run in (run_of(1, S_1="passed"), run_of(2, S_1=broken))
    ]
    old, new = runs[::-1] if reverse else runs
    page = COMPARISON_FORMATS["html"](compare_runs(old, new)).decode()
    assert "<pre>a/{b}</pre>" in page and '<p class="dim">as expected</p>' in page


@pytest.fixture
def hostile_texts() -> str:
    return "\n::error::x\r\x1b[2J\u202e <script>alert(1)</script> <img src=x onerror=1> `a` @octocat \ud800"


def test_compare_writes_every_format_and_returns_the_code(
    run_of: MakeRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    fail = run_of(2, S_1="failed", catalogue="1") | {"verdict": "non-conformant", "exit": 1}
    Path("old.json").write_bytes(dump(RunDocument.from_json(run_of(S_1="passed", catalogue="1"))))
    Path("new.json").write_bytes(dump(RunDocument.from_json(fail)))
    reports = [word for name in ("html", "json") for word in ("--report", f"{name}=c.{name}")]
    assert main(["compare", "old.json", "new.json", *reports]) == 1
    assert capsys.readouterr().out.endswith("worse: 1 scenario that passed fails now\n")
    assert json.loads(Path("c.json").read_text())["old"]["file"] == "old.json"
    assert b"comparison of two runs" in Path("c.html").read_bytes()
    assert main(["compare", "new.json", "old.json", "--report", "json=-"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["result"] == "not worse" and "not worse: " in captured.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["old.json", "old.json"], "old.json: given twice; name each report once"),
        (["old.json", "none.json"], "none.json: cannot be read"),
        (["bad.json", "old.json"], "bad.json: not JSON"),
        (["other.json", "old.json"], "other.json: not a run report"),
        (["forged.json", "old.json"], "forged.json: its conclusion is conformant, and its own records show"),
        (["old.json", "old2.json", "--report", "tap=x"], "unknown format 'tap'; formats are html, json"),
    ],
)
def test_bad_input_is_one_error(
    run_of: MakeRun,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("old.json", "old2.json"):
        Path(name).write_bytes(dump(RunDocument.from_json(run_of(S_1="passed", catalogue="1"))))
    Path("forged.json").write_bytes(dump(RunDocument.from_json(run_of(S_1="failed", catalogue="1"))))
    Path("bad.json").write_text("{")
    Path("other.json").write_text("{}")
    assert main(["compare", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err and captured.err.count("\n") == 1 and captured.out == ""
