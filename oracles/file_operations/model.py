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
    by_path,
    from_paths,
    render_tree,
    tree_diff,
    without_default_metadata,
)

from ..shared.judgement import MATCH, Comparison, judge_outcomes
from .attribution import attribute, kind_of, stage_of
from .calls import expected_tree, request_of, tool_name
from .case_labels import ALL_CASE_LABELS, case_labels
from .expected import ExpectedOutcome, expected_outcomes
from .generators import OUTSIDE, TREES, command_choices, make_command
from .scenario_writer import scenario_steps

MAX_DIFF_LINES = 12

ALIAS_RULE = "FR-FOPS-01"
"""The requirement on the names of the tools."""


class FileOperations:
    """The stateless model of move and copy."""

    outside = OUTSIDE
    tree_shape = TREES
    all_case_labels = ALL_CASE_LABELS

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """Return the values from which each part of a command is drawn."""
        return command_choices(capabilities, tree)

    def command(self, *parts: Any) -> Command:
        """Return the command with one value for each part."""
        return make_command(*parts)

    def judge(self, transition: Transition, accepted: AcceptedReadings) -> tuple[Finding, ...]:
        """Return how a call differs from the closest accepted outcome. Raises Unmodelled."""
        if transition.answer.error_kind == "UnknownTool":
            message = f"{transition.command.tool} is no name of any tool"
            name = tool_name(transition.command)
            return (
                Finding(ALIAS_RULE, message, name, "UnknownTool", stage="call", kind="there is no tool of this name"),
            )
        outcomes = expected_outcomes(request_of(transition), accepted)
        labelled = [(outcome.labels, outcome) for outcome in outcomes]
        return judge_outcomes(labelled, lambda outcome: _compare(transition, outcome)).findings

    def scenario_steps(self, transitions: Sequence[Transition], accepted: AcceptedReadings) -> tuple[str, ...]:
        """Return calls on one tree as a scenario that every accepted reading passes. Raises Unmodelled."""
        return scenario_steps(transitions, accepted)

    def case_labels(self, transition: Transition) -> frozenset[str]:
        """Return the labels that apply to a call on its tree. Raises Unmodelled."""
        return case_labels(request_of(transition), transition.command.tool)


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


model = FileOperations()
