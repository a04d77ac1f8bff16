"""The HTML report of a run: the data for the template.

A matching catalogue adds the questions of interpretations and the mutants; without it the page lacks only these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any

from markupsafe import Markup, escape

from treeproof.report.catalogue_context import CatalogueContext
from treeproof.report.digest import (
    UnverifiedGroup,
    failing_count_text,
    group_by_section,
    is_deselected,
    missing_features,
    pluralize,
    repeated_messages,
    rerun_command,
    unverified_by_cause,
    warnings_with_scenarios,
)
from treeproof.report.document import Document, is_advisory
from treeproof.report.escape import visible
from treeproof.report.html.anchors import Anchors
from treeproof.report.html.evidence import Evidence
from treeproof.report.html.rendering import render
from treeproof.report.html.signs import (
    CONCLUSIONS,
    NOT_SELECTED,
    OUTCOMES,
    VERDICTS,
    Sign,
    used_levels,
    used_signs,
)

_ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]")
_MAX_OPEN_CARDS = 10  # failed requirements with an open card, each with its first failed scenario
_UNVERIFIED_OUTCOMES = frozenset({"fault", "not-verified"})
_CALL_EVIDENCE = frozenset({"call", "stderr", "scenario"})  # without them the cause is sufficient

Json = Mapping[str, Any]


@dataclass(frozen=True)
class ScenarioView:
    """One scenario of a requirement; ``evidence`` is None if it needs no explanation."""

    anchor: str
    data: Json
    sign: Sign
    evidence: Evidence | None
    is_advisory: bool

    @property
    def source_location(self) -> str:
        """File and line; empty if the document has none."""
        return f"{self.data['file']}:{self.data['line']}" if self.data["file"] else ""


@dataclass(frozen=True)
class RequirementCard:
    """One requirement. ``shares_verdict_of`` is the requirement with the same scenarios."""

    anchor: str
    data: Json
    spec: str
    sign: Sign
    scenarios: Sequence[ScenarioView]
    shares_verdict_of: str | None
    interpretations: Sequence[Json]
    mutants: Sequence[Any]
    condition: str | None
    is_open: bool = False
    is_beyond_document: bool = False

    @property
    def explained_scenarios(self) -> list[ScenarioView]:
        """The scenarios with evidence."""
        return [scenario for scenario in self.scenarios if scenario.evidence is not None]

    @property
    def other_scenarios(self) -> list[ScenarioView]:
        """The other scenarios."""
        return [scenario for scenario in self.scenarios if scenario.evidence is None]

    @property
    def tally(self) -> str:
        """A summary of the outcomes of its scenarios."""
        ended = Counter(scenario.data["outcome"] for scenario in self.scenarios)
        total = len(self.scenarios)
        for outcome in ("failed", "fault", "not-verified"):
            if ended[outcome]:
                return f"{pluralize(total, 'scenario')}, {ended[outcome]} {OUTCOMES[outcome].label}"
        return pluralize(total, "scenario") if total else ""


@dataclass(frozen=True)
class SpecView:
    """One specification of the run."""

    data: Json
    sections: Mapping[str, Sequence[RequirementCard]]
    interpretations: Sequence[Json]
    gaps: Sequence[UnverifiedGroup]
    totals: Sequence[tuple[Sign, int]]

    @property
    def cards(self) -> list[RequirementCard]:
        """All requirements in the order of the page."""
        return [card for cards in self.sections.values() for card in cards]

    @property
    def failures(self) -> list[RequirementCard]:
        """The failed requirements: first those with their own scenarios."""
        failed = [card for card in self.cards if card.data["verdict"] == "FAIL" and not card.is_beyond_document]
        return sorted(failed, key=lambda card: (bool(card.data.get("known")), card.shares_verdict_of is not None))

    @property
    def beyond_document(self) -> list[RequirementCard]:
        """The requirements with failed scenarios that demand more than the document."""
        return [card for card in self.cards if any(scenario.is_advisory for scenario in card.scenarios)]


def dump(run: Document, contexts: Iterable[CatalogueContext] = ()) -> bytes:
    """Return the page as UTF-8, with explanations from the matching ``contexts``."""
    known = list(contexts)
    anchors = Anchors()
    parts = [_spec_view(run, spec, next((b for b in known if b.matches(spec)), None), anchors) for spec in run["specs"]]
    sections = sorted({section for part in parts for section in part.sections})
    cards = [card for part in parts for card in part.cards]
    first = parts[0].data["name"] if parts else ""
    values = {
        "run": run,
        "conclusion": CONCLUSIONS[run["verdict"]],
        "parts": parts,
        "verdicts": used_signs(card.data["verdict"] for card in cards),
        "levels": used_levels(card.data["level"] for card in cards),
        "sections": sections if len(parts) > 1 else list(parts[0].sections) if parts else [],
        "linked": partial(_link_ids, anchors),
        "rerun": partial(rerun_command, run),
        "first": first,
        "verdict_open": VERDICTS["NOT VERIFIED"],
        "verdict_fail": VERDICTS["FAIL"],
        "missing_features": missing_features(run),
        "warnings": warnings_with_scenarios(run),
        "messages": repeated_messages(run),
        "failing_count": failing_count_text((card.data for part in parts for card in part.failures), run["profile"]),
    }
    return render("run", values)


def _link_ids(anchors: Anchors, spec: str, text: str) -> Markup:
    """Return ``text`` escaped, with links for the ids on the page."""
    shown, at = Markup(""), 0
    for word in _ID_PATTERN.finditer(text):
        anchor = anchors.find(spec, word.group())
        if anchor is not None:
            shown += escape(visible(text[at : word.start()]))
            shown += Markup('<a href="#{}">{}</a>').format(anchor, word.group())
            at = word.end()
    return shown + escape(visible(text[at:]))


def _spec_view(run: Document, spec: Json, context: CatalogueContext | None, anchors: Anchors) -> SpecView:
    for requirement in spec["requirements"]:
        anchors.assign(spec["name"], requirement["id"])
    for one in [*(entry for entry in spec["interpretations"] if entry["observed"]), *spec["scenarios"]]:
        anchors.assign(spec["name"], one["id"])
    place = partial(anchors.assign, spec["name"])
    interpretations = [_interpretation_data(entry, context, place) for entry in spec["interpretations"]]
    own: dict[str, list[Json]] = {}
    for scenario in spec["scenarios"]:
        own.setdefault(scenario["requirement"], []).append(scenario)
    owner = {scenario["id"]: scenario["requirement"] for scenario in spec["scenarios"]}
    opened = 0
    sections: dict[str, list[RequirementCard]] = {}
    for section, requirements in group_by_section(spec["requirements"], itemgetter("section")).items():
        for data in requirements:
            scenarios = [_scenario_view(one, run["profile"], place) for one in own.get(data["id"], ())]
            shares = next((owner.get(id) for id in data["scenarios"] if not scenarios), None)
            failed = data["verdict"] == "FAIL" and not shares
            read = {label for one in scenarios for label in one.data["readings"]}
            about = context.requirement(data["id"]) if context else None
            sections.setdefault(section, []).append(
                RequirementCard(
                    anchor=place(data["id"]),
                    data=data,
                    spec=spec["name"],
                    sign=NOT_SELECTED if is_deselected(run, data) else VERDICTS[data["verdict"]],
                    scenarios=scenarios,
                    shares_verdict_of=shares,
                    interpretations=[e for e in interpretations if e["id"] in read or data["id"] in e["touches"]],
                    mutants=context.mutants_violating(data["id"]) if context else (),
                    condition=about.condition if about else None,
                    is_open=failed and opened < _MAX_OPEN_CARDS,
                    is_beyond_document=data.get("basis") == "prudent" and run["profile"] != "strict",
                )
            )
            opened += failed
    count = Counter(requirement["verdict"] for requirement in spec["requirements"])
    totals = [(sign, count[verdict]) for verdict, sign in VERDICTS.items() if count[verdict]]
    return SpecView(spec, sections, interpretations, unverified_by_cause(run, spec), totals)


def _scenario_view(data: Json, profile: str, place: Callable[[str], str]) -> ScenarioView:
    needs_explanation = data["outcome"] == "failed" or (
        data["outcome"] in _UNVERIFIED_OUTCOMES and not _CALL_EVIDENCE.isdisjoint(data["evidence"])
    )
    evidence = Evidence(data["evidence"]) if needs_explanation else None
    is_advice = data["outcome"] == "failed" and is_advisory(data, profile)
    return ScenarioView(place(data["id"]), data, OUTCOMES[data["outcome"]], evidence, is_advice)


def _interpretation_data(entry: Json, context: CatalogueContext | None, place: Callable[[str], str]) -> Json:
    about = context.interpretation(entry["id"]) if context else None
    texts = {reading.label: reading for reading in about.readings} if about else {}
    return {
        **entry,
        "anchor": place(entry["id"]) if entry["observed"] else "",
        "question": about.question if about else "",
        "why": about.why if about else "",
        "recommended": about.recommended if about else None,
        "touches": about.affects if about else (),
        "readings": list(texts.values()),
        "texts": {label: reading.text for label, reading in texts.items()},
    }
