"""The requirement that a difference violates, and its stage and kind.

The expected outcome names the rule that decides the call. A call can break a more general rule instead, and that one is
named, as the author of the document would: the source is lost, or an entry in its right place lacks what it held.
"""

from __future__ import annotations

from collections import Counter

from treeproof.api import (
    ROOT_NAME,
    ComparisonStage,
    Exchange,
    Kind,
    Node,
    Tree,
    by_path,
    from_paths,
    subtree,
    tree_diff,
)

from .calls import tool_name
from .tree_state import LeadsOutside, Path, State, components

INTO_DIRECTORY = {"move": "FR-FOPS-MV-02", "copy": "FR-FOPS-CP-02"}
TRANSFERRED = {"move": "DFO-01", "copy": "DFO-02"}
FALLBACK = "FR-FOPS-MV-04"
SANDBOX, SAME_FILE, LOST_SOURCE, LOST_OTHER = "NFR-FOPS-SEC-01", "DFO-06", "DFO-04", "DFO-05"


def stage_of(exchange: Exchange, *, is_success_due: bool) -> ComparisonStage:
    """Return how far the comparison of a call with an outcome that it does not have came."""
    if exchange.answer.status == "ok":
        return "entries" if is_success_due else "refusal"
    if tree_diff(exchange.before, exchange.after, times=False):
        return "effect"
    # Arguments that fit are refused: a matter of the schema, whatever the rule.
    return "call" if is_success_due and exchange.answer.error_kind != "BadArgs" else "error"


def kind_of(exchange: Exchange, stage: ComparisonStage, expected: Tree) -> str:
    """Return the kind of the difference from the tree ``expected``, without names and numbers."""
    verb, answer = tool_name(exchange.command), exchange.answer
    if lost_contents(exchange, expected):
        return "contents are lost"
    if answer.status == "ok":
        if has_another_name(exchange):
            return f"{verb} into a directory: another name than the source's own"
        return "the call succeeded; it should fail" if stage == "refusal" else f"{verb}: another effect"
    if stage == "effect":
        return "an effect with an error"
    where = " into a directory" if stage == "call" and _entered_directory(exchange) is not None else ""
    return f"{verb}{where} failed with {answer.error_kind}"


def attribute(exchange: Exchange, requirement: str, stage: ComparisonStage, expected: Tree) -> str:
    """Return the violated requirement. ``requirement``: the one that decides the call, with the tree ``expected``."""
    verb = tool_name(exchange.command)
    if tree_diff(_outside(exchange.before), _outside(exchange.after), times=False):
        return SANDBOX
    if exchange.answer.status == "ok" and has_another_name(exchange):
        return INTO_DIRECTORY[verb]
    if exchange.answer.status != "ok":
        lost = lost_contents(exchange, expected)
        if not lost or requirement == SAME_FILE:
            return requirement
        return LOST_SOURCE if _source_contents(exchange) & lost else LOST_OTHER
    if requirement in (INTO_DIRECTORY[verb], FALLBACK) and stage == "entries" and not _is_elsewhere(exchange, expected):
        return TRANSFERRED[verb]
    return requirement


def lost_contents(exchange: Exchange, expected: Tree) -> Counter[bytes]:
    """Return the contents of files that existed, should still exist and do not."""
    return (_contents(exchange.before) & _contents(expected)) - _contents(exchange.after)


def has_another_name(exchange: Exchange) -> bool:
    """Return whether the source is in the directory that was the destination, but not under its own name.

    Nothing else has changed.
    """
    source = components(exchange.command.arguments["source"])
    directory = _entered_directory(exchange)
    if not source or directory is None:
        return False
    top, final, start = (_in_tree(path) for path in (directory, (*directory, source[-1]), source))
    before, after = by_path(exchange.before), by_path(exchange.after)
    added, gone = after.keys() - before.keys(), before.keys() - after.keys()
    if not added or not all(path.startswith(top + b"/") and path != final for path in added):
        return False
    if not all(path == start or path.startswith(start + b"/") for path in gone):
        return False
    kept = before.keys() & after.keys()
    trees = (from_paths({path: nodes[path] for path in kept}) for nodes in (before, after))
    return not tree_diff(*trees, times=False)


def _entered_directory(exchange: Exchange) -> Path | None:
    """Return the directory that was the destination, or that a link there leads to; None if it was none."""
    state = State.from_tree(subtree(exchange.before, ROOT_NAME))
    try:
        found = state.follow(components(exchange.command.arguments["destination"]))
    except LeadsOutside:
        return None
    return found.path if found.reachable and state.is_directory(found.path) else None


def _in_tree(path: Path) -> bytes:
    return b"/".join((ROOT_NAME, *path))


def _outside(tree: Tree) -> Tree:
    return Tree(tuple(node for node in tree.entries if node.name != ROOT_NAME))


def _contents(tree: Tree) -> Counter[bytes]:
    found = [node for node in by_path(tree).values() if node.kind is Kind.FILE and node.hardlink is None and node.size]
    return Counter(node.content if node.content is not None else b"%d zeros" % node.size for node in found)


def _source_contents(exchange: Exchange) -> Counter[bytes]:
    """Return what the source held; its path may lead through links."""
    state = State.from_tree(subtree(exchange.before, ROOT_NAME))
    try:
        start = state.follow(components(exchange.command.arguments["source"])).path
    except LeadsOutside:
        return Counter()
    nodes = [state.node_at(path) for path in (start, *state.below(start))]
    return Counter(node.content for node in nodes if node is not None and node.content is not None)


def _is_elsewhere(exchange: Exchange, expected: Tree) -> bool:
    """Return whether the call made or changed entries, and none that it should have."""
    before, after, due = (by_path(tree) for tree in (exchange.before, exchange.after, expected))
    changed = {path for path, node in after.items() if _key(node) != _key(before.get(path))}
    wanted = {path for path, node in due.items() if _key(node) != _key(before.get(path))}
    return bool(changed) and not changed & wanted


def _key(node: Node | None) -> tuple[object, ...]:
    return () if node is None else (node.kind, node.size, node.content, node.target, node.hardlink)
