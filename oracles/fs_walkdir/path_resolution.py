"""From the arguments to the directory of the recipe where a walk starts, or to why there is none.

Text first (`..` takes back what stands before it), then name after name, links followed as long as they stay inside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from treeproof.api import Kind, Node, Tree, Unmodelled

MAX_NAME_BYTES, MAX_PATH_BYTES, MAX_LINKS = 255, 4000, 40
SANDBOX_NAME = b"root"
"""The name of the sandbox root in its parent; a path that leaves and names it may come back."""

_SIMPLE_NAME = re.compile(rb"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
"""Names without capitals, blanks, quotes, backslashes, repeated dots or a dot at the end."""


@dataclass(frozen=True)
class ExpectedFailure:
    """An expected nil. `may_fail`: an error of the call is accepted, too."""

    requirement: str
    reason: str
    other_requirements: tuple[str, ...] = ()
    may_fail: bool = False
    allows_empty_list: bool = False


@dataclass(frozen=True)
class ResolvedDirectory:
    """A directory to walk. `node` is None for the sandbox. `plain`: the path is one simple name, or several of them.

    `climbs`: the path has `..` in it. `through`: it goes through a link. `ends`: its last step is one.
    """

    node: Node | None
    children: tuple[Node, ...]
    path: str
    is_simple_path: bool
    has_dot_dot: bool = False
    through_link: bool = False
    ends_in_link: bool = False


def parse_arguments(arguments: Any) -> str | ExpectedFailure:
    """Return the path of valid arguments, or the failure (Behaviour 1)."""
    if not isinstance(arguments, dict) or set(arguments) != {"path"}:
        return ExpectedFailure("WD-ARG-01", "path is not the one argument", ("WD-ARG-02",), may_fail=True)
    path = arguments["path"]
    if not isinstance(path, str):
        return ExpectedFailure("WD-ARG-02", "path is no string", ("WD-ARG-01",), may_fail=True)
    if path == "":
        return ExpectedFailure("WD-ARG-03", "path is empty")
    return path


def resolve_path(tree: Tree, path: str) -> ResolvedDirectory | ExpectedFailure:
    """Return where a path leads. Raises Unmodelled if that depends on more than the tree."""
    if "$ROOT" in path or "$OUTSIDE" in path or not path.isascii() and not _is_encodable(path):
        raise Unmodelled("the path names a place of the run, or cannot be written")
    if "\0" in path:
        return ExpectedFailure("WD-ERR-02", "the path holds a NUL", ("WD-SEC-01",))
    if path.startswith("/"):
        return ExpectedFailure("WD-SEC-01", "the path is absolute", ("WD-ARG-04", "WD-ERR-02"))
    names = [name.encode() for name in path.split("/") if name not in ("", ".")]
    climbs = b".." in names
    if climbs:
        names = _remove_dot_dot(tree, names)
        if names and names[0] == b"..":
            if SANDBOX_NAME in names:
                raise Unmodelled("the path leaves the sandbox and comes back")
            return ExpectedFailure("WD-SEC-01", "the path leads out of the sandbox", ("WD-ERR-02", "WD-SEC-02"))
    plain = "/".join(map(bytes.decode, names)) == path and all(map(_SIMPLE_NAME.fullmatch, names))
    found = _PathWalker(tree).resolve(names, path, plain, climbs)
    if isinstance(found, ExpectedFailure) and not all(map(_SIMPLE_NAME.fullmatch, names)):
        return replace(found, other_requirements=(*found.other_requirements, "WD-ARG-04"))
    return found


def _is_encodable(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _remove_dot_dot(tree: Tree, names: list[bytes]) -> list[bytes]:
    """Return the names after removing `..`; those that climb above the sandbox stay in front.

    Raises Unmodelled where a step back from what is no directory might be taken for an error.
    """
    above: list[bytes] = []
    inside: list[bytes] = []
    for name in names:
        if name != b"..":
            inside.append(name)
        elif not inside:
            above.append(name)
        else:
            left = tree.find(b"/".join(inside))
            if (left is None or left.kind is not Kind.DIR or not _searchable(left)) and not above:
                raise Unmodelled("a step back from what is no directory")
            inside.pop()
    return above + inside


def _searchable(directory: Node) -> bool:
    return directory.mode is None or directory.mode & 0o100 != 0


class _PathWalker:
    """Follows names and links in the tree, from the sandbox root on."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.stack: list[Node] = []

    def resolve(self, names: list[bytes], path: str, plain: bool, climbs: bool) -> ResolvedDirectory | ExpectedFailure:
        if sum(len(name) + 1 for name in names) > MAX_PATH_BYTES:
            return ExpectedFailure("WD-ERR-04", "the path is too long", ("WD-ERR-03",))
        ahead, links, own = list(names), 0, len(names)
        through = ends = False
        while ahead:
            name = ahead.pop(0)
            if name in (b"", b"."):
                continue
            if name == b"..":
                if not self.stack:
                    return self.leaves_sandbox(ahead, ends)
                self.stack.pop()
                continue
            node = self.child(name, bool(ahead))
            if isinstance(node, ExpectedFailure):
                return node
            if node.kind is not Kind.SYMLINK:
                if node.kind is not Kind.DIR:
                    below = "WD-ERR-04" if [n for n in ahead if n not in (b"", b".")] else "WD-ERR-05"
                    return ExpectedFailure(below, "the path leads to what is no directory", ("WD-ERR-05", "WD-ERR-04"))
                self.stack.append(node)
                continue
            links += 1
            if links > MAX_LINKS:
                return ExpectedFailure("WD-ERR-04", "links lead to each other", ("WD-ERR-03",))
            if links == 1 or not through:
                through, ends = True, not ahead
            target = node.target or b""
            if target == b"$ROOT" or target.startswith(b"$ROOT/"):
                self.stack, target = [], target[len(b"$ROOT") :]
            elif target.startswith((b"/", b"$OUTSIDE")):
                return self.leaves_sandbox([*target.split(b"/"), *ahead], not ahead)
            ahead = [*target.split(b"/"), *ahead]
        here = self.stack[-1] if self.stack else None
        children = self.tree.entries if here is None else here.children
        return ResolvedDirectory(here, children, path, plain and own > 0, climbs, through, ends)

    def child(self, name: bytes, more: bool) -> Node | ExpectedFailure:
        here = self.stack[-1] if self.stack else None
        if here is not None and not _searchable(here):
            return ExpectedFailure("WD-ERR-04", "the path leads through a directory that nobody may enter")
        if len(name) > MAX_NAME_BYTES:
            return ExpectedFailure("WD-ERR-04", "a name is too long", ("WD-ERR-03",))
        siblings = self.tree.entries if here is None else here.children
        for node in siblings:
            if node.name == name:
                if "lstat" in node.faults:
                    return ExpectedFailure("WD-ERR-04", "the start cannot be looked at")
                return node
        return ExpectedFailure("WD-ERR-03", "the start is not there", ("WD-ERR-04",) if more else ())

    def leaves_sandbox(self, ahead: list[bytes], ends: bool) -> ExpectedFailure:
        """Return the failure for a link that leads out of the sandbox."""
        if SANDBOX_NAME in ahead:
            raise Unmodelled("a link leaves the sandbox and may come back")
        return ExpectedFailure("WD-SEC-02", "a link leads out of the sandbox", ("WD-ERR-02",), allows_empty_list=ends)
