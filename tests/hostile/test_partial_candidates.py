"""Candidates that break at one kind of input: what they are asked, what they are not, the exit code, the time."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from treeproof.run import circuit_breaker
from treeproof.run.runner import Options
from treeproof.verdict.run_document import RunDocument

from .conftest import LONG_SECONDS, run_patiently
from .partial_candidate import find_pipes

pytestmark = pytest.mark.slow

CANDIDATE = Path(__file__).with_name("partial_candidate.py")
KINDS = ("stdio", "python")
HANG_SECONDS = 300
"""Less than one hang that is waited for."""


@dataclass(frozen=True)
class PartialRun:
    """A run of some requirements of list_directory; `scenarios` are those with a tree of their own, no properties."""

    document: dict[str, Any]
    seconds: float

    @property
    def scenarios(self) -> list[dict[str, Any]]:
        return [one for one in self.document["specs"][0]["scenarios"] if not one["id"].startswith("LD-P-")]

    @property
    def verdicts(self) -> dict[str, str]:
        return {one["id"]: one["verdict"] for one in self.document["specs"][0]["requirements"]}

    def outcomes(self, *, where: bool = True, tree: str = "") -> Counter[str]:
        """Count the outcomes, or codes, of the scenarios with (`where`) or without ``tree`` in their trees."""
        return Counter(
            one["evidence"].get("code") or one["outcome"]
            for one in self.scenarios
            if (tree in one["evidence"].get("tree", "")) is where
        )


def run_partial(
    folder: Path,
    kind: str,
    factory: str,
    *select: str,
    hangs: Callable[[bytes], object] = lambda root: False,
    call_seconds: float = LONG_SECONDS,
) -> PartialRun:
    """Run some requirements. ``call_seconds`` is the limit of calls with a root at which the candidate ``hangs``."""
    connection = {
        "stdio": f'command = ["{sys.executable}", "{CANDIDATE}", "{factory}"]',
        "python": f'factory = "{CANDIDATE}:{factory}"',
    }
    manifest = folder / "treeproof.toml"
    limits = f"call_timeout = {call_seconds}\nstart_timeout = {LONG_SECONDS}\n"
    environment = f'[candidate.env]\nPYTHONPATH = "{Path(__file__).parents[2]}"\n' if kind == "stdio" else ""
    manifest.write_text(f'[candidate]\nadapter = "{kind}"\n{connection[kind]}\n{limits}{environment}')
    began = time.monotonic()
    options = Options(target=str(manifest), specs=("list_directory",), select=select, examples=2)
    document = run_patiently(options, lambda params: hangs(os.fsencode(params["context"]["roots"][0])))
    return PartialRun(document, time.monotonic() - began)


@pytest.fixture
def stop_after_two_timeouts(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that, given a time limit, stops the calls for a subject as early as with a limit of 10 s."""
    return lambda seconds: monkeypatch.setattr(circuit_breaker, "FAILURE_SECONDS_THRESHOLD", 1.5 * seconds)


def test_a_hang_on_pipes_fails_the_rules_on_pipes_and_everything_else_is_asked(
    tmp_path: Path, stop_after_two_timeouts: Callable[[float], None]
) -> None:
    seconds = 5.0  # before it hangs, it has to write
    stop_after_two_timeouts(seconds)
    select = ("FR-LD-VAL-05", "FR-LD-VAL-06", "FR-LD-VAL-08")
    done = run_partial(tmp_path, "stdio", "hang_on_pipes", *select, hangs=find_pipes, call_seconds=seconds)
    assert {id: done.verdicts[id] for id in select} == {
        "FR-LD-VAL-05": "NOT VERIFIED",
        "FR-LD-VAL-06": "FAIL",
        "FR-LD-VAL-08": "FAIL",
    }
    assert set(done.outcomes(where=False, tree="fifo")) <= {"passed", "not-applicable", "missing_capability"}
    on_pipes = done.outcomes(tree="fifo")
    assert set(on_pipes) <= {"failed", "candidate_timeout", "not_called"}
    assert on_pipes["not_called"] > on_pipes["candidate_timeout"] + on_pipes["failed"]
    failed = next(one for one in done.scenarios if one["outcome"] == "failed")["evidence"]
    assert failed["kind"] == "the call does not return"
    assert failed["message"] == f"the call did not return within {seconds:g} s"
    assert failed["stderr"].strip().splitlines()[-1] == "opening a pipe"
    assert "fifo" in failed["tree"] and failed["call"]["tool"] == "list_directory" and "outcome" not in failed
    not_called = [one["evidence"] for one in done.scenarios if one["evidence"].get("code") == "not_called"]
    assert all("for trees with a named pipe" in one["cause"] or "FR-LD-VAL" in one["cause"] for one in not_called)
    assert not any("stderr" in one for one in not_called)
    assert (done.document["exit"], done.seconds < HANG_SECONDS) == (1, True)


def test_a_crash_on_names_affects_the_scenarios_with_such_names_only(tmp_path: Path) -> None:
    done = run_partial(tmp_path, "python", "crash_on_names", "NFR-LD-REL-02", "FR-LD-LST-05")
    assert not set(done.outcomes()) & {"not_called", "failed"}
    assert done.outcomes(where=False, tree="\\x")["candidate_fault"] == 0
    assert done.outcomes(where=False, tree="\\x")["passed"] > 5
    assert done.outcomes(tree="\\x")["candidate_fault"] > 12, "more than the breaker once permitted"
    faults = [one["evidence"] for one in done.scenarios if one["outcome"] == "fault"]
    with_it = [one for one in faults if "it raised KeyError: 'latin'" in one["cause"]]
    assert with_it and all("Traceback" in one["stderr"] for one in with_it)
    assert all(one["call"]["tool"] == "list_directory" and one["tree"] for one in faults)
    exceptions = {
        cause.message.split("Error")[0] for cause in RunDocument.from_json(done.document).causes if cause.is_fault
    }
    assert len(exceptions) == 2, "the two kinds of crashes are not put together"
    assert done.document["exit"] == 4


def test_a_crash_at_every_third_call_ends_no_calls(tmp_path: Path) -> None:
    done = run_partial(tmp_path, "stdio", "crash_every_third_call", "FR-LD-VAL-09", "FR-LD-LST-05")
    found = done.outcomes()
    assert set(found) <= {"passed", "candidate_fault", "missing_capability"}
    assert found["candidate_fault"] > 3 and found["passed"] > found["candidate_fault"]
    assert (done.document["exit"], done.document["warnings"]) == (4, [])


@pytest.mark.parametrize("kind", KINDS)
def test_a_candidate_that_always_hangs_stays_a_fault_and_calls_end_soon(
    tmp_path: Path, kind: str, stop_after_two_timeouts: Callable[[float], None]
) -> None:
    stop_after_two_timeouts(1.0)
    select = ("FR-LD-VAL-06", "FR-LD-VAL-08", "FR-LD-VAL-09")
    done = run_partial(tmp_path, kind, "always_hang", *select, hangs=lambda root: True, call_seconds=1.0)
    found = done.outcomes()
    assert found["failed"] == found["passed"] == 0
    assert 1 <= found["candidate_timeout"] <= 5
    assert found["not_called"] > 20
    assert "not called any more" in "\n".join(done.document["warnings"])
    assert {done.verdicts[id] for id in select} == {"NOT VERIFIED"}
    assert (done.document["exit"], done.seconds < HANG_SECONDS) == (4, True)
