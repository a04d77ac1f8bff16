"""Findings: the judgement of a model on one call, as plain data that a record keeps. Compares no answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from treeproof.spec.catalogue import Basis, SeenHarm
from treeproof.verdict.difference import difference_kind
from treeproof.verdict.plain_text import truncate

Readings = Mapping[str, str]
"""Labels of readings by the id of their interpretation."""

MAX_ALTERNATIVES, MAX_FINDINGS, MAX_EXPLANATIONS = 8, 8, 16
"""The largest numbers that a record keeps of one call; the nearest outcomes come first."""


@dataclass(frozen=True)
class Finding:
    """A difference between an answer and an accepted outcome, and the one requirement that it breaks.

    `kind` is the difference without names and numbers, by default made from the message. `basis` is that of the
    requirement, unless this difference rests on less. `harm`: what the call did, whatever the requirement; `none` if it
    did nothing of what that is to prevent, such as a refusal with another code.
    """

    requirement: str
    message: str
    expected: str = ""
    got: str = ""
    other_requirements: tuple[str, ...] = ()
    kind: str = ""
    basis: Basis | None = None
    harm: SeenHarm | None = None

    @property
    def possible_requirements(self) -> tuple[str, ...]:
        """All requirements that the finding can be attributed to, the most likely one first, each once."""
        return tuple(dict.fromkeys((self.requirement, *self.other_requirements)))

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON, with bounded texts and without empty members."""
        kind = difference_kind(self.kind or self.message)
        texts = {"message": truncate(self.message, 2000), "expected": truncate(self.expected)}
        given = {"got": truncate(self.got), "basis": self.basis, "harm": self.harm}
        others = list(self.other_requirements)
        found: dict[str, Any] = {"requirement": self.requirement, "other_requirements": others, **texts, **given}
        return {name: value for name, value in {**found, "kind": kind}.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Finding:
        """Return the finding of :meth:`to_json`."""
        given = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        return cls(**{**given, "other_requirements": tuple(data.get("other_requirements", ()))})


@dataclass(frozen=True)
class Alternative:
    """An accepted outcome that an answer does not match: the readings that it depends on, and the differences."""

    readings: Readings
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class ModelJudgement:
    """The comparison of an answer with the model.

    A right answer has no findings; `explanations` are the combinations of readings by which it is right, and
    `observed_readings` are those that all of them share. A wrong one has the `findings` of the nearest outcome;
    `alternatives` are all accepted outcomes, the nearest first.
    """

    findings: tuple[Finding, ...] = ()
    observed_readings: Readings = field(default_factory=dict)
    explanations: tuple[Readings, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True)
class CallJudgement:
    """The judgement of the model on one call of a scenario; `number` counts its calls from 1.

    A right answer has `explanations`, a wrong one `alternatives` and the `evidence` that shows the call alone.
    `not_modelled` is the reason why the model does not judge it.
    """

    number: int
    explanations: tuple[Readings, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    not_modelled: str = ""

    @property
    def is_plain(self) -> bool:
        """True for a right answer that depends on no reading: a report need not show it."""
        return not (self.alternatives or self.not_modelled or any(self.explanations))

    def to_json(self) -> dict[str, Any]:
        """Return the judgement as JSON, without empty members."""
        found = {
            "number": self.number,
            "explanations": [dict(one) for one in self.explanations if one],
            "alternatives": [
                {"readings": dict(one.readings), "findings": [finding.to_json() for finding in one.findings]}
                for one in self.alternatives
            ],
            "evidence": dict(self.evidence),
            "not_modelled": self.not_modelled,
        }
        return {name: value for name, value in found.items() if value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CallJudgement:
        """Return the judgement of :meth:`to_json`."""
        return cls(
            data["number"],
            tuple(data.get("explanations", ())),
            tuple(
                Alternative(one["readings"], tuple(map(Finding.from_json, one["findings"])))
                for one in data.get("alternatives", ())
            ),
            data.get("evidence", {}),
            data.get("not_modelled", ""),
        )


@dataclass(frozen=True)
class RunFinding:
    """A finding of a whole run: by the nearest outcome among the readings that the run has shown.

    `call` is the number of the call in its scenario, `evidence` shows that call alone with the difference. `decides`:
    its requirement fails. Otherwise it is a warning.
    """

    requirement: str
    call: int
    decides: bool
    evidence: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON of the run document."""
        members = {"requirement": self.requirement, "call": self.call, "decides": self.decides}
        return {**members, "evidence": dict(self.evidence)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RunFinding:
        """Return the finding of :meth:`to_json`."""
        return cls(data["requirement"], data["call"], data["decides"], data["evidence"])
