"""Models with checked members and results: a mistake of an author is one line that names model and member."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, NoReturn, TypeAlias, get_args

from treeproof.candidate import CallResult
from treeproof.errors import UsageError, format_exception
from treeproof.model.case import (
    AcceptedReadings,
    Case,
    CaseFamily,
    Command,
    Exchange,
    Model,
    Stage,
    StateMachineModel,
    TextPieces,
    TreeShape,
    Unmodelled,
)
from treeproof.pack_modules import full_module_name
from treeproof.spec import Pack
from treeproof.spec.catalogue import Basis, SeenHarm
from treeproof.spec.entry_points import load_entry_point
from treeproof.tree import Kind, Tree
from treeproof.verdict import Fault, NotVerified
from treeproof.verdict.finding import Finding, ModelJudgement

_IDS: Rule = (lambda value: isinstance(value, (set, frozenset)) and is_texts(value), "a frozenset of ids")
_LABELS: Rule = (lambda value: isinstance(value, (tuple, list)) and is_texts(value), "a tuple of texts")
_SHAPE: Rule = (lambda value: isinstance(value, TreeShape), "a TreeShape")


def load_model(pack: Pack) -> CheckedModel:
    """Return the model that the catalogue names. Raises NotVerified without one, UsageError for a wrong type.

    Its members raise Fault for what the protocol does not permit.
    """
    if pack.oracle is None:
        raise NotVerified("no_model", f"{pack.name} has no model that generates cases")
    return CheckedModel(pack, pack.oracle, load_entry_point(pack.pack_file, "oracle", pack.oracle, Model))


def load_state_machine(pack: Pack) -> CheckedStateMachine:
    """Return the state machine of the catalogue. Raises NotVerified without one, UsageError for a wrong type.

    Its members raise Fault for what the protocol does not permit.
    """
    if pack.state_machine is None:
        raise NotVerified("no_model", f"{pack.name} has no state machine that generates sequences")
    found = load_entry_point(pack.pack_file, "state_machine", pack.state_machine, StateMachineModel)
    return CheckedStateMachine(pack, pack.state_machine, found)


def load_judge(pack: Pack) -> CheckedModel | CheckedStateMachine:
    """Return what judges the calls of a pack's scenarios: the state machine where a tool changes the tree."""
    return load_model(pack) if pack.state_machine is None else load_state_machine(pack)


class CheckedModel:
    """The model of a pack; what breaks its protocol raises Fault."""

    def __init__(self, pack: Pack, entry_point: str, model: Model) -> None:
        self._members = members = ModelMembers(pack, "oracle", entry_point, model)
        self.tool: str = members.attribute("tool", TEXT)
        self.requirements: frozenset[str] = frozenset(members.attribute("requirements", _IDS))
        self.interpretations: frozenset[str] = frozenset(members.attribute("interpretations", _IDS))
        self.all_case_labels: tuple[str, ...] = tuple(members.attribute("all_case_labels", _LABELS))

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """Return the families of cases that a candidate with these capabilities supports."""
        return self._members.families(self._members.call("families", capabilities))

    def expected(self, case: Case) -> str:
        """Return the output, or the kinds of error, under the recommended readings. Raises Unmodelled."""
        value = self._members.call("expected", case)
        self._members.require("expected", value, isinstance(value, str), "a text")
        return str(value)

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Compare an answer with all results that the accepted readings permit. Raises Unmodelled."""
        return _judgement(self._members, exchange, accepted)

    def find_unreadable(self, answer: CallResult) -> Finding | None:
        """Return the finding for an answer that no reader can read, whatever the call; None: readable, or not known."""
        return self._members.unreadable(answer)

    def scenario_steps(self, case: Case, outside: str) -> tuple[str, ...]:
        """Return the case as steps of the pack, one per line. Raises Unmodelled."""
        return _steps(self._members, self._members.call("scenario_steps", case, outside))

    def case_labels(self, case: Case) -> frozenset[str]:
        """Return the labels of the features of a case that coverage counts. Raises Unmodelled."""
        return _labels(self._members, self._members.call("case_labels", case))


class CheckedStateMachine:
    """The state machine of a pack; what breaks its protocol raises Fault."""

    def __init__(self, pack: Pack, entry_point: str, model: StateMachineModel) -> None:
        self._members = members = ModelMembers(pack, "state_machine", entry_point, model)
        self.outside: str = members.attribute("outside", TEXT)
        self.tree_shape: TreeShape = members.attribute("tree_shape", _SHAPE)
        members.shape("tree_shape is a TreeShape", self.tree_shape)
        self.requirements: frozenset[str] = frozenset(members.attribute("requirements", _IDS))
        self.interpretations: frozenset[str] = frozenset(members.attribute("interpretations", _IDS))
        self.all_case_labels: tuple[str, ...] = tuple(members.attribute("all_case_labels", _LABELS))
        wider = getattr(model, "wider", None)
        self.wider = None if wider is None else CheckedStateMachine(pack, f"{entry_point}.wider", wider)

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the possible values of each argument of `command` on this tree, the simplest ones first."""
        value = self._members.call("command_choices", capabilities, tree)
        is_right = _is_list(value) and all(_is_list(one) and one for one in value)
        self._members.require(
            "command_choices", value, is_right, "a sequence of values for each argument of command, none of them empty"
        )
        found: Sequence[Sequence[Any]] = value
        return found

    def command(self, *parts: Any) -> Command:
        """Return the call with these values, one of each sequence of `command_choices`."""
        value = self._members.call("command", *parts)
        self._members.require("command", value, isinstance(value, Command), "a Command")
        found: Command = value
        return found

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Compare a call with all results that the accepted readings permit. Raises Unmodelled."""
        return _judgement(self._members, exchange, accepted)

    def find_unreadable(self, answer: CallResult) -> Finding | None:
        """Return the finding for an answer that no reader can read, whatever the call; None: readable, or not known."""
        return self._members.unreadable(answer)

    def scenario_steps(self, exchanges: Sequence[Exchange], accepted: AcceptedReadings) -> tuple[str, ...]:
        """Return calls on one tree as steps of a scenario. Raises Unmodelled."""
        return _steps(self._members, self._members.call("scenario_steps", exchanges, accepted))

    def case_labels(self, exchange: Exchange) -> frozenset[str]:
        """Return the labels of the features of a call that coverage counts."""
        return _labels(self._members, self._members.call("case_labels", exchange))


def _judgement(members: ModelMembers, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
    judgement = members.call("judge", exchange, accepted)
    members.require("judge", judgement, isinstance(judgement, ModelJudgement), "a ModelJudgement")
    members.findings(judgement.findings)
    for alternative in judgement.alternatives:
        members.findings(alternative.findings)
    for readings in (judgement.observed_readings, *judgement.explanations):
        is_right = isinstance(readings, Mapping) and all(
            isinstance(one, str) for item in readings.items() for one in item
        )
        what = 'observed_readings as a mapping such as {"AMB-PETS-01": "label"}'
        members.require("judge", judgement, is_right, what)
    found: ModelJudgement = judgement
    return found


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _steps(members: ModelMembers, value: Any) -> tuple[str, ...]:
    is_right = isinstance(value, (tuple, list)) and is_texts(value)
    members.require("scenario_steps", value, is_right, "a tuple of steps, one text for each line")
    return tuple(value)


def _labels(members: ModelMembers, value: Any) -> frozenset[str]:
    members.texts("case_labels", value, "a frozenset of labels of all_case_labels")
    return frozenset(value)


PARTS = ("arguments", "context", "config", "tree", "tool", "earlier")
"""The first parts of the paths of an update."""

_MAX_SHOWN_CHARACTERS = 80

Rule: TypeAlias = "tuple[Callable[[Any], bool], str]"
"""Whether a value is right, and what to write instead."""


def is_texts(value: object) -> bool:
    """Return True for a tuple, list or set of texts; a text alone is none."""
    return isinstance(value, (tuple, list, set, frozenset)) and all(isinstance(one, str) for one in value)


def _is_sequence_of(kind: type | tuple[type, ...], at_least: int = 0) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, (tuple, list)) and len(value) >= at_least and all(isinstance(one, kind) for one in value)
    )


def _are_groups(value: Any) -> bool:
    return _is_sequence_of((tuple, list), 1)(value) and all(_is_sequence_of(bytes, 1)(group) for group in value)


TEXT: Rule = (lambda value: isinstance(value, str), "a text")
_SHAPE_MEMBERS: Mapping[str, Rule] = {
    "names": (_are_groups, 'groups of bytes such as ((b"a", b"b"), (b"x",))'),
    "kinds": (_is_sequence_of(Kind, 1), "a tuple such as (Kind.FILE, Kind.DIR)"),
    "symlink_targets": (_is_sequence_of(bytes), 'a tuple of bytes such as (b"a",)'),
    "sizes": (_is_sequence_of(int), "a tuple of numbers such as (0, 3)"),
    "contents": (_is_sequence_of(bytes), 'a tuple of bytes such as (b"x\\n",)'),
    "mtimes_ms": (_is_sequence_of(int), "a tuple of numbers such as (0, 1500)"),
    "directory_modes": (_is_sequence_of((int, type(None)), 1), "a tuple such as (None, 0o000)"),
    "max_entries": (lambda value: isinstance(value, int) and value >= 0, "a number"),
    "hard_links": (lambda value: isinstance(value, bool), "True or False"),
    "file_modes": (_is_sequence_of(int), "a tuple of permissions such as (0o000, 0o755)"),
    "special_mtimes_ms": (_is_sequence_of(int), "a tuple of numbers such as (0, 1500)"),
    "whole_trees": (_is_sequence_of(Tree), "a tuple of trees"),
}
_FAMILY: Mapping[str, Rule] = {
    "name": TEXT,
    "tree": (lambda value: value is None or isinstance(value, (Tree, TreeShape)), "a TreeShape, a Tree or None"),
    "stages": (
        lambda value: isinstance(value, (tuple, list)) and all(map(callable, value)),
        "a tuple such as (paths,)",
    ),
    "outside": TEXT,
    "arguments": (lambda value: isinstance(value, Mapping), 'a mapping such as {"path": "."}'),
    "needs": (is_texts, 'a set such as frozenset({"modes"})'),
    "unchanged": TEXT,
    "relative_size": (lambda value: isinstance(value, (int, float)), "a number"),
}
_FINDING: Mapping[str, Rule] = {
    "requirement": TEXT,
    "message": TEXT,
    "expected": TEXT,
    "got": TEXT,
    "other_requirements": (is_texts, "a tuple of ids"),
    "kind": TEXT,
    "basis": (lambda value: value is None or value in get_args(Basis), "a basis such as prudent, or None"),
    "harm": (lambda value: value is None or value in get_args(SeenHarm), "data, escape, none or None"),
}
_PIECES: Mapping[str, Rule] = {
    "field_path": TEXT,
    "pieces": (_is_sequence_of(str, 1), 'a tuple such as ("a", "/")'),
    "max_pieces": (lambda value: isinstance(value, int) and value >= 1, "a number from 1"),
}


class ModelMembers:
    """Reads and calls the members of a model. Everything that breaks its protocol raises Fault."""

    def __init__(self, pack: Pack, key: str, entry_point: str, model: Any) -> None:
        self._specification, self._place = pack.name, f"{key} {entry_point}"
        self._module = full_module_name(entry_point.partition(":")[0], pack.folder)
        self._model = model

    def call(self, member: str, *arguments: Any) -> Any:
        """Return what a method returns. Raises Unmodelled."""
        return self.run(member, getattr(self._model, member), *arguments)

    def run(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function of the model returns. Raises Unmodelled."""
        try:
            return function(*arguments)
        except (Unmodelled, UsageError, MemoryError):
            raise
        except Exception as error:
            self.refuse(f"{what} raised {format_exception(error, self._module)}; correct it")

    def attribute(self, member: str, rule: Rule) -> Any:
        """Return an attribute that obeys a rule."""
        value = self.run(member, getattr, self._model, member)
        if callable(value):
            self.refuse(f"{member} is a method; write an attribute, or @property above it")
        if not rule[0](value):
            self.refuse(f"{member} is {_shown(value)}; write {rule[1]}")
        return value

    def refuse(self, problem: str) -> NoReturn:
        """Raise Fault with a problem of the model."""
        raise Fault("specification", f"{self._specification}: {self._place}: {problem}")

    def require(self, member: str, value: Any, is_right: bool, expected: str) -> None:
        """Raise Fault unless the value that a member returned is right."""
        if not is_right:
            self.refuse(f"{member} returned {_shown(value)}; return {expected}")

    def texts(self, member: str, value: Any, expected: str) -> None:
        """Require a collection of texts."""
        self.require(member, value, is_texts(value), expected)

    def findings(self, value: Any, member: str = "judge") -> tuple[Finding, ...]:
        """Return the findings that a member has returned."""
        self.require(member, value, isinstance(value, (tuple, list)), "a tuple of Finding")
        for finding in value:
            self.require(member, finding, isinstance(finding, Finding), "a tuple of Finding")
            self.parts(f"{member} returned a Finding", finding, _FINDING)
        return tuple(value)

    def unreadable(self, answer: CallResult) -> Finding | None:
        """Return what `find_unreadable` returns, which a model need not have."""
        if not hasattr(self._model, "find_unreadable"):
            return None
        found: Finding | None = self.call("find_unreadable", answer)
        self.findings([] if found is None else [found], "find_unreadable")
        return found

    def families(self, value: Any) -> tuple[CaseFamily, ...]:
        """Return the families with stages whose updates are checked."""
        expected = "a tuple of CaseFamily"
        is_collection = isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))
        self.require("families", value, is_collection, f"{expected}, such as (CaseFamily(…),)")
        found = self.run("families", tuple, value)
        for family in found:
            self.require("families", family, isinstance(family, CaseFamily), expected)
            self.parts("families returned a CaseFamily", family, _FAMILY)
            if isinstance(family.tree, TreeShape):
                self.shape(f"families returned the family {family.name}, and its TreeShape", family.tree)
        return tuple(
            replace(family, stages=tuple(self._stage(family.name, stage) for stage in family.stages))
            for family in found
        )

    def shape(self, what: str, shape: TreeShape) -> None:
        """Require the types of a TreeShape's members."""
        self.parts(what, shape, _SHAPE_MEMBERS)

    def parts(self, what: str, value: Any, rules: Mapping[str, Rule]) -> None:
        """Require the types of all members of a value."""
        for field in fields(value):
            part = getattr(value, field.name)
            is_right, expected = rules[field.name]
            if not is_right(part):
                self.refuse(f"{what} with {field.name} = {_shown(part)}; write {expected}")

    def _stage(self, family: str, stage: Stage) -> Stage:
        name = getattr(stage, "__name__", type(stage).__name__)
        what = f"the stage {name} of the family {family}"

        def checked(case: Any) -> Any:
            choices = self.run(what, stage, case)
            if isinstance(choices, TextPieces):
                self.parts(f"{what} returned TextPieces", choices, _PIECES)
                paths: Collection[Any] = [choices.field_path]
            else:
                is_right = isinstance(choices, Sequence) and bool(choices) and not isinstance(choices, (str, bytes))
                expected = 'a list of updates such as [{"arguments.path": "."}], or TextPieces'
                self.require(what, choices, is_right and all(isinstance(one, Mapping) for one in choices), expected)
                paths = {path for update in choices for path in update}
            for path in paths:
                if not isinstance(path, str) or path.partition(".")[0] not in PARTS:
                    self.refuse(f'{what} names {_shown(path)}; write a path such as "arguments.path"')
            return choices

        return checked


def _shown(value: object) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:  # __repr__ may raise anything
        text = "something that cannot be shown"
    short = text if len(text) <= _MAX_SHOWN_CHARACTERS else f"{text[:_MAX_SHOWN_CHARACTERS]}…"
    return short if value is None else f"{short} ({type(value).__name__})"
