"""Then: whether the value is nil or the empty list."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.values import format_json
from .view import parse_value


def assert_nil(world: World) -> None:
    """Raise Mismatch unless the value of the last call is nil."""
    found = parse_value(world.answer)
    if found is not None:
        raise Mismatch("the result is not nil", expected="null", got=format_json(found)[:400])


@then("the result is nil")
def the_result_is_nil(world: World) -> None:
    """Require that the call succeeds and returns null."""
    assert_nil(world)


@then("the result is nil or empty")
def the_result_is_nil_or_empty(world: World) -> None:
    """Require null or the empty list."""
    found = parse_value(world.answer)
    if found is not None and found != []:
        raise Mismatch("the result has content", expected="null or []", got=format_json(found)[:400])
