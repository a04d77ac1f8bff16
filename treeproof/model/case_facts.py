"""The facts of one call that a table of inputs classifies: its target, the entries there, its roots, its arguments.

Everything is computed from the tree and the call alone; no model and no answer is used.
"""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treeproof.model.case import Case
from treeproof.tree import DEFAULT_MTIME_NS, ROOT_NAME, Kind, Node

TARGETS = (
    *("a directory", "an empty directory", "an unreadable directory", "a file", "a special file", "nothing"),
    *("a loop", "below a file", "behind a closed directory", "outside", "nothing outside"),
)
"""What a path can lead to."""

WAYS = (
    *("plain", "omitted", "no text", "the root", "empty", "parent", "ancestor", "down and out", "slash", "absolute"),
    *("sibling that continues the name of the root", "sibling that differs in case", "link", "link out"),
    *("parent of a link", "missing name behind a link out", "dot", "double slash", "final slash", "up inside"),
    *("elsewhere",),
)
"""How a path can lead there; one path can be several."""

ENTRY_KINDS = (
    *("file", "empty file", "directory", "empty directory", "unreadable directory", "closed directory", "hard link"),
    *("link to a file", "link to a directory", "link to a link", "link to its own directory", "looping link"),
    *("dangling link", "link out to a file", "link out to a directory", "dangling link out", "link to a special file"),
    *("absolute link", "fifo", "socket", "device", "entry without metadata"),
)
"""The kinds of an entry; one entry can be of several."""

NAME_TWINS = ("case twin", "form twin", "prefix of another name")
"""How a name can resemble another one of its directory."""

ROOTS = (
    *("the root", "several roots", "a root in another root", "a root that is a link", "the root of the file system"),
    *("a missing root", "a root that is a file", "another root"),
)
"""What the sandbox roots of a call can be."""

EARLIER = ("no earlier call", "an earlier call", "an earlier call on another tree")
"""What has happened before a call."""

_MAX_HOPS = 40
_MAX_ENTRIES = 3000
"""Of a larger tree only the first entries are classified: the rest are like them."""

Place = tuple[bytes, ...]
"""The components of a path below the directory that contains the sandbox root."""

_ROOT: Place = (ROOT_NAME,)


@dataclass(frozen=True)
class Found:
    """What a path leads to: a place, its node (None for nothing) and the way there."""

    place: Place
    node: Node | None
    problem: str = ""
    """`loop`, `below a file`, `closed` or `elsewhere`; empty if every directory on the way is there."""
    passed_link: bool = False
    left_root: bool = False
    parent_of_link: bool = False


class Surroundings:
    """The tree of a case and the one beside it, as one tree of places."""

    def __init__(self, case: Case) -> None:
        self._top = Node(
            b"top", Kind.DIR, children=(Node(ROOT_NAME, Kind.DIR, children=case.tree.entries), *case.outside.entries)
        )
        self._children: dict[int, dict[bytes, Node]] = {}

    def child(self, node: Node, name: bytes) -> Node | None:
        """Return the entry of this name in a directory."""
        if id(node) not in self._children:
            self._children[id(node)] = {one.name: one for one in node.children}
        return self._children[id(node)].get(name)

    def node_at(self, place: Place) -> Node | None:
        """Return the node at a place, without following links."""
        node: Node | None = self._top
        for name in place:
            if node is None or node.kind is not Kind.DIR:
                return None
            node = self.child(node, name)
        return node

    def find(self, path: str | bytes, start: Place, *, follow: bool = True) -> Found:
        """Return what a path leads to from a directory; a link at its end is followed with `follow`."""
        text = os.fsencode(path)
        place, parts = _start_of(text, start)
        if parts is None:
            return Found((), None, "elsewhere")
        passed = left = parent_of_link = False
        hops, after_link = 0, False
        queue = [(part, True) for part in reversed(parts)]
        while queue:
            part, is_own = queue.pop()  # the others are of the target of a link
            if part in (b"", b"."):
                continue
            was_link, after_link = after_link, after_link and not is_own
            if part == b"..":
                parent_of_link = parent_of_link or (is_own and was_link)
                if not place:
                    return Found((), None, "elsewhere", passed, True, parent_of_link)
                place = place[:-1]
            else:
                above = self.node_at(place)
                if above is None or above.kind is not Kind.DIR:
                    return Found(place, None, "below a file" if above is not None else "", passed, left, parent_of_link)
                if above.mode is not None and not above.mode & 0o100:
                    return Found(place, None, "closed", passed, left, parent_of_link)
                node = self.child(above, part)
                if node is None:
                    missing = (*place, part, *(one for one, _ in reversed(queue) if one not in (b"", b".")))
                    return Found(missing, None, "", passed, left or missing[:1] != _ROOT, parent_of_link)
                if node.kind is Kind.SYMLINK and (follow or queue):
                    hops, passed, after_link = hops + 1, True, after_link or is_own
                    if hops > _MAX_HOPS:
                        return Found((*place, part), node, "loop", True, left, parent_of_link)
                    place, further = _start_of(node.target or b"", place)
                    if further is None:
                        return Found((), None, "elsewhere", True, True, parent_of_link)
                    queue += [(part, False) for part in reversed(further)]
                    left = left or place[:1] != _ROOT
                    continue
                place = (*place, part)
            left = left or place[:1] != _ROOT
        return Found(place, self.node_at(place), "", passed, left, parent_of_link)


def _start_of(text: bytes, start: Place) -> tuple[Place, list[bytes] | None]:
    """Return where a path begins and its components; None for an absolute path outside of the placeholders."""
    for name, place in ((b"$ROOT", _ROOT), (b"$OUTSIDE", ())):
        if text == name or text.startswith(name + b"/"):
            return place, text[len(name) :].split(b"/")
    return (start, None) if text.startswith(b"/") else (start, text.split(b"/"))


def target_of(case: Case, path: Any, surroundings: Surroundings) -> Found | None:
    """Return what the path of a call leads to, the working directory if it is omitted; None for no text."""
    working = case.context.get("working_dir", "$ROOT")
    base = surroundings.find(working, _ROOT) if isinstance(working, str) else Found(_ROOT, None)
    if path is None:
        path = "."
    if not isinstance(path, str) or "\0" in path:
        return None
    return surroundings.find(path, base.place)


def describe_target(found: Found | None) -> str:
    """Return what a path leads to, one of TARGETS."""
    if found is None or found.problem == "elsewhere":
        return "outside"
    if found.problem == "loop":
        return "a loop"
    is_inside = found.place[:1] == _ROOT
    if not is_inside:
        return "outside" if found.node is not None else "nothing outside"
    if found.problem:
        return "below a file" if found.problem == "below a file" else "behind a closed directory"
    node = found.node
    match node.kind if node is not None else None:
        case None:
            return "nothing"
        case Kind.DIR:
            assert node is not None
            if node.mode is not None and not node.mode & 0o400:
                return "an unreadable directory"
            return "a directory" if node.children else "an empty directory"
        case Kind.FILE:
            return "a file"
    return "a special file"


def ways_of(path: Any, is_given: bool, found: Found | None) -> Iterator[str]:
    """Yield how a path leads to its target: some of WAYS."""
    if not is_given:
        yield "omitted"
        return
    if not isinstance(path, str):
        yield "no text"
        return
    parts = path.split("/")
    named = [part for part in parts if part not in ("", ".")]
    if path == "":
        yield "empty"
    elif path == "/":
        yield "slash"
    elif path in (".", "$ROOT", "./"):
        yield "the root"
    elif path.rstrip("/") == "..":
        yield "parent"
    elif named and set(named) == {".."}:
        yield "ancestor"
    elif parts[0] in ("", "$ROOT", "$OUTSIDE"):
        yield "absolute"
    if named and named[0] != ".." and _climbs_out(named) and parts[0] not in ("", "$OUTSIDE"):
        yield "down and out"
    elif ".." in named[1:] and named[0] != "..":
        yield "up inside"
    if "." in parts and len(named) > 0:
        yield "dot"
    if "//" in path:
        yield "double slash"
    if path.endswith("/") and named:
        yield "final slash"
    if found is None:
        return
    root = ROOT_NAME
    top = found.place[:1]
    if found.problem == "elsewhere":
        yield "elsewhere"
    if top and top[0] != root and not found.passed_link:
        if top[0].startswith(root):
            yield "sibling that continues the name of the root"
        elif top[0].lower() == root.lower():
            yield "sibling that differs in case"
    if found.parent_of_link:
        yield "parent of a link"
    if found.passed_link:
        if not found.left_root:
            yield "link"
        elif found.node is None and found.problem == "" and not found.parent_of_link:
            yield "missing name behind a link out"
        else:
            yield "link out"
    if (
        len(named) == len(parts)
        and ".." not in named
        and not found.passed_link
        and parts[0] not in ("$ROOT", "$OUTSIDE")
    ):
        yield "plain"


def _climbs_out(parts: Sequence[str]) -> bool:
    level = -1 if parts[0] == "$ROOT" else 0
    for part in parts:
        level += -1 if part == ".." else 1
        if level < 0 and part == "..":
            return True
    return False


def roots_of(case: Case, surroundings: Surroundings) -> Iterator[str]:
    """Yield what the sandbox roots of a call are: some of ROOTS."""
    roots = case.context.get("roots", ["$ROOT"])
    if not isinstance(roots, list) or not all(isinstance(one, str) for one in roots):
        return
    if len(roots) > 1:
        yield "several roots"
    found = [surroundings.find(one, ()) for one in roots]
    for one, path in zip(found, roots, strict=True):
        if path == "$FAR":  # on another file system
            yield "another root"
        elif path == "/":
            yield "the root of the file system"
        elif one.node is None:
            yield "a missing root"
        elif one.passed_link:
            yield "a root that is a link"
        elif one.node.kind is Kind.FILE:
            yield "a root that is a file"
        elif one.place == _ROOT:
            yield "the root"
        else:
            yield "another root"
    places = [one.place for one in found if one.node is not None]
    if any(one != other and other[: len(one)] == one for one in places for other in places):
        yield "a root in another root"


@dataclass(frozen=True)
class EntryFacts:
    """The facts of one entry below the target. `size` is in bytes, `time` in ms since 1970, `level` from 1."""

    kinds: tuple[str, ...]
    name: str
    twins: tuple[str, ...]
    size: int | None
    time: float
    mode: int | None
    level: int


def entries_below(found: Found | None, surroundings: Surroundings, *, deep: bool) -> Iterator[EntryFacts]:
    """Yield the facts of the entries of the target; of all levels with `deep`, without following links."""
    if found is None or found.node is None or found.node.kind is not Kind.DIR:
        return
    stack: list[tuple[Place, Node, int]] = [(found.place, found.node, 1)]
    count = 0
    while stack:
        place, directory, level = stack.pop()
        twins = _Twins(directory.children)
        for node in directory.children:
            count += 1
            if count > _MAX_ENTRIES:
                return
            time = DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns
            yield EntryFacts(
                tuple(_entry_kinds(node, place, surroundings)),
                node.name.decode("utf-8", "surrogateescape"),
                tuple(twins.of(node.name)),
                node.size if node.kind is Kind.FILE and node.hardlink is None else None,
                time / 1_000_000,
                node.mode,
                level,
            )
            if deep and node.kind is Kind.DIR:
                stack.append(((*place, node.name), node, level + 1))


def levels_below(found: Found | None) -> int:
    """Return the number of levels of entries below the target."""
    node = None if found is None else found.node
    level, current = 0, list(node.children) if node is not None else []
    while current:
        level += 1
        current = [child for one in current for child in one.children]
    return level


_SPECIAL = {Kind.FIFO: "fifo", Kind.SOCKET: "socket", Kind.CHARDEV: "device", Kind.BLOCKDEV: "device"}


def _entry_kinds(node: Node, place: Place, surroundings: Surroundings) -> Iterator[str]:
    if node.faults:
        yield "entry without metadata"
    match node.kind:
        case Kind.FILE:
            if node.hardlink is not None:
                yield "hard link"
            elif node.size == 0:
                yield "empty file"
            else:
                yield "file"
        case Kind.DIR:
            if node.mode is not None and not node.mode & 0o400:
                yield "unreadable directory"
            elif node.mode is not None and not node.mode & 0o100:
                yield "closed directory"
            else:
                yield "directory" if node.children else "empty directory"
        case Kind.SYMLINK:
            yield from _link_kinds(node, place, surroundings)
        case _:
            yield _SPECIAL[node.kind]


def _link_kinds(node: Node, place: Place, surroundings: Surroundings) -> Iterator[str]:
    target = node.target or b""
    if target.startswith((b"/", b"$")):
        yield "absolute link"
    found = surroundings.find(target, place)
    is_out = found.left_root or found.problem == "elsewhere"
    if found.problem == "loop":
        yield "looping link"
    elif found.node is None:
        yield "dangling link out" if is_out else "dangling link"
    elif found.place[:1] != _ROOT:
        yield "link out to a directory" if found.node.kind is Kind.DIR else "link out to a file"
    elif found.node.kind is Kind.DIR:
        yield "link to its own directory" if place[: len(found.place)] == found.place else "link to a directory"
    else:
        yield "link to a file" if found.node.kind is Kind.FILE else "link to a special file"
    if found.passed_link and found.problem != "loop":
        yield "link to a link"


class _Twins:
    """The names of a directory, to find those that resemble another one."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._names = sorted(node.name for node in nodes) if len(nodes) <= _MAX_ENTRIES else []
        texts = [name.decode("utf-8", "surrogateescape") for name in self._names]
        self._folded = Counter(text.casefold() for text in texts)
        self._forms = Counter(unicodedata.normalize("NFC", text) for text in texts)
        self._prefixes = {
            one for one, other in zip(self._names, self._names[1:], strict=False) if other.startswith(one)
        }

    def of(self, name: bytes) -> Iterator[str]:
        """Yield what resembles a name of the directory: some of NAME_TWINS."""
        text = name.decode("utf-8", "surrogateescape")
        form = unicodedata.normalize("NFC", text)
        if self._forms[form] > 1:
            yield "form twin"
        elif self._folded[text.casefold()] > 1:
            yield "case twin"
        if name in self._prefixes:
            yield "prefix of another name"


def member_at(members: Mapping[str, Any], path: str) -> tuple[bool, Any]:
    """Return whether a dotted path has a value in nested objects, and the value."""
    value: Any = members
    for key in path.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return False, None
        value = value[key]
    return True, value
