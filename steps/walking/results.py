"""Then: whether there is a list, nil, or nothing to tell; and that the same call agrees with itself."""

from __future__ import annotations

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Mismatch

from ..words import sentence, show, spell
from .elements import KEYS, Element, elements, paths, value


def is_nil(world: World) -> None:
    """Raise Mismatch unless the last call gave nil."""
    found = value(world.answer)
    if found is not None:
        raise Mismatch("the result is not nil", expected="null", got=show(found)[:400])


def is_empty(world: World) -> None:
    """Raise Mismatch unless the last call gave the empty list."""
    found = value(world.answer)
    if found != [] or not isinstance(found, list):
        raise Mismatch("the result is not the empty list", expected="[]", got=show(found)[:400])


@then("the result is nil")
def the_result_is_nil(world: World) -> None:
    """Then the result is nil: the call succeeds, and its value is null."""
    is_nil(world)


@then("the result is nil or empty")
def the_result_is_nil_or_empty(world: World) -> None:
    """Then the result is nil or empty: null or the empty list, so that nothing is told."""
    found = value(world.answer)
    if found is not None and found != []:
        raise Mismatch("something is told", expected="null or []", got=show(found)[:400])


@then(sentence(r"there are (?P<count>\d+) elements"))
def there_are_elements(world: World, count: str) -> None:
    """Then there are 2000 elements: so many maps are in the list.

    Evidence: count
    """
    found = elements(world.answer)
    world.positive = world.positive or bool(found)
    if len(found) != int(count):
        raise Mismatch(f"there are {len(found)} elements", expected=count, got=str(len(found)))


@then(sentence(r"both results hold the same"))
def both_results(world: World) -> None:
    """Then both results hold the same: equal maps, whatever their order, and at least one.

    Evidence: always
    """
    first, second = (_sorted(elements(answer)) for answer in world.answers[-2:])
    if first != second:
        raise Mismatch(
            "the second call gave other elements", expected=show(first)[:800], got=show(second)[:800]
        )
    if not first:
        raise Mismatch("there is no element", expected="at least one", got="none")
    world.positive = True


def _sorted(found: list[Element]) -> list[str]:
    return sorted(show({key: element.get(key) for key in KEYS}) for element in found)


@then("no path is there twice")
def no_path_twice(world: World) -> None:
    """Then no path is there twice: every entry of the disk is one element."""
    found = paths(elements(world.answer))
    twice = sorted({path for path in found if found.count(path) > 1})
    if twice:
        raise Mismatch("elements are there twice", expected="each once", got=spell(twice))
