"""Given and Then: the directories that were opened during the calls."""

from __future__ import annotations

from treeproof.api import ROOT_NAME, Mismatch, World, given, parse_paths, then

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


def _format_places(places: set[bytes]) -> str:
    prefix = ROOT_NAME
    return format_names(
        sorted(
            (
                "."
                if p == prefix
                else ".."
                if p == b"."
                else decode_name(p[len(prefix) + 1 :])
                if p.startswith(prefix + b"/")
                else "../" + decode_name(p)
            )
            for p in places
        )
    )


def decode_name(name: bytes) -> str:
    """Return a name as text, for messages."""
    return name.decode("utf-8", "replace")


@then(r'"(?P<listed>.+)" (?:was|were) never opened', example='".c" was never opened')
def never_opened(world: World, listed: str) -> None:
    """Require that these directories were not opened for reading."""
    opened = world.directory_watch.opened_directories()
    wrong = {_tree_path(name) for name in parse_paths(listed)} & opened
    if wrong:
        raise Mismatch(
            f"opened although they should not be: {_format_places(wrong)}",
            expected=f"not {listed}",
            got=_format_places(wrong),
        )
    world.evidence.is_positive = world.evidence.is_positive or bool(opened)


@then(r'only "(?P<listed>.+)" (?:was|were) opened', example='only ".", "a" were opened', evidence="always")
def only_opened(world: World, listed: str) -> None:
    """Require that exactly these directories were opened, in any order."""
    wanted = {_tree_path(name) for part in listed.split('", "') for name in parse_paths(part)}
    opened = set(world.directory_watch.opened_directories())
    if opened != wanted:
        raise Mismatch("other directories were opened", expected=_format_places(wanted), got=_format_places(opened))
    world.evidence.is_positive = True
