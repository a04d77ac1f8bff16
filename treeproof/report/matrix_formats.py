"""The matrix as JSON, and as Markdown of less than a mebibyte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treeproof.report.digest import VERDICTS, pluralize
from treeproof.report.escape import json_text
from treeproof.report.markdown_parts import fit_to_size
from treeproof.report.markdown_text import code_span, prose
from treeproof.report.matrix import CandidateColumn, Cell, Matrix, RequirementRow, SpecMatrix
from treeproof.report.trend import RunPoint

_MAX_BYTES = 900_000  # bytes
_VERDICT_SYMBOLS = {
    "PASS": "✓",
    "FAIL": "✗",
    "NOT VERIFIED": "?",
    "NOT APPLICABLE": "–",
    "EXCLUDED": "∅",
    "": "",
}
_CHANGE_SYMBOLS = {"better": "↑", "worse": "↓", "other": "≠"}


def dump_json(matrix: Matrix) -> bytes:
    """Return the matrix as JSON in UTF-8, without empty cells."""
    names = [candidate.name for candidate in matrix.candidates]
    value = {
        "candidates": [_candidate_json(candidate) for candidate in matrix.candidates],
        "specs": [
            {
                "name": sheet.name,
                "version": sheet.version,
                "requirements": [
                    {
                        "id": row.id,
                        "level": row.level,
                        "section": row.section,
                        "text": row.text,
                        "differs": row.differs,
                        "candidates": {
                            name: _cell_json(cell) for name, cell in zip(names, row.cells, strict=True) if cell.verdict
                        },
                    }
                    for row in sheet.rows
                ],
            }
            for sheet in matrix.specs
        ],
        "differences": [
            {"candidates": [names[one], names[other]], "requirements": count}
            for (one, other), count in matrix.differences().items()
        ],
    }
    return (json_text(value, indent=1) + "\n").encode("utf-8")


def _candidate_json(candidate: CandidateColumn) -> dict[str, Any]:
    members = {
        "name": candidate.name,
        "version": candidate.data["version"],
        "language": candidate.data["language"],
        "adapter": candidate.data["adapter"],
        "verdict": candidate.conclusion,
        "reason": candidate.reason,
        "claim": candidate.claim,
        "started": candidate.started,
    }
    if candidate.previous_started:
        members |= {"earlier": candidate.previous_started, "runs": [_run_json(one) for one in candidate.runs]}
    return members


def _run_json(point: RunPoint) -> dict[str, Any]:
    return {
        "started": point.started,
        "version": point.version,
        "verdict": point.conclusion,
        "claim": point.claim,
        "profile": point.profile,
        "treeproof": point.treeproof,
        "specs": list(point.specs),
        "requirements": {verdict: count for verdict, count in point.verdicts.items() if count},
        "failed": point.failed,
        "faults": point.faults,
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    members: dict[str, Any] = {"verdict": cell.verdict}
    if cell.cause:
        members["cause"] = cell.cause
    if cell.known:
        members["known"] = True
    if cell.change:
        members |= {"before": cell.previous_verdict, "change": cell.change}
    if cell.failed_scenarios:
        members["failed"] = [scenario["id"] for scenario in cell.failed_scenarios]
    return members


def dump_markdown(matrix: Matrix) -> bytes:
    """Return the matrix as GitHub's Markdown in UTF-8, less than 1 MiB."""
    return ("\n\n".join(fit_to_size(_parts(matrix), _MAX_BYTES)) + "\n").encode("utf-8")


def _parts(matrix: Matrix) -> Iterator[str]:
    yield f"## treeproof: {matrix.title}"
    yield "\n".join(
        [
            "| candidate | verdict | reason | run |",
            "|---|---|---|---|",
            *(
                f"| {code_span(_candidate_label(one), limit=80)} | {one.conclusion} | {prose(one.reason, limit=200)} | "
                f"{one.started}{f', earlier run {one.previous_started}' if one.previous_started else ''} |"
                for one in matrix.candidates
            ),
        ]
    )
    for candidate in matrix.candidates:
        if len(candidate.runs) > 1:
            yield f"### Trend of {code_span(candidate.name, limit=80)}: {pluralize(len(candidate.runs), 'run')}"
            yield from _trend(candidate)
    for sheet in matrix.specs:
        yield f"### {prose(sheet.title, limit=200)}"
        yield from _sections(matrix, sheet)
        yield from _requirement_table(matrix, "with different verdicts", [row for row in sheet.rows if row.differs])
        yield from _requirement_table(
            matrix, "with changes since an earlier run", [row for row in sheet.rows if row.changed]
        )
    yield "✓ pass, ✗ fail, ? not verified, – not applicable, ∅ excluded, ↑ better, ↓ worse, ≠ different from before."


def _trend(candidate: CandidateColumn) -> Iterator[str]:
    """Yield a table with all runs, the oldest first."""
    head = [
        _table_line(["run", "version", "conclusion", *(verdict.lower() for verdict in VERDICTS), "failed scenarios"]),
        "|---|---|---" + "|---:" * (len(VERDICTS) + 1) + "|",
    ]
    lines = [
        _table_line(
            [
                one.started,
                code_span(one.version, limit=40),
                f"{one.conclusion}{'' if one.claim else ' (no claim)'}",
                *(str(one.verdicts[verdict] or "") for verdict in VERDICTS),
                str(one.failed) + (f", {pluralize(one.faults, 'fault')}" if one.faults else ""),
            ]
        )
        for one in candidate.runs
    ]
    for start in range(0, len(lines), 50):
        yield "\n".join([*head, *lines[start : start + 50]])


def _sections(matrix: Matrix, sheet: SpecMatrix) -> Iterator[str]:
    yield "\n".join(
        [
            _table_line(["passed by section", *(code_span(one.name, limit=40) for one in matrix.candidates)]),
            "|---" + "|---:" * len(matrix.candidates) + "|",
            *(
                _table_line(
                    [
                        prose(section, limit=200),
                        *(_passed_of_applicable(rows, at) for at in range(len(matrix.candidates))),
                    ]
                )
                for section, rows in sheet.sections.items()
            ),
        ]
    )


def _passed_of_applicable(rows: list[RequirementRow], position: int) -> str:
    verdicts = [row.cells[position].verdict for row in rows]
    applicable = [verdict for verdict in verdicts if verdict in ("PASS", "FAIL", "NOT VERIFIED")]
    return f"{applicable.count('PASS')} of {len(applicable)}" if any(verdicts) else ""


def _requirement_table(matrix: Matrix, property: str, rows: list[RequirementRow]) -> Iterator[str]:
    if not rows:
        return
    yield f"#### {pluralize(len(rows), 'requirement')} {property}"
    head = [
        _table_line(["requirement", *(code_span(one.name, limit=40) for one in matrix.candidates)]),
        "|---" * (len(matrix.candidates) + 1) + "|",
    ]
    for start in range(0, len(rows), 50):
        lines = [
            _table_line([f"{code_span(row.id)} {row.level}", *(_format_cell(cell) for cell in row.cells)])
            for row in rows[start : start + 50]
        ]
        yield "\n".join([*head, *lines])


def _format_cell(cell: Cell) -> str:
    return f"{_VERDICT_SYMBOLS[cell.verdict]}{_CHANGE_SYMBOLS.get(cell.change, '')}{' known' if cell.known else ''}"


def _table_line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _candidate_label(candidate: CandidateColumn) -> str:
    return f"{candidate.name} {candidate.data['version']}".strip()
