"""Then: the reading of an interpretation that an answer shows."""

from __future__ import annotations

from treeproof.api import Fault, Mismatch, World, then

from ..shared.entries import assert_fields
from ..shared.interpretations import ENTRY_COLUMNS, INTERPRETATION_IDS, InterpretationTable
from .entries import assert_keys
from .results import assert_nil

_ALLOWS_MORE_KEYS = {"the documented ones": False, "at least the documented ones": True}


def _assert_result(world: World, cell: str) -> None:
    if cell != "nil":
        raise Fault("harness", f'the column result contains "{cell}"; write nil')
    assert_nil(world)


def _assert_keys(world: World, cell: str) -> None:
    if cell not in _ALLOWS_MORE_KEYS:
        raise Fault("harness", f'the column keys contains "{cell}"; write one of: {", ".join(_ALLOWS_MORE_KEYS)}')
    assert_keys(world, allow_more=_ALLOWS_MORE_KEYS[cell])


def _assert_other_fields(world: World, cell: str) -> None:
    try:
        assert_fields(world, cell)
    except Mismatch:
        return
    raise Mismatch("the values are those of another reading", expected=f"others than {cell}", got=cell)


TABLE = InterpretationTable(
    {
        **ENTRY_COLUMNS,
        "result": _assert_result,
        "other than": _assert_other_fields,
        "keys": _assert_keys,
    }
)


@then(
    rf"by (?P<ids>{INTERPRETATION_IDS}) the answer is one of",
    example="by AMB-WD-06 the answer is one of",
    evidence=("entries", "in order", "include", "count", "fields", "keys"),
    columns=TABLE.columns,
)
def by_readings(world: World, ids: str, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row: a reading, then what it asserts. Empty cells assert nothing."""
    TABLE.check(world, ids, datatable)
