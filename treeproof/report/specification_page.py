"""A Markdown page for each specification: its interpretations, the basis of its requirements, what goes beyond it.

Contains pure functions. The pages in docs/specifications are their output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treeproof.report.catalogue import TREATMENTS
from treeproof.report.digest import pluralize
from treeproof.report.markdown_text import code_span, prose
from treeproof.spec import Interpretation, Pack, Reading, Requirement
from treeproof.spec.catalogue import Basis
from treeproof.spec.traceability import build_traceability_index

BASES: Mapping[Basis, str] = {
    "stated": "the document contains the words",
    "implied": "no implementation can do what the document states without it",
    "framework": "only the framework to which the document refers contains it; it applies to candidates that declare "
    "the capability",
    "prudent": "the document is silent; a failure is a warning outside the strict profile",
}


def specification_page(pack: Pack) -> str:
    """Return the page of one specification."""
    return "\n".join(_lines(pack)).rstrip() + "\n"


def _lines(pack: Pack) -> Iterator[str]:
    index = build_traceability_index(pack)
    yield f"# {prose(pack.title)}: requirements and readings"
    yield ""
    yield f"`{pack.name}@{pack.version}`, written by `make specification-pages` from `features/{pack.name}/`."
    yield f"Source document: {code_span(pack.source)}, SHA-256 `{pack.sha256}`."
    yield f"[The book](../books/{pack.name}.html) also has the scenarios and mutants, in one page with a search."
    yield ""
    yield "## Basis of the requirements"
    yield ""
    yield "| basis | requirements | meaning |"
    yield "|---|---:|---|"
    for basis, meaning in BASES.items():
        yield f"| {basis} | {sum(one.basis == basis for one in pack.requirements)} | {meaning} |"
    yield ""
    yield "A place is a section of the document with the hashes of sentences in it. This command prints the hashes of a"
    yield "document: `treeproof list sentences --document FILE`"
    yield ""
    yield "| requirement | level | basis | place | text |"
    yield "|---|---|---|---|---|"
    for requirement in pack.requirements:
        yield _requirement_row(requirement)
    yield ""
    yield from _beyond(pack)
    yield "## Interpretations"
    yield ""
    yield f"The document is silent, ambiguous or contradictory in {pluralize(len(pack.interpretations), 'place')}."
    yield "A star marks the recommended reading."
    yield ""
    for entry in pack.interpretations:
        yield from _interpretation(entry, len(index.scenarios_naming(entry.id)))


def _requirement_row(requirement: Requirement) -> str:
    places = " ".join(f"`{sentence}`" for sentence in requirement.sentences)
    section = prose(requirement.section, limit=120)
    reason = f" ({prose(requirement.reason)})" if requirement.reason else ""
    text = prose(requirement.text) + reason
    basis = f"{requirement.basis}: {code_span(requirement.capability)}" if requirement.capability else requirement.basis
    return f"| `{requirement.id}` | {requirement.level} | {basis} | {section} {places} | {text} |"


def _beyond(pack: Pack) -> Iterator[str]:
    index = build_traceability_index(pack)
    prudent = {one.id for one in pack.requirements if one.basis == "prudent"}
    cases = [
        case
        for case in index.scenarios
        if case.basis == "prudent" or (case.basis is None and case.requirement in prudent)
    ]
    yield "## Beyond the document"
    yield ""
    if not cases:
        yield "No scenario demands more than the document."
        yield ""
        return
    yield f"{pluralize(len(cases), 'scenario')} of what careful implementations do and the document does not demand."
    yield "A failure is a warning, except under `--profile strict`."
    yield ""
    yield "| scenario | requirement | content |"
    yield "|---|---|---|"
    for case in cases:
        yield f"| `{case.id}` | `{case.requirement}` | {prose(case.title)} |"
    yield ""


def _interpretation(entry: Interpretation, scenario_count: int) -> Iterator[str]:
    yield f"### `{entry.id}`"
    yield ""
    yield prose(entry.question)
    yield ""
    yield f"- Treatment: {prose(TREATMENTS[entry.treatment])}. {pluralize(scenario_count, 'scenario')}."
    if entry.affects:
        yield f"- Affects: {', '.join(f'`{id}`' for id in entry.affects)}."
    for reading in entry.readings:
        yield f"- {_reading(entry, reading)}"
    yield f"- Why: {prose(entry.why)}"
    if entry.invariant:
        yield f"- Under every reading: {prose(entry.invariant)}"
    yield ""


def _reading(entry: Interpretation, reading: Reading) -> str:
    star = " ★" if reading.label == entry.recommended else ""
    rejected = "" if reading.accepted else " (not accepted)"
    implies = f" {prose(reading.implies)}" if reading.implies else ""
    return f"`{reading.label}`{star}{rejected}: {prose(reading.text)}{implies}"
