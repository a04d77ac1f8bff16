"""The rules that can stop a call before it changes anything: schema, policy, denied patterns, absolute paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from treeproof.api import Command, Kind, Unmodelled

from .tree_state import LeadsOutside, Path, State, components

USUAL_PATTERNS = ("**/.ssh/**", "**/.gnupg/**", "**/id_rsa*", "**/*.pem", "**/*.key")

ROOT_MARK = "$ROOT"
MARKS = (ROOT_MARK, "$OUTSIDE", "$FAR")
"""The beginnings of absolute paths."""

VIOLATION = ("SandboxViolation",)
SECRETS = ("ssh", "gnupg", "id_rsa", "pem", "key")
"""Parts of names that a tool which mistakes the usual patterns refuses."""
ALIASES = ("mv", "rename", "cp", "ls", "dir", "listdir")


SCHEMAS = {"move": "FR-FOPS-MV-01", "copy": "FR-FOPS-CP-01"}
ARGUMENTS = ("source", "destination", "overwrite")
CONVERSION = "AMB-FO-50"
"""The interpretation of arguments that have another type than the schema's."""
UNKNOWN = "AMB-FO-31"
"""The interpretation of arguments that the schema does not name."""
FOLDING = "AMB-FO-52"
"""The interpretation of names of arguments in another case."""

Conversion: TypeAlias = tuple[Mapping[str, str], Mapping[str, Any]]
"""Readings, and the arguments of a call as they are by these."""


@dataclass(frozen=True)
class Gate:
    """A rule that stops a call. Not `certain`: by an accepted reading, it may be carried out as well.

    `kinds` are the kinds of error that `kind_rule` requires; without any, all are right. `labels`: the reading by which
    the call is stopped. `other_labels`: the one by which it is carried out.
    """

    requirement: str
    certain: bool = True
    kinds: tuple[str, ...] = ()
    kind_rule: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    other_labels: Mapping[str, str] = field(default_factory=dict)


def gates(command: Command, verb: str, state: State) -> Iterator[Gate]:
    """Yield the rules that stop a call of `move` or `copy`, or may stop it. Raises Unmodelled."""
    arguments, context = command.arguments, command.context
    yield from policy_gates(command, verb)
    if not fits_schema(arguments):
        # No schema forbids NUL, so that it has any kind of error.
        kinds = () if _has_right_types(arguments) else ("BadArgs",)
        converted = list(conversions(arguments))
        if not converted:
            yield Gate(SCHEMAS[verb], kinds=kinds, kind_rule="FR-VAL-01")
            return
        for labels in _refusing(converted):
            yield Gate(SCHEMAS[verb], False, kinds, "FR-VAL-01", labels=labels)
        arguments = converted[0][1]
    if "overwrite" in arguments and arguments["overwrite"] is None:
        yield Gate(SCHEMAS[verb], False, labels={"AMB-FO-03": "refuse"}, other_labels={"AMB-FO-03": "ignore"})
    if "" in (arguments["source"], arguments["destination"]):
        yield Gate(SCHEMAS[verb], False, labels={"AMB-FO-51": "refuse"}, other_labels={"AMB-FO-51": "here"})
    if arguments.keys() - set(ARGUMENTS):
        yield Gate(SCHEMAS[verb], False, labels={UNKNOWN: "refuse"}, other_labels={UNKNOWN: "ignore"})
    if "config" in context and not is_plain(context["config"]):
        yield Gate("CFG-FOPS-01", certain=False)  # what is not known may be refused
    for path in (str(arguments["source"]), str(arguments["destination"])):
        if path.startswith((*MARKS, "/")) and context.get("allow_absolute") is not True:
            inside = path.startswith((ROOT_MARK, "$FAR"))
            yield Gate("FR-VAL-08" if inside else "NFR-FOPS-SEC-01", kinds=VIOLATION, kind_rule="FR-VAL-08")
            return
    yield from _pattern_gates(arguments, context, state)


def fits_schema(arguments: Any) -> bool:
    """Return whether arguments can name entries. Raises Unmodelled for half of a surrogate pair."""
    if not _has_right_types(arguments):
        return False
    paths = [str(arguments["source"]), str(arguments["destination"])]
    if any("\ud800" <= character <= "\udfff" for path in paths for character in path):
        raise Unmodelled("a path has half of a surrogate pair")
    return all("\0" not in path for path in paths)


def conversions(arguments: Any) -> Iterator[Conversion]:
    """Yield the arguments with which a call can be carried out, and the readings by which they are so.

    A value that is no flag can count for each of the two; one that is no text, for one of its usual texts (AMB-FO-50).
    A name in another case can be that of the schema (AMB-FO-52).
    """
    if not isinstance(arguments, Mapping):
        return
    yield from _with_right_types(arguments)
    folded: dict[str, Any] = {}
    for name, value in arguments.items():
        folded[name.lower() if name.lower() in ARGUMENTS else name] = value
    if folded.keys() != arguments.keys():
        for labels, converted in _with_right_types(folded):
            yield {**labels, FOLDING: "folded"}, converted


def _with_right_types(arguments: Mapping[str, Any]) -> Iterator[Conversion]:
    if fits_schema(arguments):
        yield {}, arguments
        return
    texts = [_texts_of(arguments.get(name)) for name in ("source", "destination")]
    flag = arguments.get("overwrite", False)
    flags = [flag] if isinstance(flag, (bool, type(None))) else [True, False]
    is_flag_alone = all(isinstance(arguments.get(name), str) for name in ("source", "destination"))
    for source, destination, overwrite in product(*texts, flags):
        converted = {**arguments, "source": source, "destination": destination}
        if "overwrite" in arguments:
            converted["overwrite"] = overwrite
        if fits_schema(converted):
            for label in ("flag", "all") if is_flag_alone else ("all",):
                yield {CONVERSION: label}, converted


def _refusing(converted: Sequence[Conversion]) -> Iterator[Mapping[str, str]]:
    """Yield the readings by which arguments that do not fit are refused, though others carry the call out."""
    accepting = {label for labels, _ in converted for id, label in labels.items() if id == CONVERSION}
    for label in sorted({"refuse", "flag"} - accepting) if accepting else ():
        yield {CONVERSION: label}
    if all(FOLDING in labels for labels, _ in converted):
        yield {FOLDING: "exact"}


def _texts_of(value: Any) -> list[str]:
    """Return the texts that programs make of a value of another type; none of what has no such text."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value  # as JavaScript joins a list
    return list(dict.fromkeys((json.dumps(value), str(value)))) if isinstance(value, (bool, int, float)) else []


def _has_right_types(arguments: Any) -> bool:
    if not isinstance(arguments, Mapping):
        return False
    are_texts = all(isinstance(arguments.get(name), str) for name in ("source", "destination"))
    return are_texts and isinstance(arguments.get("overwrite", False), (bool, type(None)))


def is_plain(config: Any) -> bool:
    """Return whether a configuration has no table but that of the tools, with no key but its own flag."""
    tables = config.get("tools", {})
    table = tables.get("fileops")
    if config.keys() != {"tools"} or tables.keys() != {"fileops"} or table.keys() - {"allow_overwrite"}:
        return False
    return isinstance(table.get("allow_overwrite", False), bool)


def is_usual(command: Command) -> bool:
    """Return whether a call has the arguments of the schema, and no context but a plain configuration."""
    arguments = command.arguments
    if not fits_schema(arguments) or arguments.get("overwrite", False) is None:
        return False
    others = arguments.keys() - set(ARGUMENTS) or command.context.keys() - {"config"}
    return not others and ("config" not in command.context or is_plain(command.context["config"]))


def policy_gates(command: Command, name: str, *, has_side_effects: bool = True) -> Iterator[Gate]:
    """Yield the rules of the policy that stop a call of the tool with this name of its own.

    Whether a list means the tool by each of its names is a matter of the framework alone (AMB-FO-18).
    """
    policy = command.context.get("policy")
    if policy is None:
        return
    spellings = {name, command.tool}
    denied, allowed = (set(policy.get(key, ())) for key in ("denylist", "allowlist"))
    further = any(one in ALIASES for one in denied | allowed) or command.tool != name
    if policy.get("enabled") is False:
        yield Gate("FR-APR-04a", kinds=("PolicyDenied",), kind_rule="FR-APR-04a")
    if denied & spellings or (further and denied & set(ALIASES)):
        yield Gate("FR-APR-04b", certain=not further, kinds=("PolicyDenied",), kind_rule="FR-APR-04b")
    is_listed = name in allowed
    if policy.get("mode") == "deny" and (not is_listed or further):
        yield Gate("FR-APR-04c", certain=not further, kinds=("PolicyDenied",), kind_rule="FR-APR-04c")
    if command.context.get("approval") == "deny" and has_side_effects:
        is_prompting = policy.get("mode") == "prompt" and policy.get("prompt_side_effects", True)
        prompts = is_prompting and not is_listed
        labels, others = ({}, {}) if prompts else ({"AMB-FO-09": "always"}, {"AMB-FO-09": "policy"})
        if policy.get("mode") != "prompt":
            others = {}  # a tool that requests approval by itself may do so in mode prompt only
        certain = prompts and not (further and allowed)
        # Prompts for side effects are a default of the framework, where the policy has no member for them.
        rule = "NFR-FOPS-SEC-02" if "prompt_side_effects" in policy else "FR-APR-04d"
        yield Gate(rule, certain, ("ApprovalDenied",), rule, labels, others)


def _pattern_gates(arguments: Mapping[str, Any], context: Mapping[str, Any], state: State) -> Iterator[Gate]:
    """Yield the gate of denied patterns; it is certain only without links."""
    patterns = (*context.get("denied_patterns", ()), *USUAL_PATTERNS)
    if context.get("include_default_denies") is False:
        patterns = tuple(context.get("denied_patterns", ()))
    if any(character in pattern for pattern in patterns for character in "?[{"):
        raise Unmodelled("the framework does not say which signs a denied pattern has beside the star")
    source, destination = (path_of(str(arguments[key]), context) for key in ("source", "destination"))
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
        yield Gate("FR-VAL-05", not has_links, VIOLATION, "FR-VAL-05")
    elif below:
        yield Gate("FR-VAL-05", certain=False)  # AMB-FO-16


def path_of(text: str, context: Mapping[str, Any] | None) -> Path:
    """Return the components of a path of a call from the sandbox root. `context`: that of the call."""
    if text.startswith(MARKS):
        return components(text.removeprefix(ROOT_MARK))
    working_dir = str((context or {}).get("working_dir", ROOT_MARK))
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
