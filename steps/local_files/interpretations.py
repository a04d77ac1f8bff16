"""Then: the reading of an interpretation that an answer shows."""

from __future__ import annotations

from treeproof.api import Mismatch, World, expand_text, then

from ..shared.answers import assert_fails
from ..shared.entries import assert_same_keys
from ..shared.interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, PATH_COLUMNS, InterpretationTable
from ..shared.values import (
    format_json,
    format_member,
    format_names,
    matches,
    parse_json,
    parse_name_list,
)
from .members import assert_paths, assert_same_paths
from .view import Listing


def _assert_other_fields(world: World, cell: str) -> None:
    found = Listing.last(world)
    for place, members in parse_json(cell, world.sandbox.placeholders).items():
        entry = found.entries_at(parse_name_list(place)[0])[0]
        if all(key in entry and matches(wanted, entry[key]) for key, wanted in members.items()):
            kind = "the members are those of another reading"
            raise Mismatch(f"{kind}: {format_json({place: members})}", got=format_json(entry), kind=kind)


def _assert_number(world: World, cell: str) -> None:
    """Require a number of entries, whatever their paths are."""
    found = Listing.last(world).entries
    if len(found) != int(cell):
        what = f"there are {len(found)} entries; it should be {cell}"
        raise Mismatch(what, got=format_json(found)[:400], kind="another number of entries")


def _assert_other_names(world: World, cell: str) -> None:
    keys = Listing.last(world).keys
    if any(name in keys for name in parse_name_list(cell)):
        what = f"the names are those of another reading: {cell}"
        raise Mismatch(what, got=format_names(keys), kind="another name")


def _assert_kinds_in_order(world: World, cell: str) -> None:
    """Require the kinds in the order of the cell's groups, which ` / ` separates; a group has any order."""
    found = Listing.last(world)
    groups = [parse_name_list(group) for group in cell.split(" / ")]
    due = [name for group in groups for name in group]
    assert_same_keys(found, due)
    at = 0
    for group in groups:
        next_keys, at = found.keys[at : at + len(group)], at + len(group)
        if sorted(next_keys) != sorted(group):
            what = f"the kinds are in another order than {cell}"
            kind = "the kinds are in another order"
            raise Mismatch(what, got=format_names(found.keys), kind=kind)


def _assert_absolute(world: World, cell: str) -> None:
    """Require that all paths are absolute, wherever they lead."""
    for entry in Listing.last(world).entries:
        if not str(entry.get("path")).startswith("/"):
            kind = "a path is not absolute"
            raise Mismatch(kind, got=format_member(entry, "path"), kind=kind)


def _assert_fails_and_names(world: World, path: str) -> None:
    """Require an error of any kind whose message contains the path."""
    assert_fails(world, "any error")
    message = world.answer.error_message or ""
    if expand_text(path, world.sandbox.placeholders) not in message:
        raise Mismatch(f"the error does not name the path {path}", got=message)


TABLE = InterpretationTable(
    {
        **ENTRY_COLUMNS,
        "fields other than": _assert_other_fields,
        "other than": _assert_other_names,
        "number of objects": _assert_number,
        "fails and names": _assert_fails_and_names,
        "kinds in order": _assert_kinds_in_order,
        "absolute": _assert_absolute,
        "paths": lambda world, cell: assert_paths(world, parse_json(cell, world.sandbox.placeholders)),
        "paths but for dots": lambda world, cell: assert_same_paths(
            world, parse_json(cell, world.sandbox.placeholders)
        ),
    }
)


_EVIDENCE = ("entries", "number of objects", "in order", "kinds in order", "include", "count", "fields", "paths")


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LF-01 the answer is one of",
    columns=TABLE.columns,
    paths=PATH_COLUMNS,
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row: a reading, then what it asserts. Empty cells assert nothing."""
    TABLE.check(world, ids, datatable)


@then("the answer is one of", example="the answer is one of", columns=tuple(TABLE.checks), paths=PATH_COLUMNS)
def one_of(world: World, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row, all of them right and none a reading. Empty cells assert nothing."""
    TABLE.check(world, "", datatable)
