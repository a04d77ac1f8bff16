"""Every combination of outcomes has one verdict, and every combination of verdicts one conclusion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.spec import Interpretation, Pack, Reading, Requirement
from treeproof.spec.catalogue import Basis, Treatment
from treeproof.verdict import Outcome, Profile, ScenarioRecord, judge
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.judge import EXIT_CODES, Conclusion, conclude
from treeproof.verdict.spec_result import Verdict


def requirement(id: str = "R-1", **more: Any) -> Requirement:
    return Requirement(**{"id": id, "level": "MUST", "section": "1", "text": "t", "verified_by": ("scenario",), **more})


def entry(treatment: Treatment = "any") -> Interpretation:
    readings = (Reading("a", "first"), Reading("b", "second"), Reading("c", "third", accepted=False))
    return Interpretation("AMB-X-01", "?", treatment, "a", "because", (), readings)


def pack(*requirements: Requirement, interpretations: tuple[Interpretation, ...] = ()) -> Pack:
    return Pack(
        folder=Path("x"),
        name="x",
        version="1",
        title="X",
        source="x.md",
        sha256="0" * 64,
        prefix="X",
        steps=(),
        reference=None,
        oracle=None,
        mutants=None,
        simulated={},
        schemas={},
        tools=(),
        requirements=requirements,
        interpretations=interpretations,
        retired=(),
    )


def record(id: str, outcome: Outcome, requirement: str = "R-1", **more: Any) -> ScenarioRecord:
    return ScenarioRecord(id=id, requirement=requirement, outcome=outcome, **more)


def verdict_of(*outcomes: Outcome, **more: Any) -> Verdict:
    records = [record(f"X-{n}", outcome) for n, outcome in enumerate(outcomes)]
    expected = {r.id: "R-1" for r in records}
    judgement = judge(pack(requirement(**more)), records, platform="Linux", selected=None, expected=expected)
    return judgement.requirements[0].verdict


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ((Outcome.PASSED,), Verdict.PASS),
        ((Outcome.PASSED, Outcome.FAILED), Verdict.FAIL),
        ((Outcome.FAULT, Outcome.FAILED), Verdict.FAIL),
        ((Outcome.PASSED, Outcome.NOT_VERIFIED), Verdict.NOT_VERIFIED),
        ((Outcome.PASSED, Outcome.FAULT), Verdict.NOT_VERIFIED),
        ((Outcome.NOT_APPLICABLE,), Verdict.NOT_APPLICABLE),
        ((Outcome.NOT_APPLICABLE, Outcome.PASSED), Verdict.PASS),
        ((), Verdict.NOT_VERIFIED),
    ],
)
def test_the_outcomes_of_the_scenarios_determine_the_verdict(outcomes: tuple[Outcome, ...], verdict: Verdict) -> None:
    assert verdict_of(*outcomes) is verdict


def test_excluded_and_conditional_requirements_need_no_scenario() -> None:
    assert verdict_of(excluded="cannot be seen") is Verdict.EXCLUDED
    assert verdict_of(condition="Windows") is Verdict.NOT_APPLICABLE
    assert verdict_of(Outcome.PASSED, condition="linux") is Verdict.PASS


def test_a_selected_scenario_without_a_record_is_not_verified() -> None:
    judgement = judge(
        pack(requirement()),
        [record("X-0", Outcome.PASSED)],
        platform="Linux",
        selected=None,
        expected={"X-0": "R-1", "X-1": "R-1"},
    )
    assert judgement.requirements[0].verdict is Verdict.NOT_VERIFIED
    assert judgement.requirements[0].fault
    assert "X-1" in (judgement.requirements[0].cause or "")


def test_a_restatement_shares_the_verdict() -> None:
    both = pack(requirement(), requirement("R-2", restates="R-1"))
    for outcome, expected in ((Outcome.PASSED, Verdict.PASS), (Outcome.FAILED, Verdict.FAIL)):
        judgement = judge(both, [record("X-0", outcome)], platform="Linux", selected=None, expected={"X-0": "R-1"})
        assert [v.verdict for v in judgement.requirements] == [expected, expected]


def test_a_restatement_holds_if_the_scenarios_that_name_it_hold() -> None:
    both = pack(requirement(), requirement("R-2", restates="R-1"))
    failed = record("X-0", Outcome.FAILED)
    for outcome, expected in ((Outcome.PASSED, Verdict.PASS), (Outcome.FAILED, Verdict.FAIL)):
        records = [failed, replace(record("X-1", outcome), also=("R-2",))]
        judgement = judge(
            both, records, platform="Linux", selected=None, expected={r.id: r.requirement for r in records}
        )
        assert [v.verdict for v in judgement.requirements] == [Verdict.FAIL, expected]


@pytest.mark.parametrize(
    ("determinism", "affects", "fails"), [("R-2", "R-2", True), ("R-2", "R-1", False), (None, "R-2", False)]
)
def test_inconsistent_readings_fail_the_requirement_of_determinism_that_they_affect(
    determinism: str | None, affects: str, fails: bool
) -> None:
    question = replace(entry(), affects=(affects,))
    the_pack = replace(pack(requirement(), requirement("R-2"), interpretations=(question,)), determinism=determinism)
    records = [
        record("X-0", Outcome.PASSED, readings={"AMB-X-01": "a"}),
        record("X-1", Outcome.PASSED, readings={"AMB-X-01": "a"}),
        record("X-2", Outcome.PASSED, "R-2", readings={"AMB-X-01": "b"}),
    ]
    expected = {r.id: r.requirement for r in records}
    judgement = judge(the_pack, records, platform="Linux", selected=None, expected=expected)
    assert [v.verdict for v in judgement.requirements] == [Verdict.PASS, Verdict.FAIL if fails else Verdict.PASS]
    cause = "inconsistent readings of AMB-X-01: a in X-0, X-1; b in X-2"
    assert judgement.requirements[1].cause == (cause if fails else None)
    assert judgement.interpretations[0].observed == ("a", "b")
    assert not judgement.interpretations[0].consistent


def test_an_inconsistency_names_at_most_five_scenarios_of_each_side() -> None:
    the_pack = replace(pack(requirement(), interpretations=(replace(entry(), affects=("R-1",)),)), determinism="R-1")
    readings = [*["a"] * 8, "b"]
    records = [record(f"X-{n}", Outcome.PASSED, readings={"AMB-X-01": label}) for n, label in enumerate(readings)]
    judgement = judge(the_pack, records, platform="Linux", selected=None, expected={r.id: "R-1" for r in records})
    cause = "inconsistent readings of AMB-X-01: a in X-0, X-1, X-2, X-3, X-4 and 3 more; b in X-8"
    assert judgement.requirements[0].cause == cause


@pytest.mark.parametrize("profile", [Profile.DEFAULT, Profile.STRICT])
@pytest.mark.parametrize("basis", ["stated", "prudent"])
def test_a_failure_beyond_the_document_decides_under_the_strict_profile_only(profile: Profile, basis: Basis) -> None:
    """A scenario of a stated requirement that asks for more does not touch it; a prudent requirement fails."""
    judgement = judge(
        pack(requirement(basis=basis)),
        [record("X-0", Outcome.PASSED, basis=basis), record("X-1", Outcome.FAILED, basis="prudent")],
        platform="Linux",
        selected=None,
        expected={"X-0": "R-1", "X-1": "R-1"},
        profile=profile,
    )
    (only,) = judgement.requirements
    strict = profile is Profile.STRICT
    assert only.verdict is (Verdict.FAIL if strict or basis == "prudent" else Verdict.PASS)
    assert only.decides(profile) is (strict or basis == "stated")
    conclusion, _ = conclude([judgement], profile, has_selection=False, completeness_errors=[])
    assert conclusion is (Conclusion.NON_CONFORMANT if strict else Conclusion.CONFORMANT)


def test_a_reading_of_a_scenario_with_a_fault_does_not_count() -> None:
    the_pack = pack(requirement(), interpretations=(entry(),))
    records = [
        record("X-0", Outcome.PASSED, readings={"AMB-X-01": "a"}),
        record("X-1", Outcome.FAULT, readings={"AMB-X-01": "b"}),
    ]
    judgement = judge(the_pack, records, platform="Linux", selected=None, expected={"X-0": "R-1", "X-1": "R-1"})
    assert judgement.interpretations[0].consistent


def conclusion_of(
    outcome: Outcome, *, level: str = "MUST", profile: Profile = Profile.DEFAULT, **more: Any
) -> Conclusion:
    judgement = judge(
        pack(requirement(level=level)),
        [record("X-0", outcome)],
        platform="Linux",
        selected=None,
        expected={"X-0": "R-1"},
    )
    arguments: dict[str, Any] = {"has_selection": False, "completeness_errors": (), **more}
    return conclude([judgement], profile, **arguments)[0]


@pytest.mark.parametrize(
    ("outcome", "conclusion"),
    [
        (Outcome.PASSED, Conclusion.CONFORMANT),
        (Outcome.FAILED, Conclusion.NON_CONFORMANT),
        (Outcome.NOT_VERIFIED, Conclusion.INCOMPLETE),
        (Outcome.NOT_APPLICABLE, Conclusion.CONFORMANT),
        (Outcome.FAULT, Conclusion.FAULT),
    ],
)
def test_a_must_determines_the_conclusion(outcome: Outcome, conclusion: Conclusion) -> None:
    assert conclusion_of(outcome) is conclusion


def test_a_should_decides_only_under_the_strict_profile() -> None:
    assert conclusion_of(Outcome.FAILED, level="SHOULD") is Conclusion.CONFORMANT
    assert conclusion_of(Outcome.FAILED, level="SHOULD", profile=Profile.STRICT) is Conclusion.NON_CONFORMANT
    assert conclusion_of(Outcome.FAILED, level="MAY", profile=Profile.STRICT) is Conclusion.CONFORMANT


def test_a_selection_is_partial_and_a_completeness_error_is_incomplete() -> None:
    assert conclusion_of(Outcome.PASSED, has_selection=True) is Conclusion.PARTIAL
    assert (
        conclusion_of(Outcome.PASSED, completeness_errors=("3 scenarios were parsed and not collected",))
        is Conclusion.INCOMPLETE
    )


def test_a_selection_of_which_nothing_was_verified_is_incomplete_whatever_decides() -> None:
    assert conclusion_of(Outcome.NOT_VERIFIED, level="MAY", has_selection=True) is Conclusion.INCOMPLETE
    assert conclusion_of(Outcome.PASSED, level="MAY", has_selection=True) is Conclusion.PARTIAL
    assert conclusion_of(Outcome.NOT_APPLICABLE, level="MAY", has_selection=True) is Conclusion.PARTIAL


def test_a_run_without_scenarios_is_never_conformant() -> None:
    judgement = judge(pack(), [], platform="Linux", selected=None, expected={})
    assert (
        conclude([judgement], Profile.DEFAULT, has_selection=False, completeness_errors=())[0] is Conclusion.INCOMPLETE
    )


def test_exit_codes_are_those_of_the_command_line() -> None:
    assert {str(conclusion): code for conclusion, code in EXIT_CODES.items()} == {
        "conformant": 0,
        "sound": 0,
        "partial": 0,
        "non-conformant": 1,
        "unsound": 1,
        "usage": 2,
        "incomplete": 3,
        "fault": 4,
        "interrupted": 5,
    }


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome.PASSED, Conclusion.INTERRUPTED),
        (Outcome.NOT_VERIFIED, Conclusion.INTERRUPTED),
        (Outcome.FAULT, Conclusion.FAULT),
        (Outcome.FAILED, Conclusion.NON_CONFORMANT),
    ],
)
def test_an_interrupted_run_is_interrupted_unless_something_failed(outcome: Outcome, expected: Conclusion) -> None:
    record = ScenarioRecord("X-1", "R-1", outcome, evidence=Evidence.from_json({"cause": "it ended"}))
    judgement = judge(pack(requirement("R-1")), [record], platform="Linux", selected=None, expected={"X-1": "R-1"})
    found = conclude(
        [judgement], Profile.DEFAULT, has_selection=False, completeness_errors=("X-2 is missing",), interrupted=True
    )
    assert found[0] is expected
