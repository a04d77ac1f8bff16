"""Then: the keys and values of elements."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from treeproof.api import Fault, Mismatch, World, then

from ..shared.entry_view import Entry
from ..shared.values import assert_same_names, format_json, format_names, parse_name_list
from .view import KEYS, Walk, fraction_digits, parse_time


@then(r'the directories among them are "(?P<listed>.*)"', example='the directories among them are "a, a/b"')
def the_directories_are(world: World, listed: str) -> None:
    """Require that isDir is true for exactly these paths and false for all others."""
    found = Walk.last(world)
    others = [found.label(element) for element in found.entries if type(element.get("isDir")) is not bool]
    if others:
        raise Mismatch(f"isDir of {others[0]} is no boolean", kind="another isDir")
    directories = sorted(found.key(element) for element in found.entries if element["isDir"])
    assert_same_names("the directories", parse_name_list(listed), directories)


@then("every entry has the documented types")
def documented_types(world: World) -> None:
    """Require three texts, a boolean, and a number from 0 on. The model judges further keys (AMB-WD-16)."""
    found = Walk.last(world, nonempty=True)
    for element in found.entries:
        for key in KEYS:
            value = element.get(key)
            is_right = {"isDir": type(value) is bool, "size": is_size(value)}.get(key, isinstance(value, str))
            if not is_right:
                raise Mismatch(
                    f"{key} of {found.label(element)} is of another type: name, path and modTime are texts, "
                    "isDir a boolean, size a number",
                    got=format_json(element),
                    kind=f"another {key}",
                )


def is_size(value: object) -> bool:
    """Return whether a value is a number of bytes."""
    return isinstance(value, int | float) and type(value) is not bool and value >= 0


def cut_instants(exact: Fraction, scale: int) -> set[Fraction]:
    """Return an instant cut to parts of a second, downwards; before 1970 also towards 1970."""
    found = {floor(exact * scale)} | ({ceil(exact * scale)} if exact < 0 else set())
    return {Fraction(number, scale) for number in found}


def nearest_instants(exact: Fraction, scale: int) -> set[Fraction]:
    """Return an instant rounded to parts of a second; half a part in either direction."""
    half = Fraction(1, 2)
    return {Fraction(number, scale) for number in (floor(exact * scale + half), ceil(exact * scale - half))}


MANNERS = {"cut": (cut_instants,), "nearest": (nearest_instants,), "": (cut_instants, nearest_instants)}
"""What may become of a fraction that is finer than the digits of modTime (AMB-WD-22)."""


def assert_times(world: World, cell: str) -> None:
    """Raise Mismatch unless modTime of an entry is an instant: `f=1970-01-01T00:00:00Z`, or with ` cut` behind it."""
    name, _, rest = cell.partition("=")
    due, _, manner = rest.partition(" ")
    if manner not in MANNERS:
        raise Fault("harness", f'the column times contains "{manner}"; write cut, nearest or nothing')
    assert_modified_time(Walk.last(world).entries_at(parse_name_list(name)[0])[0], due, manner)


def assert_modified_time(element: Entry, due: str, manner: str = "") -> None:
    """Raise Mismatch unless modTime of the element is this instant, cut or rounded to the digits of modTime."""
    text, exact = element.get("modTime"), parse_time(due)
    got = parse_time(text)
    if exact is None:
        raise Fault("harness", f"{due} is no time in RFC 3339")
    scale = 10 ** fraction_digits(str(text))
    if got is None or not any(got in instants(exact, scale) for instants in MANNERS[manner]):
        what = f"modTime of {format_names([element['path']])} is another instant, or no time in RFC 3339"
        raise Mismatch(what, expected=due, got=format_json(text), kind="another modTime")


@then(
    r'modTime of "(?P<listed>.+)" is the instant (?P<due>[\d:.TZ-]+)',
    example='modTime of "f" is the instant 2025-04-22T20:36:00.25Z',
)
def mod_time_is(world: World, listed: str, due: str) -> None:
    """Require RFC 3339 with any offset. The fraction may be cut off or rounded after any digit."""
    found = Walk.last(world)
    for name in parse_name_list(listed):
        assert_modified_time(found.entries_at(name)[0], due)
