"""What a scenario needs of the machine, read from its text: tags, sentences, and the trees that it names.

Nothing is built or run here; whether the machine has it is asked of `treeproof.tree.Machine`. Names are those of
`treeproof.tree.PROBES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treeproof.run.pack_lint import notation_in_step
from treeproof.spec.gherkin import ScenarioCase
from treeproof.spec.step_definitions import StepDefinition
from treeproof.tree import Kind, Node, Tree, parse_tree

# What ext4 holds without complaint: sizes below 16 TiB, times from 1901 to 2446.
_ORDINARY_SIZE = 2**44 - 2**12
_ORDINARY_SECONDS = range(-(2**31), 15_032_385_536)
_FULL_OWNER_MODE = {Kind.DIR: 0o700}


def needs_of(case: ScenarioCase, step_definitions: Sequence[StepDefinition]) -> frozenset[str]:
    """Return what the machine must have so that the scenario can be verified. ``sentences`` are its pack's."""
    found = set(case.needs)
    special = [sentence for sentence in step_definitions if sentence.needs]
    for step in case.steps:
        for sentence in special:
            if sentence.accepts_keyword(step.keyword_type) and sentence.matches(step.text):
                found.update(sentence.needs)
        notation = notation_in_step(step)
        if notation:
            found.update(needs_of_tree(parse_tree(notation)))
    return frozenset(found)


def needs_of_tree(tree: Tree) -> Iterable[str]:
    """Yield what a machine needs to make this tree, and to make its faults happen."""
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
        case Kind.CHARDEV:
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
