"""A failure of the call, the output or the tree is blocked by its owner, and only while the owner FAILs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from treeproof.spec import Requirement
from treeproof.verdict import Outcome, PackJudgement, ScenarioRecord
from treeproof.verdict.judge import Verdict
from treeproof.verdict.outcome import CONTROL_CALL
from treeproof.verdict.stages import MISSING_ENTRIES, UNEXPECTED_ENTRIES

from .conftest import ERROR, verdicts

Make = Callable[..., Requirement]
Fail = Callable[..., ScenarioRecord]
Judge = Callable[..., PackJudgement]


@pytest.fixture
def requirements(requirement: Make) -> tuple[Requirement, ...]:
    return (requirement("R-OWNER", owns=("call",)), requirement("R-1"), requirement("R-2"))


def test_the_same_failure_of_the_call_is_blocked_by_its_owner(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    judgement = judged(requirements, failure("X-0", "R-OWNER", *ERROR), failure("X-1", "R-1", *ERROR))
    assert verdicts(judgement) == {
        "R-OWNER": Verdict.FAIL,
        "R-1": Verdict.NOT_VERIFIED,
        "R-2": Verdict.NOT_VERIFIED,
    }
    blocked = judgement.requirements[1]
    assert (blocked.cause, blocked.code, blocked.blocked_by) == ("blocked by R-OWNER", "blocked", "R-OWNER")
    record = judgement.records[1]
    assert record.outcome is Outcome.NOT_VERIFIED
    assert record.evidence["message"] == "the call failed with ExecutionFailed, in X-1"


def test_a_call_that_should_fail_is_blocked_by_the_same_error(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    def outcome(message: str) -> dict[str, str]:
        return {"status": "error", "kind": "BadArgs", "message": message}

    other = "error", "the call failed with BadArgs; it should fail with SandboxViolation"
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", *ERROR, outcome=outcome("line 3 is wrong")),
        failure("X-1", "R-1", *other, outcome=outcome("line 9 is wrong")),
        failure("X-2", "R-2", *other, outcome=outcome("the path is wrong")),
    )
    assert verdicts(judgement) == {
        "R-OWNER": Verdict.FAIL,
        "R-1": Verdict.NOT_VERIFIED,
        "R-2": Verdict.FAIL,
    }


def test_the_owner_of_a_kind_of_calls_blocks_by_the_same_error_too(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    def outcome(message: str) -> dict[str, str]:
        return {"status": "error", "kind": "SandboxViolation", "message": message}

    other = "error", "the call failed with SandboxViolation; it should fail with PolicyDenied"
    judgement = judged(
        (
            requirement("R-START", owns=("call: the call failed with SandboxViolation",)),
            requirement("R-1"),
            requirement("R-2"),
        ),
        failure("X-0", "R-START", "call", "the call failed with SandboxViolation", outcome=outcome("outside")),
        failure("X-1", "R-1", *other, outcome=outcome("outside")),
        failure("X-2", "R-2", *other, outcome=outcome("the path is denied")),
    )
    assert verdicts(judgement) == {
        "R-START": Verdict.FAIL,
        "R-1": Verdict.NOT_VERIFIED,
        "R-2": Verdict.FAIL,
    }


def test_an_error_that_repeats_what_the_call_said_is_the_same_error(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    def evidence(path: str, message: str) -> dict[str, Any]:
        outcome = {"status": "error", "kind": "BadArgs", "message": message}
        return {"outcome": outcome, "call": {"arguments": json.dumps({"path": path, "recursive": True})}}

    other = "error", "the call failed with BadArgs; it should fail with SandboxViolation"
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", *ERROR, **evidence("in", "in: no such option")),
        failure("X-1", "R-1", *other, **evidence("in/d", "in/d: no such option")),
        failure("X-2", "R-2", *other, **evidence("out", "in/d: no such option")),
    )
    assert verdicts(judgement) == {
        "R-OWNER": Verdict.FAIL,
        "R-1": Verdict.NOT_VERIFIED,
        "R-2": Verdict.FAIL,
    }


def test_arguments_that_are_no_json_object_leave_the_error_as_it_is(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    outcome = {"outcome": {"status": "error", "kind": "BadArgs", "message": "wrong"}}
    other = "error", "the call failed with BadArgs; it should fail with SandboxViolation"
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", *ERROR, call={"arguments": "[1]"}, **outcome),
        failure("X-1", "R-1", *other, call={"arguments": '{"path": "too lo'}, **outcome),
    )
    assert verdicts(judgement)["R-1"] is Verdict.NOT_VERIFIED


def test_the_owner_of_an_error_owns_it_whatever_was_due(requirement: Make, failure: Fail, judged: Judge) -> None:
    denied = "the call failed with ApprovalDenied"
    requirements = (
        requirement("R-ASKS", owns=(f"error: {denied}",)),
        requirement("R-ERROR", owns=("error",)),
        requirement("R-1"),
    )
    first, other = f"{denied}; it should fail with BadArgs", f"{denied}; it should fail with ExecutionFailed"
    errors = failure("X-1", "R-ERROR", "error", first), failure("X-2", "R-1", "error", other)
    judgement = judged(requirements, failure("X-0", "R-ASKS", "call", denied), *errors)
    assert verdicts(judgement) == {
        "R-ASKS": Verdict.FAIL,
        "R-ERROR": Verdict.NOT_VERIFIED,
        "R-1": Verdict.NOT_VERIFIED,
    }
    assert verdicts(judged(requirements, *errors))["R-1"] is Verdict.FAIL, "R-ASKS does not fail"


@pytest.mark.parametrize(
    ("due", "is_blocked"),
    [
        ("ExecutionFailed", True),
        ("BadArgs or ExecutionFailed", True),
        ("any error", True),
        ("BadArgs", False),
    ],
)
def test_a_success_where_more_errors_are_right_belongs_to_the_owner_of_fewer(
    requirement: Make, failure: Fail, judged: Judge, due: str, is_blocked: bool
) -> None:
    succeeded = "the call succeeded; it should fail with "
    requirements = (requirement("R-OWNER", owns=(f"refusal: {succeeded}ExecutionFailed",)), requirement("R-1"))
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", "refusal", f"{succeeded}ExecutionFailed"),
        failure("X-1", "R-1", "refusal", succeeded + due),
    )
    assert (verdicts(judgement)["R-1"] is Verdict.NOT_VERIFIED) == is_blocked


def test_the_owner_of_a_kind_comes_before_the_owner_of_the_stage(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    no_path, no_json = ("output", "an entry has no path"), ("output", "the form is not JSON")
    members = ("members", "another size")
    requirements = (
        requirement("R-FORM", owns=("output",)),
        requirement("R-PATH", owns=("output: an entry has no path", "members: another size")),
        requirement("R-1"),
    )

    def blocker(*failures: ScenarioRecord) -> str | None:
        return {one.id: one.blocked_by for one in judged(requirements, *failures).requirements}["R-1"]

    own = failure("X-1", "R-PATH", *no_path), failure("X-2", "R-FORM", *no_path), failure("X-3", "R-FORM", *no_json)
    assert blocker(*own, failure("X-4", "R-1", *no_path)) == "R-PATH"
    assert blocker(*own, failure("X-4", "R-1", *no_json)) == "R-FORM"
    assert blocker(*own, failure("X-4", "R-1", *members)) is None
    assert blocker(failure("X-1", "R-PATH", *members), failure("X-4", "R-1", *members)) == "R-PATH"
    other = failure("X-4", "R-1", "output", "no output at all")
    assert blocker(*own, other) == "R-FORM"
    assert blocker(*own[:2], other) is None, "R-FORM itself is blocked by R-PATH"


def test_of_two_owners_of_a_failing_call_the_one_that_is_shown_best_blocks_the_other(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-FEW", owns=("call",)), requirement("R-ALL", owns=("call",)), requirement("R-1"))
    others = [replace(failure(f"X-{n}", "R-FEW", *ERROR), outcome=Outcome.PASSED, evidence={}) for n in range(4, 9)]
    judgement = judged(
        requirements,
        failure("X-0", "R-FEW", *ERROR),
        failure("X-1", "R-ALL", *ERROR),
        failure("X-2", "R-ALL", *ERROR),
        failure("X-3", "R-1", *ERROR),
        *others,
    )
    assert [one.blocked_by for one in judgement.requirements] == ["R-ALL", None, "R-ALL"]


def test_of_two_owners_of_an_output_the_first_in_the_catalogue_blocks_the_other(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-WHOLE", owns=("output",)), requirement("R-PART", owns=("output",)))
    unreadable = "output", "the output is not JSON"
    judgement = judged(
        requirements,
        failure("X-0", "R-WHOLE", *unreadable),
        failure("X-1", "R-PART", *unreadable),
        failure("X-2", "R-PART", *unreadable),
    )
    assert [one.blocked_by for one in judgement.requirements] == [None, "R-WHOLE"]


def test_no_owner_of_a_kind_is_blocked_by_another_owner_of_it(requirement: Make, failure: Fail, judged: Judge) -> None:
    kind = "members: another error_code"
    requirements = (requirement("R-A", owns=(kind,)), requirement("R-B", owns=(kind,)), requirement("R-1"))
    other = "members", "another error_code"
    judgement = judged(
        requirements,
        failure("X-0", "R-A", *other),
        failure("X-1", "R-B", *other),
        failure("X-2", "R-B", *other),
        failure("X-3", "R-1", *other),
    )
    assert [one.blocked_by for one in judgement.requirements] == [None, None, "R-B"]


def test_the_owner_of_a_kind_of_failing_call_owns_its_error_before_the_owner_of_errors(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (
        requirement("R-ERROR", owns=("error",)),
        requirement("R-PLAIN", owns=("call: the call failed with ExecutionFailed",)),
    )
    outcome = {"outcome": {"status": "error", "kind": "ExecutionFailed", "message": "nothing works"}}
    other = "error", "the call failed with ExecutionFailed; it should fail with BadArgs"
    judgement = judged(
        requirements, failure("X-0", "R-PLAIN", *ERROR, **outcome), failure("X-1", "R-ERROR", *other, **outcome)
    )
    assert verdicts(judgement) == {"R-ERROR": Verdict.NOT_VERIFIED, "R-PLAIN": Verdict.FAIL}


def test_missing_and_unexpected_entries_belong_to_the_owner_of_either(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-OWNER", owns=("entries",)), requirement("R-1"))
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", "entries", MISSING_ENTRIES),
        failure("X-1", "R-1", "entries", f"{MISSING_ENTRIES} and {UNEXPECTED_ENTRIES}"),
    )
    assert verdicts(judgement) == {"R-OWNER": Verdict.FAIL, "R-1": Verdict.NOT_VERIFIED}


def test_a_failing_control_call_makes_nothing_an_owner(requirement: Make, failure: Fail, judged: Judge) -> None:
    members = "members", "another type"
    requirements = (requirement("R-OWNER", owns=("members: another type",)), requirement("R-1"))
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", *members, context=CONTROL_CALL),
        failure("X-1", "R-1", *members),
    )
    assert verdicts(judgement) == {"R-OWNER": Verdict.NOT_VERIFIED, "R-1": Verdict.FAIL}


def test_without_a_failure_of_the_owner_nothing_is_blocked(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    passed = ScenarioRecord("X-0", "R-OWNER", Outcome.PASSED)
    assert verdicts(judged(requirements, passed, failure("X-1", "R-1", *ERROR)))["R-1"] is Verdict.FAIL
    assert verdicts(judged(requirements, failure("X-1", "R-1", *ERROR)))["R-1"] is Verdict.FAIL


@pytest.mark.parametrize(
    ("stage", "kind"),
    [
        ("entries", "entries are missing"),  # the scenario came to its question
        ("call", "the call failed with BadArgs"),  # another failure of the call
        ("refusal", "the call failed with ExecutionFailed"),
    ],
)
def test_another_difference_is_not_blocked(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge, stage: str, kind: str
) -> None:
    judgement = judged(requirements, failure("X-0", "R-OWNER", *ERROR), failure("X-1", "R-1", stage, kind))
    assert verdicts(judgement)["R-1"] is Verdict.FAIL


def test_whatever_a_call_changed_is_blocked_by_the_requirement_that_it_changes_nothing(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = requirement("R-OWNER", owns=("effect",)), requirement("R-1")
    changed = failure("X-1", "R-1", "effect", "a name was removed")
    owner = failure("X-0", "R-OWNER", "effect", "a name was added")
    assert verdicts(judged(requirements, owner, changed))["R-1"] is Verdict.NOT_VERIFIED
    assert verdicts(judged(requirements, changed))["R-1"] is Verdict.FAIL


def test_a_requirement_with_another_failure_still_fails(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", *ERROR),
        failure("X-1", "R-1", *ERROR),
        failure("X-2", "R-1", "entries", "entries are missing"),
    )
    assert verdicts(judgement)["R-1"] is Verdict.FAIL


def test_an_output_that_cannot_be_read_is_blocked_whatever_is_wrong_with_it(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-OWNER", owns=("output",)), requirement("R-1"))
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", "output", "the output is not JSON"),
        failure("X-1", "R-1", "output", "the output is no list"),
    )
    assert verdicts(judgement)["R-1"] is Verdict.NOT_VERIFIED


def test_a_control_call_is_blocked_by_the_owner_of_control_calls(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-OWNER", owns=("control",)), requirement("R-1"), requirement("R-2"))
    missing = ("entries", "entries are missing")
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", *missing),
        failure("X-1", "R-1", *missing, context="the control call: "),
        failure("X-2", "R-2", *missing),
    )
    assert verdicts(judgement) == {"R-OWNER": Verdict.FAIL, "R-1": Verdict.NOT_VERIFIED, "R-2": Verdict.FAIL}


@pytest.mark.parametrize("harm", ["data", "escape"])
def test_a_call_that_has_done_harm_is_never_blocked(requirement: Make, failure: Fail, judged: Judge, harm: str) -> None:
    requirements = (requirement("R-OWNER", owns=("entries",)), requirement("R-1"), requirement("R-2", compares="text"))
    missing = ("entries", "contents are lost")
    judgement = judged(
        requirements,
        failure("X-0", "R-OWNER", *missing, harm=harm),
        failure("X-1", "R-1", *missing, harm=harm),
        failure("X-2", "R-2", *missing, harm=harm),
    )
    assert set(verdicts(judgement).values()) == {Verdict.FAIL}


def test_a_failure_beyond_the_document_blocks_nothing(
    requirements: tuple[Requirement, ...], failure: Fail, judged: Judge
) -> None:
    beyond = replace(failure("X-0", "R-OWNER", *ERROR), basis="prudent")
    assert verdicts(judged(requirements, beyond, failure("X-1", "R-1", *ERROR)))["R-1"] is Verdict.FAIL
