"""Conversion of exchanges for the model: the tool, the roots, the request, and the tree after an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.api import ROOT_NAME, Command, Exchange, Kind, Node, Tree, Unmodelled, by_path, from_paths

from ..shared.remembered import once_for_each, once_in_a_row
from .gates import fits_schema, path_of
from .generators import COPY_TOOLS
from .outcome import COPY, MOVE, ExpectedOutcome, Request, make_request
from .tree_state import FAR, OUTSIDE, LeadsOutside, Path, State

DEFAULT_MODES = {Kind.FILE: 0o644, Kind.DIR: 0o755}
"""The permissions of most entries of random trees. What becomes of others is beyond the document."""


def tool_name(command: Command) -> str:
    """Return the primary name of the tool, also for a call by an alias."""
    return COPY if command.tool in COPY_TOOLS else MOVE


def config_table(command: Command) -> Mapping[str, Any] | None:
    """Return the tools' table of the configuration; None without one."""
    tables: Any = command.context.get("config", {}).get("tools", {})
    table: Mapping[str, Any] | None = tables.get("fileops")
    return table


@once_in_a_row
def state_before(exchange: Exchange) -> State:
    """Return the state before a call."""
    state = State.from_tree(exchange.before)
    given = exchange.command.context.get("roots", ["$ROOT"])
    return replace(state, roots=tuple(_root(state, str(root)) for root in given))


def _root(state: State, text: str) -> Path:
    """Return the place of a root; its path can lead through links."""
    everywhere = replace(state, roots=((), (OUTSIDE,), (FAR,)))
    try:
        if text.startswith("/"):
            raise LeadsOutside
        return everywhere.follow(path_of(text, None)).path
    except LeadsOutside as error:
        raise Unmodelled("a root is in no tree of the scenario") from error


def has_second_root(exchange: Exchange) -> bool:
    """Return whether there is more than one root."""
    return len(exchange.command.context.get("roots", ["$ROOT"])) > 1


def request_of(exchange: Exchange, arguments: Mapping[str, Any] | None = None) -> Request:
    """Return the request of a call, with other `arguments` if any. Raises Unmodelled for those that do not fit."""
    command = exchange.command
    arguments = command.arguments if arguments is None else arguments
    if not fits_schema(arguments):
        raise Unmodelled("the arguments do not fit the schema")
    return make_request(
        tool_name(command), arguments, config_table(command) or {}, state_before(exchange), command.context
    )


def requests_of(exchange: Exchange, arguments: Mapping[str, Any]) -> list[Request]:
    """Return the requests that a call can be: a value of the configuration that is no boolean may count as either.

    `arguments`: those of the call, as far as they fit the schema.
    """
    request = request_of(exchange, arguments)
    value = (config_table(exchange.command) or {}).get("allow_overwrite")
    if value is None or isinstance(value, bool):
        return [request]
    return [replace(request, overwrite_allowed=allowed) for allowed in (None, False, True)]


def expected_tree(exchange: Exchange, outcome: ExpectedOutcome) -> Tree:
    """Return the tree in and beside the roots after an outcome."""
    return _tree_of(outcome.state, by_path(exchange.before)[ROOT_NAME])


@once_for_each
def _tree_of(state: State, root: Node) -> Tree:
    nodes = by_path(state.to_tree())
    inside = {
        path: replace(node, mode=None)
        for path, node in nodes.items()
        if path.split(b"/")[0] in (ROOT_NAME, FAR) and node.mode != DEFAULT_MODES.get(node.kind)
    }
    return from_paths({**nodes, **inside, ROOT_NAME: root})
