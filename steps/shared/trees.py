"""Given, When and Then: the trees of a scenario, their changes between calls, and that a call changes nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from treeproof.api import (
    Mismatch,
    NotApplicable,
    World,
    given,
    parent_without_links,
    parse_creation_order,
    parse_paths,
    parse_tree,
    then,
    when,
)

from .values import path_in_root


@given(r'the tree "(?P<notation>.*)"', example='the tree "a/{b}, a-b"', role="tree", tree="notation")
def the_tree(world: World, notation: str) -> None:
    """Build the tree of the sandbox root, with exactly these entries."""
    _build(world, notation)


@given("the tree", role="tree", tree="docstring")
def the_tree_below(world: World, docstring: str) -> None:
    """Build the tree that the text block describes, on any number of lines."""
    _build(world, " ".join(docstring.split("\n")))


def _build(world: World, notation: str) -> None:
    world.sandbox.build_tree(notation)
    if world.effects.has_baseline:  # what is built after a call is no change by the candidate
        world.effects.reset_baseline()


@given(
    r'beside the sandbox the tree "(?P<notation>.*)"',
    example='beside the sandbox the tree "secret, root2/{x}"',
    role="surroundings",
    tree="notation",
)
def the_tree_beside(world: World, notation: str) -> None:
    """Build a tree beside the sandbox root, outside the sandbox."""
    world.sandbox.build_tree(notation, beside_root=True)


@given(r"the tree is built in reverse order")
def built_in_reverse(world: World) -> None:
    """Build the following tree in reverse order of its entries."""
    world.sandbox.creation_order = parse_creation_order("reversed")


@given(
    r"the tree is built in an order shuffled by (?P<seed>\d+)",
    example="the tree is built in an order shuffled by 7",
)
def built_shuffled(world: World, seed: str) -> None:
    """Build the following tree in a random order with this seed."""
    world.sandbox.creation_order = parse_creation_order(f"shuffled {seed}")


@given("the file system of the disk", needs="disk")
def on_the_disk(world: World) -> None:
    """Build the following tree on a disk, not in memory."""
    world.sandbox.roots.requires_disk = True


@given("a file system that folds names", needs="folding")
def where_names_are_folded(world: World) -> None:
    """Build the following tree where names that differ in case or Unicode normalisation only are one name."""
    world.session.require_facility("folding")
    world.sandbox.roots.requires_folding = True


@given(
    r'"(?P<name>.+)" carries the platform\'s hidden attribute',
    example='"x" carries the platform\'s hidden attribute',
)
def hidden_attribute(world: World, name: str) -> None:
    """Set the hidden attribute of macOS and Windows; Linux has none."""
    flags = getattr(os, "lchflags", None)
    if flags is None:
        raise NotApplicable("Linux has no hidden attribute")
    flags(path_in_root(world, name), stat.UF_HIDDEN)


@when(r'the tree gets "(?P<notation>.*)"', example='the tree gets "b, d/{x}"', tree="notation")
def the_tree_gets(world: World, notation: str) -> None:
    """Add entries between two calls. Directories keep their times."""
    tree = parse_tree(notation)
    known = world.sandbox.tree
    world.sandbox.build(tree, world.sandbox.root, adding=True)
    # What is there already keeps its times.
    world.suite_has_changed(*(path for path, _ in tree.walk() if known.find(path) is None))


@when(r'"(?P<name>.+)" has been (?P<change>added|removed|renamed|extended)', example='"d/new" has been added')
def file_has_been(world: World, name: str, change: str) -> None:
    """Create, remove, rename or extend a file between two calls: by the suffix `.renamed`, or by one byte."""
    with parent_without_links(path_in_root(world, name)) as (directory, entry):
        if change == "removed":
            os.unlink(entry, dir_fd=directory)
        elif change == "renamed":
            os.rename(entry, entry + b".renamed", src_dir_fd=directory, dst_dir_fd=directory)
        else:
            flags = os.O_APPEND | os.O_NOFOLLOW if change == "extended" else os.O_CREAT | os.O_EXCL
            file = os.open(entry, os.O_WRONLY | flags, 0o644, dir_fd=directory)
            os.write(file, b"." if change == "extended" else b"")
            os.close(file)
    (changed,) = parse_paths(name)
    world.suite_has_changed(changed, changed + b".renamed")


@when(r'"(?P<name>.+)" has got the time (?P<milliseconds>-?\d+)', example='"f" has got the time 1000')
def has_got_the_time(world: World, name: str, milliseconds: str) -> None:
    """Change the modification time of an entry between two calls: milliseconds after 1970."""
    time = int(milliseconds) * 1_000_000
    # Another time of access, so that a tool that shows this one is found.
    with parent_without_links(path_in_root(world, name)) as (directory, entry):
        os.utime(entry, ns=(time + 1_000_000_000, time), dir_fd=directory, follow_symlinks=False)
    world.suite_has_changed(*parse_paths(name))


@then("the tree is unchanged")
def the_tree_is_unchanged(world: World) -> None:
    """Compare names, types, modes, times, link targets and contents, also beside the sandbox root."""
    changes = world.effects.changes()
    if changes:
        raise change_mismatch(changes)


def change_mismatch(changes: Sequence[str]) -> Mismatch:
    """Return the Mismatch for changes of a tree; its message has one that came or went, rather than a parent's time."""
    what = "the call changed the file system"
    shown = min(changes, key=lambda change: (not change.endswith((": appeared", ": vanished")), change[:2] == ".:"))
    return Mismatch(f"{what}: {shown}", diff="\n".join(changes[:20]), kind=what)
