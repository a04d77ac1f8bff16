"""The trend of a candidate: the numbers of all its runs, the oldest first. Pure functions of run documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treeproof.report.digest import is_deselected, outcome_counts, verdict_counts
from treeproof.verdict.judge import Verdict
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.run_document import RunDocument

STACK = (Verdict.FAIL, Verdict.NOT_VERIFIED, Verdict.PASS, Verdict.NOT_APPLICABLE, Verdict.EXCLUDED)
"""The verdicts in the order of a stacked bar: problems are at the base line, where lengths can be compared."""


@dataclass(frozen=True)
class RunPoint:
    """One run: ``verdicts`` has the number of requirements that it is about, ``failed`` and ``faults`` scenarios."""

    started: str
    version: str
    conclusion: str
    claim: bool
    treeproof: str
    profile: str
    specs: Sequence[str]
    verdicts: Counter[Verdict]
    failed: int
    faults: int

    @property
    def total(self) -> int:
        """The number of requirements that the run is about."""
        return self.verdicts.total()


def run_points(runs: Iterable[RunDocument]) -> list[RunPoint]:
    """Return all runs of a candidate, the oldest first."""
    return [_point(run) for run in sorted(runs, key=lambda run: run.started)]


def _point(run: RunDocument) -> RunPoint:
    selected = (one for spec in run.specs for one in spec.requirements if not is_deselected(run, one))
    outcomes = outcome_counts(run)
    return RunPoint(
        started=run.started,
        version=run.candidate.version,
        conclusion=run.verdict,
        claim=run.claim,
        treeproof=run.treeproof,
        profile=run.profile,
        specs=[spec.label for spec in run.specs],
        verdicts=verdict_counts(selected),
        failed=outcomes[Outcome.FAILED],
        faults=outcomes[Outcome.FAULT],
    )


def bar_lengths(point: RunPoint, total: int, length: int) -> list[tuple[Verdict, int]]:
    """Return verdict and length of each part of a bar, for a full bar of ``length`` units and ``total`` requirements.

    Every verdict that occurs has at least one unit, so that a single failure is visible.
    """
    parts = [(verdict, point.verdicts[verdict]) for verdict in STACK if point.verdicts[verdict]]
    lengths = {verdict: max(1, round(count * length / max(total, 1))) for verdict, count in parts}
    excess = sum(lengths.values()) - length
    if excess > 0 and lengths:
        longest = max(lengths, key=lambda verdict: lengths[verdict])
        lengths[longest] = max(1, lengths[longest] - excess)
    return list(lengths.items())
