"""The outcomes of a call: a list of elements, or nil. Values only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from treeproof.api import Node

from .surroundings import Place, Surroundings
from .walk import ExpectedElement

Failing = Literal["no", "may", "must"]
"""Whether a call that gives nil by other readings fails by these."""

Logged = Literal["record", "no error", "anything"]
"""What is on record after nil: the details of an error (WD-LOG-01), no error (WD-LOG-02), or whatever it is."""


@dataclass(frozen=True)
class ExpectedFailure:
    """An expected nil. `requirement` demands it; `reason` is why, as a clause behind "although".

    `fails`: an error of the call is accepted, too, or instead. `allows_empty_list`: so is the empty list.
    `convention` is the interpretation of wrong arguments of whether the call fails; "" for AMB-WD-23.
    """

    requirement: str
    reason: str
    fails: Failing = "no"
    allows_empty_list: bool = False
    logged: Logged = "record"
    convention: str = ""


@dataclass(frozen=True)
class ResolvedDirectory:
    """A directory to walk: `place` is where it is in the surroundings, and `path` the text that leads there.

    `is_simple_path`: the path has only simple names. `has_dot_dot`: the path contains `..`. `through_link`: it contains
    a link. `ends_in_link`: its last name is a link. `may_lead_out`: the path leads out of the sandbox for tools that
    take an absolute path as it is (AMB-WD-10), or that do not take the sandbox for the root (AMB-WD-30).
    """

    surroundings: Surroundings = field(repr=False, compare=False)
    place: Place
    path: str
    is_simple_path: bool
    has_dot_dot: bool = False
    through_link: bool = False
    ends_in_link: bool = False
    may_lead_out: bool = False

    @property
    def node(self) -> Node:
        """Return the directory."""
        return self.place[-1]

    @property
    def children(self) -> tuple[Node, ...]:
        """Return the entries of the directory."""
        return self.node.children

    @property
    def is_sandbox_itself(self) -> bool:
        """Return whether the path has nothing but dots and slashes."""
        return not set(self.path.split("/")) - {"", "."}

    @property
    def length(self) -> int:
        """Return the bytes of the path from the folder of the sandbox on."""
        return sum(len(node.name) + 1 for node in self.place[1:])

    @property
    def is_clean(self) -> bool:
        """Return whether the path has the spelling that every tool takes."""
        return is_clean(self.path)

    @property
    def has_slash_behind(self) -> bool:
        """Return whether the path ends in a slash, or in a slash and a dot."""
        return self.path.endswith(("/", "/."))


def is_clean(path: str) -> bool:
    """Return whether a path has no dots and no empty name between its slashes, or is a dot alone (AMB-WD-14)."""
    return path == "." or {"", ".", ".."}.isdisjoint(path.removeprefix("/").split("/"))


@dataclass(frozen=True)
class MemberRules:
    """The accepted readings of what members of an element hold, as labels of their interpretations."""

    directory_sizes: frozenset[str] = frozenset({"zero"})
    link_sizes: frozenset[str] = frozenset({"own"})
    fractions: frozenset[str] = frozenset({"cut"})
    further_keys: frozenset[str] = frozenset({"forbidden"})


@dataclass(frozen=True)
class ExpectedListing:
    """An expected list of elements."""

    start: ResolvedDirectory
    elements: tuple[ExpectedElement, ...] = ()
    any_non_utf8_spelling: bool = False
    is_partial: bool = False
    """Whether something is left out because it cannot be read (AMB-WD-24)."""
    members: MemberRules = MemberRules()


CallOutcome = ExpectedListing | ExpectedFailure
