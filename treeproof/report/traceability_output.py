"""The traceability table: requirements with their scenarios, properties and mutants, as Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from treeproof.report.escape import visible
from treeproof.spec import Pack
from treeproof.spec.document_trace import DocumentTrace
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.mutants import Mutant
from treeproof.spec.packs import shown_path
from treeproof.spec.traceability import build_traceability_index


@dataclass(frozen=True)
class TraceRow:
    """A requirement and one scenario or property that verifies it, or the reason why there is none.

    `kind` is "scenario" or "property"; `wrong` has the ids of the mutants that violate the requirement, separated by
    blanks. `state` is that of the requirement towards the document, if one was given; an uncovered sentence has a row
    without a requirement.
    """

    spec: str
    requirement: str
    level: str
    section: str
    scenario: str
    kind: str
    title: str
    place: str
    remark: str
    wrong: str = ""
    state: str = ""


KilledMutants = Callable[[Pack, str], Sequence[Mutant]]
"""Returns the mutants that violate a requirement of a pack."""


def no_mutants(pack: Pack, requirement: str) -> Sequence[Mutant]:
    """Return no mutants."""
    return ()


def trace_rows(
    packs: Sequence[Pack], mutants_violating: KilledMutants = no_mutants, document: DocumentTrace | None = None
) -> Iterator[TraceRow]:
    """Yield every requirement of the packs with each of its scenarios, in the order of the catalogue.

    ``document``: the states of the requirements of the only pack; uncovered sentences follow.
    """
    states: Mapping[str, str] = document.states if document is not None else {}
    for pack in packs:
        trace = build_traceability_index(pack)
        for requirement in pack.requirements:
            remark = f"restates {requirement.restates}" if requirement.restates else ""
            verifying = trace.coverage(requirement.id).verified_by
            mutants = mutants_violating(pack, requirement.restates or requirement.id)
            ids = " ".join(mutant.id for mutant in mutants)
            start = (pack.name, requirement.id, requirement.level, requirement.section)
            for row in verifying:
                place, kind = source_location(pack, row), scenario_kind(row)
                yield TraceRow(*start, row.id, kind, row.title, place, remark, ids, states.get(requirement.id, ""))
            if not verifying:
                reason = f"excluded: {requirement.excluded}" if requirement.excluded else "no scenario"
                yield TraceRow(*start, "", "", "", "", reason, ids, states.get(requirement.id, ""))
        if document is not None:
            for sentence in document.uncovered:
                section = sentence.headings[-1] if sentence.headings else ""
                place = f"{document.document.name}:{sentence.line}"
                remark = f"no requirement names {sentence.hash}"
                yield TraceRow(pack.name, "", "", section, "", "", sentence.text, place, remark, state="uncovered")


def source_location(pack: Pack, row: ScenarioCase) -> str:
    """Return file and line of a scenario, as reports show them."""
    return f"{shown_path(pack, row.file)}:{row.line}"


def scenario_kind(row: ScenarioCase) -> str:
    """Return "property" or "scenario". A property makes its own calls, so it has no When step."""
    return "scenario" if any(step.keyword_type == "when" for step in row.steps) else "property"


def as_markdown(rows: Sequence[TraceRow]) -> str:
    """Return the rows as a table in GitHub's Markdown."""
    header = [field.name for field in fields(TraceRow)]
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    lines += [f"| {' | '.join(_escape_cell(value) for value in astuple(row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _escape_cell(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def as_json(rows: Sequence[TraceRow]) -> str:
    """Return the rows as a JSON array of objects."""
    return json.dumps([vars(row) for row in rows], indent=1, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[TraceRow]], str]] = {"md": as_markdown, "json": as_json}
