"""Conversion of transitions for the model: the tool, the request, and the tree after an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treeproof.api import ROOT_NAME, Command, Transition, Tree, Unmodelled, by_path, from_paths, nest, subtree

from .expected import COPY, MOVE, ExpectedOutcome, Request, make_request
from .generators import COPY_TOOLS
from .tree_state import State


def tool_name(command: Command) -> str:
    """Return the primary name of the tool, also for a call by an alias."""
    return COPY if command.tool in COPY_TOOLS else MOVE


def config_table(command: Command) -> Mapping[str, Any] | None:
    """Return the tools' table of the configuration; None without one."""
    table: Mapping[str, Any] | None = command.context.get("config", {}).get("tools", {}).get("fileops")
    return table


def request_of(transition: Transition) -> Request:
    """Return the request of a call. Raises Unmodelled for arguments that do not fit the schema."""
    command, arguments = transition.command, transition.command.arguments
    paths = arguments.get("source"), arguments.get("destination")
    if not all(isinstance(path, str) for path in paths) or arguments.get("overwrite") not in (None, True, False):
        raise Unmodelled("the arguments do not fit the schema")
    if any("\ud800" <= character <= "\udfff" for path in paths for character in str(path)):
        raise Unmodelled("a path has half of a surrogate pair")
    state = State.from_tree(subtree(transition.before, ROOT_NAME))
    return make_request(tool_name(command), arguments, config_table(command) or {}, state)


def expected_tree(transition: Transition, outcome: ExpectedOutcome) -> Tree:
    """Return the tree of the sandbox root and its siblings after an outcome."""
    before = by_path(transition.before)
    rest = {path: node for path, node in before.items() if path.split(b"/")[0] != ROOT_NAME}
    inside = by_path(nest(outcome.state.to_tree(), ROOT_NAME))
    return from_paths({**rest, **inside, ROOT_NAME: before[ROOT_NAME]})
