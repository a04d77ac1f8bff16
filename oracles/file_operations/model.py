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
    Finding,
    Transition,
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

    def judge(self, transition: Transition, accepted: AcceptedReadings) -> tuple[Finding, ...]:
        """Return how a call differs from the closest accepted outcome. Raises Unmodelled."""
        tool = transition.command.tool
        if tool in LISTING_TOOLS:
            return judge_listing(transition)
        if tool in UNKNOWN_TOOLS:
            return _unless_stopped(transition, ALIAS_RULE, "no tool has this name")
        if transition.answer.error_kind == "UnknownTool":
            message = f"{tool} is no name of any tool"
            name = tool_name(transition.command)
            return (
                Finding(ALIAS_RULE, message, name, "UnknownTool", stage="call", kind="there is no tool of this name"),
            )
        paths = [str(transition.command.arguments.get(name, "")) for name in ("source", "destination")]
        if any("\ud800" <= character <= "\udfff" for path in paths for character in path):
            raise Unmodelled("a path has half of a surrogate pair")
        try:
            return self._judge_transfer(transition, accepted)
        except Unmodelled:
            return ()

    def _judge_transfer(self, transition: Transition, accepted: AcceptedReadings) -> tuple[Finding, ...]:
        found = list(gates(transition.command, tool_name(transition.command), state_before(transition)))
        certain = next((gate.requirement for gate in found if gate.certain), None)
        if certain is not None:
            return _unless_stopped(transition, certain, "the call has to be refused")
        if found and transition.answer.status != "ok" and not _losses(transition.before, transition.after):
            return ()
        findings, labels = _judge_by_readings(transition, accepted)
        return findings or _inconsistency(transition, labels, accepted)

    def scenario_steps(self, transitions: Sequence[Transition], accepted: AcceptedReadings) -> tuple[str, ...]:
        """Return calls on one tree as a scenario that every accepted reading passes. Raises Unmodelled."""
        return scenario_steps(transitions, accepted)

    def case_labels(self, transition: Transition) -> frozenset[str]:
        """Return the labels that apply to a call on its tree."""
        unusual = unusual_labels(transition.command)
        if unusual & NO_TRANSFER:
            return unusual
        try:
            return unusual | case_labels(request_of(transition), transition.command.tool)
        except Unmodelled:
            return unusual | {"unusual arguments"}


def _judge_by_readings(
    transition: Transition, accepted: AcceptedReadings
) -> tuple[tuple[Finding, ...], frozenset[str]]:
    """Return how a call differs from the closest outcome, and the readings of the switch by which it is right.

    Raises Unmodelled.
    """
    request = request_of(transition)
    every = frozenset(accepted.get(SWITCH, ()))
    fitting: set[str] = set()
    compared: list[tuple[object, Comparison]] = []

    def compare(outcome: ExpectedOutcome) -> Comparison:
        key = outcome.error_kind, outcome.requirement, outcome.state
        comparison = next((known for other, known in compared if other == key), None)
        if comparison is None:
            comparison = _compare(transition, outcome)
            compared.append((key, comparison))
        if comparison == MATCH:
            fitting.update((outcome.labels[SWITCH],) if SWITCH in outcome.labels else every)
        return comparison

    outcomes = expected_outcomes(request, accepted)
    findings = judge_outcomes([(outcome.labels, outcome) for outcome in outcomes], compare).findings
    return findings, frozenset(fitting) if is_in_doubt(request) and not findings else every


def _inconsistency(transition: Transition, labels: frozenset[str], accepted: AcceptedReadings) -> tuple[Finding, ...]:
    """Return that no reading of the configuration fits this call and the earlier ones of the sequence."""
    if not transition.earlier or len(labels) == len(accepted.get(SWITCH, ())):
        return ()
    for earlier in transition.earlier:
        labels &= _fitting_labels(earlier, accepted)
    if labels:
        return ()
    message = f"{transition.command.tool} {json.dumps(dict(transition.command.arguments))} follows another reading"
    return (
        Finding(SWITCH_RULE, message, "one reading", "several", stage="entries", kind="two readings of one switch"),
    )


def _fitting_labels(transition: Transition, accepted: AcceptedReadings) -> frozenset[str]:
    """Return the readings of the switch (AMB-FO-01) by which the result of a call is right."""
    every = frozenset(accepted.get(SWITCH, ()))
    command = transition.command
    if command.tool not in TOOLS or any(gates(command, tool_name(command), state_before(transition))):
        return every
    try:
        return _judge_by_readings(transition, accepted)[1]
    except Unmodelled:
        return every


def _unless_stopped(transition: Transition, requirement: str, message: str) -> tuple[Finding, ...]:
    """Return that a call was carried out, or changed something, although it had to fail."""
    answer, command = transition.answer, transition.command
    changes = tree_diff(transition.before, transition.after, times=False)
    if answer.status != "ok" and not changes:
        return ()
    got = "success" if answer.status == "ok" else f"{answer.error_kind}, with an effect"
    if answer.status != "ok" and not _losses(transition.before, transition.after):
        return ()  # what a call that fails leaves behind is a matter of another rule
    text = f"{message}: {command.tool} {json.dumps(dict(command.arguments))} {json.dumps(dict(command.context))}"
    return (Finding(requirement, text, "an error", got, stage="refusal", kind="the call succeeded; it should fail"),)


def _compare(transition: Transition, outcome: ExpectedOutcome) -> Comparison:
    """Compare answer and tree together: the fewer differences, the closer the outcome."""
    answer, command = transition.answer, transition.command
    tree = expected_tree(transition, outcome)
    if outcome.error_kind is not None and answer.status != "ok":
        changes = _losses(tree, transition.after)
    else:
        changes = tree_diff(tree, transition.after, times=False)
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
    stage = stage_of(transition, is_success_due=is_success)
    # A name that leads to the wrong tool is no matter of the rule that the tool follows.
    others = (ALIAS_RULE,) if command.tool != tool_name(command) else ()
    finding = Finding(
        attribute(transition, outcome.requirement, stage, tree),
        message,
        render_tree(without_default_metadata(tree)),
        got,
        others,
        stage,
        kind_of(transition, stage, tree),
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
