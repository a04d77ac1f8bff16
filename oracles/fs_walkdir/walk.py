"""The elements that a walk reports, or the reason for its failure.

Links are reported and not followed. The bits of the owner apply: without the read bit the names in a directory cannot
be read, without the search bit the metadata of its entries cannot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treeproof.api import DEFAULT_MTIME_NS, Kind, Node

_PLAIN_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9]*(\.[a-z]+)?")
SPECIAL_KINDS = (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV, Kind.BLOCKDEV)


@dataclass(frozen=True)
class ExpectedElement:
    """An expected element. `sizes` None: any number, at least 0. `mtime_ns` None: any time."""

    raw_path: bytes
    node: Node
    sizes: tuple[int, ...] | None
    mtime_ns: int | None
    is_optional: bool = False
    """A directory that cannot be read, which may be left out with its content (AMB-WD-24)."""

    @property
    def path(self) -> str:
        """Return the path, with U+FFFD for bytes that are not UTF-8."""
        return "/".join(name.decode("utf-8", "replace") for name in self.raw_path.split(b"/"))

    @property
    def is_utf8(self) -> bool:
        return "\ufffd" not in self.path

    @property
    def is_special(self) -> bool:
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
    """The walk fails at these paths. `only_hidden`: a candidate that omits hidden names reaches none of them."""

    def __init__(self, reason: str, *paths: bytes) -> None:
        super().__init__(reason)
        self.only_hidden = all(b"/." in b"/" + path for path in paths)


@dataclass(frozen=True)
class WalkRules:
    """How a walk goes. `directory_sizes` None: any number. `skips`: what cannot be read is left out (AMB-WD-24).

    `looks_inside`: the tool also looks at each directory from inside, so it must be searchable even if it is empty.
    """

    directory_sizes: tuple[int, ...] | None
    skips: bool = False
    looks_inside: bool = False


def walk(top: Node | None, children: tuple[Node, ...], rules: WalkRules) -> tuple[ExpectedElement, ...]:
    """Return all elements below a directory. Raises UnreadableEntry."""
    return tuple(_below(top, children, b"", rules))


def has_closed_empty_directory(top: Node | None, children: tuple[Node, ...]) -> bool:
    """Return whether an empty directory of the walk can be read and not searched."""
    mode = 0o700 if top is None or top.mode is None else top.mode
    closed = not children and mode & 0o500 == 0o400
    return closed or any(
        has_closed_empty_directory(child, child.children) for child in children if child.kind is Kind.DIR
    )


def _unreadable(
    directory: Node | None, children: tuple[Node, ...], prefix: bytes, rules: WalkRules
) -> UnreadableEntry | None:
    """Return why the content of a directory cannot be listed, None if it can."""
    mode = 0o700 if directory is None or directory.mode is None else directory.mode
    faults = frozenset() if directory is None else directory.faults
    if not mode & 0o400 or faults & {"readdir", "reread"}:
        return UnreadableEntry("a directory cannot be read", prefix)
    if (children or rules.looks_inside) and not mode & 0o100:
        paths = [prefix + child.name for child in children]
        return UnreadableEntry("the metadata of entries cannot be read", *(paths or [prefix]))
    return None


def _below(
    directory: Node | None, children: tuple[Node, ...], prefix: bytes, rules: WalkRules
) -> Iterator[ExpectedElement]:
    error = _unreadable(directory, children, prefix, rules)
    if error is not None:
        if rules.skips:
            return
        raise error
    for child in children:
        raw_path = prefix + child.name
        if "lstat" in child.faults:
            if rules.skips:
                continue
            raise UnreadableEntry("the metadata of an entry cannot be read", raw_path)
        mtime_ns = DEFAULT_MTIME_NS if child.mtime_ns is None else child.mtime_ns
        match child.kind:
            case Kind.FILE:
                # A reader of doubles has no exact number beyond 2^53.
                yield ExpectedElement(raw_path, child, (child.size,) if child.size <= 2**53 else None, mtime_ns)
            case Kind.DIR:
                is_optional = _unreadable(child, child.children, raw_path + b"/", rules) is not None
                yield ExpectedElement(raw_path, child, rules.directory_sizes, mtime_ns, is_optional)
                yield from _below(child, child.children, raw_path + b"/", rules)
            case Kind.SYMLINK:
                yield ExpectedElement(raw_path, child, None, None)
            case _:
                yield ExpectedElement(raw_path, child, None, mtime_ns)
