"""Failures with one cause are one cause, the worst first; a breach never hides behind another failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from treeproof.spec import Requirement
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord
from treeproof.verdict.judge import Conclusion
from treeproof.verdict.outcome import CONTROL_CALL
from treeproof.verdict.run_document import RunFacts, build_run_document
from treeproof.verdict.stages import NO_RETURN

Make = Callable[..., Requirement]
Fail = Callable[..., ScenarioRecord]
Judge = Callable[..., PackJudgement]

MISSING = ("entries", "entries are missing")


def causes(judgement: PackJudgement, profile: Profile = Profile.DEFAULT) -> list[dict[str, Any]]:
    facts = RunFacts({"name": "c"}, {}, profile, None, 0, "2030-01-01T00:00:00+00:00", 0.0)
    found: list[dict[str, Any]] = build_run_document([judgement], Conclusion.NON_CONFORMANT, "r", facts)["causes"]
    return found


def passed(id: str, requirement: str) -> ScenarioRecord:
    return ScenarioRecord(id, requirement, Outcome.PASSED)


def shape(found: Sequence[dict[str, Any]]) -> list[tuple[str, str, list[str]]]:
    return [(one["severity"], one["requirement"], one["scenarios"]) for one in found]


def test_the_same_difference_is_one_cause_of_the_requirement_that_shows_it_best(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    judgement = judged(
        (requirement("R-1"), requirement("R-2")),
        failure("X-1", "R-1", *MISSING),
        *(passed(f"X-1{n}", "R-1") for n in range(8)),
        failure("X-2", "R-2", *MISSING),
        failure("X-3", "R-2", *MISSING),
    )
    (cause,) = causes(judgement)
    assert cause["requirements"] == ["R-2", "R-1"]
    assert cause["scenarios"] == ["X-1", "X-2", "X-3"]
    assert cause["smallest"] == "X-2"
    assert cause["message"] == "entries are missing, in X-2"


def test_other_stages_and_kinds_are_other_causes(requirement: Make, failure: Fail, judged: Judge) -> None:
    judgement = judged(
        (requirement("R-1"),),
        failure("X-1", "R-1", *MISSING),
        failure("X-2", "R-1", "entries", "entries are listed that should not be"),
        failure("X-3", "R-1", "order", "the order differs"),
    )
    assert [(one["stage"], one["severity"]) for one in causes(judgement)] == [
        ("entries", "answer"),
        ("entries", "answer"),
        ("order", "form"),
    ]


def test_failed_calls_are_told_apart_by_their_message(requirement: Make, failure: Fail, judged: Judge) -> None:
    def failed(id: str, message: str) -> ScenarioRecord:
        outcome = {"status": "error", "kind": "ExecutionFailed", "message": message}
        return failure(id, "R-1", "call", "the call failed with ExecutionFailed", outcome=outcome)

    judgement = judged(
        (requirement("R-1"),),
        failed("X-1", "no such key: 'a'\nat line 3"),
        failed("X-2", "no such key: 'b'\nat line 4"),
        failed("X-3", "index out of range"),
    )
    assert [one["scenarios"] for one in causes(judgement)] == [["X-1", "X-2"], ["X-3"]]


def test_failed_calls_of_all_tools_with_one_message_are_one_cause(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    def failed(id: str, requirement: str, tool: str, message: str = "disk 3 is gone") -> ScenarioRecord:
        outcome = {"status": "error", "kind": "ExecutionFailed", "message": message}
        return failure(id, requirement, "call", f"{tool} failed with ExecutionFailed", outcome=outcome)

    message = f"{CONTROL_CALL}: the call failed with ExecutionFailed: disk 4 is gone"
    control = failure(
        "X-6", "R-2", "call", "the call failed with ExecutionFailed", context=CONTROL_CALL, message=message
    )
    judgement = judged(
        (requirement("R-1"), requirement("R-2"), requirement("R-TOOL", owns=("tool",))),
        failed("X-1", "R-1", "copy"),
        failed("X-2", "R-1", "move"),
        failed("X-3", "R-TOOL", "list"),
        failed("X-4", "R-2", "copy", message=""),
        failed("X-5", "R-2", "move", message=""),
        control,
    )
    assert shape(causes(judgement)) == [
        ("answer", "R-TOOL", ["X-1", "X-2", "X-3", "X-6"]),
        ("answer", "R-2", ["X-4"]),
        ("answer", "R-2", ["X-5"]),
    ]


def test_a_group_with_the_messages_of_two_others_joins_them(requirement: Make, failure: Fail, judged: Judge) -> None:
    def failed(id: str, requirement: str, tool: str, message: str) -> ScenarioRecord:
        outcome = {"status": "error", "kind": "ExecutionFailed", "message": message}
        return failure(id, requirement, "call", f"{tool} failed with ExecutionFailed", outcome=outcome)

    judgement = judged(
        (requirement("R-1"), requirement("R-2", owns=("call: list failed with ExecutionFailed",))),
        failed("X-1", "R-1", "copy", "the disk is gone"),
        failed("X-2", "R-1", "move", "the net is gone"),
        failed("X-3", "R-2", "list", "the disk is gone"),
        failed("X-4", "R-2", "list", "the net is gone"),
    )
    assert [one["scenarios"] for one in causes(judgement)] == [["X-1", "X-2", "X-3", "X-4"]]


def test_failed_calls_beyond_the_document_count_for_the_share_of_the_tools_own_rule(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    call = ("call", "the call failed with ExecutionFailed")
    judgement = judged(
        (requirement("R-1"), requirement("R-TOOL", owns=("tool",))),
        failure("X-1", "R-1", *call),
        failure("X-2", "R-TOOL", *call),
        *(replace(failure(f"X-{n}", "R-TOOL", *call), basis="prudent") for n in (3, 4)),
        *(passed(f"X-{n}", "R-TOOL") for n in range(5, 12)),
    )
    assert shape(causes(judgement)) == [("answer", "R-TOOL", ["X-1", "X-2", "X-3", "X-4"])]


def test_breaches_come_first_and_stay_apart(requirement: Make, failure: Fail, judged: Judge) -> None:
    leak = ("refusal", "the call succeeded")
    judgement = judged(
        (requirement("R-1"), requirement("R-SEC", harm="escape"), requirement("R-ALSO", harm="escape")),
        *(failure(f"X-{n}", "R-1", *leak) for n in range(5)),
        failure("X-6", "R-SEC", *leak),
        failure("X-7", "R-ALSO", *leak),
        failure("X-8", "R-1", "effect", "contents are lost", harm="data"),
        failure("X-9", "R-SEC", *MISSING),  # nothing was given away
    )
    assert shape(causes(judgement)) == [
        ("data", "R-1", ["X-8"]),
        ("escape", "R-SEC", ["X-6"]),
        ("escape", "R-ALSO", ["X-7"]),
        ("answer", "R-1", [f"X-{n}" for n in range(5)]),
        ("answer", "R-SEC", ["X-9"]),
    ]


def test_lost_data_is_first_of_the_rule_that_forbids_it(requirement: Make, failure: Fail, judged: Judge) -> None:
    lost = "effect", "lost contents"
    judgement = judged(
        (requirement("R-COPY"), requirement("R-DATA", harm="data"), requirement("R-CALL", harm="data")),
        failure("X-1", "R-COPY", *lost, harm="data"),
        failure("X-2", "R-COPY", *lost, harm="data"),
        failure("X-3", "R-DATA", *lost, harm="data"),
        failure("X-4", "R-COPY", "call", "the call failed with ExecutionFailed"),
        failure("X-5", "R-COPY", "call", "the call failed with ExecutionFailed"),
        failure("X-6", "R-CALL", "call", "the call failed with BadArgs"),
    )
    assert shape(causes(judgement)) == [
        ("data", "R-DATA", ["X-3"]),
        ("data", "R-COPY", ["X-1", "X-2"]),
        ("answer", "R-COPY", ["X-4", "X-5"]),
        ("answer", "R-CALL", ["X-6"]),
    ]


def test_an_error_of_the_suite_is_no_crash_of_the_candidate(requirement: Make, failure: Fail, judged: Judge) -> None:
    own = ScenarioRecord("X-1", "R-1", Outcome.FAULT, evidence={"cause": "ValueError: 1", "code": "harness_fault"})
    crash = replace(own, id="X-2", evidence={"cause": "exit 1: KeyError: 1", "code": "candidate_fault"})
    found = causes(judged((requirement("R-1"),), own, crash, failure("X-3", "R-1", *MISSING)))
    assert [one["severity"] for one in found] == ["crash", "harness", "answer"]


def test_faults_recommendations_and_what_is_beyond_the_document_have_their_places(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    fault = ScenarioRecord("X-1", "R-1", Outcome.FAULT, evidence={"cause": "exit 1: KeyError: 'a'", "code": "c"})
    requirements = (requirement("R-1"), requirement("R-2", level="SHOULD"), requirement("R-3", basis="prudent"))
    records = (
        failure("X-3", "R-3", *MISSING),
        failure("X-2", "R-2", "members", "another size"),
        fault,
        replace(fault, id="X-4", evidence={"cause": "exit 1: TypeError: 'a'", "code": "c"}),
        replace(failure("X-5", "R-1", "text", "the text differs"), basis="prudent"),
    )
    found = causes(judged(requirements, *records))
    assert [(one["severity"], one["scenarios"]) for one in found] == [
        ("crash", ["X-1"]),
        ("crash", ["X-4"]),
        ("advice", ["X-2"]),
        ("beyond", ["X-3"]),
        ("beyond", ["X-5"]),
    ]
    assert [one["stage"] for one in found[:2]] == [None, None]
    strict = causes(judged(requirements, *records, profile=Profile.STRICT), Profile.STRICT)
    assert "beyond" not in {one["severity"] for one in strict}


def test_a_cause_names_what_it_blocks(requirement: Make, failure: Fail, judged: Judge) -> None:
    error = ("call", "the call failed with ExecutionFailed")
    requirements = (requirement("R-1", owns=("call",)), requirement("R-2"))
    (cause,) = causes(judged(requirements, failure("X-1", "R-1", *error), failure("X-2", "R-2", *error)))
    assert (cause["scenarios"], cause["blocked"]) == (["X-1"], ["X-2"])


def test_a_rule_that_forbids_a_hang_is_the_cause_of_the_hangs_of_other_scenarios(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-1"), requirement("R-LOOP"))

    def hang(id: str) -> ScenarioRecord:
        evidence = {"cause": "no answer within 5 s", "code": "candidate_timeout"}
        return ScenarioRecord(id, "R-1", Outcome.FAULT, evidence=evidence)

    alone = causes(judged(requirements, hang("X-1"), hang("X-2")))
    assert shape(alone) == [("crash", "R-1", ["X-1", "X-2"])]
    loop = failure("X-3", "R-LOOP", "call", NO_RETURN)
    (cause,) = causes(judged(requirements, hang("X-1"), hang("X-2"), loop))
    assert (cause["severity"], cause["requirement"], cause["smallest"]) == ("crash", "R-LOOP", "X-3")
    assert sorted(cause["scenarios"]) == ["X-1", "X-2", "X-3"]
    other = replace(hang("X-4"), evidence={"cause": "it was killed by SIGSEGV", "code": "candidate_fault"})
    assert len(causes(judged(requirements, hang("X-1"), loop, other))) == 2
