"""The scenarios on the page of a run: with their evidence, and as rows of a list for the script.

Contains no HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from treeproof.report.escape import shortened, visible
from treeproof.report.html.evidence_blocks import EvidenceView, call_line
from treeproof.report.html.rendering import Anchors
from treeproof.report.signs import OUTCOMES, Sign
from treeproof.spec import Interpretation, Pack
from treeproof.spec.mutants import Mutant
from treeproof.verdict.causes import Cause
from treeproof.verdict.outcome import Outcome
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import SpecResult

OUTCOME_VERDICTS: Mapping[Outcome, str] = {
    Outcome.FAILED: "FAIL",
    Outcome.FAULT: "FAULT",
    Outcome.NOT_VERIFIED: "NOT VERIFIED",
    Outcome.PASSED: "PASS",
    Outcome.NOT_APPLICABLE: "NOT APPLICABLE",
}
"""The word by which the filter finds the scenarios with an outcome."""

_MAX_MESSAGE = 240  # characters


@dataclass(frozen=True)
class CatalogueContext:
    """A pack and its mutants by the id of the violated requirement: what a run document lacks."""

    pack: Pack
    mutants_violating: Callable[[str], Sequence[Mutant]]

    def matches(self, spec: SpecResult) -> bool:
        """Return True if this is the catalogue of a specification in a run document."""
        mine = (self.pack.name, self.pack.version, self.pack.sha256)
        return mine == (spec.name, spec.version, spec.sha256)

    def interpretation(self, id: str) -> Interpretation | None:
        """Return the interpretation with this id, or None."""
        return next((one for one in self.pack.interpretations if one.id == id), None)


@dataclass(frozen=True)
class CauseLink:
    """A link to the card of a cause."""

    number: int
    anchor: str


@dataclass(frozen=True)
class ReadingView:
    """An observed reading: the id of its interpretation, its label, and its text in the catalogue (may be empty)."""

    id: str
    label: str
    text: str


@dataclass(frozen=True)
class ScenarioView:
    """One scenario of a requirement.

    ``evidence`` is None if it needs no explanation. ``shown_in`` is the cause whose smallest case it is, else None;
    ``blocking_causes`` are the causes of the requirement that blocks it.
    """

    anchor: str
    data: ScenarioRecord
    sign: Sign
    evidence: EvidenceView | None
    is_advisory: bool
    readings: Sequence[ReadingView] = ()
    shown_in: CauseLink | None = None
    blocking_causes: Sequence[CauseLink] = ()

    @property
    def call(self) -> str:
        """Its call in one short line; empty if none is recorded."""
        return call_line(self.data)

    @property
    def blocked_by(self) -> str:
        """The id of the requirement that blocks it, or an empty text."""
        return self.data.evidence.blocked_by or ""


def view_scenario(
    data: ScenarioRecord,
    run: RunDocument,
    anchor: str,
    context: CatalogueContext | None,
    shown_in: CauseLink | None = None,
    blocking_causes: Sequence[CauseLink] = (),
) -> ScenarioView:
    """Return the view of a scenario of a run; a ``context`` adds the texts of its readings."""
    evidence, is_failed = data.evidence, data.outcome is Outcome.FAILED
    # Without a call, stderr or a scenario the cause is sufficient.
    has_more = any(one is not None for one in (evidence.call, evidence.stderr, evidence.scenario))
    needs_explanation = is_failed or (data.outcome in (Outcome.FAULT, Outcome.NOT_VERIFIED) and has_more)
    return ScenarioView(
        anchor,
        data,
        OUTCOMES[data.outcome],
        EvidenceView(evidence, run.candidate.adapter) if needs_explanation or shown_in else None,
        is_failed and data.is_advisory(run.profile),
        [ReadingView(id, label, _reading_text(context, id, label)) for id, label in data.readings.items()],
        shown_in,
        blocking_causes,
    )


def _reading_text(context: CatalogueContext | None, id: str, label: str) -> str:
    interpretation = context.interpretation(id) if context else None
    readings = interpretation.readings if interpretation else ()
    return next((reading.text for reading in readings if reading.label == label), "")


class Observed(NamedTuple):
    """A reading that some scenario of the run has observed, as a choice of the filter."""

    spec: str
    interpretation: str
    label: str


def observed_readings(run: RunDocument) -> list[Observed]:
    """Return the readings that scenarios have observed, in the order of specifications and ids."""
    return [
        Observed(spec.name, id, label)
        for spec in run.specs
        for id, label in sorted({pair for one in spec.scenarios for pair in one.readings.items()})
    ]


def scenario_rows(run: RunDocument, anchors: Anchors, readings: Sequence[Observed]) -> list[list[Any]]:
    """Return a row for each scenario of the run.

    Its members: anchor, call, verdict for the filter, anchor of the requirement, seconds, numbers of its causes,
    numbers of its readings in ``readings``, message, basis, and file with line. The page itself has its id and its
    title.
    """
    numbers = _cause_numbers(run.causes)
    place = {one: number for number, one in enumerate(readings)}
    rows = []
    for spec in run.specs:
        for one in spec.scenarios:
            rows.append(
                [
                    anchors.assign(spec.name, one.id),
                    visible(call_line(one)),
                    OUTCOME_VERDICTS[one.outcome],
                    anchors.assign(spec.name, one.requirement),
                    one.seconds,
                    numbers.get((spec.name, one.id), []),
                    [place[Observed(spec.name, id, label)] for id, label in one.readings.items()],
                    visible(shortened(one.evidence.reason, _MAX_MESSAGE)),
                    one.basis,
                    visible(one.place),
                ]
            )
    return rows


def _cause_numbers(causes: Sequence[Cause]) -> dict[tuple[str, str], list[int]]:
    numbers: dict[tuple[str, str], list[int]] = {}
    for cause in causes:
        for scenario in cause.scenarios:
            numbers.setdefault((cause.spec.name, scenario.id), []).append(cause.number)
    return numbers
