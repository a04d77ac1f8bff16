"""Properties, which hold for any tree and call, and what a model finds in their random cases. Contains no steps.

All properties of a run share one sample of cases; `property_runner` checks them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from treeproof.api import (
    CaseRun,
    CaseSamples,
    CaseUpdate,
    Finding,
    Mismatch,
    NotApplicable,
    NotSent,
    Unmodelled,
)

from .values import first_difference


@dataclass(frozen=True)
class PropertyCheck:
    """One case for one property. `is_attributed`: whether a finding of the model belongs to its requirement."""

    case_run: CaseRun
    samples: CaseSamples
    suite: PropertySuite
    is_attributed: Callable[[Finding], bool]


PropertyFunction = Callable[[PropertyCheck], bool]
"""Returns whether the case is evidence; raises Mismatch if it violates the property."""


@dataclass(frozen=True)
class Property:
    """A property and the families of cases for it. `independent`: errors of other requirements cannot violate it."""

    function: PropertyFunction
    families: tuple[str, ...]
    independent: bool = False


@dataclass(frozen=True)
class PropertySuite:
    """The properties of a pack by their names in steps.

    `variants`: the updates of each case of a family that the model judges; properties make these calls as well.
    `evidence_predicate`: whether the answer to a case shows existing content.
    """

    properties: Mapping[str, Property]
    variants: Mapping[str, tuple[CaseUpdate | None, ...]]
    evidence_predicate: Callable[[CaseRun], bool]

    @property
    def names_pattern(self) -> str:
        """The names as a part of a step's pattern."""
        return "|".join(self.properties)

    def findings(self, case_run: CaseRun, samples: CaseSamples) -> tuple[Finding, ...]:
        """Return all findings of the model for a case and its variants. Raises CandidateFault."""
        return tuple(found for found, _ in self.findings_with_answers(case_run, samples))

    def findings_with_answers(self, case_run: CaseRun, samples: CaseSamples) -> tuple[tuple[Finding, int | None], ...]:
        """Return the same findings, each with the index of its answer in the case. Raises CandidateFault."""
        if "findings" not in case_run.cache:
            case_run.cache["findings"] = tuple(self._findings(case_run, samples))
        found: tuple[tuple[Finding, int | None], ...] = case_run.cache["findings"]
        return found

    def _findings(self, case_run: CaseRun, samples: CaseSamples) -> Iterator[tuple[Finding, int | None]]:
        for update in self.variants.get(case_run.family.name, (None,)):
            with contextlib.suppress(Unmodelled, NotApplicable, NotSent):
                for found in case_run.judge(samples.model, samples.accepted_readings, update).findings:
                    yield found, case_run.requested_index

    def has_evidence(self, case_run: CaseRun) -> bool:
        """Return whether the answer to a case shows existing content; the result is kept."""
        if "has_evidence" not in case_run.cache:
            case_run.cache["has_evidence"] = self.evidence_predicate(case_run)
        return bool(case_run.cache["has_evidence"])


def matches_model(check: PropertyCheck) -> bool:
    """The property that the model permits the answers. Each difference is attributed to one requirement."""
    for found, answer_index in check.suite.findings_with_answers(check.case_run, check.samples):
        if check.is_attributed(found):
            diff = first_difference(found.expected, found.got) if len(found.expected) > 200 else ""
            raise Mismatch(
                found.message,
                expected=found.expected,
                got=found.got,
                diff=diff,
                kind=found.kind,
                answer_index=answer_index,
            )
    # A wrong answer fails the requirement that its finding names, and is no evidence for another one.
    is_right = not check.suite.findings(check.case_run, check.samples)
    return is_right and check.suite.has_evidence(check.case_run)
