"""Tools that change the tree: a model of the tree, and sequences of calls that are held against it call by call.

The state that a call starts from is what the candidate has left, not what the model would have: so every call of a
sequence is judged by itself, and the smallest sequence that fails ends in a scenario of one call on one tree. Values
and protocols only, nothing is run here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from treeproof.candidate import Answer, Call
from treeproof.search.model import Accepted, Finding, Shape
from treeproof.spec import Pack
from treeproof.spec.entries import entry
from treeproof.tree import Tree, parse, render
from treeproof.verdict import NotVerified


@dataclass(frozen=True)
class Turn:
    """One call, without the places of a run. `context` is what it adds to the context of every call of the pack."""

    tool: str
    arguments: Mapping[str, Any]
    context: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The call as JSON."""
        return {"tool": self.tool, "arguments": dict(self.arguments), "context": dict(self.context)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Turn:
        """What `to_json` wrote. Raises KeyError for a missing member."""
        return cls(data["tool"], dict(data["arguments"]), dict(data["context"]))


@dataclass(frozen=True)
class Play:
    """A tree in the sandbox root, and calls on it one after the other."""

    tree: Tree
    turns: tuple[Turn, ...]

    @property
    def weight(self) -> int:
        """How much there is to read; of two counterexamples the lighter one is the better."""
        return len(render(self.tree)) + sum(len(repr(turn)) for turn in self.turns)

    def to_json(self) -> dict[str, Any]:
        """The sequence as JSON, its tree in the notation."""
        return {"tree": render(self.tree), "calls": [turn.to_json() for turn in self.turns]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Play:
        """What `to_json` wrote. Raises NotationError for a tree that is none, KeyError for a missing member."""
        return cls(parse(data["tree"]), tuple(map(Turn.from_json, data["calls"])))


@dataclass(frozen=True)
class Step:
    """One call that was made: what stood in the sandbox root and beside it before it and after it."""

    turn: Turn
    call: Call
    before: Tree
    answer: Answer
    after: Tree


class Machine(Protocol):
    """A model of the tree: what a call on it may come to. Of whom a finding speaks is its requirement."""

    @property
    def outside(self) -> str:
        """What lies beside the sandbox root, in the notation."""

    @property
    def shape(self) -> Shape:
        """Of what the trees of sequences are made."""

    def columns(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """What the parts of a call on this tree are drawn from, for `turn`; the simplest ones first."""

    def turn(self, *parts: Any) -> Turn:
        """The call that is made of one part of each column."""

    def judge(self, step: Step, accepted: Accepted) -> tuple[Finding, ...]:
        """What one call did otherwise than every outcome that accepted readings allow."""

    def sentences(self, steps: Sequence[Step], accepted: Accepted) -> tuple[str, ...]:
        """Calls on one tree as the steps of a scenario that every accepted reading passes.

        Of the last call the scenario says what is due, whatever it came to. Raises Unmodelled for what the sentences
        of the pack cannot say.
        """

    def classes(self, step: Step) -> frozenset[str]:
        """The words for what is interesting in a call on its tree."""

    @property
    def every_class(self) -> tuple[str, ...]:
        """All words that `classes` can say, in the order in which they are shown."""


def machine_of(pack: Pack) -> Machine:
    """The machine that the catalogue names. Raises NotVerified for none, UsageError for what is no machine."""
    if pack.state_machine is None:
        raise NotVerified(f"{pack.name} has no model of the tree to draw sequences from")
    found: Machine = entry(pack.face, "state_machine", pack.state_machine, Machine)
    return found
