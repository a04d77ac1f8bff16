"""The matrix as JSON."""

from __future__ import annotations

from typing import Any

from treeproof.report.escape import json_text
from treeproof.report.matrix import CandidateColumn, Cell, Matrix
from treeproof.report.trend import RunPoint


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
