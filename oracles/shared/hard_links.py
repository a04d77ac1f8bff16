"""Files with several names: each name has the size, the time and the permissions of the one file."""

from __future__ import annotations

from dataclasses import replace

from treeproof.api import Node, Tree


def with_own_metadata(tree: Tree) -> Tree:
    """Return the tree with the metadata of the file under each of its further names."""
    files = {path: node for path, node in tree.walk() if node.hardlink is None}
    if len(files) == sum(1 for _ in tree.walk()):
        return tree

    def resolved(node: Node) -> Node:
        if node.children:
            return node.with_children(tuple(map(resolved, node.children)))
        file = files.get(node.hardlink or b"")
        if file is None:
            return node
        return replace(file, name=node.name)

    return Tree(tuple(map(resolved, tree.entries)))
