"""Tools that change the tree: a model of the tree, and sequences of calls that are held against it call by call.

The state that a call starts from is what the candidate has left, not what the model would have: so every call of a
sequence is judged by itself, and the smallest sequence that fails ends in a scenario of one call on one tree. Values
and protocols only, nothing is run here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from treeproof.candidate import Call, CallResult
from treeproof.search.model import AcceptedReadings, Finding, TreeShape
from treeproof.spec import Pack
from treeproof.spec.entry_points import load_entry_point
from treeproof.tree import Tree, parse_tree, render_tree
from treeproof.verdict import NotVerified


@dataclass(frozen=True)
class Command:
    """One call, without the places of a run. `context` is what it adds to the context of every call of the pack."""

    tool: str
    arguments: Mapping[str, Any]
    context: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The call as JSON."""
        return {"tool": self.tool, "arguments": dict(self.arguments), "context": dict(self.context)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Command:
        """What `to_json` wrote. Raises KeyError for a missing member."""
        return cls(data["tool"], dict(data["arguments"]), dict(data["context"]))


@dataclass(frozen=True)
class CommandSequence:
    """A tree in the sandbox root, and calls on it one after the other."""

    tree: Tree
    commands: tuple[Command, ...]

    @property
    def weight(self) -> int:
        """How much there is to read; of two counterexamples the lighter one is the better."""
        return len(render_tree(self.tree)) + sum(len(repr(turn)) for turn in self.commands)

    def to_json(self) -> dict[str, Any]:
        """The sequence as JSON, its tree in the notation."""
        return {"tree": render_tree(self.tree), "calls": [turn.to_json() for turn in self.commands]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CommandSequence:
        """What `to_json` wrote. Raises NotationError for a tree that is none, KeyError for a missing member."""
        return cls(parse_tree(data["tree"]), tuple(map(Command.from_json, data["calls"])))


@dataclass(frozen=True)
class Transition:
    """One call that was made: what stood in the sandbox root and beside it before it and after it."""

    command: Command
    call: Call
    before: Tree
    answer: CallResult
    after: Tree


class StateMachineModel(Protocol):
    """A model of the tree: what a call on it may come to. Of whom a finding speaks is its requirement."""

    @property
    def outside(self) -> str:
        """What lies beside the sandbox root, in the notation."""

    @property
    def tree_shape(self) -> TreeShape:
        """Of what the trees of sequences are made."""

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """What the parts of a call on this tree are drawn from, for `turn`; the simplest ones first."""

    def command(self, *parts: Any) -> Command:
        """The call that is made of one part of each column."""

    def judge(self, transition: Transition, accepted: AcceptedReadings) -> tuple[Finding, ...]:
        """What one call did otherwise than every outcome that accepted readings allow."""

    def scenario_steps(self, transitions: Sequence[Transition], accepted: AcceptedReadings) -> tuple[str, ...]:
        """Calls on one tree as the steps of a scenario that every accepted reading passes.

        Of the last call the scenario says what is due, whatever it came to. Raises Unmodelled for what the sentences
        of the pack cannot say.
        """

    def case_labels(self, transition: Transition) -> frozenset[str]:
        """The words for what is interesting in a call on its tree."""

    @property
    def all_case_labels(self) -> tuple[str, ...]:
        """All words that `classes` can say, in the order in which they are shown."""


def load_state_machine(pack: Pack) -> StateMachineModel:
    """The machine that the catalogue names. Raises NotVerified for none, UsageError for what is no machine."""
    if pack.state_machine is None:
        raise NotVerified("no_model", f"{pack.name} has no model of the tree to draw sequences from")
    found: StateMachineModel = load_entry_point(pack.pack_file, "state_machine", pack.state_machine, StateMachineModel)
    return found
