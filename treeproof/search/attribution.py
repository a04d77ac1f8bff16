"""One mistake, one requirement: what many findings have in common.

A finding by itself can often be explained in several ways: an entry with an odd name in a subdirectory is missing, for
its name or for its place. Over many findings the explanation is the one that covers most of them. Pure functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from treeproof.search.model import Finding


class Attribution:
    """To whom findings go, decided over all of a sample's findings together."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.requirements = _minimal_cover(list(findings))
        """The requirements that are to blame, the one with most findings first."""

    def requirement_for(self, finding: Finding) -> str:
        """The requirement to which a finding goes, be it of the sample or not."""
        return next((id for id in self.requirements if id in finding.possible_requirements), finding.requirement)


def _minimal_cover(findings: list[Finding]) -> tuple[str, ...]:
    """A few requirements that explain everything: again and again the one that explains most of what is left."""
    chosen: list[str] = []
    while findings:
        explains = Counter(id for finding in findings for id in finding.possible_requirements)
        first = Counter(finding.requirement for finding in findings)
        best = max(explains, key=lambda id: (explains[id], first[id], id))
        chosen.append(best)
        findings = [finding for finding in findings if best not in finding.possible_requirements]
    return tuple(chosen)
