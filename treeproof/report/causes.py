"""The causes of a run document with their scenarios and requirements, as reports show them: in the order of severity.

All formats show the same causes in the same order. Contains pure functions without markup, escaping or size limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.document import Document
from treeproof.verdict.causes import SEVERITY_LABELS, Severity, find_causes

Json = Mapping[str, Any]

_UNFOLDED = frozenset({Severity.DATA, Severity.ESCAPE})


@dataclass(frozen=True)
class Cause:
    """One cause of a run. ``number`` counts from 1 over the run, ``spec`` is its specification in the document."""

    number: int
    data: Json
    spec: Json
    requirements: Sequence[Json]
    scenarios: Sequence[Json]

    @property
    def severity(self) -> Severity:
        """How severe it is."""
        return Severity(self.data["severity"])

    @property
    def label(self) -> str:
        """The severity in words."""
        return SEVERITY_LABELS[self.severity]

    @property
    def requirement(self) -> Json:
        """The requirement that its scenarios show best."""
        return self.requirements[0]

    @property
    def smallest(self) -> Json | None:
        """The scenario with the smallest case; None if no scenario failed and only readings differ."""
        return next((one for one in self.scenarios if one["id"] == self.data["smallest"]), None)

    @property
    def others(self) -> list[Json]:
        """The other scenarios: first those of the same requirement."""
        own = self.data["requirement"]
        rest = (one for one in self.scenarios if one["id"] != self.data["smallest"])
        return sorted(rest, key=lambda one: one["requirement"] != own)

    @property
    def message(self) -> str:
        """What went wrong, in one sentence: the message of the smallest case."""
        return str(self.data["message"])

    @property
    def is_fault(self) -> bool:
        """True if the candidate, its adapter or treeproof broke, so that there is no verdict."""
        return self.data["stage"] is None

    @property
    def is_beyond_document(self) -> bool:
        """True if the document is silent, so that it decides nothing."""
        return self.severity is Severity.BEYOND

    @property
    def is_harmful(self) -> bool:
        """True if data is lost or leaked, or the candidate escapes: reports show all of it, always unfolded."""
        return self.severity in _UNFOLDED

    @property
    def blocked(self) -> Sequence[str]:
        """The ids of the scenarios that its requirement blocks."""
        ids: Sequence[str] = self.data["blocked"]
        return ids


def causes_of(run: Document) -> list[Cause]:
    """Return the causes of a run: the most severe first, then the most frequent.

    They come from the scenarios, not from the member ``causes``: documents of older versions have none.
    """
    specs = {spec["name"]: spec for spec in run["specs"]}
    found = find_causes(run["specs"], run["profile"])
    return [_cause(number, data, specs[data["spec"]]) for number, data in enumerate(found, start=1)]


def _cause(number: int, data: Json, spec: Json) -> Cause:
    requirements = {requirement["id"]: requirement for requirement in spec["requirements"]}
    scenarios = {scenario["id"]: scenario for scenario in spec["scenarios"]}
    return Cause(
        number,
        data,
        spec,
        [requirements[id] for id in data["requirements"]],
        [scenarios[id] for id in data["scenarios"]],
    )


def numbers_by_requirement(causes: Sequence[Cause]) -> Mapping[tuple[str, str], list[int]]:
    """Return the numbers of the causes that fail each requirement, by specification and id."""
    numbers: dict[tuple[str, str], list[int]] = {}
    for cause in causes:
        for requirement in cause.requirements:
            numbers.setdefault((cause.spec["name"], requirement["id"]), []).append(cause.number)
    return numbers
