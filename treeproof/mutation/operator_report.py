"""The results of operators and their gate. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Miss:
    """A change that the model does not find, or attributes to a requirement that the table does not name."""

    operator: str
    scenario: str
    call: int
    cause: str


@dataclass(frozen=True)
class OperatorResult:
    """The result of the operators on the calls of some scenarios.

    ``applied`` counts the changes by operator. ``reasons`` are operators with the reason why the model need not find a
    change, and how many changes had it.
    """

    id: str
    applied: Mapping[str, int]
    missed: Sequence[Miss]
    reasons: Sequence[tuple[str, str, int]]
    seconds: float = 0.0


@dataclass(frozen=True)
class OperatorReport:
    """The results of all scenarios that were examined. ``unused``: operators that changed no call at all."""

    results: Sequence[OperatorResult]
    scenarios: int
    all_scenarios: int
    unused: Sequence[str] = ()

    @property
    def missed(self) -> list[Miss]:
        """The changes that are not found as the table demands."""
        return [one for result in self.results for one in result.missed]

    @property
    def applied(self) -> int:
        """The number of changes."""
        return sum(sum(result.applied.values()) for result in self.results)

    @property
    def reasons(self) -> Mapping[str, int]:
        """The number of changes that need not be found, by operator and reason."""
        counts: Counter[str] = Counter()
        for result in self.results:
            for name, reason, count in result.reasons:
                counts[f"{name}: {reason}"] += count
        return dict(sorted(counts.items()))

    def broken_gates(self) -> list[str]:
        """Return one message per failed gate."""
        messages = []
        if missed := self.missed:
            names = ", ".join(dict.fromkeys(one.operator for one in missed))
            messages.append(f"{len(missed)} changed answers are not found, or blame another requirement ({names})")
        if self.unused:
            messages.append(f"{', '.join(self.unused)}: an operator that changes no answer")
        return messages

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return {
            "gates": self.broken_gates(),
            "scenarios": self.scenarios,
            "applied": self.applied,
            "missed": [vars(one) for one in self.missed],
            "reasons": dict(self.reasons),
        }
