"""The stage and the kind of a difference between a call and an outcome that was expected of it. Contains no steps.

The scenarios and the properties share them, so that all failures with one reason form one cause.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.api import (
    ROOT_NAME,
    CallResult,
    ComparisonStage,
    Harm,
    Kind,
    Node,
    Tree,
    by_path,
    from_paths,
    tree_diff,
)

COPY_NAMES = ("copy", "cp")
SECOND_ROOT = b"$FAR"
SANDBOX_ROOTS = (ROOT_NAME, SECOND_ROOT)

UNKNOWN_TOOL, BAD_ARGS = "UnknownTool", "BadArgs"
GENERAL_ERRORS = (UNKNOWN_TOOL, BAD_ARGS)
"""Kinds of errors that show nothing about any rule but that of the names or of the arguments."""

NO_TOOL_OF_THIS_NAME = "there is no tool of this name"
NO_EFFECT = "a success without the effect"
PARTIAL_EFFECT = "a partial effect"
OTHER_EFFECT = "another effect than the expected one"
EFFECT_WITH_ERROR = "an effect with an error"
IDLE_SUCCESS = "the call succeeded and changed nothing; it should fail"
SUCCESS = "the call succeeded; it should fail"
LOST_CONTENTS = "contents are lost"


@dataclass(frozen=True)
class Difference:
    """How far the comparison came, the kind of the difference, and what the call did if that is harmful."""

    stage: ComparisonStage
    kind: str
    harm: Harm | None = None


@dataclass(frozen=True)
class Observation:
    """A call and its result: the tool as it was called, the arguments, the answer, and the trees around it."""

    tool: str
    arguments: Any
    answer: CallResult
    before: Tree
    after: Tree

    @property
    def verb(self) -> str:
        """The primary name of the tool."""
        return "copy" if self.tool in COPY_NAMES else "move"


def failed_call(verb: str, error_kind: str | None, *, into_directory: bool = False) -> str:
    """Return the kind of a call that failed and should succeed. ``verb``: the primary name of the tool."""
    what = f"{verb} into a directory" if into_directory else verb
    return NO_TOOL_OF_THIS_NAME if error_kind == UNKNOWN_TOOL else f"{what} failed with {error_kind}"


def no_effect(verb: str) -> str:
    """Return the kind of a call that succeeded and changed nothing, though it should."""
    return f"{verb}: {NO_EFFECT}"


def another_name(verb: str) -> str:
    """Return the kind of a call whose entry has another name in the directory than its own."""
    return f"{verb} into a directory: another name than the source's own"


def classify(seen: Observation, expected: Tree, *, is_success_due: bool) -> Difference:
    """Return how a call differs from an outcome: ``expected`` is the tree after it."""
    answer = seen.answer
    if answer.error_kind == UNKNOWN_TOOL:
        return Difference("call", NO_TOOL_OF_THIS_NAME)
    if answer.error_kind == BAD_ARGS and not tree_diff(seen.before, seen.after, times=False):
        return Difference("error", failed_call(seen.verb, BAD_ARGS))
    harm: Harm | None = "escape" if is_changed_outside(seen.before, seen.after) else None
    if lost_contents(seen.before, seen.after, expected):
        stage: ComparisonStage = "refusal" if answer.status == "ok" and not is_success_due else "effect"
        return Difference(stage, LOST_CONTENTS, "data")
    is_changed = bool(tree_diff(seen.before, seen.after, times=False))
    if answer.status != "ok":
        if is_changed:
            kind = f"{failed_call(seen.verb, answer.error_kind)}, after an effect"
            return Difference("effect", kind if is_success_due else EFFECT_WITH_ERROR, harm)
        if is_success_due:
            into_directory = _find_entered_directory(seen) is not None
            return Difference("call", failed_call(seen.verb, answer.error_kind, into_directory=into_directory))
        return Difference("error", f"{seen.verb} failed with {answer.error_kind}, another error than the expected one")
    if harm is None and has_another_name(seen):
        return Difference("entries", another_name(seen.verb))
    if not is_success_due:
        return Difference("refusal", SUCCESS if is_changed else IDLE_SUCCESS, harm)
    if not is_changed:
        return Difference("entries", no_effect(seen.verb))
    due, got = by_path(expected), by_path(seen.after)
    sorts = {_sort_of_difference(due.get(path), got.get(path)) for path in {*due, *got}} - {""}
    effect = PARTIAL_EFFECT if is_partial(seen.before, seen.after, expected) else OTHER_EFFECT
    kind = f"{seen.verb}: {effect} ({', '.join(sorted(sorts))})"
    return Difference("entries", kind, harm)


def _sort_of_difference(due: Node | None, got: Node | None) -> str:
    if due is None or got is None:
        return "" if due is got else "an entry is missing" if got is None else "an entry should not be there"
    if (due.kind, due.target, due.hardlink) != (got.kind, got.target, got.hardlink):
        return "another kind of entry"
    if (due.size, due.content) != (got.size, got.content):
        return "another content"
    return "" if is_same_node(got, due) else "other times"


def has_another_name(seen: Observation) -> bool:
    """Return whether the source is in the directory that was the destination, but not under its own name.

    Nothing else has changed. Destinations that are links are not followed.
    """
    destination = _find_entered_directory(seen)
    if destination is None:
        return False
    source = path_in_tree(os.path.normpath(seen.arguments["source"]).encode())
    final = destination + b"/" + os.path.basename(source)
    return source in by_path(seen.before) and _is_added_below(seen, destination, final, source)


def _find_entered_directory(seen: Observation) -> bytes | None:
    """Return the path in the tree of a destination that was a directory, and no link; else None."""
    arguments: Mapping[str, Any] = seen.arguments if isinstance(seen.arguments, dict) else {}
    paths = arguments.get("source"), arguments.get("destination")
    if not all(isinstance(path, str) and path.isprintable() for path in paths):
        return None
    destination = path_in_tree(os.path.normpath(str(paths[1])).encode())
    destination = destination.removesuffix(b"/.")  # the sandbox root itself
    node = by_path(seen.before).get(destination)
    return destination if node is not None and node.kind is Kind.DIR else None


def path_in_tree(name: bytes) -> bytes:
    """Return the path in a recorded tree of a name in the first sandbox root, or of one that begins with `$FAR`."""
    return name if name.startswith(SECOND_ROOT) else ROOT_NAME + b"/" + name


def _is_added_below(seen: Observation, directory: bytes, final: bytes, source: bytes) -> bool:
    """Return whether entries were added below ``directory``, not as ``final``, and only ``source`` may have gone."""
    before, after = by_path(seen.before), by_path(seen.after)
    added, gone = after.keys() - before.keys(), before.keys() - after.keys()
    if not added or not all(path.startswith(directory + b"/") and path != final for path in added):
        return False
    if not all(path == source or path.startswith(source + b"/") for path in gone):
        return False
    kept = before.keys() & after.keys()
    return not tree_diff(
        from_paths({path: before[path] for path in kept}), from_paths({path: after[path] for path in kept}), times=False
    )


def is_changed_outside(before: Tree, after: Tree) -> bool:
    """Return whether anything beside the sandbox roots has changed."""
    return bool(tree_diff(_outside(before), _outside(after), times=False))


def _outside(tree: Tree) -> Tree:
    return Tree(tuple(node for node in tree.entries if node.name not in SANDBOX_ROOTS))


def is_partial(before: Tree, after: Tree, expected: Tree) -> bool:
    """Return whether each path is as before or as expected."""
    old, due, new = by_path(before), by_path(expected), by_path(after)
    return all(any(is_same_node(new.get(path), other.get(path)) for other in (old, due)) for path in {*old, *due, *new})


def is_same_node(one: Node | None, other: Node | None) -> bool:
    """Return whether two nodes differ in no more than their permissions and the name. None: no node."""
    if one is None or other is None:
        return one is other
    return not tree_diff(Tree((replace(other, mode=None),)), Tree((replace(one, name=other.name),)))


def content_counts(tree: Tree) -> Counter[bytes]:
    """Count the contents of files in a tree; files of zeros by their size, without empty files."""
    found = [node for node in by_path(tree).values() if node.kind is Kind.FILE and node.hardlink is None and node.size]
    return Counter(node.content if node.content is not None else b"%d zeros" % node.size for node in found)


def lost_contents(before: Tree, after: Tree, expected: Tree) -> list[bytes]:
    """Return the contents that existed, should still exist and do not."""
    return sorted((content_counts(before) & content_counts(expected)) - content_counts(after))
