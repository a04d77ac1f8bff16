"""Attribution: one error in a candidate is attributed to one requirement. Pure functions.

A single finding often has several explanations: an entry with an unusual name in a subdirectory can be missing because
of its name or its place. The answer then contradicts several sentences of the document alike. What other findings break
without a doubt explains it first; among the rest, the explanation that covers most findings is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from treeproof.verdict.finding import Finding


class Attribution:
    """The requirements to which the findings of a whole sample, or of a run, are attributed."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.requirements = _minimal_cover(list(findings))
        """The violated requirements, the one with most findings first."""

    def requirement_for(self, finding: Finding) -> str:
        """Return the requirement to which a finding is attributed; the finding need not belong to the sample."""
        return next((id for id in self.requirements if id in finding.possible_requirements), finding.requirement)


class CertainFirst(Attribution):
    """The attribution of a whole run: what findings break without a doubt explains others that could be the same error.

    It does so if it was met at least half as often as what they break by the most specific sentence: an error in every
    call is met in plain calls, too. The others are attributed to a few sentences, the specific ones first.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        given = list(findings)
        self._specific = Counter(one.requirement for one in given)
        self._certain = Counter(one.requirement for one in given if len(one.possible_requirements) == 1)
        certain = sorted(self._certain, key=lambda id: (-self._certain[id], id))
        open_ones = [one for one in given if not any(self._explains(id, one) for id in certain)]
        self.requirements = (*certain, *_minimal_cover(open_ones, prefers_specific=True))

    def requirement_for(self, finding: Finding) -> str:
        """Return the requirement to which a finding of the run is attributed; its own comes first if it is violated."""
        if finding.requirement in self.requirements:
            return finding.requirement
        possible = (id for id in self.requirements if id in finding.possible_requirements)
        return next(
            (id for id in possible if id not in self._certain or self._explains(id, finding)), finding.requirement
        )

    def _explains(self, certain: str, finding: Finding) -> bool:
        if certain == finding.requirement:
            return True
        return (
            certain in finding.possible_requirements
            and 2 * self._certain[certain] >= self._specific[finding.requirement]
        )


def _minimal_cover(findings: list[Finding], *, prefers_specific: bool = False) -> tuple[str, ...]:
    """Return a few requirements that explain all findings: a greedy set cover.

    With ``prefers_specific`` a requirement that no finding names first has to explain twice as many as one that is.
    """
    chosen: list[str] = []
    while findings:
        coverage = Counter(id for finding in findings for id in finding.possible_requirements)
        first = Counter(finding.requirement for finding in findings)
        best = max(coverage, key=lambda id: (coverage[id], first[id], id))
        specific = max(first, key=lambda id: (coverage[id], first[id], id))
        if prefers_specific and coverage[best] < 2 * coverage[specific]:
            best = specific
        chosen.append(best)
        findings = [finding for finding in findings if best not in finding.possible_requirements]
    return tuple(chosen)
