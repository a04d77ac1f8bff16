"""Then: the reading of an interpretation that an answer shows."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, InterpretationTable
from ..shared.values import format_json, format_names, parse_json, parse_name_list
from .members import assert_echoes, assert_keys, assert_members, assert_refused
from .text_lines import assert_last_lines, assert_line
from .view import parse_answer


def _paths(world: World, cell: str) -> None:
    if sorted(parse_name_list(cell)) != sorted(got := parse_answer(world.answer).paths):
        expected = format_names(sorted(parse_name_list(cell)))
        shown = format_names(sorted(got))
        raise Mismatch("the paths differ", expected=expected, got=shown, kind="another path")


def _envelope(world: World, cell: str) -> None:
    assert_members(world, parse_json(cell, world.sandbox.placeholders))


def _without(world: World, cell: str) -> None:
    """Raise Mismatch if the envelope has one of these members, such as ``context.path_resolved``."""
    found = parse_answer(world.answer)
    for place in parse_name_list(cell.replace(".", "/")):
        part, _, key = place.partition("/")
        if key in (members := found.object_member(part)):
            raise Mismatch(f"{part} has {key}", got=format_json(members)[:2000])


def _keys(world: World, cell: str) -> None:
    assert_keys(parse_answer(world.answer), parse_name_list(cell))


TABLE = InterpretationTable(
    {
        **ENTRY_COLUMNS,
        "paths": _paths,
        "envelope": _envelope,
        "without": _without,
        "refused": assert_refused,
        "echoes": assert_echoes,
        "keys": _keys,
        "line 1": lambda world, cell: assert_line(world, 1, cell),
        "line 3": lambda world, cell: assert_line(world, 3, cell),
        "line 4": lambda world, cell: assert_line(world, 4, cell),
        "text ends": lambda world, cell: assert_last_lines(world, cell.split("\n")),
    }
)


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-LS-01 the answer is one of",
    columns=TABLE.columns,
    paths="entries",
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row: a reading, then what it asserts. Empty cells assert nothing."""
    TABLE.check(world, ids, datatable)
