"""The rules that can stop a call before it changes anything: schema, policy, denied patterns, absolute paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.api import Command, Kind

from .tree_state import LeadsOutside, Path, State, components

USUAL_PATTERNS = ("**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key")

ROOT_MARK, OUTSIDE_MARK = "$ROOT", "$OUTSIDE"


@dataclass(frozen=True)
class Gate:
    """A rule that stops a call. Not `certain`: by an accepted reading, it may be carried out as well."""

    requirement: str
    certain: bool = True


def gates(command: Command, verb: str, state: State) -> Iterator[Gate]:
    """Yield the rules that stop a call of `move` or `copy`, or may stop it."""
    schema = "FR-FOPS-MV-01" if verb == "move" else "FR-FOPS-CP-01"
    arguments, context = command.arguments, command.context
    paths = [arguments.get("source"), arguments.get("destination")]
    overwrite = arguments.get("overwrite", False)
    if not all(isinstance(path, str) and path for path in paths) or not isinstance(overwrite, (bool, type(None))):
        yield Gate(schema)
        return
    if "overwrite" in arguments and overwrite is None:
        yield Gate(schema, certain=False)  # AMB-FO-03
    if arguments.keys() - {"source", "destination", "overwrite"}:
        yield Gate(schema, certain=False)  # AMB-FO-31
    if "config" in context and not is_plain(context["config"]):
        yield Gate("CFG-FOPS-01", certain=False)  # what is not known may be refused
    yield from _policy_gates(context, verb)
    for path in paths:
        if str(path).startswith(OUTSIDE_MARK) or (
            str(path).startswith(ROOT_MARK) and context.get("allow_absolute") is not True
        ):
            yield Gate("FR-VAL-08")
            return
    yield from _pattern_gates(command, state)


def is_plain(config: Any) -> bool:
    """Return whether a configuration has no table but that of the tools, with no key but its own."""
    tables = config.get("tools", {})
    table = tables.get("fileops")
    return config.keys() == {"tools"} and tables.keys() == {"fileops"} and not table.keys() - {"allow_overwrite"}


def is_usual(command: Command) -> bool:
    """Return whether a call has the arguments of the schema, and no context but a plain configuration."""
    others = command.arguments.keys() - {"source", "destination", "overwrite"} or command.context.keys() - {"config"}
    paths = (command.arguments.get("source"), command.arguments.get("destination"))
    fits = all(isinstance(path, str) and path for path in paths) and isinstance(
        command.arguments.get("overwrite", False), bool
    )
    return not others and fits and ("config" not in command.context or is_plain(command.context["config"]))


def _policy_gates(context: Mapping[str, Any], verb: str) -> Iterator[Gate]:
    policy = context.get("policy")
    if policy is None:
        return
    is_refused = context.get("approval") == "deny"
    if policy.get("enabled") is False:
        yield Gate("FR-APR-04a")
    if verb in policy.get("denylist", ()):
        yield Gate("FR-APR-04b")
    is_listed = verb in policy.get("allowlist", ())
    if policy.get("mode") == "deny" and not is_listed:
        yield Gate("FR-APR-04c")
    if is_refused:
        prompts = policy.get("mode") == "prompt" and policy.get("prompt_side_effects", True) and not is_listed
        yield Gate("NFR-FOPS-SEC-02", certain=prompts)  # AMB-FO-09


def _pattern_gates(command: Command, state: State) -> Iterator[Gate]:
    """Yield the gate of denied patterns. It is certain only without links, and if the call states the patterns."""
    context = command.context
    is_stated = "denied_patterns" in context or "include_default_denies" in context
    patterns = (*context.get("denied_patterns", ()), *USUAL_PATTERNS)
    if context.get("include_default_denies") is False:
        patterns = tuple(context.get("denied_patterns", ()))
    source, destination = (path_of(str(command.arguments[key]), command) for key in ("source", "destination"))
    named = [source, destination]
    try:
        places = [state.follow(path).path for path in named]
    except LeadsOutside:
        return
    if state.is_directory(places[1]) and source:
        named.append((*destination, source[-1]))
        places.append((*places[1], source[-1]))
    nodes = [state.node_at(path) for path in named]
    has_links = named != places or any(node is not None and node.kind is Kind.SYMLINK for node in nodes)
    denied = [path for path in (*named, *places) if any(covers(pattern, path) for pattern in patterns)]
    below = any(covers(pattern, path) for path in state.below(source) for pattern in patterns) if source else False
    if denied:
        yield Gate("FR-VAL-05", certain=is_stated and not has_links)
    elif below:
        yield Gate("FR-VAL-05", certain=False)  # AMB-FO-16


def path_of(text: str, command: Command) -> Path:
    """Return the components of a path of a call from the sandbox root."""
    if text.startswith(ROOT_MARK):
        return components(text.removeprefix(ROOT_MARK))
    working_dir = str(command.context.get("working_dir", ROOT_MARK))
    return (*components(working_dir.removeprefix(ROOT_MARK)), *components(text))


def covers(pattern: str, path: Path) -> bool:
    """Return whether a pattern covers a path: two stars stand for any directories, one for a part of a name."""
    parts = pattern.split("/")
    return bool(path) and _covers(parts, [name.decode("latin-1") for name in path])


def _covers(parts: list[str], names: list[str]) -> bool:
    if not parts:
        return not names
    if parts[0] == "**":
        if len(parts) == 1:
            return bool(names)
        return any(_covers(parts[1:], names[skipped:]) for skipped in range(len(names) + 1))
    if not names:
        return False
    expression = "".join(".*" if character == "*" else re.escape(character) for character in parts[0])
    return re.fullmatch(expression, names[0], re.DOTALL) is not None and _covers(parts[1:], names[1:])
