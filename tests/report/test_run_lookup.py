"""`treeproof explain ID --report run.json`: the results of a run for an id."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from treeproof.cli import main
from treeproof.errors import UsageError
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.report.document import dump
from treeproof.report.run_lookup import print_run_lookup
from treeproof.verdict.run_document import RunDocument

Json = dict[str, Any]


def lookup_lines(run: Json, id: str) -> list[str]:
    stream = io.StringIO()
    print_run_lookup(RunDocument.from_json(run), "run.json", id, ConsoleWriter(console_for(stream, {"COLUMNS": "100"})))
    return [line.strip() for line in stream.getvalue().split("\n")]


def test_a_requirement_is_shown_with_verdict_scenarios_and_evidence(mixed: Json) -> None:
    lines = lookup_lines(mixed, "FR-LD-LST-05")
    for line in [
        "results in run.json · acme-tools 3.1.0 · non-conformant",
        "verdict    FAIL",
        "3 scenarios failed",
        "LD-LST-05-01  pre-order decides survivors, path order decides output",
        "got        a, a-b",
        "re-run     treeproof run TARGET --select LD-LST-05-01",
    ]:
        assert line in lines, line


def test_an_unverified_requirement_is_shown_with_cause_and_remedy(mixed: Json) -> None:
    lines = lookup_lines(mixed, "FR-LD-LST-07")
    assert "verdict    NOT VERIFIED" in lines
    assert "cause      the candidate does not declare the capability config" in lines
    assert any(line.startswith("remedy     implement this part") for line in lines)


def test_a_scenario_is_shown_with_its_readings_and_warnings(mixed: Json) -> None:
    lines = lookup_lines(mixed, "LD-VAL-01-01")
    assert "outcome    passed" in lines and "verifies   FR-LD-VAL-01, PASS" in lines
    assert "readings   AMB-LD-01=exceeded" in lines
    assert "warning    the answer has members that the protocol does not name: extra" in lines
    assert "stderr     panic: runtime error: index out of range [3] with length 3" in lookup_lines(
        mixed, "LD-LST-06-01"
    )


def test_a_requirement_is_shown_with_its_causes(mixed: Json) -> None:
    lines = lookup_lines(mixed, "FR-LD-LST-05")
    assert "cause 2    wrong answer (2 scenarios): why LD-LST-05-02 ended failed" in lines
    assert "cause 3    wrong answer (1 scenario): the entries differ from the expected ones" in lines
    assert "cause 1    crash or hang (1 scenario): candidate fault (exit): it ended with status 139 in the" in (
        lookup_lines(mixed, "FR-LD-LST-06")
    )


def test_a_failed_scenario_names_its_cause(mixed: Json) -> None:
    scenarios = mixed["specs"][0]["scenarios"]
    for scenario in scenarios[:3]:
        scenario["evidence"]["message"] = "the entries differ"
    lines = lookup_lines(mixed, "LD-LST-05-02")
    assert "cause 2    wrong answer (3 scenarios): the entries differ" in lines
    scenarios[1]["requirement"] = "FR-LD-VAL-01"
    evidence = {"message": "the entries differ", "kind": "the entries differ"}
    scenarios[1]["findings"] = [{"requirement": "FR-LD-LST-05", "call": 1, "decides": True, "evidence": evidence}]
    lines = lookup_lines(mixed, "LD-LST-05-02")
    assert any("a finding on FR-LD-LST-05): the entries differ" in line for line in lines), lines


def test_what_is_blocked_is_shown_with_its_evidence_and_the_requirement_that_blocks_it(mixed: Json) -> None:
    blocked = {"cause": "blocked by FR-LD-LST-05", "code": "blocked", "blocked_by": "FR-LD-LST-05"}
    requirement = mixed["specs"][0]["requirements"][4]
    scenario = mixed["specs"][0]["scenarios"][4]
    requirement |= blocked
    scenario["evidence"] = {**blocked, "tree": "a/{b}", "message": "the entries differ from the expected ones"}
    for id in ("LD-LST-07-01", "FR-LD-LST-07"):
        lines = lookup_lines(mixed, id)
        assert "blocked by FR-LD-LST-05, FAIL: depth-first pre-order, siblings by ascending lossy name" in lines
        assert "tree       a/{b}" in lines and "message    the entries differ from the expected ones" in lines
        assert "re-run     treeproof run TARGET --select LD-LST-07-01" in lines
        at = lines.index("The failure of FR-LD-LST-05, which blocks it:")
        assert lines[at + 1] == "treeproof explain FR-LD-LST-05 --report run.json"
        assert not any(line.startswith("cause ") for line in lines)
    assert any(line.startswith("remedy     correct the requirement that blocks it") for line in lines)
    assert "blocks 1 scenario of 1 requirement: FR-LD-LST-07" in lookup_lines(mixed, "FR-LD-LST-05")


def test_an_interpretation_is_shown_with_the_scenarios_of_each_reading(mixed: Json) -> None:
    lines = lookup_lines(mixed, "AMB-LD-02")
    assert "inconsistent: scenarios observed different readings" in lines
    assert "b  observed by 1 scenario" in lines and "LD-VAL-02-01" in lines
    assert "no reading was observed in this run" in lookup_lines(mixed, "AMB-LD-03")


def test_an_id_that_is_not_in_the_run_is_refused(mixed: Json) -> None:
    with pytest.raises(UsageError, match="run.json: does not contain FR-X-01"):
        lookup_lines(mixed, "FR-X-01")


def test_the_command_prints_the_explanation_before_the_results(
    mixed: Json, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    mixed["specs"][0]["scenarios"][0]["id"] = "OLD-01"
    Path("run.json").write_bytes(dump(RunDocument.from_json(mixed)))
    assert main(["explain", "LD-LST-05-03", "--report", "run.json"]) == 0
    text = capsys.readouterr().out
    assert text.index("LD-LST-05-03  verifies") < text.index("requirement\n") < text.index("results in run.json")
    assert main(["explain", "OLD-01", "--report", "run.json"]) == 0  # no longer in any catalogue
    assert capsys.readouterr().out.count("OLD-01") == 2
    assert main(["explain", "OLD-02", "--report", "run.json"]) == 2
    assert main(["explain", "FR-LD-LST-05", "--report", "none.json"]) == 2
    assert "none.json: cannot be read: No such file" in capsys.readouterr().err
