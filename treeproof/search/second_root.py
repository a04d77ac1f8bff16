"""The second sandbox root of a sequence of calls, on another file system: built, read, and removed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from treeproof.run.session import Session
from treeproof.tree import (
    ROOT_NAME,
    Kind,
    Tree,
    Workspace,
    build_tree,
    by_path,
    find_base_on_other_file_system,
    from_paths,
    nest,
    subtree,
)

FAR_NAME = b"far"
"""The directory at the top of a tree that stands for the second sandbox root."""


class SecondRoots:
    """Builds second roots for a candidate; none without the capability, or without another file system."""

    def __init__(self, session: Session) -> None:
        others = session.candidate.other_workspaces
        self._workspace = None if others is None else others.far
        has_roots = others is None and "roots" in session.candidate.initialize_result.capabilities
        self._base = find_base_on_other_file_system(session.workspace.path) if has_roots else None

    @contextlib.contextmanager
    def build(self, tree: Tree) -> Iterator[bytes | None]:
        """Build the second root of a tree and yield its path; None if it has none. Raises CannotBuild."""
        far = next((node for node in tree.entries if node.name == FAR_NAME and node.kind is Kind.DIR), None)
        if far is None or (self._workspace is None and self._base is None):
            yield None
            return
        with contextlib.ExitStack() as stack:
            workspace = self._workspace
            if workspace is None:
                workspace = Workspace.create(self._base)
                stack.callback(workspace.remove)
            root = workspace.create_sandbox("sequence")
            stack.callback(workspace.remove_sandbox, root)
            build_tree(Tree(far.children), root)
            yield root


def without_second_root(tree: Tree) -> Tree:
    """Return a tree without the directory of the second root."""
    return Tree(tuple(node for node in tree.entries if node.name != FAR_NAME))


def with_second_root(tree: Tree) -> Tree:
    """Return the tree of a sandbox root in which the link to the second root is that directory."""
    nodes = by_path(subtree(tree, ROOT_NAME))
    if FAR_NAME not in nodes or nodes[FAR_NAME].target != b"$FAR":
        return from_paths(nodes)
    return from_paths({**nodes, **by_path(nest(subtree(tree, b"$FAR"), FAR_NAME))})
