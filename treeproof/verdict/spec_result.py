"""The part of a run document about one specification: its verdicts, readings and scenarios."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from treeproof.spec import Requirement
from treeproof.spec.catalogue import Basis, Harm, Level, Treatment
from treeproof.verdict.json_object import JsonObject, absent, internal
from treeproof.verdict.outcome import REMEDIES, Outcome
from treeproof.verdict.readings import Profile
from treeproof.verdict.record import ScenarioRecord


class Verdict(enum.StrEnum):
    """The result of one requirement."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_VERIFIED = "NOT VERIFIED"
    NOT_APPLICABLE = "NOT APPLICABLE"
    EXCLUDED = "EXCLUDED"


LOST_CODES = frozenset({"candidate_fault", "candidate_timeout", "adapter_fault", "harness_fault", "not_called"})
"""The codes of a verdict that is missing because a call broke."""


def decides_exit_code(level: str, basis: Basis, profile: Profile) -> bool:
    """Return True if a requirement of this level and basis decides the exit code under ``profile``."""
    if profile is Profile.STRICT:
        return level in ("MUST", "SHOULD")
    return level == "MUST" and basis != "prudent"


@dataclass(frozen=True)
class ShownContent(JsonObject):
    """A call that had to show content in the run; ``problem``: why it did not."""

    call: str
    shown: bool
    problem: str | None


@dataclass(frozen=True, kw_only=True)
class RequirementResult(JsonObject):
    """A requirement of the catalogue with its verdict.

    ``cause``: why it is neither PASS nor FAIL, or fails without a scenario. NOT VERIFIED has the ``code`` of its cause,
    and a ``remedy`` if the code's default does not fit. ``blocked_by`` is the failed requirement that keeps it from
    being verified. ``known``: a baseline lists its failure. Documents of older versions lack what has a default.
    """

    id: str
    level: Level
    basis: Basis | None = absent()
    sentences: tuple[str, ...] = ()
    section: str
    text: str
    restates: str | None = None
    condition: str | None = None
    verdict: Verdict
    scenarios: tuple[str, ...]
    cause: str | None
    code: str | None = absent()
    remedy: str | None = absent()
    blocked_by: str | None = absent()
    harm: Harm | None = absent()
    known: bool = False
    selected: bool = internal(True)
    fault: bool = internal(False)

    @classmethod
    def of(
        cls, requirement: Requirement, verdict: Verdict, scenarios: tuple[str, ...], cause: str | None
    ) -> RequirementResult:
        """Return a requirement with a verdict."""
        names = ("id", "level", "basis", "sentences", "section", "text", "restates", "condition", "harm")
        members = {name: getattr(requirement, name) for name in names}
        return cls(**members, verdict=verdict, scenarios=scenarios, cause=cause)

    def decides(self, profile: Profile) -> bool:
        """Return True if level and basis let it affect the exit code under ``profile``."""
        return decides_exit_code(self.level, self.basis or "stated", profile)

    def fails(self, profile: Profile) -> bool:
        """Return True if it does not hold, decides the exit code, and is new: every report counts these."""
        return self.verdict is Verdict.FAIL and self.decides(profile) and not self.known

    @property
    def is_lost(self) -> bool:
        """True if it has no verdict because a call broke."""
        return self.verdict is Verdict.NOT_VERIFIED and self.code in LOST_CODES

    def is_beyond_document(self, profile: Profile) -> bool:
        """Return True if its failure is only a warning, because the document is silent."""
        return self.basis == "prudent" and profile is not Profile.STRICT

    @property
    def general_remedy(self) -> str | None:
        """What a user can do about a missing verdict; None if nothing is known."""
        return self.remedy or (REMEDIES.get(self.code) if self.code else None)


def unlisted_requirement(id: str, section: str = "") -> RequirementResult:
    """Return a substitute for a failed requirement that the catalogue of a document lacks."""
    return RequirementResult(
        id=id, level="MUST", section=section, text="", verdict=Verdict.FAIL, scenarios=(), cause=None
    )


@dataclass(frozen=True)
class InterpretationResult(JsonObject):
    """An interpretation with its observed readings. ``determinism``: the requirement that different readings fail.

    ``affects`` is None in documents of older versions. ``scenarios`` are those of each label, the most frequent first.
    """

    id: str
    observed: tuple[str, ...]
    treatment: Treatment
    consistent: bool
    determinism: str | None = None
    affects: tuple[str, ...] | None = absent()
    scenarios: Mapping[str, tuple[str, ...]] = internal(None)


@dataclass(frozen=True, kw_only=True)
class SpecResult(JsonObject):
    """The results of one specification; ``sha256`` is the hash of its document, ``source`` where that is from."""

    name: str
    version: str
    title: str
    source: str | None = absent()
    sha256: str
    evidence: tuple[ShownContent, ...] = ()
    requirements: tuple[RequirementResult, ...]
    interpretations: tuple[InterpretationResult, ...]
    scenarios: tuple[ScenarioRecord, ...]

    @cached_property
    def requirements_by_id(self) -> Mapping[str, RequirementResult]:
        """The requirements by their ids."""
        return {one.id: one for one in self.requirements}

    @cached_property
    def scenarios_by_id(self) -> Mapping[str, ScenarioRecord]:
        """The scenarios by their ids."""
        return {one.id: one for one in self.scenarios}

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"

    def failures(self) -> Iterator[ScenarioRecord]:
        """Yield what failed or broke, and each finding that names another requirement as a scenario of that."""
        for scenario in self.scenarios:
            found = {one.requirement: one for one in reversed(scenario.findings)}
            own = found.pop(scenario.requirement, None)
            if scenario.outcome in (Outcome.FAILED, Outcome.FAULT):
                # A finding rests on the document, also in a scenario whose lines go beyond it.
                yield scenario if own is None else replace(scenario, basis=own.evidence.basis or "stated")
            for requirement, finding in found.items():
                yield replace(
                    scenario,
                    requirement=requirement,
                    outcome=Outcome.FAILED,
                    basis=finding.evidence.basis or "stated",
                    evidence=finding.evidence,
                    known=finding.known,
                )
