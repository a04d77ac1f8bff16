"""The model of the file operations 1.1: what a call on a tree may come to, and what a candidate made of it otherwise.

This file only joins the parts in `moving/`. `machine` is what the catalogue names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from treeproof.api import (
    AcceptedReadings,
    Command,
    Finding,
    Transition,
    Tree,
    TreeShape,
    render_tree,
    tree_diff,
    without_default_metadata,
)

from . import scenario_writer
from .calls import expected_tree, request_of, tool_name
from .case_labels import ALL_CASE_LABELS, case_labels
from .expected import ExpectedOutcome, expected_outcomes
from .generators import OUTSIDE, TREES, command_choices, make_command

MAX_DIFF_LINES = 12
ANSWER_MISMATCH = "answer"
"""Stands among what is off where the tree is right and the answer is not."""


class FileOperations:
    """The model of move and copy. It has no state of its own: equal questions have equal answers."""

    outside = OUTSIDE
    tree_shape: TreeShape = TREES

    def command_choices(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """What the parts of a call on this tree are drawn from."""
        return command_choices(capabilities, tree)

    def command(self, *parts: Any) -> Command:
        """The call that is made of one part of each column."""
        return make_command(*parts)

    def judge(self, transition: Transition, accepted: AcceptedReadings) -> tuple[Finding, ...]:
        """What one call did otherwise than every outcome that accepted readings allow."""
        if transition.answer.error_kind == "UnknownTool":
            return (
                Finding(
                    "FR-FOPS-01",
                    f"{transition.command.tool} is no name of any tool",
                    tool_name(transition.command),
                    "UnknownTool",
                ),
            )
        right = list(expected_outcomes(request_of(transition), accepted))
        offs = [self._deviations(transition, end) for end in right]
        if any(not off for off in offs):
            return ()
        best = min(range(len(right)), key=lambda at: (len(offs[at]), at))
        said = "success" if right[best].error_kind is None else right[best].error_kind or "an error"
        got = (
            "success"
            if transition.answer.status == "ok"
            else f"{transition.answer.error_kind}: {transition.answer.error_message}"
        )
        message = f"{_format_command(transition.command)} came to {got}; the nearest that is right is {said}"
        expected = render_tree(without_default_metadata(expected_tree(transition, right[best])))
        changes = [off for off in offs[best] if off != ANSWER_MISMATCH]
        text = message + (f" ({'; '.join(changes[:MAX_DIFF_LINES])})" if changes else "")
        return (Finding(right[best].requirement, text, expected, got),)

    def _deviations(self, step: Transition, end: ExpectedOutcome) -> list[str]:
        found = tree_diff(expected_tree(step, end), step.after, times=False)
        wrong = (step.answer.status == "ok") != (end.error_kind is None) or (
            end.error_kind and step.answer.error_kind not in (end.error_kind, "Unclassified")
        )
        return [*([ANSWER_MISMATCH] if wrong else []), *found]

    def scenario_steps(
        self, transitions: Sequence[Transition], accepted: AcceptedReadings
    ) -> tuple[str, ...]:
        """Calls on one tree as the steps of a scenario that every accepted reading passes. Raises Unmodelled."""
        return scenario_writer.scenario_steps(transitions, accepted)

    def case_labels(self, transition: Transition) -> frozenset[str]:
        """The words for what is interesting in a call on its tree."""
        return case_labels(request_of(transition), transition.command.tool)

    all_case_labels = ALL_CASE_LABELS


def _format_command(turn: Command) -> str:
    return f"{turn.tool} {json.dumps(dict(turn.arguments))}"


model = FileOperations()
