"""Then: the reading of an interpretation that an answer shows."""

from __future__ import annotations

from treeproof.api import Fault, Mismatch, World, then

from ..shared.entries import assert_fields
from ..shared.interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, InterpretationTable
from .entries import assert_keys, assert_times
from .log_records import assert_record
from .results import assert_list, assert_nil, assert_no_list
from .view import NIL, parse_value

_ALLOWS_MORE_KEYS = {"the documented ones": False, "at least the documented ones": True}


_RESULTS = {"nil": assert_nil, "no list": assert_no_list, "a list": assert_list}


def _assert_result(world: World, cell: str) -> None:
    if cell not in _RESULTS:
        raise Fault("harness", f'the column result contains "{cell}"; write one of: {", ".join(_RESULTS)}')
    _RESULTS[cell](world)


def _assert_logged(world: World, cell: str) -> None:
    if cell != "a record":
        raise Fault("harness", f'the column logged contains "{cell}"; write a record')
    assert_record(world)


def _assert_keys(world: World, cell: str) -> None:
    if cell not in _ALLOWS_MORE_KEYS:
        raise Fault("harness", f'the column keys contains "{cell}"; write one of: {", ".join(_ALLOWS_MORE_KEYS)}')
    assert_keys(world, allow_more=_ALLOWS_MORE_KEYS[cell])


def _assert_other_fields(world: World, cell: str) -> None:
    try:
        assert_fields(world, cell)
    except Mismatch:
        return
    what = f"the values are those of another reading: {cell}"
    raise Mismatch(what, stage="members", kind="the values are those of another reading")


TABLE = InterpretationTable(
    {
        **ENTRY_COLUMNS,
        "result": _assert_result,
        "other than": _assert_other_fields,
        "keys": _assert_keys,
        "logged": _assert_logged,
        "times": assert_times,
    }
)


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-WD-06 the answer is one of",
    evidence=("entries", "in order", "include", "count", "fields", "keys", "times"),
    columns=TABLE.columns,
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row: a reading, then what it asserts. Empty cells assert nothing.

    A nil that is the answer of no accepted reading is a failed call, whatever the readings.
    """
    try:
        TABLE.check(world, ids, datatable)
    except Mismatch as why:
        if why.stage == "answer" and world.answer.status == "ok" and parse_value(world.answer) is None:
            why.stage, why.kind = "call", NIL
        raise


@then(
    "the answer is one of",
    example="the answer is one of",
    evidence=("entries", "in order", "include", "count", "fields", "keys", "times"),
    columns=tuple(TABLE.checks),
)
def one_of(world: World, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row, all of them right and none a reading. Empty cells assert nothing."""
    TABLE.check(world, "", datatable)
