"""For any records: what blocks is a failed requirement that decides, and blocking never makes a run conform."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from treeproof.spec import Requirement
from treeproof.verdict import Outcome, PackJudgement, ScenarioRecord
from treeproof.verdict.blocking import block, unblock
from treeproof.verdict.judge import Verdict

REQUIREMENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("R-1", {"owns": ("call", "tool")}),
    ("R-2", {"owns": ("output", "effect")}),
    ("R-3", {"owns": ("control", "entries", "error", "output: one")}),
    ("R-4", {"compares": "members"}),
    ("R-5", {"compares": "text", "level": "SHOULD"}),
    ("R-6", {"basis": "prudent"}),
    ("R-7", {"owns": ("members: another",)}),
)
STAGES = ("tool", "call", "output", "refusal", "error", "entries", "members", "order", "text", "effect")

_failures = st.builds(
    lambda id, requirement, stage, kind, control, prudent: (id, requirement, stage, kind, control, prudent),
    st.integers(0, 99),
    st.sampled_from([id for id, _ in REQUIREMENTS]),
    st.sampled_from(STAGES),
    st.sampled_from(["one", "another"]),
    st.booleans(),
    st.booleans(),
)


@given(
    failures=st.lists(_failures, max_size=12, unique_by=lambda one: one[0]),
    passed=st.sets(st.sampled_from([id for id, _ in REQUIREMENTS])),
    without_tool=st.sets(st.sampled_from([id for id, _ in REQUIREMENTS])),
)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_blocking_is_sound(
    failures: list[tuple[Any, ...]],
    passed: set[str],
    without_tool: set[str],
    requirement: Callable[..., Requirement],
    failure: Callable[..., ScenarioRecord],
    judged: Callable[..., PackJudgement],
) -> None:
    requirements = tuple(requirement(id, **more) for id, more in REQUIREMENTS)
    records = [
        replace(
            failure(f"X-{id}", verified, stage, kind, **({"context": "the control call: "} if control else {})),
            basis="prudent" if prudent else "stated",
        )
        for id, verified, stage, kind, control, prudent in failures
    ]
    records += [
        ScenarioRecord(f"M-{id}", id, Outcome.NOT_VERIFIED, evidence={"cause": "no tool", "code": "missing_tool"})
        for id in sorted(without_tool)
    ]
    records += [ScenarioRecord(f"P-{id}", id, Outcome.PASSED) for id in sorted(passed)]
    blocked = block(requirements, records)
    assert block(requirements, blocked) == blocked
    assert [unblock(record) for record in blocked] == records
    verdicts = {one.id: one for one in judged(requirements, *records).requirements}
    for record in blocked:
        if "blocked_by" in record.evidence:
            assert record.outcome is Outcome.NOT_VERIFIED
            owner = verdicts[record.evidence["blocked_by"]]
            assert owner.id != record.requirement
            assert (owner.verdict, owner.level) == (Verdict.FAIL, "MUST")
            assert owner.basis != "prudent"
        else:
            assert record in records
