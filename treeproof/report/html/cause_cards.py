"""The causes of a run as cards of the page: which scenarios a card shows whole, and which it links to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from treeproof.report.digest import pluralize
from treeproof.report.escape import shortened
from treeproof.report.html.evidence_blocks import call_line
from treeproof.report.html.rendering import Anchors
from treeproof.report.html.scenarios import CauseLink, ScenarioView
from treeproof.report.signs import SEVERITIES, Sign
from treeproof.spec.quotations import Quotation, quotations_of
from treeproof.verdict.causes import Cause
from treeproof.verdict.record import ScenarioRecord
from treeproof.verdict.run_document import RunDocument
from treeproof.verdict.spec_result import SpecResult

MAX_CAUSES = 3
"""The number of causes that are not folded."""

_MAX_REQUIREMENT_TEXTS = 30  # cards with the text of the requirement, which is also in its own card
_MAX_LINKS = 40  # links to scenarios that are shown without a click
_MAX_FOLDED_LINKS = 200  # in all, of one kind
_MAX_MESSAGE_CHARACTERS = 600

_PAGE = ""  # the place of anchors that belong to no specification


@dataclass(frozen=True)
class LinkedScenarios:
    """Scenarios of one requirement, as links."""

    requirement: str
    scenarios: Sequence[str]


@dataclass(frozen=True)
class ScenarioLinks:
    """Links to ``count`` scenarios, by requirement: the first ones, ``left`` are not among them."""

    groups: Sequence[LinkedScenarios]
    count: int
    left: int

    @property
    def are_many(self) -> bool:
        """True if they need a fold of their own."""
        return self.count > _MAX_LINKS


@dataclass(frozen=True)
class CauseCard:
    """One cause: its ``smallest`` case, which has its evidence here, and links to the others."""

    anchor: str
    cause: Cause
    sign: Sign
    is_open: bool
    smallest: ScenarioView | None
    others: ScenarioLinks
    blocked: ScenarioLinks

    @property
    def message(self) -> str:
        """The message, cut to a fixed length."""
        return shortened(self.cause.message, _MAX_MESSAGE_CHARACTERS)

    @property
    def has_requirement_text(self) -> bool:
        """True if the card shows the text of its requirement."""
        return self.cause.number <= _MAX_REQUIREMENT_TEXTS

    @property
    def quotations(self) -> Sequence[Quotation]:
        """The sentences of the requirement."""
        spec = self.cause.spec
        return quotations_of(spec.name, spec.version, self.cause.requirement.id)

    @property
    def title(self) -> str:
        """The title of its smallest case; empty if no scenario failed."""
        return "" if self.cause.smallest is None else self.cause.smallest.title

    @property
    def call(self) -> str:
        """The call of its smallest case in one short line; may be empty."""
        return "" if self.cause.smallest is None else call_line(self.cause.smallest)

    @property
    def is_message_cut(self) -> bool:
        """True if the message of the card is not complete."""
        return self.message != self.cause.message

    @property
    def tally(self) -> str:
        """How many scenarios it breaks and blocks."""
        count, blocked = len(self.cause.scenarios), len(self.cause.blocked)
        parts = []
        if count > 1:
            parts.append(
                f"{pluralize(count, 'scenario')} of {pluralize(len(self.cause.requirements), 'requirement')}"
                if len(self.cause.requirements) > 1
                else pluralize(count, "scenario")
            )
        if blocked:
            parts.append(f"blocks {pluralize(blocked, 'scenario')}")
        return ", ".join(parts)


class CauseIndex:
    """The links to the causes of a run, by requirement and by scenario."""

    def __init__(self, run: RunDocument, anchors: Anchors) -> None:
        """Assign an anchor to each cause; all other anchors must be assigned before, so that they stay valid."""
        self._links = {
            cause.number: CauseLink(cause.number, anchors.assign(_PAGE, f"cause-{cause.number}"))
            for cause in run.causes
        }
        self._by_requirement = run.cause_numbers
        self._smallest = {
            (cause.spec.name, cause.smallest.id): self._links[cause.number]
            for cause in run.causes
            if cause.smallest is not None
        }

    def of_requirement(self, spec: str, id: str | None) -> list[CauseLink]:
        """Return the causes that fail a requirement."""
        return [self._links[number] for number in self._by_requirement.get((spec, id or ""), ())]

    def showing(self, spec: str, scenario: str) -> CauseLink | None:
        """Return the cause whose smallest case is this scenario, or None."""
        return self._smallest.get((spec, scenario))

    def link(self, cause: Cause) -> CauseLink:
        """Return the link to a cause."""
        return self._links[cause.number]


def cause_cards(
    causes: Iterable[Cause], index: CauseIndex, view: Callable[[SpecResult, ScenarioRecord], ScenarioView]
) -> list[CauseCard]:
    """Return the cards in the order of the causes; ``view`` returns the view of a scenario of a specification."""
    cards = []
    for position, cause in enumerate(causes):
        by_id = cause.spec.scenarios_by_id
        cards.append(
            CauseCard(
                anchor=index.link(cause).anchor,
                cause=cause,
                sign=SEVERITIES[cause.severity],
                is_open=position == 0,
                smallest=None if cause.smallest is None else view(cause.spec, cause.smallest),
                others=_links(cause.others),
                blocked=_links([by_id[id] for id in cause.blocked if id in by_id]),
            )
        )
    return cards


def summarize(cards: Sequence[CauseCard]) -> str:
    """Return how many scenarios the causes break, in words."""
    scenarios = [(card.cause.is_fault, card.cause.spec.name, one.id) for card in cards for one in card.cause.scenarios]
    counts = Counter(is_fault for is_fault, *_ in set(scenarios))  # a scenario can belong to several causes
    parts = [pluralize(counts[False], "scenario")] if counts[False] else []
    if counts[True]:
        parts.append(f"{pluralize(counts[True], 'scenario')} without a verdict because of a fault")
    return " and ".join(parts)


def _links(scenarios: Sequence[ScenarioRecord]) -> ScenarioLinks:
    groups: dict[str, list[str]] = {}
    for scenario in scenarios[:_MAX_FOLDED_LINKS]:
        groups.setdefault(scenario.requirement, []).append(scenario.id)
    shown = [LinkedScenarios(requirement, ids) for requirement, ids in groups.items()]
    return ScenarioLinks(shown, len(scenarios), max(len(scenarios) - _MAX_FOLDED_LINKS, 0))
