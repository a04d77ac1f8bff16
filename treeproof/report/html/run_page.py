"""The HTML report of a run: the data for the template.

A matching catalogue adds the questions of interpretations and the mutants; without it the page lacks only these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter

from markupsafe import Markup, escape

from treeproof.report.catalogue_lists import BASES
from treeproof.report.digest import (
    UnverifiedGroup,
    candidate_did_not_start,
    group_by_section,
    is_deselected,
    pluralize,
    rerun_command,
    result_counts,
    result_sign,
    split_causes,
    unverified_by_cause,
    warned_counts,
    warnings_with_scenarios,
)
from treeproof.report.escape import visible
from treeproof.report.html.cause_cards import MAX_CAUSES, CauseCard, CauseIndex, cause_cards, summarize
from treeproof.report.html.evidence_blocks import manifest_line
from treeproof.report.html.overview import TopSection, overview, top_level, top_sections
from treeproof.report.html.page_parts import compress, place_parts
from treeproof.report.html.rendering import Anchors, render, render_macro
from treeproof.report.html.scenarios import (
    CatalogueContext,
    CauseLink,
    ScenarioView,
    observed_readings,
    scenario_rows,
    view_scenario,
)
from treeproof.report.signs import CONCLUSIONS, FAULT, NOT_SELECTED, OUTCOMES, VERDICTS, Sign, used_levels, used_signs
from treeproof.report.traceability_output import KilledMutants, no_mutants
from treeproof.spec import Interpretation, Pack
from treeproof.spec.mutants import Mutant
from treeproof.spec.quotations import Quotation, quotations_of
from treeproof.verdict.causes import Cause
from treeproof.verdict.outcome import REMEDIES, Outcome
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import InterpretationResult, RequirementResult, SpecResult, Verdict

_ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]")
_MAX_FIRST_OF_CAUSE = 3
_OUTCOMES_BY_URGENCY = (Outcome.FAILED, Outcome.FAULT, Outcome.NOT_VERIFIED)


@dataclass(frozen=True)
class InterpretationView:
    """An interpretation with what the catalogue adds: the requirements that it ``touches``, ``texts`` of readings.

    ``lines`` are those of a manifest that pin an observed reading.
    """

    id: str
    treatment: str
    observed: Sequence[str]
    consistent: bool
    anchor: str
    question: str
    recommended: str | None
    touches: Sequence[str]
    lines: Mapping[str, str]
    texts: Mapping[str, str]


@dataclass(frozen=True)
class RequirementCard:
    """One requirement. ``shares_verdict_of`` is the requirement with the same scenarios.

    ``causes`` are those of its failure, or of the failure of the requirement that blocks it. ``readings`` are the
    numbers of the readings that its scenarios observed.
    """

    anchor: str
    data: RequirementResult
    spec: str
    sign: Sign
    scenarios: Sequence[ScenarioView]
    shares_verdict_of: str | None
    interpretations: Sequence[InterpretationView]
    mutants: Sequence[Mutant]
    causes: Sequence[CauseLink] = ()
    readings: Sequence[int] = ()
    quotations: Sequence[Quotation] = ()

    @property
    def top(self) -> str:
        """The key of its top-level section."""
        return top_level(self.data.section)

    @property
    def filter_words(self) -> str:
        """Its result for the filter, and FAULT if a scenario of it ended with a fault."""
        is_broken = any(one.data.outcome is Outcome.FAULT for one in self.scenarios)
        return f"{self.sign.label},{FAULT.label}" if is_broken else self.sign.label

    @property
    def explained_scenarios(self) -> list[ScenarioView]:
        """The scenarios with evidence that only this card shows: the failed ones first."""
        explained = (one for one in self.scenarios if one.evidence is not None and one.shown_in is None)
        return sorted(explained, key=lambda one: _OUTCOMES_BY_URGENCY.index(one.data.outcome))

    @property
    def scenarios_in_causes(self) -> list[ScenarioView]:
        """The scenarios that are the smallest case of a cause, which shows their evidence."""
        return [scenario for scenario in self.scenarios if scenario.shown_in is not None]

    @property
    def other_scenarios_by_outcome(self) -> list[tuple[Sign, Sequence[ScenarioView]]]:
        """The other scenarios, by the sign of their outcome."""
        others = [scenario for scenario in self.scenarios if scenario.evidence is None]
        groups = [(sign, [one for one in others if one.data.outcome == outcome]) for outcome, sign in OUTCOMES.items()]
        return [(sign, ones) for sign, ones in groups if ones]

    @property
    def tally(self) -> str:
        """A summary of the outcomes of its scenarios."""
        ended = Counter(scenario.data.outcome for scenario in self.scenarios)
        total = len(self.scenarios)
        for outcome in _OUTCOMES_BY_URGENCY:
            if ended[outcome]:
                return f"{pluralize(total, 'scenario')}, {ended[outcome]} {OUTCOMES[outcome].label}"
        return pluralize(total, "scenario") if total else ""

    @property
    def cause_text(self) -> str:
        """The requirement that blocks it, or the numbers of its causes, as text; may be empty."""
        if blocked_by := self.data.blocked_by:
            return f"blocked by {blocked_by}"
        return f"cause {', '.join(str(cause.number) for cause in self.causes)}" if self.causes else ""


@dataclass(frozen=True)
class Gap:
    """Requirements that were not verified for one cause; ``causes`` are those of the requirement that blocks them."""

    group: UnverifiedGroup
    causes: Sequence[CauseLink]


@dataclass(frozen=True)
class SpecView:
    """One specification of the run."""

    data: SpecResult
    sections: Mapping[str, Sequence[RequirementCard]]
    interpretations: Sequence[InterpretationView]
    gaps: Sequence[Gap]
    totals: Sequence[tuple[Sign, int]]

    @property
    def top_sections(self) -> Mapping[str, TopSection]:
        """The top-level sections of the document, by their keys."""
        return top_sections(self.sections)

    @property
    def cards_by_top_section(self) -> Mapping[str, Sequence[RequirementCard]]:
        """The requirements of each top-level section, by its key."""
        return {key: [card for card in self.cards if card.top == key] for key in self.top_sections}

    @property
    def cards(self) -> list[RequirementCard]:
        """All requirements in the order of the page."""
        return [card for cards in self.sections.values() for card in cards]

    @property
    def failures(self) -> list[RequirementCard]:
        """The requirements that do not hold."""
        return [card for card in self.cards if card.sign is VERDICTS[Verdict.FAIL]]


def dump(run: RunDocument, packs: Iterable[Pack] = (), mutants: KilledMutants = no_mutants) -> bytes:
    """Return the page as UTF-8, with explanations from the matching ``packs`` and their ``mutants``."""
    known = [CatalogueContext(pack, partial(mutants, pack)) for pack in packs]
    anchors, causes = Anchors(), run.causes
    _assign_anchors(run, anchors)
    observed = observed_readings(run)
    places = {(one.spec, one.interpretation, one.label): number for number, one in enumerate(observed)}
    page = _Page(run, anchors, CauseIndex(run, anchors), places)
    for spec in run.specs:
        page.contexts[spec.name] = next((context for context in known if context.matches(spec)), None)
    parts = [_spec_view(page, spec) for spec in run.specs]
    deciding, warned = split_causes(run)
    within, others = (cause_cards(some, page.index, page.scenario) for some in (deciding, warned))
    cards = [card for part in parts for card in part.cards]
    rows = scenario_rows(run, anchors, observed)
    first = parts[0].data.name if parts else ""
    values = {
        "run": run,
        "conclusion": CONCLUSIONS[run.verdict],
        "overview": overview(run, within),
        "parts": parts,
        "verdicts": used_signs(card.sign.label for card in cards)
        + [FAULT] * any(row[2] == FAULT.label for row in rows),
        "levels": used_levels(card.data.level for card in cards),
        "bases": [
            basis for basis in BASES if basis in {*(card.data.basis for card in cards), *(row[8] for row in rows)}
        ],
        "sections": _section_choices(parts),
        "observed": observed,
        "cause_numbers": [cause.number for cause in causes],
        "linked": partial(_link_ids, anchors),
        "rerun": partial(rerun_command, run),
        "remedy": REMEDIES["candidate_did_not_start"] if candidate_did_not_start(run) else "",
        "first": first,
        "verdict_open": VERDICTS[Verdict.NOT_VERIFIED],
        "fault": FAULT,
        "missing_features": run.machine.missing,
        "warnings": warnings_with_scenarios(run),
        "causes": within,
        "causes_summary": summarize(within),
        "causes_shown": MAX_CAUSES,
        "warned": others,
        "warned_counts": warned_counts(run, warned),
        "held": place_parts(_long_parts(page, parts, causes, [*within, *others]), len(cards), len(rows), len(causes)),
        "rows": compress(rows) if rows else "",
    }
    return render("run", values, ("parts.js", "scenarios.js"))


def _section_choices(parts: Iterable[SpecView]) -> list[str]:
    """Return the sections for the filter: each top-level section, followed by the sections below it."""
    choices: dict[str, None] = {}
    for part in parts:
        for key, top in part.top_sections.items():
            choices[top.title] = None
            choices.update(dict.fromkeys(section for section in part.sections if top_level(section) == key))
    return list(choices)


def _long_parts(
    page: _Page, parts: Sequence[SpecView], causes: Sequence[Cause], cards: Sequence[CauseCard]
) -> Iterator[tuple[str, Callable[[], Markup]]]:
    """Yield the evidence of scenarios, then the mutants of requirements: the most important first.

    First comes the smallest case of each cause, then two more of each, then the others.
    """

    def evidence(one: ScenarioView, spec: str, has_message: bool) -> tuple[str, Callable[[], Markup]]:
        linked, command = partial(_link_ids, page.anchors), rerun_command(page.run, one.data.id)
        return one.anchor, lambda: render_macro("evidence", "body", one, linked, command, spec, has_message)

    rank = {
        (cause.spec.name, scenario.id): (position >= _MAX_FIRST_OF_CAUSE, cause.number, position)
        for cause in causes
        for position, scenario in enumerate(cause.in_order)
    }
    for card in cards:
        if card.smallest is not None:
            yield evidence(card.smallest, card.cause.spec.name, False)
    later = [(one, card.spec) for part in parts for card in part.cards for one in card.explained_scenarios]
    last = (True, len(causes) + 1, 0)
    for one, spec in sorted(later, key=lambda item: rank.get((item[1], item[0].data.id), last)):
        yield evidence(one, spec, True)
    for part in parts:
        for one_card in part.cards:
            if one_card.mutants:
                key = f"mutants {one_card.anchor}"
                yield key, partial(render_macro, "requirement", "mutants", one_card.mutants)


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


@dataclass(frozen=True)
class _Page:
    """What all parts of the page need: the run, its anchors, its causes, and the matching catalogues."""

    run: RunDocument
    anchors: Anchors
    index: CauseIndex
    places_of_readings: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    contexts: dict[str, CatalogueContext | None] = field(default_factory=dict)

    def scenario(self, spec: SpecResult, data: ScenarioRecord) -> ScenarioView:
        """Return the view of a scenario of a specification."""
        name = spec.name
        return view_scenario(
            data,
            self.run,
            self.anchors.assign(name, data.id),
            self.contexts.get(name),
            self.index.showing(name, data.id),
            self.index.of_requirement(name, data.evidence.blocked_by),
        )


def _assign_anchors(run: RunDocument, anchors: Anchors) -> None:
    for spec in run.specs:
        observed = (entry.id for entry in spec.interpretations if entry.observed)
        for id in [*(one.id for one in spec.requirements), *observed, *(one.id for one in spec.scenarios)]:
            anchors.assign(spec.name, id)


def _spec_view(page: _Page, spec: SpecResult) -> SpecView:
    run, context = page.run, page.contexts[spec.name]
    place = partial(page.anchors.assign, spec.name)
    interpretations = [_interpretation_view(entry, context, place) for entry in spec.interpretations]
    own: dict[str, list[ScenarioRecord]] = {}
    for scenario in spec.scenarios:
        own.setdefault(scenario.requirement, []).append(scenario)
    owner = {scenario.id: scenario.requirement for scenario in spec.scenarios}
    sections: dict[str, list[RequirementCard]] = {}
    for section, requirements in group_by_section(spec.requirements, attrgetter("section")).items():
        for data in requirements:
            scenarios = [page.scenario(spec, one) for one in own.get(data.id, ())]
            shares = next((owner.get(id) for id in data.scenarios if not scenarios), None)
            read = {label for one in scenarios for label in one.data.readings}
            sections.setdefault(section, []).append(
                RequirementCard(
                    anchor=place(data.id),
                    data=data,
                    spec=spec.name,
                    sign=NOT_SELECTED if is_deselected(run, data) else result_sign(data, run.profile),
                    scenarios=scenarios,
                    shares_verdict_of=shares,
                    interpretations=[e for e in interpretations if e.id in read or data.id in e.touches],
                    mutants=context.mutants_violating(data.id) if context else (),
                    causes=page.index.of_requirement(spec.name, data.blocked_by or shares or data.id),
                    quotations=quotations_of(spec.name, spec.version, data.id),
                    readings=sorted(
                        {
                            page.places_of_readings[spec.name, id, label]
                            for one in scenarios
                            for id, label in one.data.readings.items()
                        }
                    ),
                )
            )
    count = result_counts(spec.requirements, run.profile)
    totals = [(sign, count[sign]) for sign in used_signs(sign.label for sign in count)]
    return SpecView(spec, sections, interpretations, _gaps(page, spec), totals)


def _gaps(page: _Page, spec: SpecResult) -> list[Gap]:
    return [
        Gap(group, page.index.of_requirement(spec.name, spec.requirements_by_id[group.ids[0]].blocked_by))
        for group in unverified_by_cause(page.run, spec)
    ]


def _interpretation_view(
    entry: InterpretationResult, context: CatalogueContext | None, place: Callable[[str], str]
) -> InterpretationView:
    about = context.interpretation(entry.id) if context else None
    return InterpretationView(
        entry.id,
        entry.treatment,
        entry.observed,
        entry.consistent,
        anchor=place(entry.id) if entry.observed else "",
        question=about.question if about else "",
        recommended=about.recommended if about else None,
        touches=about.affects if about else (),
        # Of readings that differ, none explains all answers.
        lines={one: manifest_line(entry.id, one) for one in entry.observed if entry.consistent and _is_choice(about)},
        texts={reading.label: reading.text for reading in about.readings} if about else {},
    )


def _is_choice(about: Interpretation | None) -> bool:
    """Return whether the document leaves more than one reading, of which the manifest may pin one."""
    return about is not None and about.treatment == "any" and sum(one.accepted for one in about.readings) > 1
