"""Calls on a tree as the steps of a scenario, in the sentences of the pack.

A scenario is for every candidate: of the last call it says all that accepted readings let it come to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from treeproof.api import (
    ROOT_NAME,
    AcceptedReadings,
    Transition,
    Tree,
    Unmodelled,
    render_tree,
    subtree,
    tree_diff,
    without_default_metadata,
)

from .calls import config_table, expected_tree, request_of, tool_name
from .expected import ANY_ERROR, MOVE, RECOMMENDED_READINGS, ExpectedOutcome, expected_outcomes
from .generators import OUTSIDE


def scenario_steps(steps: Sequence[Transition], accepted: AcceptedReadings) -> tuple[str, ...]:
    """The steps of a scenario. Raises Unmodelled for calls that the sentences cannot say one after the other."""
    table = config_table(steps[0].command)
    if any(config_table(step.command) != table for step in steps):
        raise Unmodelled("the calls have different configurations")
    given = [
        f'Given beside the sandbox the tree "{OUTSIDE}"',
        f'And the tree "{_render_root(steps[0].before)}"',
    ]
    if table is not None:
        given.append(f"And the configuration {json.dumps(table)}")
    told: list[str] = []
    for number, step in enumerate(steps):
        told.append(_when_step(step, again=number > 0))
        told += _final_steps(step, accepted) if number == len(steps) - 1 else [_intermediate_step(step)]
    does = "moves" if tool_name(steps[-1].command) == MOVE else "copies"
    return (*given, *told, f"And a control call {does} a file")


def _when_step(step: Transition, *, again: bool) -> str:
    tool, name = tool_name(step.command), step.command.tool
    how = f' by the name "{name}"' if name != tool else " again" if again else ""
    return f"When {tool} is called{how} with {json.dumps(dict(step.command.arguments))}"


def _intermediate_step(step: Transition) -> str:
    """What a call before the last one came to, which has to be what everybody does."""
    end = next(iter(expected_outcomes(request_of(step), RECOMMENDED_READINGS)))
    if tree_diff(expected_tree(step, end), step.after, times=False):
        raise Unmodelled("a call before the last one came to something else than by the recommended readings")
    return _outcome_step(step, [end])


def _final_steps(step: Transition, accepted: AcceptedReadings) -> list[str]:
    """What the last call may come to."""
    found = list(expected_outcomes(request_of(step), accepted))
    if len({_remaining_tree(step, end) for end in found if end.error_kind is None}) <= 1:
        return [_outcome_step(step, found)]
    passages = {passage for end in found for passage in end.labels}
    if len(passages) != 1:
        raise Unmodelled("several passages are open at once")
    passage = passages.pop()
    rows = [("reading", "fails", "leaves")]
    for end in found:
        said = ("", _remaining_tree(step, end)) if end.error_kind is None else (_kinds([end]), "")
        rows.append((end.labels.get(passage, ""), *said))
    return [
        f"Then by {passage} the outcome is one of",
        *(f"  | {' | '.join(map(_escape_cell, row))} |" for row in dict.fromkeys(rows)),
    ]


def _outcome_step(step: Transition, found: Sequence[ExpectedOutcome]) -> str:
    """The sentence for ends of which at most one state is a success."""
    left = next((_remaining_tree(step, end) for end in found if end.error_kind is None), None)
    errors = [end for end in found if end.error_kind is not None]
    if left is None:
        return f"Then the call fails with {_kinds(errors)} and changes nothing"
    if not errors:
        return f'Then the call succeeds and leaves "{left}"'
    if left == _render_root(step.before) and _kinds(errors) == "any error":
        return "Then the call changes nothing, whether it fails or succeeds"
    return f'Then the call either leaves "{left}", or fails with {_kinds(errors)} and changes nothing'


def _kinds(errors: Iterable[ExpectedOutcome]) -> str:
    kinds = {end.error_kind or ANY_ERROR for end in errors}
    return "any error" if ANY_ERROR in kinds else " or ".join(sorted(kinds))


def _remaining_tree(step: Transition, end: ExpectedOutcome) -> str:
    return _render_root(expected_tree(step, end))


def _render_root(tree: Tree) -> str:
    return render_tree(without_default_metadata(subtree(tree, ROOT_NAME)))


def _escape_cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")
