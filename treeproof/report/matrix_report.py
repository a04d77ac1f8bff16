"""The matrix on a terminal and as JSON: the conclusion of each candidate, and the requirements with other verdicts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.table import Table
from rich.text import Text

from treeproof.report.console_writer import ConsoleWriter
from treeproof.report.digest import pluralize
from treeproof.report.escape import json_text
from treeproof.report.matrix import BLANK, CandidateColumn, Cell, Matrix, RequirementRow, RunPoint, bar_lengths
from treeproof.report.signs import BY_URGENCY, CONCLUSIONS
from treeproof.verdict.spec_result import Verdict

_CHANGES = {"better": " better", "worse": " worse", "lost": " lost", "other": " changed", "": ""}
_BAR_LENGTH = 24
_MAX_ROWS = 40  # rows of a table; the HTML report has all
_MAX_PAIRS = 40  # pairs of candidates


def print_matrix(matrix: Matrix, writer: ConsoleWriter) -> None:
    """Print the conclusions, the differences and the changes since earlier runs."""
    writer.paragraph(writer.text(f"{matrix.title[0].upper()}{matrix.title[1:]}", "bold"))
    for number, one in enumerate(matrix.candidates, 1):
        run, earlier = one.newest, f", earlier run {one.previous.started}" if one.previous else ""
        writer.paragraph(
            writer.text(f"{run.candidate.label}: "),
            writer.text(run.verdict, CONCLUSIONS[run.verdict].colour),
            writer.text(f", {run.reason}"),
            writer.text(f" (run {run.started}{earlier})", "dim"),
            lead=writer.text(f"{number}  ", "bold"),
        )
    for note in matrix.notes:
        writer.paragraph(writer.truncated(note, characters=400), lead=writer.text("! ", "yellow"))
    for one in matrix.candidates:
        if len(one.runs) > 1:
            _print_trend(one, writer)
    for sheet in matrix.specs:
        for property, rows in (
            ("with different verdicts", [row for row in sheet.rows if row.differs]),
            ("with changes since an earlier run", [row for row in sheet.rows if row.changed]),
        ):
            if rows:
                writer.heading(f"{sheet.title} · {pluralize(len(rows), 'requirement')} {property}")
                _print_rows(matrix, rows, writer)
    used = {cell.sign for row in matrix.rows if row.differs or row.changed for cell in row.cells}
    if used:
        writer.blank()
        marks = [f"{sign.mark} {sign.label.lower() or 'not selected'}" for sign in (*BY_URGENCY, BLANK) if sign in used]
        writer.paragraph(writer.text(", ".join(marks), "dim"))
    pairs = [(one, other, count) for (one, other), count in matrix.differences().items() if count]
    if len(matrix.candidates) > 2 and pairs:
        writer.heading("Differences between candidates")
        shown = sorted(pairs, key=lambda pair: -pair[2])[:_MAX_PAIRS] if len(pairs) > _MAX_PAIRS else pairs
        for left, right, count in shown:
            writer.paragraph(f"{left + 1} and {right + 1}: {pluralize(count, 'requirement')}", indent=2)
        if len(pairs) > len(shown):
            rest = f"and {len(pairs) - len(shown)} more pairs; all of them: --report json=FILE"
            writer.paragraph(writer.text(rest, "dim"), indent=2)
    elif matrix.differences() and not pairs:
        writer.heading("No differences between candidates")


def _print_trend(candidate: CandidateColumn, writer: ConsoleWriter) -> None:
    """Print a line for each run, the oldest first: a bar of the verdicts and their numbers."""
    writer.heading(f"Trend of {candidate.name or '(no name)'} · {pluralize(len(candidate.runs), 'run')}")
    shown, total = candidate.runs[-_MAX_ROWS:], max(one.total for one in candidate.runs)
    if len(shown) < len(candidate.runs):
        count = len(candidate.runs) - len(shown)
        writer.paragraph(writer.text(f"{count} earlier; all of them: --report html=FILE", "dim"), indent=2)
    for one in shown:
        bar = writer.join(
            *(
                writer.text(("━" if sign.label == Verdict.PASS else sign.mark) * length, sign.colour)
                for sign, length in bar_lengths(one, total, _BAR_LENGTH)
            )
        )
        bar.pad_right(max(0, _BAR_LENGTH - bar.cell_len))
        counts = [f"{one.results[sign]} {sign.label.lower()}" for sign in BY_URGENCY[:5] if one.results[sign]]
        run, version = one.run, one.run.candidate.version
        claim = "" if run.claim else ", no claim"
        facts = f"  {version + ': ' if version else ''}{run.verdict}{claim}: {', '.join(counts)}"
        lead = writer.join(writer.text(f"{run.started[:10]} {run.started[11:16]}  ", "dim"), bar)
        writer.paragraph(writer.text(facts), lead=lead, indent=2)
    legend = "✗ fail, △ known or warning, ? not verified, ━ pass, – not applicable, ∅ excluded"
    writer.paragraph(writer.text(legend, "dim"), indent=2)


def _print_rows(matrix: Matrix, rows: list[RequirementRow], writer: ConsoleWriter) -> None:
    """Print a table: the id, one mark per candidate, and the beginning of the text."""
    shown = rows[:_MAX_ROWS]
    marks = [[cell.sign.mark + _CHANGES[cell.change] for cell in row.cells] for row in shown]
    widths = [max(len(row[at]) for row in marks) for at in range(len(matrix.candidates))]
    text_width = writer.width - max(len(row.id) for row in shown) - sum(widths) - 2 * (len(widths) + 1)
    if text_width < 0 and len(widths) > 2:
        _print_counts(shown, marks, writer)
        _print_omitted(len(rows), writer)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("", no_wrap=True)
    for number in range(1, len(widths) + 1):
        table.add_column(writer.text(str(number), "dim"), no_wrap=True)
    table.add_column("", no_wrap=True)
    for row, row_marks in zip(shown, marks, strict=True):
        styles = [cell.sign.colour for cell in row.cells]
        cells = [writer.text(mark, style) for mark, style in zip(row_marks, styles, strict=True)]
        table.add_row(writer.text(row.id, "bold"), *cells, _truncate_to_width(writer, row.text, text_width))
    writer.table(table)
    _print_omitted(len(rows), writer)


def _print_counts(rows: list[RequirementRow], marks: list[list[str]], writer: ConsoleWriter) -> None:
    """Print a line for each requirement: the number of candidates with each mark, and the beginning of the text."""
    texts = [
        ", ".join(f"{mark} {count}" for mark, count in sorted(Counter(row).items()) if mark != BLANK.mark)
        for row in marks
    ]
    id_width, width = max(len(row.id) for row in rows), max(map(len, texts))
    for row, text in zip(rows, texts, strict=True):
        lead = writer.join(writer.text(f"{row.id:{id_width}}  ", "bold"), f"{text:{width}}  ")
        writer.line(lead, _truncate_to_width(writer, row.text, writer.width - id_width - width - 4))


def _print_omitted(total: int, writer: ConsoleWriter) -> None:
    if total > _MAX_ROWS:
        writer.paragraph(writer.text(f"and {total - _MAX_ROWS} more; all of them: --report html=FILE", "dim"), indent=2)


def _truncate_to_width(writer: ConsoleWriter, text: str, width: int) -> Text:
    """Return the beginning of ``text`` that fits into ``width`` columns, with an ellipsis if it was cut."""
    shown, ellipsis = writer.text(text, "dim"), writer.text("…", "dim")
    if shown.cell_len > width:
        shown.truncate(max(0, width - ellipsis.cell_len))
        shown.rstrip()
        shown.append_text(ellipsis)
    shown.truncate(max(0, width))
    return shown


def dump_json(matrix: Matrix) -> bytes:
    """Return the matrix as JSON in UTF-8, without empty cells."""
    names = [candidate.name for candidate in matrix.candidates]
    value = {
        "notes": matrix.notes,
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
    run = candidate.newest
    members: dict[str, Any] = {
        "name": candidate.name,
        "version": run.candidate.version,
        "language": run.candidate.language,
        "adapter": run.candidate.adapter,
        "verdict": run.verdict,
        "reason": run.reason,
        "claim": run.claim,
        "started": run.started,
    }
    if candidate.previous:
        members |= {"earlier": candidate.previous.started, "runs": [_run_json(one) for one in candidate.runs]}
    return members


def _run_json(point: RunPoint) -> dict[str, Any]:
    run = point.run
    return {
        "started": run.started,
        "version": run.candidate.version,
        "verdict": run.verdict,
        "claim": run.claim,
        "profile": run.profile,
        "treeproof": run.treeproof,
        "specs": [spec.label for spec in run.specs],
        "requirements": {sign.label: point.results[sign] for sign in BY_URGENCY if point.results[sign]},
        "failed": point.failed,
        "faults": point.faults,
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    members = {
        "verdict": cell.verdict,
        "cause": cell.cause,
        "known": cell.known,
        "before": cell.change and cell.previous_verdict,
        "change": cell.change,
        "failed": [scenario.id for scenario in cell.failed_scenarios],
    }
    return {name: value for name, value in members.items() if value}
