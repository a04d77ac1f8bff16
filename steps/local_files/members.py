"""Then: the members of entries, compared with the file system, and what recursion changes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from treeproof.api import Mismatch, World, then

from ..shared.entries import assert_entry_members
from ..shared.values import assert_same_names, format_json, format_member, format_names, parse_name_list
from .view import CLOSED_TYPES, COMMON_MEMBERS, Listing

FRACTION_INTERPRETATION = "AMB-LF-08"
"""Whether a fraction of a millisecond is truncated or rounded."""

SPACE_INTERPRETATION = "AMB-LF-06"
"""Whether the size of a directory is that of its list, or the space that is allocated for it."""


@then("every entry has the members of its kind and no other")
def members_of_kind(world: World) -> None:
    """Require target for links, and all other members for every entry; files and directories have no more."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        due = {*COMMON_MEMBERS, *(["target"] if entry.get("@type") == "SymbolicLinkEntry" else [])}
        surplus = set(entry) - due if entry.get("@type") in CLOSED_TYPES else set()
        if surplus or due - set(entry):
            what = f"the entry {found.label(entry)} has other members than its kind"
            texts = ", ".join(sorted(due)), ", ".join(sorted(entry))
            raise Mismatch(what, expected=texts[0], got=texts[1], kind="other members")


@then("every entry tells its kind, size and time, and a link its target")
def nothing_is_left_out(world: World) -> None:
    """Require these members, and null for none of them; their values are judged elsewhere."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        due = ("@type", "size", "lastModified", *(["target"] if entry.get("@type") == "SymbolicLinkEntry" else []))
        for key in due:
            if entry.get(key) is None:
                what = f"the entry {found.label(entry)} leaves {key} to another call"
                raise Mismatch(what, got=format_json(entry), kind=f"no {key}")


@then(
    r'(?P<key>size|lastModified) of "(?P<listed>.+)" is its own',
    example='size of "d" is its own',
)
def own_metadata(world: World, key: str, listed: str) -> None:
    """Compare with lstat of the entry itself; a time in whole milliseconds.

    Readings decide about a fraction of a millisecond (AMB-LF-08), and about the size of a directory (AMB-LF-06).
    """
    found = Listing.last(world)
    readings: set[str] = set()
    for place in parse_name_list(listed):
        own = os.lstat(os.path.join(os.fsencode(found.directory), place.encode()))
        if key == "size":
            sizes = {"own": own.st_size}
            if stat.S_ISDIR(own.st_mode):
                sizes["allocated"] = own.st_blocks * 512
            accepted = [size for label, size in sizes.items() if label in world.accepted_readings(SPACE_INTERPRETATION)]
            assert_entry_members(found, place, {key: accepted})
            if len(set(sizes.values())) > 1:
                got = found.entries_at(place)[0].get(key)
                readings |= {label for label, size in sizes.items() if size == got}
        else:
            assert_entry_members(found, place, {key: _milliseconds(world, own.st_mtime_ns)})
    if len(readings) == 1:
        world.evidence.record_reading(SPACE_INTERPRETATION, readings.pop())


def _milliseconds(world: World, nanoseconds: int) -> list[int]:
    times = {
        "floor": nanoseconds // 10**6,
        "nearest": (nanoseconds + 500_000) // 10**6,
        "towards_1970": abs(nanoseconds) // 10**6 * (-1 if nanoseconds < 0 else 1),
    }
    return sorted({times[label] for label in world.accepted_readings(FRACTION_INTERPRETATION) if label in times})


@then(
    r'lastModified of "(?P<name>.+)" is another one than before',
    example='lastModified of "d" is another one than before',
)
def another_time(world: World, name: str) -> None:
    """Compare the last call result with the one before it."""
    place = parse_name_list(name)[0]
    before, after = (
        Listing.parse(answer, call).entries_at(place)[0].get("lastModified")
        for answer, call in zip(world.log.answers[-2:], world.log.calls[-2:], strict=True)
    )
    if before == after:
        what = f"lastModified of {format_names([place])} has not changed"
        raise Mismatch(what, got=format_json(after), kind="another lastModified")


@then("by one of the globs, recursion changes what is found")
def recursion_matters(world: World) -> None:
    """Require two calls of the scenario with one glob that find other entries."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for index, (answer, call) in enumerate(zip(world.log.answers, world.log.calls, strict=True)):
        try:
            keys = Listing.parse(answer, call).keys
        except Mismatch as why:
            raise why.at_answer(index) from why
        glob = call.arguments.get("glob") if isinstance(call.arguments, dict) else None
        found.setdefault(str(glob), set()).add(tuple(sorted(keys)))
    if all(len(results) == 1 for results in found.values()):
        got = "; ".join(f"{glob}: {format_names(keys)}" for glob, (keys,) in found.items())
        raise Mismatch("recursion changes nothing", got=got, compares_answers=True)


def assert_paths(world: World, members: dict[str, str]) -> None:
    """Raise Mismatch unless the last answer has exactly entries with these names and paths."""
    _assert_paths(world, members, lambda path: path)


def assert_same_paths(world: World, members: dict[str, str]) -> None:
    """Raise Mismatch unless the last answer has exactly entries with these names and, but for dots, these paths."""
    _assert_paths(world, members, normal_path)


def _assert_paths(world: World, members: dict[str, str], convert: Callable[[object], object]) -> None:
    found = Listing.last(world)
    assert_same_names("the entries", list(members), [str(entry.get("name")) for entry in found.entries])
    for entry in found.entries:
        if convert(entry.get("path")) != members[str(entry.get("name"))]:
            what = f"path of {found.label(entry)} is another one"
            raise Mismatch(what, got=format_member(entry, "path"), kind="another path")


def normal_path(path: object) -> str | None:
    """Return an absolute path without dots and doubled slashes; None for anything else."""
    return "/" + os.path.normpath(path).lstrip("/") if isinstance(path, str) and path.startswith("/") else None
