"""What `list_directory` reports of a tree, where its own document leaves nothing open: which entries, in which order.

Its further rules are those of its own specification, which this one only refers to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from treeproof.api import Exchange, Finding, Kind, Node, Unmodelled, by_path, tree_diff

from .calls import state_before
from .gates import path_of, policy_gates
from .tree_state import LeadsOutside, Path, State, path_in_tree

LISTING_RULE, ORDER_RULE, SANDBOX_RULE = "FR-FOPS-LS-01", "T-FOPS-LS-01", "NFR-FOPS-SEC-01"

TYPES = {Kind.FILE: "file", Kind.DIR: "dir", Kind.SYMLINK: "symlink"}

FILTERS = {Kind.FILE: "include_files", Kind.DIR: "include_dirs", Kind.SYMLINK: "include_symlinks"}

FLAGS = ("recursive", "include_hidden", *FILTERS.values())
LIMITS = ("max_depth", "max_entries")

MAX_DEPTH, MAX_ENTRIES = 4, 200


def judge_listing(exchange: Exchange) -> tuple[Finding, ...]:
    """Return how a listing differs from the tree. Raises Unmodelled for what its own specification decides."""
    answer = exchange.answer
    if tree_diff(exchange.before, exchange.after, times=False):
        return (_finding(LISTING_RULE, "a listing has changed something", "no change", ""),)
    if answer.error_kind == "UnknownTool":
        return (_finding("FR-FOPS-01", "there is no tool of this name", "list_directory", "UnknownTool"),)
    if not exchange.is_answered:
        return ()
    places, refusal = _directories(exchange)
    requested = path_of(str(exchange.command.arguments.get("path")), exchange.command.context)
    if refusal is not None:
        requirement, message = refusal
        return () if answer.status != "ok" else (_finding(requirement, message, "an error", "success"),)
    if answer.status != "ok":
        # Steps upwards, links and absolute paths may be refused: a matter of the specification of list_directory.
        if places != [requested] or str(exchange.command.arguments["path"]).startswith("$"):
            return ()
        rule = "FR-VAL-09" if "working_dir" in exchange.command.context else LISTING_RULE
        return (_finding(rule, "a directory is not listed", "success", f"{answer.error_kind}"),)
    state = state_before(exchange)
    differences = [_compare(exchange, list(_entries(state, place, exchange))) for place in places]
    return next((one for one in differences if not one), differences[0])


def _directories(exchange: Exchange) -> tuple[list[Path], tuple[str, str] | None]:
    """Return the directories that can be meant, or the rule by which the call fails, with the words for a success."""
    command, state = exchange.command, state_before(exchange)
    for gate in policy_gates(command, "list_directory", has_side_effects=False):
        if not gate.certain:
            raise Unmodelled("whether a list of the policy means a tool by each of its names is open")
        return [], (gate.requirement, "a call that the policy stops is carried out")
    arguments = command.arguments
    _require_known(arguments)
    path = arguments.get("path")
    if not isinstance(path, str) or not path or ("max_depth" in arguments and not arguments.get("recursive")):
        return [], (LISTING_RULE, "arguments that do not fit are taken")
    requested = path_of(path, command.context)
    meanings = [] if path.startswith("/") else state.meanings(requested) if b".." in requested else [requested]
    places = []
    for meaning in meanings:
        with suppress(LeadsOutside):
            places.append(state.follow(meaning))
    if not places:
        return [], (SANDBOX_RULE, "a directory outside is listed")
    found = [place.path for place in places if place.reachable and state.is_directory(place.path)]
    if not found:
        return [], (LISTING_RULE, "what is no directory is listed")
    modes = [state.nodes[state.names[name]] for place in found for name in state.below(place)]
    if any(node.kind is Kind.DIR and node.mode is not None and node.mode & 0o500 != 0o500 for node in modes):
        raise Unmodelled("directories that cannot be read are a matter of the specification of list_directory")
    return found, None


def _require_known(arguments: Any) -> None:
    is_known = isinstance(arguments, Mapping) and not arguments.keys() - {"path", *FLAGS, *LIMITS}
    if not is_known or not all(
        isinstance(value, bool) if name in FLAGS else name == "path" or (type(value) is int and value > 0)
        for name, value in arguments.items()
    ):
        raise Unmodelled("further arguments are a matter of the specification of list_directory")


def _settings(exchange: Exchange) -> Mapping[str, Any]:
    config = exchange.command.context.get("config", {}).get("tools", {}).get("list_directory", {})
    return {"max_depth": MAX_DEPTH, "max_entries": MAX_ENTRIES, **config, **exchange.command.arguments}


def _entries(state: State, top: Path, exchange: Exchange) -> Iterator[tuple[str, Node]]:
    settings = _settings(exchange)
    depth, nodes = settings["max_depth"] if settings.get("recursive") else 1, by_path(exchange.before)
    for path in state.below(top):
        node, below = state.nodes[state.names[path]], path[len(top) :]
        if len(below) > depth or node.kind not in TYPES or settings.get(FILTERS[node.kind]) is False:
            continue
        if any(name.startswith(b".") for name in below) and not settings.get("include_hidden"):
            continue
        named = nodes[path_in_tree(path)]
        yield b"/".join(below).decode("utf-8", "surrogateescape"), named if named.hardlink is None else node


def _compare(exchange: Exchange, entries: list[tuple[str, Node]]) -> tuple[Finding, ...]:
    limit = _settings(exchange)["max_entries"]
    if not all(path.isprintable() for path, _ in entries):
        raise Unmodelled("names of unusual characters are a matter of the specification of list_directory")
    try:
        document = json.loads(exchange.answer.content or "", parse_constant=_reject_constant)
        got = [dict(entry) for entry in document["entries"]]
        paths = [str(entry["path"]) for entry in got]
    except (ValueError, TypeError, KeyError, RecursionError):
        return (_finding(LISTING_RULE, "the output is no listing", "a listing", ""),)
    due = sorted(entries, key=lambda entry: entry[0].encode())
    if len(due) > limit and _settings(exchange).get("recursive"):
        raise Unmodelled("which entries a limit keeps is a matter of the specification of list_directory")
    kept = due[:limit]
    wanted = [path for path, _ in kept]
    if sorted(paths) != sorted(wanted):
        return (_finding(LISTING_RULE, "other entries are listed", ", ".join(wanted), ", ".join(paths)),)
    if paths != wanted:
        return (_finding(ORDER_RULE, "the entries are in another order", ", ".join(wanted), ", ".join(paths)),)
    for (path, node), entry in zip(kept, got, strict=True):
        for member, value in _members(path, node).items():
            if type(entry.get(member)) is not type(value) or entry.get(member) != value:
                got_value = f"{path}: {entry.get(member)}"
                return (_finding(LISTING_RULE, f"another {member}", f"{path}: {value}", got_value),)
    return ()


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _members(path: str, node: Node) -> Mapping[str, Any]:
    """Return the members of an entry that the other specification fixes without a choice."""
    names = path.split("/")
    members: dict[str, Any] = {"name": names[-1], "type": TYPES[node.kind], "depth": len(names)}
    members["is_hidden"] = names[-1].startswith(".")
    if node.kind is Kind.FILE:
        members["size_bytes"] = node.size
    if node.kind is not Kind.SYMLINK and node.mtime_ns is not None and node.mtime_ns % 1_000_000 == 0:
        members["modified_epoch_ms"] = node.mtime_ns // 1_000_000
    return members


def _finding(requirement: str, kind: str, expected: str, got: str) -> Finding:
    return Finding(requirement, kind, expected, got, kind=kind)
