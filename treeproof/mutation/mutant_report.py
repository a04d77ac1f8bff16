"""The kill matrix and its gates. Pure functions from results to failed gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.spec import Requirement
from treeproof.spec.mutants import Mutant

MIN_ATTRIBUTION_RATE = 0.95
"""The share of mutants that must have at most MAX_COLLATERAL_FAILURES collateral failures."""
MAX_COLLATERAL_FAILURES = 2
"""The number of MUST requirements that may fail without being named by the mutant."""
NULL_CANDIDATE_KIND = "null"


@dataclass(frozen=True)
class MutantResult:
    """The result of the suite for one mutant: failed and passed requirements, and failed scenarios.

    ``whole_suite`` is False if only the scenarios of its own requirement ran. ``fault``: why it did not start, or why a
    scenario of its requirement has no verdict.
    """

    id: str
    failed: frozenset[str]
    passed: frozenset[str]
    whole_suite: bool
    seconds: float = 0.0
    scenarios: tuple[str, ...] = ()
    fault: str = ""


@dataclass(frozen=True)
class MutantRow:
    """One mutant in the matrix."""

    mutant: Mutant
    result: MutantResult
    killed: bool
    collateral_failures: tuple[str, ...]
    """Failed requirements that the mutant does not name."""

    @property
    def is_null(self) -> bool:
        """True for a null candidate, which violates no requirement more than others."""
        return self.mutant.kind == NULL_CANDIDATE_KIND

    @property
    def violated(self) -> str:
        """The first requirement that the mutant violates; "" for a null candidate."""
        return next(iter(self.mutant.violates), "")

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON for the report."""
        return {
            "id": self.mutant.id,
            "kind": self.mutant.kind,
            "summary": self.mutant.summary,
            "violates": list(self.mutant.violates),
            "killed": self.killed,
            "failed": sorted(self.result.failed),
            "scenarios": list(self.result.scenarios),
            "beside": list(self.collateral_failures),
            "passed": sorted(self.result.passed) if self.is_null else None,
            "whole": self.result.whole_suite,
        }


@dataclass(frozen=True)
class KillMatrix:
    """All mutants with their results.

    ``verified`` holds the requirements that need a mutant; ``without_mutant`` maps exceptions to their reasons.
    """

    rows: tuple[MutantRow, ...]
    verified: tuple[str, ...] = ()
    without_mutant: Mapping[str, str] = field(default_factory=dict)

    @property
    def survivors(self) -> list[MutantRow]:
        """Mutants that their requirement did not detect, and null candidates that passed a requirement."""
        return [row for row in self.rows if not row.killed]

    @property
    def rows_with_collateral_failures(self) -> list[MutantRow]:
        """Mutants with collateral failures, among those that ran the whole suite."""
        return [row for row in self.rows if row.result.whole_suite and row.collateral_failures]

    @property
    def attribution_rate(self) -> float | None:
        """The share of mutants with few collateral failures; None if no mutant ran the whole suite."""
        return self._share_with_at_most(MAX_COLLATERAL_FAILURES)

    @property
    def isolated_kills(self) -> float | None:
        """The share of mutants without collateral failures; None if no mutant ran the whole suite."""
        return self._share_with_at_most(0)

    def _share_with_at_most(self, count: int) -> float | None:
        complete = [row for row in self.rows if row.result.whole_suite and not row.is_null]
        excluded = sum(len(row.collateral_failures) > count for row in complete)
        return 1 - excluded / len(complete) if complete else None

    @property
    def untested_requirements(self) -> list[str]:
        """Requirements without a mutant that they kill with few collateral failures."""
        attributed = (row for row in self.rows if len(row.collateral_failures) <= MAX_COLLATERAL_FAILURES)
        covered = {row.violated for row in attributed if row.killed}
        return [id for id in self.verified if id not in covered]

    def broken_gates(self) -> list[str]:
        """Return one message per failed gate."""
        messages = []
        if names := [row.mutant.id for row in self.survivors]:
            messages.append(_describe_count(names, "is not killed by its requirement", "are not killed by theirs"))
        if self.attribution_rate is not None and self.attribution_rate < MIN_ATTRIBUTION_RATE:
            messages.append(
                f"attribution is right for {self.attribution_rate:.1%} of the mutants; "
                f"the gate is {MIN_ATTRIBUTION_RATE:.0%}"
            )
        if missing := [id for id in self.untested_requirements if id not in self.without_mutant]:
            one, several = "has no mutant and no reason for that", "have no mutant and no reason for that"
            messages.append(_describe_count(missing, one, several))
        if contradicted := sorted(self.without_mutant.keys() & {row.violated for row in self.rows} & {*self.verified}):
            one, several = "has a mutant although a reason denies it", "have mutants although reasons deny it"
            messages.append(_describe_count(contradicted, one, several))
        if not self.rows:
            messages.append("the pack has no mutants")
        return messages

    def to_json(self) -> dict[str, Any]:
        """Return the matrix as JSON."""
        return {
            "blame": self.attribution_rate,
            "clean": self.isolated_kills,
            "gates": self.broken_gates(),
            "inseparable": dict(self.without_mutant),
            "mutants": [row.to_json() for row in self.rows],
        }


def build_kill_matrix(
    mutants: Mapping[str, Mutant],
    results: Iterable[MutantResult],
    requirements: Iterable[Requirement],
    *,
    verified: Iterable[str] = (),
    without_mutant: Mapping[str, str] | None = None,
) -> KillMatrix:
    """Compare the results with the requirements that the mutants name.

    ``verified``: the requirements that must have a mutant, or a reason in ``without_mutant`` why they have none.
    """
    all_requirements = tuple(requirements)
    rows = tuple(_build_row(mutants[result.id], result, all_requirements) for result in results)
    return KillMatrix(rows, tuple(verified), dict(without_mutant or {}))


def _build_row(mutant: Mutant, result: MutantResult, requirements: Sequence[Requirement]) -> MutantRow:
    if mutant.kind == NULL_CANDIDATE_KIND:
        return MutantRow(mutant, result, killed=not result.passed, collateral_failures=())
    # A requirement that restates another one fails with it and counts once.
    restates = {r.id: r.restates for r in requirements if r.restates}
    advisory_ids = {r.id for r in requirements if r.level != "MUST"}
    failed = {restates.get(id, id) for id in result.failed} - advisory_ids
    named = {restates.get(id, id) for id in mutant.violates}
    return MutantRow(
        mutant,
        result,
        killed=any({id, restates.get(id, id)} & result.failed for id in mutant.violates),
        collateral_failures=tuple(sorted(failed - named)),
    )


def _describe_count(ids: Sequence[str], one: str, several: str) -> str:
    names = ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "")
    return f"{len(ids)} {one if len(ids) == 1 else several}: {names}"
