"""The request that results from arguments and configuration, or the expected failures.

Contains the schema, the rules between arguments, the defaults and their precedence (FR-LD-VAL-01 to -06b, CFG-LD). It
checks only the type of the path; `path_resolution.py` resolves it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

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

Source = Literal["call", "overruling", "configuration", "unsaid", "built-in"]
"""The source of a value.

`overruling`: the call, which differs from the configuration; `unsaid`: built in, beside a table without it.
"""


@dataclass(frozen=True)
class ExpectedFailure:
    """An expected failure: the accepted kinds of error, and the requirement that prescribes it."""

    kinds: frozenset[str]
    requirement: str
    reason: str
    message_part: str = ""
    is_missing: bool = False
    """Whether the path leads to nothing."""
    requirement_of_listing: str = ""
    """The requirement that a listing violates, if it is another one."""
    stands_for_itself: bool = False
    """Whether a listing of one unknown entry is due in its place (AMB-LD-10)."""

    @property
    def is_of_any_kind(self) -> bool:
        """Return whether the document states no more than that the call fails."""
        return self.kinds >= ANY_ERROR_KIND


@dataclass(frozen=True)
class Request:
    """A request with its effective values; `sources` has the source of each value."""

    recursive: bool
    max_depth: int
    max_entries: int
    hidden: bool
    files: bool
    dirs: bool
    symlinks: bool
    other: bool
    sources: Mapping[str, Source]
    shows_any_limit: bool = False
    """Whether the document may show any limit: the configured one cannot be used (AMB-LD-32)."""


def bad_args(requirement: str, reason: str) -> ExpectedFailure:
    """Return a failure of the kind BadArgs."""
    return ExpectedFailure(frozenset({"BadArgs"}), requirement, reason)


def check_schema(arguments: Any, readings: ReadingChoices) -> tuple[dict[str, Any], list[ExpectedFailure]]:
    """Return the members that fit the schema, and a failure for each one that does not."""
    if not isinstance(arguments, dict):
        return {}, [bad_args("SCH-LD", "the arguments are no object")]
    members: dict[str, Any] = {}
    failures: list[ExpectedFailure] = []
    for name, value in arguments.items():
        if name not in _PARSERS:
            if readings["AMB-LD-29"] == "reject":
                failures.append(bad_args("SCH-LD", f"{name} is not in the schema"))
            continue
        if (
            value is None
            and name != "path"
            and readings["AMB-LD-28" if name in LIMIT_NAMES else "AMB-LD-69"] == "absent"
        ):
            continue
        is_valid, parsed = _PARSERS[name](value, readings)
        if is_valid:
            members[name] = parsed
        else:
            failures.append(bad_args("SCH-LD", f"{name} has a value that its schema excludes"))
    if "path" not in arguments:
        failures.append(bad_args("SCH-LD", "path is missing"))
    return members, failures


def apply_defaults(
    members: Mapping[str, Any], config: object, readings: ReadingChoices
) -> tuple[Request, list[ExpectedFailure]]:
    """Return the effective values, and a failure for each violated rule between them."""
    configured, failures = _read_config(config, readings)
    values = {**BUILT_IN_DEFAULTS, **configured}
    silent: Source = "built-in" if config is None else "unsaid"
    sources: dict[str, Source] = {name: "configuration" if name in configured else silent for name in BUILT_IN_DEFAULTS}
    recursive = members.get("recursive", False)
    for name in INCLUDE_FLAGS:
        if f"include_{name}" in members:
            value = members[f"include_{name}"]
            sources[name] = "call" if configured.get(name, value) == value else "overruling"
            values[name] = value
    if "max_entries" in members:
        if members["max_entries"] > values["max_entries"]:
            failures.append(bad_args("FR-LD-VAL-04", "max_entries is above the configured limit"))
        values["max_entries"], sources["max_entries"] = members["max_entries"], "call"
    if "max_depth" in members:
        depth = members["max_depth"]
        if not recursive and depth != 1:
            failures.append(bad_args("FR-LD-VAL-02", "max_depth is not 1 without recursion"))
        if recursive and depth > values["max_depth"]:
            failures.append(bad_args("FR-LD-VAL-06b", "max_depth is above the configured limit"))
        values["max_depth"], sources["max_depth"] = depth, "call"
    failures += _check_kinds(values, configured, readings)
    request = Request(
        recursive=recursive,
        max_depth=values["max_depth"] if recursive else 1,
        max_entries=values["max_entries"],
        hidden=values["hidden"],
        files=values["files"],
        dirs=values["dirs"],
        symlinks=values["symlinks"],
        other=values["other"],
        sources=sources,
        shows_any_limit=sources["max_entries"] != "call" and _is_unusable(config, "max_entries"),
    )
    return request, failures


def _check_kinds(
    values: Mapping[str, Any], configured: Mapping[str, Any], readings: ReadingChoices
) -> list[ExpectedFailure]:
    kinds = ("files", "dirs", "symlinks")
    if all(configured.get(name) is False for name in kinds) and readings["AMB-LD-31"] == "c":
        return [ExpectedFailure(ANY_ERROR_KIND, "FR-LD-VAL-05", "the configuration excludes every kind of entry")]
    if not any(values[name] for name in kinds) and readings["AMB-LD-31"] != "b":
        return [bad_args("FR-LD-VAL-05", "files, directories and symlinks are all off")]
    return []


ANY_ERROR_KIND = frozenset({"BadArgs", "SandboxViolation", "ExecutionFailed", "ConfigInvalid"})


_KEYS = {**{name: name for name in LIMIT_NAMES}, **{f"include_{name}_default": name for name in INCLUDE_FLAGS}}
"""The keys of the configured table, and the value that each one sets."""


def _read_config(config: object, readings: ReadingChoices) -> tuple[dict[str, Any], list[ExpectedFailure]]:
    """Return the configured values, and the failure of a call with a configuration that is refused (AMB-LD-32).

    A value that cannot be used may also bound a listing, in some way.
    """
    if config is None:
        return {}, []
    if not isinstance(config, Mapping):
        return {}, _refused_config("the table is no table", readings)
    parsed: dict[str, Any] = {}
    failures: list[ExpectedFailure] = []
    for key, value in config.items():
        name = _KEYS.get(key)
        if name is None:
            if readings.choose("a key that is not documented", ("ignored", "refused")) == "refused":
                failures.append(_config_failure(f"{key} is not documented"))
        elif not _is_unusable(config, key):
            parsed[name] = value
        elif not (refused := _refused_config(f"the configured {key} cannot be used", readings)):
            options = (True, False) if name in INCLUDE_FLAGS else _usable_limits(name, value)
            parsed[name] = readings.choose(f"what {key} sets", options)
        else:
            failures += refused
    return parsed, failures


def has_undocumented_keys(config: object) -> bool:
    """Return whether the table has keys beside the documented ones."""
    return isinstance(config, Mapping) and not config.keys() <= _KEYS.keys()


def _is_unusable(config: object, key: str) -> bool:
    if not isinstance(config, Mapping) or key not in config:
        return False
    value = config[key]
    return type(value) is not bool if key not in LIMIT_NAMES else type(value) is not int or value < 1


def _usable_limits(name: str, value: object) -> tuple[int, ...]:
    """Return the limits that such a value may become: none, one, the built-in one, or its own number."""
    stated = float(value) if isinstance(value, (int, float)) else float(value) if _is_number(value) else 0.0
    near = {int(stated), math.ceil(stated)} if math.isfinite(stated) else set()
    return tuple(sorted({0, 1, BUILT_IN_DEFAULTS[name], *(one for one in near if one > 0)}, reverse=True))


def _is_number(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and value.isdecimal()


def _refused_config(reason: str, readings: ReadingChoices) -> list[ExpectedFailure]:
    return [_config_failure(reason)] if readings["AMB-LD-32"] == "a" else []


def _config_failure(reason: str) -> ExpectedFailure:
    return ExpectedFailure(ANY_ERROR_KIND, "CFG-LD-01", reason)


def _parse_text(value: Any, readings: ReadingChoices) -> tuple[bool, Any]:
    return isinstance(value, str), value


def _parse_flag(value: Any, readings: ReadingChoices) -> tuple[bool, Any]:
    return isinstance(value, bool), value


def _parse_count(value: Any, readings: ReadingChoices) -> tuple[bool, Any]:
    """Return whether a value is an integer of at least 1 (1.0: by the reading of AMB-LD-27), and the integer."""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer() and value >= 1:
        return readings["AMB-LD-27"] == "a", int(value)
    return type(value) is int and value >= 1, value


_PARSERS = {
    "path": _parse_text,
    "recursive": _parse_flag,
    "max_depth": _parse_count,
    "max_entries": _parse_count,
    **{f"include_{name}": _parse_flag for name in INCLUDE_FLAGS},
}
