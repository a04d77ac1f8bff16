"""Attribution: one error in a candidate is attributed to one requirement. Pure functions.

A single finding often has several explanations: an entry with an unusual name in a subdirectory can be missing because
of its name or its place. The answer then contradicts several sentences of the document alike. What other findings break
without a doubt explains it first; among the rest, the explanation that covers most findings is chosen. Of several that
cover as many it is one whose own scenario has failed: its line was written for this sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from treeproof.verdict.finding import Finding


class Attribution:
    """The attribution of a whole run: what findings break without a doubt explains others that could be the same error.

    It does so if it was met at least half as often as what they break by the most specific sentence: an error in every
    call is met in plain calls, too. The others are attributed to a few sentences, the specific ones first.
    """

    def __init__(self, met: Iterable[tuple[Finding, str]]) -> None:
        """Take each finding, with the requirement of the scenario in which it was met if a line failed there."""
        pairs = list(met)
        given = [finding for finding, _ in pairs]
        self._specific = Counter(one.requirement for one in given)
        self._certain = Counter(one.requirement for one in given if len(one.possible_requirements) == 1)
        certain = sorted(self._certain, key=lambda id: (-self._certain[id], id))
        open_ones = [pair for pair in pairs if not any(self._explains(id, pair[0]) for id in certain)]
        self.requirements = (*certain, *_minimal_cover(open_ones))

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


def _minimal_cover(met: list[tuple[Finding, str]]) -> tuple[str, ...]:
    """Return a few requirements that explain all findings: a greedy set cover.

    One that no finding names first, and that no scenario with a failed line verifies, has to explain twice as many.
    """
    chosen: list[str] = []
    while met:
        coverage = Counter(id for finding, _ in met for id in finding.possible_requirements)
        first = Counter(finding.requirement for finding, _ in met)
        own = Counter(id for finding, id in met if id in finding.possible_requirements)
        rank = {id: (coverage[id], own[id] > 0, first[id], own[id], id) for id in coverage}
        best, specific = max(rank, key=rank.__getitem__), max(first | own, key=rank.__getitem__)
        if coverage[best] < 2 * coverage[specific]:
            best = specific
        chosen.append(best)
        met = [pair for pair in met if best not in pair[0].possible_requirements]
    return tuple(chosen)
