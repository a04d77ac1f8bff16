"""Conversion of exchanges for the model: the tool, the request, and the tree after an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treeproof.api import ROOT_NAME, Command, Exchange, Kind, Tree, Unmodelled, by_path, from_paths, nest, subtree

from .expected import COPY, MOVE, ExpectedOutcome, Request, make_request
from .gates import ROOT_MARK, path_of
from .generators import COPY_TOOLS
from .tree_state import State

FAR = (b"far",)

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


def state_before(exchange: Exchange) -> State:
    """Return the state before a call."""
    return State.from_tree(subtree(exchange.before, ROOT_NAME), FAR if has_second_root(exchange) else None)


def has_second_root(exchange: Exchange) -> bool:
    """Return whether the directory `far` is a root of its own, on another file system."""
    roots: Any = exchange.call.context.get("roots", ())
    return len(roots) > 1


def request_of(exchange: Exchange) -> Request:
    """Return the request of a call. Raises Unmodelled for arguments that do not fit the schema."""
    command, arguments = exchange.command, exchange.command.arguments
    paths = arguments.get("source"), arguments.get("destination")
    overwrite = arguments.get("overwrite")
    if not all(isinstance(path, str) for path in paths) or not isinstance(overwrite, (bool, type(None))):
        raise Unmodelled("the arguments do not fit the schema")
    if any("\ud800" <= character <= "\udfff" for path in paths for character in str(path)):
        raise Unmodelled("a path has half of a surrogate pair")
    state = state_before(exchange)
    if state.far is not None:
        named = [path_of(str(path), command) for path in paths]
        if named[0] == FAR or any(b".." in path for path in named) or FAR not in state.names:
            raise Unmodelled("the second root itself is moved, or left")
    texts = {key: "/".join(_from_root(str(arguments[key]), command)) for key in ("source", "destination")}
    table = config_table(command) or {}
    return make_request(tool_name(command), {**arguments, **texts}, table, state)


def _from_root(text: str, command: Command) -> list[str]:
    """Return the parts of a path from the sandbox root."""
    if text.startswith(ROOT_MARK):
        return [text.removeprefix(ROOT_MARK)]
    start = str(command.context.get("working_dir", ROOT_MARK)).removeprefix(ROOT_MARK)
    return [start, text] if start else [text]


def expected_tree(exchange: Exchange, outcome: ExpectedOutcome) -> Tree:
    """Return the tree of the sandbox root and its siblings after an outcome."""
    before = by_path(exchange.before)
    rest = {path: node for path, node in before.items() if path.split(b"/")[0] != ROOT_NAME}
    inside = {
        path: replace(node, mode=None) if node.mode != DEFAULT_MODES.get(node.kind) else node
        for path, node in by_path(nest(outcome.state.to_tree(), ROOT_NAME)).items()
    }
    return from_paths({**rest, **inside, ROOT_NAME: before[ROOT_NAME]})
