"""Then: where the document can be read in several ways, which of them an answer shows, and if it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from treeproof.api import Mismatch, World, then

from ..shared.answers import assert_fails
from ..shared.interpretations import INTERPRETATION_IDS, match_outcomes, parse_outcome_table
from ..shared.values import matches, parse_json, parse_name_list
from .entries import (
    assert_count,
    assert_entries,
    assert_excludes,
    assert_includes,
    assert_order,
    last_listing,
)
from .members import assert_members, assert_paths
from .view import parse_answer


def _fields(world: World, cell: str) -> None:
    found = last_listing(world)
    for place, members in parse_json(cell, world.fixture.placeholders).items():
        assert_members(found.entry_at(parse_name_list(place)[0]), members, place)


def _differing_fields(world: World, cell: str) -> None:
    found = last_listing(world)
    for place, members in parse_json(cell, world.fixture.placeholders).items():
        entry = found.entry_at(parse_name_list(place)[0])
        if all(key in entry and matches(wanted, entry[key]) for key, wanted in members.items()):
            raise Mismatch(
                "the members are those of another reading", expected=f"others than {cell}", got=cell
            )


def _without_names(world: World, cell: str) -> None:
    if any(name in last_listing(world).relative_paths for name in parse_name_list(cell)):
        raise Mismatch("the names are those of another reading", expected=f"others than {cell}", got=cell)


COLUMN_CHECKS: Mapping[str, Callable[[World, str], None]] = {
    "entries": assert_entries,
    "in order": assert_order,
    "include": assert_includes,
    "without": assert_excludes,
    "count": assert_count,
    "fields": _fields,
    "fields other than": _differing_fields,
    "other than": _without_names,
    "paths": lambda world, cell: assert_paths(world, parse_json(cell, world.fixture.placeholders)),
    "fails": assert_fails,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LF-01 the answer is one of",
    evidence=("entries", "in order", "include", "count", "fields", "paths"),
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one result each: reading, then entries, in order, include, without, count, fields,
    fields other than, other than, paths, fails. Empty cells assert nothing.
    """
    entries, rows = parse_outcome_table(ids, datatable)
    match_outcomes(world, entries, rows, lambda row: _check_row(world, row), answer_has_entries)


def answer_has_entries(world: World) -> bool:
    """Whether the last answer is a list that has entries."""
    return world.answer.status == "ok" and bool(parse_answer(world.answer, world.log.calls[-1]).entries)


def _check_row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMN_CHECKS and cell:
            COLUMN_CHECKS[column](world, cell)
