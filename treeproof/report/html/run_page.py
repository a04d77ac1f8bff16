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

from treeproof.report.advice import way_out
from treeproof.report.background import Background
from treeproof.report.digest import (
    again,
    by_section,
    counted,
    fallen,
    lacking,
    left_out,
    sayings,
    unverified,
    warnings,
)
from treeproof.report.document import Document, is_advice
from treeproof.report.escape import visible
from treeproof.report.html.anchors import Anchors
from treeproof.report.html.evidence import Evidence
from treeproof.report.html.rendering import render
from treeproof.report.html.signs import OUTCOMES, UNASKED, VERDICTS, WORDS, Sign, levels, signs

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]")
_OPENED = 10  # failed requirements whose card is open at first, each with its first failed scenario
_UNANSWERED = frozenset({"fault", "not-verified"})
_ASKED = frozenset({"call", "stderr", "scenario"})  # without any of them its cause is all there is to say

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Scenario:
    """One scenario of a requirement; ``evidence`` is None where there is nothing to explain."""

    anchor: str
    told: Json
    sign: Sign
    evidence: Evidence | None
    advice: bool

    @property
    def place(self) -> str:
        """File and line; empty where the document has none."""
        return f"{self.told['file']}:{self.told['line']}" if self.told["file"] else ""


@dataclass(frozen=True)
class Card:
    """One requirement with all that belongs to it. ``shares`` is the requirement whose scenarios verify it, too."""

    anchor: str
    told: Json
    spec: str
    sign: Sign
    scenarios: Sequence[Scenario]
    shares: str | None
    touching: Sequence[Json]
    caught: Sequence[Any]
    condition: str | None
    opened: bool = False

    @property
    def troubled(self) -> list[Scenario]:
        """The scenarios that have something to explain."""
        return [scenario for scenario in self.scenarios if scenario.evidence is not None]

    @property
    def quiet(self) -> list[Scenario]:
        """The other scenarios."""
        return [scenario for scenario in self.scenarios if scenario.evidence is None]

    @property
    def tally(self) -> str:
        """How its scenarios ended, in few words."""
        ended = Counter(scenario.told["outcome"] for scenario in self.scenarios)
        total = len(self.scenarios)
        for outcome, words in (("failed", "failed"), ("fault", "broke"), ("not-verified", "not verified")):
            if ended[outcome]:
                return f"{ended[outcome]} of {counted(total, 'scenario')} {words}"
        return counted(total, "scenario") if total else ""


@dataclass(frozen=True)
class Gap:
    """What could not be verified for one cause, and the way out where one is known."""

    cause: str
    ids: Sequence[str]
    way: str | None
    count: int


@dataclass(frozen=True)
class Part:
    """One specification of the run."""

    told: Json
    sections: Mapping[str, Sequence[Card]]
    interpretations: Sequence[Json]
    gaps: Sequence[Gap]
    totals: Sequence[tuple[Sign, int]]

    @property
    def cards(self) -> list[Card]:
        """All requirements in the order of the page."""
        return [card for cards in self.sections.values() for card in cards]

    @property
    def failures(self) -> list[Card]:
        """The requirements that do not hold: first those with scenarios of their own."""
        failed = [card for card in self.cards if card.told["verdict"] == "FAIL"]
        return sorted(failed, key=lambda card: (bool(card.told.get("known")), card.shares is not None))


def dump(run: Document, backgrounds: Iterable[Background] = ()) -> bytes:
    """Return the page of ``run`` as UTF-8. Of ``backgrounds`` those are used that fit the document."""
    known = list(backgrounds)
    anchors = Anchors()
    parts = [
        _part(run, spec, next((b for b in known if b.fits(spec)), None), anchors) for spec in run["specs"]
    ]
    sections = sorted({section for part in parts for section in part.sections})
    cards = [card for part in parts for card in part.cards]
    first = parts[0].told["name"] if parts else ""
    values = {
        "run": run,
        "word": WORDS[run["verdict"]],
        "parts": parts,
        "verdicts": signs(card.told["verdict"] for card in cards),
        "levels": levels(card.told["level"] for card in cards),
        "sections": sections if len(parts) > 1 else list(parts[0].sections) if parts else [],
        "linked": partial(_linked, anchors),
        "again": partial(again, run),
        "first": first,
        "verdict_open": VERDICTS["NOT VERIFIED"],
        "verdict_fail": VERDICTS["FAIL"],
        "lacking": lacking(run),
        "warnings": warnings(run),
        "sayings": sayings(run),
        "fallen": fallen((card.told for part in parts for card in part.failures), run["profile"]),
    }
    return render("run", values)


def _linked(anchors: Anchors, spec: str, text: str) -> Markup:
    """Return ``text`` harmless, each id that is on the page a link."""
    shown, at = Markup(""), 0
    for word in _WORD.finditer(text):
        anchor = anchors.known(spec, word.group())
        if anchor is not None:
            shown += escape(visible(text[at : word.start()]))
            shown += Markup('<a href="#{}">{}</a>').format(anchor, word.group())
            at = word.end()
    return shown + escape(visible(text[at:]))


def _part(run: Document, spec: Json, background: Background | None, anchors: Anchors) -> Part:
    for requirement in spec["requirements"]:
        anchors.of(spec["name"], requirement["id"])
    for one in [*(entry for entry in spec["interpretations"] if entry["observed"]), *spec["scenarios"]]:
        anchors.of(spec["name"], one["id"])
    place = partial(anchors.of, spec["name"])
    interpretations = [_interpretation(entry, background, place) for entry in spec["interpretations"]]
    own: dict[str, list[Json]] = {}
    for told in spec["scenarios"]:
        own.setdefault(told["requirement"], []).append(told)
    owner = {told["id"]: told["requirement"] for told in spec["scenarios"]}
    opened = 0
    sections: dict[str, list[Card]] = {}
    for section, requirements in by_section(spec["requirements"], itemgetter("section")).items():
        for told in requirements:
            scenarios = [_scenario(one, run["profile"], place) for one in own.get(told["id"], ())]
            shares = next((owner.get(id) for id in told["scenarios"] if not scenarios), None)
            failed = told["verdict"] == "FAIL" and not shares
            read = {label for one in scenarios for label in one.told["readings"]}
            about = background.requirement(told["id"]) if background else None
            sections.setdefault(section, []).append(
                Card(
                    anchor=place(told["id"]),
                    told=told,
                    spec=spec["name"],
                    sign=UNASKED if left_out(run, told["cause"]) else VERDICTS[told["verdict"]],
                    scenarios=scenarios,
                    shares=shares,
                    touching=[e for e in interpretations if e["id"] in read or told["id"] in e["touches"]],
                    caught=background.caught(told["id"]) if background else (),
                    condition=about.condition if about else None,
                    opened=failed and opened < _OPENED,
                )
            )
            opened += failed
    count = Counter(requirement["verdict"] for requirement in spec["requirements"])
    totals = [(sign, count[verdict]) for verdict, sign in VERDICTS.items() if count[verdict]]
    return Part(spec, sections, interpretations, _gaps(run, spec), totals)


def _scenario(told: Json, profile: str, place: Callable[[str], str]) -> Scenario:
    explains = told["outcome"] == "failed" or (
        told["outcome"] in _UNANSWERED and not _ASKED.isdisjoint(told["evidence"])
    )
    evidence = Evidence(told["evidence"]) if explains else None
    advice = told["outcome"] == "failed" and is_advice(told, profile)
    return Scenario(place(told["id"]), told, OUTCOMES[told["outcome"]], evidence, advice)


def _interpretation(entry: Json, background: Background | None, place: Callable[[str], str]) -> Json:
    about = background.interpretation(entry["id"]) if background else None
    texts = {reading.label: reading for reading in about.readings} if about else {}
    return {
        **entry,
        "anchor": place(entry["id"]) if entry["observed"] else "",
        "question": about.question if about else "",
        "why": about.why if about else "",
        "recommended": about.recommended if about else None,
        "touches": about.touches if about else (),
        "readings": list(texts.values()),
        "texts": {label: reading.text for label, reading in texts.items()},
    }


def _gaps(run: Document, spec: Json) -> list[Gap]:
    return [
        Gap(cause, () if left_out(run, cause) else ids, way_out(cause), len(ids))
        for cause, ids in unverified(spec).items()
    ]
