"""The model of the file operations 1.1: what a call on a tree may come to, and what a candidate made of it otherwise.

This file only joins the parts in `moving/`. `machine` is what the catalogue names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from treeproof.search.machine import Step, Turn
from treeproof.search.model import Accepted, Finding, Shape
from treeproof.tree import Tree, deviations, render, unremarkable

from .moving import sentences
from .moving.calls import asked_of, due, verb
from .moving.kinds_of_call import EVERY, words
from .moving.outcomes import End, ends
from .moving.trying import OUTSIDE, TREES, columns, turn

MOST_LINES = 12
ANSWER = "answer"
"""Stands among what is off where the tree is right and the answer is not."""


class Moving:
    """The model of move and copy. It has no state of its own: equal questions have equal answers."""

    outside = OUTSIDE
    shape: Shape = TREES

    def columns(self, capabilities: frozenset[str], tree: Tree) -> Sequence[Sequence[Any]]:
        """What the parts of a call on this tree are drawn from."""
        return columns(capabilities, tree)

    def turn(self, *parts: Any) -> Turn:
        """The call that is made of one part of each column."""
        return turn(*parts)

    def judge(self, step: Step, accepted: Accepted) -> tuple[Finding, ...]:
        """What one call did otherwise than every outcome that accepted readings allow."""
        if step.answer.kind == "UnknownTool":
            return (
                Finding(
                    "FR-FOPS-01", f"{step.turn.tool} is no name of any tool", verb(step.turn), "UnknownTool"
                ),
            )
        right = list(ends(asked_of(step), accepted))
        offs = [self._off(step, end) for end in right]
        if any(not off for off in offs):
            return ()
        best = min(range(len(right)), key=lambda at: (len(offs[at]), at))
        said = "success" if right[best].error is None else right[best].error or "an error"
        got = "success" if step.answer.status == "ok" else f"{step.answer.kind}: {step.answer.message}"
        message = f"{_spelled(step.turn)} came to {got}; the nearest that is right is {said}"
        expected = render(unremarkable(due(step, right[best])))
        changes = [off for off in offs[best] if off != ANSWER]
        text = message + (f" ({'; '.join(changes[:MOST_LINES])})" if changes else "")
        return (Finding(right[best].rule, text, expected, got),)

    def _off(self, step: Step, end: End) -> list[str]:
        found = deviations(due(step, end), step.after, times=False)
        wrong = (step.answer.status == "ok") != (end.error is None) or (
            end.error and step.answer.kind not in (end.error, "Unclassified")
        )
        return [*([ANSWER] if wrong else []), *found]

    def sentences(self, steps: Sequence[Step], accepted: Accepted) -> tuple[str, ...]:
        """Calls on one tree as the steps of a scenario that every accepted reading passes. Raises Unmodelled."""
        return sentences.scenario(steps, accepted)

    def classes(self, step: Step) -> frozenset[str]:
        """The words for what is interesting in a call on its tree."""
        return words(asked_of(step), step.turn.tool)

    every_class = EVERY


def _spelled(turn: Turn) -> str:
    return f"{turn.tool} {json.dumps(dict(turn.arguments))}"


machine = Moving()
