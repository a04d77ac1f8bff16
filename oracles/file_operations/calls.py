"""Calls that were made, in the model's words: which verb, what was asked on which state, what is due at an end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeproof.api import ROOT_NAME, Command, Transition, Tree, Unmodelled, by_path, from_paths, nest, subtree

from .expected import COPY, MOVE, ExpectedOutcome, Request, make_request
from .generators import COPY_TOOLS
from .tree_state import State


def tool_name(turn: Command) -> str:
    """The tool's own name, whichever the call was made by."""
    return COPY if turn.tool in COPY_TOOLS else MOVE


def config_table(turn: Command) -> Mapping[str, Any] | None:
    """The tools' own table of the configuration; None where there is none."""
    table: Mapping[str, Any] | None = turn.context.get("config", {}).get("tools", {}).get("fileops")
    return table


def request_of(step: Transition) -> Request:
    """What a call asked for. Raises Unmodelled for arguments that do not fit the schema."""
    arguments = step.command.arguments
    ends = arguments.get("source"), arguments.get("destination")
    if not all(isinstance(end, str) for end in ends) or arguments.get("overwrite") not in (None, True, False):
        raise Unmodelled("the arguments do not fit the schema")
    if any("\ud800" <= character <= "\udfff" for end in ends for character in str(end)):
        raise Unmodelled("a path has half of a surrogate pair")
    state = State.from_tree(subtree(step.before, ROOT_NAME))
    return make_request(tool_name(step.command), arguments, config_table(step.command) or {}, state)


def expected_tree(step: Transition, end: ExpectedOutcome) -> Tree:
    """What stands in the sandbox root and beside it at an end."""
    rest = {path: node for path, node in by_path(step.before).items() if path.split(b"/")[0] != ROOT_NAME}
    top = {ROOT_NAME: by_path(step.before)[ROOT_NAME]}
    return from_paths({**rest, **by_path(nest(end.state.to_tree(), ROOT_NAME)), **top})
