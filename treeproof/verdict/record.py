"""The record of a scenario: plain data that every report uses, and that JSON can hold.

The texts of a candidate are bounded in `plain_text`; reports escape them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treeproof.spec.catalogue import Basis
from treeproof.verdict.finding import CallJudgement, RunFinding
from treeproof.verdict.outcome import Outcome


@dataclass(frozen=True)
class ScenarioRecord:
    """The result of one scenario. ``seconds`` is wall time; ``readings`` maps interpretation ids to observed labels.

    ``basis`` is that of the scenario: one that is ``prudent`` decides nothing outside the strict profile. ``calls`` is
    what the model says of its calls. ``findings`` are chosen from it for the whole run; where they or the findings of
    others change the outcome, ``lines`` is the outcome of the scenario's own lines.
    """

    id: str
    requirement: str
    outcome: Outcome
    title: str = ""
    file: str = ""
    line: int = 0
    also: tuple[str, ...] = ()
    basis: Basis = "stated"
    readings: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    evidence: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[CallJudgement, ...] = ()
    lines: Outcome | None = None
    findings: tuple[RunFinding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON of the run document."""
        calls = [one.to_json() for one in self.calls if not one.is_plain]
        return {
            "id": self.id,
            "requirement": self.requirement,
            "outcome": str(self.outcome),
            "title": self.title,
            "file": self.file,
            "line": self.line,
            "also": list(self.also),
            "advisory": self.basis == "prudent",
            "basis": self.basis,
            "readings": dict(sorted(self.readings.items())),
            "warnings": list(self.warnings),
            "seconds": round(self.seconds, 4),
            "evidence": dict(self.evidence),
            **({"lines": str(self.lines)} if self.lines is not None else {}),
            **({"findings": [one.to_json() for one in self.findings]} if self.findings else {}),
            **({"calls": calls} if calls else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ScenarioRecord:
        """Return the record of :meth:`to_json`."""
        return cls(
            id=data["id"],
            requirement=data["requirement"],
            outcome=Outcome(data["outcome"]),
            title=data["title"],
            file=data["file"],
            line=data["line"],
            also=tuple(data["also"]),
            basis=data.get("basis", "stated"),
            readings=dict(data["readings"]),
            warnings=tuple(data["warnings"]),
            seconds=data["seconds"],
            evidence=dict(data["evidence"]),
            calls=tuple(map(CallJudgement.from_json, data.get("calls", ()))),
            lines=Outcome(data["lines"]) if "lines" in data else None,
            findings=tuple(map(RunFinding.from_json, data.get("findings", ()))),
        )
