"""One record a scenario: what was built, asked, answered and expected. The evidence is the truth of every report.

A record is plain data that survives JSON and a process boundary. What a candidate wrote is bounded here; it is
escaped where it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treeproof.verdict.outcome import Outcome

MAX_TEXT_CHARACTERS = 16_384
"""Longest text of one evidence member, in characters; the rest is cut and the cut is said."""


def truncate(text: str, limit: int = MAX_TEXT_CHARACTERS) -> str:
    """Return ``text``, cut to ``limit`` characters with a note of how many were left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit} more characters)"


@dataclass(frozen=True)
class ScenarioRecord:
    """What one scenario showed. ``seconds`` is wall time; ``readings`` maps interpretation ids to labels seen.

    An ``advisory`` scenario is reported and decides nothing outside the strict profile.
    """

    id: str
    requirement: str
    outcome: Outcome
    title: str = ""
    file: str = ""
    line: int = 0
    also: tuple[str, ...] = ()
    advisory: bool = False
    readings: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the record as the run document holds it."""
        return {
            "id": self.id,
            "requirement": self.requirement,
            "outcome": str(self.outcome),
            "title": self.title,
            "file": self.file,
            "line": self.line,
            "also": list(self.also),
            "advisory": self.advisory,
            "readings": dict(sorted(self.readings.items())),
            "warnings": list(self.warnings),
            "seconds": round(self.seconds, 4),
            "evidence": dict(self.evidence),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ScenarioRecord:
        """Read back what :meth:`to_json` wrote."""
        return cls(
            id=data["id"],
            requirement=data["requirement"],
            outcome=Outcome(data["outcome"]),
            title=data["title"],
            file=data["file"],
            line=data["line"],
            also=tuple(data["also"]),
            advisory=data["advisory"],
            readings=dict(data["readings"]),
            warnings=tuple(data["warnings"]),
            seconds=data["seconds"],
            evidence=dict(data["evidence"]),
        )
