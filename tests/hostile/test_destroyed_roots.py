"""What a candidate does to its root, or writes as a path, ends in no fault of the suite; it fails what forbids it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate.isolation import isolation_problem
from treeproof.run.runner import Options, run

from .root_destroyers import EFFECTS

CANDIDATES = Path(__file__).with_name("root_destroyers.py")
SCENARIOS = {
    "list_directory": ("LD-VAL-07-771", "LD-FIELDS-762", "LD-OUT-02-06", "LD-LST-02-617", "LD-DEF-03-01"),
    "file_operations": ("FO-APR-04d-05", "FO-D02-302", "FO-CP-02-101", "FO-D01-301", "FO-SEC-01-101"),
    "fs_walkdir": ("WD-ERR-03-16", "WD-ENT-05-201", "WD-WALK-01-101", "WD-P-SEC-04-01"),
    "local_files": ("LF-FIELD-03-06", "LF-FIELD-04-401", "LF-LIST-01-101", "LF-P-WHY-01-01"),
    "ls": ("LS-SEC-04-107", "LS-DATA-02-06", "LS-DATA-06-101", "LS-P-XR-01-02"),
}
"""Scenarios that look for something in the tree, build another one or start a process in it after a call.

The last one of each specification is about the effects that its tool may have.
"""


@pytest.fixture(autouse=True)
def _isolation() -> None:
    if problem := isolation_problem():
        pytest.skip(f"not verified: candidates that destroy their roots; {problem}")


def judged(spec: str, name: str, *select: str) -> dict[str, Any]:
    options = Options(f"python:{CANDIDATES}:{spec}_{name}", specs=(spec,), select=select, isolate=True, examples=5)
    return run(options).document.to_json()


CASES = [(spec, effect) for spec in SCENARIOS for effect in EFFECTS]
"""A third of them, with each effect, run in each test run, and all of them with TREEPROOF_FUZZ=all."""


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "effect"), CASES if os.environ.get("TREEPROOF_FUZZ") == "all" else CASES[::3])
def test_a_destroyed_root_blocks_what_comes_after_it(spec: str, effect: str) -> None:
    done = judged(spec, effect, *SCENARIOS[spec])
    found = {one["id"]: one for one in done["specs"][0]["scenarios"]}
    assert found.keys() == set(SCENARIOS[spec])
    harness = [one["id"] for one in found.values() if one["evidence"].get("code") == "harness_fault"]
    assert harness == []
    if effect != "removes_cwd":  # no argument names it: a fault of the candidate, or refused
        assert done["exit"] == 1, found


def test_a_path_that_no_file_system_holds_is_no_fault() -> None:
    done = judged("list_directory", "names", "LD-P-21-01")
    (scenario,) = done["specs"][0]["scenarios"]
    assert scenario["outcome"] == "passed"  # it lies inside; that it is no path of an entry is another rule
