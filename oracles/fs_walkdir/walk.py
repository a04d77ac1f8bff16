"""The elements that a walk reports, or the reason for its failure.

Links are reported and not followed. The bits of the owner apply: without the read bit the names in a directory cannot
be read, without the search bit the metadata of its entries cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from treeproof.api import DEFAULT_MTIME_NS, Kind, Node

_PLAIN_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9]*(\.[a-z]+)?")
SPECIAL_KINDS = (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV, Kind.BLOCKDEV)

MAX_SIGNED_NS = 2**63
"""Instants beyond it do not fit into 64 bits of nanoseconds."""

Unreadable = Literal["unreadable", "gone"]


@dataclass(frozen=True)
class ExpectedElement:
    """An expected element. Without `mtime_ns`, any time is right.

    `is_optional`: it may be left out, being a directory that cannot be read (AMB-WD-24), or behind a long path.
    """

    raw_path: bytes
    node: Node
    mtime_ns: int | None
    is_optional: bool = False

    @cached_property
    def path(self) -> str:
        """Return the path, with U+FFFD for bytes that are not UTF-8."""
        return self.raw_path.decode("utf-8", "replace")

    @property
    def is_utf8(self) -> bool:
        """Return whether all names in the path are texts."""
        return self.path.encode() == self.raw_path

    @property
    def is_special(self) -> bool:
        """Return whether it is a FIFO, a socket or a device."""
        return self.node.kind in SPECIAL_KINDS

    @property
    def has_hidden_name(self) -> bool:
        """Return whether a name in the path begins with a dot."""
        return b"/." in b"/" + self.raw_path

    @property
    def has_simple_names(self) -> bool:
        """Return whether all names in the path are plain ones, which no program treats in a way of its own."""
        return all(map(_PLAIN_NAME.fullmatch, self.raw_path.split(b"/")))


class UnreadableEntry(Exception):
    """The walk fails. `is_gone`: only because an entry has vanished (AMB-WD-19)."""

    def __init__(self, reason: str, kind: Unreadable) -> None:
        super().__init__(reason)
        self.is_gone = kind == "gone"


@dataclass(frozen=True)
class WalkRules:
    """How a walk goes. `skips`: what cannot be read is left out (AMB-WD-24); `skips_gone`: what is gone (AMB-WD-19).

    `looks_inside`: the tool opens each entry and looks at it from inside, so a directory must be searchable even if it
    is empty, and a file readable.
    `meets_faults`: the faults of the tree are met; a tool need not make the call that fails. `max_path`: the bytes of a
    path behind which all may be too long (AMB-WD-20).
    """

    skips: bool = False
    skips_gone: bool = False
    looks_inside: bool = False
    meets_faults: bool = True
    max_path: int | None = None

    def can_skip(self, kind: Unreadable) -> bool:
        """Return whether what cannot be read for this reason is left out."""
        return self.skips_gone if kind == "gone" else self.skips


@dataclass(frozen=True)
class WalkQuestions:
    """What a walk meets that tools meet in several ways."""

    closed_inside: bool = False
    fault: bool = False
    long_time: bool = False
    longest_path: int = 0


def walk(top: Node, rules: WalkRules) -> tuple[ExpectedElement, ...]:
    """Return all elements below a directory. Raises UnreadableEntry."""
    return tuple(_below(top, rules))


def questions_of(top: Node) -> WalkQuestions:
    """Return what the walk of a directory meets."""
    closed = fault = long_time = False
    longest = 0
    pending = [(top, 0)]
    while pending:
        node, length = pending.pop()
        mode = 0o700 if node.mode is None else node.mode
        closed = closed or (node.kind is Kind.DIR and not node.children and mode & 0o500 == 0o400)
        closed = closed or (node.kind is Kind.FILE and not mode & 0o400)
        fault = fault or bool(node.faults)
        if node is not top and node.kind is not Kind.SYMLINK and node.mtime_ns is not None:
            long_time = long_time or not -MAX_SIGNED_NS <= node.mtime_ns < MAX_SIGNED_NS
        longest = max(longest, length)
        pending += [(child, length + len(child.name) + 1) for child in node.children]
    return WalkQuestions(closed, fault, long_time, longest)


def _unreadable(directory: Node, prefix: bytes, rules: WalkRules) -> UnreadableEntry | None:
    """Return why the content of a directory cannot be listed, None if it can."""
    mode = 0o700 if directory.mode is None else directory.mode
    if rules.meets_faults and directory.faults & {"readdir", "reread"}:
        kind: Unreadable = "gone" if directory.error == "ENOENT" else "unreadable"
        return UnreadableEntry("a directory cannot be read", kind)
    if not mode & 0o400:
        return UnreadableEntry("a directory cannot be read", "unreadable")
    if (directory.children or rules.looks_inside) and not mode & 0o100:
        return UnreadableEntry("the metadata of entries cannot be read", "unreadable")
    if rules.max_path is not None and len(prefix) > rules.max_path and not rules.skips:
        return UnreadableEntry("a path is too long", "unreadable")
    return None


def _entry_error(node: Node, rules: WalkRules) -> UnreadableEntry | None:
    """Return why the metadata of an entry cannot be had, None if they can."""
    if rules.meets_faults and "lstat" in node.faults:
        if node.error == "ENOENT":
            return UnreadableEntry("an entry has vanished", "gone")
        return UnreadableEntry("the metadata of an entry cannot be read", "unreadable")
    if rules.looks_inside and node.kind is Kind.FILE and node.mode is not None and not node.mode & 0o400:
        return UnreadableEntry("a file cannot be opened", "unreadable")
    return None


def _below(top: Node, rules: WalkRules) -> Iterator[ExpectedElement]:
    pending = [*_entries(top, b"", rules)][::-1]  # no recursion: a tree has more levels than Python takes calls
    while pending:
        element, is_entered = pending.pop()
        yield element
        if is_entered:
            pending += [*_entries(element.node, element.raw_path + b"/", rules)][::-1]


def _entries(directory: Node, prefix: bytes, rules: WalkRules) -> Iterator[tuple[ExpectedElement, bool]]:
    """Yield the elements of one directory, and whether each is entered."""
    error = _unreadable(directory, prefix, rules)
    if error is not None:
        if not rules.can_skip("gone" if error.is_gone else "unreadable"):
            raise error
        if "reread" in directory.faults:  # what was read before the fault may be kept
            for child in directory.children:
                yield _element(prefix + child.name, child, is_optional=True), False
        return
    for child in directory.children:
        raw_path, is_directory = prefix + child.name, child.kind is Kind.DIR
        error = _entry_error(child, rules)
        if error is not None:
            if not rules.can_skip("gone" if error.is_gone else "unreadable"):
                raise error
            continue
        is_long = rules.max_path is not None and len(raw_path) > rules.max_path
        is_closed = is_directory and _unreadable(child, raw_path + b"/", rules) is not None
        yield _element(raw_path, child, is_optional=is_long or is_closed), is_directory


def _element(raw_path: bytes, node: Node, *, is_optional: bool) -> ExpectedElement:
    mtime_ns = DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns
    return ExpectedElement(raw_path, node, None if node.kind is Kind.SYMLINK else mtime_ns, is_optional)
