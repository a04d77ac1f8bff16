"""The outcomes of a call: a list of entries, or an error. Values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from treeproof.api import Kind, Node


@dataclass(frozen=True)
class ExpectedFailure:
    """A call that lists nothing, and its cause, a clause behind "although"; `allows` is what is right then.

    A list from elsewhere is one of which no more is known than that its paths are absolute. `names` are those of the
    entries that a list would have, if they can be read.
    """

    reason: str
    allows: Literal["an error", "an empty list", "a list from elsewhere"] = "an error"
    requirement: str = "LF-ERR-01"
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ExpectedEntry:
    """An entry; `raw_path` is its path below the requested directory.

    `place` is the directory that it is in, as the nodes above it. `has_metadata`: its own size and time can be
    known. `is_behind_link`: its path goes through a link.
    """

    raw_path: bytes
    node: Node
    place: tuple[Node, ...] = field(default=(), repr=False, compare=False)
    has_metadata: bool = True
    is_behind_link: bool = False

    @cached_property
    def path(self) -> str:
        """Return the path as text."""
        return self.raw_path.decode("utf-8", "replace")

    @property
    def name(self) -> str:
        """Return the last name of the path as text."""
        return self.path.rpartition("/")[2]

    @cached_property
    def is_utf8(self) -> bool:
        """Return whether all names of the path are texts."""
        return self.path.encode() == self.raw_path

    @property
    def is_link(self) -> bool:
        """Return whether it is a link itself."""
        return self.node.kind is Kind.SYMLINK


@dataclass(frozen=True)
class RequestedDirectory:
    """A directory that is listed or searched; `place` is where it is, and `node` the directory.

    `spellings` are the paths with which its entries' paths may begin, by reading of AMB-LF-05.
    `has_plain_path`: the path is written in the usual form. `ends_in_link`: its last name is a link, and
    `passes_link`: one before it is.
    """

    node: Node
    spellings: Mapping[str, str]
    has_plain_path: bool
    ends_in_link: bool
    passes_link: bool
    place: tuple[Node, ...]
    known: dict[str, dict[str, str]] = field(default_factory=dict, repr=False, compare=False)
    """What is known of the paths of answers, which are the same for all outcomes of a call."""

    @cached_property
    def beginnings(self) -> Mapping[str, Sequence[str]]:
        """Return the spellings with a slash behind them, each with its labels."""
        found: dict[str, list[str]] = {}
        for label, path in self.spellings.items():
            found.setdefault(path.rstrip("/") + "/", []).append(label)
        return found


@dataclass(frozen=True)
class MemberRules:
    """The accepted readings of what members hold, and of the order, as labels of their interpretations."""

    paths: tuple[str, ...]
    fractions: tuple[str, ...]
    targets: tuple[str, ...]
    orders: tuple[str, ...]
    other_texts_for_targets: bool = False


@dataclass(frozen=True)
class ExpectedListing:
    """Expected entries; the order of what a search finds is free.

    `optional` may be there as well. `any_non_utf8_spelling`: what is not UTF-8 has another text than the usual one.
    """

    directory: RequestedDirectory
    entries: tuple[ExpectedEntry, ...]
    rules: MemberRules
    optional: tuple[ExpectedEntry, ...] = ()
    any_non_utf8_spelling: bool = False
    search: ExpectedSearch | None = None


@dataclass(frozen=True)
class ExpectedSearch:
    """What is expected of a search beside its entries.

    `everything` is all that is below the directory. `enters_links`: what is behind links may be found, and anything
    behind `open_links`. `once`: what is due may be found below another path than its own.
    `finds_root`: the directory itself may be found.
    """

    glob: str
    is_recursive: bool
    everything: tuple[ExpectedEntry, ...]
    enters_links: bool = False
    open_links: tuple[str, ...] = ()
    once: bool = False
    finds_root: bool = False

    @cached_property
    def links(self) -> tuple[str, ...]:
        """Return the paths of all links."""
        return tuple(entry.path for entry in self.everything if entry.is_link)


ExpectedOutcome = ExpectedListing | ExpectedFailure
