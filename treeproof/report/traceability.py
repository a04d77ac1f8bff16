"""Requirement by scenario, as a table for people and for other programs. A pure function of packs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from treeproof.report.escape import visible
from treeproof.spec import Pack
from treeproof.spec.trace import read


@dataclass(frozen=True)
class Row:
    """One line: a requirement and one scenario that verifies it, or the reason why there is none."""

    spec: str
    requirement: str
    level: str
    scenario: str
    title: str
    place: str
    remark: str


def rows(packs: Sequence[Pack]) -> Iterator[Row]:
    """Every requirement of the packs with each of its scenarios, in the order of the catalogue."""
    for pack in packs:
        trace = read(pack)
        for requirement in pack.requirements:
            remark = f"restates {requirement.restates}" if requirement.restates else ""
            verifying = trace.coverage(requirement.id).verified_by
            for row in verifying:
                place = f"{row.file.relative_to(pack.folder.parent.parent).as_posix()}:{row.line}"
                yield Row(pack.name, requirement.id, requirement.level, row.id, row.title, place, remark)
            if not verifying:
                why = f"excluded: {requirement.excluded}" if requirement.excluded else "no scenario"
                yield Row(pack.name, requirement.id, requirement.level, "", "", "", why)


def markdown(found: Sequence[Row]) -> str:
    """Return the rows as a table of GitHub's Markdown."""
    header = [field.name for field in fields(Row)]
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    lines += [f"| {' | '.join(_cell(value) for value in astuple(row))} |" for row in found]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def comma_separated(found: Sequence[Row]) -> str:
    """Return the rows as CSV (RFC 4180) with a header."""
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(field.name for field in fields(Row))
    writer.writerows(tuple(visible(value) for value in astuple(row)) for row in found)
    return target.getvalue()


def as_json(found: Sequence[Row]) -> str:
    """Return the rows as a JSON array of objects."""
    return json.dumps([vars(row) for row in found], indent=1, ensure_ascii=False) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "md": markdown,
    "csv": comma_separated,
    "json": as_json,
}
