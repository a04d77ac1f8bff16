"""The comparison of a call's effect with the expected one: call result and tree together. Contains no steps.

The complete state is compared: names, kinds, contents, link targets and hard links; permissions of unchanged entries,
and those in the notation of a tree; times in the notation. Nothing beside the sandbox may change.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache

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

from ..shared.answers import assert_fails, warn_once
from ..shared.errors import quote_message
from .differences import (
    COPY_NAMES,
    EFFECT_WITH_ERROR,
    GENERAL_ERRORS,
    NO_EFFECT,
    OTHER_EFFECT,
    PARTIAL_EFFECT,
    SECOND_ROOT,
    classify,
    is_changed_outside,
    is_partial,
    is_same_node,
    lost_contents,
    path_in_tree,
)

MAX_DIFF_LINES = 20
MAX_QUOTED_BYTES = 40


@dataclass(frozen=True)
class ExpectedEffect:
    """An accepted result: success (``error_kinds`` None) or an error of these kinds, and the tree after the call.

    With ``is_minimum``, the sandbox may contain more than this tree, and the paths ``but_for`` are not compared; with
    ``warns_of_traces``, more gives a warning.
    """

    error_kinds: str | None
    tree: Tree
    is_minimum: bool = False
    but_for: tuple[bytes, ...] = ()
    warns_of_traces: bool = False


def tree_before(world: World) -> Tree:
    """Return the tree before the last call, without times. Raises Mismatch if there was no call."""
    if world.effects.before is None:
        raise Mismatch("no call was made before this step")
    return _without_times(world.effects.before)


@lru_cache(maxsize=4)  # the steps after a call need the same tree again and again
def _without_times(tree: Tree) -> Tree:
    return from_paths({path: node.with_metadata(node.mode, None) for path, node in by_path(tree).items()})


def tree_after(world: World) -> Tree:
    """Return the tree after the last call. Raises Mismatch if there was no call."""
    if world.effects.after is None:
        raise Mismatch("no call was made before this step")
    return world.effects.after


def expected_failure(world: World, kinds: str) -> ExpectedEffect:
    """Return the result that the call fails and changes nothing.

    The document is silent on what a call that fails leaves behind (DFO-10): an addition in the sandbox decides nothing,
    but in a scenario on that or on the framework, by which a refused call does nothing.
    """
    return _failure(world, kinds, tree_before(world))


def _failure(world: World, kinds: str, tree: Tree) -> ExpectedEffect:
    basis = world.case.basis or world.session.pack.requirement(world.case.requirement).basis
    is_open = basis in ("stated", "implied")
    return ExpectedEffect(kinds, tree, is_minimum=is_open, warns_of_traces=is_open)


def expected_loss_free_failure(world: World, but_for: tuple[bytes, ...] = ()) -> ExpectedEffect:
    """Return the result that the call fails and nothing is lost; additions in the sandbox are allowed."""
    return ExpectedEffect("any error", tree_before(world), is_minimum=True, but_for=but_for)


def expected_effect(
    world: World, notation: str, second_root: str | None = None, kinds: str | None = None
) -> ExpectedEffect:
    """Return the result that the sandbox roots contain ``notation`` and ``second_root``, and the rest is unchanged.

    What an earlier call of the scenario left behind when it failed stays as well.
    """
    before = by_path(tree_before(world))
    expected = {path: node for path, node in before.items() if not _is_below(path, ROOT_NAME)}
    for earlier in world.exchanges[:-1]:
        if earlier.answer.status == "error":
            expected |= {
                path: before[path]
                for path in before.keys() & by_path(earlier.after).keys() - by_path(earlier.before).keys()
            }
    expected |= by_path(nest(_parse_tree(world, notation), ROOT_NAME))
    if second_root is not None:
        expected = {path: node for path, node in expected.items() if not _is_below(path, SECOND_ROOT)}
        expected |= by_path(nest(_parse_tree(world, second_root), SECOND_ROOT))
    for top in (ROOT_NAME, SECOND_ROOT):
        if top in before and top in expected:
            expected[top] = before[top]
    tree = from_paths({path: _with_previous_mode(node, before.get(path)) for path, node in expected.items()})
    return ExpectedEffect(None, tree) if kinds is None else _failure(world, kinds, tree)


def _parse_tree(world: World, notation: str) -> Tree:
    names = {name.encode(): os.fsencode(path) for name, path in world.sandbox.placeholders.items()}
    return normalise(parse_tree(notation), names)


def _is_below(path: bytes, top: bytes) -> bool:
    return path == top or path.startswith(top + b"/")


def _with_previous_mode(node: Node, old: Node | None) -> Node:
    """Return the node, with the previous permissions if it is the same node and has none."""
    if old is None or node.mode is not None:
        return node
    same = (node.kind, node.size, node.content, node.target) == (old.kind, old.size, old.content, old.target)
    return node.with_metadata(old.mode, node.mtime_ns) if same else node


def assert_effect(world: World, *expected: ExpectedEffect) -> None:
    """Raise Mismatch unless answer and tree together are one of ``expected``; the message describes the first.

    Raises NotVerified for an error of unknown kind if the kind matters, and for a success in spite of a fault.
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
            if effect.warns_of_traces and tree_diff(effect.tree, tree_after(world), times=False):
                warn_once(world, "the call failed and left something behind; the document does not forbid it (DFO-10)")
            return
    if unknown is not None:
        raise unknown
    if world.answer.status == "ok" and not any(effect.error_kinds is None for effect in expected):
        check_fault_had_effect(world)
    raise _mismatch(world, expected)


def _matches(world: World, effect: ExpectedEffect) -> bool:
    succeeded = world.answer.status == "ok"
    return succeeded == (effect.error_kinds is None) and not _differences(world, effect)


def _differences(world: World, effect: ExpectedEffect) -> list[str]:
    after = tree_after(world)
    if not effect.is_minimum:
        return tree_diff(with_kept_times(effect.tree, after), after)
    if effect.tree == tree_before(world) and _is_move_of_directory(world):
        return content_diff(effect.tree, after, effect.but_for)
    return loss_diff(effect.tree, after, effect.but_for)


def with_kept_times(expected: Tree, after: Tree) -> Tree:
    """Return the expected tree with the times that it has, as far as these differ by less than a microsecond.

    A time in seconds, as a floating-point number, is no more exact.
    """
    got = by_path(after)
    return from_paths({path: _with_kept_time(node, got.get(path)) for path, node in by_path(expected).items()})


def _with_kept_time(node: Node, got: Node | None) -> Node:
    if got is None or node.mtime_ns is None or got.mtime_ns is None:
        return node
    return node.with_metadata(node.mode, got.mtime_ns) if abs(node.mtime_ns - got.mtime_ns) < 1000 else node


def loss_diff(before: Tree, after: Tree, but_for: tuple[bytes, ...] = ()) -> list[str]:
    """Return what is missing or different; additional entries in the sandbox roots count for nothing."""
    due = {path: node for path, node in by_path(before).items() if path not in but_for}
    got = {
        path: node
        for path, node in by_path(after).items()
        if path not in but_for and (path in due or not any(_is_below(path, top) for top in (ROOT_NAME, SECOND_ROOT)))
    }
    return tree_diff(from_paths(_with_first_names(due)), from_paths(_with_first_names(got)), times=False)


def content_diff(before: Tree, after: Tree, but_for: tuple[bytes, ...] = ()) -> list[str]:
    """Return which contents are nowhere any more, and what has changed outside.

    The files of a directory may go one by one, so that a move which fails leaves some under their new names.
    """
    due = from_paths({path: node for path, node in by_path(before).items() if path not in but_for})
    lost = [f"{_quote(content)}: lost" for content in lost_contents(due, after, due)]
    return lost + (["something outside of the sandbox has changed"] if is_changed_outside(before, after) else [])


def _with_first_names(nodes: dict[bytes, Node]) -> dict[bytes, Node]:
    """Return the nodes; a hard link to a name that is missing has the content itself."""
    return {
        path: replace(node, hardlink=None) if node.hardlink is not None and node.hardlink not in nodes else node
        for path, node in nodes.items()
    }


def check_fault_had_effect(world: World) -> None:
    """Raise NotVerified if the call did all that was requested, though something was to prevent it."""
    if _is_obstructed(world) and _is_carried_out(world):
        raise NotVerified(
            "fault_without_effect",
            "the candidate did all that was asked for in spite of the fault, so its reaction to one is unknown",
        )


def _is_obstructed(world: World) -> bool:
    """Return whether a fault is injected, or permissions deny access to something in the tree."""
    return world.faults.may_be_without_effect or any(
        node.mode is not None and node.mode & bits != bits
        for node in by_path(tree_before(world)).values()
        for bits in [0o700 if node.kind is Kind.DIR else 0o400]
        if node.kind is not Kind.SYMLINK
    )


def _is_move_of_directory(world: World) -> bool:
    node = by_path(tree_before(world)).get(_requested_source(world))
    return world.log.calls[-1].tool not in COPY_NAMES and node is not None and node.kind is Kind.DIR


def _requested_source(world: World) -> bytes:
    arguments = world.log.calls[-1].arguments
    source = arguments.get("source") if isinstance(arguments, dict) else None
    return path_in_tree(os.path.normpath(os.fsencode(str(source))))


def _is_carried_out(world: World) -> bool:
    """Return whether the last call has exactly its effect: the source has its final name, or the copy is made."""
    call = world.log.calls[-1]
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    source = _requested_source(world)
    before, after = by_path(tree_before(world)), by_path(tree_after(world))
    if (node := before.get(source)) is None:
        return False
    due = {path: other for path, other in before.items() if path != source or call.tool in COPY_NAMES}
    copy = replace(node, mode=None, mtime_ns=None)
    taken = set() if arguments.get("overwrite") else before.keys()  # replacing was not requested
    for final in after.keys() - {source, *taken}:
        is_inside = _is_below(final, ROOT_NAME) or _is_below(final, SECOND_ROOT)
        if is_inside and is_same_node(after[final], copy) and not is_same_node(before.get(final), copy):
            parents = {path: got for path, got in after.items() if path not in before and _is_below(final, path)}
            if not tree_diff(from_paths({**due, **parents, final: copy}), tree_after(world), times=False):
                return True
    return False


def _check_answer(world: World, effect: ExpectedEffect) -> None:
    if effect.error_kinds is not None:
        assert_fails(world, effect.error_kinds)
    elif not (world.answer.content or "").strip():
        warn_once(world, "the call succeeded and says nothing; the document asks for no text")


def _mismatch(world: World, ends: tuple[ExpectedEffect, ...]) -> Mismatch:
    """Return a Mismatch that distinguishes a missing effect, a partial one and one with an error."""
    answer = world.answer
    # The result of the same status is the closest one.
    first = next((end for end in ends if (answer.status == "ok") == (end.error_kinds is None)), ends[0])
    changed, differences = tree_diff(tree_before(world), tree_after(world)), _differences(world, first)
    error = f"{answer.error_kind}{quote_message(answer.error_message)}"
    due = " or ".join(dict.fromkeys("success" if end.error_kinds is None else end.error_kinds for end in ends))
    is_right = not differences and (answer.status == "ok") == (first.error_kinds is None)
    if is_right and answer.error_kind not in GENERAL_ERRORS:
        _check_answer(world, first)  # the tree is right: the kind of the error is wrong
    if answer.status == "ok":
        if not changed and first.error_kinds is None:
            text = f"{NO_EFFECT}: the call succeeded, and nothing has changed"
        elif not changed:
            text = f"the call succeeded and changed nothing; expected: {due}"
        elif first.error_kinds is not None:
            text = f"the call succeeded; expected: {due}, and no change"
        else:
            text = f"{_describe_effect(world, first)}: the call succeeded"
    elif not changed:
        text = f"the call failed ({error}); expected: {due}"
    elif not differences and first.error_kinds is None:
        text = f"{EFFECT_WITH_ERROR}: the expected effect happened, and the call failed ({error})"
    elif first.error_kinds is None:
        text = f"{_describe_effect(world, first)}, and the call failed ({error})"
    else:
        text = f"{EFFECT_WITH_ERROR}: the call failed ({error}), and changed something"
    contents = lost_contents(tree_before(world), tree_after(world), first.tree)
    if contents:
        text += f"; lost contents: {', '.join(map(_quote, contents))}"
    before, after = tree_before(world), tree_after(world)
    found = classify(answer, before, after, first.tree, is_success_due=first.error_kinds is None)
    # The finding of the model has the harm of a call that it judges.
    harm = None if is_judged(world) else found.harm
    return Mismatch(text, diff="\n".join(differences[:MAX_DIFF_LINES]), kind=found.kind, harm=harm)


def is_judged(world: World) -> bool:
    """Return whether the model has judged the last call."""
    return bool(world.judgements) and not world.judgements[-1].not_modelled


def _describe_effect(world: World, effect: ExpectedEffect) -> str:
    """Return a text: the effect is a part of the expected one, or another effect."""
    is_part = is_partial(tree_before(world), tree_after(world), effect.tree)
    return PARTIAL_EFFECT if is_part else OTHER_EFFECT


def _quote(content: bytes) -> str:
    text = content[:MAX_QUOTED_BYTES].decode("utf-8", "backslashreplace")
    return f'"{text}{"…" * (len(content) > MAX_QUOTED_BYTES)}"'
