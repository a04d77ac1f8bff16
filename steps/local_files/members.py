"""Then: the members of entries, compared with the file system."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable

from treeproof.api import CONTROL_CALL, MISSING_ENTRIES, UNEXPECTED_ENTRIES, Mismatch, NotVerified, World, then

from ..shared.entries import assert_entry_members
from ..shared.entry_view import OTHER_KEYS, Entry
from ..shared.values import assert_same_names, format_json, format_member, format_names, parse_name_list
from .view import CLOSED_TYPES, COMMON_MEMBERS, ENTRY_TYPES, Listing

FURTHER_MEMBERS = "an entry has further members"
"""The kind of a difference: members that the document does not have."""

SHOWN_DIFFERENTLY = "a search and the list show an entry differently"
"""The kind of a difference between an entry of a search and the same one of a list."""

PLAIN_NAME = re.compile(r"\w[\w.-]*")
"""A name without a character that has a meaning in globs; it is not hidden."""

FRACTION_INTERPRETATION = "AMB-LF-08"
"""Whether a fraction of a millisecond is truncated or rounded."""

SPACE_INTERPRETATION = "AMB-LF-06"
"""Whether the size of a directory is that of its list, or the space that is allocated for it."""


@then("every entry has the members of its kind and no other", evidence="always")
def members_of_kind(world: World) -> None:
    """Require target for links, and all other members for every entry; files and directories have no more.

    Whether there is an @type, and whether it is that of the disk, is judged elsewhere.
    """
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        if entry.get("@type") in ENTRY_TYPES and entry["@type"] != (disk_type(found, entry) or entry["@type"]):
            continue
        due = {*COMMON_MEMBERS, *(["target"] if entry.get("@type") == "SymbolicLinkEntry" else [])}
        texts = ", ".join(sorted(due)), ", ".join(sorted(entry))
        if missing := sorted(due - set(entry) - {"@type"}):
            what = f"the entry {found.label(entry)} has no {missing[0]}"
            raise Mismatch(what, expected=texts[0], got=texts[1], stage="output", kind=f"no {missing[0]}")
        if entry.get("@type") in CLOSED_TYPES and set(entry) - due:
            what = f"the entry {found.label(entry)} has further members"
            raise Mismatch(what, expected=texts[0], got=texts[1], stage="members", kind=FURTHER_MEMBERS)


def disk_type(found: Listing, entry: Entry) -> str | None:
    """Return the type of an entry on the disk; None if it is not there."""
    path = os.path.join(os.fsencode(found.directory), found.key(entry).encode("utf-8", "surrogatepass"))
    return type_of_mode(os.lstat(path).st_mode) if b"\0" not in path and os.path.lexists(path) else None


def type_of_mode(mode: int) -> str:
    """Return the type of an entry with this mode."""
    kinds = {stat.S_IFDIR: "DirectoryEntry", stat.S_IFREG: "FileEntry", stat.S_IFLNK: "SymbolicLinkEntry"}
    return kinds.get(stat.S_IFMT(mode), "OtherEntry")


@then("every entry tells its kind, size and time, and a link its target", evidence="always")
def nothing_is_left_out(world: World) -> None:
    """Require these members, and null for none of them; their values are judged elsewhere."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        due = ("@type", "size", "lastModified", *(["target"] if entry.get("@type") == "SymbolicLinkEntry" else []))
        for key in due:
            if entry.get(key) is None:
                raise Mismatch(
                    f"the entry {found.label(entry)} leaves {key} to another call",
                    got=format_json(entry),
                    stage=found.member_stage(entry, key),
                    kind=f"another {key}" if key in entry else f"no {key}",
                )


@then("what was found is shown as the lists of their directories show it", evidence="always")
def shown_as_listed(world: World) -> None:
    """Compare each entry with that of its name in the list of its directory, as far as there are such lists."""
    found = Listing.last(world, nonempty=True)
    root = os.fsdecode(world.fixture.root)
    lists: dict[str, tuple[Listing, list[Entry]]] = {}  # by directory: one call for all that was found there
    for entry in found.entries:
        directory = os.path.dirname(found.key(entry))
        if directory not in lists:
            below = os.path.relpath(os.path.join(found.directory, directory), root)
            path = json.dumps(f"$ROOT/{below}" if below != "." else "$ROOT")
            call, answer = world.control_call("listDirectory", f'{{"path": {path}}}')
            parsed = Listing.parse_or_none(answer, call)
            if parsed is None or not parsed.entries:
                raise NotVerified("other_requirement", "the directory of what was found has no list to compare with")
            lists[directory] = parsed, [_with_full_path(one, parsed.directory) for one in parsed.entries]
        listed, shown = lists[directory]
        if _with_full_path(entry, found.directory) not in shown:
            name = os.path.basename(found.key(entry))
            same = [one for one in listed.entries if name in (one.get("name"), listed.key(one))]
            raise Mismatch(
                f"{found.label(entry)} is shown in another way than in the list of its directory",
                expected=format_json(same[0]) if same else "",
                got=format_json(entry),
                stage="members",
                kind=SHOWN_DIFFERENTLY,
            )


def _with_full_path(entry: Entry, directory: str) -> Entry:
    """Return an entry with its path from the root, and whether it was one; the right form is judged elsewhere."""
    path = entry.get("path")
    if not isinstance(path, str):
        return entry
    return {**entry, "path": (path.startswith("/"), os.path.normpath(os.path.join(directory, path)))}


def plain_files(directory: str) -> list[str]:
    """Return the first file of each directory below ``directory`` that has a plain name, relative to it.

    Names without a special meaning in any dialect of globs are plain; links are not followed.
    """
    found = []
    for place, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if PLAIN_NAME.fullmatch(name))
        plain = sorted(name for name in names if PLAIN_NAME.fullmatch(name))
        below = os.path.relpath(place, directory)
        if below != "." and plain and not os.path.islink(os.path.join(place, plain[0])):
            found.append(os.path.join(below, plain[0]))
    return found


@then("a control call lists every directory of the tree", role="control", evidence="always")
def every_directory_is_listed(world: World) -> None:
    """Require that listDirectory lists each directory that may be read: a search finds only what a list contains."""
    root = os.fsdecode(world.fixture.root)
    for place, folders, _ in os.walk(root):
        folders[:] = [name for name in folders if os.stat(os.path.join(place, name)).st_mode & 0o500 == 0o500]
        names = [os.fsencode(name).decode("utf-8", "replace") for name in os.listdir(place)]
        if any("\ufffd" in name for name in (place, *names)):
            continue
        below = os.path.relpath(place, root)
        path = json.dumps(f"$ROOT/{below}" if below != "." else "$ROOT")
        call, answer = world.control_call("listDirectory", f'{{"path": {path}}}')
        try:
            Listing.parse(answer, call).assert_lists(names)
        except Mismatch as why:
            world.show_control_call(call, answer, None)
            raise why.within(CONTROL_CALL) from why
    world.evidence.is_positive = True


@then("a control call finds a file of every directory by its name", role="control", evidence="always")
def every_directory_is_searched(world: World) -> None:
    """Require that a recursive search reaches each directory below the root that has a file with a plain name."""
    for place in plain_files(os.fsdecode(world.fixture.root)):
        glob = "**/" + place.partition("/")[2]
        arguments = json.dumps({"path": "$ROOT", "recursive": True, "glob": glob})
        call, answer = world.control_call("findFiles", arguments)
        try:
            found = Listing.parse(answer, call)
            if not any(_may_be(entry, place) for entry in found.entries):
                what = f"missing: {format_names([place])}"
                raise Mismatch(what, got=answer.content or "", stage="entries", kind=MISSING_ENTRIES)
        except Mismatch as why:
            world.show_control_call(call, answer, None)
            raise why.within(CONTROL_CALL) from why
    world.evidence.is_positive = True


def _may_be(entry: Entry, place: str) -> bool:
    """Return whether an entry of a search has this path below some directory, or its name; one of them may be wrong."""
    return f"/{entry.get('path')}".endswith("/" + place) or entry.get("name") == os.path.basename(place)


@then(
    r'a control call for "(?P<glob>[^"]+)" finds "(?P<listed>[^"]+)" on the tree "(?P<notation>.+?)"',
    example='a control call for "**/*.java" finds "w/B.java" on the tree "w/{B.java, c}"',
    role="control",
    evidence="listed",
    tree="notation",
)
def finds_on_another_tree(world: World, glob: str, listed: str, notation: str) -> None:
    """Require that a recursive search of another tree finds exactly these entries."""
    arguments = json.dumps({"path": "$ROOT", "recursive": True, "glob": glob})
    call, answer = world.control_call("findFiles", arguments, notation)
    try:
        found = Listing.parse(answer, call)
        due = parse_name_list(listed)
        missing = [place for place in due if not any(_may_be(entry, place) for entry in found.entries)]
        others = [entry for entry in found.entries if not any(_may_be(entry, place) for place in due)]
        if missing or others:
            kinds = [kind for kind, some in ((MISSING_ENTRIES, missing), (UNEXPECTED_ENTRIES, others)) if some]
            what = f"the search of another tree does not find exactly {listed}"
            raise Mismatch(what, got=answer.content or "", stage="entries", kind=" and ".join(kinds))
    except Mismatch as why:
        world.show_control_call(call, answer, notation)
        raise why.within(CONTROL_CALL) from why
    world.evidence.is_positive = True


@then("every name is that of another child of the directory", evidence="always")
def names_of_children(world: World) -> None:
    """Require that no entry has a name that is on no disk, and no two the same; a missing entry is judged elsewhere."""
    found = Listing.last(world, nonempty=True)
    seen: set[str] = set()
    for entry in found.entries:
        name = entry.get("name")
        if found.key(entry) not in found.disk_names and found.leads_somewhere(found.key(entry)):
            what = f"{found.label(entry)} is no child of the directory"
            raise Mismatch(what, got=format_names(found.keys), stage="entries", kind=UNEXPECTED_ENTRIES)
        if not isinstance(name, str) or name not in found.disk_names or name in seen:
            is_form = "name" not in entry or found.key(entry) not in found.disk_names
            raise Mismatch(
                f"the name of {found.label(entry)} is that of no other child",
                got=format_member(entry, "name"),
                stage="output" if is_form else "members",
                kind="no name" if "name" not in entry else OTHER_KEYS if is_form else "another name",
            )
        seen.add(name)


@then("every entry has one of the four kinds", evidence="always")
def one_of_the_kinds(world: World) -> None:
    """Require the simple name of a kind under @type."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        if entry.get("@type") not in ENTRY_TYPES:
            raise Mismatch(
                f"@type of {found.label(entry)} is none of {', '.join(ENTRY_TYPES)}",
                got=format_member(entry, "@type"),
                stage="output",
                kind="another @type" if "@type" in entry else "no @type",
            )


@then(r"every (?P<key>size|lastModified) is an integer", example="every size is an integer", evidence="always")
def integers(world: World, key: str) -> None:
    """Require sizes without fraction that are not below 0."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        got = entry.get(key)
        if type(got) is not int or (key == "size" and got < 0):
            what = f"{key} of {found.label(entry)} is no integer"
            raise Mismatch(
                what,
                got=format_member(entry, key),
                stage=found.member_stage(entry, key),
                kind=f"another {key}" if key in entry else f"no {key}",
            )


@then("every path is absolute, and leads to the entry", evidence="always")
def paths_lead_there(world: World) -> None:
    """Require the direct path of each entry on the disk. A name that is on no disk is judged elsewhere."""
    found = Listing.last(world, nonempty=True)
    for entry in found.entries:
        path, name = entry.get("path"), str(entry.get("name"))
        if found.member_stage(entry, "path") == "output":
            raise _wrong_path("a path leads to nothing, or is not absolute", found, entry)
        sibling = os.path.join(os.path.dirname(str(path)), name)
        if os.path.basename(str(path)) != name and "/" not in name and os.path.lexists(sibling):
            raise _wrong_path("a path leads to another entry", found, entry)


def _wrong_path(what: str, found: Listing, entry: Entry) -> Mismatch:
    return Mismatch(
        what,
        got=format_member(entry, "path"),
        stage=found.member_stage(entry, "path"),
        kind="another path" if "path" in entry else "no path",
    )


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
        raise Mismatch(
            what,
            got=format_json(after),
            stage="output" if after is None else "members",
            kind="no lastModified" if after is None else "another lastModified",
        )


def assert_paths(world: World, members: dict[str, str]) -> None:
    """Raise Mismatch unless the last answer has exactly entries with these names and paths."""
    _assert_paths(world, members, lambda path: path)


def assert_same_paths(world: World, members: dict[str, str]) -> None:
    """Raise Mismatch unless the last answer has exactly entries with these names and, but for dots, these paths."""
    _assert_paths(world, members, normal_path)


def _assert_paths(world: World, members: dict[str, str], convert: Callable[[object], object]) -> None:
    found = Listing.last(world)
    names = [str(entry.get("name")) for entry in found.entries]
    if sorted(str(convert(entry.get("path"))) for entry in found.entries) != sorted(members.values()):
        assert_same_names("the entries", list(members), names)
    for name, entry in zip(names, found.entries, strict=True):
        if name in members and convert(entry.get("path")) != members[name]:  # names are judged elsewhere
            raise _wrong_path(f"path of {found.label(entry)} is another one", found, entry)


def normal_path(path: object) -> str | None:
    """Return an absolute path without dots and doubled slashes; None for anything else."""
    return "/" + os.path.normpath(path).lstrip("/") if isinstance(path, str) and path.startswith("/") else None
