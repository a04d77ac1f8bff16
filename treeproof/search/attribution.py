"""Attribution: one error in a candidate is attributed to one requirement. Pure functions.

A single finding often has several explanations: an entry with an unusual name in a subdirectory can be missing because
of its name or its place. The explanation that covers most findings is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from treeproof.verdict.finding import Finding


class Attribution:
    """The requirements to which the findings of a whole sample are attributed."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.requirements = _minimal_cover(list(findings))
        """The violated requirements, the one with most findings first."""

    def requirement_for(self, finding: Finding) -> str:
        """Return the requirement to which a finding is attributed; the finding need not belong to the sample."""
        return next((id for id in self.requirements if id in finding.possible_requirements), finding.requirement)


def _minimal_cover(findings: list[Finding]) -> tuple[str, ...]:
    """Return a few requirements that explain all findings: a greedy set cover."""
    chosen: list[str] = []
    while findings:
        coverage = Counter(id for finding in findings for id in finding.possible_requirements)
        first = Counter(finding.requirement for finding in findings)
        best = max(coverage, key=lambda id: (coverage[id], first[id], id))
        chosen.append(best)
        findings = [finding for finding in findings if best not in finding.possible_requirements]
    return tuple(chosen)
