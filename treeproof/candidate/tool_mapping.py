"""The mapping of one tool of a manifest: its names, arguments and output. Pure functions on JSON values.

For tools that were not written for treeproof. A mapping renames, moves and converts what a tool gives. It adds nothing:
a member that the tool does not give is missing in the mapped output, too.
"""

import datetime
import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from treeproof.candidate.adapter import UnsupportedByAdapter

Path = tuple[str, ...]
"""The place of a value in nested JSON objects, such as ("stat", "size")."""


@dataclass(frozen=True)
class MemberMapping:
    """One member of the mapped output: where the tool gives it, and how its value is converted.

    ``values`` replaces texts; a text that it does not contain stays. ``convert`` is the name of a conversion.
    """

    source: Path
    convert: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OutputMapping:
    """The mapping of a tool's output to the JSON document of a specification.

    ``line``: a pattern for each line of a text; its named groups are the members of the tool's entry. None: the output
    is JSON, and ``entries`` is the place of its list. Lines that match ``ignored`` are left out. ``members`` are those
    of an entry, ``document`` those of the document, and ``place`` is where the entries are in the document.
    """

    place: Path
    members: Mapping[str, MemberMapping]
    entries: Path = ()
    line: re.Pattern[str] | None = None
    ignored: re.Pattern[str] | None = None
    document: Mapping[str, MemberMapping] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolConfig:
    """The configuration of one tool in a manifest.

    ``claimed_spec`` is its specification, ``name@version``. The rest is for tools that were not written for treeproof:
    ``remote_name`` is the candidate's name of the tool, ``aliases`` its names for the aliases of the specification.
    ``arguments`` maps argument names of the specification to places in the candidate's arguments. ``constants`` are
    sent in every call, ``dropped`` arguments never; ``absolute_path_arguments`` are sent as absolute paths.
    """

    claimed_spec: str
    remote_name: str | None = None
    arguments: Mapping[str, Path] = field(default_factory=dict)
    absolute_path_arguments: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[Path, Any] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    output: OutputMapping | None = None


def remote_name(tools: Mapping[str, ToolConfig], name: str) -> str:
    """Return the candidate's name for the name or alias of a tool; a name without a mapping is unchanged."""
    if name in tools:
        return tools[name].remote_name or name
    return next((tool.aliases[name] for tool in tools.values() if name in tool.aliases), name)


def tool_of(tools: Mapping[str, ToolConfig], name: str) -> ToolConfig | None:
    """Return the configuration for the name or alias of a tool, None if it has none."""
    return tools.get(name) or next((tool for tool in tools.values() if name in tool.aliases), None)


def map_arguments(tool: ToolConfig, arguments: Mapping[str, Any], working_directory: str) -> dict[str, Any]:
    """Return the arguments under the candidate's names, with absolute paths where configured.

    Raises UnsupportedByAdapter.
    """
    sent: dict[str, Any] = {}
    for place, value in tool.constants.items():
        _put(sent, place, value)
    for name, value in arguments.items():
        if name not in tool.dropped:
            if name in tool.absolute_path_arguments and isinstance(value, str):
                value = os.path.join(working_directory, value) if value else value
            _put(sent, tool.arguments.get(name, (name,)), value)
    return sent


def _put(target: dict[str, Any], place: Path, value: Any) -> None:
    for name in place[:-1]:
        target = target.setdefault(name, {})
        if not isinstance(target, dict):
            raise UnsupportedByAdapter(f"the manifest sends two arguments as {'.'.join(place)}")
    if place[-1] in target:
        raise UnsupportedByAdapter(f"the manifest sends two arguments as {'.'.join(place)}")
    target[place[-1]] = value


# ---- output -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MappedOutput:
    """``content`` is the JSON text of the document; without one, ``problem`` is the reason."""

    content: str | None
    problem: str = ""


def map_output(mapping: OutputMapping, content: str, root: str) -> MappedOutput:
    """Return the output of a tool as the document of the specification. ``root`` is the absolute sandbox root."""
    whole: Any = None
    if mapping.line is not None:
        found = _match_lines(mapping, content)
        if isinstance(found, str):
            return MappedOutput(None, found)
    else:
        try:
            whole = json.loads(content)
        except (ValueError, RecursionError):
            return MappedOutput(None, "the output is not JSON")
        found = get(whole, mapping.entries)
        if not isinstance(found, list):
            return MappedOutput(None, f"the output has no list {'.'.join(mapping.entries) or 'at its top'}")
    entries = [_map_members(mapping.members, entry, root) if isinstance(entry, dict) else entry for entry in found]
    if not mapping.place:
        return MappedOutput(_to_json(entries))
    document = _map_members(mapping.document, whole, root)
    inner = document
    for name in mapping.place[:-1]:
        inner = inner.setdefault(name, {})
    inner[mapping.place[-1]] = entries
    return MappedOutput(_to_json(document))


def _match_lines(mapping: OutputMapping, content: str) -> list[dict[str, str]] | str:
    """Return the groups of each line, or the problem of the first line that does not match."""
    assert mapping.line is not None
    found = []
    for number, line in enumerate(content.split("\n"), 1):
        if not line or (mapping.ignored is not None and mapping.ignored.search(line)):
            continue
        match = mapping.line.fullmatch(line)
        if match is None:
            return f"line {number} does not match `line`: {line[:100]}"
        found.append({name: text for name, text in match.groupdict().items() if text is not None})
    return found


def _map_members(members: Mapping[str, MemberMapping], given: Any, root: str) -> dict[str, Any]:
    mapped: dict[str, Any] = {}
    for name, member in members.items():
        value = get(given, member.source)
        if value is not MISSING:
            if isinstance(value, str):
                value = member.values.get(value, value)
            _put(mapped, tuple(name.split(".")), convert(member.convert, value, root))
    return mapped


class _Missing:
    """The type of the value of a member that does not exist."""


MISSING = _Missing()


def get(value: Any, place: Path) -> Any:
    """Return the value at a place, MISSING if there is none."""
    for name in place:
        if not isinstance(value, dict) or name not in value:
            return MISSING
        value = value[name]
    return value


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# ---- conversions ------------------------------------------------------------------------------------------------


def convert(name: str | None, value: Any, root: str) -> Any:
    """Return a converted value. A value that the conversion does not fit stays as it is, and is judged so."""
    if name is None:
        return value
    try:
        return CONVERSIONS[name](value, root)
    except (ValueError, TypeError, OverflowError, AttributeError):
        return value


def _milliseconds(value: Any, _root: str) -> int:
    return math.floor(_number(value) * 1000)


def _seconds(value: Any, _root: str) -> int:
    return math.floor(_number(value) / 1000)


def _number(value: Any) -> Decimal:
    """Return a JSON number without the rounding of binary fractions."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    return Decimal(str(value))


_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def _iso_microseconds(value: str) -> int:
    moment = datetime.datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError("no time zone")  # which moment it is would be a guess
    return (moment - _EPOCH) // datetime.timedelta(microseconds=1)


def _integer(value: Any, _root: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,4300}", value):
        raise ValueError(value)
    return int(value)


def _relative_to(value: str, root: str) -> str:
    if value == root:
        return "."
    if not value.startswith(root.rstrip("/") + "/"):
        raise ValueError(value)
    return value[len(root.rstrip("/")) + 1 :]


def _absolute(value: str, root: str) -> str:
    return value if value.startswith("/") else root.rstrip("/") + "/" + value


CONVERSIONS: Mapping[str, Callable[[Any, str], Any]] = {
    "integer": _integer,
    "seconds_to_milliseconds": _milliseconds,
    "milliseconds_to_seconds": _seconds,
    "iso_to_seconds": lambda value, root: _iso_microseconds(value) // 1_000_000,
    "iso_to_milliseconds": lambda value, root: _iso_microseconds(value) // 1000,
    "absolute_to_relative": _relative_to,
    "relative_to_absolute": _absolute,
}
"""The conversions by name; each takes a value and the absolute sandbox root."""
