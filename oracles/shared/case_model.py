"""The model of a tool without side effects: treeproof's interface, composed of a specification's functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from treeproof.api import AcceptedReadings, CallResult, Case, CaseFamily, Exchange, Finding, ModelJudgement, Unmodelled

from .judgement import Comparison, judge_outcomes
from .reading_choices import ReadingChoices, enumerate_readings

Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class CaseModel(Generic[Outcome]):
    """A stateless model. Every method that computes an outcome raises Unmodelled for a case that it cannot compute."""

    tool: str
    requirements: frozenset[str]
    """Every requirement that a finding can name."""
    recommended_readings: Mapping[str, str]
    """The recommended label of each interpretation that the model can read in more than one way."""
    recorded_interpretations: frozenset[str]
    """The interpretations whose reading one call result can show."""
    all_case_labels: tuple[str, ...]
    all_families: Callable[[frozenset[str]], Iterable[CaseFamily]]
    """Return the families, with stages for a candidate with these capabilities."""
    expected_outcome: Callable[[Case, ReadingChoices], Outcome]
    compare: Callable[[Outcome, CallResult, Case], Comparison]
    describe_outcome: Callable[[Outcome], str]
    write_scenario: Callable[[Case, str, Outcome], tuple[str, ...]]
    label_case: Callable[[Case, Outcome], Mapping[str, bool]]
    shown_readings: Callable[[Outcome, CallResult, Case], Mapping[str, str]] = lambda outcome, answer, case: {}
    """Return the readings that parts of a right answer show, beside those that its outcome depends on."""
    find_unreadable: Callable[[CallResult], Finding | None] = lambda answer: None
    """Return the finding for an answer that no reader can read, whatever the call."""

    @property
    def interpretations(self) -> frozenset[str]:
        """Return the ids of all interpretations that the model can read in more than one way."""
        return frozenset(self.recommended_readings)

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """Return the families of cases for a candidate with these capabilities."""
        return tuple(family for family in self.all_families(capabilities) if family.needs <= capabilities)

    def expected_outcomes(self, case: Case, accepted: AcceptedReadings) -> list[tuple[Mapping[str, str], Outcome]]:
        """Return every outcome that accepted readings allow with its readings, the recommended one first."""
        return enumerate_readings(
            self.recommended_readings, accepted, lambda readings: self.expected_outcome(case, readings)
        )

    def expected(self, case: Case) -> str:
        """Return the outcome by the recommended readings as text."""
        return self.describe_outcome(self._recommended_outcome(case))

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Return the readings that explain the answer, or how it differs from the closest outcome."""
        case, answer = exchange.case, exchange.answer
        judged = judge_outcomes(
            self.expected_outcomes(case, accepted),
            lambda outcome: self.compare(outcome, answer, case),
            lambda outcome: self.shown_readings(outcome, answer, case),
        )
        return replace(
            judged,
            observed_readings=self._recorded(judged.observed_readings),
            explanations=tuple(map(self._recorded, judged.explanations)),
        )

    def _recorded(self, readings: Mapping[str, str]) -> Mapping[str, str]:
        return {id: label for id, label in readings.items() if id in self.recorded_interpretations}

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """Return the case as the lines of a scenario, by the recommended readings. Raises Unmodelled."""
        if case.earlier:
            raise Unmodelled("a scenario with earlier calls on other trees")
        return self.write_scenario(case, outside, self._recommended_outcome(case))

    def case_labels(self, case: Case) -> frozenset[str]:
        """Return the labels that apply to the case."""
        found = self.label_case(case, self._recommended_outcome(case))
        return frozenset(label for label, applies in found.items() if applies)

    def _recommended_outcome(self, case: Case) -> Outcome:
        return self.expected_outcome(case, ReadingChoices(self.recommended_readings))
