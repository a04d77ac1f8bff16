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
    """The attribution of a whole run: what a finding breaks without a doubt comes before the cover of the others.

    A finding whose own requirement is among the violated ones keeps it.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        given = list(findings)
        certain = Counter(one.requirement for one in given if len(one.possible_requirements) == 1)
        open_ones = [one for one in given if not certain.keys() & {*one.possible_requirements}]
        ordered = sorted(certain, key=lambda id: (-certain[id], id))
        self.requirements = (*ordered, *_minimal_cover(open_ones))

    def requirement_for(self, finding: Finding) -> str:
        """Return the requirement to which a finding of the run is attributed."""
        return finding.requirement if finding.requirement in self.requirements else super().requirement_for(finding)


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
