"""The matrix as files for programs and for job summaries: JSON, and Markdown bounded below a mebibyte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treeproof.report.digest import counted
from treeproof.report.escape import json_text
from treeproof.report.markdown import fitting
from treeproof.report.markdown_text import code, prose
from treeproof.report.matrix import Candidate, Cell, Matrix, Row, Sheet

_ROOM = 900_000  # bytes
_SHOWN = {"PASS": "✓", "FAIL": "✗", "NOT VERIFIED": "?", "NOT APPLICABLE": "–", "EXCLUDED": "∅", "": ""}
_CHANGE = {"better": "↑", "worse": "↓", "other": "≠"}


def as_json(matrix: Matrix) -> bytes:
    """Return the matrix as JSON in UTF-8; a cell that was not asked about is left out."""
    names = [candidate.name for candidate in matrix.candidates]
    value = {
        "candidates": [_candidate(candidate) for candidate in matrix.candidates],
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
                            name: _cell(cell)
                            for name, cell in zip(names, row.cells, strict=True)
                            if cell.verdict
                        },
                    }
                    for row in sheet.rows
                ],
            }
            for sheet in matrix.sheets
        ],
        "differences": [
            {"candidates": [names[one], names[other]], "requirements": count}
            for (one, other), count in matrix.differences().items()
        ],
    }
    return (json_text(value, indent=1) + "\n").encode("utf-8")


def _candidate(candidate: Candidate) -> dict[str, Any]:
    told = {
        "name": candidate.name,
        "version": candidate.told["version"],
        "language": candidate.told["language"],
        "adapter": candidate.told["adapter"],
        "verdict": candidate.word,
        "reason": candidate.reason,
        "claim": candidate.claim,
        "started": candidate.started,
    }
    return told | ({"earlier": candidate.earlier} if candidate.earlier else {})


def _cell(cell: Cell) -> dict[str, Any]:
    told: dict[str, Any] = {"verdict": cell.verdict}
    if cell.cause:
        told["cause"] = cell.cause
    if cell.known:
        told["known"] = True
    if cell.change:
        told |= {"before": cell.before, "change": cell.change}
    if cell.failed:
        told["failed"] = [scenario["id"] for scenario in cell.failed]
    return told


def markdown(matrix: Matrix) -> bytes:
    """Return the matrix as GitHub's Markdown in UTF-8, less than 1 MiB of it."""
    return ("\n\n".join(fitting(_parts(matrix), _ROOM)) + "\n").encode("utf-8")


def _parts(matrix: Matrix) -> Iterator[str]:
    yield f"## treeproof: {counted(len(matrix.candidates), 'candidate')} side by side"
    yield "\n".join(
        [
            "| candidate | verdict | why | run of |",
            "|---|---|---|---|",
            *(
                f"| {code(_named(one), limit=80)} | {one.word} | {prose(one.reason, limit=200)} | "
                f"{one.started}{f', before that {one.earlier}' if one.earlier else ''} |"
                for one in matrix.candidates
            ),
        ]
    )
    for sheet in matrix.sheets:
        yield f"### {prose(sheet.title, limit=200)}"
        yield from _sections(matrix, sheet)
        yield from _told_rows(
            matrix, "on which candidates differ", [row for row in sheet.rows if row.differs]
        )
        yield from _told_rows(
            matrix, "changed since an earlier run", [row for row in sheet.rows if row.changed]
        )
    yield "✓ pass, ✗ fail, ? not verified, – not applicable, ∅ excluded, ↑ better, ↓ worse and ≠ other than before."


def _sections(matrix: Matrix, sheet: Sheet) -> Iterator[str]:
    yield "\n".join(
        [
            _line(["held by section", *(code(one.name, limit=40) for one in matrix.candidates)]),
            "|---" + "|---:" * len(matrix.candidates) + "|",
            *(
                _line([prose(section, limit=200), *(_held(rows, at) for at in range(len(matrix.candidates)))])
                for section, rows in sheet.sections.items()
            ),
        ]
    )


def _held(rows: list[Row], position: int) -> str:
    asked = [row.cells[position].verdict for row in rows]
    applying = [verdict for verdict in asked if verdict in ("PASS", "FAIL", "NOT VERIFIED")]
    return f"{applying.count('PASS')} of {len(applying)}" if any(asked) else ""


def _told_rows(matrix: Matrix, what: str, rows: list[Row]) -> Iterator[str]:
    if not rows:
        return
    yield f"#### {counted(len(rows), 'requirement')} {what}"
    head = [
        _line(["requirement", *(code(one.name, limit=40) for one in matrix.candidates)]),
        "|---" * (len(matrix.candidates) + 1) + "|",
    ]
    for start in range(0, len(rows), 50):
        lines = [
            _line([f"{code(row.id)} {row.level}", *(_shown(cell) for cell in row.cells)])
            for row in rows[start : start + 50]
        ]
        yield "\n".join([*head, *lines])


def _shown(cell: Cell) -> str:
    return f"{_SHOWN[cell.verdict]}{_CHANGE.get(cell.change, '')}{' known' if cell.known else ''}"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _named(candidate: Candidate) -> str:
    return f"{candidate.name} {candidate.told['version']}".strip()
