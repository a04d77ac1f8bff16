"""The book of a specification as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from treeproof.report.book import Book, BookRequirement, BookScenario
from treeproof.report.catalogue import TREATMENTS
from treeproof.report.digest import pluralize
from treeproof.report.markdown_text import code_span, fenced_block, prose
from treeproof.report.specification_page import BASES
from treeproof.spec import Interpretation

_NO_LIMIT = 1_000_000


def book_as_markdown(book: Book) -> str:
    """Return the book in the dialects of GitHub and GitLab."""
    return "\n".join(_lines(book)).rstrip() + "\n"


def _lines(book: Book) -> Iterator[str]:
    pack = book.pack
    yield f"# {prose(pack.title)}"
    yield ""
    yield f"`{pack.name}@{pack.version}` restates {code_span(pack.source)}, SHA-256 `{pack.sha256}`."
    counts = [
        pluralize(len(book.requirements), "requirement"),
        pluralize(book.scenario_count, "scenario"),
        pluralize(len(pack.interpretations), "interpretation"),
        pluralize(book.mutant_count, "mutant"),
    ]
    yield f"{', '.join(counts)}."
    yield ""
    for chapter in book.chapters:
        yield f"## {prose(chapter.title)}"
        yield ""
        for requirement in chapter.requirements:
            yield from _requirement(requirement)
    if pack.interpretations:
        yield "## Interpretations"
        yield ""
        for entry in pack.interpretations:
            yield from _interpretation(entry, book.naming[entry.id])


def _requirement(requirement: BookRequirement) -> Iterator[str]:
    data = requirement.data
    yield f"### `{data.id}`"
    yield ""
    yield f"**{data.level}.** {prose(data.text, limit=_NO_LIMIT)}"
    yield ""
    yield f"- Place: {prose(data.section)}"
    yield f"- Basis: {data.basis}, {BASES[data.basis]}" + (f" {code_span(data.capability)}" if data.capability else "")
    for label, text in (("Why", data.reason), ("Condition", data.condition), ("Excluded", data.excluded)):
        if text:
            yield f"- {label}: {prose(text, limit=_NO_LIMIT)}"
    if data.restates:
        yield f"- Restates `{data.restates}` and shares its verdict."
    for entry in requirement.interpretations:
        yield f"- Interpretation `{entry.id}`: {prose(entry.question)}"
    if requirement.inseparable:
        yield f"- No mutant violates it alone: {prose(requirement.inseparable)}"
    yield ""
    if requirement.mutants:
        yield f"{pluralize(len(requirement.mutants), 'mutant')} must fail here:"
        yield ""
        for mutant in requirement.mutants:
            yield f"- `{mutant.id}` {prose(mutant.summary)}"
        yield ""
    for scenario in requirement.scenarios:
        yield from _scenario(scenario)


def _scenario(scenario: BookScenario) -> Iterator[str]:
    yield f"**{scenario.kind.capitalize()}: {prose(scenario.title)}**"
    facts = [" ".join(f"`{id}`" for id in (scenario.ids[0], *scenario.ids[1:][-1:]))]
    if len(scenario.ids) > 2:
        facts = [f"`{scenario.ids[0]}` to `{scenario.ids[-1]}`"]
    if scenario.basis is not None:
        facts.append(f"basis: {scenario.basis}")
    yield f"({', '.join([*facts, code_span(scenario.place)])})"
    yield ""
    yield fenced_block(scenario.gherkin, limit=_NO_LIMIT, lines=_NO_LIMIT, info="gherkin")
    yield ""


def _interpretation(entry: Interpretation, scenario_count: int) -> Iterator[str]:
    yield f"### `{entry.id}`"
    yield ""
    yield prose(entry.question)
    yield ""
    yield f"- Treatment: {prose(TREATMENTS[entry.treatment])}. {pluralize(scenario_count, 'scenario')}."
    for reading in entry.readings:
        star = " ★" if reading.label == entry.recommended else ""
        rejected = "" if reading.accepted else " (not accepted)"
        implies = f" {prose(reading.implies)}" if reading.implies else ""
        yield f"- `{reading.label}`{star}{rejected}: {prose(reading.text)}{implies}"
    yield f"- Why: {prose(entry.why)}"
    if entry.invariant:
        yield f"- Under every reading: {prose(entry.invariant)}"
    if entry.affects:
        yield f"- Affects: {', '.join(f'`{id}`' for id in entry.affects)}"
    yield ""
