"""The model of LocalFiles 2: what a list or a search of a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `finding/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.candidate import Answer
from treeproof.search.model import Accepted, Case, Family, Finding, Judged
from treeproof.tree import show_path

from .finding.cases import EVERY_CLASS, classes, families
from .finding.comparison import MATCH, compare
from .finding.outcomes import RECOMMENDED, Listed, Outcome, outcomes
from .finding.sentences import sentences

BLAMED = frozenset(
    {
        *("LF-MODEL-01", "LF-MODEL-02", "LF-TYPE-01", "LF-TYPE-02", "LF-TYPE-03"),
        *(
            "LF-FIELD-01",
            "LF-FIELD-02",
            "LF-FIELD-03",
            "LF-FIELD-04",
            "LF-LINK-01",
            "LF-LINK-02",
            "LF-LINK-03",
        ),
        *("LF-LIST-01", "LF-LIST-02", "LF-SORT-01", "LF-SORT-02", "LF-ERR-01"),
        *("LF-FIND-01", "LF-FIND-02", "LF-FIND-03", "LF-FIND-04", "LF-FIND-05"),
    }
)
"""Every requirement that a finding can name."""

RECORDED = ("AMB-LF-11", "AMB-LF-12", "AMB-LF-15")
"""The passages of which one answer can show the reading."""


class LocalFiles:
    """The oracle of LocalFiles. It has no state: equal questions have equal answers."""

    tool = "listDirectory"
    requirements = BLAMED
    interpretations = frozenset(RECOMMENDED)
    every_class = EVERY_CLASS

    def families(self, capabilities: frozenset[str]) -> tuple[Family, ...]:
        """The families of cases that a candidate of these capabilities can be asked."""
        return families(capabilities)

    def due(self, case: Case) -> Outcome:
        """What is due by the recommended readings. Raises Unmodelled."""
        return outcomes(case, {})[0][1]

    def expected(self, case: Case) -> str:
        """The entries that are due, or an error. Raises Unmodelled."""
        due = self.due(case)
        if not isinstance(due, Listed):
            return "an error"
        return ", ".join(show_path(child.raw) for child in due.due) or "[]"

    def judge(self, case: Case, answer: Answer, accepted: Accepted) -> Judged:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        fitting: list[Mapping[str, str]] = []
        best: tuple[int, tuple[Finding, ...]] = (-1, ())
        for labels, outcome in outcomes(case, accepted):
            compared = compare(outcome, answer, accepted)
            if compared == MATCH:
                fitting.append(labels)
            elif compared[0] > best[0]:
                best = compared
        if not fitting:
            return Judged(findings=best[1])
        common = set.intersection(*(set(labels.items()) for labels in fitting))
        ambiguous = len(outcomes(case, accepted)) > 1
        return Judged(seen={passage: label for passage, label in common if ambiguous and passage in RECORDED})

    def sentences(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        return tuple(sentences(case, outside, self.due(case)))

    def classes(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        return classes(case, self.due(case))


model = LocalFiles()
