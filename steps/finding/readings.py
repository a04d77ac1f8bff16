"""Then: where the document can be read in several ways, which of them an answer shows, and if it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..answers import fails
from ..readings import IDS, decide, outcomes
from ..words import matches, names, sentence, value
from .entries import read
from .lists import count, entries_are, in_order, include, told, without
from .members import has, paths_are


def _fields(world: World, cell: str) -> None:
    found = told(world)
    for place, members in value(cell, world.names).items():
        has(found.at(names(place)[0]), members, place)


def _no_fields(world: World, cell: str) -> None:
    found = told(world)
    for place, members in value(cell, world.names).items():
        entry = found.at(names(place)[0])
        if all(key in entry and matches(wanted, entry[key]) for key, wanted in members.items()):
            raise Mismatch(
                "the members are those of another reading", expected=f"others than {cell}", got=cell
            )


def _other(world: World, cell: str) -> None:
    if any(name in told(world).places for name in names(cell)):
        raise Mismatch("the names are those of another reading", expected=f"others than {cell}", got=cell)


COLUMNS: Mapping[str, Callable[[World, str], None]] = {
    "entries": entries_are,
    "in order": in_order,
    "include": include,
    "without": without,
    "count": count,
    "fields": _fields,
    "fields other than": _no_fields,
    "other than": _other,
    "paths": lambda world, cell: paths_are(world, value(cell, world.names)),
    "fails": fails,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(sentence(rf"by (?P<ids>{IDS}) the answer is one of"))
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Then by AMB-LF-01 the answer is one of, one row an outcome: reading, then entries, in order, include, without,
    count, fields, fields other than, other than, paths, fails; an empty cell is not asserted.

    Evidence: entries, in order, include, count, fields, paths
    """
    entries, rows = outcomes(ids, datatable)
    decide(world, entries, rows, lambda row: _row(world, row), tells)


def tells(world: World) -> bool:
    """Whether the last answer is a list that has entries."""
    return world.answer.status == "ok" and bool(read(world.answer, world.calls[-1]).found)


def _row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMNS and cell:
            COLUMNS[column](world, cell)
