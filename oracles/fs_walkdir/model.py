"""The model of FS.WalkDir 0.1: what a walk of a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `walking/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import AcceptedReadings, CallResult, Case, CaseFamily, Finding, ModelJudgement, format_path

from .comparison import MATCH, compare
from .expected import RECOMMENDED_READINGS, ExpectedListing, ExpectedOutcome, expected_outcomes
from .generators import ALL_CASE_LABELS, case_labels, families
from .scenario_writer import scenario_steps

MODELLED_REQUIREMENTS = frozenset(
    f"WD-{group}-{number:02}"
    for group, numbers in {
        "ARG": (1, 2, 3, 4, 5),
        "RET": (1, 2),
        "ENT": (1, 2, 3, 4, 5),
        "WALK": (1, 2, 3, 4),
        "ERR": (1, 2, 3, 4, 5, 6),
        "SEC": (1, 2, 3),
    }.items()
    for number in numbers
)
"""Every requirement that a finding can name."""

RECORDED_INTERPRETATIONS = ("AMB-WD-01", "AMB-WD-06", "AMB-WD-09", "AMB-WD-14", "AMB-WD-18")
"""The passages of which one answer shows the reading."""


class FSWalkDir:
    """The oracle of FS.WalkDir. It has no state: equal questions have equal answers."""

    tool = "FS.WalkDir"
    requirements = MODELLED_REQUIREMENTS
    interpretations = frozenset(RECOMMENDED_READINGS)
    all_case_labels = ALL_CASE_LABELS

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """The families of cases that a candidate of these capabilities can be asked."""
        return families(capabilities)

    def expected_outcome(self, case: Case) -> ExpectedOutcome:
        """What is due by the recommended readings. Raises Unmodelled."""
        return expected_outcomes(case, {})[0][1]

    def expected(self, case: Case) -> str:
        """The paths that are due in the notation, or nil. Raises Unmodelled."""
        due = self.expected_outcome(case)
        if not isinstance(due, ExpectedListing):
            return (
                "nil or an error of the call"
                if due.may_fail
                else "nil or []"
                if due.allows_empty_list
                else "nil"
            )
        return ", ".join(format_path(one.path.encode()) for one in due.elements) or "[]"

    def judge(self, case: Case, answer: CallResult, accepted: AcceptedReadings) -> ModelJudgement:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        fitting: list[Mapping[str, str]] = []
        far = -1
        closest: tuple[Finding, ...] = ()
        for labels, outcome in expected_outcomes(case, accepted):
            came, findings = compare(outcome, answer)
            if (came, findings) == MATCH:
                fitting.append(labels)
            elif came > far:
                far, closest = came, findings
        if not fitting:
            return ModelJudgement(findings=closest)
        common = set.intersection(*(set(labels.items()) for labels in fitting))
        seen = {passage: label for passage, label in common if passage in RECORDED_INTERPRETATIONS}
        if "AMB-WD-09" in seen:  # one outcome, and two ways to say it
            seen["AMB-WD-09"] = "nil" if answer.status == "ok" else "call_error"
        return ModelJudgement(observed_readings=seen)

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        return tuple(scenario_steps(case, outside, self.expected_outcome(case)))

    def case_labels(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        return case_labels(case, self.expected_outcome(case))


model = FSWalkDir()
