"""Given and Then: the directories that were opened or read during the calls, and the files."""

from __future__ import annotations

from collections.abc import Set

from treeproof.api import ROOT_NAME, Harm, Mismatch, World, given, parse_paths, then

from .values import format_names


@given("opened directories are watched", needs="inotify")
def watched(world: World) -> None:
    """Watch every directory of the tree and outside it during the following calls."""
    world.directory_watch.enabled = True


def _tree_path(name: bytes) -> bytes:
    # Names are relative to the sandbox root; "../x" is beside it; "." is the root itself.
    if name == b".":
        return ROOT_NAME
    if name == b"..":
        return b"."
    if name.startswith(b"../"):
        return name[3:]
    return ROOT_NAME + b"/" + name


def _format_places(places: Set[bytes]) -> str:
    return format_names(sorted(map(_format_place, places)))


def _format_place(place: bytes) -> str:
    if place == ROOT_NAME:
        return "."
    if place == b".":
        return ".."
    inside = place.removeprefix(ROOT_NAME + b"/")
    return decode_name(inside) if inside != place else "../" + decode_name(place)


def _harm(places: Set[bytes]) -> Harm | None:
    """Return that a place outside of the root was opened; its parent is, on the way to the root."""
    outside = {place for place in places if place != ROOT_NAME and not place.startswith(ROOT_NAME + b"/")}
    return "escape" if outside - {b"."} else None


def _others(what: str, wanted: Set[bytes], found: Set[bytes]) -> Mismatch:
    return Mismatch(what, expected=_format_places(wanted), got=_format_places(found), harm=_harm(found - wanted))


def decode_name(name: bytes) -> str:
    """Return a name as text, for messages."""
    return name.decode("utf-8", "replace")


@then(r'"(?P<listed>.+)" (?:was|were) never opened', example='".c" was never opened', paths="listed")
def never_opened(world: World, listed: str) -> None:
    """Require that these directories were not opened for reading."""
    opened = world.directory_watch.opened_directories()
    wrong = {_tree_path(name) for name in parse_paths(listed)} & opened
    if wrong:
        raise Mismatch(
            f"opened although they should not be: {_format_places(wrong)}",
            expected="none of these is opened",
            got=_format_places(wrong),
            harm=_harm(wrong),
        )


@then("no file was opened")
def no_file_opened(world: World) -> None:
    """Require that nothing but directories was opened, in the tree and beside it; nothing is traced."""
    wrong = world.directory_watch.opened_files()
    if wrong:
        raise Mismatch("a file was opened", expected="no file", got=_format_places(wrong))


@then(r'only "(?P<listed>.+)" (?:was|were) opened', example='only ".", "a" were opened')
def only_opened(world: World, listed: str) -> None:
    """Require that exactly these directories were opened, in any order."""
    wanted = {_tree_path(name) for part in listed.split('", "') for name in parse_paths(part)}
    opened = set(world.directory_watch.opened_directories())
    if opened != wanted:
        raise _others("other directories were opened", wanted, opened)


@then(r'"(?P<listed>.+)" (?:was|were) never read', example='".c" was never read', paths="listed")
def never_read(world: World, listed: str) -> None:
    """Require that the names in these directories were not read; they may have been opened."""
    was_read = world.directory_watch.read_directories()
    wrong = {_tree_path(name) for name in parse_paths(listed)} & was_read
    if wrong:
        raise Mismatch(
            f"read although they should not be: {_format_places(wrong)}",
            expected="none of these is read",
            got=_format_places(wrong),
            harm=_harm(wrong),
        )


@then(r'only "(?P<listed>.+)" (?:was|were) read', example='only ".", "a" were read')
def only_read(world: World, listed: str) -> None:
    """Require that the names in exactly these directories were read, in any order."""
    wanted = {_tree_path(name) for part in listed.split('", "') for name in parse_paths(part)}
    was_read = set(world.directory_watch.read_directories())
    if was_read != wanted:
        raise _others("other directories were read", wanted, was_read)


@then(r'at most (?P<number>\d+) of "(?P<listed>.+)" were read', example='at most 64 of "d000..d399" were read')
def at_most_read(world: World, number: str, listed: str) -> None:
    """Require that the names in no more than this number of these directories were read."""
    was_read = world.directory_watch.read_directories()
    counted = {_tree_path(name) for name in parse_paths(listed)} & was_read
    if len(counted) > int(number):
        what = f"{len(counted)} of these directories were read; at most {number} should be"
        expected = f"at most {number} of them"
        raise Mismatch(what, expected=expected, got=_format_places(counted), kind="too many directories were read")
