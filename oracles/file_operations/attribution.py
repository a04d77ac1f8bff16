"""The requirement that a difference violates, and its kind.

The expected outcome names the rule that decides the call. A call can break a more general rule instead, and that one is
named, as the author of the document would: something outside has changed, the source is lost, or an entry in its right
place lacks what it held.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from treeproof.api import (
    ROOT_NAME,
    Exchange,
    Harm,
    Kind,
    Node,
    Tree,
    by_path,
    from_paths,
    tree_diff,
)

from ..shared.remembered import once_for_each
from .calls import state_before, tool_name
from .gates import SCHEMAS, SECRETS, path_of
from .outcome import ExpectedOutcome
from .tree_state import FAR, LeadsOutside, Path, path_in_tree

INTO_DIRECTORY = {"move": "FR-FOPS-MV-02", "copy": "FR-FOPS-CP-02"}
TRANSFERRED = {"move": "DFO-01", "copy": "DFO-02"}
REPEATED, PATH_CHECK = "FR-EXE-01", "FR-VAL-04"
FALLBACK, AS_A_LINK, SWITCH = "FR-FOPS-MV-04", "DFO-07", "CFG-FOPS-01"
SANDBOX, SAME_FILE, LOST_SOURCE, LOST_OTHER = "NFR-FOPS-SEC-01", "DFO-06", "DFO-04", "DFO-05"
CHANGED_OUTSIDE = "something outside of the sandbox has changed"
BROUGHT_IN = "content from outside of the sandbox has come in"
LOST_CONTENTS = "contents are lost"
RUNS_AWAY = "what was copied is copied again, level by level"
_USUAL_NAME = re.compile(rb"\w+(\.\w+)*")
"""Names that no check of arguments has a reason to refuse."""


@dataclass(frozen=True)
class Difference:
    """A call that does not have an outcome: the tree that was due, and how the tree after the call differs."""

    exchange: Exchange
    outcome: ExpectedOutcome
    expected: Tree
    changes: tuple[str, ...]

    @property
    def is_success_due(self) -> bool:
        return self.outcome.error_kind is None

    @property
    def succeeded(self) -> bool:
        return self.exchange.answer.status == "ok"

    @property
    def verb(self) -> str:
        return tool_name(self.exchange.command)


@dataclass(frozen=True)
class Attributed:
    """What a difference breaks, with the words for it."""

    requirement: str
    kind: str
    harm: Harm | None = None
    other_requirements: tuple[str, ...] = ()


def attribute(difference: Difference) -> Attributed:
    """Return the violated requirement: escapes and lost data first, then the rule that decides the call."""
    exchange, outcome = difference.exchange, difference.outcome
    if (escape := escape_of(exchange, difference.expected)) is not None:
        return Attributed(SANDBOX, escape, "escape")
    if difference.changes == (RUNS_AWAY,):
        return Attributed(SAME_FILE, RUNS_AWAY)
    lost = lost_contents(exchange, difference.expected)
    if _is_repeated(exchange) and not lost and not tree_diff(exchange.before, exchange.after, times=False):
        return Attributed(REPEATED, "a call that is made again is not carried out again")
    kind = LOST_CONTENTS if lost else _kind_of(difference)
    harm: Harm | None = "data" if lost else None
    if difference.succeeded:
        is_bystander = difference.is_success_due or outcome.requirement == "DFO-09"
        if lost and is_bystander and not _source_contents(exchange) & lost:
            return Attributed(LOST_OTHER, kind, harm)
        return replace(_wrong_success(difference), kind=kind, harm=harm)
    if lost:
        return Attributed(_owner_of_loss(exchange, outcome.requirement, lost), kind, harm)
    if damaged := _damaged_files(exchange, difference.expected):
        source = _requested(exchange, "source")
        is_source = source is not None and path_in_tree(source) in damaged
        return Attributed(LOST_SOURCE if is_source else LOST_OTHER, kind)
    if difference.is_success_due and not tree_diff(exchange.before, exchange.after, times=False):
        return replace(_wrong_error(difference), kind=kind)
    return Attributed(outcome.requirement, kind)


def _wrong_success(difference: Difference) -> Attributed:
    exchange, requirement = difference.exchange, difference.outcome.requirement
    verb = difference.verb
    if difference.is_success_due and has_another_name(exchange):
        requirement = INTO_DIRECTORY[verb]
    elif difference.is_success_due and _has_plain_name(exchange) and _is_elsewhere(exchange, difference.expected):
        requirement = PATH_CHECK
    elif requirement == "DFO-03" and "working_dir" in exchange.command.context:
        requirement = "FR-VAL-09"
    elif difference.is_success_due and _only_links_differ(exchange, difference.expected):
        requirement = AS_A_LINK
    elif requirement in (INTO_DIRECTORY[verb], FALLBACK, AS_A_LINK) and difference.is_success_due:
        requirement = requirement if _is_elsewhere(exchange, difference.expected) else TRANSFERRED[verb]
    return Attributed(requirement, "")


def _wrong_error(difference: Difference) -> Attributed:
    """Return what a call breaks that fails and changes nothing, though it should succeed."""
    requirement, error = difference.outcome.requirement, difference.exchange.answer.error_kind
    if error == "BadArgs":
        if all(map(_USUAL_NAME.fullmatch, _names(difference.exchange))):
            return Attributed(SCHEMAS[difference.verb], "")
        return Attributed(requirement, "", other_requirements=(SCHEMAS[difference.verb],))  # it may be about a name
    if difference.outcome.overwrites:
        # Whether the argument or the configuration has no effect, one call does not show.
        return Attributed(SCHEMAS[difference.verb], "", other_requirements=(SWITCH,))
    context = difference.exchange.command.context
    if error in ("PolicyDenied", "ApprovalDenied") and "policy" in context:
        return Attributed(_policy_rule(context["policy"]), "")
    if "working_dir" in context:
        return Attributed(requirement, "", other_requirements=("FR-VAL-09",))
    if error == "SandboxViolation":
        is_secret = any(secret in json.dumps(difference.exchange.command.arguments) for secret in SECRETS)
        is_stated = context.keys() & {"denied_patterns", "include_default_denies"}
        first, others = ("FR-VAL-05", ()) if is_stated or is_secret else ("FR-VAL-04", (requirement,))
        first, others = ("FR-VAL-08", ()) if context.get("allow_absolute") else (first, others)
        return Attributed(first, "", other_requirements=others)
    return Attributed(requirement, "")


def _policy_rule(policy: Mapping[str, Any]) -> str:
    """Return the rule of the framework on what a policy lets run."""
    if "denylist" in policy:
        return "FR-APR-04b"
    return {"deny": "FR-APR-04c", "prompt": "FR-APR-04d"}.get(str(policy.get("mode")), "FR-APR-04a")


def _is_repeated(exchange: Exchange) -> bool:
    """Return whether a call that was made before has the same result as then."""
    return any(
        one.command == exchange.command
        and (one.answer.status, one.answer.error_kind) == (exchange.answer.status, exchange.answer.error_kind)
        for one in exchange.earlier
    )


def _is_onto_itself(exchange: Exchange) -> bool:
    """Return whether source and destination are one entry, or two names of one file."""
    state = state_before(exchange)
    source, destination = _requested(exchange, "source"), _requested(exchange, "destination")
    if not source or not destination:
        return False
    try:
        places = [state.follow(path).path for path in (source, destination)]
    except LeadsOutside:
        return False
    if state.is_directory(places[1]):
        places[1] = (*places[1], source[-1])
    numbers = {state.names.get(place) for place in places}
    return len(numbers) == 1 and None not in numbers


def _owner_of_loss(exchange: Exchange, requirement: str, lost: Counter[bytes]) -> str:
    if requirement == SAME_FILE or _is_onto_itself(exchange):
        return SAME_FILE
    return LOST_SOURCE if _source_contents(exchange) & lost else LOST_OTHER


def _kind_of(difference: Difference) -> str:
    """Return the kind of a difference without a loss, without names and numbers."""
    verb, exchange = difference.verb, difference.exchange
    if difference.succeeded:
        if difference.is_success_due and has_another_name(exchange):
            return f"{verb} into a directory: another name than the source's own"
        return f"{verb}: another effect" if difference.is_success_due else "the call succeeded; it should fail"
    if tree_diff(exchange.before, exchange.after, times=False):
        return "an effect with an error"
    # Arguments that fit are refused: mostly a matter of the schema, whatever the rule.
    is_refused = difference.is_success_due and exchange.answer.error_kind != "BadArgs"
    where = " into a directory" if is_refused and _entered_directory(exchange) is not None else ""
    return f"{verb}{where} failed with {exchange.answer.error_kind}"


def escape_of(exchange: Exchange, expected: Tree) -> str | None:
    """Return what a call did outside of all roots; None if it did nothing there."""
    if tree_diff(_outside(expected, exchange), _outside(exchange.after, exchange), times=False):
        return CHANGED_OUTSIDE
    known = _contents(_inside(exchange.before, exchange)).keys()
    added = _contents(_inside(exchange.after, exchange)).keys() - known
    return BROUGHT_IN if added & _contents(_outside(exchange.before, exchange)).keys() else None


def lost_contents(exchange: Exchange, expected: Tree) -> Counter[bytes]:
    """Return the contents of files that existed, should still exist and do not."""
    return (_contents(exchange.before) & _contents(expected)) - _contents(exchange.after)


def _damaged_files(exchange: Exchange, expected: Tree) -> set[bytes]:
    """Return the files, also empty ones, that should be as they were and are not."""
    before, due, after = (by_path(tree) for tree in (exchange.before, expected, exchange.after))
    return {
        path
        for path, node in before.items()
        if node.kind is Kind.FILE and _key(due.get(path)) == _key(node) != _key(after.get(path))
    }


def has_another_name(exchange: Exchange) -> bool:
    """Return whether the source is in the directory that was the destination, but not under its own name.

    Nothing else has changed.
    """
    source = _requested(exchange, "source")
    directory = _entered_directory(exchange)
    if not source or directory is None:
        return False
    top, final, start = (path_in_tree(path) for path in (directory, (*directory, source[-1]), source))
    before, after = by_path(exchange.before), by_path(exchange.after)
    added, gone = after.keys() - before.keys(), before.keys() - after.keys()
    if not added or not all(path.startswith(top + b"/") and not _is_at(path, final) for path in added):
        return False
    if not all(path == start or path.startswith(start + b"/") for path in gone):
        return False
    kept = before.keys() & after.keys()
    trees = (from_paths({path: nodes[path] for path in kept}) for nodes in (before, after))
    return not tree_diff(*trees, times=False)


def _requested(exchange: Exchange, name: str) -> Path | None:
    """Return the path that an argument names; None without one."""
    arguments = exchange.command.arguments
    text = arguments.get(name) if isinstance(arguments, dict) else None
    return path_of(text, exchange.command.context) if isinstance(text, str) else None


def _is_at(path: bytes, place: bytes) -> bool:
    return path == place or path.startswith(place + b"/")


def _has_plain_name(exchange: Exchange) -> bool:
    """Return whether a name of the call only looks like a home directory, or like steps upwards."""
    return any(name.startswith(b"~") or (len(name) > 2 and not name.strip(b".")) for name in _names(exchange))


def _names(exchange: Exchange) -> list[bytes]:
    return [*(_requested(exchange, "source") or ()), *(_requested(exchange, "destination") or ())]


def _entered_directory(exchange: Exchange) -> Path | None:
    """Return the directory that was the destination, or that a link there leads to; None if it was none."""
    state, requested = state_before(exchange), _requested(exchange, "destination")
    try:
        destination = None if requested is None else state.follow(requested)
    except LeadsOutside:
        return None
    if destination is None:
        return None
    return destination.path if destination.reachable and state.is_directory(destination.path) else None


def _top_names(exchange: Exchange) -> set[bytes]:
    """Return the top-level names of a recorded tree that are roots, as far as they lie beside the sandbox root."""
    roots = state_before(exchange).roots
    return {ROOT_NAME, FAR, *(root[1] for root in roots if len(root) > 1)}


@once_for_each
def _outside(tree: Tree, exchange: Exchange) -> Tree:
    names = _top_names(exchange)
    return Tree(tuple(node for node in tree.entries if node.name not in names))


@once_for_each
def _inside(tree: Tree, exchange: Exchange) -> Tree:
    names = _top_names(exchange)
    return Tree(tuple(node for node in tree.entries if node.name in names))


@once_for_each  # each outcome of a call is held against the same trees
def _contents(tree: Tree) -> Counter[bytes]:
    found = [node for node in by_path(tree).values() if node.kind is Kind.FILE and node.hardlink is None and node.size]
    return Counter(node.content if node.content is not None else b"%d zeros" % node.size for node in found)


def _source_contents(exchange: Exchange) -> Counter[bytes]:
    """Return what the source held; its path may lead through links."""
    state, requested = state_before(exchange), _requested(exchange, "source")
    if not requested:  # the sandbox root is no source
        return Counter()
    try:
        start = state.follow(requested).path
    except LeadsOutside:
        return Counter()
    nodes = [state.node_at(path) for path in (start, *state.below(start))]
    return Counter(node.content for node in nodes if node is not None and node.content is not None)


def _is_elsewhere(exchange: Exchange, expected: Tree) -> bool:
    """Return whether the call made or changed entries, and none that it should have."""
    before, after, due = (by_path(tree) for tree in (exchange.before, exchange.after, expected))
    changed = {path for path, node in after.items() if _key(node) != _key(before.get(path))}
    wanted = {path for path, node in due.items() if _key(node) != _key(before.get(path))}
    return bool(changed) and not changed & wanted


def _only_links_differ(exchange: Exchange, expected: Tree) -> bool:
    """Return whether links are no links any more, or have other targets, and nothing else is wrong."""
    due, after = by_path(expected), by_path(exchange.after)
    links = {path for path, node in due.items() if node.kind is Kind.SYMLINK}
    wrong = {path for path in due.keys() | after.keys() if _key(due.get(path)) != _key(after.get(path))}
    return bool(wrong) and wrong <= links and all(path in after and after[path].kind is not Kind.DIR for path in wrong)


def _key(node: Node | None) -> tuple[object, ...]:
    return () if node is None else (node.kind, node.size, node.content, node.target, node.hardlink)
