"""Findings: the judgement of a model on one call, as plain data that a record keeps. Compares no answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treeproof.spec.catalogue import Basis, Harm
from treeproof.verdict.difference import difference_kind
from treeproof.verdict.evidence import EMPTY, Evidence
from treeproof.verdict.json_object import JsonObject, absent
from treeproof.verdict.plain_text import truncate

Readings = Mapping[str, str]
"""Labels of readings by the id of their interpretation."""

NOTHING = "(nothing)"
"""What stands for an empty text of what is expected, or was got: no entry, no value."""

MAX_ALTERNATIVES, MAX_FINDINGS, MAX_EXPLANATIONS = 8, 8, 16
"""The largest numbers that a record keeps of one call; the nearest outcomes come first."""


@dataclass(frozen=True)
class Finding(JsonObject):
    """A difference between an answer and an accepted outcome, and the one requirement that it breaks.

    `kind` is the difference without names and numbers, by default made from the message. `basis` is that of the
    requirement, unless this difference rests on less. `harm`: what the call was seen to do, whatever the requirement.
    """

    requirement: str
    message: str
    expected: str = ""
    got: str = ""
    other_requirements: tuple[str, ...] = ()
    kind: str = ""
    basis: Basis | None = None
    harm: Harm | None = None

    @property
    def possible_requirements(self) -> tuple[str, ...]:
        """All requirements that the finding can be attributed to, the most likely one first, each once."""
        return tuple(dict.fromkeys((self.requirement, *self.other_requirements)))

    def evidence(self) -> Evidence:
        """Return the difference as members of evidence, with bounded texts."""
        return Evidence(
            message=truncate(self.message, 2000) or None,
            expected=truncate(self.expected) or NOTHING,
            got=truncate(self.got) or NOTHING,
            basis=self.basis,
            harm=self.harm,
            kind=difference_kind(self.kind or self.message) or None,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON, with bounded texts and without empty members."""
        others = {"other_requirements": list(self.other_requirements)} if self.other_requirements else {}
        return {"requirement": self.requirement, **others, **self.evidence().to_json()}


@dataclass(frozen=True)
class Alternative(JsonObject):
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
class CallJudgement(JsonObject):
    """The judgement of the model on one call of a scenario; `number` counts its calls from 1.

    A right answer has `explanations`, a wrong one `alternatives` and the `evidence` that shows the call alone.
    `not_modelled` is the reason why the model does not judge it.
    """

    number: int
    explanations: tuple[Readings, ...] = absent(())
    alternatives: tuple[Alternative, ...] = absent(())
    evidence: Evidence = absent(EMPTY)
    not_modelled: str = absent("")

    @property
    def is_plain(self) -> bool:
        """True for a right answer that depends on no reading: a report need not show it."""
        return not (self.alternatives or self.not_modelled or any(self.explanations))

    def to_json(self) -> dict[str, Any]:
        """Return the judgement as JSON, without empty members."""
        # An empty combination among others is kept: the answer is right by each of them.
        left_out = () if any(self.explanations) else ("explanations",)
        return {name: value for name, value in super().to_json().items() if name not in left_out}


@dataclass(frozen=True)
class RunFinding(JsonObject):
    """A finding of a whole run: by the nearest outcome among the readings that the run has shown.

    `call` is the number of the call in its scenario, `evidence` shows that call alone with the difference. `decides`:
    its requirement fails. Otherwise it is a warning. `known`: a baseline lists it.
    """

    requirement: str
    call: int
    decides: bool
    evidence: Evidence
    known: bool = absent(False)
