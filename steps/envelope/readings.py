"""Then: where the specification of LS can be read in several ways, which of them an answer shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..answers import fails
from ..readings import IDS, decide, outcomes
from ..words import equal_lists, names, sentence, show, spell, value
from .entries import in_order
from .envelopes import read
from .members import echoes, has, refused
from .texts import line_is


def _entries(world: World, cell: str) -> None:
    equal_lists("the entries", _listed(cell), read(world.answer).names)


def _in_order(world: World, cell: str) -> None:
    in_order(_listed(cell), read(world.answer).names)


def _paths(world: World, cell: str) -> None:
    if sorted(names(cell)) != sorted(got := read(world.answer).paths):
        raise Mismatch("the paths differ", expected=cell, got=spell(got))


def _envelope(world: World, cell: str) -> None:
    has(world, value(cell, world.names))


def _without(world: World, cell: str) -> None:
    """Members that are not there: `context.path_resolved`."""
    found = read(world.answer)
    for place in names(cell.replace(".", "/")):
        part, _, key = place.partition("/")
        if key in found.part(part):
            raise Mismatch(f"{part} has {key}", expected="no such member", got=show(found.part(part)))


def _line(number: int) -> Callable[[World, str], None]:
    return lambda world, cell: line_is(world, number, cell)


def _ends(world: World, cell: str) -> None:
    wanted, lines = cell.split("\n"), read(world.answer).lines
    if lines[-len(wanted) :] != wanted:
        raise Mismatch("the text ends otherwise", expected="\n".join(wanted), got="\n".join(lines)[:2000])


def _listed(cell: str) -> list[str]:
    return names("" if cell == '""' else cell)


COLUMNS: Mapping[str, Callable[[World, str], None]] = {
    "entries": _entries,
    "in order": _in_order,
    "paths": _paths,
    "envelope": _envelope,
    "without": _without,
    "refused": refused,
    "echoes": echoes,
    "fails": fails,
    "line 1": _line(1),
    "text ends": _ends,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(sentence(rf"by (?P<ids>{IDS}) the answer is one of"))
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Then by AMB-LS-01 the answer is one of, one row an outcome: reading, then entries, in order, paths, envelope,
    without, refused, echoes, fails, line 1, text ends; an empty cell is not asserted.

    Evidence: entries, in order, paths, text ends
    """
    entries, rows = outcomes(ids, datatable)
    decide(world, entries, rows, lambda row: _row(world, row), _lists)


def _row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMNS and cell:
            COLUMNS[column](world, cell)


def _lists(world: World) -> bool:
    if world.answer.status != "ok":
        return False
    found = read(world.answer)
    return found.is_listing and bool(found.entries)
