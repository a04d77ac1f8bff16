"""What a walk of the recipe meets, element by element, or why it ends with an error.

Links are met and never followed. Modes are those that bind the owner: without the read bit a directory has no names
for him, without the search bit its names have no metadata.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from treeproof.api import DEFAULT_MTIME_NS, Kind, Node

SPECIAL_KINDS = (Kind.FIFO, Kind.SOCKET, Kind.CHARDEV)


@dataclass(frozen=True)
class ExpectedElement:
    """One element that is due. `sizes` None: any number that is not below 0. `ns` None: no matter."""

    raw_path: bytes
    node: Node
    sizes: tuple[int, ...] | None
    mtime_ns: int | None

    @property
    def path(self) -> str:
        """The path, with U+FFFD for what is not UTF-8."""
        return "/".join(name.decode("utf-8", "replace") for name in self.raw_path.split(b"/"))

    @property
    def is_utf8(self) -> bool:
        return "\ufffd" not in self.path

    @property
    def is_special(self) -> bool:
        return self.node.kind in SPECIAL_KINDS


class UnreadableEntry(Exception):
    """The walk meets what cannot be read or looked at. `hidden`: who leaves hidden names out does not meet it."""

    def __init__(self, why: str, *paths: bytes) -> None:
        super().__init__(why)
        self.only_hidden = all(b"/." in b"/" + path for path in paths)


def walk(
    top: Node | None, children: tuple[Node, ...], directory_sizes: tuple[int, ...] | None
) -> tuple[ExpectedElement, ...]:
    """Everything below a directory. Raises Broken."""
    return tuple(_below(top, children, b"", directory_sizes))


def _below(
    here: Node | None, children: tuple[Node, ...], above: bytes, sizes: tuple[int, ...] | None
) -> Iterator[ExpectedElement]:
    mode = 0o700 if here is None or here.mode is None else here.mode
    faults = frozenset() if here is None else here.faults
    if not mode & 0o400 or faults & {"readdir", "reread"}:
        raise UnreadableEntry("a directory cannot be read", above)
    if children and not mode & 0o100:
        raise UnreadableEntry(
            "entries of a directory cannot be looked at", *(above + child.name for child in children)
        )
    for child in children:
        if "lstat" in child.faults:
            raise UnreadableEntry("an entry cannot be looked at", above + child.name)
        raw = above + child.name
        ns = DEFAULT_MTIME_NS if child.mtime_ns is None else child.mtime_ns
        match child.kind:
            case Kind.FILE:
                yield ExpectedElement(raw, child, (child.size,), ns)
            case Kind.DIR:
                yield ExpectedElement(raw, child, sizes, ns)
                yield from _below(child, child.children, raw + b"/", sizes)
            case Kind.SYMLINK:
                yield ExpectedElement(raw, child, None, None)
            case _:
                yield ExpectedElement(raw, child, None, ns)
