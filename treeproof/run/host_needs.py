"""Derives the host features that a scenario needs from its tags, steps and trees.

Builds and runs nothing. Feature names are those of `treeproof.tree.PROBES`; `treeproof.tree.Host` probes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.step_definitions import StepMatcher
from treeproof.tree import Kind, Node, Tree, parse_tree

# ext4 supports sizes below 16 TiB and times from 1901 to 2446.
_ORDINARY_SIZE = 2**44 - 2**12
_ORDINARY_SECONDS = range(-(2**31), 15_032_385_536)
_FULL_OWNER_MODE = {Kind.DIR: 0o700}


def needs_of(case: ScenarioCase, matcher: StepMatcher) -> frozenset[str]:
    """Return the host features that the scenario needs. ``matcher`` finds the step definitions of its pack."""
    found = set(case.needs)
    for step in case.steps:
        for definition in matcher.matching(step.keyword_type, step.text):
            found.update(definition.info.needs)
            notation = definition.tree_notation(step)
            if notation:
                found.update(needs_of_tree(parse_tree(notation)))
    return frozenset(found)


def needs_of_tree(tree: Tree) -> Iterable[str]:
    """Yield the host features needed to build this tree and to inject its faults."""
    yield from _case_collisions(tree.entries)
    for _, node in tree.walk():
        yield from _needs_of_node(node)
        yield from _case_collisions(node.children)


def _needs_of_node(node: Node) -> Iterable[str]:
    if node.faults:
        yield "strace"
    if not _is_utf8(node.name):
        yield "non_utf8_names"
    if node.size >= _ORDINARY_SIZE:
        yield "huge_files"
    if node.mtime_ns is not None and node.mtime_ns // 10**9 not in _ORDINARY_SECONDS:
        yield "wide_mtimes"
    if node.mode is not None and ~node.mode & _FULL_OWNER_MODE.get(node.kind, 0):
        yield "drop_caps"
    match node.kind:
        case Kind.SYMLINK:
            yield "symlinks"
        case Kind.FIFO | Kind.SOCKET:
            yield "special_files"
        case Kind.CHARDEV | Kind.BLOCKDEV:
            yield "mknod"
        case Kind.FILE | Kind.DIR:
            pass


def _case_collisions(siblings: Sequence[Node]) -> Iterable[str]:
    names = {node.name.decode("utf-8", "surrogateescape").casefold() for node in siblings}
    if len(names) < len(siblings):
        yield "case_sensitive"


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True
