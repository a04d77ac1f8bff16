"""The kill matrix and its gates. Pure: results of runs in, sentences out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.adequacy.zoo import Mutant

BLAME = 0.95
"""The share of mutants that must fail little beside what they violate."""
BESIDE = 2
"""How many requirements may fail beside those that a mutant names."""
NULL = "null"


@dataclass(frozen=True)
class Result:
    """What the suite said of one mutant. ``whole`` is False where only its own requirement was asked."""

    id: str
    failed: frozenset[str]
    passed: frozenset[str]
    word: str
    whole: bool
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the result as a worker sends it."""
        return {**vars(self), "failed": sorted(self.failed), "passed": sorted(self.passed)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read back what :meth:`to_json` wrote."""
        return cls(**{**data, "failed": frozenset(data["failed"]), "passed": frozenset(data["passed"])})


@dataclass(frozen=True)
class Line:
    """One mutant in the matrix."""

    mutant: Mutant
    result: Result
    killed: bool
    beside: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the line as the report holds it."""
        return {
            "id": self.mutant.id,
            "kind": self.mutant.kind,
            "summary": self.mutant.summary,
            "violates": list(self.mutant.violates),
            "killed": self.killed,
            "failed": sorted(self.result.failed),
            "beside": list(self.beside),
            "passed": sorted(self.result.passed) if self.mutant.kind == NULL else None,
            "whole": self.result.whole,
        }


@dataclass(frozen=True)
class Matrix:
    """Every mutant with what became of it."""

    lines: tuple[Line, ...]

    @property
    def survivors(self) -> list[Line]:
        """Mutants that the requirement they violate did not catch; null candidates that earned a PASS."""
        return [line for line in self.lines if not line.killed]

    @property
    def spills(self) -> list[Line]:
        """Mutants that made more than two unrelated requirements fail, among those that met the whole suite."""
        return [line for line in self.lines if line.result.whole and len(line.beside) > BESIDE]

    @property
    def blame(self) -> float | None:
        """The share of mutants with little beside; None where none met the whole suite."""
        whole = [line for line in self.lines if line.result.whole and line.mutant.kind != NULL]
        return 1 - len(self.spills) / len(whole) if whole else None

    def broken_gates(self) -> list[str]:
        """Return a sentence for every gate that does not hold."""
        said = []
        if self.survivors:
            said.append(
                _count(self.survivors, "is not caught by its requirement", "are not caught by theirs")
            )
        if self.blame is not None and self.blame < BLAME:
            said.append(
                f"blame is right for {self.blame:.1%} of the wrong implementations; {BLAME:.0%} is the gate"
            )
        if not self.lines:
            said.append("there is no wrong implementation to try")
        return said


def matrix(zoo: Mapping[str, Mutant], results: Iterable[Result], restates: Mapping[str, str]) -> Matrix:
    """Set every result beside what its mutant says of itself; ``restates`` maps an id to that whose verdict it has."""
    return Matrix(tuple(_line(zoo[result.id], result, restates) for result in results))


def _line(mutant: Mutant, result: Result, restates: Mapping[str, str]) -> Line:
    if mutant.kind == NULL:
        return Line(mutant, result, killed=not result.passed, beside=())
    named = {restates.get(id, id) for id in mutant.violates}
    beside = {id for id in result.failed if restates.get(id, id) not in named and id not in mutant.violates}
    # A requirement that restates another one falls with it: one fault, one blame.
    own = {id for id in beside if id not in restates}
    declared = mutant.violates[0]
    killed = declared in result.failed or restates.get(declared, declared) in result.failed
    return Line(mutant, result, killed, tuple(sorted(own)))


def _count(lines: Sequence[Line], one: str, many: str) -> str:
    names = ", ".join(line.mutant.id for line in lines[:8]) + (", …" if len(lines) > 8 else "")
    return f"{len(lines)} {one if len(lines) == 1 else many}: {names}"
