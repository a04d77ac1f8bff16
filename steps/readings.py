"""Then: where a specification can be read in several ways, which of them an answer shows, and if it is accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from .answers import fails
from .documents import read, weigh
from .listing import entry_has, has_members, truncation
from .spelling import judged_text
from .words import equal_lists, matches, names, sentence, show, value

ENTRY = re.compile(r"AMB-[A-Z]+-\d+")


def _entries(world: World, cell: str) -> None:
    equal_lists("the entries", names("" if cell == '""' else cell), read(world.answer).paths)


def _in_order(world: World, cell: str) -> None:
    got, expected = read(world.answer).paths, names(cell)
    if got != expected:
        raise Mismatch("the entries or their order differ", expected=show(expected), got=show(got))


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
    "truncated": _truncated,
    "bytes": _bytes,
    "document": _document,
    "fields": _fields,
    "context": _context,
    "fails": fails,
    "saying": _saying,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(sentence(r"by (?P<ids>AMB-[A-Z]+-\d+(?:(?:, | and )AMB-[A-Z]+-\d+)*) the answer is one of"))
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Then by AMB-LD-01 the answer is one of, one row an outcome: reading, then entries, truncated, fails, bytes,
    document, fields, context; an empty cell is not asserted.

    Evidence: entries, in order, fields
    """
    entries = ENTRY.findall(ids)
    header = [entries[0] if name == "reading" else name for name in datatable[0]]
    rows = [dict(zip(header, row, strict=True)) for row in datatable[1:]]
    decide(world, entries, rows, lambda row: _row(world, row))


def _row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMNS and cell:
            COLUMNS[column](world, cell)


def decide(
    world: World, entries: list[str], rows: list[dict[str, str]], check: Callable[[dict[str, str]], None]
) -> None:
    """Find the rows that hold, refuse those whose readings are not accepted, record the readings that were seen."""
    held: list[dict[str, str]] = []
    first: Mismatch | None = None
    for row in rows:
        try:
            check(row)
            held.append(row)
            if world.answer.status == "ok" and read(world.answer).entries:
                world.positive = True
        except Mismatch as why:
            first = first or why
    if not held:
        assert first is not None
        labels = "; ".join(_label(entries, row) for row in rows)
        raise Mismatch(
            f"the answer fits none of the readings ({labels}); by the first: {first.message}",
            expected=first.expected,
            got=first.got,
            diff=first.diff,
        )
    accepted = [
        row for row in held if all(_is_accepted(world, entry, row.get(entry, "")) for entry in entries)
    ]
    if not accepted:
        raise Mismatch(
            f"the answer shows a reading that is not accepted here: {_label(entries, held[0])}",
            expected=" and ".join(f"{e}: {' or '.join(sorted(world.accepted(e)))}" for e in entries),
            got=f"{_label(entries, held[0])}; a manifest can declare it where the register allows that",
        )
    for entry in entries:
        labels_seen = {row.get(entry, "") for row in accepted}
        if len(labels_seen) == 1 and (label := labels_seen.pop()):
            world.saw(entry, label)


def _is_accepted(world: World, entry: str, label: str) -> bool:
    return not label or label in world.accepted(entry)


def _label(entries: list[str], row: Mapping[str, str]) -> str:
    return ", ".join(f"{entry} {row[entry]}" for entry in entries if row.get(entry))
