"""The model of FS.WalkDir 0.1: what a walk of a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `walking/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.candidate import Answer
from treeproof.search.model import Accepted, Case, Family, Finding, Judged
from treeproof.tree import show_path

from .walking.cases import EVERY_CLASS, classes, families
from .walking.comparison import MATCH, compare
from .walking.outcomes import RECOMMENDED, Outcome, Walk, outcomes
from .walking.sentences import sentences

BLAMED = frozenset(
    f"WD-{group}-{number:02}"
    for group, numbers in {
        "ARG": (1, 2, 3, 4, 5),
        "RET": (1, 2),
        "ENT": (1, 2, 3, 4, 5),
        "WALK": (1, 2, 3, 4),
        "ERR": (1, 2, 3, 4, 5, 6),
        "SEC": (1, 2, 3),
    }.items()
    for number in numbers
)
"""Every requirement that a finding can name."""

RECORDED = ("AMB-WD-01", "AMB-WD-06", "AMB-WD-09", "AMB-WD-14", "AMB-WD-18")
"""The passages of which one answer shows the reading."""


class FSWalkDir:
    """The oracle of FS.WalkDir. It has no state: equal questions have equal answers."""

    tool = "FS.WalkDir"
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
        """The paths that are due in the notation, or nil. Raises Unmodelled."""
        due = self.due(case)
        if not isinstance(due, Walk):
            return "nil or an error of the call" if due.failing else "nil or []" if due.empty else "nil"
        return ", ".join(show_path(one.text.encode()) for one in due.due) or "[]"

    def judge(self, case: Case, answer: Answer, accepted: Accepted) -> Judged:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        fitting: list[Mapping[str, str]] = []
        far = -1
        closest: tuple[Finding, ...] = ()
        for labels, outcome in outcomes(case, accepted):
            came, findings = compare(outcome, answer)
            if (came, findings) == MATCH:
                fitting.append(labels)
            elif came > far:
                far, closest = came, findings
        if not fitting:
            return Judged(findings=closest)
        common = set.intersection(*(set(labels.items()) for labels in fitting))
        seen = {passage: label for passage, label in common if passage in RECORDED}
        if "AMB-WD-09" in seen:  # one outcome, and two ways to say it
            seen["AMB-WD-09"] = "nil" if answer.status == "ok" else "call_error"
        return Judged(seen=seen)

    def sentences(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        return tuple(sentences(case, outside, self.due(case)))

    def classes(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        return classes(case, self.due(case))


model = FSWalkDir()
