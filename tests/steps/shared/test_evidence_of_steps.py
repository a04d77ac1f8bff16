"""The evidence of steps that make or judge several calls, and of answers with the candidate's own error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from treeproof.run.runner import Options, run

CANDIDATES = '''
import importlib, json

class Changed:
    """The reference of a specification with a change to each result."""
    def __init__(self, spec, change):
        self.inner = importlib.import_module(f"treeproof.reference_impl.{spec}.candidate").candidate()
        self.change, self.count = change, 0
    def initialize(self, params): return self.inner.initialize(params)
    def describe(self, params): return self.inner.describe(params)
    def call(self, params):
        self.count += 1
        return self.change(self.count, params, self.inner.call(params))

def third_is_other():
    def change(count, params, answer):
        return {**answer, "content": answer["content"] + " "} if count == 3 else answer
    return Changed("list_directory", change)

def refuses():
    error = {"code": "INTERNAL_ERROR", "message": "my own words"}
    body = {"status": "error", "error": error, "text": "no", "data": {}, "stats": {}, "context": {}}
    return Changed("ls", lambda count, params, answer: {"status": "ok", "content": json.dumps(body)})

def nil_with_a_log():
    log = [{"level": "error", "message": "my own words"}]
    return Changed("fs_walkdir", lambda count, params, answer: {**answer, "content": "null", "log": log})

def fails():
    error = {"status": "error", "error": {"kind": "ExecutionFailed", "message": "my own words"}}
    return Changed("local_files", lambda count, params, answer: error)

def unsorted_and_wrong():
    def change(count, params, answer):
        if answer["status"] != "ok":
            return answer
        document = json.loads(answer["content"])
        for entry in document["entries"]:
            entry["size_bytes"] = 7 if entry["type"] == "dir" else entry["size_bytes"]
        return {**answer, "content": json.dumps(document, ensure_ascii=False, separators=(",", ":"))}
    return Changed("list_directory", change)
'''


@pytest.fixture(autouse=True)
def candidates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "changed_candidates.py").write_text(CANDIDATES, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


def evidence(spec: str, name: str, id: str) -> dict[str, Any]:
    target = f"python:changed_candidates:{name}"
    done = run(Options(target=target, specs=(spec,), select=(id,), examples=5)).document
    (scenario,) = done.to_json()["specs"][0]["scenarios"]
    assert scenario["outcome"] in ("failed", "not-verified"), scenario
    found: dict[str, Any] = scenario["evidence"]
    return found


def test_of_equal_calls_the_evidence_shows_the_one_that_differs() -> None:
    found = evidence("list_directory", "third_is_other", "LD-OUT-02-01")
    assert found["call_number"] == 2  # the first call of the run is that of the positive evidence
    assert found["outcome"]["content"] == found["got"] == found["expected"] + " "


@pytest.mark.parametrize(
    ("spec", "name", "id", "code"),
    [
        ("ls", "refuses", "LS-STAT-02-02", "INTERNAL_ERROR"),
        ("ls", "refuses", "LS-TEXT-01-01", "INTERNAL_ERROR"),
        ("fs_walkdir", "nil_with_a_log", "WD-SYN-01-02", "nil"),
        ("local_files", "fails", "LF-FIELD-01-01", "ExecutionFailed"),
    ],
)
def test_the_candidates_own_error_is_in_the_message(spec: str, name: str, id: str, code: str) -> None:
    found = evidence(spec, name, id)
    assert code in found["message"] and "my own words" in found["message"]
    assert "my own words" not in found["kind"]


def test_a_random_case_shows_the_answer_with_the_finding() -> None:
    found = evidence("list_directory", "unsorted_and_wrong", "LD-P-01-28")
    content = json.dumps(found["outcome"])
    assert "7" in content and '\\"type\\":\\"dir\\"' in content
