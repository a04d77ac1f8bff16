"""Then: the members of entries, compared with the file system."""

from __future__ import annotations

import os
import stat

from treeproof.api import Mismatch, World, then

from ..shared.entries import assert_entry_members
from ..shared.values import format_json, format_member, format_names, parse_name_list
from .view import CLOSED_TYPES, COMMON_MEMBERS, ENTRY_TYPES, Listing

FRACTION_INTERPRETATION = "AMB-LF-08"
"""Whether a fraction of a millisecond is truncated or rounded."""

SPACE_INTERPRETATION = "AMB-LF-06"
"""Whether the size of a directory is that of its list, or the space that is allocated for it."""


@then("every entry has the members of its kind and no other", evidence="always")
def members_of_kind(world: World) -> None:
    """Require target for links, and all other members for every entry; files and directories have no more."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        due = {*COMMON_MEMBERS, *(["target"] if entry.get("@type") == "SymbolicLinkEntry" else [])}
        is_closed = entry.get("@type") in CLOSED_TYPES
        if not due <= set(entry) or (is_closed and set(entry) != due):
            what = f"the members of {found.label(entry)} are wrong"
            names = ", ".join(sorted(due)), ", ".join(sorted(entry))
            raise Mismatch(what, expected=names[0], got=names[1], stage="members")


@then("every entry has one of the four kinds", evidence="always")
def one_of_the_kinds(world: World) -> None:
    """Require the simple name of a kind under @type."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        if entry.get("@type") not in ENTRY_TYPES:
            what = f"@type of {found.label(entry)} is none of {', '.join(ENTRY_TYPES)}"
            got = format_member(entry, "@type")
            raise Mismatch(what, got=got, stage="members", kind="@type is wrong")


@then(r"every (?P<key>size|lastModified) is an integer", example="every size is an integer", evidence="always")
def integers(world: World, key: str) -> None:
    """Require sizes without fraction that are not below 0."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        got = entry.get(key)
        if type(got) is not int or (key == "size" and got < 0):
            what = f"{key} of {found.label(entry)} is no integer"
            raise Mismatch(what, got=format_member(entry, key), stage="members", kind=f"{key} is no integer")


@then("every path is absolute, and leads to the entry", evidence="always")
def paths_lead_there(world: World) -> None:
    """Require the direct path of each entry on the disk."""
    for entry in Listing.last(world, nonempty=True).entries:
        path = entry.get("path")
        if not isinstance(path, str) or not path.startswith("/"):
            raise Mismatch("a path is not absolute", got=format_member(entry, "path"), stage="members")
        if not os.path.lexists(path) or os.path.basename(path) != entry.get("name"):
            raise Mismatch("a path does not lead to its entry", got=format_json(path), stage="members")


@then(
    r'(?P<key>size|lastModified) of "(?P<listed>.+)" is its own',
    example='size of "d" is its own',
    evidence="listed",
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
                got = found.entries_at(place)[0][key]
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
    evidence="name",
)
def another_time(world: World, name: str) -> None:
    """Compare the last call result with the one before it."""
    place = parse_name_list(name)[0]
    before, after = (
        Listing.parse(answer, call).entries_at(place)[0].get("lastModified")
        for answer, call in zip(world.log.answers[-2:], world.log.calls[-2:], strict=True)
    )
    world.evidence.is_positive = True
    if before == after:
        what = f"lastModified of {format_names([place])} has not changed"
        raise Mismatch(what, got=format_json(after), stage="members", kind="lastModified has not changed")


def assert_paths(world: World, members: dict[str, str]) -> None:
    """Raise Mismatch unless the last answer has exactly entries with these names and paths."""
    found = Listing.last(world)
    got = {str(entry.get("name")): entry.get("path") for entry in found.entries}
    if got != members:
        raise Mismatch("the paths differ", expected=format_json(members), got=format_json(got), stage="members")


def assert_same_paths(world: World, members: dict[str, str]) -> None:
    """Raise Mismatch unless the last answer has exactly entries with these names and, but for dots, these paths."""
    found = Listing.last(world)
    got = {str(entry.get("name")): entry.get("path") for entry in found.entries}
    if {name: normal_path(path) for name, path in got.items()} != members:
        raise Mismatch("the paths differ", expected=format_json(members), got=format_json(got), stage="members")


def normal_path(path: object) -> str | None:
    """Return an absolute path without dots and doubled slashes; None for anything else."""
    return "/" + os.path.normpath(path).lstrip("/") if isinstance(path, str) and path.startswith("/") else None
