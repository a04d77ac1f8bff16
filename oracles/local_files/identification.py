"""Which expected entry each element of an answer is: by its path and its name, of which one may be wrong."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .outcomes import ExpectedEntry, ExpectedListing, RequestedDirectory

Element = dict[str, Any]

_UNCLEAN = re.compile(r"(?:^|/)\.{0,2}(?:/|$)")
"""A name of dots, or none, in a path."""


def relative_paths(directory: RequestedDirectory, path: object) -> dict[str, str]:
    """Return the path of an entry below the requested directory, by each reading of AMB-LF-05 that the path fits."""
    if not isinstance(path, str):
        return {}
    if path not in directory.known:
        directory.known[path] = _relative_paths(directory, path)
    return directory.known[path]


def _relative_paths(directory: RequestedDirectory, path: str) -> dict[str, str]:
    found = {}
    for beginning, labels in directory.beginnings.items():
        below = path[len(beginning) :] if path.startswith(beginning) else ""
        if below and not _UNCLEAN.search(below):
            found.update(dict.fromkeys(labels, below))
    if "verbatim" not in found and (below := _below_with_dots(directory.spellings["verbatim"], path)):
        found["verbatim"] = below
    return found


def _below_with_dots(requested: str, path: str) -> str:
    """Return what follows the requested path, of whose single dots and doubled slashes some may be left out."""
    beginning, names = _names(requested), _names(path)
    if names[: len(beginning)] != beginning or path.endswith("/"):
        return ""
    surplus = len(path.split("/")) - len(names)
    return "/".join(names[len(beginning) :]) if surplus <= len(requested.split("/")) - len(beginning) else ""


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]


@dataclass
class Pairing:
    """The elements of an answer with their entries, what is missing, and elements that are none of them.

    `twice` are elements whose entry is there already; `foreign` have the path below the directory, or their name.
    `renamed` stand for as many entries that are missing, under names that the tree does not have.
    """

    pairs: list[tuple[ExpectedEntry, Element]] = field(default_factory=list)
    missing: list[ExpectedEntry] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    foreign: list[tuple[str, Element]] = field(default_factory=list)
    renamed: list[tuple[ExpectedEntry, Element]] = field(default_factory=list)


def pair_elements(
    expected: ExpectedListing, value: Sequence[Element], differences: Callable[[ExpectedEntry, Element], int]
) -> Pairing:
    """Return the pairs. `differences` counts those of an element that may be an entry: the closest entry is chosen."""
    return _Pairing(expected, differences).pair(value)


class _Pairing:
    def __init__(self, expected: ExpectedListing, differences: Callable[[ExpectedEntry, Element], int]) -> None:
        self._expected, self._differences = expected, differences
        self._by_path: dict[str, list[ExpectedEntry]] = defaultdict(list)
        for entry in (*expected.entries, *expected.optional):
            self._by_path[entry.path].append(entry)
        self._claimed: set[int] = set()
        self._found = Pairing()

    @cached_property
    def _by_name(self) -> Mapping[str, list[ExpectedEntry]]:
        found: dict[str, list[ExpectedEntry]] = {}
        for entry in (*self._expected.entries, *self._expected.optional):
            found.setdefault(entry.name, []).append(entry)
        return found

    @cached_property
    def _known(self) -> Set[str]:
        search = self._expected.search
        return {entry.path for entry in search.everything} if search else set()

    def pair(self, value: Sequence[Element]) -> Pairing:
        rest = []
        for element, path in ((one, self._path(one)) for one in value):
            name = element.get("name")
            if path is None or path.rpartition("/")[2] != name:
                rest.append((element, path))
            elif (entry := self._closest(self._by_path.get(path, ()), element)) is not None:
                self._claim(entry, element)
            elif path in self._by_path:
                self._found.twice.append(path)
            elif path in self._known or self._is_open(path):
                self._found.foreign.append((path, element))
            else:
                rest.append((element, path))
        self._pair_by_one(rest)
        self._find_missing()
        return self._found

    def _path(self, element: Element) -> str | None:
        """Return the path below the directory, preferably that of an entry."""
        found = list(relative_paths(self._expected.directory, element.get("path")).values())
        return next((path for path in found if path in self._by_path), next(iter(found), None))

    def _is_open(self, path: str) -> bool:
        """Return whether a path leads behind a link below which the search may find anything."""
        search = self._expected.search
        return search is not None and any(path.startswith(link + "/") for link in search.open_links)

    def _claim(self, entry: ExpectedEntry, element: Element) -> None:
        self._claimed.add(id(entry))
        self._found.pairs.append((entry, element))

    def _closest(self, entries: Sequence[ExpectedEntry], element: Element) -> ExpectedEntry | None:
        free = [entry for entry in entries if id(entry) not in self._claimed]
        if len(free) < 2:
            return free[0] if free else None
        return min(free, key=lambda entry: self._differences(entry, element))

    def _pair_by_one(self, rest: Sequence[tuple[Element, str | None]]) -> None:
        """Pair elements whose path or name is that of an entry; the others stand under a name of their own."""
        unknown = []
        for element, path in rest:
            name, given = element.get("name"), element.get("path")
            named = self._by_name.get(name, []) if isinstance(name, str) else []
            if isinstance(given, str) and len(named) > 1:
                ends = [entry for entry in named if given.strip("/").endswith(entry.path)]
                named = ends or named
            at_path = self._by_path.get(path, []) if path is not None else []
            entry = self._closest([*named, *at_path], element)
            if entry is not None:
                self._claim(entry, element)
            elif at_path and (name == path or not named):
                self._found.twice.append(str(path))
            elif named:
                self._found.twice.append(str(name))
            else:
                unknown.append((element, path))
        self._pair_unknown(unknown)

    def _pair_unknown(self, unknown: Sequence[tuple[Element, str | None]]) -> None:
        free = [entry for entry in self._expected.entries if id(entry) not in self._claimed]
        optional = [entry for entry in self._expected.optional if id(entry) not in self._claimed]
        spelt = [entry for entry in (*free, *optional) if not entry.is_utf8]
        rest = []
        for element, path in unknown:
            entry = None
            if self._expected.any_non_utf8_spelling:
                fitting = [one for one in spelt if id(one) not in self._claimed and _may_be_spelt(one, path, element)]
                entry = self._closest(fitting, element)
            if entry is not None:
                self._claim(entry, element)
            else:
                rest.append((element, path))
        free = [entry for entry in free if id(entry) not in self._claimed]
        if rest and len(rest) == len(free) and not any(self._is_known(element) for element, _ in rest):
            for (element, _), entry in zip(rest, free, strict=True):
                self._claimed.add(id(entry))
                self._found.renamed.append((entry, element))
            return
        self._found.foreign += [(str(element.get("name")) if path is None else path, element) for element, path in rest]

    def _is_known(self, element: Element) -> bool:
        """Return whether the name of an element is one of the tree, so that it rather comes from another directory."""
        name, pending = element.get("name"), [self._expected.directory.place[0]]
        while pending:
            node = pending.pop()
            if node.name.decode("utf-8", "replace") == name:
                return True
            pending += node.children
        return name in (".", "..")

    def _find_missing(self) -> None:
        due = (entry for entry in self._expected.entries if id(entry) not in self._claimed)
        search = self._expected.search
        if search is not None and search.once:
            there = {id(entry.node) for entry, _ in self._found.pairs}
            due = (entry for entry in due if id(entry.node) not in there)
        self._found.missing = list(due)


def _may_be_spelt(entry: ExpectedEntry, path: str | None, element: Element) -> bool:
    """Return whether a path has the names of an entry that are texts, and any others in the place of the rest."""
    due, got = entry.path.split("/"), (path or str(element.get("name"))).split("/")
    if path is None and len(due) > 1:
        due = due[-1:]
    return len(due) == len(got) and all(
        bool(other) and (other == name or "\ufffd" in name) for name, other in zip(due, got, strict=True)
    )
