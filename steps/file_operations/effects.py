"""The effect of a call compared with the expected one: answer and tree together. Contains no steps.

The complete state is compared: names, kinds, contents, link targets and hard links; permissions of unchanged entries,
and those that a tree names; times that a tree names. Nothing beside the sandbox may change.
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
    """One right result of a call: success (``error_kinds`` None) or an error of these kinds, and the tree then."""

    error_kinds: str | None
    tree: Tree


def tree_before(world: World) -> Tree:
    """Return the tree before the last call, without times. Raises Mismatch if there was no call."""
    if world.effects.before is None:
        raise Mismatch("no call was made before this step")
    return from_paths({path: replace(node, mtime_ns=None) for path, node in by_path(world.effects.before).items()})


def tree_after(world: World) -> Tree:
    """Return the tree after the last call. Raises Mismatch if there was no call."""
    if world.effects.after is None:
        raise Mismatch("no call was made before this step")
    return world.effects.after


def expected_failure(world: World, kinds: str) -> ExpectedEffect:
    """Return the result that the call fails and changes nothing."""
    return ExpectedEffect(kinds, tree_before(world))


def expected_effect(
    world: World, notation: str, second_root: str | None = None, kinds: str | None = None
) -> ExpectedEffect:
    """Return the result that the sandbox roots contain ``notation`` and ``second_root``, and the rest is unchanged."""
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
    """Return the node, with the previous permissions if it is the same node and names none."""
    if was is None or node.mode is not None:
        return node
    same = (node.kind, node.size, node.content, node.target) == (was.kind, was.size, was.content, was.target)
    return replace(node, mode=was.mode) if same else node


def assert_effect(world: World, *expected: ExpectedEffect) -> None:
    """Raise Mismatch unless answer and tree together are one of ``expected``; the message describes the first.

    Raises NotVerified for an error of unknown kind if the kind matters.
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
        raise Mismatch("the call succeeded and says nothing", expected="a text that says what was done", got="")


def _mismatch(world: World, ends: tuple[ExpectedEffect, ...]) -> Mismatch:
    """Return a Mismatch that distinguishes a missing effect, a partial one and one with an error."""
    first, changed = ends[0], tree_diff(tree_before(world), tree_after(world))
    off = tree_diff(first.tree, tree_after(world))
    answer = world.answer
    said = f"{answer.error_kind}: {(answer.error_message or '')[:120]}"
    due = " or ".join(dict.fromkeys("success" if end.error_kinds is None else end.error_kinds for end in ends))
    if not off and (answer.status == "ok") == (first.error_kinds is None):
        _check_answer(world, first)  # the tree is right: what is wrong is the kind of the error, or an empty text
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
    """Return whether the effect is a part of the expected one, or another effect."""
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
    """Count the contents of files in a tree; files of zeros by their size, without empty files."""
    found = [node for node in by_path(tree).values() if node.kind is Kind.FILE and node.hardlink is None and node.size]
    return Counter(node.content if node.content is not None else b"%d zeros" % node.size for node in found)


def format_lost_contents(was: Tree, now: Tree, due: Tree) -> str:
    """Return the contents that existed, should still exist and do not, as text; "" if none is missing."""
    missing = (content_counts(was) & content_counts(due)) - content_counts(now)
    return ", ".join(f'"{_abbreviate(content)}"' for content in sorted(missing))


def _abbreviate(content: bytes) -> str:
    text = content[:MAX_QUOTED_BYTES].decode("utf-8", "backslashreplace")
    return text + "…" * (len(content) > MAX_QUOTED_BYTES)
