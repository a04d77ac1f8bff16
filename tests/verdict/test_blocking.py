"""A scenario that could not come to its own question is blocked, and only while the owner of the failure FAILs."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.errors import UsageError
from treeproof.spec import Interpretation, Requirement, load_pack
from treeproof.verdict import Outcome, PackJudgement, ScenarioRecord, baseline
from treeproof.verdict.baseline_update import update_baseline
from treeproof.verdict.blocking import block, unblock
from treeproof.verdict.judge import Conclusion, Verdict, conclude
from treeproof.verdict.outcome import CONTROL_CALL
from treeproof.verdict.readings import Profile
from treeproof.verdict.stages import MISSING_ENTRIES, UNEXPECTED_ENTRIES

Make = Callable[..., Requirement]
Fail = Callable[..., ScenarioRecord]
Judge = Callable[..., PackJudgement]

ERROR = ("call", "the call failed with ExecutionFailed")


def verdicts(judgement: PackJudgement) -> Mapping[str, Verdict]:
    return {one.id: one.verdict for one in judgement.requirements}


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('level = "SHOULD"', 'the key "owns" is for MUST requirements of the document'),
        ('owns = ["calls"]', 'the key "owns" holds "calls"; write "call"'),
        ('owns = ["outputs: no path"]', 'the key "owns" holds "outputs"; write "output"'),
        ('owns = ["control: no path"]', 'the key "owns" holds "control"; write one of: call, output'),
        ('owns = ["entries: 2 are missing"]', 'holds "entries: 2 are missing"; write … for each path'),
        ('harm = "loss"', 'the key "harm" holds "loss"'),
    ],
)
def test_the_catalogue_refuses_wrong_owners(tmp_path: Path, line: str, message: str) -> None:
    text = """
[spec]
name = "x"
version = "1"
title = "X"
source = "x.md"
sha256 = "%s"
prefix = "X"
steps = ["steps"]

[[tool]]
name = "t"
capabilities = []

[[requirement]]
id = "X-1"
level = "MUST"
section = "1"
text = "t"
basis = "implied"
reason = "r"
verified_by = ["scenario"]
owns = ["call"]
""" % ("0" * 64)
    key = line.partition(" ")[0]
    lines = [one for one in text.splitlines() if not one.startswith(f"{key} ")]
    (tmp_path / "spec.toml").write_text("\n".join([*lines, line, ""]), "utf-8")
    with pytest.raises(UsageError) as refusal:
        load_pack(tmp_path)
    assert message in str(refusal.value)


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
