"""A scenario that differs at another stage than its requirement compares is blocked by the one that shows it best."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treeproof.spec import Interpretation, Requirement
from treeproof.verdict import Outcome, PackJudgement, ScenarioRecord
from treeproof.verdict.blocking import block
from treeproof.verdict.judge import Verdict
from treeproof.verdict.outcome import CONTROL_CALL
from treeproof.verdict.stages import MISSING_ENTRIES, NO_RETURN, UNEXPECTED_ENTRIES

from .conftest import verdicts

Make = Callable[..., Requirement]
Fail = Callable[..., ScenarioRecord]
Judge = Callable[..., PackJudgement]


def test_wrong_entries_of_another_kind_block_a_question_about_members(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-0"), requirement("R-1", compares="members"), requirement("R-2", compares="entries"))
    judgement = judged(
        requirements,
        failure("X-0", "R-0", "entries", MISSING_ENTRIES),
        failure("X-1", "R-1", "entries", "another number of entries"),
        failure("X-2", "R-2", "entries", "another number of entries"),
    )
    assert verdicts(judgement) == {"R-0": Verdict.FAIL, "R-1": Verdict.NOT_VERIFIED, "R-2": Verdict.FAIL}


@pytest.mark.parametrize(
    ("compares", "is_blocked"),
    [
        ("entries", {"call", "output", "refusal", "error", "members", "order", "text"}),
        ("refusal", {"call", "output", "error", "entries", "members", "order", "text"}),
        ("error", {"call", "output", "entries", "members", "order", "text"}),
        ("members", {"call", "output", "refusal", "error", "entries"}),
        ("text", {"call", "output", "refusal", "error", "entries", "members", "order"}),
        (None, set()),
    ],
)
def test_what_a_requirement_compares_decides_which_stages_are_not_its_question(
    requirement: Make, failure: Fail, judged: Judge, compares: str | None, is_blocked: set[str]
) -> None:
    requirements = (requirement("R-0"), requirement("R-1", compares=compares))

    def verdict(stage: str) -> Verdict:
        judgement = judged(requirements, failure("X-0", "R-0", stage, "wrong"), failure("X-1", "R-1", stage, "wrong"))
        return verdicts(judgement)["R-1"]

    stages = ("call", "output", "refusal", "error", "entries", "members", "order", "text")
    assert {stage for stage in stages if verdict(stage) is Verdict.NOT_VERIFIED} == is_blocked


def test_entries_from_outside_are_the_question_of_a_requirement_with_that_harm(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-0"), requirement("R-1", compares="refusal", harm="escape"))
    leak = "entries", UNEXPECTED_ENTRIES
    judgement = judged(requirements, failure("X-0", "R-0", *leak), failure("X-1", "R-1", *leak))
    assert verdicts(judgement) == {"R-0": Verdict.FAIL, "R-1": Verdict.FAIL}


def test_a_kind_that_a_requirement_owns_is_its_question_at_whatever_stage(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    difference = "output", "a raw control character"
    requirements = (
        requirement("R-OUTPUT", owns=("output",)),
        requirement("R-CONTROLS", compares="text", owns=("output: a raw control character",)),
    )
    judgement = judged(requirements, failure("X-0", "R-OUTPUT", *difference), failure("X-1", "R-CONTROLS", *difference))
    assert verdicts(judgement) == {"R-OUTPUT": Verdict.NOT_VERIFIED, "R-CONTROLS": Verdict.FAIL}


def test_an_early_error_is_blocked_by_the_requirement_that_fails_with_the_same_error(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-0"), requirement("R-1", compares="refusal"))
    outcome = {"outcome": {"status": "error", "kind": "ExecutionFailed", "message": "not a text"}}
    judgement = judged(
        requirements,
        failure("X-0", "R-0", "error", "the call failed; it should fail with BadArgs", **outcome),
        failure("X-1", "R-1", "error", "the call failed; it should fail with BadArgs or ExecutionFailed", **outcome),
    )
    assert verdicts(judgement) == {"R-0": Verdict.FAIL, "R-1": Verdict.NOT_VERIFIED}


def test_a_question_about_members_is_blocked_by_the_requirement_of_the_entries(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    missing, member = ("entries", "entries are missing"), ("members", "another size")
    requirements = (requirement("R-1"), requirement("R-2"), requirement("R-SIZE", compares="members"))
    entries = (failure("X-1", "R-1", *missing), failure("X-2", "R-2", *missing), failure("X-3", "R-2", *missing))
    alone = judged(requirements, failure("X-4", "R-SIZE", *missing))
    assert verdicts(alone)["R-SIZE"] is Verdict.FAIL
    judgement = judged(requirements, *entries, failure("X-4", "R-SIZE", *missing))
    assert verdicts(judgement) == {"R-1": Verdict.FAIL, "R-2": Verdict.FAIL, "R-SIZE": Verdict.NOT_VERIFIED}
    assert judgement.requirements[2].blocked_by == "R-2"
    assert verdicts(judged(requirements, *entries, failure("X-4", "R-SIZE", *member)))["R-SIZE"] is Verdict.FAIL


def test_a_control_call_is_blocked_by_the_requirement_that_fails_in_the_same_way(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    surplus = "entries", "entries are listed that should not be"
    requirements = (requirement("R-1"), requirement("R-2"))
    control = failure("X-2", "R-2", *surplus, context=CONTROL_CALL)
    assert verdicts(judged(requirements, control))["R-2"] is Verdict.FAIL
    both = judged(requirements, failure("X-1", "R-1", *surplus), control)
    assert verdicts(both) == {"R-1": Verdict.FAIL, "R-2": Verdict.NOT_VERIFIED}
    own = judged(requirements, failure("X-1", "R-1", *surplus), failure("X-3", "R-2", *surplus), control)
    assert verdicts(own) == {"R-1": Verdict.FAIL, "R-2": Verdict.FAIL}
    [record] = [record for record in own.records if record.id == "X-2"]
    assert record.evidence["blocked_by"] == "R-1", "R-2 fails by another scenario"


def test_a_reading_that_is_not_accepted_is_a_matter_of_the_requirements_that_it_affects(
    requirement: Make, failure: Fail
) -> None:
    kind = "a reading that is not accepted: AMB-X-01 b"
    requirements = (requirement("R-1"), requirement("R-2"), requirement("R-3"))
    entry = Interpretation("AMB-X-01", "?", "any", "a", "because", ("R-1",), ())
    records = (failure("X-1", "R-1", "answer", kind), failure("X-2", "R-2", "answer", kind))
    other = failure("X-3", "R-3", "answer", "a reading that is not accepted: AMB-X-02 b")
    first, second, third = block(requirements, (*records, other), (entry,))
    assert (first, third) == (records[0], other)
    assert (second.outcome, second.evidence["blocked_by"]) == (Outcome.NOT_VERIFIED, "R-1")
    assert block(requirements, records[1:], (entry,)) == [records[1]]


def test_a_hang_is_the_question_of_every_rule_that_forbids_it(requirement: Make, failure: Fail, judged: Judge) -> None:
    requirements = (requirement("R-0"), requirement("R-1", compares="entries"))
    judgement = judged(requirements, failure("X-0", "R-0", "call", NO_RETURN), failure("X-1", "R-1", "call", NO_RETURN))
    assert verdicts(judgement) == {"R-0": Verdict.FAIL, "R-1": Verdict.FAIL}
