"""What the findings of a model make of the outcomes of scenarios and of the verdicts of requirements."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.spec import Pack, Requirement
from treeproof.spec.catalogue import Basis
from treeproof.verdict import Outcome, PackJudgement, Profile, ScenarioRecord, baseline
from treeproof.verdict.attribution import resolve
from treeproof.verdict.baseline_update import update_baseline
from treeproof.verdict.difference import OTHER_NAME
from treeproof.verdict.evidence import Evidence
from treeproof.verdict.finding import Alternative, CallJudgement, Finding
from treeproof.verdict.judge import Conclusion, conclude
from treeproof.verdict.run_document import CandidateFacts, HostFacts, RunFacts, build_run_document
from treeproof.verdict.spec_result import Verdict

from .conftest import verdicts

Make = Callable[..., Requirement]
Judge = Callable[..., PackJudgement]
TODAY = datetime.date(2030, 1, 1)
CANDIDATE, HOST = CandidateFacts("", "", "", "", ()), HostFacts("Linux", False, {}, {})
FACTS = RunFacts(CANDIDATE, HOST, Profile.DEFAULT, None, 0, "2030-01-01T00:00:00+00:00", 0.0)


def finding(requirement: str, kind: str = "another size", **more: Any) -> Finding:
    return Finding(requirement, f"{kind} of f", "1", "2", kind=kind, **more)


def wrong(*findings: Finding, number: int = 1, readings: Mapping[str, str] | None = None) -> CallJudgement:
    evidence = {"tree": "f=1", "call": {"tool": "walk", "arguments": "{}", "context": {}}}
    return CallJudgement(
        number, alternatives=(Alternative(readings or {}, findings),), evidence=Evidence.from_json(evidence)
    )


def right(*explanations: Mapping[str, str], number: int = 1) -> CallJudgement:
    return CallJudgement(number, explanations=explanations)


def record(
    id: str,
    requirement: str,
    lines: Outcome = Outcome.PASSED,
    *calls: CallJudgement,
    basis: Basis = "stated",
    **evidence: Any,
) -> ScenarioRecord:
    if lines is Outcome.FAILED:
        evidence = {"message": "a line fails", "kind": "a line fails", **evidence}
    return ScenarioRecord(id, requirement, lines, evidence=Evidence.from_json(evidence), calls=calls, basis=basis)


@pytest.fixture
def requirements(requirement: Make) -> tuple[Requirement, ...]:
    return requirement("R-1"), requirement("R-2"), requirement("R-3", level="SHOULD")


def outcomes(judgement: PackJudgement) -> dict[str, str]:
    return {one.id: str(one.evidence.blocked_by or one.outcome) for one in judgement.records}


def test_a_finding_fails_the_requirement_that_it_names_in_whatever_scenario(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    judgement = judged(
        requirements,
        record("X-1", "R-1"),
        record("X-2", "R-2", Outcome.PASSED, wrong(finding("R-1"))),
        record("X-3", "R-3"),
    )
    assert verdicts(judgement) == {"R-1": Verdict.FAIL, "R-2": Verdict.PASS, "R-3": Verdict.PASS}
    assert outcomes(judgement) == {"X-1": "passed", "X-2": "passed", "X-3": "passed"}
    assert judgement.requirements[0].cause == "another size of f (in X-2)"


def test_a_scenario_fails_by_a_finding_on_its_own_requirement(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    judgement = judged(requirements, record("X-1", "R-1", Outcome.PASSED, wrong(finding("R-1"))))
    (found,) = judgement.records
    assert (found.outcome, found.lines) == (Outcome.FAILED, Outcome.PASSED)
    assert (found.evidence.message, found.evidence.expected) == ("another size of f", "1")


def test_a_line_is_explained_by_the_finding_on_its_own_requirement(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    judgement = judged(requirements, record("X-1", "R-1", Outcome.FAILED, wrong(finding("R-1"))))
    (found,) = judgement.records
    assert found.evidence.to_json()["message"] == "another size of f"
    assert found.evidence.to_json()["line"]["message"] == "a line fails"


def test_a_line_beside_a_foreign_finding_is_blocked_and_one_without_fails(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    judgement = judged(
        requirements,
        record("X-1", "R-1", Outcome.FAILED, wrong(finding("R-2"))),
        record("X-2", "R-1", Outcome.FAILED),
        record("X-3", "R-2"),
    )
    assert outcomes(judgement) == {"X-1": "R-2", "X-2": "failed", "X-3": "passed"}
    assert verdicts(judgement)["R-1"] is Verdict.FAIL  # a line of its own failed, so nothing blocks it


@pytest.mark.parametrize(
    ("call", "evidence", "outcome"),
    [
        (1, {"call_number": 2}, "failed"),  # the line looks at another answer
        (2, {"call_number": 2}, "R-2"),
        (1, {"call_number": 2, "compares_answers": True}, "R-2"),  # it compares several
        (1, {"harm": "data"}, "failed"),  # what was lost is never excused
    ],
)
def test_a_finding_blocks_the_lines_on_the_same_answer(
    call: int, evidence: Mapping[str, Any], outcome: str, requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    failing = record("X-1", "R-1", Outcome.FAILED, wrong(finding("R-2"), number=call), **evidence)
    assert outcomes(judged(requirements, failing))["X-1"] == outcome


@pytest.mark.parametrize(
    "warning",
    [finding("R-3"), finding("R-2", basis="prudent")],
)
def test_a_finding_that_does_not_decide_blocks_nothing_and_fails_no_must(
    warning: Finding, requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    judgement = judged(requirements, record("X-1", "R-1", Outcome.FAILED, wrong(warning)), record("X-2", "R-2"))
    assert outcomes(judgement)["X-1"] == "failed"
    assert verdicts(judgement)["R-2"] is Verdict.PASS


@pytest.mark.parametrize(("harm", "verdict"), [(None, Verdict.PASS), ("escape", Verdict.FAIL)])
def test_a_finding_in_a_scenario_beyond_the_document_decides_only_with_harm(
    requirements: tuple[Requirement, ...], judged: Judge, harm: str | None, verdict: Verdict
) -> None:
    prudent = record("X-4", "R-2", Outcome.PASSED, wrong(finding("R-1", harm=harm)), basis="prudent")
    judgement = judged(requirements, *(record(f"X-{n}", f"R-{n}") for n in (1, 2, 3)), prudent)
    assert verdicts(judgement)["R-1"] is verdict
    own = record("X-4", "R-1", Outcome.PASSED, wrong(finding("R-1", harm=harm)), basis="prudent")
    judgement = judged(requirements, *(record(f"X-{n}", f"R-{n}") for n in (1, 2, 3)), own)
    assert verdicts(judgement)["R-1"] is verdict
    assert outcomes(judgement)["X-4"] == "failed"


def test_a_finding_in_a_scenario_of_a_prudent_requirement_counts_for_the_rule_that_it_names(
    requirement: Make, judged: Judge
) -> None:
    given = requirement("R-1"), requirement("R-2", basis="prudent", level="SHOULD")
    prudent = record("X-2", "R-2", Outcome.PASSED, wrong(finding("R-1")), basis="prudent")
    assert verdicts(judged(given, record("X-1", "R-1"), prudent))["R-1"] is Verdict.FAIL


@pytest.mark.parametrize(
    ("basis", "code", "profile", "conclusion"),
    [
        ("stated", "candidate_timeout", Profile.DEFAULT, Conclusion.FAULT),
        ("prudent", "candidate_timeout", Profile.DEFAULT, Conclusion.CONFORMANT),
        ("prudent", "candidate_timeout", Profile.STRICT, Conclusion.FAULT),
        ("prudent", "harness_fault", Profile.DEFAULT, Conclusion.FAULT),
    ],
)
def test_a_fault_in_a_scenario_beyond_the_document_decides_only_under_the_strict_profile(
    requirements: tuple[Requirement, ...],
    judged: Judge,
    basis: Basis,
    code: str,
    profile: Profile,
    conclusion: Conclusion,
) -> None:
    broken = record("X-4", "R-1", Outcome.FAULT, basis=basis, cause="it hangs", code=code)
    judgement = judged(requirements, *(record(f"X-{n}", f"R-{n}") for n in (1, 2, 3)), broken, profile=profile)
    found, _ = conclude([judgement], profile, has_selection=False, completeness_errors=())
    assert found is conclusion


def test_a_finding_of_a_requirement_that_cannot_fail_here_is_left_out(requirement: Make, judged: Judge) -> None:
    given = requirement("R-1"), requirement("R-W", condition="Windows"), requirement("R-E", excluded="inside")
    met = record("X-1", "R-1", Outcome.PASSED, wrong(finding("R-W"), finding("R-E")))
    judgement = judged(given, met)
    assert verdicts(judgement) == {"R-1": Verdict.PASS, "R-W": Verdict.NOT_APPLICABLE, "R-E": Verdict.EXCLUDED}
    assert judgement.records[0].findings == ()


def test_a_finding_on_a_requirement_that_is_not_selected_blocks_and_fails_nothing(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    failing = record("X-1", "R-1", Outcome.FAILED, wrong(finding("R-2")))
    judgement = judged(requirements, failing, selected=frozenset({"X-1"}), expected={"X-1": "R-1", "X-2": "R-2"})
    assert [one.cause for one in judgement.requirements] == ["blocked by R-2", "not selected", "not selected"]
    conclusion, _ = conclude([judgement], Profile.DEFAULT, has_selection=True, completeness_errors=())
    assert conclusion is Conclusion.INCOMPLETE


def test_the_nearest_outcome_is_one_of_the_readings_that_the_run_has_shown(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    two = CallJudgement(
        1,
        alternatives=(
            Alternative({"AMB-X-01": "a"}, (finding("R-1"),)),
            Alternative({"AMB-X-01": "b"}, (finding("R-2"),)),
        ),
        evidence=Evidence.from_json({"tree": "f"}),
    )
    met = record("X-1", "R-1", Outcome.PASSED, two)
    alone = judged(requirements, met)
    assert [one.requirement for one in alone.records[0].findings] == ["R-1"]
    shown = record("X-2", "R-2", Outcome.PASSED, right({"AMB-X-01": "b"}))
    with_run = judged(requirements, met, shown)
    assert [one.requirement for one in with_run.records[0].findings] == ["R-2"]
    # An answer that two readings explain shows neither.
    both = record("X-2", "R-2", Outcome.PASSED, right({"AMB-X-01": "b"}, {"AMB-X-01": "a"}))
    assert [one.requirement for one in judged(requirements, met, both).records[0].findings] == ["R-1"]
    # What is broken elsewhere, whatever the reading, explains an answer before a second error does.
    broken = record("X-3", "R-1", Outcome.PASSED, wrong(finding("R-1")))
    explained = judged(requirements, met, shown, broken)
    assert [one.requirement for one in explained.records[0].findings] == ["R-1"]


def test_answers_that_no_combination_explains_are_noted(requirements: tuple[Requirement, ...], judged: Judge) -> None:
    either = {"AMB-X-01": "a", "AMB-X-02": "a"}, {"AMB-X-01": "b", "AMB-X-02": "b"}
    other = {"AMB-X-01": "a", "AMB-X-02": "b"}, {"AMB-X-01": "b", "AMB-X-02": "a"}
    records = (
        record("X-1", "R-1", Outcome.PASSED, right(*either)),
        record("X-2", "R-1", Outcome.PASSED, right(*other)),
    )
    judgement = judged(requirements, *records)
    assert judgement.note == "x: no combination of readings explains all right answers: X-2 needs another one"
    assert judged(requirements, records[0]).note is None


def test_contradictions_are_noted_behind_many_open_answers(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    opened = [
        record(f"X-{n}", "R-1", Outcome.PASSED, right({f"AMB-X-{n}": "a"}, {f"AMB-X-{n}": "b"})) for n in range(10, 22)
    ]
    shown = record("X-90", "R-1", Outcome.PASSED, right({"AMB-X-01": "a"}))
    other = record("X-91", "R-1", Outcome.PASSED, right({"AMB-X-01": "b", "AMB-X-10": "a"}, {"AMB-X-01": "b"}))
    note = judged(requirements, *opened, shown, other).note
    assert note == "x: no combination of readings explains all right answers: X-91 needs another one"
    assert judged(requirements, *opened, shown).note is None


def test_an_answer_that_is_right_by_each_combination_stays_so_in_json() -> None:
    either = right({}, {"AMB-X-01": "a"})
    assert CallJudgement.from_json(json.loads(json.dumps(either.to_json()))) == either
    assert "explanations" not in right({}).to_json()


def test_a_requirement_passes_only_if_the_run_has_shown_content(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    silent = judged(
        requirements,
        record("X-1", "R-1"),
        record("X-2", "R-2", Outcome.PASSED, wrong(finding("R-2"))),
        evidence={"walk": "walk has shown no content"},
    )
    assert verdicts(silent)["R-1"] is Verdict.NOT_VERIFIED
    assert silent.requirements[0].code == "no_evidence"
    assert verdicts(silent)["R-2"] is Verdict.FAIL
    shown = judged(requirements, record("X-1", "R-1"), evidence={"walk": ""})
    assert verdicts(shown)["R-1"] is Verdict.PASS


def test_a_tool_under_another_name_blocks_every_scenario_that_needs_it(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    named = record("X-1", "R-1", Outcome.FAILED, kind=OTHER_NAME)
    missing = record("X-2", "R-2", Outcome.NOT_VERIFIED, code="missing_tool", cause="there is no walk")
    assert outcomes(judged(requirements, named, missing)) == {"X-1": "failed", "X-2": "R-1"}


def records_of_all_kinds() -> list[ScenarioRecord]:
    return [
        record("X-1", "R-1", Outcome.PASSED, wrong(finding("R-1"))),
        record("X-2", "R-1", Outcome.FAILED, wrong(finding("R-1"))),
        record("X-3", "R-1", Outcome.FAILED, wrong(finding("R-2"))),
        record("X-4", "R-2", Outcome.PASSED, wrong(finding("R-3"))),
        record("X-5", "R-2", Outcome.NOT_VERIFIED, wrong(finding("R-1")), code="no_evidence", cause="nothing"),
        record("X-6", "R-2", Outcome.PASSED, right({"AMB-X-01": "a"})),
        record("X-7", "R-2", Outcome.FAULT, cause="candidate fault (exit)", code="candidate_fault"),
    ]


def test_findings_are_chosen_anew_from_records_that_went_through_a_report(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    first = judged(requirements, *records_of_all_kinds())
    read = [ScenarioRecord.from_json(json.loads(json.dumps(one.to_json()))) for one in first.records]
    again = judged(requirements, *read)
    assert [one.to_json() for one in again.records] == [one.to_json() for one in first.records]
    assert verdicts(again) == verdicts(first)
    pack = first.pack
    once = resolve(pack, records_of_all_kinds(), lambda level, basis: level == "MUST", "Linux")
    assert resolve(pack, once, lambda level, basis: level == "MUST", "Linux") == once


def test_causes_are_grouped_by_requirement_and_by_the_models_words(
    requirements: tuple[Requirement, ...], judged: Judge
) -> None:
    judgement = judged(
        requirements,
        record("X-1", "R-1", Outcome.PASSED, wrong(finding("R-2"))),
        record("X-2", "R-1", Outcome.FAILED, wrong(finding("R-2"))),
        record("X-3", "R-2", Outcome.FAILED, wrong(finding("R-2", "another time"))),
        record("X-4", "R-1", Outcome.FAILED),
    )
    document = build_run_document([judgement], Conclusion.NON_CONFORMANT, "", FACTS)
    causes = [one.to_json() for one in document.causes]
    assert [(one["requirement"], one["kind"], one["scenarios"], one["blocked"]) for one in causes] == [
        ("R-2", "another size", ["X-1", "X-2"], ["X-2"]),
        ("R-2", "another time", ["X-3"], []),
        ("R-1", "a line fails", ["X-4"], []),
    ]
    # A line that fails alone belongs to the findings on its requirement, if there are any.
    both = judged(requirements, *judgement.records, record("X-5", "R-2", Outcome.FAILED))
    document = build_run_document([both], Conclusion.NON_CONFORMANT, "", FACTS)
    sizes = [(one.kind, [each.id for each in one.scenarios]) for one in document.causes]
    assert sizes[0] == ("another size", ["X-1", "X-2", "X-5"])


def attributed(*findings: Finding) -> list[str]:
    records = [record(f"X-{number}", "R-9", Outcome.PASSED, wrong(one)) for number, one in enumerate(findings)]
    requirements = [Requirement(f"R-{n}", "SHOULD" if n == 3 else "MUST", "1", "t", ("scenario",)) for n in range(1, 5)]
    pack = Pack(Path("x"), "x", "1", "X", "x", "0", "X", (), None, None, None, {}, (), tuple(requirements), (), ())
    found = resolve(pack, records, lambda level, basis: level == "MUST", "Linux")
    return [one.findings[0].requirement for one in found]


def test_a_difference_that_several_sentences_forbid_is_attributed_once_for_the_run() -> None:
    either = finding("R-1", other_requirements=("R-2",))
    assert attributed(either) == ["R-1"]  # the most specific sentence, if nothing else is known
    assert attributed(either, finding("R-2")) == ["R-2", "R-2"]  # what is broken without a doubt explains it
    assert attributed(either, finding("R-2"), finding("R-1")) == ["R-1", "R-2", "R-1"]
    # Without certainty, what covers most: both are explained by R-2.
    assert attributed(either, finding("R-4", other_requirements=("R-2",))) == ["R-2", "R-2"]
    other = finding("R-4", other_requirements=("R-2",))
    # A sentence that is never the most specific one has to explain twice as many.
    assert attributed(either, either, other) == ["R-1", "R-1", "R-4"]
    # An error in every call would be met as often where nothing is special.
    assert attributed(either, either, finding("R-2")) == ["R-2", "R-2", "R-2"]
    assert attributed(either, either, either, finding("R-2")) == ["R-1", "R-1", "R-1", "R-2"]
    # A sentence that decides comes before a recommendation.
    assert attributed(finding("R-3", other_requirements=("R-2",))) == ["R-2"]
    assert attributed(finding("R-3")) == ["R-3"]


def test_a_baseline_lists_findings_by_scenario_and_requirement(
    requirements: tuple[Requirement, ...], judged: Judge, tmp_path: Path
) -> None:
    judgement = judged(
        requirements,
        record("X-1", "R-1", Outcome.PASSED, wrong(finding("R-2"))),
        record("X-2", "R-2"),
        record("X-3", "R-3"),
    )
    update = update_baseline("", (), [judgement], is_whole=True, platform="Linux", today=TODAY)
    file = tmp_path / "baseline.toml"
    file.write_text(update.text, "utf-8")
    (entry,) = baseline.read_baseline(file, ["X-1", "X-2", "R-1", "R-2"])
    assert (entry.id, entry.requirement, entry.has_old_digest) == ("X-1", "R-2", False)
    applied = baseline.apply_baseline([entry], [judgement], platform="Linux", today=TODAY)
    assert [entry.state for entry in applied.entries] == ["failed"]
    known = {one.id: one.known for one in applied.judgements[0].requirements}
    assert known == {"R-1": False, "R-2": True, "R-3": False}
    changed = judged(requirements, record("X-1", "R-1", Outcome.PASSED, wrong(finding("R-2", "another time"))))
    applied = baseline.apply_baseline([entry], [changed], platform="Linux", today=TODAY)
    assert [entry.state for entry in applied.entries] == ["changed"]
    old = replace(entry, has_old_digest=True)
    (line,) = baseline.apply_baseline([old], [changed], platform="Linux", today=TODAY).changes
    assert line.endswith("write it again (--write-baseline); 1 of its entries do not hold")
