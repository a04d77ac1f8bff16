"""Given and Then: which directories were opened while the candidate worked."""

from __future__ import annotations

from pytest_bdd import given, then

from treeproof.run.world import World
from treeproof.tree import ROOT, parse_names
from treeproof.verdict import Mismatch

from .words import sentence, spell


@given("opened directories are watched")
def watched(world: World) -> None:
    """Given opened directories are watched: every directory of the tree and beside it, during the following calls.

    Needs: inotify
    """
    world.watching.wanted = True


def _place(name: bytes) -> bytes:
    # Names are relative to the sandbox root; "../x" is beside it; "." is the root itself.
    if name == b".":
        return ROOT
    if name == b"..":
        return b"."
    if name.startswith(b"../"):
        return name[3:]
    return ROOT + b"/" + name


def _shown(places: set[bytes]) -> str:
    prefix = ROOT
    return spell(
        sorted(
            (
                "."
                if p == prefix
                else ".."
                if p == b"."
                else os_text(p[len(prefix) + 1 :])
                if p.startswith(prefix + b"/")
                else "../" + os_text(p)
            )
            for p in places
        )
    )


def os_text(name: bytes) -> str:
    """Return a name as text, for messages."""
    return name.decode("utf-8", "replace")


@then(sentence(r'"(?P<listed>.+)" (?:was|were) never opened'))
def never_opened(world: World, listed: str) -> None:
    """Then ".c" was never opened: nobody opened these directories to read them."""
    opened = world.watching.opened()
    wrong = {_place(name) for name in parse_names(listed)} & opened
    if wrong:
        raise Mismatch(
            f"opened although they should not be: {_shown(wrong)}",
            expected=f"not {listed}",
            got=_shown(wrong),
        )
    world.positive = world.positive or bool(opened)


@then(sentence(r'only "(?P<listed>.+)" (?:was|were) opened'))
def only_opened(world: World, listed: str) -> None:
    """Then only ".", "a" were opened: exactly these directories, as a set.

    Evidence: always
    """
    wanted = {_place(name) for part in listed.split('", "') for name in parse_names(part)}
    opened = set(world.watching.opened())
    if opened != wanted:
        raise Mismatch("other directories were opened", expected=_shown(wanted), got=_shown(opened))
    world.positive = True
