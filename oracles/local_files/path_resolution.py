"""The resolution of a requested path to a directory of the tree, or to the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from treeproof.api import Kind, Node, Tree, Unmodelled

MAX_NAME_BYTES, MAX_PATH_BYTES, MAX_LINKS = 255, 3800, 20


@dataclass(frozen=True)
class ResolvedDirectory:
    """A directory; `node` is None for the sandbox root. `subpath` is its path below that.

    `is_respelt`: the requested path has another form. `ends_in_link`: its last name is a link.
    """

    node: Node | None
    children: tuple[Node, ...]
    subpath: str
    is_respelt: bool = False
    ends_in_link: bool = False


def resolve_directory(tree: Tree, subpath: str) -> ResolvedDirectory | str:
    """Return the directory at a path below the sandbox root, or why there is none. Raises Unmodelled."""
    if subpath and not subpath.startswith("/"):
        raise Unmodelled("the path does not continue that of the sandbox root")
    if "\0" in subpath:
        return "the path holds a NUL"
    given = subpath.split("/")[1:]
    names = [name for name in given if name not in ("", ".")]
    if len(subpath.encode()) > MAX_PATH_BYTES:
        raise Unmodelled("the path may be too long for the system")
    ends_in_link, is_respelt, links = False, given != names, 0
    stack: list[Node] = []
    pending = [(name.encode(), True) for name in names]
    while pending:
        name, is_given = pending.pop(0)
        if name in (b"", b"."):
            continue
        if name == b"..":
            if links or not stack:
                raise Unmodelled("a step up behind a link, or out of the sandbox")
            is_respelt = True
            stack.pop()
            continue
        if stack and stack[-1].mode is not None and not stack[-1].mode & 0o100:
            return "the path leads through a directory that cannot be searched"
        siblings = stack[-1].children if stack else tree.entries
        found = next((node for node in siblings if node.name == name), None)
        if found is None:
            if b".." in [part for part, _ in pending]:
                raise Unmodelled("a step up behind a name that is missing")
            return "the path does not exist"
        if found.kind is Kind.SYMLINK:
            target = found.target or b""
            links += 1
            if target.startswith((b"/", b"$")) or b".." in target.split(b"/"):
                raise Unmodelled("the path is a link to another place")
            if links > MAX_LINKS:
                return "the links form a circle"
            ends_in_link = ends_in_link or (is_given and not any(part not in (b"", b".") for part, _ in pending))
            is_respelt = True
            pending = [*((part, False) for part in target.split(b"/")), *pending]
            continue
        if found.kind is not Kind.DIR:
            if b".." in [part for part, _ in pending]:
                raise Unmodelled("a step up behind a file")
            return "the path is no directory"
        stack.append(found)
    directory = stack[-1] if stack else None
    below = "".join("/" + node.name.decode("utf-8", "replace") for node in stack)
    return ResolvedDirectory(
        directory, directory.children if directory else tree.entries, below, is_respelt, ends_in_link
    )
