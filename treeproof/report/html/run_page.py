"""The page of one run: what of the document stands where. The look is the templates' business, the words are others'.

The document is the one truth. What a catalogue knows beyond it (questions of interpretations, wrong behaviours that
scenarios catch) is shown where the catalogue is at hand and fits; without it the page lacks just that.
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
_MAX_OPEN_CARDS = 10  # failed requirements whose card is open at first, each with its first failed scenario
_UNVERIFIED_OUTCOMES = frozenset({"fault", "not-verified"})
_CALL_EVIDENCE = frozenset(
    {"call", "stderr", "scenario"}
)  # without any of them its cause is all there is to say

Json = Mapping[str, Any]


@dataclass(frozen=True)
class ScenarioView:
    """One scenario of a requirement; ``evidence`` is None where there is nothing to explain."""

    anchor: str
    data: Json
    sign: Sign
    evidence: Evidence | None
    is_advisory: bool

    @property
    def source_location(self) -> str:
        """File and line; empty where the document has none."""
        return f"{self.data['file']}:{self.data['line']}" if self.data["file"] else ""


@dataclass(frozen=True)
class RequirementCard:
    """One requirement with all that belongs to it. ``shares`` is the requirement whose scenarios verify it, too."""

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

    @property
    def explained_scenarios(self) -> list[ScenarioView]:
        """The scenarios that have something to explain."""
        return [scenario for scenario in self.scenarios if scenario.evidence is not None]

    @property
    def other_scenarios(self) -> list[ScenarioView]:
        """The other scenarios."""
        return [scenario for scenario in self.scenarios if scenario.evidence is None]

    @property
    def tally(self) -> str:
        """How its scenarios ended, in few words."""
        ended = Counter(scenario.data["outcome"] for scenario in self.scenarios)
        total = len(self.scenarios)
        for outcome, words in (("failed", "failed"), ("fault", "broke"), ("not-verified", "not verified")):
            if ended[outcome]:
                return f"{ended[outcome]} of {pluralize(total, 'scenario')} {words}"
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
        """The requirements that do not hold: first those with scenarios of their own."""
        failed = [card for card in self.cards if card.data["verdict"] == "FAIL"]
        return sorted(
            failed, key=lambda card: (bool(card.data.get("known")), card.shares_verdict_of is not None)
        )


def dump(run: Document, contexts: Iterable[CatalogueContext] = ()) -> bytes:
    """Return the page of ``run`` as UTF-8. Of ``backgrounds`` those are used that fit the document."""
    known = list(contexts)
    anchors = Anchors()
    parts = [
        _spec_view(run, spec, next((b for b in known if b.matches(spec)), None), anchors)
        for spec in run["specs"]
    ]
    sections = sorted({section for part in parts for section in part.sections})
    cards = [card for part in parts for card in part.cards]
    first = parts[0].data["name"] if parts else ""
    values = {
        "run": run,
        "word": CONCLUSIONS[run["verdict"]],
        "parts": parts,
        "verdicts": used_signs(card.data["verdict"] for card in cards),
        "levels": used_levels(card.data["level"] for card in cards),
        "sections": sections if len(parts) > 1 else list(parts[0].sections) if parts else [],
        "linked": partial(_link_ids, anchors),
        "again": partial(rerun_command, run),
        "first": first,
        "verdict_open": VERDICTS["NOT VERIFIED"],
        "verdict_fail": VERDICTS["FAIL"],
        "lacking": missing_features(run),
        "warnings": warnings_with_scenarios(run),
        "sayings": repeated_messages(run),
        "fallen": failing_count_text((card.data for part in parts for card in part.failures), run["profile"]),
    }
    return render("run", values)


def _link_ids(anchors: Anchors, spec: str, text: str) -> Markup:
    """Return ``text`` harmless, each id that is on the page a link."""
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
    for told in spec["scenarios"]:
        own.setdefault(told["requirement"], []).append(told)
    owner = {told["id"]: told["requirement"] for told in spec["scenarios"]}
    opened = 0
    sections: dict[str, list[RequirementCard]] = {}
    for section, requirements in group_by_section(spec["requirements"], itemgetter("section")).items():
        for told in requirements:
            scenarios = [_scenario_view(one, run["profile"], place) for one in own.get(told["id"], ())]
            shares = next((owner.get(id) for id in told["scenarios"] if not scenarios), None)
            failed = told["verdict"] == "FAIL" and not shares
            read = {label for one in scenarios for label in one.data["readings"]}
            about = context.requirement(told["id"]) if context else None
            sections.setdefault(section, []).append(
                RequirementCard(
                    anchor=place(told["id"]),
                    data=told,
                    spec=spec["name"],
                    sign=NOT_SELECTED if is_deselected(run, told) else VERDICTS[told["verdict"]],
                    scenarios=scenarios,
                    shares_verdict_of=shares,
                    interpretations=[
                        e for e in interpretations if e["id"] in read or told["id"] in e["touches"]
                    ],
                    mutants=context.mutants_violating(told["id"]) if context else (),
                    condition=about.condition if about else None,
                    is_open=failed and opened < _MAX_OPEN_CARDS,
                )
            )
            opened += failed
    count = Counter(requirement["verdict"] for requirement in spec["requirements"])
    totals = [(sign, count[verdict]) for verdict, sign in VERDICTS.items() if count[verdict]]
    return SpecView(spec, sections, interpretations, unverified_by_cause(run, spec), totals)


def _scenario_view(told: Json, profile: str, place: Callable[[str], str]) -> ScenarioView:
    explains = told["outcome"] == "failed" or (
        told["outcome"] in _UNVERIFIED_OUTCOMES and not _CALL_EVIDENCE.isdisjoint(told["evidence"])
    )
    evidence = Evidence(told["evidence"]) if explains else None
    advice = told["outcome"] == "failed" and is_advisory(told, profile)
    return ScenarioView(place(told["id"]), told, OUTCOMES[told["outcome"]], evidence, advice)


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
