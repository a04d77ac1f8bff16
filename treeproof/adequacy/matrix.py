"""The kill matrix and its gates. Pure: results of runs in, sentences out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treeproof.adequacy.zoo import Mutant
from treeproof.spec import Requirement

BLAME = 0.95
"""The share of wrong implementations that must fail little but what they violate."""
BESIDE = 2
"""How many MUSTs may fail beside those that a wrong implementation names."""
NULL = "null"


@dataclass(frozen=True)
class Result:
    """What the suite said of one mutant: requirements that failed and passed, and scenarios that failed.

    ``whole`` is False where only its own requirement was asked.
    """

    id: str
    failed: frozenset[str]
    passed: frozenset[str]
    whole: bool
    seconds: float = 0.0
    scenarios: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the result as a worker sends it."""
        return {**vars(self), "failed": sorted(self.failed), "passed": sorted(self.passed)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read back what :meth:`to_json` wrote."""
        sets = {name: frozenset(data[name]) for name in ("failed", "passed")}
        return cls(**{**data, **sets, "scenarios": tuple(data["scenarios"])})


@dataclass(frozen=True)
class Line:
    """One mutant in the matrix."""

    mutant: Mutant
    result: Result
    killed: bool
    beside: tuple[str, ...]
    """Requirements that failed and that the mutant does not name."""

    @property
    def own(self) -> str:
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
            "beside": list(self.beside),
            "passed": sorted(self.result.passed) if self.mutant.kind == NULL else None,
            "whole": self.result.whole,
        }


@dataclass(frozen=True)
class Matrix:
    """Every mutant with what became of it.

    ``verified`` holds the requirements that need a mutant of their own; ``inseparable`` says of some why there is none.
    """

    lines: tuple[Line, ...]
    verified: tuple[str, ...] = ()
    inseparable: Mapping[str, str] = field(default_factory=dict)

    @property
    def survivors(self) -> list[Line]:
        """Mutants that the requirement they violate did not catch; null candidates that earned a PASS."""
        return [line for line in self.lines if not line.killed]

    @property
    def spills(self) -> list[Line]:
        """Mutants that made unrelated requirements fail, among those that met the whole suite."""
        return [line for line in self.lines if line.result.whole and line.beside]

    @property
    def blame(self) -> float | None:
        """The share of mutants with little beside; None where none met the whole suite."""
        return self._share([line for line in self.spills if len(line.beside) > BESIDE])

    @property
    def clean(self) -> float | None:
        """The share of mutants with nothing beside; None where none met the whole suite."""
        return self._share(self.spills)

    def _share(self, without: Sequence[Line]) -> float | None:
        whole = [line for line in self.lines if line.result.whole and line.mutant.kind != NULL]
        return 1 - len(without) / len(whole) if whole else None

    @property
    def untried(self) -> list[str]:
        """Requirements that no mutant violates in the first place and is caught by, with little else to blame."""
        little = [line for line in self.lines if line.killed and len(line.beside) <= BESIDE]
        tried = {line.own for line in little}
        return [id for id in self.verified if id not in tried]

    def broken_gates(self) -> list[str]:
        """Return a sentence for every gate that does not hold."""
        said = []
        if self.survivors:
            names = [line.mutant.id for line in self.survivors]
            said.append(_count(names, "is not caught by its requirement", "are not caught by theirs"))
        if self.blame is not None and self.blame < BLAME:
            said.append(
                f"blame is right for {self.blame:.1%} of the wrong implementations; {BLAME:.0%} is the gate"
            )
        lacking = [id for id in self.untried if id not in self.inseparable]
        if lacking:
            one, several = (
                "has no mutant of its own and no reason why",
                "have none of their own and no reason why",
            )
            said.append(_count(lacking, one, several))
        idle = sorted(self.inseparable.keys() & {line.own for line in self.lines} & set(self.verified))
        if idle:
            one, several = (
                "has a mutant although a reason says otherwise",
                "have mutants although reasons say otherwise",
            )
            said.append(_count(idle, one, several))
        if not self.lines:
            said.append("there is no wrong implementation to try")
        return said


def matrix(
    zoo: Mapping[str, Mutant],
    results: Iterable[Result],
    requirements: Iterable[Requirement],
    *,
    verified: Iterable[str] = (),
    inseparable: Mapping[str, str] | None = None,
) -> Matrix:
    """Set every result beside what its mutant says of itself.

    ``verified``: the requirements that must have a mutant of their own, or a reason in ``inseparable`` why there can be
    none.
    """
    known = tuple(requirements)
    lines = tuple(_line(zoo[result.id], result, known) for result in results)
    return Matrix(lines, tuple(verified), dict(inseparable or {}))


def _line(mutant: Mutant, result: Result, requirements: Sequence[Requirement]) -> Line:
    if mutant.kind == NULL:
        return Line(mutant, result, killed=not result.passed, beside=())
    # A requirement that restates another one falls with it: one fault, one blame.
    restates = {r.id: r.restates for r in requirements if r.restates}
    advice = {r.id for r in requirements if r.level != "MUST"}
    failed = {restates.get(id, id) for id in result.failed} - advice
    named = {restates.get(id, id) for id in mutant.violates}
    declared = mutant.violates[0]
    return Line(
        mutant,
        result,
        killed=bool({declared, restates.get(declared, declared)} & result.failed),
        beside=tuple(sorted(failed - named)),
    )


def _count(ids: Sequence[str], one: str, many: str) -> str:
    names = ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "")
    return f"{len(ids)} {one if len(ids) == 1 else many}: {names}"
