"""Then: where a specification can be read in several ways, which of them an answer shows, and if it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..answers import fails
from ..readings import IDS, decide, outcomes
from ..words import equal_lists, matches, names, sentence, show, value
from .documents import read, weigh
from .entries import entry_has, has_members, truncation
from .spelling import judged_text


def _entries(world: World, cell: str) -> None:
    equal_lists("the entries", names("" if cell == '""' else cell), read(world.answer).paths)


def _in_order(world: World, cell: str) -> None:
    got, expected = read(world.answer).paths, names(cell)
    if got != expected:
        raise Mismatch("the entries or their order differ", expected=show(expected), got=show(got))


def _number(world: World, cell: str) -> None:
    got = len(read(world.answer).entries)
    if not matches(value(cell), got):
        raise Mismatch(f"the listing has {got} entries", expected=cell, got=str(got))


def _deepest(world: World, cell: str) -> None:
    entries, members = read(world.answer).entries, value(cell, world.names)
    levels = max((_levels(entry) for entry in entries), default=0)
    deepest = [entry for entry in entries if _levels(entry) == levels]
    if not any(matches(members, {name: entry.get(name) for name in members}) for entry in deepest):
        raise Mismatch(f"no entry {levels} levels down is like that", expected=cell, got=show(deepest[:2]))


def _levels(entry: Mapping[str, Any]) -> int:
    return str(entry.get("path")).count("/") + 1


def _truncated(world: World, cell: str) -> None:
    got = truncation(read(world.answer))
    if got != cell:
        raise Mismatch("the truncation differs", expected=cell, got=got)


def _bytes(world: World, cell: str) -> None:
    got = weigh(judged_text(world, read(world.answer)))
    if got != int(cell):
        raise Mismatch(f"the output has {got} bytes", expected=cell, got=str(got))


def _document(world: World, cell: str) -> None:
    has_members(read(world.answer).members, value(cell, world.names), "the document")


def _fields(world: World, cell: str) -> None:
    found = read(world.answer)
    for path, members in value(cell, world.names).items():
        entry_has(found, path, members)


def _context(world: World, cell: str) -> None:
    world.require("context")
    if not matches(value(cell, world.names), dict(world.answer.context or {})):
        raise Mismatch("the call context differs", expected=cell, got=show(world.answer.context))


def _saying(world: World, cell: str) -> None:
    message = (world.answer.message or "").lower()
    missing = [name for name in names(cell) if name.lower() not in message]
    if missing:
        raise Mismatch("the message says less", expected=cell, got=world.answer.message or "")


COLUMNS: Mapping[str, Callable[[World, str], None]] = {
    "entries": _entries,
    "in order": _in_order,
    "number": _number,
    "deepest": _deepest,
    "truncated": _truncated,
    "bytes": _bytes,
    "document": _document,
    "fields": _fields,
    "context": _context,
    "fails": fails,
    "saying": _saying,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(sentence(rf"by (?P<ids>{IDS}) the answer is one of"))
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Then by AMB-LD-01 the answer is one of, one row an outcome: reading, then entries, number, deepest, truncated,
    fails, bytes, document, fields, context; an empty cell is not asserted.

    Evidence: entries, in order, fields
    """
    entries, rows = outcomes(ids, datatable)
    decide(world, entries, rows, lambda row: _row(world, row), lists)


def lists(world: World) -> bool:
    """Whether the last answer is a listing that has entries."""
    return world.answer.status == "ok" and bool(read(world.answer).entries)


def _row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMNS and cell:
            COLUMNS[column](world, cell)
