"""Then: the reading of an interpretation that an answer shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from treeproof.api import Fault, Mismatch, World, then

from ..shared.entries import assert_fields
from ..shared.interpretations import (
    ENTRY_COLUMNS,
    INTERPRETATION_IDS,
    InterpretationTable,
    answer_has_entries,
    match_outcomes,
)
from .entries import (
    assert_element_count,
    assert_elements,
    assert_keys,
    assert_start_is_no_element,
    assert_times,
)
from .log_records import assert_record
from .results import (
    OTHER_VALUE,
    assert_list,
    assert_nil,
    assert_no_list,
    assert_nothing_listed,
    assert_other_than_list,
    assert_value,
    describe_value,
)
from .view import NIL, is_nil_answer, parse_value

_ERRORS_INTERPRETATION = "AMB-WD-23"

_ALLOWS_MORE_KEYS = {"the documented ones": False, "at least the documented ones": True}


_RESULTS = {
    "nil": assert_nil,
    "no list": assert_no_list,
    "nothing": assert_nothing_listed,
    "a list": assert_list,
    "anything but a list": assert_other_than_list,
    "without the start": assert_start_is_no_element,
    "a value": assert_value,
}


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
        "entries": assert_elements,
        "count": assert_element_count,
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


@then("by AMB-WD-23 one of the answers is nil")
def one_answer_is_nil(world: World) -> None:
    """Require that one of several calls at least gives nil, or fails where that reading is accepted.

    Which of the calls have to is the question of other rules.
    """
    rows = [{_ERRORS_INTERPRETATION: "nil"}, {_ERRORS_INTERPRETATION: "error"}]
    match_outcomes(world, [_ERRORS_INTERPRETATION], rows, partial(_assert_one_error, world), answer_has_entries)


def _assert_one_error(world: World, row: Mapping[str, str]) -> None:
    answers = world.log.answers
    is_nil = row[_ERRORS_INTERPRETATION] == "nil"
    if not any(is_nil_answer(answer) if is_nil else answer.status == "error" for answer in answers):
        got = "; ".join(describe_value(answer) for answer in answers)
        what = "none of the errors is nil" if is_nil else "none of the errors fails the call"
        is_other_value = all(
            answer.status == "ok" and not (answer.content or "[").startswith("[") for answer in answers
        )
        raise Mismatch(what, got=got, stage="refusal", kind=OTHER_VALUE if is_other_value else "no error is nil")


@then(
    "the answer is one of",
    example="the answer is one of",
    evidence=("entries", "in order", "include", "count", "fields", "keys", "times"),
    columns=tuple(TABLE.checks),
)
def one_of(world: World, datatable: list[list[str]]) -> None:
    """Compare with one outcome for each row, all of them right and none a reading. Empty cells assert nothing."""
    TABLE.check(world, "", datatable)
