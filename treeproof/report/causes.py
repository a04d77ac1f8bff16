"""The causes of a run document with their scenarios and requirements, as reports show them: in the order of severity.

All formats show the same causes in the same order. Contains pure functions without markup, escaping or size limits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.document import Document
from treeproof.verdict.causes import SEVERITY_LABELS, Severity, failures_of, find_causes

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
        return self.smallest is not None and self.smallest["outcome"] == "fault"

    @property
    def is_beyond_document(self) -> bool:
        """True if the document is silent, so that it decides nothing."""
        return self.severity is Severity.BEYOND

    @property
    def is_harmful(self) -> bool:
        """True if data is lost or leaked, or the candidate escapes: reports show all of it, always unfolded."""
        return self.severity in _UNFOLDED

    @property
    def more_of_requirement(self) -> list[Json]:
        """The other scenarios of its requirement."""
        return [scenario for scenario in self.others if scenario["requirement"] == self.data["requirement"]]

    @property
    def other_requirements(self) -> Mapping[str, int]:
        """The number of scenarios of each other requirement, the largest first."""
        own = self.data["requirement"]
        return dict(Counter(one["requirement"] for one in self.scenarios if one["requirement"] != own).most_common())

    @property
    def blocked(self) -> Sequence[str]:
        """The ids of the scenarios that its requirement blocks."""
        ids: Sequence[str] = self.data["blocked"]
        return ids

    @property
    def blocked_requirements(self) -> list[str]:
        """The ids of the requirements of these scenarios."""
        blocked = frozenset(self.blocked)
        return list(dict.fromkeys(one["requirement"] for one in self.spec["scenarios"] if one["id"] in blocked))


def causes_of(run: Document) -> list[Cause]:
    """Return the causes of a run: the most severe first, then the most frequent.

    They come from the scenarios, not from the member ``causes``: documents of older versions have none. A requirement
    that the document does not list gets a substitute without text.
    """
    found = find_causes(run["specs"], run["profile"])
    return [_cause(number, data, run["specs"]) for number, data in enumerate(found, start=1)]


def _cause(number: int, data: Json, specs: Sequence[Json]) -> Cause:
    # Several, if the document was edited by hand.
    own = [spec for spec in specs if spec["name"] == data["spec"]]
    requirements = {requirement["id"]: requirement for spec in own for requirement in spec["requirements"]}
    scenarios = {scenario["id"]: scenario for spec in own for scenario in spec["scenarios"]}
    # A finding on another requirement is shown with the call that it was met in, not with the last one.
    scenarios |= {
        failure["id"]: failure
        for spec in own
        for failure in failures_of(spec)
        if failure["requirement"] == data["requirement"]
    }
    return Cause(
        number,
        data,
        own[0],
        [requirements.get(id) or _unlisted(id) for id in data["requirements"]],
        [scenarios[id] for id in data["scenarios"]],
    )


def _unlisted(id: str) -> Json:
    return {"id": id, "level": "MUST", "section": "not in the catalogue", "text": "", "verdict": "FAIL", "cause": None}


def numbers_by_requirement(causes: Sequence[Cause]) -> Mapping[tuple[str, str], list[int]]:
    """Return the numbers of the causes that fail each requirement, by specification and id."""
    numbers: dict[tuple[str, str], list[int]] = {}
    for cause in causes:
        for requirement in cause.requirements:
            numbers.setdefault((cause.spec["name"], requirement["id"]), []).append(cause.number)
    return numbers


def blocking_numbers(causes: Sequence[Cause], spec: Json, ids: Sequence[str]) -> list[int]:
    """Return the numbers of the causes that block requirements of ``spec`` with these ids."""
    return [
        cause.number
        for cause in causes
        if cause.spec["name"] == spec["name"] and not frozenset(ids).isdisjoint(cause.blocked_requirements)
    ]
