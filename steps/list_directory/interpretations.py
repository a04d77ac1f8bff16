"""Then: the reading of an interpretation that an answer shows."""

from __future__ import annotations

import re

from treeproof.api import Fault, Mismatch, World, then

from ..shared.answers import assert_context
from ..shared.entries import assert_count, assert_members
from ..shared.interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, PATH_COLUMNS, InterpretationTable
from ..shared.values import format_json, matches, parse_json, parse_name_list
from .json_encoding import assert_length
from .truncation import assert_truncation
from .view import Document, parse_answer, path_level

_NO_MESSAGE = re.compile(r"\s*(?:list_directory(?: failed)?\s*:?\s*)?")
"""A message of nothing, or of what a framework puts before the tool's own message."""


@then("the error has a message")
def the_error_has_a_message(world: World) -> None:
    """Require a message of the tool's own, in any words."""
    if _NO_MESSAGE.fullmatch(world.answer.error_message or ""):
        raise Mismatch("the error has no message")


def assert_deepest(world: World, cell: str) -> None:
    """Raise Mismatch unless one of the deepest entries has these members."""
    entries, members = parse_answer(world.answer).entries, parse_json(cell, world.sandbox.placeholders)
    levels = max(map(path_level, entries), default=0)
    deepest = [entry for entry in entries if path_level(entry) == levels]
    if not any(matches(members, {name: entry.get(name) for name in members}) for entry in deepest):
        what = f"no entry {levels} levels down has these members"
        raise Mismatch(f"{what}: {cell}", got=format_json(deepest[:2]), kind="no deepest entry has members")


def _assert_some_entry(world: World, cell: str) -> None:
    """Raise Mismatch unless at least one entry has these members."""
    entries, members = Document.last(world).entries, parse_json(cell, world.sandbox.placeholders)
    if not any(matches(members, {name: entry.get(name) for name in members}) for entry in entries):
        what = f"no entry has these members: {cell}"
        raise Mismatch(what, got=format_json(entries[:2]), kind="no entry has members")


def _assert_replaced(world: World, cell: str) -> None:
    """Raise Mismatch unless one entry has U+FFFD, in a number between those of two names."""
    fewest, most = parse_name_list(cell)
    found = [key for key in Document.last(world).keys if "\ufffd" in key]
    pattern = re.escape(fewest).replace("\ufffd", "\ufffd+")
    if len(found) != 1 or not re.fullmatch(pattern, found[0]) or len(found[0]) > len(most):
        raise Mismatch("the replaced name has another form", expected=cell, got=format_json(found), kind="another name")


def _assert_bytes(world: World, cell: str) -> None:
    assert_length(world, int(cell))


def _assert_document(world: World, cell: str) -> None:
    expected = parse_json(cell, world.sandbox.placeholders)
    assert_members(Document.last(world).members, expected, "the document")


def _assert_has_message(world: World, cell: str) -> None:
    """Raise Mismatch unless the error has a message, in any words."""
    if cell != "any text":
        raise Fault("harness", f'the cell of the column "message" is {cell!r}; write any text')
    the_error_has_a_message(world)


def _assert_message(world: World, cell: str) -> None:
    the_error_has_a_message(world)
    message = world.answer.error_message or ""
    if any(name.lower() not in message.lower() for name in parse_name_list(cell)):
        what = f"the error's message does not contain all of this: {cell}"
        raise Mismatch(what, got=message, kind="the error's message does not contain a text")


TABLE = InterpretationTable(
    {
        **ENTRY_COLUMNS,
        "number": assert_count,
        "deepest": assert_deepest,
        "some entry": _assert_some_entry,
        "truncated": assert_truncation,
        "bytes": _assert_bytes,
        "replaced from, to": _assert_replaced,
        "document": _assert_document,
        "context": assert_context,
        "saying": _assert_message,
        "message": _assert_has_message,
    }
)


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LD-01 the answer is one of",
    columns=TABLE.columns,
    paths=PATH_COLUMNS,
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row: a reading, then what it asserts. Empty cells assert nothing."""
    if world.answer.status == "ok":
        _ = Document.last(world).keys  # no reading fits an output that is no document, not even an empty row
    TABLE.check(world, ids, datatable)
