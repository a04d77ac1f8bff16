"""Requirement by scenario, law and wrong implementation, as a table for people and programs. Pure."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from treeproof.report.catalogue_context import MutantSummary
from treeproof.report.escape import visible
from treeproof.spec import Pack
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.traceability import build_traceability_index


@dataclass(frozen=True)
class TraceRow:
    """One line: a requirement and one scenario or law that verifies it, or the reason why there is none.

    `kind` is "scenario" or "law"; `wrong` holds the ids of the wrong implementations that are there to violate the
    requirement, with blanks between them.
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


def _no_mutants(pack: Pack, requirement: str) -> Sequence[MutantSummary]:
    return ()


def trace_rows(
    packs: Sequence[Pack], mutants_violating: Callable[[Pack, str], Sequence[MutantSummary]] = _no_mutants
) -> Iterator[TraceRow]:
    """Every requirement of the packs with each of its scenarios, in the order of the catalogue."""
    for pack in packs:
        trace = build_traceability_index(pack)
        for requirement in pack.requirements:
            remark = f"restates {requirement.restates}" if requirement.restates else ""
            verifying = trace.coverage(requirement.id).verified_by
            wrong = " ".join(
                one.id for one in mutants_violating(pack, requirement.restates or requirement.id)
            )
            about = (pack.name, requirement.id, requirement.level, requirement.section)
            for row in verifying:
                yield TraceRow(
                    *about, row.id, scenario_kind(row), row.title, source_location(pack, row), remark, wrong
                )
            if not verifying:
                why = f"excluded: {requirement.excluded}" if requirement.excluded else "no scenario"
                yield TraceRow(*about, "", "", "", "", why, wrong)


def source_location(pack: Pack, row: ScenarioCase) -> str:
    """Return file and line of a scenario, from the folder that holds the packs' folder on."""
    return f"{row.file.relative_to(pack.folder.parent.parent).as_posix()}:{row.line}"


def scenario_kind(row: ScenarioCase) -> str:
    """Return "law" or "scenario". A law makes its own calls, so it has no When."""
    return "scenario" if any(step.keyword_type == "when" for step in row.steps) else "law"


def as_markdown(found: Sequence[TraceRow]) -> str:
    """Return the rows as a table of GitHub's Markdown."""
    header = [field.name for field in fields(TraceRow)]
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    lines += [f"| {' | '.join(_escape_cell(value) for value in astuple(row))} |" for row in found]
    return "\n".join(lines) + "\n"


def _escape_cell(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def as_csv(found: Sequence[TraceRow]) -> str:
    """Return the rows as CSV (RFC 4180) with a header."""
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(field.name for field in fields(TraceRow))
    writer.writerows(tuple(visible(value) for value in astuple(row)) for row in found)
    return target.getvalue()


def as_json(found: Sequence[TraceRow]) -> str:
    """Return the rows as a JSON array of objects."""
    return json.dumps([vars(row) for row in found], indent=1, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[TraceRow]], str]] = {
    "md": as_markdown,
    "csv": as_csv,
    "json": as_json,
}
