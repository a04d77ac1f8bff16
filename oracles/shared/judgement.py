"""The judgement of an answer by all outcomes that accepted readings allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from treeproof.api import Finding, ModelJudgement

Outcome = TypeVar("Outcome")

Comparison: TypeAlias = tuple[int, tuple[Finding, ...]]
"""The stage at which a comparison found differences, and these; without any, the answer matches."""

MATCH: Comparison = (99, ())


def judge_outcomes(
    outcomes: Iterable[tuple[Mapping[str, str], Outcome]], compare: Callable[[Outcome], Comparison]
) -> ModelJudgement:
    """Return the readings that all matching outcomes share; without one, the differences from the closest outcome.

    The closest outcome is the one whose comparison came farthest, then the one with the fewest differences.
    """
    explanations: list[Mapping[str, str]] = []
    closest: Comparison | None = None
    for labels, outcome in outcomes:
        stage, findings = compare(outcome)
        if not findings:
            explanations.append(labels)
        elif closest is None or (stage, -len(findings)) > (closest[0], -len(closest[1])):
            closest = stage, findings
    if explanations:
        first, *others = explanations
        shared = {
            interpretation: label
            for interpretation, label in first.items()
            if all(labels.get(interpretation) == label for labels in others)
        }
        return ModelJudgement(observed_readings=shared)
    return ModelJudgement(findings=closest[1] if closest else ())


def first_differences(stages: Iterable[Callable[[], Iterable[Finding]]], start: int = 0) -> Comparison:
    """Run the stages of a comparison, the coarse ones first, until one finds a difference."""
    for number, stage in enumerate(stages, start):
        findings = tuple(stage())
        if findings:
            return number, findings
    return MATCH
