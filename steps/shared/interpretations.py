"""Tables of interpretations, which find the reading that a call result follows. Contains no steps.

A row contains the label of each interpretation and the expected result for this reading. A pack adds its own columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from treeproof.api import Mismatch, World

from .answers import assert_fails
from .entries import (
    assert_count,
    assert_entries,
    assert_entries_in_order,
    assert_excludes,
    assert_fields,
    assert_includes,
)
from .entry_view import entry_view
from .errors import error_kind
from .reading_texts import reading_mismatch
from .values import parse_rows

INTERPRETATION_IDS = r"AMB-[A-Z][A-Z0-9]*-\d+(?:(?:, | and )AMB-[A-Z][A-Z0-9]*-\d+)*"
"""A part of a step's pattern: the ids of one or several interpretations."""

INTERPRETATION_ID = re.compile(r"AMB-[A-Z][A-Z0-9]*-\d+")

READING_COLUMN = "reading"
"""The column that contains the label of the step's first interpretation; others have a column named by their id."""

ColumnCheck = Callable[[World, str], None]
"""Raises Mismatch unless the last answer is as a cell describes."""

ENTRY_COLUMNS: Mapping[str, ColumnCheck] = {
    "entries": assert_entries,
    "in order": assert_entries_in_order,
    "include": assert_includes,
    "without": assert_excludes,
    "count": assert_count,
    "fields": assert_fields,
    "fails": assert_fails,
}
"""The columns of every specification whose answers have entries."""


PATH_COLUMNS = ("entries", "include", "without")
"""Those that contain lists of paths."""


@dataclass(frozen=True)
class InterpretationTable:
    """A kind of table with a check for each column. An empty cell asserts nothing."""

    checks: Mapping[str, ColumnCheck]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, without those that are ids of interpretations."""
        return (READING_COLUMN, *self.checks)

    def check(self, world: World, ids: str, table: list[list[str]]) -> None:
        """Raise Mismatch unless a row holds for the last answer whose readings this run accepts; record them."""
        entries, rows = parse_outcome_table(ids, table)
        match_outcomes(world, entries, rows, lambda row: self._check_row(world, row))

    def _check_row(self, world: World, row: Mapping[str, str]) -> None:
        for column, cell in row.items():
            if column in self.checks and cell:
                self.checks[column](world, cell)


def parse_outcome_table(ids: str, table: list[list[str]]) -> tuple[list[str], list[dict[str, str]]]:
    """Return the interpretations of a step and the rows of its table, by their ids and the other columns."""
    entries = INTERPRETATION_ID.findall(ids)
    header = [entries[0] if name == READING_COLUMN else name for name in table[0]]
    return entries, parse_rows([header, *table[1:]])


def match_outcomes(
    world: World,
    interpretations: list[str],
    rows: list[dict[str, str]],
    check: Callable[[dict[str, str]], None],
) -> None:
    """Find the rows that hold, and record the readings that they share.

    Raises Mismatch if no row holds, or if this run accepts the readings of none that holds.
    """
    held: list[dict[str, str]] = []
    differences: list[tuple[bool, Mismatch]] = []
    for row in rows:
        world.evidence.expected_text = ""
        try:
            check(row)
            held.append(row)
        except Mismatch as why:
            why.expected = why.expected or world.evidence.expected_text
            differences.append((_is_row_accepted(world, interpretations, row), why))
    world.evidence.expected_text = ""
    # What is expected is an outcome that this run accepts.
    nearest = max(differences, key=lambda one: (one[0], bool(one[1].expected)), default=(False, None))[1]
    if not held:
        assert nearest is not None
        labels = list(dict.fromkeys(filter(None, (_format_labels(interpretations, row) for row in rows))))
        if not labels:
            raise nearest.within(f"the answer fits none of the {len(rows)} permitted results; by the nearest: ")
        raise nearest.within(f"the answer fits none of the readings ({'; '.join(labels)}); by the nearest: ")
    accepted = [row for row in held if _is_row_accepted(world, interpretations, row)]
    if not accepted:
        is_error = bool(world.log.answers) and world.answer.status == "error"
        shown = [{entry: row.get(entry, "") for entry in interpretations} for row in held]
        refusal = entry_view(world).describe_refusal(world.answer) if world.log.answers else ""
        raise reading_mismatch(
            world,
            shown,
            prefix=f"{refusal}; " if refusal else "",
            expected=nearest.expected if nearest is not None else "",
            got=nearest.got if nearest is not None else "",
            kind=error_kind(world.answer) if is_error else "",
        )
    for entry in interpretations:
        labels_seen = {row.get(entry, "") for row in accepted}
        if len(labels_seen) == 1 and (label := labels_seen.pop()):
            world.evidence.record_reading(entry, label)
            if (advice := world.session.describe_unadvised_reading(entry, label)) is not None:
                world.evidence.warn(f"{entry} {label}, which is not advised: {advice}")


def _is_row_accepted(world: World, interpretations: list[str], row: Mapping[str, str]) -> bool:
    return all(_is_accepted(world, entry, row.get(entry, "")) for entry in interpretations)


def _is_accepted(world: World, entry: str, label: str) -> bool:
    return not label or label in world.accepted_readings(entry)


def _format_labels(entries: list[str], row: Mapping[str, str]) -> str:
    return ", ".join(f"{entry} {row[entry]}" for entry in entries if row.get(entry))
