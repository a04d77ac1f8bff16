"""The conclusion, the baseline and the repeated judgement of a run with blocked scenarios."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.spec import Requirement
from treeproof.verdict import PackJudgement, ScenarioRecord, baseline
from treeproof.verdict.baseline_update import update_baseline
from treeproof.verdict.blocking import block, unblock
from treeproof.verdict.judge import Conclusion, conclude
from treeproof.verdict.readings import Profile

from .conftest import ERROR

Make = Callable[..., Requirement]
Fail = Callable[..., ScenarioRecord]
Judge = Callable[..., PackJudgement]


@pytest.fixture
def requirements(requirement: Make) -> tuple[Requirement, ...]:
    return (requirement("R-OWNER", owns=("call",)), requirement("R-1"), requirement("R-2"))


def test_blocking_is_judged_anew_and_can_be_taken_back(requirements: tuple[Requirement, ...], failure: Fail) -> None:
    records = [failure("X-0", "R-OWNER", *ERROR), failure("X-1", "R-1", *ERROR)]
    blocked = block(requirements, records)
    assert blocked != records
    assert block(requirements, blocked) == blocked
    assert [unblock(record) for record in blocked] == records
    # In another run the owner holds: then it is a failure of its own again.
    assert block(requirements, blocked[1:]) == records[1:]


def test_a_run_with_blocked_requirements_is_never_conformant(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    judgement = judged(requirements[:2], failure("X-0", "R-OWNER", *ERROR), failure("X-1", "R-1", *ERROR))
    conclusion, reason = conclude([judgement], Profile.DEFAULT, has_selection=False, completeness_errors=())
    assert (conclusion, reason) == (Conclusion.NON_CONFORMANT, "1 requirement does not hold: R-OWNER")
    known = tuple(replace(one, is_known_failure=one.id == "R-OWNER") for one in judgement.requirements)
    excused = replace(judgement, requirements=known)
    assert conclude([excused], Profile.DEFAULT, has_selection=False, completeness_errors=())[0] is Conclusion.INCOMPLETE


def test_a_baseline_can_list_what_is_blocked(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge, tmp_path: Path
) -> None:
    judgement = judged(requirements[:2], failure("X-0", "R-OWNER", *ERROR), failure("X-1", "R-1", *ERROR))

    def concluded(*ids: str) -> tuple[Conclusion, list[str]]:
        entries = [baseline.BaselineEntry(id, "later") for id in ids]
        applied = baseline.apply_baseline(entries, [judgement], platform="Linux", today=datetime.date(2030, 1, 1))
        conclusion, _ = conclude(
            applied.judgements,
            Profile.DEFAULT,
            has_selection=False,
            completeness_errors=(),
            contradictions=applied.contradictions,
        )
        return conclusion, [state for _, state in applied.states]

    assert concluded("R-OWNER", "R-1") == (Conclusion.PARTIAL, ["failed", "failed"])
    assert concluded("R-OWNER", "X-1") == (Conclusion.PARTIAL, ["failed", "failed"])
    assert concluded("R-OWNER") == (Conclusion.INCOMPLETE, ["failed"])
    assert concluded("R-1") == (Conclusion.NON_CONFORMANT, ["failed"])
    today = datetime.date(2030, 1, 1)
    update = update_baseline("", (), [judgement], is_whole=True, platform="Linux", today=today)
    (tmp_path / "baseline.toml").write_text(update.text, "utf-8")
    written = baseline.read_baseline(tmp_path / "baseline.toml", ["R-OWNER", "R-1"])
    assert [(entry.id, entry.reason) for entry in written] == [
        ("R-OWNER", "the call failed with ExecutionFailed, in X-0"),
        ("R-1", "blocked by R-OWNER"),
    ]
