"""The check of arguments by the table of parameters (section 2.2): it returns a request, or an invalid argument."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treeproof.api import Unmodelled

from ..shared.reading_choices import ReadingChoices

PARAMETERS = ("path", "offset", "limit", "include_hidden", "ignore")
PARAMETER_REQUIREMENTS = dict(
    zip(PARAMETERS, ("LS-ARG-01", "LS-ARG-02", "LS-ARG-03", "LS-ARG-04", "LS-ARG-05"), strict=True)
)
"""The requirement for the values of each parameter."""


MAX_OFFSET = 2**53 - 1
"""The greatest offset that every implementation has to count with: JSON promises no larger integer (RFC 8259, 6)."""

_SET = re.compile(r"\[!?(\]?[^]]*)\]")

_NULL_INTERPRETATIONS = {
    "path": "AMB-LS-13",
    "offset": "AMB-LS-71",
    "limit": "AMB-LS-72",
    "include_hidden": "AMB-LS-75",
}
"""Whether null is the same as nothing."""


@dataclass(frozen=True)
class Request:
    """A request with valid arguments and their defaults."""

    path: str
    offset: int
    limit: int
    hidden: bool
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class InvalidArgument:
    """An invalid argument, and the violated requirement."""

    requirement: str
    reason: str
    codes: tuple[str, ...] = ("INVALID_PARAM",)


def parse_arguments(arguments: Any, readings: ReadingChoices) -> Request | InvalidArgument:
    """Return the request, or the first invalid argument. Raises Unmodelled."""
    if arguments is None and readings.choose("null as arguments", ("wrong", "none")) == "none":
        return Request(".", 0, 100, False, ())
    if not isinstance(arguments, Mapping):
        return InvalidArgument("LS-ARG-08", "the arguments are no object")
    if arguments.keys() - set(PARAMETERS) and readings["AMB-LS-51"] == "b":
        return InvalidArgument("LS-ARG-07", "an argument is not in the schema")
    given = {name: value for name, value in arguments.items() if name in PARAMETERS}
    for name, interpretation in _NULL_INTERPRETATIONS.items():
        if name in given and given[name] is None and readings[interpretation] == "b":
            del given[name]
    for name, value in given.items():
        invalid = _invalid_argument(name, value, readings)
        if invalid is not None:
            return invalid
    if given.get("offset", 0) > MAX_OFFSET and readings.choose("a large offset", ("counts", "is refused")) != "counts":
        return InvalidArgument("LS-PAGE-05", "a double does not hold the offset")
    is_broken = any(map(_is_broken, given.get("ignore") or ()))
    if is_broken and readings.choose("a broken pattern", ("is taken", "is refused")) == "is refused":
        return InvalidArgument("LS-ARG-05", "a pattern is broken")
    return Request(
        path=given.get("path", "."),
        offset=int(given.get("offset", 0)),
        limit=int(given.get("limit", 100)),
        hidden=given.get("include_hidden", False),
        patterns=tuple(given.get("ignore") or ()),
    )


def _invalid_argument(name: str, value: Any, readings: ReadingChoices) -> InvalidArgument | None:
    invalid = InvalidArgument(PARAMETER_REQUIREMENTS[name], f"{name} has an invalid value")
    match name:
        case "path":
            return _invalid_path(value, readings) if isinstance(value, str) else invalid
        case "include_hidden":
            return None if isinstance(value, bool) else invalid
        case "ignore":
            fits = value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))
            is_refused = fits and "" in (value or ()) and readings["AMB-LS-82"] == "b"
            return None if fits and not is_refused else invalid
    if isinstance(value, bool):
        return InvalidArgument("LS-ARG-06", f"{name} is true or false")
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < 2**53 and readings["AMB-LS-12"] == "b"
        return None if whole and _in_range(name, int(value)) else invalid
    return None if isinstance(value, int) and _in_range(name, value) else invalid


def _in_range(name: str, number: int) -> bool:
    return number >= 0 if name == "offset" else 0 < number < 201


def _is_broken(pattern: str) -> bool:
    """Return whether fnmatch leaves a pattern open: it ends in an escape, or the ends of a range are reversed."""
    ends_in_escape = (len(pattern) - len(pattern.rstrip("\\"))) % 2 == 1
    inside = (found[1] for found in _SET.finditer(pattern))
    return ends_in_escape or any(last < first for one in inside for first, last in re.findall("(.)-(.)", one))


def _invalid_path(path: str, readings: ReadingChoices) -> InvalidArgument | None:
    if path == "" and readings["AMB-LS-17"] == "b":
        return InvalidArgument("LS-ARG-01", "the path is empty", ("INVALID_PARAM", "NOT_FOUND"))
    if "\0" in path:
        codes = {"a": "INVALID_PARAM", "b": "ACCESS_DENIED", "c": "NOT_FOUND", "d": "INTERNAL_ERROR"}
        return InvalidArgument("LS-ARG-08", "the path holds a NUL", (codes[readings["AMB-LS-18"]],))
    if any("\ud800" <= character <= "\udfff" for character in path):
        raise Unmodelled("the path has half of a surrogate pair")
    if path.startswith("/$"):  # of a path outside they change nothing
        raise Unmodelled("what two slashes at the beginning of a path mean is the system's choice (POSIX)")
    return None
