"""One scenario on the page of a run: its anchor, its evidence, and what it is linked with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.report.catalogue_context import CatalogueContext
from treeproof.report.document import Document, is_advisory
from treeproof.report.html.copied_texts import call_line
from treeproof.report.html.evidence import Evidence
from treeproof.report.html.signs import OUTCOMES, Sign

Json = Mapping[str, Any]

_UNVERIFIED_OUTCOMES = frozenset({"fault", "not-verified"})
_CALL_EVIDENCE = frozenset({"call", "stderr", "scenario"})  # without them the cause is sufficient


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

    ``evidence`` is None if it needs no explanation. ``shown_in`` is the cause that shows it whole, else None;
    ``blocking_causes`` are the causes of the requirement that blocks it.
    """

    anchor: str
    data: Json
    sign: Sign
    evidence: Evidence | None
    is_advisory: bool
    readings: Sequence[ReadingView] = ()
    shown_in: CauseLink | None = None
    blocking_causes: Sequence[CauseLink] = ()

    @property
    def call(self) -> str:
        """Its call in one short line; empty if none is recorded."""
        return call_line(self.data)

    @property
    def source_location(self) -> str:
        """File and line; empty if the document has none."""
        return f"{self.data['file']}:{self.data['line']}" if self.data["file"] else ""

    @property
    def blocked_by(self) -> str:
        """The id of the requirement that blocks it, or an empty text."""
        return str(self.data["evidence"].get("blocked_by") or "")


def view_scenario(
    data: Json,
    run: Document,
    anchor: str,
    context: CatalogueContext | None,
    shown_in: CauseLink | None = None,
    blocking_causes: Sequence[CauseLink] = (),
) -> ScenarioView:
    """Return the view of a scenario of a run; a ``context`` adds the texts of its readings."""
    needs_explanation = data["outcome"] == "failed" or (
        data["outcome"] in _UNVERIFIED_OUTCOMES and not _CALL_EVIDENCE.isdisjoint(data["evidence"])
    )
    return ScenarioView(
        anchor,
        data,
        OUTCOMES[data["outcome"]],
        Evidence(data["evidence"], run["candidate"]["adapter"]) if needs_explanation or shown_in else None,
        data["outcome"] == "failed" and is_advisory(data, run["profile"]),
        [ReadingView(id, label, _reading_text(context, id, label)) for id, label in data["readings"].items()],
        shown_in,
        blocking_causes,
    )


def _reading_text(context: CatalogueContext | None, id: str, label: str) -> str:
    interpretation = context.interpretation(id) if context else None
    readings = interpretation.readings if interpretation else ()
    return next((reading.text for reading in readings if reading.label == label), "")
