"""Then: the reading of an interpretation that an answer shows."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, InterpretationTable
from ..shared.values import matches, parse_json, parse_name_list
from .members import assert_paths
from .view import Listing


def _assert_other_fields(world: World, cell: str) -> None:
    found = Listing.last(world)
    for place, members in parse_json(cell, world.fixture.placeholders).items():
        entry = found.entries_at(parse_name_list(place)[0])[0]
        if all(key in entry and matches(wanted, entry[key]) for key, wanted in members.items()):
            what = "the members are those of another reading"
            raise Mismatch(what, expected=f"others than {cell}", got=cell)


def _assert_other_names(world: World, cell: str) -> None:
    keys = Listing.last(world).keys
    if any(name in keys for name in parse_name_list(cell)):
        raise Mismatch("the names are those of another reading", expected=f"others than {cell}", got=cell)


TABLE = InterpretationTable(
    {
        **ENTRY_COLUMNS,
        "fields other than": _assert_other_fields,
        "other than": _assert_other_names,
        "paths": lambda world, cell: assert_paths(world, parse_json(cell, world.fixture.placeholders)),
    }
)


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LF-01 the answer is one of",
    evidence=("entries", "in order", "include", "count", "fields", "paths"),
    columns=TABLE.columns,
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row: a reading, then what it asserts. Empty cells assert nothing."""
    TABLE.check(world, ids, datatable)
