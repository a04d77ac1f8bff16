"""The two outcomes of a call, a listing and an error, as the model expects them. Computes none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treeproof.api import Tree

from .arguments import Request

ALL_CODES = ("NOT_FOUND", "ACCESS_DENIED", "INVALID_PARAM", "INTERNAL_ERROR")
TYPES = ("dir", "file", "link")


@dataclass(frozen=True)
class ExpectedFailure:
    """An error: the accepted codes, the requirement that prescribes it, and its accepted messages (empty: any).

    `other_requirements` forbid a listing alike. `resolved_paths` are the accepted values of `context.path_resolved`, if
    the context has it (empty: any). `echo` are the arguments that the context shows.
    """

    codes: tuple[str, ...]
    requirement: str
    reason: str
    cwd: str
    messages: tuple[str, ...] = ()
    other_requirements: tuple[str, ...] = ()
    resolved_paths: tuple[str, ...] = ()
    echo: Any = None


@dataclass(frozen=True)
class ExpectedEntry:
    """An expected entry.

    `key` is its name; bytes that are not UTF-8 are surrogates in it, and `shown_name` is then the pattern of the texts
    that may stand for it. `sorts_first`: it is listed among the directories; `rank`: the place of its group. `target`
    is the text of a link, and `leads_outside` whether it leads out of the project. `is_closed`: it cannot be read.
    """

    key: str
    base: str
    type: str
    sorts_first: bool = False
    rank: float = 1
    leads_outside: bool = False
    target: str = ""
    shown_name: str = ""
    is_closed: bool = False

    @property
    def is_utf8(self) -> bool:
        """False if the answer cannot show the name as it is."""
        return self.key.isascii() or not any("\udc80" <= sign <= "\udcff" for sign in self.key)

    @property
    def path(self) -> str:
        """The path from the project root on."""
        return f"{self.base}/{self.key}" if self.base else self.key

    @property
    def sort_key(self) -> tuple[float, str]:
        """The key of the recommended order, without the order of names that differ in case only."""
        return self.rank, self.key.lower()

    @cached_property
    def collations(self) -> tuple[str, ...]:
        """The keys by which a name of letters, digits, blanks, dashes and dots may be sorted; none for others."""
        letters = re.sub("[ .-]", "", self.key)
        return (self.key.lower(), letters.lower()) if letters.isascii() and letters.isalnum() else ()

    def precedes(self, other: ExpectedEntry) -> bool:
        """Return whether the entry comes before another one by every reading of AMB-LS-25."""
        if self.rank != other.rank:
            return self.rank < other.rank
        pairs = zip(self.collations, other.collations, strict=False)
        return bool(self.collations and other.collations) and all(one < another for one, another in pairs)


@dataclass(frozen=True)
class ExcludedEntry:
    """An entry that a filter leaves out: the requirement of the filter, and its type."""

    requirement: str
    type: str


@dataclass(frozen=True)
class ExpectedListing:
    """An expected listing.

    `entries` are in the recommended order. `excluded` are those that filters leave out, by name. `headings` are the
    accepted paths in line 1 of the text, `line_forms` those of the lines of entries (AMB-LS-05), and `remaining` the
    accepted number of entries that line 3 calls available. `may_have_others`: entries may have other members.
    `has_free_order`: entries cannot be looked at, so where links lead is open. `is_in_hidden`: a default ignore
    names the directory, or one above it. `trees` are those in and beside the sandbox root. `echo` are
    the arguments that the context shows.
    """

    request: Request
    cwd: str
    resolved_paths: tuple[str, ...]
    headings: tuple[str, ...]
    entries: tuple[ExpectedEntry, ...]
    excluded: Mapping[str, ExcludedEntry]
    is_truncated: bool
    line_forms: tuple[str, ...] = ("a",)
    remaining: int = 0
    through_link: bool = False
    is_simple_path: bool = True
    may_have_others: bool = False
    has_free_order: bool = False
    is_in_hidden: bool = False
    trees: tuple[Tree, ...] = ()
    echo: Any = None

    @property
    def page(self) -> tuple[ExpectedEntry, ...]:
        """The entries of the page in the recommended order."""
        return self.entries[self.request.offset :][: self.request.limit]

    @property
    def page_end(self) -> int:
        """The index behind the last entry of the page."""
        return min(len(self.entries), self.request.offset + self.request.limit)

    @property
    def has_next_page(self) -> bool:
        """True if entries follow the page."""
        return self.request.offset + self.request.limit < len(self.entries)

    @property
    def is_paged(self) -> bool:
        """True if the page is not the whole list."""
        return self.request.offset > 0 or self.has_next_page

    def names_elsewhere(self) -> frozenset[str]:
        """Return the names of all entries in and beside the project."""
        walked = (path.rpartition(b"/")[2] for tree in self.trees for path, _ in tree.walk())
        return frozenset(name.decode("utf-8", "replace") for name in walked)

    def count_of(self, type: str) -> int:
        """Return how many entries of the whole list have a type."""
        return sum(entry.type == type for entry in self.entries)


ExpectedOutcome = ExpectedListing | ExpectedFailure


def format_keys(keys: Iterable[str]) -> str:
    """Return the names of entries for a report; what is not UTF-8 shows as replacement characters."""
    return ", ".join(key.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for key in keys)


def describe_outcome(expected: ExpectedOutcome) -> str:
    """Return the paths of the page, or the codes of the error."""
    if isinstance(expected, ExpectedFailure):
        return " or ".join(expected.codes)
    return ", ".join(entry.path for entry in expected.page)
