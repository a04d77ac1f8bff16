"""Then: what an entry says of itself, and that it is what the file system says of it."""

from __future__ import annotations

import os
from typing import Any

from treeproof.api import Mismatch, World, then

from ..shared.values import format_json, format_names, matches, parse_json, parse_name_list
from .entries import last_listing
from .view import COMMON_MEMBERS, ENTRY_TYPES, Entry, Listing, parse_answer

FRACTION_INTERPRETATION = "AMB-LF-08"
"""What becomes of a fraction of a millisecond."""


def last_nonempty_listing(world: World) -> Listing:
    """The entries of the last answer. Raises Mismatch where there is none."""
    found = last_listing(world)
    if not found.entries:
        raise Mismatch("there is no entry", expected="at least one", got="none")
    return found


def assert_members(entry: Entry, members: dict[str, Any], place: str) -> None:
    """Raise Mismatch unless the entry has these members with these values."""
    for key, wanted in members.items():
        if key not in entry or not matches(wanted, entry[key]):
            got = format_json(entry[key]) if key in entry else "no such member"
            raise Mismatch(
                f"{key} of {format_names([place])} is wrong", expected=format_json(wanted), got=got
            )


@then(
    r'the entry "(?P<name>.*?)" has (?P<members>\{.*\})',
    example='the entry "l" has {"@type": "SymbolicLinkEntry", "size": 12}',
    evidence="name",
)
def the_entry_has(world: World, name: str, members: str) -> None:
    """Compare members by value and type."""
    place = parse_name_list(name)[0]
    assert_members(
        last_listing(world).entry_at(place), parse_json(members, world.fixture.placeholders), place
    )


@then("the entries have", evidence="entry")
def the_entries_have(world: World, datatable: list[list[str]]) -> None:
    """Compare members, one entry per row: entry, then members with values as JSON. Empty cells assert nothing."""
    found = last_listing(world)
    for row in datatable[1:]:
        cells = dict(zip(datatable[0], row, strict=True))
        place = parse_name_list(cells["entry"])[0]
        members = {
            key: parse_json(cell, world.fixture.placeholders)
            for key, cell in cells.items()
            if key != "entry" and cell
        }
        assert_members(found.entry_at(place), members, place)


@then("every entry has the members of its kind and no other", evidence="always")
def members_of_kind(world: World) -> None:
    """Require target for links only, and all other members for every entry."""
    found = last_nonempty_listing(world)
    for entry in found.entries:
        due = {*COMMON_MEMBERS, *(["target"] if entry.get("@type") == "SymbolicLinkEntry" else [])}
        if set(entry) != due:
            what = f"the members of {format_names([found.relative_path(entry)])} are wrong"
            raise Mismatch(what, expected=", ".join(sorted(due)), got=", ".join(sorted(entry)))


@then("every entry has one of the four kinds", evidence="always")
def one_of_the_kinds(world: World) -> None:
    """Require the simple name of a kind under @type."""
    found = last_nonempty_listing(world)
    for entry in found.entries:
        if entry.get("@type") not in ENTRY_TYPES:
            what = f"@type of {format_names([found.relative_path(entry)])} is wrong"
            raise Mismatch(
                what, expected=" or ".join(ENTRY_TYPES), got=format_json(entry.get("@type", "no such member"))
            )


@then(
    r"every (?P<key>size|lastModified) is an integer", example="every size is an integer", evidence="always"
)
def integers(world: World, key: str) -> None:
    """Require sizes without fraction that are not below 0."""
    found = last_nonempty_listing(world)
    for entry in found.entries:
        got = entry.get(key)
        if type(got) is not int or (key == "size" and got < 0):
            place = format_names([found.relative_path(entry)])
            raise Mismatch(f"{key} of {place} is no integer", expected="an integer", got=format_json(got))


@then("every name is the last component of its path", evidence="always")
def names_are_last(world: World) -> None:
    """Require at least one entry, and in each the last component of its path as the name."""
    for entry in last_nonempty_listing(world).entries:
        due = str(entry.get("path")).rpartition("/")[2]
        if entry.get("name") != due:
            raise Mismatch(
                "a name is not the last component of its path",
                expected=format_json(due),
                got=format_json(entry.get("name")),
            )


@then("every path is absolute, and leads to the entry", evidence="always")
def paths_lead_there(world: World) -> None:
    """Require the direct path of each entry on the disk."""
    for entry in last_nonempty_listing(world).entries:
        path = entry.get("path")
        if not isinstance(path, str) or not path.startswith("/") or os.path.normpath(path) != path:
            raise Mismatch(
                "a path is not absolute and plain", expected="an absolute path", got=format_json(path)
            )
        if not os.path.lexists(path):
            raise Mismatch("a path leads to nothing", expected="the entry's own path", got=format_json(path))


@then(
    r'(?P<key>size|lastModified) of "(?P<listed>.+)" is its own',
    example='size of "d" is its own',
    evidence="listed",
)
def own_metadata(world: World, key: str, listed: str) -> None:
    """Compare with lstat of the entry itself; a time in whole milliseconds.

    A fraction of a millisecond is a matter of readings (AMB-LF-08).
    """
    found = last_listing(world)
    for place in parse_name_list(listed):
        own = os.lstat(os.path.join(os.fsencode(found.directory), place.encode()))
        due = [own.st_size] if key == "size" else _milliseconds(world, own.st_mtime_ns)
        assert_members(found.entry_at(place), {key: due}, place)


def _milliseconds(world: World, nanoseconds: int) -> list[int]:
    ways = {"floor": nanoseconds // 10**6, "nearest": (nanoseconds + 500_000) // 10**6}
    return sorted(
        {ways[label] for label in world.accepted_readings(FRACTION_INTERPRETATION) if label in ways}
    )


@then(
    r'lastModified of "(?P<name>.+)" is another one than before',
    example='lastModified of "d" is another one than before',
    evidence="name",
)
def another_time(world: World, name: str) -> None:
    """Compare the last call result with the one before it."""
    place = parse_name_list(name)[0]
    before, after = (
        parse_answer(answer, call).entry_at(place).get("lastModified")
        for answer, call in zip(world.log.answers[-2:], world.log.calls[-2:], strict=True)
    )
    world.evidence.is_positive = True
    if before == after:
        raise Mismatch(
            f"lastModified of {format_names([place])} has not changed",
            expected=f"not {before}",
            got=format_json(after),
        )


def assert_paths(world: World, members: dict[str, str]) -> None:
    """Raise Mismatch unless the list has entries of these names, with these paths."""
    found = last_listing(world)
    got = {str(entry.get("name")): entry.get("path") for entry in found.entries}
    if got != members:
        raise Mismatch("the paths differ", expected=format_json(members), got=format_json(got))
