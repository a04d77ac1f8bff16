"""The matrix told to a person at a terminal: each candidate's word, and the requirements on which they differ."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from treeproof.report.digest import counted
from treeproof.report.matrix import Matrix, Row
from treeproof.report.page import Page

_MARKS = {
    "PASS": ("✓", "green"),
    "FAIL": ("✗", "red"),
    "NOT VERIFIED": ("?", "yellow"),
    "NOT APPLICABLE": ("-", "dim"),
    "EXCLUDED": ("-", "dim"),
    "": ("·", "dim"),
}
_CHANGES = {"better": " better", "worse": " worse", "other": " changed", "": ""}
_WORDS = {"conformant": "green", "partial": "green", "non-conformant": "red", "incomplete": "yellow"}
_MOST = 40  # rows of a table; the page has all


def print_matrix(matrix: Matrix, page: Page) -> None:
    """Print who is what, where candidates differ, and what changed since an earlier run."""
    page.say(page.text(f"{counted(len(matrix.candidates), 'candidate')} side by side", "bold"))
    for number, one in enumerate(matrix.candidates, 1):
        named = f"{one.name} {one.told['version']}".strip()
        page.say(
            page.text(f"{named}: "),
            page.text(one.word, _WORDS.get(one.word, "magenta")),
            page.text(f", {one.reason}"),
            page.text(f" (run of {one.started}{f', before {one.earlier}' if one.earlier else ''})", "dim"),
            lead=page.text(f"{number}  ", "bold"),
        )
    for sheet in matrix.sheets:
        for what, rows in (
            ("on which candidates differ", [row for row in sheet.rows if row.differs]),
            ("changed since an earlier run", [row for row in sheet.rows if row.changed]),
        ):
            if rows:
                page.heading(f"{sheet.title} · {counted(len(rows), 'requirement')} {what}")
                _rows(matrix, rows, page)
    pairs = [(one, other, count) for (one, other), count in matrix.differences().items() if count]
    if len(matrix.candidates) > 2 and pairs:
        page.heading("Who differs from whom")
        for left, right, count in pairs:
            page.say(f"{left + 1} and {right + 1}: on {counted(count, 'requirement')}", indent=2)
    elif not pairs and len(matrix.candidates) > 1:
        page.heading("No requirement on which two candidates differ")


def _rows(matrix: Matrix, rows: list[Row], page: Page) -> None:
    """Write a table: an id, a mark a candidate, and as much of the text as there is room for."""
    shown = rows[:_MOST]
    marks = [[_MARKS[cell.verdict][0] + _CHANGES[cell.change] for cell in row.cells] for row in shown]
    widths = [max(len(row[at]) for row in marks) for at in range(len(matrix.candidates))]
    room = page.width - max(len(row.id) for row in shown) - sum(widths) - 2 * (len(widths) + 1)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("", no_wrap=True)
    for number in range(1, len(widths) + 1):
        table.add_column(page.text(str(number), "dim"), no_wrap=True)
    table.add_column("", no_wrap=True)
    for row, told in zip(shown, marks, strict=True):
        styles = [_MARKS[cell.verdict][1] for cell in row.cells]
        cells = [page.text(mark, style) for mark, style in zip(told, styles, strict=True)]
        table.add_row(page.text(row.id, "bold"), *cells, _fitted(page, row.text, room))
    page.table(table)
    if rows[_MOST:]:
        page.say(page.text(f"and {len(rows) - _MOST} more: --report html=FILE shows all", "dim"), indent=2)


def _fitted(page: Page, text: str, room: int) -> Text:
    """Return the beginning of ``text`` that fits into ``room`` columns, and where there is more, a sign of that."""
    shown, more = page.text(text, "dim"), page.text("…", "dim")
    if shown.cell_len > room:
        shown.truncate(max(0, room - more.cell_len))
        shown.rstrip()
        shown.append_text(more)
    shown.truncate(max(0, room))
    return shown
