"""Failures with one cause are one cause, the worst first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from treeproof.spec import Requirement
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord
from treeproof.verdict.difference import NO_RETURN
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.finding import Alternative, CallJudgement, Finding
from treeproof.verdict.judge import Conclusion, conclude
from treeproof.verdict.run_document import CandidateFacts, HostFacts, RunFacts, build_run_document

Make = Callable[..., Requirement]
Fail = Callable[..., ScenarioRecord]
Judge = Callable[..., PackJudgement]

MISSING = "entries are missing"
SUCCESS = {"status": "ok", "content": "a"}


def causes(judgement: PackJudgement, profile: Profile = Profile.DEFAULT) -> list[dict[str, Any]]:
    facts = RunFacts(
        CandidateFacts("c", "", "", "", ()),
        HostFacts("Linux", False, {}, {}),
        profile,
        None,
        0,
        "2030-01-01T00:00:00+00:00",
        0.0,
    )
    found: list[dict[str, Any]] = build_run_document([judgement], Conclusion.NON_CONFORMANT, "r", facts).to_json()[
        "causes"
    ]
    return found


def met(id: str, requirement: str, *findings: Finding, outcome: Outcome = Outcome.PASSED) -> ScenarioRecord:
    """Return the record of a scenario whose answer differs in these ways."""
    call = CallJudgement(
        1, alternatives=(Alternative({}, findings),), evidence=Evidence.from_json({"outcome": SUCCESS})
    )
    evidence = {"message": "a line fails", "kind": "a line fails"} if outcome is Outcome.FAILED else {}
    return ScenarioRecord(id, requirement, outcome, evidence=Evidence.from_json(evidence), calls=(call,))


def shape(found: Sequence[dict[str, Any]]) -> list[tuple[str, str, list[str]]]:
    return [(one["severity"], one["requirement"], one["scenarios"]) for one in found]


def test_a_cause_is_a_requirement_and_a_kind_of_finding(requirement: Make, judged: Judge) -> None:
    judgement = judged(
        (requirement("R-1"), requirement("R-2")),
        met("X-1", "R-2", Finding("R-1", MISSING)),
        met("X-2", "R-1", Finding("R-1", MISSING)),
        met("X-3", "R-2", Finding("R-1", "another size")),
        met("X-4", "R-1", Finding("R-2", MISSING)),
    )
    assert [(one["requirement"], one["kind"], one["scenarios"]) for one in causes(judgement)] == [
        ("R-1", MISSING, ["X-1", "X-2"]),
        ("R-1", "another size", ["X-3"]),
        ("R-2", MISSING, ["X-4"]),
    ]


def test_lines_without_a_finding_belong_to_the_most_frequent_findings_of_their_requirement(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    judgement = judged(
        (requirement("R-1"), requirement("R-2")),
        met("X-1", "R-2", Finding("R-1", "another size")),
        *(met(f"X-{n}", "R-2", Finding("R-1", MISSING)) for n in (2, 3)),
        failure("X-4", "R-1", "the lines differ"),
        failure("X-5", "R-2", "the lines differ"),
        failure("X-6", "R-2", "the texts differ"),
    )
    assert [(one["requirement"], one["scenarios"]) for one in causes(judgement)] == [
        ("R-1", ["X-2", "X-3", "X-4"]),
        ("R-1", ["X-1"]),
        ("R-2", ["X-5"]),
        ("R-2", ["X-6"]),
    ]


def test_a_breach_is_what_was_seen_whatever_its_requirement(requirement: Make, failure: Fail, judged: Judge) -> None:
    def severities(requirement_id: str, **more: Any) -> list[str]:
        evidence = {"message": "the call succeeded", "outcome": SUCCESS, "before": "a", "after": "b", **more}
        failed = replace(failure("X-1", requirement_id, ""), evidence=Evidence.from_json(evidence))
        judgement = judged((requirement("R-SEC", harm="escape"), requirement("R-1")), failed)
        return [one["severity"] for one in causes(judgement)]

    assert severities("R-SEC") == ["answer"]
    assert severities("R-SEC", harm="none") == ["answer"]  # in reports of older versions
    assert severities("R-SEC", harm="escape") == severities("R-1", harm="escape") == ["escape"]
    assert severities("R-1", harm="data") == ["data"]


def test_breaches_come_first(requirement: Make, failure: Fail, judged: Judge) -> None:
    judgement = judged(
        (requirement("R-1"), requirement("R-SEC", harm="escape"), requirement("R-ALSO", harm="escape")),
        *(met(f"X-{n}", "R-1", Finding("R-1", MISSING)) for n in range(5)),
        met("X-6", "R-1", Finding("R-SEC", "something outside is listed", harm="escape")),
        failure("X-7", "R-ALSO", "the call succeeded", harm="escape"),
        failure("X-8", "R-1", "contents are lost", harm="data"),
    )
    assert shape(causes(judgement)) == [
        ("data", "R-1", ["X-8"]),
        ("escape", "R-SEC", ["X-6"]),
        ("escape", "R-ALSO", ["X-7"]),
        ("answer", "R-1", [f"X-{n}" for n in range(5)]),
    ]


def test_lost_data_is_first_of_the_rule_that_forbids_it(requirement: Make, failure: Fail, judged: Judge) -> None:
    lost = "lost contents"
    judgement = judged(
        (requirement("R-COPY"), requirement("R-DATA", harm="data"), requirement("R-CALL", harm="data")),
        failure("X-1", "R-COPY", lost, harm="data"),
        failure("X-2", "R-COPY", lost, harm="data"),
        failure("X-3", "R-DATA", lost, harm="data"),
        failure("X-6", "R-CALL", "the call failed with BadArgs"),
    )
    assert shape(causes(judgement)) == [
        ("data", "R-DATA", ["X-3"]),
        ("data", "R-COPY", ["X-1", "X-2"]),
        ("answer", "R-CALL", ["X-6"]),
    ]


def test_an_error_of_the_suite_is_no_crash_of_the_candidate(requirement: Make, failure: Fail, judged: Judge) -> None:
    own = ScenarioRecord(
        "X-1", "R-1", Outcome.FAULT, evidence=Evidence.from_json({"cause": "ValueError: 1", "code": "harness_fault"})
    )
    crash = replace(
        own, id="X-2", evidence=Evidence.from_json({"cause": "exit 1: KeyError: 1", "code": "candidate_fault"})
    )
    found = causes(judged((requirement("R-1"),), own, crash, failure("X-3", "R-1", MISSING)))
    assert [one["severity"] for one in found] == ["crash", "harness", "answer"]


def test_faults_recommendations_and_what_is_beyond_the_document_have_their_places(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    fault = ScenarioRecord(
        "X-1", "R-1", Outcome.FAULT, evidence=Evidence.from_json({"cause": "exit 1: KeyError: 'a'", "code": "c"})
    )
    requirements = (requirement("R-1"), requirement("R-2", level="SHOULD"), requirement("R-3", basis="prudent"))
    records = (
        failure("X-3", "R-3", MISSING),
        failure("X-2", "R-2", "another size"),
        fault,
        replace(fault, id="X-4", evidence=Evidence.from_json({"cause": "exit 1: TypeError: 'a'", "code": "c"})),
        replace(failure("X-5", "R-1", "the text differs"), basis="prudent"),
    )
    found = causes(judged(requirements, *records))
    assert [(one["severity"], one["scenarios"]) for one in found] == [
        ("crash", ["X-1"]),
        ("crash", ["X-4"]),
        ("advice", ["X-2"]),
        ("beyond", ["X-3"]),
        ("beyond", ["X-5"]),
    ]
    strict = causes(judged(requirements, *records, profile=Profile.STRICT), Profile.STRICT)
    assert "beyond" not in {one["severity"] for one in strict}


def test_a_cause_names_what_it_blocks(requirement: Make, judged: Judge) -> None:
    broken = Finding("R-1", "the call failed")
    requirements = (requirement("R-1"), requirement("R-2"))
    (cause,) = causes(
        judged(requirements, met("X-1", "R-1", broken), met("X-2", "R-2", broken, outcome=Outcome.FAILED))
    )
    assert (cause["scenarios"], cause["blocked"]) == (["X-1", "X-2"], ["X-2"])


def test_a_rule_that_forbids_a_hang_is_the_cause_of_the_hangs_of_other_scenarios(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    requirements = (requirement("R-1"), requirement("R-LOOP"))

    def hang(id: str) -> ScenarioRecord:
        evidence = {"cause": "no answer within 5 s", "code": "candidate_timeout"}
        return ScenarioRecord(id, "R-1", Outcome.FAULT, evidence=Evidence.from_json(evidence))

    alone = causes(judged(requirements, hang("X-1"), hang("X-2")))
    assert shape(alone) == [("crash", "R-1", ["X-1", "X-2"])]
    loop = failure("X-3", "R-LOOP", NO_RETURN)
    (cause,) = causes(judged(requirements, hang("X-1"), hang("X-2"), loop))
    assert (cause["severity"], cause["requirement"], cause["smallest"]) == ("crash", "R-LOOP", "X-3")
    assert sorted(cause["scenarios"]) == ["X-1", "X-2", "X-3"]
    other = replace(
        hang("X-4"), evidence=Evidence.from_json({"cause": "it was killed by SIGSEGV", "code": "candidate_fault"})
    )
    assert len(causes(judged(requirements, hang("X-1"), loop, other))) == 2


def test_the_reason_of_a_run_names_the_gravest_first_and_counts_the_lost_verdicts(
    requirement: Make, failure: Fail, judged: Judge
) -> None:
    hang = Evidence.from_json({"cause": "no answer within 10 s", "code": "candidate_timeout"})
    judgement = judged(
        (
            *map(requirement, ("R-1", "R-2", "R-3", "R-5")),
            requirement("R-4", restates="R-2"),
            requirement("R-6", level="SHOULD"),
        ),
        failure("X-1", "R-1", MISSING),
        failure("X-2", "R-2", MISSING),
        failure("X-2b", "R-2", MISSING),
        failure("X-3", "R-3", "lost", harm="data"),
        ScenarioRecord("X-5", "R-5", Outcome.FAULT, evidence=hang),
        failure("X-6", "R-6", MISSING),
    )
    _, reason = conclude([judgement], Profile.DEFAULT, has_selection=False, completeness_errors=())
    assert reason == (
        "4 requirements do not hold: R-3 (data lost), R-2, R-1, …; "
        "1 of 5 requirements without a verdict, because calls broke"
    )
    assert sum(one.fails(Profile.DEFAULT) for one in judgement.requirements) == 4
