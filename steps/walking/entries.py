"""Then: which entries are told of, and what of each."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from pytest_bdd import then

from treeproof.run.world import World
from treeproof.verdict import Fault, Mismatch

from ..words import equal_lists, matches, names, sentence, show, spell, value
from .elements import KEYS, Element, digits, element_of, elements, instant, paths


def told(world: World) -> list[Element]:
    """The elements of the last answer; one that has some is positive evidence."""
    found = elements(world.answer)
    world.positive = world.positive or bool(found)
    return found


def entries_are(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has exactly these paths, each once, in any order."""
    world.expecting(listed)
    equal_lists("the entries", names(listed), paths(told(world)))


@then(sentence(r'the entries are "(?P<listed>.*)"'))
def the_entries_are(world: World, listed: str) -> None:
    """Then the entries are "a, a/b": exactly these paths, each once; order is free.

    Evidence: listed
    """
    entries_are(world, listed)


def entries_include(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has these paths among its own."""
    got = paths(told(world))
    missing = [name for name in names(listed) if name not in got]
    if missing:
        raise Mismatch(f"missing: {spell(missing)}", expected=listed, got=spell(got[:40]))


@then(sentence(r'the entries include "(?P<listed>.+)"'))
def the_entries_include(world: World, listed: str) -> None:
    """Then the entries include "a, b": these paths and perhaps others.

    Evidence: listed
    """
    entries_include(world, listed)


@then(sentence(r'the directories among them are "(?P<listed>.*)"'))
def the_directories_are(world: World, listed: str) -> None:
    """Then the directories among them are "a, a/b": isDir is true for these paths and false for all others."""
    found = told(world)
    odd = [element for element in found if type(element.get("isDir")) is not bool]
    if odd:
        raise Mismatch("isDir is no boolean", expected="true or false", got=show(odd[0].get("isDir")))
    equal_lists("the directories", names(listed), [one["path"] for one in found if one["isDir"]])


def has(element: Element, members: dict[str, Any]) -> None:
    """Raise Mismatch unless the element has these keys with these values."""
    for key, wanted in members.items():
        if key not in element or not matches(wanted, element[key]):
            what = f"{key} of {spell([element['path']])}"
            raise Mismatch(
                f"{what} is wrong", expected=show(wanted), got=show(element.get(key, "(no such key)"))
            )


@then(sentence(r'the entry "(?P<name>.*?)" has (?P<members>\{.*\})'))
def the_entry_has(world: World, name: str, members: str) -> None:
    """Then the entry "a" has {"isDir": false, "size": 9}: a list as a value means one of its members.

    Evidence: name
    """
    has(element_of(told(world), names(name)[0]), value(members, world.names))


@then("the entries have")
def the_entries_have(world: World, datatable: list[list[str]]) -> None:
    """Then the entries have, one row an entry: path, then keys with values as JSON; an empty cell is not asserted.

    Evidence: path
    """
    found = told(world)
    for row in datatable[1:]:
        cells = dict(zip(datatable[0], row, strict=True))
        members = {key: value(cell) for key, cell in cells.items() if key != "path" and cell}
        has(element_of(found, names(cells["path"])[0]), members)


def keys_are(world: World, further: bool) -> None:
    """Raise Mismatch unless each map has the documented keys, and no other ones unless `further`."""
    for element in told(world):
        missing, surplus = set(KEYS) - set(element), set(element) - set(KEYS)
        if missing or (surplus and not further):
            raise Mismatch(
                "a map has other keys than documented",
                expected=", ".join(sorted(KEYS)),
                got=", ".join(sorted(element)),
            )


@then("every entry has the documented types")
def documented_types(world: World) -> None:
    """Then every entry has the documented types: three texts, a boolean, and a number that is no text and not below 0.

    Evidence: always
    """
    found = told(world)
    if not found:
        raise Mismatch("there is no element", expected="at least one", got="none")
    for element in found:
        texts = all(isinstance(element.get(key), str) for key in ("name", "path", "modTime"))
        if not texts or type(element.get("isDir")) is not bool or not is_size(element.get("size")):
            raise Mismatch(
                "a value is of another type", expected="texts, a boolean, a number", got=show(element)
            )


@then("every size is a number")
def sizes_are_numbers(world: World) -> None:
    """Then every size is a number: no text, and not below 0.

    Evidence: always
    """
    found = told(world)
    if not found:
        raise Mismatch("there is no element", expected="at least one", got="none")
    for element in found:
        if not is_size(element.get("size")):
            what = f"size of {spell([element['path']])} is no number"
            raise Mismatch(what, expected="a number", got=show(element.get("size")))


def is_size(size: object) -> bool:
    """Whether it is a number of bytes."""
    return isinstance(size, int | float) and type(size) is not bool and size >= 0


@then("every name is the last component of its path")
def names_are_last(world: World) -> None:
    """Then every name is the last component of its path: and there is at least one.

    Evidence: always
    """
    found = told(world)
    if not found:
        raise Mismatch("there is no element", expected="at least one", got="none")
    for element in found:
        due = element["path"].rpartition("/")[2]
        if element.get("name") != due:
            raise Mismatch(
                f"name of {spell([element['path']])} is wrong",
                expected=show(due),
                got=show(element.get("name")),
            )


def modified(element: Element, due: str) -> None:
    """Raise Mismatch unless modTime of the element is this instant, as far as its digits go."""
    text, exact = element.get("modTime"), instant(due)
    got = instant(text)
    what = f"modTime of {spell([element['path']])}"
    if exact is None:
        raise Fault("harness", f"{due} is no time in RFC 3339")
    if got is None:
        raise Mismatch(f"{what} is no time in RFC 3339", expected=due, got=show(text))
    scale = 10 ** digits(str(text))
    if got != Fraction(floor(exact * scale), scale):
        raise Mismatch(f"{what} is another instant", expected=due, got=show(text))


@then(sentence(r'modTime of "(?P<listed>.+)" is the instant (?P<due>[\d:.TZ-]+)'))
def mod_time_is(world: World, listed: str, due: str) -> None:
    """Then modTime of "f" is the instant 2025-04-22T20:36:00.25Z: in RFC 3339 with any offset, right to the second. Its
    fraction may be cut off after any digit, the point included; what is written of it is right.

    Evidence: listed
    """
    found = told(world)
    for name in names(listed):
        modified(element_of(found, name), due)
