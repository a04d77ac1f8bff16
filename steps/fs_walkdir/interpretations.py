"""Then: where the document can be read in several ways, which of them an answer shows, and if it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from treeproof.api import Mismatch, World, then

from ..shared.answers import assert_fails
from ..shared.interpretations import INTERPRETATION_IDS, match_outcomes, parse_outcome_table
from ..shared.values import parse_json, parse_name_list
from .entries import assert_entries, assert_includes, assert_keys, assert_members
from .results import assert_empty, assert_nil
from .view import element_at, parse_answer


def _entries(world: World, cell: str) -> None:
    if cell == '""':
        assert_empty(world)
    else:
        assert_entries(world, cell)


def _count(world: World, cell: str) -> None:
    got = len(parse_answer(world.answer))
    if got != int(cell):
        raise Mismatch(f"there are {got} elements", expected=cell, got=str(got))


def _result(world: World, cell: str) -> None:
    if cell != "nil":
        raise Mismatch(f"a cell of the column result says {cell}; nil is all that it can say")
    assert_nil(world)


def _fields(world: World, cell: str) -> None:
    found = parse_answer(world.answer)
    for path, members in parse_json(cell, world.fixture.placeholders).items():
        assert_members(element_at(found, parse_name_list(path)[0]), members)


def _differs(world: World, cell: str) -> None:
    try:
        _fields(world, cell)
    except Mismatch:
        return
    raise Mismatch("the values are those of another reading", expected=f"others than {cell}", got=cell)


COLUMN_CHECKS: Mapping[str, Callable[[World, str], None]] = {
    "entries": _entries,
    "include": assert_includes,
    "count": _count,
    "result": _result,
    "fields": _fields,
    "other than": _differs,
    "keys": lambda world, cell: assert_keys(world, allow_more=cell == "at least the documented ones"),
    "fails": assert_fails,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-WD-06 the answer is one of",
    evidence=("entries", "include", "count", "fields", "keys"),
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one result each: reading, then entries, include, count, result (nil), fields, other
    than, keys, fails. Empty cells assert nothing.
    """
    entries, rows = parse_outcome_table(ids, datatable)
    match_outcomes(world, entries, rows, lambda row: _check_row(world, row), answer_has_entries)


def answer_has_entries(world: World) -> bool:
    """Whether the last answer is a list that has elements."""
    return world.answer.status == "ok" and bool(parse_answer(world.answer))


def _check_row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMN_CHECKS and cell:
            COLUMN_CHECKS[column](world, cell)
