"""Then: which entries are told of, and what of each."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

from treeproof.api import Fault, Mismatch, World, then

from ..shared.values import (
    assert_same_names,
    format_json,
    format_names,
    matches,
    parse_json,
    parse_name_list,
)
from .view import KEYS, Element, element_at, fraction_digits, parse_answer, parse_time, paths


def last_listing(world: World) -> list[Element]:
    """The elements of the last answer; one that has some is positive evidence."""
    found = parse_answer(world.answer)
    world.evidence.is_positive = world.evidence.is_positive or bool(found)
    return found


def assert_entries(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has exactly these paths, each once, in any order."""
    world.evidence.expected_text = listed
    assert_same_names("the entries", parse_name_list(listed), paths(last_listing(world)))


@then(r'the entries are "(?P<listed>.*)"', example='the entries are "a, a/b"', evidence="listed")
def the_entries_are(world: World, listed: str) -> None:
    """Require exactly these paths, each once, in any order."""
    assert_entries(world, listed)


def assert_includes(world: World, listed: str) -> None:
    """Raise Mismatch unless the last list has these paths among its own."""
    got = paths(last_listing(world))
    missing = [name for name in parse_name_list(listed) if name not in got]
    if missing:
        raise Mismatch(f"missing: {format_names(missing)}", expected=listed, got=format_names(got[:40]))


@then(r'the entries include "(?P<listed>.+)"', example='the entries include "a, b"', evidence="listed")
def the_entries_include(world: World, listed: str) -> None:
    """Require these paths; others are permitted."""
    assert_includes(world, listed)


@then(r'the directories among them are "(?P<listed>.*)"', example='the directories among them are "a, a/b"')
def the_directories_are(world: World, listed: str) -> None:
    """Require that isDir is true for these paths and false for all others."""
    found = last_listing(world)
    odd = [element for element in found if type(element.get("isDir")) is not bool]
    if odd:
        raise Mismatch("isDir is no boolean", expected="true or false", got=format_json(odd[0].get("isDir")))
    assert_same_names(
        "the directories", parse_name_list(listed), [one["path"] for one in found if one["isDir"]]
    )


def assert_members(element: Element, members: dict[str, Any]) -> None:
    """Raise Mismatch unless the element has these keys with these values."""
    for key, wanted in members.items():
        if key not in element or not matches(wanted, element[key]):
            what = f"{key} of {format_names([element['path']])}"
            raise Mismatch(
                f"{what} is wrong",
                expected=format_json(wanted),
                got=format_json(element.get(key, "(no such key)")),
            )


@then(
    r'the entry "(?P<name>.*?)" has (?P<members>\{.*\})',
    example='the entry "a" has {"isDir": false, "size": 9}',
    evidence="name",
)
def the_entry_has(world: World, name: str, members: str) -> None:
    """Compare members; a list as a value permits each of its members."""
    assert_members(
        element_at(last_listing(world), parse_name_list(name)[0]),
        parse_json(members, world.fixture.placeholders),
    )


@then("the entries have", evidence="path")
def the_entries_have(world: World, datatable: list[list[str]]) -> None:
    """Compare members, one entry per row: path, then keys with values as JSON. Empty cells assert nothing."""
    found = last_listing(world)
    for row in datatable[1:]:
        cells = dict(zip(datatable[0], row, strict=True))
        members = {key: parse_json(cell) for key, cell in cells.items() if key != "path" and cell}
        assert_members(element_at(found, parse_name_list(cells["path"])[0]), members)


def assert_keys(world: World, allow_more: bool) -> None:
    """Raise Mismatch unless each map has the documented keys, and no other ones unless `further`."""
    for element in last_listing(world):
        missing, surplus = set(KEYS) - set(element), set(element) - set(KEYS)
        if missing or (surplus and not allow_more):
            raise Mismatch(
                "a map has other keys than documented",
                expected=", ".join(sorted(KEYS)),
                got=", ".join(sorted(element)),
            )


@then("every entry has the documented types", evidence="always")
def documented_types(world: World) -> None:
    """Require three texts, a boolean, and a number that is not below 0."""
    found = last_listing(world)
    if not found:
        raise Mismatch("there is no element", expected="at least one", got="none")
    for element in found:
        texts = all(isinstance(element.get(key), str) for key in ("name", "path", "modTime"))
        if not texts or type(element.get("isDir")) is not bool or not is_valid_size(element.get("size")):
            raise Mismatch(
                "a value is of another type", expected="texts, a boolean, a number", got=format_json(element)
            )


@then("every size is a number", evidence="always")
def sizes_are_numbers(world: World) -> None:
    """Require numbers that are not below 0."""
    found = last_listing(world)
    if not found:
        raise Mismatch("there is no element", expected="at least one", got="none")
    for element in found:
        if not is_valid_size(element.get("size")):
            what = f"size of {format_names([element['path']])} is no number"
            raise Mismatch(what, expected="a number", got=format_json(element.get("size")))


def is_valid_size(size: object) -> bool:
    """Whether it is a number of bytes."""
    return isinstance(size, int | float) and type(size) is not bool and size >= 0


@then("every name is the last component of its path", evidence="always")
def names_are_last(world: World) -> None:
    """Require at least one entry, and in each the last component of its path as the name."""
    found = last_listing(world)
    if not found:
        raise Mismatch("there is no element", expected="at least one", got="none")
    for element in found:
        due = element["path"].rpartition("/")[2]
        if element.get("name") != due:
            raise Mismatch(
                f"name of {format_names([element['path']])} is wrong",
                expected=format_json(due),
                got=format_json(element.get("name")),
            )


def assert_modified_time(element: Element, due: str) -> None:
    """Raise Mismatch unless modTime of the element is this instant, as far as its digits go."""
    text, exact = element.get("modTime"), parse_time(due)
    got = parse_time(text)
    what = f"modTime of {format_names([element['path']])}"
    if exact is None:
        raise Fault("harness", f"{due} is no time in RFC 3339")
    if got is None:
        raise Mismatch(f"{what} is no time in RFC 3339", expected=due, got=format_json(text))
    scale = 10 ** fraction_digits(str(text))
    if got != Fraction(floor(exact * scale), scale):
        raise Mismatch(f"{what} is another instant", expected=due, got=format_json(text))


@then(
    r'modTime of "(?P<listed>.+)" is the instant (?P<due>[\d:.TZ-]+)',
    example='modTime of "f" is the instant 2025-04-22T20:36:00.25Z',
    evidence="listed",
)
def mod_time_is(world: World, listed: str, due: str) -> None:
    """Require this instant in RFC 3339 with any offset. The fraction may be cut after any digit or omitted."""
    found = last_listing(world)
    for name in parse_name_list(listed):
        assert_modified_time(element_at(found, name), due)
