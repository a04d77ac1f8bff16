"""Then: where a specification can be read in several ways, which of them an answer shows, and if it is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.api import Mismatch, World, then

from ..shared.answers import assert_fails
from ..shared.interpretations import INTERPRETATION_IDS, match_outcomes, parse_outcome_table
from ..shared.values import assert_same_names, format_json, matches, parse_json, parse_name_list
from .entries import assert_entry_members, assert_members, truncation_reason
from .json_encoding import comparable_text
from .view import parse_answer, utf8_length


def _entries(world: World, cell: str) -> None:
    assert_same_names(
        "the entries", parse_name_list("" if cell == '""' else cell), parse_answer(world.answer).paths
    )


def _in_order(world: World, cell: str) -> None:
    got, expected = parse_answer(world.answer).paths, parse_name_list(cell)
    if got != expected:
        raise Mismatch(
            "the entries or their order differ", expected=format_json(expected), got=format_json(got)
        )


def _number(world: World, cell: str) -> None:
    got = len(parse_answer(world.answer).entries)
    if not matches(parse_json(cell), got):
        raise Mismatch(f"the listing has {got} entries", expected=cell, got=str(got))


def _deepest(world: World, cell: str) -> None:
    entries, members = parse_answer(world.answer).entries, parse_json(cell, world.fixture.placeholders)
    levels = max((_levels(entry) for entry in entries), default=0)
    deepest = [entry for entry in entries if _levels(entry) == levels]
    if not any(matches(members, {name: entry.get(name) for name in members}) for entry in deepest):
        raise Mismatch(
            f"no entry {levels} levels down is like that", expected=cell, got=format_json(deepest[:2])
        )


def _levels(entry: Mapping[str, Any]) -> int:
    return str(entry.get("path")).count("/") + 1


def _truncated(world: World, cell: str) -> None:
    got = truncation_reason(parse_answer(world.answer))
    if got != cell:
        raise Mismatch("the truncation differs", expected=cell, got=got)


def _bytes(world: World, cell: str) -> None:
    got = utf8_length(comparable_text(world, parse_answer(world.answer)))
    if got != int(cell):
        raise Mismatch(f"the output has {got} bytes", expected=cell, got=str(got))


def _document(world: World, cell: str) -> None:
    assert_members(
        parse_answer(world.answer).members, parse_json(cell, world.fixture.placeholders), "the document"
    )


def _fields(world: World, cell: str) -> None:
    found = parse_answer(world.answer)
    for path, members in parse_json(cell, world.fixture.placeholders).items():
        assert_entry_members(found, path, members)


def _context(world: World, cell: str) -> None:
    world.require_capability("context")
    if not matches(parse_json(cell, world.fixture.placeholders), dict(world.answer.context or {})):
        raise Mismatch("the call context differs", expected=cell, got=format_json(world.answer.context))


def _saying(world: World, cell: str) -> None:
    message = (world.answer.error_message or "").lower()
    missing = [name for name in parse_name_list(cell) if name.lower() not in message]
    if missing:
        raise Mismatch("the message says less", expected=cell, got=world.answer.error_message or "")


COLUMN_CHECKS: Mapping[str, Callable[[World, str], None]] = {
    "entries": _entries,
    "in order": _in_order,
    "number": _number,
    "deepest": _deepest,
    "truncated": _truncated,
    "bytes": _bytes,
    "document": _document,
    "fields": _fields,
    "context": _context,
    "fails": assert_fails,
    "saying": _saying,
}
"""What a column asserts; every other column of a table is the id of an interpretation and holds a label."""


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LD-01 the answer is one of",
    evidence=("entries", "in order", "fields"),
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with the rows, one result each: reading, then entries, number, deepest, truncated, fails, bytes,
    document, fields, context. Empty cells assert nothing.
    """
    entries, rows = parse_outcome_table(ids, datatable)
    match_outcomes(world, entries, rows, lambda row: _check_row(world, row), answer_has_entries)


def answer_has_entries(world: World) -> bool:
    """Whether the last answer is a listing that has entries."""
    return world.answer.status == "ok" and bool(parse_answer(world.answer).entries)


def _check_row(world: World, row: Mapping[str, str]) -> None:
    for column, cell in row.items():
        if column in COLUMN_CHECKS and cell:
            COLUMN_CHECKS[column](world, cell)
