"""Then: where the specification of LS can be read in several ways, which of them an answer shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from treeproof.api import Mismatch, World, then

from ..shared.answers import assert_fails
from ..shared.interpretations import INTERPRETATION_IDS, match_outcomes, parse_outcome_table
from ..shared.values import (
    assert_same_names,
    format_json,
    format_names,
    parse_json,
    parse_name_list,
)
from .entries import assert_order
from .members import assert_echoes, assert_members, assert_refused
from .text_lines import assert_line
from .view import parse_answer


def _entries(world: World, cell: str) -> None:
    assert_same_names("the entries", _listed(cell), parse_answer(world.answer).names)


def _in_order(world: World, cell: str) -> None:
    assert_order(_listed(cell), parse_answer(world.answer).names)


def _paths(world: World, cell: str) -> None:
    if sorted(parse_name_list(cell)) != sorted(got := parse_answer(world.answer).paths):
        raise Mismatch("the paths differ", expected=cell, got=format_names(got))


def _envelope(world: World, cell: str) -> None:
    assert_members(world, parse_json(cell, world.fixture.placeholders))


def _without(world: World, cell: str) -> None:
    """Members that are not there: `context.path_resolved`."""
    found = parse_answer(world.answer)
    for place in parse_name_list(cell.replace(".", "/")):
        part, _, key = place.partition("/")
        if key in found.object_member(part):
            raise Mismatch(
                f"{part} has {key}", expected="no such member", got=format_json(found.object_member(part))
            )


def _line(number: int) -> Callable[[World, str], None]:
    return lambda world, cell: assert_line(world, number, cell)


def _ends(world: World, cell: str) -> None:
    wanted, lines = cell.split("\n"), parse_answer(world.answer).text_lines
    if lines[-len(wanted) :] != wanted:
        raise Mismatch("the text ends otherwise", expected="\n".join(wanted), got="\n".join(lines)[:2000])


def _listed(cell: str) -> list[str]:
    return parse_name_list("" if cell == '""' else cell)


COLUMN_CHECKS: Mapping[str, Callable[[World, str], None]] = {
    "entries": _entries,
    "in order": _in_order,
    "paths": _paths,
    "envelope": _envelope,
    "without": _without,
    "refused": assert_refused,
    "echoes": assert_echoes,
    "fails": assert_fails,
    "line 1": _line(1),
    "text ends": _ends,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LS-01 the answer is one of",
    evidence=("entries", "in order", "paths", "text ends"),
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one result each: reading, then entries, in order, paths, envelope, without, refused,
    echoes, fails, line 1, text ends. Empty cells assert nothing.
    """
    entries, rows = parse_outcome_table(ids, datatable)
    match_outcomes(world, entries, rows, lambda row: _check_row(world, row), _answer_has_entries)


def _check_row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMN_CHECKS and cell:
            COLUMN_CHECKS[column](world, cell)


def _answer_has_entries(world: World) -> bool:
    if world.answer.status != "ok":
        return False
    found = parse_answer(world.answer)
    return found.is_listing and bool(found.entries)
