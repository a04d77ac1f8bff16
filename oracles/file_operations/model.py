"""The state machine model of the file operations 1.1. The catalogue names `model` as its state machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import (
    ROOT_NAME,
    AcceptedReadings,
    Case,
    Command,
    Exchange,
    Kind,
    ModelJudgement,
    Tree,
    Unmodelled,
    tree_diff,
)

from ..shared.judgement import judge_outcomes
from .calls import expected_tree, request_of, requests_of, state_before, tool_name
from .case_labels import ALL_CASE_LABELS, UNUSUAL, case_labels, tool_labels
from .circumstances import LISTING_TOOLS
from .comparison import REQUIREMENTS, compare, is_right_status, missing_name, unknown_tool
from .expected import RECOMMENDED_READINGS, expected_outcomes
from .gates import CONVERSION, FOLDING, UNKNOWN, Gate, conversions, gates
from .generators import OUTSIDE, TOOLS, TREES, WIDE_TREES, command_choices, make_command, wide_command_choices
from .listing import judge_listing
from .outcome import ExpectedOutcome, outcome_of_gate
from .scenario_writer import scenario_steps


class FileOperations:
    """The stateless model of move and copy."""

    outside = OUTSIDE
    tree_shape = TREES
    requirements = REQUIREMENTS
    interpretations = frozenset(
        {*RECOMMENDED_READINGS, "AMB-FO-03", "AMB-FO-09", "AMB-FO-51", CONVERSION, FOLDING, UNKNOWN}
    )
    wider: FileOperations | None = None
    all_case_labels = ALL_CASE_LABELS

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the values from which each part of a command is drawn."""
        return command_choices(capabilities, tree)

    def command(self, *parts: Any) -> Command:
        """Return the command with one value for each part."""
        return make_command(*parts)

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Return the readings that explain a call, or how it differs from each accepted outcome. Raises Unmodelled."""
        tool, root = exchange.command.tool, exchange.before.find(ROOT_NAME)
        if root is None or root.kind is not Kind.DIR:
            raise Unmodelled("an earlier call has removed or replaced the sandbox root")
        if tool in LISTING_TOOLS:
            return judge_outcomes([({}, None)], lambda _: (0, judge_listing(exchange)))
        if tool not in TOOLS:
            return judge_outcomes([({}, None)], lambda _: (0, unknown_tool(exchange)))
        if exchange.answer.error_kind == "UnknownTool":
            return judge_outcomes([({}, None)], lambda _: (0, (missing_name(exchange),)))
        outcomes = outcomes_of(exchange, accepted)
        return judge_outcomes(
            [(one.labels, one) for one in outcomes],
            lambda one: compare(exchange, one),
            can_match=lambda one: is_right_status(exchange, one),
        )

    def scenario_steps(self, exchanges: Sequence[Exchange], accepted: AcceptedReadings) -> tuple[str, ...]:
        """Return calls on one tree as a scenario that every accepted reading passes. Raises Unmodelled."""
        return scenario_steps(exchanges, accepted)

    def case_labels(self, exchange: Exchange) -> frozenset[str]:
        """Return the labels that apply to a call on its tree."""
        if labels := tool_labels(exchange.command.tool):
            return labels
        try:
            arguments = next((given for _, given in conversions(exchange.command.arguments)), None)
            if arguments is None:
                return UNUSUAL
            refusals = {one.requirement for one in outcomes_of(exchange, {}) if one.error_kind is not None}
            return case_labels(request_of(exchange, arguments), refusals)
        except Unmodelled:
            return UNUSUAL

    def summary(self, case: Case) -> str:
        """Return what a call comes to by the recommended readings, as changes of the tree. Raises Unmodelled."""
        exchange = Exchange.without_answer(case)
        if case.tool not in TOOLS:
            raise Unmodelled("another tool has a specification of its own")
        outcome = outcomes_of(exchange, {})[0]
        if outcome.error_kind is not None:
            return "an error"
        return "; ".join(tree_diff(exchange.before, expected_tree(exchange, outcome), times=False)) or "no change"


def outcomes_of(exchange: Exchange, accepted: AcceptedReadings) -> list[ExpectedOutcome]:
    """Return every outcome that accepted readings and the rules before a call allow. Raises Unmodelled."""
    state = state_before(exchange)
    found = list(gates(exchange.command, tool_name(exchange.command), state))
    stopped = [outcome_of_gate(gate, state) for gate in found if _is_accepted(gate, accepted)]
    if any(gate.certain for gate in found):
        return [*stopped, *_other_failures(exchange, accepted)]
    others = {id: label for gate in found for id, label in gate.other_labels.items()}
    carried_out: list[ExpectedOutcome] = []
    for labels, arguments in conversions(exchange.command.arguments):
        if all(label in accepted.get(id, frozenset()) for id, label in labels.items()):
            for request in requests_of(exchange, arguments):
                outcomes = expected_outcomes(request, accepted)
                shown = {id: label for id, label in others.items() if FOLDING not in labels or id != UNKNOWN}
                carried_out += [_with_labels(outcome, {**shown, **labels}) for outcome in outcomes]
    return [*carried_out, *stopped]


def _with_labels(outcome: ExpectedOutcome, labels: Mapping[str, str]) -> ExpectedOutcome:
    """Return an outcome with the readings by which no rule stops the call; an error shows nothing about them."""
    return replace(outcome, labels={**outcome.labels, **labels}) if outcome.error_kind is None else outcome


def _other_failures(exchange: Exchange, accepted: AcceptedReadings) -> list[ExpectedOutcome]:
    """Return the errors that a call which is stopped can have as well: the rules have no order in the document."""
    try:
        outcomes = expected_outcomes(request_of(exchange), accepted)
    except Unmodelled:
        return []
    return [outcome for outcome in outcomes if outcome.error_kind is not None]


def _is_accepted(gate: Gate, accepted: AcceptedReadings) -> bool:
    return all(label in accepted.get(id, (label,)) for id, label in gate.labels.items())


class WiderFileOperations(FileOperations):
    """The model with unusual trees and calls, too many kinds of them for the sample of a run."""

    tree_shape = WIDE_TREES

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the values from which each part of a command is drawn."""
        return wide_command_choices(capabilities, tree)


model = FileOperations()
model.wider = WiderFileOperations()
