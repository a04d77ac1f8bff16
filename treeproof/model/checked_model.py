"""Models with checked members and results: a mistake of an author is one line that names model and member.

Contains also the judge of a pack without a model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from typing import Any, NoReturn, TypeAlias, get_args

from treeproof.candidate import ERROR_KINDS, UNCLASSIFIED, CallResult
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
from treeproof.spec.catalogue import Basis, Harm
from treeproof.spec.entry_points import load_entry_point
from treeproof.tree import Kind, Tree
from treeproof.verdict import Fault, NotVerified
from treeproof.verdict.finding import Finding, ModelJudgement

OTHER_FORM = "the output has another form"
"""The kind of a difference between an output and its schema."""

_PARTS = ("arguments", "context", "config", "tree", "tool", "earlier")
"""The first parts of the paths of an update."""

_MAX_SHOWN_CHARACTERS = 80

Rule: TypeAlias = "tuple[Callable[[Any], bool], str]"
"""Whether a value is right, and what to write instead."""


def _is_texts(value: object) -> bool:
    """Return True for a tuple, list or set of texts; a text alone is none."""
    return isinstance(value, (tuple, list, set, frozenset)) and all(isinstance(one, str) for one in value)


def _is_sequence_of(kind: type | tuple[type, ...], at_least: int = 0) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, (tuple, list)) and len(value) >= at_least and all(isinstance(one, kind) for one in value)
    )


def _are_groups(value: Any) -> bool:
    return _is_sequence_of((tuple, list), 1)(value) and all(_is_sequence_of(bytes, 1)(group) for group in value)


_TEXT: Rule = (lambda value: isinstance(value, str), "a text")
_IDS: Rule = (lambda value: isinstance(value, (set, frozenset)) and _is_texts(value), "a frozenset of ids")
_LABELS: Rule = (lambda value: isinstance(value, (tuple, list)) and _is_texts(value), "a tuple of texts")
_SHAPE: Rule = (lambda value: isinstance(value, TreeShape), "a TreeShape")
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
    "name": _TEXT,
    "tree": (lambda value: value is None or isinstance(value, (Tree, TreeShape)), "a TreeShape, a Tree or None"),
    "stages": (
        lambda value: isinstance(value, (tuple, list)) and all(map(callable, value)),
        "a tuple such as (paths,)",
    ),
    "outside": _TEXT,
    "arguments": (lambda value: isinstance(value, Mapping), 'a mapping such as {"path": "."}'),
    "needs": (_is_texts, 'a set such as frozenset({"modes"})'),
    "unchanged": _TEXT,
    "relative_size": (lambda value: isinstance(value, (int, float)), "a number"),
}
_FINDING: Mapping[str, Rule] = {
    "requirement": _TEXT,
    "message": _TEXT,
    "expected": _TEXT,
    "got": _TEXT,
    "other_requirements": (_is_texts, "a tuple of ids"),
    "kind": _TEXT,
    "basis": (lambda value: value is None or value in get_args(Basis), "a basis such as prudent, or None"),
    "harm": (lambda value: value is None or value in get_args(Harm), "data, escape or None"),
}
_PIECES: Mapping[str, Rule] = {
    "field_path": _TEXT,
    "pieces": (_is_sequence_of(str, 1), 'a tuple such as ("a", "/")'),
    "max_pieces": (lambda value: isinstance(value, int) and value >= 1, "a number from 1"),
}


class _CheckedMembers:
    """A model of a pack: reads and calls its members. Everything that breaks its protocol raises Fault."""

    def __init__(self, pack: Pack, key: str, entry_point: str, model: Any) -> None:
        self._specification, self._place = pack.name, f"{key} {entry_point}"
        self._module = full_module_name(entry_point.partition(":")[0], pack.folder)
        self._model = model
        self._error_kinds = (*ERROR_KINDS, *pack.error_kinds)
        self.requirements: frozenset[str] = frozenset(self._attribute("requirements", _IDS))
        self.interpretations: frozenset[str] = frozenset(self._attribute("interpretations", _IDS))
        self.all_case_labels: tuple[str, ...] = tuple(self._attribute("all_case_labels", _LABELS))

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Compare a call with all results that the accepted readings permit. Raises Unmodelled.

        An error without a kind is wrong only if it is so with every kind.
        """
        found = self._judge(exchange, accepted)
        if exchange.answer.error_kind != UNCLASSIFIED:
            return found
        for kind in self._error_kinds if found.findings else ():
            known = self._judge(replace(exchange, answer=replace(exchange.answer, error_kind=kind)), accepted)
            if not known.findings:
                raise Unmodelled("the kind of the error is unknown, and one is right here")
            if not any(kind in one.kind for one in known.findings):
                return known
        return found

    def _judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        found: ModelJudgement = self._call("judge", exchange, accepted)
        self._require("judge", found, isinstance(found, ModelJudgement), "a ModelJudgement")
        self._check_findings(found.findings)
        for alternative in found.alternatives:
            self._check_findings(alternative.findings)
        for readings in (found.observed_readings, *found.explanations):
            is_right = isinstance(readings, Mapping) and all(
                isinstance(one, str) for item in readings.items() for one in item
            )
            what = 'observed_readings as a mapping such as {"AMB-PETS-01": "label"}'
            self._require("judge", found, is_right, what)
        return found

    def find_unreadable(self, answer: CallResult) -> Finding | None:
        """Return the finding for an answer that no reader can read, whatever the call; None: readable, or not known."""
        if not hasattr(self._model, "find_unreadable"):  # a model need not have it
            return None
        found: Finding | None = self._call("find_unreadable", answer)
        self._check_findings([] if found is None else [found], "find_unreadable")
        return found

    def scenario_steps(self, *arguments: Any) -> tuple[str, ...]:
        """Return a case, or calls, as steps of the pack, one per line. Raises Unmodelled."""
        value = self._call("scenario_steps", *arguments)
        is_right = isinstance(value, (tuple, list)) and _is_texts(value)
        self._require("scenario_steps", value, is_right, "a tuple of steps, one text for each line")
        return tuple(value)

    def case_labels(self, case: Case | Exchange) -> frozenset[str]:
        """Return the labels of the features of a case or a call that coverage counts. Raises Unmodelled."""
        value = self._call("case_labels", case)
        is_right = _is_texts(value) and set(value) <= {*self.all_case_labels}
        self._require("case_labels", value, is_right, "a frozenset of labels of all_case_labels")
        return frozenset(value)

    def source_of(self, member: str) -> Any:
        """Return a member as the pack defines it."""
        return getattr(self._model, member)

    def summary(self, case: Case) -> str:
        """Return the expected result of a call by the recommended readings in one line. Raises Unmodelled."""
        member = "summary" if hasattr(self._model, "summary") else "expected"
        value = self._call(member, case)
        self._require(member, value, isinstance(value, str), "a text")
        return str(value)

    def _call(self, member: str, *arguments: Any) -> Any:
        """Return what a method returns. Raises Unmodelled."""
        return self._run(member, getattr(self._model, member), *arguments)

    def _run(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function of the model returns. Raises Unmodelled."""
        try:
            return function(*arguments)
        except (Unmodelled, UsageError, MemoryError):
            raise
        except Exception as error:
            self._refuse(f"{what} raised {format_exception(error, self._module)}; correct it")

    def _attribute(self, member: str, rule: Rule) -> Any:
        """Return an attribute that obeys a rule."""
        value = self._run(member, getattr, self._model, member)
        if callable(value):
            self._refuse(f"{member} is a method; write an attribute, or @property above it")
        if not rule[0](value):
            self._refuse(f"{member} is {_shown(value)}; write {rule[1]}")
        return value

    def _refuse(self, problem: str) -> NoReturn:
        raise Fault("specification", f"{self._specification}: {self._place}: {problem}")

    def _require(self, member: str, value: Any, is_right: bool, expected: str) -> None:
        """Raise Fault unless the value that a member returned is right."""
        if not is_right:
            self._refuse(f"{member} returned {_shown(value)}; return {expected}")

    def _check_findings(self, value: Any, member: str = "judge") -> None:
        self._require(member, value, isinstance(value, (tuple, list)), "a tuple of Finding")
        for finding in value:
            self._require(member, finding, isinstance(finding, Finding), "a tuple of Finding")
            self._check_parts(f"{member} returned a Finding", finding, _FINDING)
            if finding.requirement not in self.requirements:
                self._refuse(f'{member} returned a Finding on "{finding.requirement}"; add it to requirements')

    def _check_parts(self, what: str, value: Any, rules: Mapping[str, Rule]) -> None:
        """Require the types of all members of a value."""
        for field in fields(value):
            part = getattr(value, field.name)
            is_right, expected = rules[field.name]
            if not is_right(part):
                self._refuse(f"{what} with {field.name} = {_shown(part)}; write {expected}")


class CheckedModel(_CheckedMembers):
    """The model of a pack; what breaks its protocol raises Fault."""

    def __init__(self, pack: Pack, entry_point: str, model: Model) -> None:
        super().__init__(pack, "oracle", entry_point, model)
        self.tool: str = self._attribute("tool", _TEXT)

    def families(self, capabilities: frozenset[str]) -> tuple[CaseFamily, ...]:
        """Return the families of cases that a candidate with these capabilities supports; their stages are checked."""
        value, expected = self._call("families", capabilities), "a tuple of CaseFamily"
        is_collection = isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))
        self._require("families", value, is_collection, f"{expected}, such as (CaseFamily(…),)")
        found = self._run("families", tuple, value)
        for family in found:
            self._require("families", family, isinstance(family, CaseFamily), expected)
            self._check_parts("families returned a CaseFamily", family, _FAMILY)
            if isinstance(family.tree, TreeShape):
                what = f"families returned the family {family.name}, and its TreeShape"
                self._check_parts(what, family.tree, _SHAPE_MEMBERS)
        return tuple(
            replace(family, stages=tuple(self._checked_stage(family.name, stage) for stage in family.stages))
            for family in found
        )

    def expected(self, case: Case) -> str:
        """Return the output, or the kinds of error, under the recommended readings. Raises Unmodelled."""
        value = self._call("expected", case)
        self._require("expected", value, isinstance(value, str), "a text")
        return str(value)

    def _checked_stage(self, family: str, stage: Stage) -> Stage:
        name = getattr(stage, "__name__", type(stage).__name__)
        what = f"the stage {name} of the family {family}"

        @wraps(stage)
        def checked(case: Any) -> Any:
            choices = self._run(what, stage, case)
            if isinstance(choices, TextPieces):
                self._check_parts(f"{what} returned TextPieces", choices, _PIECES)
                paths: Collection[Any] = [choices.field_path]
            else:
                expected = 'a list of updates such as [{"arguments.path": "."}], or TextPieces'
                is_right = _is_list(choices) and bool(choices) and all(isinstance(one, Mapping) for one in choices)
                self._require(what, choices, is_right, expected)
                paths = {path for update in choices for path in update}
            for path in paths:
                if not isinstance(path, str) or path.partition(".")[0] not in _PARTS:
                    self._refuse(f'{what} names {_shown(path)}; write a path such as "arguments.path"')
            return choices

        return checked


class CheckedStateMachine(_CheckedMembers):
    """The state machine of a pack; what breaks its protocol raises Fault."""

    def __init__(self, pack: Pack, entry_point: str, model: StateMachineModel) -> None:
        super().__init__(pack, "state_machine", entry_point, model)
        self.outside: str = self._attribute("outside", _TEXT)
        self.tree_shape: TreeShape = self._attribute("tree_shape", _SHAPE)
        self._check_parts("tree_shape is a TreeShape", self.tree_shape, _SHAPE_MEMBERS)
        wider = getattr(model, "wider", None)
        self.wider = None if wider is None else CheckedStateMachine(pack, f"{entry_point}.wider", wider)

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the possible values of each argument of `command` on this tree, the simplest ones first."""
        found: Sequence[Sequence[Any]] = self._call("command_choices", capabilities, tree)
        is_right = _is_list(found) and all(_is_list(one) and one for one in found)
        expected = "a sequence of values for each argument of command, none of them empty"
        self._require("command_choices", found, is_right, expected)
        return found

    def command(self, *parts: Any) -> Command:
        """Return the call with these values, one of each sequence of `command_choices`."""
        found: Command = self._call("command", *parts)
        self._require("command", found, isinstance(found, Command), "a Command")
        return found


class OutputSchema:
    """Judges whether the output of a call that succeeded fits the schema `output` of a pack."""

    interpretations: frozenset[str] = frozenset()

    def __init__(self, pack: Pack) -> None:
        from jsonschema import Draft202012Validator  # slow to import

        self._requirement = pack.output_form or ""
        self._validator: Any = Draft202012Validator(json.loads(pack.schemas["output"].read_text("utf-8")))

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Return a finding on an output that is no JSON or does not fit the schema."""
        return self.judge_answer(exchange.answer)

    def judge_answer(self, answer: CallResult) -> ModelJudgement:
        """Return the same for an answer, whatever its call was."""
        if answer.status != "ok":
            return ModelJudgement()
        try:
            value = json.loads(answer.content or "")
        except (ValueError, RecursionError) as error:
            return self._finding(f"the output is no JSON: {error}", answer.content or "")
        problem = next(self._validator.iter_errors(value), None)
        if problem is None:
            return ModelJudgement()
        return self._finding(f"{problem.json_path}: {problem.message}", answer.content or "")

    def find_unreadable(self, answer: CallResult) -> None:
        """Return None: `judge` covers every call."""

    def _finding(self, message: str, got: str) -> ModelJudgement:
        finding = Finding(self._requirement, message, got=got, kind=OTHER_FORM)
        return ModelJudgement((finding,))


def load_model(pack: Pack) -> CheckedModel:
    """Return the model that the catalogue names. Raises NotVerified without one, UsageError for a wrong type.

    Its members raise Fault for what the protocol does not permit.
    """
    if pack.oracle is None:
        raise NotVerified("no_model", f"{pack.name} has no model that generates cases")
    return CheckedModel(pack, pack.oracle, load_entry_point(pack.pack_file, "oracle", pack.oracle, Model))


def load_state_machine(pack: Pack) -> CheckedStateMachine:
    """Return the state machine of the catalogue. Raises as `load_model` does."""
    if pack.state_machine is None:
        raise NotVerified("no_model", f"{pack.name} has no state machine that generates sequences")
    found = load_entry_point(pack.pack_file, "state_machine", pack.state_machine, StateMachineModel)
    return CheckedStateMachine(pack, pack.state_machine, found)


def load_judge(pack: Pack) -> CheckedModel | CheckedStateMachine | OutputSchema:
    """Return what judges the calls of a pack's scenarios: the state machine where a tool changes the tree."""
    if not pack.has_model:
        return OutputSchema(pack)
    return load_model(pack) if pack.state_machine is None else load_state_machine(pack)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _shown(value: object) -> str:
    try:
        text = " ".join(repr(value).split())
    except Exception:  # __repr__ may raise anything
        text = "something that cannot be shown"
    short = text if len(text) <= _MAX_SHOWN_CHARACTERS else f"{text[:_MAX_SHOWN_CHARACTERS]}…"
    return short if value is None else f"{short} ({type(value).__name__})"
