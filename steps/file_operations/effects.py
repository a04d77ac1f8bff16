"""What a call did, held against what it was to do: answer and tree are judged together. No step stands here.

The complete state is compared: names, kinds, contents, link targets, which names are one file; permissions of what
was not touched, and of the rest where a tree names them; times where it names them. Nothing beside the sandbox may
change.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace

from treeproof.api import (
    ROOT_NAME,
    Kind,
    Mismatch,
    Node,
    NotVerified,
    Tree,
    World,
    by_path,
    from_paths,
    nest,
    normalise,
    parse_tree,
    tree_diff,
)

from ..shared.answers import assert_fails

SECOND_ROOT = b"$FAR"
MAX_DIFF_LINES = 20
MAX_QUOTED_BYTES = 40


@dataclass(frozen=True)
class ExpectedEffect:
    """One right end of a call: that it succeeds (``fails`` None) or fails with certain kinds, and the tree then."""

    error_kinds: str | None
    tree: Tree


def tree_before(world: World) -> Tree:
    """What stood there before the last call, times aside. Raises Mismatch where there was none."""
    if world.effects.before is None:
        raise Mismatch("no call was made before this sentence")
    return from_paths(
        {path: replace(node, mtime_ns=None) for path, node in by_path(world.effects.before).items()}
    )


def tree_after(world: World) -> Tree:
    """What stands there since the last call. Raises Mismatch where there was none."""
    if world.effects.after is None:
        raise Mismatch("no call was made before this sentence")
    return world.effects.after


def expected_failure(world: World, kinds: str) -> ExpectedEffect:
    """That the call fails and all is as it was."""
    return ExpectedEffect(kinds, tree_before(world))


def expected_effect(
    world: World, notation: str, second_root: str | None = None, kinds: str | None = None
) -> ExpectedEffect:
    """That the sandbox root holds what ``notation`` says, the second root what ``far`` says, all else as it was."""
    was = by_path(tree_before(world))
    due = {path: node for path, node in was.items() if not _is_below(path, ROOT_NAME)}
    due |= by_path(nest(_parse_tree(world, notation), ROOT_NAME))
    if second_root is not None:
        due = {path: node for path, node in due.items() if not _is_below(path, SECOND_ROOT)}
        due |= by_path(nest(_parse_tree(world, second_root), SECOND_ROOT))
    for top in (ROOT_NAME, SECOND_ROOT):
        if top in was and top in due:
            due[top] = was[top]
    return ExpectedEffect(
        kinds, from_paths({path: _with_previous_mode(node, was.get(path)) for path, node in due.items()})
    )


def _parse_tree(world: World, notation: str) -> Tree:
    names = {name.encode(): os.fsencode(path) for name, path in world.fixture.placeholders.items()}
    return normalise(parse_tree(notation), names)


def _is_below(path: bytes, top: bytes) -> bool:
    return path == top or path.startswith(top + b"/")


def _with_previous_mode(node: Node, was: Node | None) -> Node:
    """The node, with the permissions of the one that stood there if it is the same and names none."""
    if was is None or node.mode is not None:
        return node
    same = (node.kind, node.size, node.content, node.target) == (was.kind, was.size, was.content, was.target)
    return replace(node, mode=was.mode) if same else node


def assert_effect(world: World, *expected: ExpectedEffect) -> None:
    """Raise Mismatch unless answer and tree are one of ``ends`` together, told by the first of them.

    Raises NotVerified for an error of which nobody knows the kind, where the kind matters.
    """
    world.effects.expected = expected[0].tree
    unknown: NotVerified | None = None
    for end in expected:
        if _matches(world, end):
            try:
                _check_answer(world, end)
            except Mismatch:
                continue
            except NotVerified as why:
                unknown = why
                continue
            world.effects.expected = end.tree
            if tree_diff(tree_before(world), end.tree):
                world.evidence.is_positive = True
            return
    if unknown is not None:
        raise unknown
    raise _mismatch(world, expected)


def _matches(world: World, end: ExpectedEffect) -> bool:
    succeeded = world.answer.status == "ok"
    return succeeded == (end.error_kinds is None) and not tree_diff(end.tree, tree_after(world))


def _check_answer(world: World, end: ExpectedEffect) -> None:
    if end.error_kinds is not None:
        assert_fails(world, end.error_kinds)
    elif not (world.answer.content or "").strip():
        raise Mismatch(
            "the call succeeded and says nothing", expected="a text that says what was done", got=""
        )


def _mismatch(world: World, ends: tuple[ExpectedEffect, ...]) -> Mismatch:
    """What is wrong, in words that tell a missing effect, a denied one and half of one from each other."""
    first, changed = ends[0], tree_diff(tree_before(world), tree_after(world))
    off = tree_diff(first.tree, tree_after(world))
    answer = world.answer
    said = f"{answer.error_kind}: {(answer.error_message or '')[:120]}"
    due = " or ".join(
        dict.fromkeys("success" if end.error_kinds is None else end.error_kinds for end in ends)
    )
    if not off and (answer.status == "ok") == (first.error_kinds is None):
        _check_answer(
            world, first
        )  # the tree is right: what is wrong is the kind of the error, or an empty text
    if answer.status == "ok":
        if not changed and first.error_kinds is None:
            text = "a success without the effect: the call says that it succeeded, and nothing has changed"
        elif not changed:
            text = f"the call says that it succeeded, and has done nothing; due was {due}"
        elif first.error_kinds is not None:
            text = f"the call succeeded; due was {due}, and that nothing changes"
        else:
            text = f"{_describe_effect(world, first)}: the call says that it succeeded"
    elif not changed:
        text = f"the call failed ({said}); due was {due}"
    elif not off and first.error_kinds is None:
        text = f"an effect with an error: what was asked for was done, and the call failed ({said})"
    elif first.error_kinds is None:
        text = f"{_describe_effect(world, first)}, and the call failed ({said})"
    else:
        text = f"an effect with an error: the call failed ({said}), and changed something all the same"
    gone = format_lost_contents(tree_before(world), tree_after(world), first.tree)
    if gone:
        text += f"; what is nowhere any more: {gone}"
    return Mismatch(text, diff="\n".join(off[:MAX_DIFF_LINES]))


def _describe_effect(world: World, end: ExpectedEffect) -> str:
    """Whether some entries are as they were and the others as they should be, or something else was done."""
    was, due, now = (by_path(tree) for tree in (tree_before(world), end.tree, tree_after(world)))
    for path in {*was, *due, *now}:
        if not any(_same_node(now.get(path), other.get(path)) for other in (was, due)):
            return "another effect than was asked for"
    return "a partial effect"


def _same_node(one: Node | None, other: Node | None) -> bool:
    if one is None or other is None:
        return one is other
    return not tree_diff(Tree((replace(other, mode=None),)), Tree((replace(one, name=other.name),)))


def content_counts(tree: Tree) -> Counter[bytes]:
    """How often each content stands in a tree; files of zeros by their size, empty ones not at all."""
    found = [
        node
        for node in by_path(tree).values()
        if node.kind is Kind.FILE and node.hardlink is None and node.size
    ]
    return Counter(node.content if node.content is not None else b"%d zeros" % node.size for node in found)


def format_lost_contents(was: Tree, now: Tree, due: Tree) -> str:
    """The contents that stood there, should still stand there, and do not, for a person; "" where none is missing."""
    missing = (content_counts(was) & content_counts(due)) - content_counts(now)
    return ", ".join(f'"{_abbreviate(content)}"' for content in sorted(missing))


def _abbreviate(content: bytes) -> str:
    text = content[:MAX_QUOTED_BYTES].decode("utf-8", "backslashreplace")
    return text + "…" * (len(content) > MAX_QUOTED_BYTES)
