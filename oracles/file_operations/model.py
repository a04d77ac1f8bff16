"""The state machine model of the file operations 1.1. The catalogue names `model` as its state machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treeproof.api import (
    ROOT_NAME,
    AcceptedReadings,
    Command,
    Exchange,
    Finding,
    ModelJudgement,
    Tree,
    Unmodelled,
    by_path,
    from_paths,
    render_tree,
    tree_diff,
    without_default_metadata,
)

from ..shared.judgement import MATCH, Comparison, judge_outcomes
from .attribution import attribute, kind_of, stage_of
from .calls import expected_tree, request_of, state_before, tool_name
from .case_labels import ALL_CASE_LABELS, NO_TRANSFER, case_labels, unusual_labels
from .circumstances import LISTING_TOOLS, UNKNOWN_TOOLS
from .expected import ExpectedOutcome, expected_outcomes, is_in_doubt
from .gates import gates
from .generators import OUTSIDE, TOOLS, TREES, WIDE_TREES, command_choices, make_command, wide_command_choices
from .listing import judge_listing
from .scenario_writer import scenario_steps

MAX_DIFF_LINES = 12

ALIAS_RULE = "FR-FOPS-01"
"""The requirement on the names of the tools."""

SWITCH, SWITCH_RULE = "AMB-FO-01", "CFG-FOPS-01"
"""The interpretation of the configuration, of which one reading holds throughout, and its requirement."""


class FileOperations:
    """The stateless model of move and copy."""

    outside = OUTSIDE
    tree_shape = TREES
    wider: FileOperations | None = None
    all_case_labels = ALL_CASE_LABELS

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the values from which each part of a command is drawn."""
        return command_choices(capabilities, tree)

    def command(self, *parts: Any) -> Command:
        """Return the command with one value for each part."""
        return make_command(*parts)

    def judge(self, exchange: Exchange, accepted: AcceptedReadings) -> ModelJudgement:
        """Return how a call differs from the closest accepted outcome. Raises Unmodelled."""
        return ModelJudgement(self._findings(exchange, accepted))

    def _findings(self, exchange: Exchange, accepted: AcceptedReadings) -> tuple[Finding, ...]:
        tool = exchange.command.tool
        if tool in LISTING_TOOLS:
            return judge_listing(exchange)
        if tool in UNKNOWN_TOOLS:
            return _unless_stopped(exchange, ALIAS_RULE, "no tool has this name")
        if exchange.answer.error_kind == "UnknownTool":
            message = f"{tool} is no name of any tool"
            name = tool_name(exchange.command)
            return (
                Finding(ALIAS_RULE, message, name, "UnknownTool", stage="call", kind="there is no tool of this name"),
            )
        paths = [str(exchange.command.arguments.get(name, "")) for name in ("source", "destination")]
        if any("\ud800" <= character <= "\udfff" for path in paths for character in path):
            raise Unmodelled("a path has half of a surrogate pair")
        try:
            return self._judge_transfer(exchange, accepted)
        except Unmodelled:
            return ()

    def _judge_transfer(self, exchange: Exchange, accepted: AcceptedReadings) -> tuple[Finding, ...]:
        found = list(gates(exchange.command, tool_name(exchange.command), state_before(exchange)))
        certain = next((gate.requirement for gate in found if gate.certain), None)
        if certain is not None:
            return _unless_stopped(exchange, certain, "the call has to be refused")
        if found and exchange.answer.status != "ok" and not _losses(exchange.before, exchange.after):
            return ()
        findings, labels = _judge_by_readings(exchange, accepted)
        return findings or _inconsistency(exchange, labels, accepted)

    def scenario_steps(self, exchanges: Sequence[Exchange], accepted: AcceptedReadings) -> tuple[str, ...]:
        """Return calls on one tree as a scenario that every accepted reading passes. Raises Unmodelled."""
        return scenario_steps(exchanges, accepted)

    def case_labels(self, exchange: Exchange) -> frozenset[str]:
        """Return the labels that apply to a call on its tree."""
        unusual = unusual_labels(exchange.command)
        if unusual & NO_TRANSFER:
            return unusual
        try:
            return unusual | case_labels(request_of(exchange), exchange.command.tool)
        except Unmodelled:
            return unusual | {"unusual arguments"}


def _judge_by_readings(exchange: Exchange, accepted: AcceptedReadings) -> tuple[tuple[Finding, ...], frozenset[str]]:
    """Return how a call differs from the closest outcome, and the readings of the switch by which it is right.

    Raises Unmodelled.
    """
    request = request_of(exchange)
    every = frozenset(accepted.get(SWITCH, ()))
    fitting: set[str] = set()
    compared: list[tuple[object, Comparison]] = []

    def compare(outcome: ExpectedOutcome) -> Comparison:
        key = outcome.error_kind, outcome.requirement, outcome.state
        comparison = next((known for other, known in compared if other == key), None)
        if comparison is None:
            comparison = _compare(exchange, outcome)
            compared.append((key, comparison))
        if comparison == MATCH:
            fitting.update((outcome.labels[SWITCH],) if SWITCH in outcome.labels else every)
        return comparison

    outcomes = expected_outcomes(request, accepted)
    findings = judge_outcomes([(outcome.labels, outcome) for outcome in outcomes], compare).findings
    return findings, frozenset(fitting) if is_in_doubt(request) and not findings else every


def _inconsistency(exchange: Exchange, labels: frozenset[str], accepted: AcceptedReadings) -> tuple[Finding, ...]:
    """Return that no reading of the configuration fits this call and the earlier ones of the sequence."""
    if not exchange.earlier or len(labels) == len(accepted.get(SWITCH, ())):
        return ()
    for earlier in exchange.earlier:
        labels &= _fitting_labels(earlier, accepted)
    if labels:
        return ()
    message = f"{exchange.command.tool} {json.dumps(dict(exchange.command.arguments))} follows another reading"
    return (
        Finding(SWITCH_RULE, message, "one reading", "several", stage="entries", kind="two readings of one switch"),
    )


def _fitting_labels(exchange: Exchange, accepted: AcceptedReadings) -> frozenset[str]:
    """Return the readings of the switch (AMB-FO-01) by which the result of a call is right."""
    every = frozenset(accepted.get(SWITCH, ()))
    command = exchange.command
    if command.tool not in TOOLS or any(gates(command, tool_name(command), state_before(exchange))):
        return every
    try:
        return _judge_by_readings(exchange, accepted)[1]
    except Unmodelled:
        return every


def _unless_stopped(exchange: Exchange, requirement: str, message: str) -> tuple[Finding, ...]:
    """Return that a call was carried out, or changed something, although it had to fail."""
    answer, command = exchange.answer, exchange.command
    changes = tree_diff(exchange.before, exchange.after, times=False)
    if answer.status != "ok" and not changes:
        return ()
    got = "success" if answer.status == "ok" else f"{answer.error_kind}, with an effect"
    if answer.status != "ok" and not _losses(exchange.before, exchange.after):
        return ()  # what a call that fails leaves behind is a matter of another rule
    text = f"{message}: {command.tool} {json.dumps(dict(command.arguments))} {json.dumps(dict(command.context))}"
    return (Finding(requirement, text, "an error", got, stage="refusal", kind="the call succeeded; it should fail"),)


def _compare(exchange: Exchange, outcome: ExpectedOutcome) -> Comparison:
    """Compare answer and tree together: the fewer differences, the closer the outcome."""
    answer, command = exchange.answer, exchange.command
    tree = expected_tree(exchange, outcome)
    if outcome.error_kind is not None and answer.status != "ok":
        changes = _losses(tree, exchange.after)
    else:
        changes = tree_diff(tree, exchange.after, times=False)
    is_success = outcome.error_kind is None
    right_kind = is_success or not outcome.error_kind or answer.error_kind in (outcome.error_kind, "Unclassified")
    right_answer = (answer.status == "ok") == is_success and right_kind
    if right_answer and not changes:
        return MATCH
    expected = "success" if is_success else outcome.error_kind or "an error"
    got = "success" if answer.status == "ok" else f"{answer.error_kind}: {answer.error_message}"
    call = f"{command.tool} {json.dumps(dict(command.arguments))}"
    message = f"{call} resulted in {got}; the closest accepted outcome is {expected}"
    if changes:
        message += f" ({'; '.join(changes[:MAX_DIFF_LINES])})"
    stage = stage_of(exchange, is_success_due=is_success)
    # A name that leads to the wrong tool is no matter of the rule that the tool follows.
    others = (ALIAS_RULE,) if command.tool != tool_name(command) else ()
    finding = Finding(
        attribute(exchange, outcome.requirement, stage, tree),
        message,
        render_tree(without_default_metadata(tree)),
        got,
        others,
        stage,
        kind_of(exchange, stage, tree),
    )
    return -len(changes) - (not right_answer), (finding,)


def _losses(before: Tree, after: Tree) -> list[str]:
    """Return what a failed call lost or changed; what it added is no loss."""
    due, got = by_path(before), by_path(after)
    shared = {path: node for path, node in got.items() if path in due or not path.startswith(ROOT_NAME + b"/")}
    shared = {
        path: replace(node, hardlink=None) if node.hardlink is not None and node.hardlink not in shared else node
        for path, node in shared.items()
    }
    return tree_diff(before, from_paths(shared), times=False)


class WiderFileOperations(FileOperations):
    """The model with unusual trees and calls, too many kinds of them for the sample of a run."""

    tree_shape = WIDE_TREES

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the values from which each part of a command is drawn."""
        return wide_command_choices(capabilities, tree)


model = FileOperations()
model.wider = WiderFileOperations()
