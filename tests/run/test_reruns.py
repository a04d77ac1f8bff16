"""The commands that a report names repeat what it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treeproof.report.digest import cause_rerun, rerun_note
from treeproof.run.plan import Options
from treeproof.run.runner import run
from treeproof.verdict.run_document import RunDocument

from ..echoes import FEATURE

OTHER = """
    @EC-1-02
    Scenario: another word
      Given the tree "a"
      When say is called with {"text": "other"}
      Then it says "other"
"""
REMEMBERS = """
class Echo:
    last = None
    def initialize(self, params):
        return {"protocol": 1, "candidate": {"name": "echo", "version": "1", "language": "python"},
                "tools": {"say": "echoes@1"}, "capabilities": []}
    def describe(self, params):
        return {"name": "say"}
    def call(self, params):
        said, self.last = self.last, params["arguments"]["text"]
        return {"status": "ok", "content": said or self.last}
"""
FORGETS = REMEMBERS.replace("said or self.last", "'nothing'")


def test_a_failure_that_needs_earlier_calls_is_repeated_by_the_whole_run(
    run_feature: Callable[..., dict[str, Any]],
) -> None:
    document = RunDocument.from_json(run_feature(FEATURE + OTHER, candidate=REMEMBERS, reruns=True))
    (cause,) = document.causes
    assert cause.smallest is not None and cause.smallest.alone == "passed"
    assert "--select" not in cause_rerun(document, cause)
    assert "run alone, it passes" in rerun_note(cause)


def test_a_failure_that_needs_no_other_call_is_repeated_alone(run_feature: Callable[..., dict[str, Any]]) -> None:
    document = RunDocument.from_json(run_feature(FEATURE + OTHER, candidate=FORGETS, reruns=True))
    (cause,) = document.causes
    assert cause.smallest is not None and cause.smallest.alone is None
    assert cause_rerun(document, cause).endswith(f"--select {cause.smallest.id}")


def test_a_finding_on_another_requirement_is_repeated_alone() -> None:
    document = run(Options("mutant:MUT-LF-013", specs=("local_files",), reruns=True, examples=2)).document
    cause = document.causes[0]
    assert cause.smallest is not None and not cause.smallest.id.startswith(cause.requirement.id)
    assert cause.smallest.alone is None
    again = run(Options("mutant:MUT-LF-013", select=(cause.smallest.id,))).document.causes[0]
    assert (again.requirement.id, again.requirement.verdict) == (cause.requirement.id, "FAIL")
