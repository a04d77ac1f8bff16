"""The kill matrix and its gates. Pure functions from results to failed gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.spec import Requirement
from treeproof.spec.mutants import Mutant

MIN_ATTRIBUTION_RATE = 0.95
"""The share of wrong implementations that must fail little but what they violate."""
MAX_COLLATERAL_FAILURES = 2
"""How many MUSTs may fail beside those that a wrong implementation names."""
NULL_CANDIDATE_KIND = "null"


@dataclass(frozen=True)
class MutantResult:
    """What the suite said of one mutant: requirements that failed and passed, and scenarios that failed.

    ``whole`` is False where only its own requirement was asked.
    """

    id: str
    failed: frozenset[str]
    passed: frozenset[str]
    whole_suite: bool
    seconds: float = 0.0
    scenarios: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the result as a worker sends it."""
        return {**vars(self), "failed": sorted(self.failed), "passed": sorted(self.passed)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MutantResult:
        """Read back what :meth:`to_json` wrote."""
        sets = {name: frozenset(data[name]) for name in ("failed", "passed")}
        return cls(**{**data, **sets, "scenarios": tuple(data["scenarios"])})


@dataclass(frozen=True)
class MutantRow:
    """One mutant in the matrix."""

    mutant: Mutant
    result: MutantResult
    killed: bool
    collateral_failures: tuple[str, ...]
    """Requirements that failed and that the mutant does not name."""

    @property
    def primary_requirement(self) -> str:
        """What the mutant violates in the first place; "" for a null candidate."""
        return next(iter(self.mutant.violates), "")

    def to_json(self) -> dict[str, Any]:
        """Return the line as the report holds it."""
        return {
            "id": self.mutant.id,
            "kind": self.mutant.kind,
            "summary": self.mutant.summary,
            "violates": list(self.mutant.violates),
            "killed": self.killed,
            "failed": sorted(self.result.failed),
            "scenarios": list(self.result.scenarios),
            "beside": list(self.collateral_failures),
            "passed": sorted(self.result.passed) if self.mutant.kind == NULL_CANDIDATE_KIND else None,
            "whole": self.result.whole_suite,
        }


@dataclass(frozen=True)
class KillMatrix:
    """Every mutant with what became of it.

    ``verified`` holds the requirements that need a mutant of their own; ``inseparable`` says of some why there is none.
    """

    rows: tuple[MutantRow, ...]
    verified: tuple[str, ...] = ()
    without_mutant: Mapping[str, str] = field(default_factory=dict)

    @property
    def survivors(self) -> list[MutantRow]:
        """Mutants that the requirement they violate did not catch; null candidates that earned a PASS."""
        return [line for line in self.rows if not line.killed]

    @property
    def rows_with_collateral_failures(self) -> list[MutantRow]:
        """Mutants that made unrelated requirements fail, among those that met the whole suite."""
        return [line for line in self.rows if line.result.whole_suite and line.collateral_failures]

    @property
    def attribution_rate(self) -> float | None:
        """The share of mutants with little beside; None where none met the whole suite."""
        return self._share_excluding(
            [
                line
                for line in self.rows_with_collateral_failures
                if len(line.collateral_failures) > MAX_COLLATERAL_FAILURES
            ]
        )

    @property
    def isolated_kills(self) -> float | None:
        """The share of mutants with nothing beside; None where none met the whole suite."""
        return self._share_excluding(self.rows_with_collateral_failures)

    def _share_excluding(self, without: Sequence[MutantRow]) -> float | None:
        whole = [line for line in self.rows if line.result.whole_suite and line.mutant.kind != NULL_CANDIDATE_KIND]
        return 1 - len(without) / len(whole) if whole else None

    @property
    def untested_requirements(self) -> list[str]:
        """Requirements that no mutant violates in the first place and is caught by, with little else to blame."""
        little = [
            line for line in self.rows if line.killed and len(line.collateral_failures) <= MAX_COLLATERAL_FAILURES
        ]
        tried = {line.primary_requirement for line in little}
        return [id for id in self.verified if id not in tried]

    def broken_gates(self) -> list[str]:
        """Return a sentence for every gate that does not hold."""
        said = []
        if self.survivors:
            names = [line.mutant.id for line in self.survivors]
            said.append(_describe_count(names, "is not caught by its requirement", "are not caught by theirs"))
        if self.attribution_rate is not None and self.attribution_rate < MIN_ATTRIBUTION_RATE:
            said.append(
                f"attribution is right for {self.attribution_rate:.1%} of the mutants; "
                f"the gate is {MIN_ATTRIBUTION_RATE:.0%}"
            )
        lacking = [id for id in self.untested_requirements if id not in self.without_mutant]
        if lacking:
            one, several = (
                "has no mutant of its own and no reason why",
                "have none of their own and no reason why",
            )
            said.append(_describe_count(lacking, one, several))
        idle = sorted(
            self.without_mutant.keys() & {line.primary_requirement for line in self.rows} & set(self.verified)
        )
        if idle:
            one, several = (
                "has a mutant although a reason says otherwise",
                "have mutants although reasons say otherwise",
            )
            said.append(_describe_count(idle, one, several))
        if not self.rows:
            said.append("there is no wrong implementation to try")
        return said


def build_kill_matrix(
    mutants: Mapping[str, Mutant],
    results: Iterable[MutantResult],
    requirements: Iterable[Requirement],
    *,
    verified: Iterable[str] = (),
    without_mutant: Mapping[str, str] | None = None,
) -> KillMatrix:
    """Set every result beside what its mutant says of itself.

    ``verified``: the requirements that must have a mutant of their own, or a reason in ``inseparable`` why there can be
    none.
    """
    known = tuple(requirements)
    lines = tuple(_build_row(mutants[result.id], result, known) for result in results)
    return KillMatrix(lines, tuple(verified), dict(without_mutant or {}))


def _build_row(mutant: Mutant, result: MutantResult, requirements: Sequence[Requirement]) -> MutantRow:
    if mutant.kind == NULL_CANDIDATE_KIND:
        return MutantRow(mutant, result, killed=not result.passed, collateral_failures=())
    # A requirement that restates another one falls with it: one fault, one blame.
    restates = {r.id: r.restates for r in requirements if r.restates}
    advice = {r.id for r in requirements if r.level != "MUST"}
    failed = {restates.get(id, id) for id in result.failed} - advice
    named = {restates.get(id, id) for id in mutant.violates}
    declared = mutant.violates[0]
    return MutantRow(
        mutant,
        result,
        killed=bool({declared, restates.get(declared, declared)} & result.failed),
        collateral_failures=tuple(sorted(failed - named)),
    )


def _describe_count(ids: Sequence[str], one: str, many: str) -> str:
    names = ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "")
    return f"{len(ids)} {one if len(ids) == 1 else many}: {names}"
