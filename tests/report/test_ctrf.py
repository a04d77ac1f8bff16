"""CTRF: conforms to the published schema (`schemas/ctrf.json`, with its licence); five states for the outcomes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from treeproof.report.formats import ctrf

Json = dict[str, Any]

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "ctrf.json").read_text("utf-8"))


def dump_ctrf(run: Json) -> Json:
    value: Json = json.loads(ctrf.dump(run))
    assert list(Draft7Validator(SCHEMA).iter_errors(value)) == []
    return value["results"]  # type: ignore[no-any-return]


def by_id(run: Json) -> dict[str, Json]:
    return {test["name"].split(" ")[0]: test for test in dump_ctrf(run)["tests"]}


@pytest.mark.parametrize(
    ("id", "status", "raw"),
    [
        ("LD-VAL-01-01", "passed", "passed"),
        ("LD-LST-05-01", "failed", "failed"),
        ("LD-LST-06-01", "other", "fault"),
        ("LD-LST-07-01", "pending", "not verified"),
        ("LD-LST-10-01", "skipped", "not applicable"),
        ("FR-LD-LST-08", "pending", "not verified"),
        ("FR-LD-LST-11", "skipped", "excluded"),
        ("FR-LD-VAL-02", "failed", "failed"),
    ],
)
def test_each_outcome_has_its_status(mixed: Json, id: str, status: str, raw: str) -> None:
    test = by_id(mixed)[id]
    assert (test["status"], test["rawStatus"]) == (status, raw)


def test_a_test_has_its_place_requirement_and_evidence(mixed: Json) -> None:
    test = by_id(mixed)["LD-LST-05-01"]
    assert test["suite"] == ["list_directory 1.1", "3.4 Traversal semantics", "FR-LD-LST-05"]
    assert (test["filePath"], test["line"]) == ("features/list_directory/traversal.feature", 12)
    assert test["tags"] == ["MUST", "FAIL"]
    assert test["message"] == "the entries differ from the expected ones"
    assert "expected: a, a/b\n" in test["trace"] and test["duration"] == 4
    assert by_id(mixed)["LD-VAL-01-01"]["extra"]["readings"] == {"AMB-LD-01": "exceeded"}


def test_the_summary_counts_the_tests(mixed: Json) -> None:
    results = dump_ctrf(mixed)
    counts = Counter(test["status"] for test in results["tests"])
    summary = results["summary"]
    assert {status: summary[status] for status in counts} == dict(counts)
    assert summary["tests"] == len(results["tests"]) == 12
    assert (summary["start"], summary["stop"], summary["duration"]) == (981173106000, 981173108440, 2440)


def test_only_a_run_with_exit_code_0_is_healthy(mixed: Json, run: Callable[..., Json]) -> None:
    assert dump_ctrf(mixed)["environment"]["healthy"] is False
    assert dump_ctrf(run([], []))["environment"]["healthy"] is True
    partial = dump_ctrf(run([], [], verdict="partial", claim=False))
    assert partial["environment"]["reportName"] == "treeproof: partial (not a conformance claim)"
    assert (partial["extra"]["verdict"], partial["extra"]["claim"]) == ("partial", False)
