"""The model of list_directory 1.1: what a call on a recipe comes to, and what an answer does otherwise.

This file only joins the parts in `listing/`. `model` is what the catalogue names as its oracle.
"""

from __future__ import annotations

from collections.abc import Mapping

from treeproof.candidate import Answer
from treeproof.search.model import Accepted, Case, Family, Judged, Unmodelled

from .listing.arguments import Refusal
from .listing.cases import EVERY_CLASS, classes, families
from .listing.comparison import MATCH, compare
from .listing.outcomes import Listing, NotModelled, outcome
from .listing.readings import RECOMMENDED, Readings, worlds
from .listing.sentences import sentences

RECORDED = frozenset(RECOMMENDED) - {"AMB-LD-02", "AMB-LD-13", "AMB-LD-31", "AMB-LD-33", "AMB-LD-34"}
"""The passages of which one answer can show the reading; of the others it shows at most one of several."""


BLAMED = frozenset(
    stem + number
    for stem, numbers in (
        ("SCH-LD", ("",)),
        ("FR-LD-VAL-", ("01", "02", "03", "04", "05", "06", "06a", "06b", "07", "08", "09", "10")),
        ("FR-LD-LST-", ("01", "02", "03", "04", "05", "06", "06a", "07", "08")),
        ("DOC-", ("01", "03", "05", "06")),
        ("EF-", ("01", "02", "03", "04", "05", "06", "07", "08", "09")),
        ("FR-LD-OUT-", ("01", "02a", "02b", "03", "05", "06", "07", "08")),
        ("FR-LD-ERR-", ("01", "02", "04")),
        ("NFR-LD-", ("REL-01", "REL-02", "PORT-01")),
        ("CFG-LD-", ("03", "04")),
    )
    for number in numbers
)
"""Every requirement that a finding can name."""


class ListDirectory:
    """The oracle of list_directory. It has no state: equal questions have equal answers."""

    tool = "list_directory"
    requirements = BLAMED
    interpretations = frozenset(RECOMMENDED)
    every_class = EVERY_CLASS

    def families(self, capabilities: frozenset[str]) -> tuple[Family, ...]:
        """The families of cases that a candidate of these capabilities can be asked."""
        return families(capabilities)

    def outcomes(self, case: Case, accepted: Accepted) -> list[tuple[Mapping[str, str], Listing | Refusal]]:
        """Every outcome that accepted readings allow, the recommended one first, with the labels it rests on.

        Raises Unmodelled.
        """

        def run(readings: Readings) -> Listing | Refusal:
            return outcome(case.tree, case.arguments, case.context, case.config, readings)

        try:
            return list(worlds(accepted, run))
        except NotModelled as why:
            raise Unmodelled(str(why)) from why

    def expected(self, case: Case) -> str:
        """The exact document by the recommended readings, or the kinds of error. Raises Unmodelled."""
        ((_, due),) = self.outcomes(case, {})
        if isinstance(due, Listing):
            return due.text or "ExecutionFailed"
        return " or ".join(sorted(due.kinds))

    def judge(self, case: Case, answer: Answer, accepted: Accepted) -> Judged:
        """What the answer does otherwise than every accepted outcome, by the closest of them. Raises Unmodelled."""
        free_escapes = "any_valid" in accepted.get("AMB-LD-15", ())
        best = None
        explained: list[Mapping[str, str]] = []
        for labels, due in self.outcomes(case, accepted):
            far, findings = compare(due, answer, case.tree, free_escapes=free_escapes)
            if (far, findings) == MATCH:
                explained.append(labels)
            elif best is None or (far, -len(findings)) > (best[0], -len(best[1])):
                best = far, findings
        if not explained:
            return Judged(findings=best[1] if best else ())
        first, *others = explained
        seen = {
            passage: label
            for passage, label in first.items()
            if passage in RECORDED and all(labels.get(passage) == label for labels in others)
        }
        return Judged(seen=seen)

    def sentences(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario, by the recommended readings. Raises Unmodelled."""
        ((_, due),) = self.outcomes(case, {})
        return tuple(sentences(case, outside, due))

    def classes(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""
        ((_, due),) = self.outcomes(case, {})
        return classes(case, due)


model = ListDirectory()
