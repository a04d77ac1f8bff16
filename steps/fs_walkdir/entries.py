"""Then: the elements of a list, and their keys and values."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from treeproof.api import MISSING_ENTRIES, UNEXPECTED_ENTRIES, Fault, Mismatch, NotVerified, World, then

from ..shared.entries import assert_same_keys, parse_entry_list
from ..shared.entry_view import OTHER_KEYS, Entry
from ..shared.values import (
    assert_same_names,
    format_json,
    format_member,
    format_names,
    matches,
    parse_json,
    parse_name_list,
)
from .view import BEHIND, KEYS, START, STARTS, TWICE, Walk, fraction_digits, parse_time


@then(r'the directories among them are "(?P<listed>.*)"', example='the directories among them are "a, a/b"')
def the_directories_are(world: World, listed: str) -> None:
    """Require that isDir is true for exactly these paths and false for all others."""
    found = Walk.last(world)
    invalid = [element for element in found.entries if type(element.get("isDir")) is not bool]
    if invalid:
        raise Mismatch(
            "isDir is no boolean",
            got=format_member(invalid[0], "isDir"),
            stage=found.member_stage(invalid[0], "isDir"),
            kind="another isDir" if "isDir" in invalid[0] else "no isDir",
        )
    directories = sorted({found.key(element) for element in found.entries if element["isDir"]} - STARTS)
    try:
        assert_same_names("the directories", parse_name_list(listed), directories)
    except Mismatch as why:
        is_other = found.has_other_form(parse_name_list(listed))
        why.stage, why.kind = ("output", OTHER_KEYS) if is_other else ("members", "another isDir")
        raise


def assert_elements(world: World, listed: str) -> None:
    """Raise Mismatch unless the last answer has exactly these paths, each as often, in any order."""
    world.evidence.expected_text = listed
    assert_paths(Walk.last(world), parse_entry_list(listed))


def assert_paths(found: Walk, expected: Sequence[str]) -> None:
    """Raise Mismatch unless the elements have exactly these paths, each as often, in any order."""
    try:
        assert_same_keys(found, expected, "the elements")
    except Mismatch as why:
        if why.kind != OTHER_KEYS:
            why.kind = found.surplus_kind(expected) or why.kind
        raise


@then(r'the elements are "(?P<listed>.*)"', example='the elements are "a, a/b"', evidence="listed")
def the_elements_are(world: World, listed: str) -> None:
    """Require exactly these paths, in any order. The kind of a difference depends on what is listed beside them."""
    assert_elements(world, listed)


@then(r'the walk meets "(?P<listed>.+)"', example='the walk meets "a, a/b"', evidence="listed")
def the_walk_meets(world: World, listed: str) -> None:
    """Require these paths, each once. Whether the start or what lies behind a link is listed is another question."""
    try:
        assert_elements(world, listed)
    except Mismatch as why:
        if why.kind not in (START, BEHIND):
            raise


def assert_element_count(world: World, number: str) -> None:
    """Raise Mismatch unless there is this number of elements; a JSON list contains several right numbers.

    Whether the start is listed as well is another question.
    """
    keys = [key for key in Walk.last(world).keys if key not in STARTS]
    due = parse_json(number)
    if not matches(due, len(keys)):
        least = min(due) if isinstance(due, list) else due
        surplus = UNEXPECTED_ENTRIES if len(keys) == len(set(keys)) else TWICE
        what = f"there are {len(keys)} elements; it should be {number}"
        kind = MISSING_ENTRIES if len(keys) < least else surplus
        raise Mismatch(what, got=format_names(keys[:40]), stage="entries", kind=kind)


@then(r"the walk meets (?P<number>\d+) elements", example="the walk meets 3000 elements", evidence="number")
def the_walk_meets_number(world: World, number: str) -> None:
    """Count the elements. Whether the start is listed as well is another question."""
    assert_element_count(world, number)


def assert_keys(world: World, *, allow_more: bool) -> None:
    """Raise Mismatch unless each map has the documented keys; with `allow_more` it may have others."""
    for element in Walk.last(world).entries:
        missing, surplus = set(KEYS) - set(element), set(element) - set(KEYS)
        if missing or (surplus and not allow_more):
            raise Mismatch(
                "a map has other keys than documented",
                expected=", ".join(sorted(KEYS)),
                got=", ".join(sorted(element)),
                stage="output" if missing else "members",
                kind=f"no {min(missing)}" if missing else "a map has further keys",
            )


@then("every entry has the documented types", evidence="always")
def documented_types(world: World) -> None:
    """Require three texts, a boolean, and a number."""
    found = Walk.last(world, nonempty=True)
    for element in found.entries:
        for key in KEYS:
            value = element.get(key)
            is_right = {"isDir": type(value) is bool, "size": is_number(value)}.get(key, isinstance(value, str))
            if not is_right:
                raise Mismatch(
                    f"{key} of {found.label(element)} is of another type: name, path and modTime are texts, "
                    "isDir a boolean, size a number",
                    got=format_json(element),
                    stage=found.member_stage(element, key),
                    kind=f"another {key}" if key in element else f"no {key}",
                )


@then("every size is a number", evidence="always")
def sizes_are_numbers(world: World) -> None:
    """Require numbers that are not below 0."""
    found = Walk.last(world, nonempty=True)
    for element in found.entries:
        if not is_valid_size(element.get("size")):
            what = f"size of {found.label(element)} is no number"
            raise Mismatch(
                what,
                got=format_member(element, "size"),
                stage=found.member_stage(element, "size"),
                kind="another size" if "size" in element else "no size",
            )


@then(
    r'the directories named "(?P<listed>.+)" have the size 0',
    example='the directories named "a, b" have the size 0',
    evidence="listed",
)
def directories_have_size_0(world: World, listed: str) -> None:
    """Require 0, or 0.0, of the maps whose paths end in these names. Raises NotVerified if none has a number."""
    found, names = Walk.last(world), parse_name_list(listed)
    ends = [one for one in found.entries if found.key(one).rstrip("/").rpartition("/")[2] in names]
    judged = [one for one in ends if is_number(one.get("size"))]
    if not judged:
        raise NotVerified("other_requirement", "none of these directories is listed with a number as its size")
    world.evidence.is_positive = True
    for element in judged:
        if element["size"] != 0:
            raise Mismatch(
                f"size of {found.label(element)} is not 0",
                expected="0",
                got=format_json(element["size"]),
                stage="members",
                kind="another size",
            )


def is_number(value: object) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float) and type(value) is not bool


def is_valid_size(size: object) -> bool:
    """Return whether a value is a number of bytes."""
    return is_number(size) and size >= 0  # type: ignore[operator]


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
    what = f"modTime of {format_names([element['path']])}"
    if exact is None:
        raise Fault("harness", f"{due} is no time in RFC 3339")
    if got is None:
        is_absent = "modTime" not in element
        raise Mismatch(
            f"{what} is no time in RFC 3339",
            got=format_member(element, "modTime"),
            stage="output" if is_absent else "members",
            kind="no modTime" if is_absent else "another modTime",
        )
    scale = 10 ** fraction_digits(str(text))
    if not any(got in instants(exact, scale) for instants in MANNERS[manner]):
        raise Mismatch(
            f"{what} is another instant",
            expected=due,
            got=str(text),
            stage="members",
            kind="another modTime",
        )


@then(
    r'modTime of "(?P<listed>.+)" is the instant (?P<due>[\d:.TZ-]+)',
    example='modTime of "f" is the instant 2025-04-22T20:36:00.25Z',
    evidence="listed",
)
def mod_time_is(world: World, listed: str, due: str) -> None:
    """Require RFC 3339 with any offset. The fraction may be cut off or rounded after any digit."""
    found = Walk.last(world)
    for name in parse_name_list(listed):
        assert_modified_time(found.entries_at(name)[0], due)


def assert_start_is_no_element(world: World) -> None:
    """Raise Mismatch if the path of an element is empty or has nothing but dots and slashes.

    Where the name is that of another entry, the form of its path is wrong, which is another question.
    """
    found = Walk.last(world)
    starts = [found.key(element) for element in found.entries if found.is_start(element)]
    if starts:
        raise Mismatch(START, got=format_names(starts), stage="entries", kind=START)


@then("the start is no element")
def the_start_is_no_element(world: World) -> None:
    """Require that no element is the start. Whether the others are right is another question."""
    assert_start_is_no_element(world)


@then("both results hold the same", evidence="always")
def both_results(world: World) -> None:
    """Require equal maps in any order, and at least one."""
    answers = world.log.answers
    try:
        first = _sorted(Walk.parse(answers[-2]))
    except Mismatch as why:
        raise why.at_answer(len(answers) - 2) from why
    second = _sorted(Walk.parse(answers[-1]))
    if first != second:
        expected, got = format_json(first)[:800], format_json(second)[:800]
        raise Mismatch("the second call gave other elements", expected=expected, got=got, stage="repetition")
    if not first:
        raise Mismatch("there is no element", got="[]", stage="entries", kind=MISSING_ENTRIES)
    world.evidence.is_positive = True


def _sorted(found: Walk) -> list[str]:
    return sorted(format_json({key: element.get(key) for key in KEYS}) for element in found.entries)


@then("no path is there twice")
def no_path_twice(world: World) -> None:
    """Require different paths for all elements."""
    keys = Walk.parse(world.answer).keys
    repeated = sorted({path for path in keys if keys.count(path) > 1})
    if repeated:
        raise Mismatch(
            "elements are there twice",
            got=format_names(repeated),
            stage="entries",
            kind=TWICE,
        )
