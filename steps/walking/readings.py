"""Then: where the document can be read in several ways, which of them an answer shows, and if it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..answers import fails
from ..readings import IDS, decide, outcomes
from ..words import names, sentence, value
from .elements import element_of, elements
from .entries import entries_are, entries_include, has, keys_are
from .results import is_empty, is_nil


def _entries(world: World, cell: str) -> None:
    if cell == '""':
        is_empty(world)
    else:
        entries_are(world, cell)


def _count(world: World, cell: str) -> None:
    got = len(elements(world.answer))
    if got != int(cell):
        raise Mismatch(f"there are {got} elements", expected=cell, got=str(got))


def _result(world: World, cell: str) -> None:
    if cell != "nil":
        raise Mismatch(f"a cell of the column result says {cell}; nil is all that it can say")
    is_nil(world)


def _fields(world: World, cell: str) -> None:
    found = elements(world.answer)
    for path, members in value(cell, world.names).items():
        has(element_of(found, names(path)[0]), members)


def _not(world: World, cell: str) -> None:
    try:
        _fields(world, cell)
    except Mismatch:
        return
    raise Mismatch("the values are those of another reading", expected=f"others than {cell}", got=cell)


COLUMNS: Mapping[str, Callable[[World, str], None]] = {
    "entries": _entries,
    "include": entries_include,
    "count": _count,
    "result": _result,
    "fields": _fields,
    "other than": _not,
    "keys": lambda world, cell: keys_are(world, further=cell == "at least the documented ones"),
    "fails": fails,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(sentence(rf"by (?P<ids>{IDS}) the answer is one of"))
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Then by AMB-WD-06 the answer is one of, one row an outcome: reading, then entries, include, count, result (nil),
    fields, other than, keys, fails; an empty cell is not asserted.

    Evidence: entries, include, count, fields, keys
    """
    entries, rows = outcomes(ids, datatable)
    decide(world, entries, rows, lambda row: _row(world, row), tells)


def tells(world: World) -> bool:
    """Whether the last answer is a list that has elements."""
    return world.answer.status == "ok" and bool(elements(world.answer))


def _row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMNS and cell:
            COLUMNS[column](world, cell)
