"""The record of a scenario: plain data that every report uses, and that JSON can hold.

The texts of a candidate are bounded in `plain_text`; reports escape them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from treeproof.spec.catalogue import Basis
from treeproof.verdict.evidence import EMPTY, Evidence
from treeproof.verdict.finding import CallJudgement, RunFinding
from treeproof.verdict.json_object import JsonObject, absent
from treeproof.verdict.outcome import Outcome


@dataclass(frozen=True)
class ScenarioRecord(JsonObject):
    """The result of one scenario. ``seconds`` is wall time; ``readings`` maps interpretation ids to observed labels.

    ``basis`` is that of the scenario: one that is ``prudent`` decides nothing outside the strict profile. ``calls`` is
    what the model says of its calls. ``findings`` are chosen from it for the whole run; where they or the findings of
    others change the outcome, ``lines`` is the outcome of the scenario's own lines. ``known``: a baseline lists its
    failure or fault. ``alone``: its outcome in a run of its own, if that was tried and is another one.
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
    evidence: Evidence = EMPTY
    lines: Outcome | None = absent()
    findings: tuple[RunFinding, ...] = absent(())
    calls: tuple[CallJudgement, ...] = absent(())
    known: bool = absent(False)
    alone: Outcome | None = absent()

    @property
    def place(self) -> str:
        """File and line; empty if they are not known."""
        return f"{self.file}:{self.line}" if self.file else ""

    def is_advisory(self, profile: str) -> bool:
        """Return True if its failure is only a warning under ``profile``."""
        return self.basis == "prudent" and profile != "strict"

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON of the run document, without the right answers that depend on no reading."""
        members: dict[str, Any] = {}
        for name, value in super().to_json().items():
            if name == "basis":
                members["advisory"] = self.basis == "prudent"
            members[name] = value
        members["readings"] = dict(sorted(self.readings.items()))
        members["seconds"] = round(self.seconds, 4)
        calls = {"calls": [one.to_json() for one in self.calls if not one.is_plain]}
        return {name: value for name, value in {**members, **calls}.items() if name != "calls" or value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the record of :meth:`to_json`; a document of an older version may lack the basis."""
        return super().from_json({**data, "basis": "prudent"} if data["advisory"] else data)
