"""Models whose members are checked: each mistake of an author is one line that names the model and the member."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treeproof.candidate import CallResult
from treeproof.model.case import AcceptedReadings, Case, CaseFamily, Command, Exchange, Model, TreeShape
from treeproof.model.returned_values import TEXT, ModelMembers, Rule, is_texts
from treeproof.model.sequence import StateMachineModel
from treeproof.spec import Pack
from treeproof.spec.entry_points import load_entry_point
from treeproof.tree import Tree
from treeproof.verdict import NotVerified
from treeproof.verdict.finding import Finding, ModelJudgement

_IDS: Rule = (lambda value: isinstance(value, (set, frozenset)) and is_texts(value), "a frozenset of ids")
_LABELS: Rule = (lambda value: isinstance(value, (tuple, list)) and is_texts(value), "a tuple of texts")
_SHAPE: Rule = (lambda value: isinstance(value, TreeShape), "a TreeShape")


def load_model(pack: Pack) -> CheckedModel:
    """Return the model that the catalogue names. Raises NotVerified without one, UsageError for a wrong type.

    Its members raise SpecificationFault for what the protocol does not permit.
    """
    if pack.oracle is None:
        raise NotVerified("no_model", f"{pack.name} has no model that generates cases")
    return CheckedModel(pack, pack.oracle, load_entry_point(pack.pack_file, "oracle", pack.oracle, Model))


def load_state_machine(pack: Pack) -> CheckedStateMachine:
    """Return the state machine of the catalogue. Raises NotVerified without one, UsageError for a wrong type.

    Its members raise SpecificationFault for what the protocol does not permit.
    """
    if pack.state_machine is None:
        raise NotVerified("no_model", f"{pack.name} has no state machine that generates sequences")
    found = load_entry_point(pack.pack_file, "state_machine", pack.state_machine, StateMachineModel)
    return CheckedStateMachine(pack, pack.state_machine, found)


def load_judge(pack: Pack) -> CheckedModel | CheckedStateMachine:
    """Return what judges the calls of a pack's scenarios: the state machine where a tool changes the tree."""
    return load_model(pack) if pack.state_machine is None else load_state_machine(pack)


class CheckedModel:
    """The model of a pack; what breaks its protocol raises SpecificationFault."""

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
    """The state machine of a pack; what breaks its protocol raises SpecificationFault."""

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
