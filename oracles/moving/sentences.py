"""Calls on a tree as the steps of a scenario, in the sentences of the pack.

A scenario is for every candidate: of the last call it says all that accepted readings let it come to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from treeproof.search.machine import Step
from treeproof.search.model import Accepted, Unmodelled
from treeproof.tree import ROOT, Tree, deviations, inside, render, unremarkable

from .calls import asked_of, configured, due, verb
from .outcomes import ANY, MOVE, RECOMMENDED, End, ends
from .trying import OUTSIDE


def scenario(steps: Sequence[Step], accepted: Accepted) -> tuple[str, ...]:
    """The steps of a scenario. Raises Unmodelled for calls that the sentences cannot say one after the other."""
    table = configured(steps[0].turn)
    if any(configured(step.turn) != table for step in steps):
        raise Unmodelled("the calls have different configurations")
    given = [f'Given beside the sandbox the tree "{OUTSIDE}"', f'And the tree "{_root(steps[0].before)}"']
    if table is not None:
        given.append(f"And the configuration {json.dumps(table)}")
    told: list[str] = []
    for number, step in enumerate(steps):
        told.append(_call(step, again=number > 0))
        told += _due(step, accepted) if number == len(steps) - 1 else [_was(step)]
    does = "moves" if verb(steps[-1].turn) == MOVE else "copies"
    return (*given, *told, f"And a control call {does} a file")


def _call(step: Step, *, again: bool) -> str:
    tool, name = verb(step.turn), step.turn.tool
    how = f' by the name "{name}"' if name != tool else " again" if again else ""
    return f"When {tool} is called{how} with {json.dumps(dict(step.turn.arguments))}"


def _was(step: Step) -> str:
    """What a call before the last one came to, which has to be what everybody does."""
    end = next(iter(ends(asked_of(step), RECOMMENDED)))
    if deviations(due(step, end), step.after, times=False):
        raise Unmodelled("a call before the last one came to something else than by the recommended readings")
    return _one(step, [end])


def _due(step: Step, accepted: Accepted) -> list[str]:
    """What the last call may come to."""
    found = list(ends(asked_of(step), accepted))
    if len({_left(step, end) for end in found if end.error is None}) <= 1:
        return [_one(step, found)]
    passages = {passage for end in found for passage in end.labels}
    if len(passages) != 1:
        raise Unmodelled("several passages are open at once")
    passage = passages.pop()
    rows = [("reading", "fails", "leaves")]
    for end in found:
        said = ("", _left(step, end)) if end.error is None else (_kinds([end]), "")
        rows.append((end.labels.get(passage, ""), *said))
    return [
        f"Then by {passage} the outcome is one of",
        *(f"  | {' | '.join(map(_cell, row))} |" for row in dict.fromkeys(rows)),
    ]


def _one(step: Step, found: Sequence[End]) -> str:
    """The sentence for ends of which at most one state is a success."""
    left = next((_left(step, end) for end in found if end.error is None), None)
    errors = [end for end in found if end.error is not None]
    if left is None:
        return f"Then the call fails with {_kinds(errors)} and changes nothing"
    if not errors:
        return f'Then the call succeeds and leaves "{left}"'
    if left == _root(step.before) and _kinds(errors) == "any error":
        return "Then the call changes nothing, whether it fails or succeeds"
    return f'Then the call either leaves "{left}", or fails with {_kinds(errors)} and changes nothing'


def _kinds(errors: Iterable[End]) -> str:
    kinds = {end.error or ANY for end in errors}
    return "any error" if ANY in kinds else " or ".join(sorted(kinds))


def _left(step: Step, end: End) -> str:
    return _root(due(step, end))


def _root(tree: Tree) -> str:
    return render(unremarkable(inside(tree, ROOT)))


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")
