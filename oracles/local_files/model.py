"""The model of LocalFiles 2: what a list or a search of a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `finding/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import AcceptedReadings, CallResult, Case, CaseFamily, Finding, ModelJudgement, format_path

from .comparison import MATCH, compare
from .expected import RECOMMENDED_READINGS, ExpectedListing, ExpectedOutcome, expected_outcomes
from .generators import ALL_CASE_LABELS, case_labels, families
from .scenario_writer import scenario_steps

MODELLED_REQUIREMENTS = frozenset(
    {
        *("LF-MODEL-01", "LF-MODEL-02", "LF-TYPE-01", "LF-TYPE-02", "LF-TYPE-03"),
        *(
            "LF-FIELD-01",
            "LF-FIELD-02",
            "LF-FIELD-03",
            "LF-FIELD-04",
            "LF-LINK-01",
            "LF-LINK-02",
            "LF-LINK-03",
        ),
        *("LF-LIST-01", "LF-LIST-02", "LF-SORT-01", "LF-SORT-02", "LF-ERR-01"),
        *("LF-FIND-01", "LF-FIND-02", "LF-FIND-03", "LF-FIND-04", "LF-FIND-05"),
    }
)
"""Every requirement that a finding can name."""

RECORDED_INTERPRETATIONS = ("AMB-LF-11", "AMB-LF-12", "AMB-LF-15")
"""The passages of which one answer can show the reading."""


class LocalFiles:
    """The oracle of LocalFiles. It has no state: equal questions have equal answers."""

    tool = "listDirectory"
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
        """The entries that are due, or an error. Raises Unmodelled."""
        due = self.expected_outcome(case)
        if not isinstance(due, ExpectedListing):
            return "an error"
        return ", ".join(format_path(child.raw_path) for child in due.entries) or "[]"

    def judge(self, case: Case, answer: CallResult, accepted: AcceptedReadings) -> ModelJudgement:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        fitting: list[Mapping[str, str]] = []
        best: tuple[int, tuple[Finding, ...]] = (-1, ())
        for labels, outcome in expected_outcomes(case, accepted):
            compared = compare(outcome, answer, accepted)
            if compared == MATCH:
                fitting.append(labels)
            elif compared[0] > best[0]:
                best = compared
        if not fitting:
            return ModelJudgement(findings=best[1])
        common = set.intersection(*(set(labels.items()) for labels in fitting))
        ambiguous = len(expected_outcomes(case, accepted)) > 1
        return ModelJudgement(
            observed_readings={
                passage: label
                for passage, label in common
                if ambiguous and passage in RECORDED_INTERPRETATIONS
            }
        )

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        return tuple(scenario_steps(case, outside, self.expected_outcome(case)))

    def case_labels(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        return case_labels(case, self.expected_outcome(case))


model = LocalFiles()
