"""A call as a model sees it, and the protocol of a specification's model.

Contains only values and protocols; runs nothing. Stands below `run`: scenarios, properties and the search call a model
in the same way.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from treeproof.candidate import Call, CallResult
from treeproof.model.placeholders import placeholders_of, scrub
from treeproof.tree import ROOT_NAME, Kind, Node, Tree, by_path, from_paths, nest, normalise, parse_tree, render_tree
from treeproof.verdict.finding import ModelJudgement

AcceptedReadings: TypeAlias = Mapping[str, frozenset[str]]
"""The accepted readings by interpretation id. For a missing id only the recommended reading is accepted."""

CONTEXT_CAPABILITIES: Mapping[str, str] = {
    "config": "config",
    "policy": "policy",
    "approval": "policy",
    "max_output_bytes": "budget",
    "available_capacity_bytes": "budget",
}
"""The members of a call's context that only a candidate with a capability applies. Others it can only leave alone."""

REMOVE_MEMBER: Any = object()
"""The value in a CaseUpdate that removes a member."""

CaseUpdate: TypeAlias = Mapping[str, Any]
"""New values of a case by dotted path: `arguments`, `arguments.path`, `config.max_entries`, `context.approval`."""


class Unmodelled(Exception):
    """The model does not cover this case; the caller skips it."""


@dataclass(frozen=True)
class Case:
    """A tree and a call, without paths of a run.

    `context` is the call's context, without `roots` and `working_dir` where they are the sandbox root. Texts and link
    targets contain the placeholders `$ROOT` and `$OUTSIDE`. `earlier` are calls before this one, each on its own tree
    in the same sandbox root; their answers are not judged. `outside` is the tree beside the sandbox root.
    """

    tool: str
    tree: Tree
    arguments: Any
    context: Mapping[str, Any] = field(default_factory=dict)
    earlier: tuple[Case, ...] = ()
    outside: Tree = Tree(())

    @property
    def config(self) -> Mapping[str, Any] | None:
        """The tool's own table of the configuration, if any."""
        tools = self.context.get("config", {}).get("tools", {})
        return tools.get(self.tool) if isinstance(tools, Mapping) else None

    def with_update(self, update: CaseUpdate) -> Case:
        """Return the case with new values at dotted paths."""
        case = self
        for path, value in update.items():
            part, _, key = path.partition(".")
            match part:
                case "arguments" if not key:
                    case = replace(case, arguments=value)
                case "arguments":
                    case = replace(case, arguments=_with_member(case.arguments, key, value))
                case "context":
                    case = replace(case, context=_with_member(case.context, key, value))
                case "config":
                    table = _with_member(case.config or {}, key, value)
                    config = {"tools": {case.tool: table}} if table else REMOVE_MEMBER
                    case = replace(case, context=_with_member(case.context, "config", config))
                case "tree" | "tool" | "earlier":
                    case = replace(case, **{part: value})
                case _:
                    raise ValueError(f"{path}: write arguments, context, config, tool, tree or earlier")
        return case

    def to_json(self) -> dict[str, Any]:
        """Return the case as JSON, with its tree in tree notation."""
        return {
            "tree": render_tree(self.tree),
            "tool": self.tool,
            "arguments": self.arguments,
            "context": dict(self.context),
            **({"earlier": [case.to_json() for case in self.earlier]} if self.earlier else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Case:
        """Return the case that `to_json` wrote. Raises NotationError for its tree, KeyError for a missing member."""
        earlier = tuple(map(cls.from_json, data.get("earlier", ())))
        return cls(data["tool"], parse_tree(data["tree"]), data["arguments"], dict(data["context"]), earlier)

    @property
    def weight(self) -> int:
        """The length of the case as text; a lighter counterexample is better."""
        own = len(render_tree(self.tree)) + len(json.dumps([self.arguments, self.context], default=str))
        return own + sum(case.weight for case in self.earlier)


def _with_member(members: Any, key: str, value: Any) -> dict[str, Any]:
    kept = {name: member for name, member in members.items() if name != key}
    return kept if value is REMOVE_MEMBER else {**kept, key: value}


@dataclass(frozen=True)
class Command:
    """One call, without paths of a run. `context` is added to the pack's context of every call."""

    tool: str
    arguments: Mapping[str, Any]
    context: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the call as JSON."""
        return {"tool": self.tool, "arguments": dict(self.arguments), "context": dict(self.context)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Command:
        """Return the call that `to_json` wrote. Raises KeyError for a missing member."""
        return cls(data["tool"], dict(data["arguments"]), dict(data["context"]))


NO_ANSWER = CallResult("error", None, None, None, None, None, None, b"")
"""Stands for the answer of a call that never returned, or whose process was killed: the tree after it is all there is.
"""


@dataclass(frozen=True)
class Exchange:
    """One call that was made, as a model judges it.

    `case` is the call with the tree in the sandbox root before it. For a tool that changes the tree, `before` and
    `after` are the trees in and beside the sandbox root, with placeholders in the targets of links; a second root on
    another file system is the top-level directory `$FAR`. For other tools they are empty. `call` is the call as it was
    sent, with the paths of the run. `earlier` are the calls of its sequence, or of its scenario, before it. `root` is
    the absolute path of the sandbox root, as the candidate sees it.
    """

    case: Case
    answer: CallResult
    before: Tree = Tree(())
    after: Tree = Tree(())
    call: Call = Call("", {}, {})
    earlier: tuple[Exchange, ...] = field(default=(), repr=False)
    root: str = ""

    def with_placeholders(self, value: Any) -> Any:
        """Return a value of the answer with `$ROOT` and `$OUTSIDE` for the absolute paths of the run, as in the case.

        The value is a text, or any JSON value that contains some.
        """
        return scrub(value, placeholders_of(os.fsencode(self.root))) if self.root else value

    @classmethod
    def without_answer(cls, case: Case) -> Exchange:
        """Return the call before it is made, with the trees of its case."""
        inside, outside = by_path(nest(case.tree, ROOT_NAME)), by_path(case.outside)
        before = normalise(from_paths({**inside, **outside, ROOT_NAME: Node(ROOT_NAME, Kind.DIR)}))
        return cls(case, NO_ANSWER, before, before)

    @property
    def is_answered(self) -> bool:
        """False for a call that has only a tree after it."""
        return self.answer is not NO_ANSWER

    @property
    def command(self) -> Command:
        """The call without its tree."""
        return Command(self.case.tool, self.case.arguments, self.case.context)


@dataclass(frozen=True)
class Operator:
    """A change of one recorded call, as one error of an implementation makes it.

    `change` returns the call with another answer, or another tree after it; None where the change is not possible.
    Each finding on the changed call must name one of `requirements`. `reason` returns why the model need not find the
    difference between the recorded call and the changed one: an empty text if it must.
    """

    name: str
    requirements: frozenset[str]
    change: Callable[[Exchange], Exchange | None]
    reason: Callable[[Exchange, Exchange], str] = lambda recorded, changed: ""


@dataclass(frozen=True)
class TreeShape:
    """The elements of random trees. Cases shrink to the first names and the first kind.

    `names` are groups: a tree has names of one group only, so that related names occur together. `directory_modes` are
    permissions (None: the default). `max_entries` limits the nodes of a tree. With `hard_links` some files have a
    second name. `file_modes` are permissions of further files, `special_mtimes_ms` times of further special files. One
    tree in 48 is one of `whole_trees`, if there are any.
    """

    names: tuple[tuple[bytes, ...], ...]
    kinds: tuple[Kind, ...]
    symlink_targets: tuple[bytes, ...] = (b"a",)
    sizes: tuple[int, ...] = (0,)
    contents: tuple[bytes, ...] = ()
    mtimes_ms: tuple[int, ...] = ()
    directory_modes: tuple[int | None, ...] = (None,)
    max_entries: int = 10
    hard_links: bool = False
    file_modes: tuple[int, ...] = ()
    special_mtimes_ms: tuple[int, ...] = ()
    whole_trees: tuple[Tree, ...] = ()


@dataclass(frozen=True)
class TextPieces:
    """A text that is joined from at most `max_pieces` of `pieces`; `field_path` is its dotted path in the case."""

    field_path: str
    pieces: tuple[str, ...]
    max_pieces: int


Stage: TypeAlias = "Callable[[Case], Sequence[CaseUpdate] | TextPieces]"
"""Maps an incomplete case to its possible next updates, or to a text."""


@dataclass(frozen=True)
class CaseFamily:
    """Cases of one kind: a tree, then one update per stage. `outside` is the tree beside the sandbox root, in notation.

    If `tree` is None, the last stage sets it. `arguments` are the initial ones. `needs` are the required capabilities
    or tools; `modes` requires that file modes apply to the candidate. `relative_size` is the number of cases relative
    to an ordinary family; with 0 only a search has cases of it, and a run has none. `unchanged` is the requirement that
    a call violates if it changes the disk; a search then looks at it before and after each call of the family.
    """

    name: str
    tree: TreeShape | Tree | None
    stages: tuple[Stage, ...]
    outside: str = ""
    needs: frozenset[str] = frozenset()
    relative_size: float = 1.0
    arguments: Mapping[str, Any] = field(default_factory=dict)
    unchanged: str = ""


class Model(Protocol):
    """The oracle of a specification: computes expected results for the cases that it covers."""

    @property
    def tool(self) -> str:
        """The tool that its cases call."""

    @property
    def requirements(self) -> frozenset[str]:
        """The ids of all requirements that a finding can name."""

    @property
    def interpretations(self) -> frozenset[str]:
        """The ids of all interpretations that it supports."""

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """Return the families of cases that a candidate with these capabilities supports."""

    def expected(self, case: Case) -> str:
        """Return the output, or the kinds of error, under the recommended readings. Raises Unmodelled."""

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Compare an answer with all results that the accepted readings permit. Raises Unmodelled."""

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """Return the case as steps of the pack, one per line. Raises Unmodelled.

        `outside` is the tree beside the sandbox root, in notation.
        """

    def case_labels(self, case: Case) -> frozenset[str]:
        """Return the labels of the features of a case that coverage counts. Raises Unmodelled."""

    @property
    def all_case_labels(self) -> tuple[str, ...]:
        """All labels that `case_labels` can return, in display order."""


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
