"""The model of LS 2.0.0: what a call on a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `envelope/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.candidate import Answer
from treeproof.search.model import Accepted, Case, Family, Judged
from treeproof.tree import parse

from .envelope.cases import BESIDE, EVERY_CLASS, classes, families
from .envelope.comparison import MATCH, compare
from .envelope.outcomes import Error, Listing, outcome
from .envelope.readings import RECOMMENDED, runs
from .envelope.sentences import sentences

AROUND = parse(BESIDE)
"""What lies beside the project root in every case."""

BLAMED = frozenset(
    f"LS-{stem}-{number}"
    for stem, numbers in (
        ("DEF", ("04",)),
        ("ARG", ("01", "02", "03", "04", "05", "06", "07", "08")),
        ("ENV", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10")),
        ("DATA", ("01", "02", "03", "04", "05", "06", "07")),
        ("PAGE", ("01", "02", "03", "05")),
        ("STAT", ("01", "02", "03")),
        ("FILT", ("01", "02", "03", "04", "05", "06", "07", "08", "09", "10")),
        ("SORT", ("01", "02", "03", "04")),
        ("SEC", ("01", "02", "03", "04", "05", "06", "07")),
        ("ERR", ("01", "02", "03", "04", "05", "07")),
        ("TEXT", ("01", "02", "03", "04", "05", "06")),
    )
    for number in numbers
)
"""Every requirement that a finding can name."""


class LS:
    """The oracle of LS. It has no state: equal questions have equal answers."""

    tool = "LS"
    requirements = BLAMED
    interpretations = frozenset(RECOMMENDED)
    every_class = EVERY_CLASS

    def families(self, capabilities: frozenset[str]) -> tuple[Family, ...]:
        """The families of cases that a candidate of these capabilities can be asked."""
        return families(capabilities)

    def outcomes(self, case: Case, accepted: Accepted) -> list[tuple[Mapping[str, str], Listing | Error]]:
        """Every outcome that accepted readings allow, the recommended one first. Raises Unmodelled."""
        return list(runs(accepted, lambda run: outcome(case, AROUND, run)))

    def expected(self, case: Case) -> str:
        """The entries by the recommended readings, or the codes of the error. Raises Unmodelled."""
        ((_, due),) = self.outcomes(case, {})
        if isinstance(due, Error):
            return " or ".join(due.codes)
        return ", ".join(item.path for item in due.page)

    def judge(self, case: Case, answer: Answer, accepted: Accepted) -> Judged:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        found = [(labels, compare(due, answer, case)) for labels, due in self.outcomes(case, accepted)]
        explaining = [labels for labels, compared in found if compared == MATCH]
        if not explaining:
            _, (_, findings) = max(found, key=lambda one: (one[1][0], -len(one[1][1])))
            return Judged(findings=findings)
        sure = {
            passage: label
            for passage, label in explaining[0].items()
            if all(labels.get(passage) == label for labels in explaining)
        }
        return Judged(seen=sure)

    def sentences(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        ((_, due),) = self.outcomes(case, {})
        return tuple(sentences(case, outside, due))

    def classes(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        ((_, due),) = self.outcomes(case, {})
        return classes(case, due)


model = LS()
