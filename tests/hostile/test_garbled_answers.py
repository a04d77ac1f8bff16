"""Garbled answers end in a finding or in a fault of the candidate: no exception, no fault of the suite, no PASS.

The answers of a recorded run of the reference are judged again, each with one thing changed. A garbling that the judge
takes for right must be permitted by the document. A part of the garblings runs in each test run, and all of them with
the variable TREEPROOF_FUZZ=all.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

from tests.selections import scenarios_of_each_step
from treeproof.run.runner import Options, run

from .garbling import Garbling, general_garblings
from .recorded_answers import SPECS, garbled_calls, garblings, part_of, recorded_calls, verdict_of_line

PARTS, WHOLE_PARTS = 8, 48
"""The garblings of answers, and the candidates that run whole, are divided into these numbers of parts."""

RUNS_ALL = os.environ.get("TREEPROOF_FUZZ") == "all"

MAX_SECONDS = 30
"""Far more than a garbled answer takes to be judged, so that a busy machine is no failure."""

WHOLE_RUNS = ("values: ", "text ", "output: half", "output: 5000", "output: null", "output: a list", "result: an error")
"""The beginnings of the garblings with which a candidate runs whole scenarios."""

CANDIDATES = Path(__file__).with_name("garbled_reference.py")

_ANY_TEXT = "(text|empty text|surrogate|control|time text)"
_OTHER_SPECIFICATION = "FR-FOPS-LS-01: what else a listing has is what the specification of list_directory says"

PERMITTED = (
    (".*", rf"result: error\.message: {_ANY_TEXT}", "the words of a message are free"),
    (".*", r"result: error\.kind: unclassified", "the protocol: it counts where any kind of error is accepted"),
    (
        "fs_walkdir|local_files|ls|file_operations",
        ".*: twice",
        "JSON leaves open what a repeated name means (RFC 8259, section 4), and no document forbids it",
    ),
    ("list_directory", f"error: {_ANY_TEXT}", "EF-09: the error of an entry is any text"),
    (
        "file_operations (move|copy|rename|mv|cp)",
        "(output|values|result: content|text).*",
        "no sentence says what a success puts out",
    ),
    (
        "file_operations list.*",
        "(path|returned|max_entries|truncated|truncated_reason|error|error_code|size_bytes): .*",
        _OTHER_SPECIFICATION,
    ),
    ("file_operations list.*", "values: (nulls are|booleans are|objects have).*", _OTHER_SPECIFICATION),
    (
        "fs_walkdir",
        "(values: numbers|output: numbers|size:) .*",
        "WD-ENT-04: size is a number from 0 on; only that of a file is its length",
    ),
    ("fs_walkdir", "output: a list|values: lists are empty", "AMB-WD-06: what a link leads to is walked, or nothing"),
    ("fs_walkdir", "values: lists are null", "AMB-WD-01: an empty directory is nil, or the empty list"),
    ("local_files", "values: objects have .*", "LF-MODEL-02: only files and directories have no further member"),
    ("ls", "(values: numbers|output: numbers|time_ms:) .*", "LS-ENV-06: time_ms is a number from 0 on"),
    ("ls", "text has .*", "AMB-LS-29: the text of an error contains its message"),
    ("ls", "path_resolved: .*", "AMB-LS-19: an error need not have it"),
    ("ls", "(params_input: |values: nulls are ).*", "AMB-LS-57: arguments that are no object are shown as something"),
)
"""Specification and tool, and garbling, as regular expressions, after which an answer can be right, and why."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS) if RUNS_ALL else (0,))
@pytest.mark.parametrize("spec", SPECS)
def test_no_garbled_answer_is_right_or_breaks_the_judge(spec: str, part: int) -> None:
    passed = []
    for number, garbling in part_of(garblings(spec), part, PARTS):
        for call, result, line in garbled_calls(spec, garbling, number):
            began = time.monotonic()
            verdict = verdict_of_line(call, line)
            assert time.monotonic() - began < MAX_SECONDS, garbling.name
            if verdict == "right" and not is_permitted(spec, call.exchange.case.tool, garbling):
                passed.append(f"{garbling.name}: {call.exchange.case.arguments} {str(result)[:400]}")
    assert passed == []


def is_permitted(spec: str, tool: str, garbling: Garbling) -> bool:
    return any(
        re.fullmatch(place, name) and re.fullmatch(what, garbling.name)
        for place, what, _ in PERMITTED
        for name in (spec, f"{spec} {tool}")
    )


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_each_specification_has_some_hundred_garblings(spec: str) -> None:
    assert len(recorded_calls(spec)) > 20
    applied = [one for number, one in enumerate(garblings(spec)) if next(garbled_calls(spec, one, number), None)]
    assert len(applied) > 250
    names = [one.name for one in garblings(spec)]
    assert len(names) == len(set(names))


WHOLE = [n for n, one in enumerate(general_garblings()) if one.name.startswith(WHOLE_RUNS)]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(WHOLE_PARTS) if RUNS_ALL else (0,))
@pytest.mark.parametrize("spec", SPECS)
def test_a_garbled_candidate_is_no_fault_of_the_suite(spec: str, part: int) -> None:
    scenarios = scenarios_of_each_step(spec)
    for at, number in part_of(WHOLE, part, WHOLE_PARTS):
        select = scenarios[at % 4 :: 4]
        options = Options(f"python:{CANDIDATES}:{spec}_{number}", specs=(spec,), select=select, jobs=1, examples=2)
        records = run(options).document.to_json()["specs"][0]["scenarios"]
        assert [one["id"] for one in records if one["evidence"].get("code") == "harness_fault"] == [], number


def test_a_script_without_a_list_of_texts_fails_by_its_lines() -> None:
    number = next(n for n, one in enumerate(general_garblings()) if one.name == "output: a list of objects")
    options = Options(f"python:{CANDIDATES}:fs_walkdir_{number}", specs=("fs_walkdir",), select=("WD-LAST-01",), jobs=1)
    done = run(options).document.to_json()["specs"][0]
    assert {one["outcome"] for one in done["scenarios"]} <= {"failed", "not-verified"}
    assert next(one for one in done["requirements"] if one["id"] == "WD-LAST-01")["verdict"] == "FAIL"
