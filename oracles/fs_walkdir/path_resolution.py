"""The resolution of the arguments to the directory of the tree where a walk starts, or to the expected failure.

First each `..` removes the name before it from the text. Then the names are resolved one by one. Links are followed
inside the sandbox.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from treeproof.api import Kind, Node, Tree, Unmodelled

from ..shared.reading_choices import ReadingChoices

MAX_NAME_BYTES, MAX_PATH_BYTES, MAX_LINKS = 255, 4000, 40
SANDBOX_NAME = b"root"
"""The name of the sandbox root in its parent; a path that leaves the sandbox and contains it may lead back."""

_BEHIND_ANOTHER = "two dots behind a name that is no searchable directory"
_SIMPLE_NAME = re.compile(rb"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
"""Names without capitals, blanks, quotes, backslashes, repeated dots or a dot at the end."""


@dataclass(frozen=True)
class ExpectedFailure:
    """An expected nil. `may_fail`: an error of the call is accepted, too.

    `has_rare_path`: a tool may refuse the path for signs in it.
    """

    requirement: str
    reason: str
    other_requirements: tuple[str, ...] = ()
    may_fail: bool = False
    allows_empty_list: bool = False
    has_rare_path: bool = False


@dataclass(frozen=True)
class ResolvedDirectory:
    """A directory to walk. `node` is None for the sandbox root. `is_simple_path`: the path has only simple names.

    `has_dot_dot`: the path contains `..`. `through_link`: it contains a link. `ends_in_link`: its last name is a link.
    `is_absolute`: the path is absolute and is joined to the sandbox (AMB-WD-10).
    """

    node: Node | None
    children: tuple[Node, ...]
    path: str
    is_simple_path: bool
    has_dot_dot: bool = False
    through_link: bool = False
    ends_in_link: bool = False
    is_absolute: bool = False

    @property
    def is_sandbox_itself(self) -> bool:
        """Return whether the path has nothing but dots and slashes."""
        return not set(self.path.split("/")) - {"", "."}

    @property
    def has_slash_behind(self) -> bool:
        """Return whether the path ends in a slash, or in a slash and a dot."""
        return self.path.endswith(("/", "/."))


def parse_arguments(arguments: Any, readings: ReadingChoices) -> str | ExpectedFailure:
    """Return the path of valid arguments, or the failure (Behaviour 1)."""
    if not isinstance(arguments, dict) or set(arguments) != {"path"}:
        values = list(arguments.values()) if isinstance(arguments, dict) else []
        if len(values) == 1 and isinstance(values[0], str) and values[0] and readings["AMB-WD-25"] == "place":
            return values[0]
        return ExpectedFailure("WD-ARG-01", "path is not the one argument", ("WD-ARG-02",), may_fail=True)
    path = arguments["path"]
    if not isinstance(path, str):
        return ExpectedFailure("WD-ARG-02", "path is no string", ("WD-ARG-01",), may_fail=True)
    if path == "":
        return ExpectedFailure("WD-ARG-03", "path is empty", may_fail=True)
    return path


def resolve_path(tree: Tree, path: str, readings: ReadingChoices) -> ResolvedDirectory | ExpectedFailure:
    """Return the directory at a path, or the failure. Raises Unmodelled if the tree does not determine it."""
    if path.startswith("file://"):  # taken as it is written, the first name is missing
        path = path.replace("$OUTSIDE", "")
    if "$ROOT" in path or "$OUTSIDE" in path or not path.isascii() and not _is_encodable(path):
        raise Unmodelled("the path has a placeholder, or cannot be encoded")
    if "\0" in path:
        return ExpectedFailure("WD-ERR-02", "the path holds a NUL", ("WD-SEC-01",))
    is_absolute = path.startswith("/")
    if is_absolute and readings["AMB-WD-10"] != "joined":
        return ExpectedFailure("WD-SEC-01", "the path is absolute", ("WD-ARG-04", "WD-ERR-02"))
    names = [name.encode() for name in path.split("/") if name not in ("", ".")]
    has_dot_dot = b".." in names
    if has_dot_dot:
        given = names
        names, is_plain = _remove_dot_dot(tree, given)
        if names and names[0] == b"..":
            if SANDBOX_NAME in names or is_absolute:
                raise Unmodelled("the path leaves the sandbox and may lead back")
            return ExpectedFailure("WD-SEC-01", "the path leads out of the sandbox", ("WD-ERR-02", "WD-SEC-02"))
        manner = "text" if is_plain else readings.choose(_BEHIND_ANOTHER, ("text", "disk", "refused"))
        if manner == "refused":
            return ExpectedFailure("WD-ARG-04", "two dots follow a name that is no open directory", ("WD-ERR-02",))
        names = names if manner == "text" else given
    is_simple = "/".join(map(bytes.decode, names)) == path and all(map(_SIMPLE_NAME.fullmatch, names))
    found = _PathWalker(tree).resolve(names, path, is_simple, has_dot_dot)
    if isinstance(found, ExpectedFailure) and not all(map(_SIMPLE_NAME.fullmatch, names)):
        others = (*found.other_requirements, "WD-ARG-04")
        return replace(found, other_requirements=others, has_rare_path=True)
    if isinstance(found, ResolvedDirectory):
        return replace(found, is_absolute=is_absolute)
    return found


def _is_encodable(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _remove_dot_dot(tree: Tree, names: list[bytes]) -> tuple[list[bytes], bool]:
    """Return the names without `..`, except those that lead above the sandbox: they stay in front.

    Returns also whether each `..` follows a searchable directory; otherwise text and system give different places.
    """
    is_plain = True
    above: list[bytes] = []
    inside: list[bytes] = []
    for name in names:
        if name != b"..":
            inside.append(name)
        elif not inside:
            above.append(name)
        else:
            directory = tree.find(b"/".join(inside))
            if (directory is None or directory.kind is not Kind.DIR or not _searchable(directory)) and not above:
                is_plain = False
            inside.pop()
    return above + inside, is_plain


def _searchable(directory: Node) -> bool:
    return directory.mode is None or directory.mode & 0o100 != 0


class _PathWalker:
    """Follows names and links in the tree, starting at the sandbox root."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.stack: list[Node] = []

    def resolve(
        self, names: list[bytes], path: str, is_simple: bool, dot_dot: bool
    ) -> ResolvedDirectory | ExpectedFailure:
        if sum(len(name) + 1 for name in names) > MAX_PATH_BYTES:
            return ExpectedFailure("WD-ERR-04", "the path is too long", ("WD-ERR-03",))
        pending, links, count = list(names), 0, len(names)
        through = ends = False
        while pending:
            name = pending.pop(0)
            if name in (b"", b"."):
                continue
            if name == b"..":
                if not self.stack:
                    return self.leaves_sandbox(pending, ends)
                self.stack.pop()
                continue
            node = self.child(name, bool(pending))
            if isinstance(node, ExpectedFailure):
                return node
            if node.kind is not Kind.SYMLINK:
                if node.kind is not Kind.DIR:
                    below = "WD-ERR-04" if [n for n in pending if n not in (b"", b".")] else "WD-ERR-05"
                    return ExpectedFailure(below, "the path does not lead to a directory", ("WD-ERR-05", "WD-ERR-04"))
                self.stack.append(node)
                continue
            links += 1
            if links > MAX_LINKS:
                return ExpectedFailure("WD-ERR-04", "the links form a loop", ("WD-ERR-03",))
            if links == 1 or not through:
                through, ends = True, not pending
            target = node.target or b""
            if target == b"$ROOT" or target.startswith(b"$ROOT/"):
                self.stack, target = [], target[len(b"$ROOT") :]
            elif target.startswith((b"/", b"$OUTSIDE")):
                return self.leaves_sandbox([*target.split(b"/"), *pending], not pending)
            pending = [*target.split(b"/"), *pending]
        directory = self.stack[-1] if self.stack else None
        children = self.tree.entries if directory is None else directory.children
        return ResolvedDirectory(directory, children, path, is_simple and count > 0, dot_dot, through, ends)

    def child(self, name: bytes, is_inner: bool) -> Node | ExpectedFailure:
        directory = self.stack[-1] if self.stack else None
        if directory is not None and not _searchable(directory):
            return ExpectedFailure("WD-ERR-04", "the path leads through a directory that cannot be searched")
        if len(name) > MAX_NAME_BYTES:
            return ExpectedFailure("WD-ERR-04", "a name is too long", ("WD-ERR-03",))
        siblings = self.tree.entries if directory is None else directory.children
        for node in siblings:
            if node.name == name:
                if "lstat" in node.faults:
                    return ExpectedFailure("WD-ERR-04", "the metadata of the start cannot be read")
                return node
        return ExpectedFailure("WD-ERR-03", "the start does not exist", ("WD-ERR-04",) if is_inner else ())

    def leaves_sandbox(self, pending: list[bytes], ends: bool) -> ExpectedFailure:
        """Return the failure for a link that leads out of the sandbox."""
        if SANDBOX_NAME in pending:
            raise Unmodelled("a link leaves the sandbox and may lead back")
        return ExpectedFailure("WD-SEC-02", "a link leads out of the sandbox", ("WD-ERR-02",), allows_empty_list=ends)
