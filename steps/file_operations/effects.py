"""The comparison of a call's effect with the expected one: call result and tree together. Contains no steps.

The complete state is compared: names, kinds, contents, link targets and hard links; permissions of unchanged entries,
and those in the notation of a tree; times in the notation. Nothing beside the sandbox may change.
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
    """An accepted result: success (``error_kinds`` None) or an error of these kinds, and the tree after the call."""

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
    before = by_path(tree_before(world))
    expected = {path: node for path, node in before.items() if not _is_below(path, ROOT_NAME)}
    expected |= by_path(nest(_parse_tree(world, notation), ROOT_NAME))
    if second_root is not None:
        expected = {path: node for path, node in expected.items() if not _is_below(path, SECOND_ROOT)}
        expected |= by_path(nest(_parse_tree(world, second_root), SECOND_ROOT))
    for top in (ROOT_NAME, SECOND_ROOT):
        if top in before and top in expected:
            expected[top] = before[top]
    return ExpectedEffect(
        kinds, from_paths({path: _with_previous_mode(node, before.get(path)) for path, node in expected.items()})
    )


def _parse_tree(world: World, notation: str) -> Tree:
    names = {name.encode(): os.fsencode(path) for name, path in world.fixture.placeholders.items()}
    return normalise(parse_tree(notation), names)


def _is_below(path: bytes, top: bytes) -> bool:
    return path == top or path.startswith(top + b"/")


def _with_previous_mode(node: Node, old: Node | None) -> Node:
    """Return the node, with the previous permissions if it is the same node and has none."""
    if old is None or node.mode is not None:
        return node
    same = (node.kind, node.size, node.content, node.target) == (old.kind, old.size, old.content, old.target)
    return replace(node, mode=old.mode) if same else node


def assert_effect(world: World, *expected: ExpectedEffect) -> None:
    """Raise Mismatch unless answer and tree together are one of ``expected``; the message describes the first.

    Raises NotVerified for an error of unknown kind if the kind matters.
    """
    world.effects.expected = expected[0].tree
    unknown: NotVerified | None = None
    for effect in expected:
        if _matches(world, effect):
            try:
                _check_answer(world, effect)
            except Mismatch:
                continue
            except NotVerified as error:
                unknown = error
                continue
            world.effects.expected = effect.tree
            if tree_diff(tree_before(world), effect.tree):
                world.evidence.is_positive = True
            return
    if unknown is not None:
        raise unknown
    raise _mismatch(world, expected)


def _matches(world: World, effect: ExpectedEffect) -> bool:
    succeeded = world.answer.status == "ok"
    return succeeded == (effect.error_kinds is None) and not tree_diff(effect.tree, tree_after(world))


def _check_answer(world: World, effect: ExpectedEffect) -> None:
    if effect.error_kinds is not None:
        assert_fails(world, effect.error_kinds)
    elif not (world.answer.content or "").strip():
        raise Mismatch("the call succeeded with an empty output", expected="a text about the effect", got="")


def _mismatch(world: World, ends: tuple[ExpectedEffect, ...]) -> Mismatch:
    """Return a Mismatch that distinguishes a missing effect, a partial one and one with an error."""
    first, changed = ends[0], tree_diff(tree_before(world), tree_after(world))
    differences = tree_diff(first.tree, tree_after(world))
    answer = world.answer
    error = f"{answer.error_kind}: {(answer.error_message or '')[:120]}"
    due = " or ".join(dict.fromkeys("success" if end.error_kinds is None else end.error_kinds for end in ends))
    if not differences and (answer.status == "ok") == (first.error_kinds is None):
        _check_answer(world, first)  # the tree is right: the kind of the error is wrong, or the text is empty
    if answer.status == "ok":
        if not changed and first.error_kinds is None:
            text = "a success without the effect: the call succeeded, and nothing has changed"
        elif not changed:
            text = f"the call succeeded and changed nothing; expected: {due}"
        elif first.error_kinds is not None:
            text = f"the call succeeded; expected: {due}, and no change"
        else:
            text = f"{_describe_effect(world, first)}: the call succeeded"
    elif not changed:
        text = f"the call failed ({error}); expected: {due}"
    elif not differences and first.error_kinds is None:
        text = f"an effect with an error: the expected effect happened, and the call failed ({error})"
    elif first.error_kinds is None:
        text = f"{_describe_effect(world, first)}, and the call failed ({error})"
    else:
        text = f"an effect with an error: the call failed ({error}), and changed something"
    lost = format_lost_contents(tree_before(world), tree_after(world), first.tree)
    if lost:
        text += f"; lost contents: {lost}"
    return Mismatch(text, diff="\n".join(differences[:MAX_DIFF_LINES]))


def _describe_effect(world: World, effect: ExpectedEffect) -> str:
    """Return a text: the effect is a part of the expected one, or another effect."""
    before, expected, after = (by_path(tree) for tree in (tree_before(world), effect.tree, tree_after(world)))
    for path in {*before, *expected, *after}:
        if not any(_same_node(after.get(path), other.get(path)) for other in (before, expected)):
            return "another effect than the expected one"
    return "a partial effect"


def _same_node(one: Node | None, other: Node | None) -> bool:
    if one is None or other is None:
        return one is other
    return not tree_diff(Tree((replace(other, mode=None),)), Tree((replace(one, name=other.name),)))


def content_counts(tree: Tree) -> Counter[bytes]:
    """Count the contents of files in a tree; files of zeros by their size, without empty files."""
    found = [node for node in by_path(tree).values() if node.kind is Kind.FILE and node.hardlink is None and node.size]
    return Counter(node.content if node.content is not None else b"%d zeros" % node.size for node in found)


def format_lost_contents(before: Tree, after: Tree, expected: Tree) -> str:
    """Return the contents that existed, should still exist and do not, as text; "" if none is missing."""
    missing = (content_counts(before) & content_counts(expected)) - content_counts(after)
    return ", ".join(f'"{_abbreviate(content)}"' for content in sorted(missing))


def _abbreviate(content: bytes) -> str:
    text = content[:MAX_QUOTED_BYTES].decode("utf-8", "backslashreplace")
    return text + "…" * (len(content) > MAX_QUOTED_BYTES)
