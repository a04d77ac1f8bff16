"""The request that arguments and configuration make, or the reason of its refusal.

Contains the schema, the rules between arguments, the defaults and their precedence (FR-LD-VAL-01 to -06b, CFG-LD). Of
the path it checks the text alone; `path_resolution.py` resolves it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from treeproof.api import Unmodelled

from ..shared.reading_choices import ReadingChoices

INCLUDE_FLAGS = ("hidden", "files", "dirs", "symlinks", "other")
LIMIT_NAMES = ("max_depth", "max_entries")
BUILT_IN_DEFAULTS: Mapping[str, Any] = {
    "max_entries": 200,
    "max_depth": 4,
    "hidden": False,
    "files": True,
    "dirs": True,
    "symlinks": True,
    "other": False,
}

Source = Literal["call", "overruling", "configuration", "built-in"]
"""The source of a value; `overruling`: the call differs from the configuration."""


@dataclass(frozen=True)
class ExpectedFailure:
    """An expected failure: the accepted kinds of error, and the requirement that prescribes it."""

    kinds: frozenset[str]
    requirement: str
    reason: str
    message_part: str = ""


@dataclass(frozen=True)
class Request:
    """A valid request with its defaults; `sources` has the source of each value."""

    recursive: bool
    max_depth: int
    max_entries: int
    hidden: bool
    files: bool
    dirs: bool
    symlinks: bool
    other: bool
    sources: Mapping[str, Source]


def bad_args(requirement: str, why: str) -> ExpectedFailure:
    """Return a failure of the kind BadArgs."""
    return ExpectedFailure(frozenset({"BadArgs"}), requirement, why)


def check_schema(arguments: Any, readings: ReadingChoices) -> tuple[dict[str, Any], list[ExpectedFailure]]:
    """Return the members that fit the schema, and a failure for each one that does not."""
    if not isinstance(arguments, dict):
        return {}, [bad_args("SCH-LD", "the arguments are no object")]
    members: dict[str, Any] = {}
    wrong: list[ExpectedFailure] = []
    for name, value in arguments.items():
        if name not in _TYPES:
            if readings["AMB-LD-29"] == "reject":
                wrong.append(bad_args("SCH-LD", f"{name} is not in the schema"))
            continue
        if value is None and name != "path" and readings["AMB-LD-28"] == "absent":
            continue
        good, found = _TYPES[name](value, readings)
        if good:
            members[name] = found
        else:
            wrong.append(bad_args("SCH-LD", f"{name} has a value that its schema excludes"))
    if "path" not in arguments:
        wrong.append(bad_args("SCH-LD", "path is missing"))
    return members, wrong


def apply_defaults(
    members: Mapping[str, Any], config: Mapping[str, Any] | None, readings: ReadingChoices
) -> tuple[Request, list[ExpectedFailure]]:
    """Return the effective values, and a failure for each violated rule between them. Raises Unmodelled."""
    configured = _parse_config(config or {})
    values = {**BUILT_IN_DEFAULTS, **configured}
    sources: dict[str, Source] = {
        name: "configuration" if name in configured else "built-in" for name in BUILT_IN_DEFAULTS
    }
    wrong: list[ExpectedFailure] = []
    recursive = members.get("recursive", False)
    for name in INCLUDE_FLAGS:
        if f"include_{name}" in members:
            asked_for = members[f"include_{name}"]
            sources[name] = "call" if configured.get(name, asked_for) == asked_for else "overruling"
            values[name] = asked_for
    if "max_entries" in members:
        if members["max_entries"] > values["max_entries"]:
            wrong.append(bad_args("FR-LD-VAL-04", "max_entries is above the configured limit"))
        values["max_entries"], sources["max_entries"] = members["max_entries"], "call"
    if "max_depth" in members:
        depth = members["max_depth"]
        if not recursive and depth != 1:
            wrong.append(bad_args("FR-LD-VAL-02", "max_depth is not 1 without recursion"))
        if recursive and depth > values["max_depth"]:
            wrong.append(bad_args("FR-LD-VAL-06b", "max_depth is above the configured limit"))
        values["max_depth"], sources["max_depth"] = depth, "call"
    wrong += _check_kinds(values, configured, readings)
    asked = Request(
        recursive=recursive,
        max_depth=values["max_depth"] if recursive else 1,
        max_entries=values["max_entries"],
        hidden=values["hidden"],
        files=values["files"],
        dirs=values["dirs"],
        symlinks=values["symlinks"],
        other=values["other"],
        sources=sources,
    )
    return asked, wrong


def _check_kinds(
    values: Mapping[str, Any], configured: Mapping[str, Any], readings: ReadingChoices
) -> list[ExpectedFailure]:
    kinds = ("files", "dirs", "symlinks")
    if all(configured.get(name) is False for name in kinds) and readings["AMB-LD-31"] == "c":
        return [ExpectedFailure(ANY_ERROR_KIND, "FR-LD-VAL-05", "the configuration leaves no kind of entry")]
    if not any(values[name] for name in kinds) and readings["AMB-LD-31"] != "b":
        return [bad_args("FR-LD-VAL-05", "files, directories and symlinks are all off")]
    return []


ANY_ERROR_KIND = frozenset({"BadArgs", "SandboxViolation", "ExecutionFailed", "ConfigInvalid"})


def _parse_config(config: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in LIMIT_NAMES:
        if name in config:
            if type(config[name]) is not int or config[name] < 1:
                raise Unmodelled(f"the configured {name} is invalid")
            found[name] = config[name]
    for name in INCLUDE_FLAGS:
        key = f"include_{name}_default"
        if key in config:
            if type(config[key]) is not bool:
                raise Unmodelled(f"the configured {key} is invalid")
            found[name] = config[key]
    if set(config) - {*LIMIT_NAMES, *(f"include_{name}_default" for name in INCLUDE_FLAGS)}:
        raise Unmodelled("the configuration has an unknown key")
    return found


def _is_text(value: Any, readings: ReadingChoices) -> tuple[bool, Any]:
    return isinstance(value, str), value


def _is_flag(value: Any, readings: ReadingChoices) -> tuple[bool, Any]:
    return isinstance(value, bool), value


def _is_count(value: Any, readings: ReadingChoices) -> tuple[bool, Any]:
    """Accept integers from 1 on; whether 1.0 is one depends on the reading of AMB-LD-27."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer() and value >= 1:
        return readings["AMB-LD-27"] == "a", int(value)
    return type(value) is int and value >= 1, value


_TYPES = {
    "path": _is_text,
    "recursive": _is_flag,
    "max_depth": _is_count,
    "max_entries": _is_count,
    **{f"include_{name}": _is_flag for name in INCLUDE_FLAGS},
}
