"""How a call differs from an outcome that its scenario expects. Contains no steps.

The model names the rule; these are the words for a line of a scenario, and for calls that the model does not judge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from treeproof.api import ROOT_NAME, CallResult, Harm, Kind, Node, Tree, by_path, tree_diff

COPY_NAMES = ("copy", "cp")
SECOND_ROOT = b"$FAR"
SANDBOX_ROOTS = (ROOT_NAME, SECOND_ROOT)

UNKNOWN_TOOL = "UnknownTool"
GENERAL_ERRORS = (UNKNOWN_TOOL, "BadArgs")
"""Kinds of errors that show nothing about any rule but that of the names or of the arguments."""

NO_EFFECT = "a success without the effect"
PARTIAL_EFFECT = "a partial effect"
OTHER_EFFECT = "another effect than the expected one"
EFFECT_WITH_ERROR = "an effect with an error"
SUCCESS = "the call succeeded; it should fail"
LOST_CONTENTS = "contents are lost"


@dataclass(frozen=True)
class Difference:
    """The kind of a difference, and what the call did if that is harmful."""

    kind: str
    harm: Harm | None = None


def classify(answer: CallResult, before: Tree, after: Tree, expected: Tree, *, is_success_due: bool) -> Difference:
    """Return how a call differs from an outcome: ``expected`` is the tree after it."""
    is_changed = bool(tree_diff(before, after, times=False))
    if lost_contents(before, after, expected):
        return Difference(LOST_CONTENTS, "data")
    if is_changed_outside(before, after):
        return Difference("something outside of the sandbox has changed", "escape")
    if answer.status != "ok":
        if is_changed:
            return Difference(EFFECT_WITH_ERROR)
        return Difference(f"the call failed with {answer.error_kind}")
    if not is_success_due:
        return Difference(SUCCESS)
    return Difference(OTHER_EFFECT if is_changed else NO_EFFECT)


def path_in_tree(name: bytes) -> bytes:
    """Return the path in a recorded tree of a name in the first sandbox root, or of one that begins with `$FAR`."""
    return name if name.startswith(SECOND_ROOT) else ROOT_NAME + b"/" + name


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
