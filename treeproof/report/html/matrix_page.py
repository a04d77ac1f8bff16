"""The matrix of several runs as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treeproof.report.digest import VERDICTS as ORDER
from treeproof.report.html.anchors import Anchors
from treeproof.report.html.rendering import render
from treeproof.report.html.signs import CONCLUSIONS, OUTCOMES, VERDICTS, Sign, used_levels, used_signs
from treeproof.report.html.trend_chart import trend_chart
from treeproof.report.matrix import Cell, Matrix, RequirementRow, SpecMatrix

_NOT_SELECTED = Sign("not selected", "·", "blank")
_CHANGES = {
    "better": ("↑", "better than before"),
    "worse": ("↓", "worse than before"),
    "other": ("≠", "changed"),
}
_MAX_CAUSE = 400  # characters of a cause or a message
_MAX_FAILED = 5  # failed scenarios of one cell


@dataclass(frozen=True)
class MatrixLine:
    """A row of the table with its cells."""

    anchor: str
    data: RequirementRow
    cells: Sequence[tuple[Sign, Cell]]

    @property
    def verdicts(self) -> str:
        """The verdicts of the cells, for the script; empty if not selected."""
        return ",".join(cell.verdict for _, cell in self.cells)


@dataclass(frozen=True)
class MatrixSection:
    """A section: its lines, and the passed and applicable requirements of each candidate."""

    title: str
    lines: Sequence[MatrixLine]
    passed_counts: Sequence[str]


@dataclass(frozen=True)
class MatrixSpec:
    """One specification."""

    data: SpecMatrix
    groups: Sequence[MatrixSection]


def dump(matrix: Matrix) -> bytes:
    """Return the page as UTF-8."""
    anchors = Anchors()
    parts = [_matrix_spec(matrix, sheet, anchors) for sheet in matrix.specs]
    pairs = matrix.differences()
    rows = matrix.rows
    values = {
        "matrix": matrix,
        "conclusions": CONCLUSIONS,
        "parts": parts,
        "pairs": {**pairs, **{(other, one): count for (one, other), count in pairs.items()}},
        "verdicts": used_signs(cell.verdict for row in rows for cell in row.cells),
        "levels": used_levels(row.level for row in rows),
        "totals": [_totals(matrix, position) for position in range(len(matrix.candidates))],
        "changes": _CHANGES,
        "changed": any(row.changed for row in rows),
        "cut": _MAX_CAUSE,
        "shown": _MAX_FAILED,
        "moment": _format_time,
        "outcomes": OUTCOMES,
        "order": ORDER,
        "trends": [(one, trend_chart(one)) for one in matrix.candidates if len(one.runs) > 1],
    }
    return render("matrix", values)


def _matrix_spec(matrix: Matrix, sheet: SpecMatrix, anchors: Anchors) -> MatrixSpec:
    width = range(len(matrix.candidates))
    groups = []
    for title, rows in sheet.sections.items():
        lines = [
            MatrixLine(
                anchors.assign(sheet.title, row.id),
                row,
                [(VERDICTS.get(cell.verdict, _NOT_SELECTED), cell) for cell in row.cells],
            )
            for row in rows
        ]
        groups.append(MatrixSection(title, lines, [_passed_count([row.cells[at] for row in rows]) for at in width]))
    return MatrixSpec(sheet, groups)


def _passed_count(cells: Sequence[Cell]) -> str:
    if not any(cell.verdict for cell in cells):
        return ""
    applicable = [cell.verdict for cell in cells if cell.verdict in ("PASS", "FAIL", "NOT VERIFIED")]
    return f"{applicable.count('PASS')}/{len(applicable)}" if applicable else "–"


def _totals(matrix: Matrix, position: int) -> list[tuple[Sign, int]]:
    counts = [sheet.counts(position) for sheet in matrix.specs]
    totals = {verdict: sum(count.get(verdict, 0) for count in counts) for verdict in ORDER}
    return [(VERDICTS[verdict], count) for verdict, count in totals.items() if count]


def _format_time(started: str) -> str:
    """Return an ISO 8601 time without seconds."""
    return f"{started[:10]} {started[11:16]} UTC"
