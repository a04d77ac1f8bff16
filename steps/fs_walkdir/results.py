"""Then: nil, a list or an error, by the reading of an interpretation where several are right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treeproof.api import Fault, Mismatch, World, then

from ..shared.errors import json_of
from ..shared.interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, PATH_COLUMNS, InterpretationTable
from ..shared.values import format_json
from .entries import assert_times
from .log_records import assert_record
from .view import Walk


def _not_nil(found: Any, due: str) -> Mismatch:
    got = format_json(found)[:400]
    return Mismatch(f"the result is not {due}", expected=due, got=got, kind="the result is not nil")


def assert_nil(world: World) -> None:
    """Raise Mismatch unless the call succeeds, and its value is nil."""
    found = json_of(world.answer)
    if found is not None:
        raise _not_nil(found, "nil")


def assert_no_list(world: World, *, allow_empty: bool = False) -> None:
    """Raise Mismatch unless the value is nil or the call fails; with `allow_empty` it may be the empty list."""
    if world.answer.status != "error":
        found = json_of(world.answer)
        if found is not None and not (allow_empty and found == []):
            raise _not_nil(found, "nil, the empty list or an error" if allow_empty else "nil or an error")


_RESULTS: Mapping[str, Callable[[World], object]] = {"nil": assert_nil, "no list": assert_no_list, "a list": Walk.last}


def _assert_result(world: World, cell: str) -> None:
    if cell not in _RESULTS:
        raise Fault("harness", f'the column result contains "{cell}"; write one of: {", ".join(_RESULTS)}')
    _RESULTS[cell](world)


def _assert_logged(world: World, cell: str) -> None:
    if cell != "a record":
        raise Fault("harness", f'the column logged contains "{cell}"; write a record')
    assert_record(world)


TABLE = InterpretationTable(
    {**ENTRY_COLUMNS, "result": _assert_result, "logged": _assert_logged, "times": assert_times}
)
_EVIDENCE = ("entries", "in order", "include", "count", "fields", "times")


@then("the result is nil")
def the_result_is_nil(world: World) -> None:
    """Require that the call succeeds and returns null."""
    assert_nil(world)


@then(
    r"(?:by (?P<id>AMB-WD-\d+) )?the result is nil, or the call fails",
    example="by AMB-WD-23 the result is nil, or the call fails",
)
def the_result_is_nil_or_an_error(world: World, id: str | None) -> None:
    """Require null, or a call that fails with any error. With an interpretation, these are two of its readings."""
    if id is None:
        assert_no_list(world)
        return
    label = "error" if id == "AMB-WD-23" else "call_error"
    TABLE.check(world, id, [["reading", "result", "fails"], ["nil", "nil", ""], [label, "", "any error"]])


@then("no list with an entry is returned")
def no_list_with_an_entry_is_returned(world: World) -> None:
    """Require null, the empty list, or a call that fails with any error."""
    assert_no_list(world, allow_empty=True)


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-WD-06 the answer is one of",
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
