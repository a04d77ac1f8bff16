"""The walk: the qualifying entries of the tree, their order, and the members of entries that cannot be read.

Depth-first, siblings by their lossy names, filters before counting (FR-LD-LST-01 to -08). The bits of the owner apply:
without the read bit a directory cannot be read, without the search bit the metadata of its entries cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby, islice, permutations
from operator import attrgetter
from typing import TypeAlias

from treeproof.api import DEFAULT_MTIME_NS, Kind, Node, Tree, Unmodelled

from ..shared.reading_choices import ReadingChoices
from .arguments import Request
from .document import ExpectedEntry
from .lossy_names import lossy_decodings
from .path_resolution import listable, searchable

PLACEHOLDER_ERROR_TEXT = "the suite's own words"
"""The placeholder for the `error` of an entry, for which any text is accepted."""

_TYPES = {
    Kind.FILE: "file",
    Kind.DIR: "dir",
    Kind.SYMLINK: "symlink",
    Kind.FIFO: "other",
    Kind.SOCKET: "other",
    Kind.CHARDEV: "other",
    Kind.BLOCKDEV: "other",
}
_PERMISSION_ERRORS = ("EACCES", "EPERM")
_IO_ERRORS = ("EIO",)

ShownNames = Mapping[bytes, tuple[str, ...]]
"""The texts in an answer that a name may have, for a name that is not UTF-8 (AMB-LD-12, other)."""

NS_PER_MS = 1_000_000
MAX_ORDERS = 24
_LAST_EXACT_DOUBLE = 2**53
_LAST_FOUR_DIGIT_MS = 253402300799999
_LAST_UNAMBIGUOUS_MS = 9223372036854
_BOUNDS = {
    "a": (0, 2**63),
    "b": (-(2**63), 2**63),
    "c": (-8640000000000000, 8640000000000001),
    "f": (-9223372036854, 9223372036855),  # 64 bits of nanoseconds
}
"""The accepted range of milliseconds, end excluded, by the readings of AMB-LD-25."""


@dataclass(frozen=True)
class WalkResult:
    """The qualifying entries in walk order, without a limit.

    `visit_counts[n]`: the number of entries visited up to entry n, inclusive; `visited`: the number of all visited
    entries. `is_entered[n]`: whether entry n is a directory that the walk enters. `has_open_order`: names that are one
    text are in the order of their bytes, although any order may be right.
    """

    entries: tuple[ExpectedEntry, ...]
    visit_counts: tuple[int, ...]
    is_entered: tuple[bool, ...]
    visited: int
    has_open_order: bool


def walk(
    tree: Tree,
    top: Node | None,
    children: tuple[Node, ...],
    request: Request,
    readings: ReadingChoices,
    shown: ShownNames,
    *,
    chooses_order: bool = False,
) -> WalkResult:
    """Walk the requested directory of a tree, which can be read. Raises Unmodelled.

    `chooses_order`: names that are one text are in each order that is right; that matters if the listing is cut.
    """
    walker = _Walker(tree, request, readings, shown, chooses_order)
    entries, visit_counts, is_entered = [], [], []
    for entry, enters in _flattened(walker.directory(top, children, "", b"", 1)):
        walker.visited += 1
        if entry is not None:
            walker.shown += 1
            entries.append(entry)
            visit_counts.append(walker.visited)
            is_entered.append(enters)
    return WalkResult(tuple(entries), tuple(visit_counts), tuple(is_entered), walker.visited, walker.has_open_order)


def readable(directory: Node, readings: ReadingChoices) -> bool:
    """Return whether the walk enters a directory; without the search bit that depends on AMB-LD-57."""
    if "reread" in directory.faults:
        raise Unmodelled("a directory whose names can be read only in part (AMB-LD-46)")
    if "readdir" in directory.faults or not listable(directory):
        return False
    return searchable(directory) or readings["AMB-LD-57"] == "a"


def decode_name(name: bytes, readings: ReadingChoices, shown: ShownNames) -> str:
    """Return the name as text (NFR-LD-REL-02)."""
    if name.isascii():
        return name.decode("ascii")
    texts = lossy_decodings(name)
    if len(set(texts.values())) == 1:
        return texts["maximal_subpart"]
    label = readings["AMB-LD-12"]
    if label in texts:
        return texts[label]
    return str(readings.choose(f"the text of {name!r}", shown.get(name) or (texts["maximal_subpart"],)))


_Visit: TypeAlias = tuple[ExpectedEntry | None, bool]
"""A visited entry (None for a filtered one), and whether the walk enters it."""

_Visits: TypeAlias = "Iterator[_Visit | _Visits]"


def _flattened(visits: _Visits) -> Iterator[_Visit]:
    """Yield nested visits in their order. Generators within each other would end at the depth of Python's stack."""
    levels = [visits]
    while levels:
        visit = next(levels[-1], None)
        if visit is None:
            levels.pop()
        elif isinstance(visit, tuple):
            yield visit
        else:
            levels.append(visit)


class _Walker:
    def __init__(
        self, tree: Tree, request: Request, readings: ReadingChoices, shown: ShownNames, chooses_order: bool
    ) -> None:
        self.tree = tree
        self.shown_names = shown
        self.request = request
        self.readings = readings
        self.visited = 0
        self.shown = 0
        self.included = {
            "file": request.files,
            "dir": request.dirs,
            "symlink": request.symlinks,
            "other": request.other,
        }
        self.chooses_order, self.has_open_order = chooses_order, False

    def directory(
        self, parent: Node | None, children: tuple[Node, ...], prefix: str, raw_prefix: bytes, depth: int
    ) -> _Visits:
        """Yield every visited entry, and the visits below each that the walk enters."""
        if depth > self.request.max_depth:  # a configured depth that cannot be used may leave nothing (AMB-LD-32)
            return
        for name, node in self.ordered(children, raw_prefix):
            path, raw = prefix + name, raw_prefix + node.name
            if name.startswith(".") and not self.request.hidden:
                yield None, False
            elif self.lacks_metadata(node, parent, path):
                yield self.unknown(name, path, raw, depth, node, entered=self.enters(node, depth)), False
                if "lstat" in node.faults and self.enters_unknown(node, depth, path):
                    yield self.directory(node, node.children, path + "/", raw + b"/", depth + 1)
            elif not self.enters(node, depth):
                yield self.healthy(name, path, raw, depth, node), False
            elif readable(node, self.readings):
                yield self.healthy(name, path, raw, depth, node), True
                yield self.directory(node, node.children, path + "/", raw + b"/", depth + 1)
            else:
                yield from self.unreadable(name, path, raw, depth, node)

    def ordered(self, children: tuple[Node, ...], location: bytes) -> Iterator[tuple[str, Node]]:
        """Yield the children sorted by their lossy names; equal ones by their bytes, or in any order (AMB-LD-13)."""
        named = sorted(
            (decode_name(child.name, self.readings, self.shown_names), child.name, child) for child in children
        )
        for name, group in groupby(named, key=lambda item: item[0]):
            alike = [child for _, _, child in group]
            if len(alike) > 1 and self.readings["AMB-LD-13"] != "a":
                self.has_open_order = True
                if self.chooses_order:
                    alike = self.readings.choose(f"order of {name} in {location!r}", _different_orders(alike))
            for child in alike:
                yield name, child

    def enters(self, node: Node, depth: int) -> bool:
        return node.kind is Kind.DIR and depth < self.request.max_depth

    def lacks_metadata(self, node: Node, parent: Node | None, path: str) -> bool:
        """Return whether an entry is `unknown`; below a directory whose own metadata fail, they may fail as well."""
        if "lstat" in node.faults or (parent is not None and not searchable(parent)):
            return True
        is_open = parent is not None and "lstat" in parent.faults
        return is_open and bool(self.readings.choose(f"the metadata of {path}", (False, True)))

    def enters_unknown(self, node: Node, depth: int, path: str) -> bool:
        """Return whether the walk enters a directory whose kind only its parent's record contains (AMB-LD-66)."""
        if not self.enters(node, depth) or not readable(node, self.readings) or self.readings["AMB-LD-66"] != "b":
            return False
        return bool(self.readings.choose(f"whether {path} can be entered", (True, False)))

    def healthy(self, name: str, path: str, raw: bytes, depth: int, node: Node) -> ExpectedEntry | None:
        kind = _TYPES[node.kind]
        if not self.included[kind]:
            return None
        if node.hardlink is not None:
            node = self.tree.find(node.hardlink) or node
        size = node.size if node.kind is Kind.FILE else None
        times = accepted_times(node, self.readings)
        is_large = any(abs(number or 0) > _LAST_EXACT_DOUBLE for number in (size, *times))
        return ExpectedEntry(
            name,
            path,
            depth,
            kind,
            size,
            times,
            name.startswith("."),
            raw_path=raw,
            has_doubles=is_large and self.readings["AMB-LD-61"] == "b",
        )

    def unknown(self, name: str, path: str, raw: bytes, depth: int, node: Node, *, entered: bool) -> ExpectedEntry:
        """Return an entry without metadata; a directory that the walk tries to enter may have the code for that."""
        error = (node.error if "lstat" in node.faults else None) or "EACCES"
        codes = _accepted_error_codes(error, self.readings)
        if entered and self.readings["AMB-LD-66"] == "b":
            codes = (*codes, "read_dir_failed")
        return ExpectedEntry(
            name,
            path,
            depth,
            "unknown",
            None,
            (None,),
            name.startswith("."),
            codes,
            PLACEHOLDER_ERROR_TEXT,
            raw_path=raw,
        )

    def unreadable(self, name: str, path: str, raw: bytes, depth: int, node: Node) -> Iterator[_Visit]:
        """Yield an unreadable directory: its entry is `unknown`, or a second one is (AMB-LD-03)."""
        healthy = self.healthy(name, path, raw, depth, node)
        append = self.readings["AMB-LD-03"] == "append"
        if append and healthy is not None:
            yield healthy, True
        # The last entry within the limit may be listed before the candidate tries to read the directory.
        at_the_limit = healthy is not None and not append and self.shown + 1 == self.request.max_entries
        if at_the_limit and self.readings["AMB-LD-45"] == "a":
            yield healthy, True
            return
        times = {"a": accepted_times(node, self.readings), "b": (None,)}
        accepted = dict.fromkeys(time for label in self.readings.accepted_labels("AMB-LD-04") for time in times[label])
        yield (
            ExpectedEntry(
                name,
                path,
                depth,
                "unknown",
                None,
                tuple(accepted),
                name.startswith("."),
                ("read_dir_failed",),
                PLACEHOLDER_ERROR_TEXT,
                raw_path=raw,
            ),
            False,
        )


_all_but_the_name = attrgetter(*(one.name for one in fields(Node) if one.compare and one.name != "name"))


def _different_orders(nodes: Sequence[Node]) -> list[tuple[Node, ...]]:
    """Return the orders of entries with one name as text. Entries that differ only in their bytes are alike."""
    found: dict[tuple[int, ...], tuple[Node, ...]] = {}
    others = list(map(_all_but_the_name, nodes))
    numbers = list(map(others.index, others))
    for order in islice(permutations(range(len(nodes))), MAX_ORDERS):
        found.setdefault(tuple(numbers[at] for at in order), tuple(nodes[at] for at in order))
    return list(found.values())


def accepted_times(node: Node, readings: ReadingChoices) -> tuple[int | None, ...]:
    """Return all accepted values of modified_epoch_ms, the recommended one first."""
    ns = DEFAULT_MTIME_NS if node.mtime_ns is None else node.mtime_ns
    if not ns % NS_PER_MS and 0 <= ns <= _LAST_UNAMBIGUOUS_MS * NS_PER_MS:
        return (ns // NS_PER_MS,)
    rounded = {
        "floor": (ns // NS_PER_MS,),
        "trunc": (-(-ns // NS_PER_MS) if ns < 0 else ns // NS_PER_MS,),
        "nearest": _nearest(ns),
    }
    labels = readings.accepted_labels("AMB-LD-26") if ns % NS_PER_MS else ("floor",)
    accepted: dict[int | None, None] = {}
    for ms in (ms for label in labels for ms in rounded[label]):
        if 0 <= ms <= _LAST_UNAMBIGUOUS_MS:
            accepted[ms] = None
            if ns < 0 and "a" in readings.accepted_labels("AMB-LD-25"):  # before 1970, though it rounds to 1970
                accepted[None] = None
            continue
        for label in readings.accepted_labels("AMB-LD-25"):
            low, high = _BOUNDS.get(label, (ms, _LAST_FOUR_DIGIT_MS + 1 if label == "d" else ms + 1))
            accepted[ms if low <= ms < high else None] = None
    return tuple(accepted)


def _nearest(ns: int) -> tuple[int, ...]:
    below, rest = divmod(ns, NS_PER_MS)
    if rest * 2 == NS_PER_MS:
        return (below, below + 1)
    return (below,) if rest * 2 < NS_PER_MS else (below + 1,)


def _accepted_error_codes(error: str, readings: ReadingChoices) -> tuple[str, ...]:
    """Return the accepted codes for the cause (AMB-LD-11), the recommended one first."""
    by_cause: dict[str, tuple[str, ...]]
    if error in _PERMISSION_ERRORS:
        by_cause = {"a": ("permission_denied",), "b": ("metadata_unavailable",), "c": ("permission_denied",)}
    elif error in _IO_ERRORS:
        by_cause = {"a": ("io_error",), "b": ("metadata_unavailable",), "c": ("io_error",)}
    else:
        by_cause = {
            "a": ("metadata_unavailable",),
            "b": ("metadata_unavailable",),
            "c": ("io_error", "unknown"),
        }
    by_cause["d"] = ("io_error", "unknown")
    codes = (code for label in readings.accepted_labels("AMB-LD-11") for code in by_cause[label])
    return tuple(dict.fromkeys(codes))
