"""Then: whether there is a list, nil, or nothing to tell; and that the same call agrees with itself."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.values import format_json, format_names
from .view import KEYS, Element, parse_answer, parse_value, paths


def assert_nil(world: World) -> None:
    """Raise Mismatch unless the last call gave nil."""
    found = parse_value(world.answer)
    if found is not None:
        raise Mismatch("the result is not nil", expected="null", got=format_json(found)[:400])


def assert_empty(world: World) -> None:
    """Raise Mismatch unless the last call gave the empty list."""
    found = parse_value(world.answer)
    if found != [] or not isinstance(found, list):
        raise Mismatch("the result is not the empty list", expected="[]", got=format_json(found)[:400])


@then("the result is nil")
def the_result_is_nil(world: World) -> None:
    """Require success with the value null."""
    assert_nil(world)


@then("the result is nil or empty")
def the_result_is_nil_or_empty(world: World) -> None:
    """Require null or an empty list."""
    found = parse_value(world.answer)
    if found is not None and found != []:
        raise Mismatch("something is told", expected="null or []", got=format_json(found)[:400])


@then(r"there are (?P<count>\d+) elements", example="there are 2000 elements", evidence="count")
def there_are_elements(world: World, count: str) -> None:
    """Count the maps in the list."""
    found = parse_answer(world.answer)
    world.evidence.is_positive = world.evidence.is_positive or bool(found)
    if len(found) != int(count):
        raise Mismatch(f"there are {len(found)} elements", expected=count, got=str(len(found)))


@then(r"both results hold the same", evidence="always")
def both_results(world: World) -> None:
    """Require at least one map, and equal maps in any order."""
    first, second = (_sorted(parse_answer(answer)) for answer in world.log.answers[-2:])
    if first != second:
        raise Mismatch(
            "the second call gave other elements",
            expected=format_json(first)[:800],
            got=format_json(second)[:800],
        )
    if not first:
        raise Mismatch("there is no element", expected="at least one", got="none")
    world.evidence.is_positive = True


def _sorted(found: list[Element]) -> list[str]:
    return sorted(format_json({key: element.get(key) for key in KEYS}) for element in found)


@then("no path is there twice")
def no_path_twice(world: World) -> None:
    """Require that each path occurs in one map only."""
    found = paths(parse_answer(world.answer))
    twice = sorted({path for path in found if found.count(path) > 1})
    if twice:
        raise Mismatch("elements are there twice", expected="each once", got=format_names(twice))
