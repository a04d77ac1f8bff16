"""The model of LS 2.0.0: what a call on a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `envelope/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import AcceptedReadings, CallResult, Case, CaseFamily, ModelJudgement, parse_tree

from .comparison import MATCH, compare
from .expected import ExpectedFailure, ExpectedListing, expected_outcome
from .generators import ALL_CASE_LABELS, OUTSIDE, case_labels, families
from .reading_choices import RECOMMENDED_READINGS, enumerate_readings
from .scenario_writer import scenario_steps

OUTSIDE_TREE = parse_tree(OUTSIDE)
"""What lies beside the project root in every case."""

MODELLED_REQUIREMENTS = frozenset(
    f"LS-{stem}-{number}"
    for stem, numbers in (
        ("DEF", ("04",)),
        ("ARG", ("01", "02", "03", "04", "05", "06", "07", "08")),
        ("ENV", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10")),
        ("DATA", ("01", "02", "03", "04", "05", "06", "07")),
        ("PAGE", ("01", "02", "03", "05")),
        ("STAT", ("01", "02", "03")),
        ("FILT", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10")),
        ("SORT", ("01", "02", "03", "04")),
        ("SEC", ("01", "02", "03", "04", "05", "06", "07")),
        ("ERR", ("01", "02", "03", "04", "05", "07")),
        ("TEXT", ("01", "02", "03", "04", "05", "06")),
    )
    for number in numbers
)
"""Every requirement that a finding can name."""


class LS:
    """The oracle of LS. It has no state: equal questions have equal answers."""

    tool = "LS"
    requirements = MODELLED_REQUIREMENTS
    interpretations = frozenset(RECOMMENDED_READINGS)
    all_case_labels = ALL_CASE_LABELS

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """The families of cases that a candidate of these capabilities can be asked."""
        return families(capabilities)

    def expected_outcomes(
        self, case: Case, accepted: AcceptedReadings
    ) -> list[tuple[Mapping[str, str], ExpectedListing | ExpectedFailure]]:
        """Every outcome that accepted readings allow, the recommended one first. Raises Unmodelled."""
        return list(enumerate_readings(accepted, lambda run: expected_outcome(case, OUTSIDE_TREE, run)))

    def expected(self, case: Case) -> str:
        """The entries by the recommended readings, or the codes of the error. Raises Unmodelled."""
        ((_, due),) = self.expected_outcomes(case, {})
        if isinstance(due, ExpectedFailure):
            return " or ".join(due.codes)
        return ", ".join(item.path for item in due.page)

    def judge(self, case: Case, answer: CallResult, accepted: AcceptedReadings) -> ModelJudgement:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        found = [
            (labels, compare(due, answer, case)) for labels, due in self.expected_outcomes(case, accepted)
        ]
        explaining = [labels for labels, compared in found if compared == MATCH]
        if not explaining:
            _, (_, findings) = max(found, key=lambda one: (one[1][0], -len(one[1][1])))
            return ModelJudgement(findings=findings)
        sure = {
            passage: label
            for passage, label in explaining[0].items()
            if all(labels.get(passage) == label for labels in explaining)
        }
        return ModelJudgement(observed_readings=sure)

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        ((_, due),) = self.expected_outcomes(case, {})
        return tuple(scenario_steps(case, outside, due))

    def case_labels(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        ((_, due),) = self.expected_outcomes(case, {})
        return case_labels(case, due)


model = LS()
