"""The matrix of several runs as HTML, with the trend of each candidate as a chart: one stacked bar for each run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from treeproof.report.html.page_parts import place_parts
from treeproof.report.html.rendering import Anchors, render, render_macro
from treeproof.report.matrix import CandidateColumn, Cell, Matrix, RequirementRow, RunPoint, SpecMatrix, bar_lengths
from treeproof.report.signs import BY_URGENCY, CONCLUSIONS, OUTCOMES, Sign, used_levels, used_signs

HEIGHT = 120
"""The height of a full bar in units of the picture."""

_TOP, _BOTTOM = 18, 4
_WIDTH = 900
_MIN_STEP, _MAX_STEP = 6, 56
_LABEL_STEP = 22  # the least distance of bars with a number above them

_CHANGES = {
    "better": ("↑", "better than before"),
    "worse": ("↓", "worse than before"),
    "lost": ("?", "without a verdict now"),
    "other": ("≠", "changed"),
}
_MAX_CAUSE = 400  # characters of a cause or a message
_MAX_FAILED = 5  # failed scenarios of one cell
_MAX_PAIRED = 24  # candidates of a page with a table of all pairs, and with everything about each candidate
_CELL_CHARACTERS = 45  # of a page with more candidates


@dataclass(frozen=True)
class MatrixLine:
    """A row of the table with its cells.

    ``detailed`` are candidates with more than a verdict, or all of a few; ``terse`` has the names of others by verdict.
    """

    anchor: str
    data: RequirementRow
    cells: Sequence[Cell]
    detailed: Sequence[tuple[CandidateColumn, Cell]]
    terse: Sequence[tuple[str, Sequence[str]]]

    @property
    def verdicts(self) -> str:
        """The results of all candidates, for the script; empty if not selected."""
        return ",".join(cell.sign.label for cell in self.data.cells)


@dataclass(frozen=True)
class MatrixSection:
    """A section: its lines, and the passed and applicable requirements of each candidate."""

    title: str
    lines: Sequence[MatrixLine]
    passed_counts: Sequence[str]


@dataclass(frozen=True)
class MatrixSpec:
    """One specification; ``columns`` are the positions of the candidates with a run of it."""

    data: SpecMatrix
    columns: Sequence[int]
    groups: Sequence[MatrixSection]


def dump(matrix: Matrix) -> bytes:
    """Return the page as UTF-8."""
    anchors = Anchors()
    parts = [_matrix_spec(matrix, sheet, anchors) for sheet in matrix.specs]
    pairs, rows = matrix.differences(), matrix.rows
    is_wide = len(matrix.candidates) > _MAX_PAIRED
    lines = [line for part in parts for group in part.groups for line in group.lines]
    marks = sum(len(part.columns) * len(part.data.rows) for part in parts)
    details = ((line.anchor, partial(_detail, matrix, line, links=not is_wide)) for line in lines)
    values = {
        "matrix": matrix,
        "is_wide": is_wide,
        "held": place_parts(details, others=marks * _CELL_CHARACTERS),
        "conclusions": CONCLUSIONS,
        "parts": parts,
        "pairs": {**pairs, **{(other, one): count for (one, other), count in pairs.items()}},
        "verdicts": used_signs(cell.sign.label for row in rows for cell in row.cells),
        "levels": used_levels(row.level for row in rows),
        "totals": [_totals(matrix, position) for position in range(len(matrix.candidates))],
        "changes": _CHANGES,
        "changed": any(row.changed for row in rows),
        "moment": _format_time,
        "order": used_signs(sign.label for one in matrix.candidates for point in one.runs for sign in point.results),
        "trends": [(one, trend_chart(one)) for one in matrix.candidates if len(one.runs) > 1],
    }
    return render("matrix", values, ("parts.js",))


def _detail(matrix: Matrix, line: MatrixLine, *, links: bool) -> Markup:
    return render_macro("matrix_detail", "body", line, matrix.candidates, OUTCOMES, links, _MAX_CAUSE, _MAX_FAILED)


def _matrix_spec(matrix: Matrix, sheet: SpecMatrix, anchors: Anchors) -> MatrixSpec:
    positions = range(len(matrix.candidates))
    columns = [at for at in positions if any(row.cells[at].verdict for row in sheet.rows)] or list(positions)
    groups = []
    for title, rows in sheet.sections.items():
        lines = [_matrix_line(matrix, row, columns, anchors.assign(sheet.title, row.id)) for row in rows]
        groups.append(MatrixSection(title, lines, [_passed_count([row.cells[at] for row in rows]) for at in columns]))
    return MatrixSpec(sheet, columns, groups)


def _matrix_line(matrix: Matrix, row: RequirementRow, columns: Sequence[int], anchor: str) -> MatrixLine:
    cells = [row.cells[at] for at in columns]
    detailed: list[tuple[CandidateColumn, Cell]] = []
    terse: dict[str, list[str]] = {}
    for at, cell in zip(columns, cells, strict=True):
        one = matrix.candidates[at]
        has_more = cell.cause or cell.failed_scenarios or cell.change or cell.known
        if cell.verdict and (has_more or len(matrix.candidates) <= _MAX_PAIRED):
            detailed.append((one, cell))
        elif cell.verdict:
            terse.setdefault(cell.verdict, []).append(one.name or "(no name)")
    return MatrixLine(anchor, row, cells, detailed, list(terse.items()))


def _passed_count(cells: Sequence[Cell]) -> str:
    if not any(cell.verdict for cell in cells):
        return ""
    applicable = [cell.verdict for cell in cells if cell.verdict in ("PASS", "FAIL", "NOT VERIFIED")]
    return f"{applicable.count('PASS')}/{len(applicable)}" if applicable else "–"


def _totals(matrix: Matrix, position: int) -> list[tuple[Sign, int]]:
    total = sum((sheet.counts(position) for sheet in matrix.specs), Counter[Sign]())
    return [(sign, total[sign]) for sign in BY_URGENCY if total[sign]]


def _format_time(started: str) -> str:
    """Return an ISO 8601 time without seconds."""
    return f"{started[:10]} {started[11:16]} UTC"


@dataclass(frozen=True)
class Segment:
    """A part of a bar: the class of its verdict, its place and its height."""

    style: str
    y: int
    height: int


@dataclass(frozen=True)
class Bar:
    """The bar of one run. ``label`` is the number of failed requirements, or empty if there is no space for it."""

    x: int
    width: int
    label: str
    label_y: int
    title: str
    segments: Sequence[Segment]


@dataclass(frozen=True)
class TrendChart:
    """A chart of ``width`` times ``height`` units; ``base`` is the line on which the bars stand."""

    width: int
    height: int
    base: int
    bars: Sequence[Bar]
    summary: str


def trend_chart(candidate: CandidateColumn) -> TrendChart:
    """Return the chart of all runs of a candidate, the oldest at the left."""
    runs = candidate.runs
    step = max(_MIN_STEP, min(_MAX_STEP, _WIDTH // len(runs)))
    total = max(one.total for one in runs)
    bars = [_bar(one, position * step, step, total) for position, one in enumerate(runs)]
    failing = [one.results[BY_URGENCY[0]] for one in runs]
    summary = (
        f"Requirements by verdict in {len(runs)} runs. Failed in the first run: {failing[0]}, in the last run: "
        f"{failing[-1]}, at most {max(failing)}. The table below has all numbers."
    )
    return TrendChart(len(runs) * step, _TOP + HEIGHT + _BOTTOM, _TOP + HEIGHT, bars, summary)


def _bar(point: RunPoint, x: int, step: int, total: int) -> Bar:
    y, segments = _TOP + HEIGHT, []
    for sign, length in bar_lengths(point, total, HEIGHT // 3):  # units of three, so that the least one is visible
        y -= 3 * length
        segments.append(Segment(sign.style, y, 3 * length - (1 if length > 1 else 0)))
    counts = ", ".join(f"{count} {sign.label.lower()}" for sign in BY_URGENCY if (count := point.results[sign]))
    failed = point.results[BY_URGENCY[0]]
    return Bar(
        x,
        max(2, step - 4 if step > _MIN_STEP else step - 2),
        str(failed) if failed and step >= _LABEL_STEP else "",
        y - 4,
        f"{point.run.started} {point.run.candidate.version} {point.run.verdict}: {counts}",
        segments,
    )
