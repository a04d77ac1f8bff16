"""The judgement of an answer by all outcomes that accepted readings allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from treeproof.api import Alternative, Finding, ModelJudgement

from .remembered import once_in_a_row

Outcome = TypeVar("Outcome")

Comparison: TypeAlias = tuple[int, tuple[Finding, ...]]
"""The stage at which a comparison found differences, and these; without any, the answer matches."""

MATCH: Comparison = (99, ())


def judge_outcomes(
    outcomes: Iterable[tuple[Mapping[str, str], Outcome]],
    compare: Callable[[Outcome], Comparison],
    shown_readings: Callable[[Outcome], Mapping[str, str]] = lambda outcome: {},
    can_match: Callable[[Outcome], bool] = lambda outcome: True,
) -> ModelJudgement:
    """Return the readings that all matching outcomes share; without one, the differences from the closest outcome.

    `shown_readings` are those of a matching outcome that the answer shows beside the readings of the outcome. Outcomes
    that cannot match are compared only if no other one matches: most answers are right.
    The closest outcome is the one whose comparison came farthest, then the one with the fewest differences.
    """
    compare, shown_readings = once_in_a_row(compare), once_in_a_row(shown_readings)
    allowed = list(outcomes)
    found = {at: compare(outcome) for at, (_, outcome) in enumerate(allowed) if can_match(outcome)}
    matching = [allowed[at] for at, (_, findings) in found.items() if not findings]
    if matching:
        explanations = tuple({**labels, **shown_readings(outcome)} for labels, outcome in matching)
        first, *others = explanations
        shared = {
            interpretation: label
            for interpretation, label in first.items()
            if all(labels.get(interpretation) == label for labels in others)
        }
        return ModelJudgement(observed_readings=shared, explanations=explanations)
    differing: list[tuple[int, int, Alternative]] = []
    for at, (labels, outcome) in enumerate(allowed):
        stage, findings = found[at] if at in found else compare(outcome)
        differing.append((-stage, len(findings), Alternative(labels, findings)))
    nearest = tuple(one[2] for one in sorted(differing, key=lambda one: one[:2]))
    return ModelJudgement(nearest[0].findings if nearest else (), alternatives=nearest)


def first_differences(stages: Iterable[Callable[[], Iterable[Finding]]], start: int = 0) -> Comparison:
    """Run the stages of a comparison, the coarse ones first, until one finds a difference."""
    for number, stage in enumerate(stages, start):
        findings = tuple(stage())
        if findings:
            return number, findings
    return MATCH
