"""What a case is, and what a specification's model has to offer: values and protocols only, nothing is run here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias

from treeproof.candidate import CallResult
from treeproof.tree import Kind, Tree, parse_tree, render_tree

AcceptedReadings: TypeAlias = Mapping[str, frozenset[str]]
"""The readings that are right, by the id of the unclear passage. An id that is missing has the recommended one only."""

REMOVE_MEMBER: Any = object()
"""In an Update: the member shall not be there."""

CaseUpdate: TypeAlias = Mapping[str, Any]
"""New values of a case, by dotted place: `arguments`, `arguments.path`, `config.max_entries`, `context.approval`."""


class Unmodelled(Exception):
    """The model does not speak about this case; whoever asks leaves the case out."""


@dataclass(frozen=True)
class Case:
    """A tree and a call: what a candidate is shown and asked, without the places of a run.

    `context` is the call's context without `roots` and `working_dir`. `$ROOT` and `$OUTSIDE` in texts and link targets
    stand for those places.
    """

    tool: str
    tree: Tree
    arguments: Any
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def config(self) -> Mapping[str, Any] | None:
        """The tool's own table of the configuration; None where there is none."""
        tools = self.context.get("config", {}).get("tools", {})
        return tools.get(self.tool) if isinstance(tools, Mapping) else None

    def with_update(self, update: CaseUpdate) -> Case:
        """The case with new values at dotted places."""
        case = self
        for place, value in update.items():
            where, _, key = place.partition(".")
            match where:
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
                case "tree":
                    case = replace(case, tree=value)
                case "tool":
                    case = replace(case, tool=value)
                case _:
                    raise ValueError(f"{place}: write arguments, context, config, tool or tree")
        return case

    def to_json(self) -> dict[str, Any]:
        """The case as JSON, its tree in the notation."""
        return {
            "tree": render_tree(self.tree),
            "tool": self.tool,
            "arguments": self.arguments,
            "context": dict(self.context),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Case:
        """What `to_json` wrote. Raises NotationError for a tree that is none, KeyError for a missing member."""
        return cls(data["tool"], parse_tree(data["tree"]), data["arguments"], dict(data["context"]))

    @property
    def weight(self) -> int:
        """How much there is to read; of two counterexamples the lighter one is the better."""
        return len(render_tree(self.tree)) + len(json.dumps([self.arguments, self.context], default=str))


def _with_member(members: Any, key: str, value: Any) -> dict[str, Any]:
    kept = {name: member for name, member in members.items() if name != key}
    return kept if value is REMOVE_MEMBER else {**kept, key: value}


@dataclass(frozen=True)
class Finding:
    """What an answer does otherwise than the model, and the requirement that is to blame for it.

    `others` are requirements whose violation could show in the same way.
    """

    requirement: str
    message: str
    expected: str = ""
    got: str = ""
    other_requirements: tuple[str, ...] = ()

    @property
    def possible_requirements(self) -> tuple[str, ...]:
        """All that can be to blame, the likeliest first, each once."""
        return tuple(dict.fromkeys((self.requirement, *self.other_requirements)))


@dataclass(frozen=True)
class ModelJudgement:
    """An answer held against the model. `seen`: readings that are the only ones to explain it."""

    findings: tuple[Finding, ...] = ()
    observed_readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TreeShape:
    """Of what random trees are made. The first names and the first kind are what everything shrinks to.

    `names` are groups: a tree has names of one group only, so that those meet that have something to do with each
    other. `modes` are permissions of directories, None the default one; `entries` bounds the nodes of a tree. With
    `second_names` some files have another name, and are one file by both.
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


@dataclass(frozen=True)
class TextPieces:
    """A text joined of these pieces, at most `most` of them, at one dotted place of the case."""

    field_path: str
    pieces: tuple[str, ...]
    max_pieces: int


Stage: TypeAlias = "Callable[[Case], Sequence[CaseUpdate] | TextPieces]"
"""Of a case that is being drawn, what may come next: one update out of several, or a text."""


@dataclass(frozen=True)
class CaseFamily:
    """Cases of one kind: a tree, then stage after stage. `outside` lies beside the sandbox root, in the notation.

    Where `tree` is None, the last stage puts one in. `arguments` are those that the first stage finds. `needs` are the
    capabilities that its calls ask of a candidate, or tools; `modes` is one of those to whom file modes apply.
    `share` is how many of its cases there are for one of an ordinary family.
    """

    name: str
    tree: TreeShape | Tree | None
    stages: tuple[Stage, ...]
    outside: str = ""
    needs: frozenset[str] = frozenset()
    relative_size: float = 1.0
    arguments: Mapping[str, Any] = field(default_factory=dict)


class Model(Protocol):
    """An independent account of what a specification asks, as far as it goes."""

    @property
    def tool(self) -> str:
        """The tool that its cases call."""

    @property
    def requirements(self) -> frozenset[str]:
        """The ids of all requirements that a finding can name."""

    @property
    def interpretations(self) -> frozenset[str]:
        """The ids of all unclear passages that it can read in more than one way."""

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """The families of cases, with stages that a candidate of these capabilities can be asked."""

    def expected(self, case: Case) -> str:
        """What comes back by the recommended readings: the exact output, or the kinds of error. Raises Unmodelled."""

    def judge(self, case: Case, answer: CallResult, accepted: AcceptedReadings) -> ModelJudgement:
        """Hold an answer against all that accepted readings allow. Raises Unmodelled."""

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """The case as the steps of a scenario in the pack's own words, line by line. Raises Unmodelled.

        `outside` is what lies beside the sandbox root, in the notation.
        """

    def case_labels(self, case: Case) -> frozenset[str]:
        """The words for what is interesting in a case. Raises Unmodelled."""

    @property
    def all_case_labels(self) -> tuple[str, ...]:
        """All words that `classes` can say, in the order in which they are shown."""
