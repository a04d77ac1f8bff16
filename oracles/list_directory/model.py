"""The model of list_directory 1.1: what a call on a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `listing/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.api import AcceptedReadings, CallResult, Case, CaseFamily, ModelJudgement, Unmodelled

from .arguments import ExpectedFailure
from .comparison import MATCH, compare
from .expected import ExpectedListing, UnsupportedCall, expected_outcome
from .generators import ALL_CASE_LABELS, case_labels, families
from .reading_choices import RECOMMENDED_READINGS, ReadingChoices, enumerate_readings
from .scenario_writer import scenario_steps

RECORDED_INTERPRETATIONS = frozenset(RECOMMENDED_READINGS) - {
    "AMB-LD-02",
    "AMB-LD-13",
    "AMB-LD-31",
    "AMB-LD-33",
    "AMB-LD-34",
}
"""The passages of which one answer can show the reading; of the others it shows at most one of several."""


MODELLED_REQUIREMENTS = frozenset(
    stem + number
    for stem, numbers in (
        ("SCH-LD", ("",)),
        ("FR-LD-VAL-", ("01", "02", "03", "04", "05", "06", "06a", "06b", "07", "08", "09", "10")),
        ("FR-LD-LST-", ("01", "02", "03", "04", "05", "06", "06a", "07", "08")),
        ("DOC-", ("01", "03", "05", "06")),
        ("EF-", ("01", "02", "03", "04", "05", "06", "07", "08", "09")),
        ("FR-LD-OUT-", ("01", "02a", "02b", "03", "05", "06", "07", "08")),
        ("FR-LD-ERR-", ("01", "02", "04")),
        ("NFR-LD-", ("REL-01", "REL-02", "PORT-01")),
        ("CFG-LD-", ("03", "04")),
    )
    for number in numbers
)
"""Every requirement that a finding can name."""


class ListDirectory:
    """The oracle of list_directory. It has no state: equal questions have equal answers."""

    tool = "list_directory"
    requirements = MODELLED_REQUIREMENTS
    interpretations = frozenset(RECOMMENDED_READINGS)
    all_case_labels = ALL_CASE_LABELS

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """The families of cases that a candidate of these capabilities can be asked."""
        return families(capabilities)

    def expected_outcomes(
        self, case: Case, accepted: AcceptedReadings
    ) -> list[tuple[Mapping[str, str], ExpectedListing | ExpectedFailure]]:
        """Every outcome that accepted readings allow, the recommended one first, with the labels it rests on.

        Raises Unmodelled.
        """

        def run(readings: ReadingChoices) -> ExpectedListing | ExpectedFailure:
            return expected_outcome(case.tree, case.arguments, case.context, case.config, readings)

        try:
            return list(enumerate_readings(accepted, run))
        except UnsupportedCall as why:
            raise Unmodelled(str(why)) from why

    def expected(self, case: Case) -> str:
        """The exact document by the recommended readings, or the kinds of error. Raises Unmodelled."""
        ((_, due),) = self.expected_outcomes(case, {})
        if isinstance(due, ExpectedListing):
            return due.text or "ExecutionFailed"
        return " or ".join(sorted(due.kinds))

    def judge(self, case: Case, answer: CallResult, accepted: AcceptedReadings) -> ModelJudgement:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        free_escapes = "any_valid" in accepted.get("AMB-LD-15", ())
        best = None
        explained: list[Mapping[str, str]] = []
        for labels, due in self.expected_outcomes(case, accepted):
            far, findings = compare(due, answer, case.tree, free_escapes=free_escapes)
            if (far, findings) == MATCH:
                explained.append(labels)
            elif best is None or (far, -len(findings)) > (best[0], -len(best[1])):
                best = far, findings
        if not explained:
            return ModelJudgement(findings=best[1] if best else ())
        first, *others = explained
        seen = {
            passage: label
            for passage, label in first.items()
            if passage in RECORDED_INTERPRETATIONS and all(labels.get(passage) == label for labels in others)
        }
        return ModelJudgement(observed_readings=seen)

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        ((_, due),) = self.expected_outcomes(case, {})
        return tuple(scenario_steps(case, outside, due))

    def case_labels(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        ((_, due),) = self.expected_outcomes(case, {})
        return case_labels(case, due)


model = ListDirectory()
