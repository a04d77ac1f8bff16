"""Given: what stands on the disk before a call, and that it still stands afterwards."""

from __future__ import annotations

import os
import stat

from pytest_bdd import given, then, when

from treeproof.api import Mismatch, NotApplicable, World, parse_creation_order, parse_tree

from .values import parse_name_list, step_pattern


@given(step_pattern(r'the tree "(?P<notation>.*)"'))
def the_tree(world: World, notation: str) -> None:
    """Given the tree "a/{b}, a-b": the sandbox root holds exactly this."""
    world.fixture.build_tree(notation)


@given("the tree")
def the_tree_below(world: World, docstring: str) -> None:
    """Given the tree, written on several lines below the sentence."""
    world.fixture.build_tree(" ".join(docstring.split("\n")))


@given(step_pattern(r'beside the sandbox the tree "(?P<notation>.*)"'))
def the_tree_beside(world: World, notation: str) -> None:
    """Given beside the sandbox the tree "secret, root2/{x}": siblings of the sandbox root, outside it."""
    world.fixture.build_tree(notation, beside_root=True)


@given(step_pattern(r"the tree is built in reverse order"))
def built_in_reverse(world: World) -> None:
    """Given the tree is built in reverse order: stands before the tree."""
    world.fixture.creation_order = parse_creation_order("reversed")


@given(step_pattern(r"the tree is built in an order shuffled by (?P<seed>\d+)"))
def built_shuffled(world: World, seed: str) -> None:
    """Given the tree is built in an order shuffled by 7: stands before the tree."""
    world.fixture.creation_order = parse_creation_order(f"shuffled {seed}")


@given("the file system of the disk")
def on_the_disk(world: World) -> None:
    """Given the file system of the disk: before the tree; the fixtures lie on a disk and not in memory.

    Needs: disk
    """
    world.fixture.sandboxes.requires_disk = True


@given(step_pattern(r'"(?P<name>.+)" carries the platform\'s hidden attribute'))
def hidden_attribute(world: World, name: str) -> None:
    """Given "x" carries the platform's hidden attribute: on macOS and Windows; Linux has none."""
    flags = getattr(os, "lchflags", None)
    if flags is None:
        raise NotApplicable("Linux has no hidden attribute")
    flags(os.path.join(world.fixture.root, os.fsencode(parse_name_list(name)[0])), stat.UF_HIDDEN)


@when(step_pattern(r'the tree gets "(?P<notation>.*)"'))
def the_tree_gets(world: World, notation: str) -> None:
    """When the tree gets "b, d/{x}": somebody else adds entries between two calls. Directories keep their times."""
    world.fixture.build(parse_tree(notation), world.fixture.root, adding=True)
    world.effects.reset_baseline()


@then("the tree is unchanged")
def the_tree_is_unchanged(world: World) -> None:
    """Then the tree is unchanged: names, types, modes, times, link targets and contents, beside the sandbox too.

    Role: state
    """
    changes = world.effects.changes()
    if changes:
        raise Mismatch(
            f"the call changed the file system: {changes[0]}",
            expected="no change",
            got="\n".join(changes[:20]),
        )
