"""Calls that were made, in the model's words: which verb, what was asked on which state, what is due at an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeproof.search.machine import Step, Turn
from treeproof.search.model import Unmodelled
from treeproof.tree import ROOT, Tree, below, flat, inside, planted

from .outcomes import COPY, MOVE, Asked, End, asked
from .state import State
from .trying import COPIES


def verb(turn: Turn) -> str:
    """The tool's own name, whichever the call was made by."""
    return COPY if turn.tool in COPIES else MOVE


def configured(turn: Turn) -> Mapping[str, Any] | None:
    """The tools' own table of the configuration; None where there is none."""
    table: Mapping[str, Any] | None = turn.context.get("config", {}).get("tools", {}).get("fileops")
    return table


def asked_of(step: Step) -> Asked:
    """What a call asked for. Raises Unmodelled for arguments that do not fit the schema."""
    arguments = step.turn.arguments
    ends = arguments.get("source"), arguments.get("destination")
    if not all(isinstance(end, str) for end in ends) or arguments.get("overwrite") not in (None, True, False):
        raise Unmodelled("the arguments do not fit the schema")
    if any("\ud800" <= character <= "\udfff" for end in ends for character in str(end)):
        raise Unmodelled("a path has half of a surrogate pair")
    state = State.of(inside(step.before, ROOT))
    return asked(verb(step.turn), arguments, configured(step.turn) or {}, state)


def due(step: Step, end: End) -> Tree:
    """What stands in the sandbox root and beside it at an end."""
    rest = {path: node for path, node in flat(step.before).items() if path.split(b"/")[0] != ROOT}
    top = {ROOT: flat(step.before)[ROOT]}
    return planted({**rest, **flat(below(end.state.tree(), ROOT)), **top})
