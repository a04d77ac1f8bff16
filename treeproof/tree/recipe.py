"""What a tree shall look like, as frozen values.

Only values and the rules that make one possible live here; their text form is in notation.py, and how they
come to be on a disk in builder.py.
"""

import enum
import errno
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

DEFAULT_MTIME_NS = 1_700_000_000_000 * 1_000_000
"""The time of every entry that names none: 13 digits in milliseconds, so that byte counts are exact."""

MAX_SIZE = 2**63 - 1

FAULT_SUFFIXES = {"lstat": "!L", "reread": "!R2", "readdir": "!R"}
"""Operations that shall fail on an entry, each with its suffix in the notation.

"readdir" is opening or reading a directory, "reread" reading on after its first names have come.
"""


class Fault(NamedTuple):
    """An operation, one of FAULTS, that shall fail on the entry at `path`, with an `error` such as "EIO"."""

    path: bytes
    operation: str
    error: str | None


class Kind(enum.StrEnum):
    """The kinds of directory entries that POSIX systems have (block devices and doors excepted)."""

    FILE = "file"
    DIR = "dir"
    SYMLINK = "symlink"
    FIFO = "fifo"
    SOCKET = "sock"
    CHARDEV = "chr"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One entry of a tree.

    `size` is in bytes and made without writing (sparse) unless `content` gives the bytes. `mtime_ns` is in
    nanoseconds since 1970, None for DEFAULT_MTIME_NS. `mode` holds permission bits, None for the builder's
    default. `hardlink` is the path, from the top of the tree, of the file whose second name this is. `faults`
    names operations of FAULTS that shall fail, `error` the symbol with which, such as "EIO"; None
    leaves it to whoever makes them fail.
    Raises ValueError, saying what to change, where no such entry can exist.
    """

    name: bytes
    kind: Kind
    size: int = 0
    content: bytes | None = None
    target: bytes | None = None
    mode: int | None = None
    mtime_ns: int | None = None
    faults: frozenset[str] = frozenset()
    error: str | None = None
    hardlink: bytes | None = None
    children: tuple["Node", ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        wrong = _name_problem(self.name) or _field_problem(self)
        if wrong is not None:
            raise ValueError(wrong)

    # Written out because what dataclass generates recurses, and a tree may be deeper than Python's stack.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and _nodes_equal((self,), (other,))

    def __hash__(self) -> int:
        return hash((self.name, self.kind, len(self.children)))


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The entries of one directory, in the order in which they are written.

    Raises ValueError when two of them share a name.
    """

    entries: tuple[Node, ...] = ()

    def __post_init__(self) -> None:
        wrong = _duplicate_name_problem(self.entries)
        if wrong is not None:
            raise ValueError(wrong)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and _nodes_equal(self.entries, other.entries)

    def __hash__(self) -> int:
        return hash(self.entries)

    def walk(self) -> Iterator[tuple[bytes, Node]]:
        """Every node with its path, directories before what they hold, siblings as written."""
        waiting = [(node.name, node) for node in reversed(self.entries)]
        while waiting:
            path, node = waiting.pop()
            yield path, node
            waiting.extend((path + b"/" + child.name, child) for child in reversed(node.children))

    def find(self, path: bytes) -> Node | None:
        """The node at `path` (components joined by `/`), None when the tree has none there."""
        siblings, found = self.entries, None
        for name in path.split(b"/"):
            found = next((node for node in siblings if node.name == name), None)
            if found is None:
                return None
            siblings = found.children
        return found

    def faults(self) -> tuple[Fault, ...]:
        """Every operation that shall fail, in the order of `walk`.

        The builder makes these entries like any other; making the operation fail is the caller's task.
        """
        return tuple(
            Fault(path, operation, node.error)
            for path, node in self.walk()
            for operation in sorted(node.faults)
        )


def _nodes_equal(nodes: tuple[Node, ...], others: tuple[Node, ...]) -> bool:
    waiting = [(nodes, others)]
    while waiting:
        some, same = waiting.pop()
        if len(some) != len(same):
            return False
        for one, other in zip(some, same, strict=True):
            if one is not other:
                if _own_fields(one) != _own_fields(other):
                    return False
                waiting.append((one.children, other.children))
    return True


def _own_fields(node: Node) -> tuple[object, ...]:
    return (
        *(node.name, node.kind, node.size, node.content, node.target),
        *(node.mode, node.mtime_ns, node.faults, node.error, node.hardlink),
    )


def _name_problem(name: bytes) -> str | None:
    if name in (b"", b".", b".."):
        return "an entry cannot have an empty name, '.' or '..'"
    if b"/" in name or b"\0" in name:
        return "a name cannot hold '/' or NUL; write directories as d/{…}"
    return None


def _field_problem(node: Node) -> str | None:
    kind = node.kind
    if kind is not Kind.SYMLINK and not node.children and _optional_fields(node) == _DEFAULT_FIELDS:
        return None  # nearly every entry of a wide tree
    rules = (
        (
            kind is not Kind.FILE and (node.size, node.content, node.hardlink) != (0, None, None),
            "only a regular file has a size, a content or a hard link",
        ),
        (not 0 <= node.size <= MAX_SIZE, f"a size lies between 0 and {MAX_SIZE} bytes"),
        (
            node.content is not None and len(node.content) != node.size,
            "the size is not that of the content",
        ),
        ((kind is Kind.SYMLINK) != (node.target is not None), "a link, and only a link, has a target"),
        (
            node.target is not None and (not node.target or b"\0" in node.target),
            "a link's target is neither empty nor holds NUL",
        ),
        (kind is Kind.SYMLINK and node.mode is not None, "a link has no mode of its own"),
        (
            node.mode is not None and not 0 <= node.mode <= 0o7777,
            "a mode lies between 0000 and 7777 (octal)",
        ),
        (not node.faults <= FAULT_SUFFIXES.keys(), "a fault is 'lstat', 'readdir' or 'reread'"),
        (
            node.error is not None and (not node.faults or not hasattr(errno, node.error)),
            "an error is that of a fault and has a name from errno.h, like !L=EIO",
        ),
        (
            kind is not Kind.DIR and not node.faults <= {"lstat"},
            "only the reading of a directory can fail (!R, !R2)",
        ),
        (kind is not Kind.DIR and bool(node.children), "only a directory holds entries; write d/{…}"),
        (
            node.hardlink is not None
            and (node.size, node.content, node.mode, node.mtime_ns) != (0, None, None, None),
            "a hard link shares size, content, mode and time with the file it names",
        ),
    )
    return next((wrong for broken, wrong in rules if broken), None) or _duplicate_name_problem(node.children)


_DEFAULT_FIELDS = (0, None, None, None, frozenset[str](), None, None)


def _optional_fields(node: Node) -> tuple[object, ...]:
    return (node.size, node.content, node.target, node.mode, node.faults, node.error, node.hardlink)


def _duplicate_name_problem(siblings: tuple[Node, ...]) -> str | None:
    if len(siblings) == len({node.name for node in siblings}):
        return None
    names = [node.name for node in siblings]
    twice = next(name for name in names if names.count(name) > 1).decode("utf-8", "backslashreplace")
    return f"two siblings are called '{twice}'; rename one of them"
