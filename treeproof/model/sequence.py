"""Tools that change the tree: sequences of calls, and the protocol of the model that judges them call by call.

Each call is judged from the tree that the candidate has left, not from the tree of the model. So most failures reduce
to a scenario of one call on one tree. Contains only values and protocols; runs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from treeproof.model.case import AcceptedReadings, Command, Exchange, TreeShape
from treeproof.tree import Tree, parse_tree, render_tree
from treeproof.verdict.finding import ModelJudgement


class Groups(tuple[Sequence[Any], ...]):
    """A column of `command_choices` in groups: the calls of one sequence draw from one of them."""


@dataclass(frozen=True)
class CommandSequence:
    """A tree in the sandbox root, and calls on it one after the other.

    For a candidate with the capability `roots`, a directory `far` at its top is a root on another file system.
    """

    tree: Tree
    commands: tuple[Command, ...]

    @property
    def weight(self) -> int:
        """The length of the sequence as text; a lighter counterexample is better."""
        return len(render_tree(self.tree)) + sum(len(repr(command)) for command in self.commands)

    def to_json(self) -> dict[str, Any]:
        """Return the sequence as JSON, with its tree in tree notation."""
        return {"tree": render_tree(self.tree), "calls": [command.to_json() for command in self.commands]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CommandSequence:
        """Return the sequence that `to_json` wrote. Raises NotationError for a tree, KeyError for a missing member."""
        return cls(parse_tree(data["tree"]), tuple(map(Command.from_json, data["calls"])))


class StateMachineModel(Protocol):
    """A model of a tool that changes the tree: the permitted results of each call."""

    @property
    def outside(self) -> str:
        """The tree beside the sandbox root, in notation."""

    @property
    def tree_shape(self) -> TreeShape:
        """The elements of the trees of sequences."""

    @property
    def requirements(self) -> frozenset[str]:
        """The ids of all requirements that a finding can name."""

    @property
    def interpretations(self) -> frozenset[str]:
        """The ids of all interpretations that it supports."""

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the possible values of each argument of `command` on this tree, the simplest ones first.

        `capabilities` has the names of the candidate's tools too. A column can be `Groups`.
        """

    def command(self, *parts: Any) -> Command:
        """Return the call with these values, one of each sequence of `command_choices`."""

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Compare a call with all results that the accepted readings permit. Raises Unmodelled.

        One without an answer is compared by the tree after it.
        """

    def scenario_steps(self, exchanges: Sequence[Exchange], accepted: AcceptedReadings) -> tuple[str, ...]:
        """Return calls on one tree as steps of a scenario that is correct under every accepted reading.

        The scenario states the expected result of the last call. Raises Unmodelled if the pack has no such steps.
        """

    def case_labels(self, exchange: Exchange) -> frozenset[str]:
        """Return the labels of the features of a call that coverage counts."""

    @property
    def all_case_labels(self) -> tuple[str, ...]:
        """All labels that `case_labels` can return, in display order."""
