"""What `list_directory` reports of a tree: paths, kinds and sizes, where its own document leaves nothing open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from treeproof.api import ROOT_NAME, Exchange, Finding, Kind, Node, subtree, tree_diff

from .calls import has_second_root
from .tree_state import LeadsOutside, Path, State, components

LISTING_RULE, ORDER_RULE = "FR-FOPS-LS-01", "T-FOPS-LS-01"

TYPES = {Kind.FILE: "file", Kind.DIR: "dir", Kind.SYMLINK: "symlink"}

FILTERS = {Kind.FILE: "include_files", Kind.DIR: "include_dirs", Kind.SYMLINK: "include_symlinks"}

MAX_DEPTH, MAX_ENTRIES = 4, 200


def judge_listing(exchange: Exchange) -> tuple[Finding, ...]:
    """Return how a listing differs from the tree; nothing where the tool's own specification leaves a choice."""
    answer, call = exchange.answer, exchange.command
    if has_second_root(exchange):
        return ()  # a second root is listed as the link that leads there
    if answer.error_kind == "UnknownTool":
        return ()  # a matter of the names of the tools
    if tree_diff(exchange.before, exchange.after, times=False):
        return (_finding(LISTING_RULE, "a listing has changed something", "no change", ""),)
    state = State.from_tree(subtree(exchange.before, ROOT_NAME))
    path = call.arguments.get("path")
    try:
        place = None if path is None else state.follow(components(path))
    except LeadsOutside:
        return ()
    directories = [node for node in state.nodes.values() if node.kind is Kind.DIR]
    if any(node.mode is not None and node.mode & 0o500 != 0o500 for node in directories):
        return ()
    named = None if path is None else state.node_at(components(path))
    if named is not None and named.kind is Kind.SYMLINK:
        return ()
    if place is None or not state.is_directory(place.path):
        if answer.status == "ok":
            return (_finding(LISTING_RULE, f"{path} was listed; it is no directory", "an error", "success"),)
        return ()
    if answer.status != "ok":
        return (_finding(LISTING_RULE, "a directory was not listed", "success", f"{answer.error_kind}"),)
    return _compare(exchange, list(_entries(state, place.path, exchange)))


def _entries(state: State, top: Path, exchange: Exchange) -> Iterator[tuple[str, Node]]:
    arguments = exchange.command.arguments
    config = exchange.command.context.get("config", {}).get("tools", {}).get("list_directory", {})
    depth = arguments.get("max_depth", config.get("max_depth", MAX_DEPTH)) if arguments.get("recursive") else 1
    for path in state.below(top):
        node, below = state.nodes[state.names[path]], path[len(top) :]
        if len(below) > depth or node.kind not in TYPES or arguments.get(FILTERS[node.kind]) is False:
            continue
        if any(name.startswith(b".") for name in below) and not arguments.get("include_hidden"):
            continue
        yield b"/".join(below).decode("utf-8", "surrogateescape"), node


def _compare(exchange: Exchange, entries: list[tuple[str, Node]]) -> tuple[Finding, ...]:
    arguments = exchange.command.arguments
    config = exchange.command.context.get("config", {}).get("tools", {}).get("list_directory", {})
    limit = arguments.get("max_entries", config.get("max_entries", MAX_ENTRIES))
    if not all(path.isprintable() for path, _ in entries):
        return ()
    due = sorted(entries, key=lambda entry: entry[0].encode())
    is_cut = len(due) > limit
    try:
        got = [dict(entry) for entry in json.loads(exchange.answer.content or "")["entries"]]
        paths = [str(entry["path"]) for entry in got]
    except (ValueError, TypeError, KeyError, RecursionError):
        return (_finding(LISTING_RULE, "the output is no listing", "a listing", ""),)
    if is_cut and arguments.get("recursive"):
        return ()  # which entries a limit keeps is a matter of the other specification
    kept = due[:limit]
    wanted = [path for path, _ in kept]
    if sorted(paths) != sorted(wanted):
        return (_finding(LISTING_RULE, "other entries are listed", ", ".join(wanted), ", ".join(paths)),)
    if paths != wanted:
        return (_finding(ORDER_RULE, "the entries are in another order", ", ".join(wanted), ", ".join(paths)),)
    for (path, node), entry in zip(kept, got, strict=True):
        members: dict[str, Any] = {"type": TYPES[node.kind]}
        if node.kind is Kind.FILE:
            members["size_bytes"] = node.size
        for member, value in members.items():
            if entry.get(member) != value:
                message = f"{path} has another {member}"
                return (_finding(LISTING_RULE, message, str(value), str(entry.get(member))),)
    return ()


def _finding(requirement: str, message: str, expected: str, got: str) -> Finding:
    return Finding(requirement, message, expected, got, stage="entries", kind="the listing differs")
