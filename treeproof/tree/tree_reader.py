"""Reads a directory as a tree, and compares trees.

The result is normalised, so that equal states are equal values: siblings sorted by name, zeros as a mere size, and
of a file with several names the first path has the content. Reading changes nothing, follows no link and opens no
pipe or device.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import replace
from operator import attrgetter

from treeproof.tree.deep_walk import open_file, walk_directories
from treeproof.tree.name_notation import format_path
from treeproof.tree.notation import render_tree
from treeproof.tree.recipe import Kind, Node, Tree, by_path

MAX_CONTENT_BYTES = 16 * 1024 * 1024
"""Bytes of the longest file whose content is read; for longer ones only the size."""

_MAX_ENTRIES = 20_000
_MAX_QUOTED_BYTES = 60

_KINDS = {
    stat.S_IFREG: Kind.FILE,
    stat.S_IFDIR: Kind.DIR,
    stat.S_IFLNK: Kind.SYMLINK,
    stat.S_IFIFO: Kind.FIFO,
    stat.S_IFSOCK: Kind.SOCKET,
    stat.S_IFBLK: Kind.BLOCKDEV,
}
_NodesByPath = dict[bytes, Node]


def read_tree(root: bytes) -> Tree:
    """Return the tree in the directory `root`, with permissions and times; empty if there is no directory.

    At most 20,000 entries are read.
    """
    found: _NodesByPath = {}
    inodes: dict[tuple[int, int], list[bytes]] = {}
    try:
        for prefix, directory, entries in walk_directories(root):
            for entry in entries:
                if len(found) == _MAX_ENTRIES:
                    return _with_hard_links(found, inodes.values())
                name = os.fsencode(entry.name)
                try:
                    status = entry.stat(follow_symlinks=False)
                    found[prefix + name] = _read_node(name, status, directory)
                except OSError:  # gone meanwhile
                    continue
                if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
                    inodes.setdefault((status.st_dev, status.st_ino), []).append(prefix + name)
    except OSError:
        return Tree(())
    return _with_hard_links(found, inodes.values())


def normalise(tree: Tree, substitutions: Mapping[bytes, bytes] | None = None) -> Tree:
    """Return a tree in the form of `read_tree`, with `substitutions` replaced in link targets."""
    flat: _NodesByPath = {}
    groups: dict[bytes, list[bytes]] = {}
    for path, node in by_path(tree).items():
        target = None if node.target is None else node.target_with(substitutions or {})
        if node.faults or target != node.target:
            node = replace(node, target=target, faults=frozenset(), error=None)
        flat[path] = _with_content(node, node.content)
        if node.hardlink is not None:
            groups.setdefault(node.hardlink, [node.hardlink]).append(path)
            first = tree.find(node.hardlink)
            assert first is not None  # the notation refuses others
            flat[path] = _with_content(replace(first, name=node.name, faults=frozenset(), error=None), first.content)
    return _with_hard_links(flat, groups.values())


def nest(tree: Tree, name: bytes) -> Tree:
    """Return a tree with `name` as its only entry, a directory that contains `tree`."""
    moved = {
        name + b"/" + path: replace(
            node,
            children=(),
            hardlink=None if node.hardlink is None else name + b"/" + node.hardlink,
        )
        for path, node in tree.walk()
    }
    return from_paths({name: Node(name, Kind.DIR), **moved})


def subtree(tree: Tree, name: bytes) -> Tree:
    """Return the contents of the directory `name` of the tree: the inverse of `nest`."""
    start = name + b"/"
    found: _NodesByPath = {}
    for path, node in tree.walk():
        if path.startswith(start):
            is_link = node.hardlink is not None
            own = replace(node, hardlink=(node.hardlink or b"").removeprefix(start)) if is_link else node
            found[path.removeprefix(start)] = own
    return from_paths(found)


def from_paths(entries: Mapping[bytes, Node]) -> Tree:
    """Return the tree of entries by path, siblings sorted by name; entries without a parent directory are left out."""
    children: dict[bytes, list[Node]] = {}
    for path in sorted(entries, key=lambda path: (path.count(b"/"), path), reverse=True):
        parent, _, name = path.rpartition(b"/")
        node = entries[path]
        below = children.pop(path, ()) if node.kind is Kind.DIR else ()
        if node.name != name:
            node = node.with_children(_by_name(below), name)
        elif below or node.children:
            node = node.with_children(_by_name(below))
        children.setdefault(parent, []).append(node)
    return Tree(_by_name(children.get(b"", ())))


def _by_name(siblings: Iterable[Node]) -> tuple[Node, ...]:
    return tuple(sorted(siblings, key=_name_of))


_name_of = attrgetter("name")


def without_default_metadata(tree: Tree, *, times: bool = False) -> Tree:
    """Return the tree without default permissions, and without times unless ``times``."""

    def plain(node: Node) -> Node:
        default = 0o755 if node.kind is Kind.DIR else 0o644
        mode = None if node.mode == default else node.mode
        time = node.mtime_ns if times else None
        return node if (mode, time) == (node.mode, node.mtime_ns) else node.with_metadata(mode, time)

    return from_paths({path: plain(node) for path, node in tree.walk()})


def notations_of(expected: Tree, actual: Tree) -> tuple[str, str]:
    """Return two trees as text: without times, unless only these differ; then with those that differ."""
    plain = [without_default_metadata(one) for one in (expected, actual)]
    if plain[0] == plain[1]:
        times = [{path: node.mtime_ns for path, node in one.walk()} for one in (expected, actual)]
        wrong = {path for path, time in times[0].items() if time is not None and time != times[1][path]}
        plain = [
            from_paths(
                {
                    path: node.with_metadata(node.mode, shown[path] if path in wrong else None)
                    for path, node in one.walk()
                }
            )
            for one, shown in zip(plain, times, strict=True)
        ]
    return render_tree(plain[0]), render_tree(plain[1])


def tree_diff(expected: Tree, actual: Tree, *, times: bool = True) -> list[str]:
    """Return the differences between two normalised trees, one line per entry; [] if there are none.

    Permissions and times count if `expected` has them, times only with ``times``.
    """
    if expected is actual:
        return []
    expected_nodes, actual_nodes = by_path(expected), by_path(actual)
    lines = []
    for path in sorted({*expected_nodes, *actual_nodes}):
        want, have = expected_nodes.get(path), actual_nodes.get(path)
        if have is None:
            lines.append(f"- {format_path(path)}: is not there")
        elif want is None:
            lines.append(f"+ {format_path(path)}: {describe_entry(have)}, should not be there")
        else:
            lines += [f"{format_path(path)}: {text}" for text in _entry_diff(want, have, times)]
    return lines


def describe_entry(node: Node) -> str:
    """Return a short description of an entry."""
    match node.kind:
        case Kind.FILE if node.hardlink is not None:
            return f"another name of {format_path(node.hardlink)}"
        case Kind.FILE:
            return f"a file of {node.size} byte{'' if node.size == 1 else 's'}{_quote(node.content)}"
        case Kind.DIR:
            return "a directory"
        case Kind.SYMLINK:
            return f"a link to {format_path(node.target or b'')}"
        case _:
            special = {Kind.FIFO: "a named pipe", Kind.SOCKET: "a socket", Kind.BLOCKDEV: "a block device"}
            return special.get(node.kind, "a device")


def _entry_diff(want: Node, have: Node, times: bool) -> Iterable[str]:
    if (want.kind, want.target, want.hardlink) != (have.kind, have.target, have.hardlink):
        yield f"is {describe_entry(have)}, should be {describe_entry(want)}"
        return
    if (want.size, want.content) != (have.size, have.content):
        yield f"is {describe_entry(have)}, should be {describe_entry(want)}"
    if want.mode is not None and want.mode != have.mode:
        yield f"has the mode {have.mode or 0:04o}, should have {want.mode:04o}"
    if times and want.mtime_ns is not None and want.mtime_ns != have.mtime_ns:
        yield f"was modified at {have.mtime_ns} ns, should be {want.mtime_ns} ns"


def _quote(content: bytes | None) -> str:
    if content is None:
        return ""
    excerpt = content[:_MAX_QUOTED_BYTES].decode("utf-8", "backslashreplace")
    return f' ("{excerpt}{"…" if len(content) > _MAX_QUOTED_BYTES else ""}")'


def _with_hard_links(found: _NodesByPath, groups: Iterable[Iterable[bytes]]) -> Tree:
    for group in groups:
        first, *others = sorted(set(group))
        for path in others:
            found[path] = Node(found[path].name, Kind.FILE, hardlink=first)
    return from_paths(found)


def _read_node(name: bytes, status: os.stat_result, directory: int) -> Node:
    kind = _KINDS.get(stat.S_IFMT(status.st_mode), Kind.CHARDEV)
    mode, time = stat.S_IMODE(status.st_mode), status.st_mtime_ns
    match kind:
        case Kind.SYMLINK:
            return Node(name, kind, target=os.readlink(name, dir_fd=directory), mtime_ns=time)
        case Kind.FILE:
            content = _read_content(directory, name, status.st_size)
            size = status.st_size if content is None else len(content)
            return Node(name, kind, size=size, content=content, mode=mode, mtime_ns=time)
        case _:
            return Node(name, kind, mode=mode, mtime_ns=time)


def _with_content(node: Node, content: bytes | None) -> Node:
    if content is None or not content.strip(b"\0"):
        return replace(node, content=None) if node.content is not None else node
    return node if node.content == content else replace(node, content=content, size=len(content))


def _read_content(directory: int, name: bytes, size: int) -> bytes | None:
    """Return the content of a file; None if it is large, unreadable or nothing but zeros, as a sparse file's."""
    if not 0 < size <= MAX_CONTENT_BYTES:
        return None
    try:
        with open_file(directory, name) as file:
            content = file.read(MAX_CONTENT_BYTES)
    except OSError:
        return None
    return content if content.strip(b"\0") else None
