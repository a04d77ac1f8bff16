"""Then: whether the value is nil, or at least no list."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from treeproof.api import CallResult, Mismatch, World, then

from ..shared.values import format_json
from .view import nil_mismatch, parse_value

NOT_NIL, OTHER_VALUE = "the result is not nil", "an error is another value than nil"
"""The kinds of a list where nil is due, and of a value that is no list."""


def value_mismatch(found: Any, what: str, expected: str = "") -> Mismatch:
    """Return the Mismatch for a value where nil is due.

    A text that holds JSON is a matter of the form of values; what is neither nil nor a list, of the error convention.
    """
    got = format_json(found)[:400]
    if isinstance(found, str) and _is_json(found):
        kind = "the value is JSON within a text"
        return Mismatch(f"{what}: {kind}", expected=expected, got=got, stage="output", kind=kind)
    kind = NOT_NIL if isinstance(found, list) else OTHER_VALUE
    return Mismatch(what, expected=expected, got=got, stage="refusal", kind=kind)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def assert_nil(world: World) -> None:
    """Raise Mismatch unless the value of the last call is nil."""
    found = parse_value(world.answer)
    if found is not None:
        raise value_mismatch(found, "the result is not nil", expected="null")


def assert_no_list(world: World, *, allow_empty: bool = False) -> None:
    """Raise Mismatch unless the value is nil or the call fails; with `allow_empty` it may be the empty list."""
    if world.answer.status == "error":
        return
    found = parse_value(world.answer)
    if found is not None and not (allow_empty and found == []):
        due = "nil, the empty list or an error" if allow_empty else "nil or an error"
        what = f"the result is not nil; it should be {due}"
        raise value_mismatch(found, what)


def assert_other_than_list(world: World) -> None:
    """Raise Mismatch if the call succeeds with a list; whether it is nil then is another question."""
    if world.answer.status != "error" and isinstance(found := parse_value(world.answer), list):
        raise value_mismatch(found, "the result is a list")


def assert_nothing_listed(world: World) -> None:
    """Raise Mismatch if the value is a list with names that are not in the sandbox.

    Nil and values of other kinds list nothing, and a list of what is inside breaks other rules.
    """
    if world.answer.status == "error":
        return
    found = parse_value(world.answer)
    if not isinstance(found, list) or not found:
        return
    walked = os.walk(os.fsencode(world.fixture.root))
    inside = {os.fsdecode(name) for _, directories, files in walked for name in (*directories, *files)}
    if not all(isinstance(element, dict) and _ends(element) & inside for element in found):
        what = "something outside is listed; it should be nil or an error"
        raise Mismatch(what, got=format_json(found)[:400], stage="refusal", kind="something is listed")


def _ends(element: Mapping[str, Any]) -> set[str]:
    """Return the last components of name and path: an element inside whose path has a wrong form is no escape."""
    texts = (element.get(key) for key in ("name", "path"))
    return {text.rstrip("/").rpartition("/")[2] for text in texts if isinstance(text, str)}


def assert_value(world: World) -> None:
    """Raise Mismatch if the call fails; any value is right."""
    parse_value(world.answer)


def describe_value(answer: CallResult) -> str:
    """Return the beginning of the value of an answer, or its error."""
    return (answer.content or "")[:80] if answer.status == "ok" else str(answer.error_kind)


def assert_list(world: World) -> None:
    """Raise Mismatch unless the value is a list."""
    found = parse_value(world.answer)
    if found is None:
        raise nil_mismatch(world.answer, "the result is no list: it is nil")
    if not isinstance(found, list):
        raise Mismatch("the result is no list", got=format_json(found)[:400], stage="output")


@then("the result is nil")
def the_result_is_nil(world: World) -> None:
    """Require that the call succeeds and returns null."""
    assert_nil(world)


@then("no list is returned")
def no_list_is_returned(world: World) -> None:
    """Require null, or a call that fails with any error (AMB-WD-23 is judged elsewhere)."""
    assert_no_list(world)


@then("nothing outside is listed")
def nothing_outside_is_listed(world: World) -> None:
    """Require nil, a list of nothing but names inside, another value, or a call that fails; other rules judge which."""
    assert_nothing_listed(world)


@then("no list with an entry is returned")
def no_list_with_an_entry_is_returned(world: World) -> None:
    """Require null, the empty list, or a call that fails with any error."""
    assert_no_list(world, allow_empty=True)
