"""The mapping of one tool of a manifest: its names, arguments and output. Pure functions on JSON values.

For tools that were not written for treeproof. A mapping renames, moves and converts what a tool gives. It adds nothing:
a member that the tool does not give is missing in the mapped output, too. It leaves nothing out either: a call with an
argument that the tool does not have is not made.
"""

import datetime
import json
import math
import os
import re
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from treeproof.candidate.adapter import LacksArgument, UnsupportedByAdapter

Path = tuple[str, ...]
"""The place of a value in nested JSON objects, such as ("stat", "size")."""


@dataclass(frozen=True)
class MemberMapping:
    """One member of the mapped output: where the tool gives it, and how its value is converted.

    ``values`` replaces texts, and true, false, null and numbers by their JSON text; other values stay. ``convert`` is
    the name of a conversion, ``zone`` the time zone of a time that names none.
    """

    source: Path
    convert: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    zone: datetime.tzinfo | None = None


@dataclass(frozen=True)
class ArgumentMapping:
    """Where the tool takes an argument, and the values that it takes for some of the specification.

    With ``values``, a boolean that they do not contain is not sent: the tool's argument is none.
    """

    place: Path
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OutputMapping:
    """The mapping of a tool's output to the JSON document of a specification.

    ``entries`` is the place of the list in an output that is JSON; None: each line of a text is an entry. ``line``: a
    pattern for each line, or for each text of the list; its named groups are the members of the tool's entry. Lines and
    texts that match ``ignored`` are left out. ``members`` are those of an entry, ``document`` those of the document,
    and ``place`` is where the entries are in the document.
    """

    place: Path
    members: Mapping[str, MemberMapping]
    entries: Path | None = ()
    line: re.Pattern[str] | None = None
    ignored: re.Pattern[str] | None = None
    document: Mapping[str, MemberMapping] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolConfig:
    """The configuration of one tool in a manifest.

    ``claimed_spec`` is its specification, ``name@version``. The rest is for tools that were not written for treeproof:
    ``remote_name`` is the candidate's name of the tool, ``aliases`` its names for the aliases of the specification.
    ``arguments`` maps argument names of the specification to places in the candidate's arguments. ``constants`` are
    sent in every call, unless an argument has their place. A call with one of ``dropped`` is not made.
    ``absolute_path_arguments`` are sent as absolute paths, ``rooted_path_arguments`` as paths from ``/``, which is the
    sandbox root to the tool. An output that ``error`` matches is an error. ``is_mapped``: the manifest has a table of
    the tool, so that it takes only the arguments of its own schema.
    """

    claimed_spec: str
    remote_name: str | None = None
    arguments: Mapping[str, ArgumentMapping] = field(default_factory=dict)
    absolute_path_arguments: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[Path, Any] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    output: OutputMapping | None = None
    rooted_path_arguments: tuple[str, ...] = ()
    error: re.Pattern[str] | None = None
    is_mapped: bool = False

    def place_of(self, argument: str) -> Path:
        """Return the place of an argument of the specification in the candidate's arguments."""
        mapping = self.arguments.get(argument)
        return (argument,) if mapping is None else mapping.place


def remote_name(tools: Mapping[str, ToolConfig], name: str) -> str:
    """Return the candidate's name for the name or alias of a tool; a name without a mapping is unchanged."""
    if name in tools:
        return tools[name].remote_name or name
    return next((tool.aliases[name] for tool in tools.values() if name in tool.aliases), name)


def tool_of(tools: Mapping[str, ToolConfig], name: str) -> ToolConfig | None:
    """Return the configuration for the name or alias of a tool, None if it has none."""
    return tools.get(name) or next((tool for tool in tools.values() if name in tool.aliases), None)


def map_arguments(
    tool: ToolConfig, arguments: Mapping[str, Any], context: Mapping[str, Any], schema: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the arguments under the candidate's names, with the paths and values that its tool takes.

    ``schema`` is the tool's own of its arguments, if it is known. Raises LacksArgument for an argument that the tool
    does not have, and UnsupportedByAdapter for a path that it cannot be given.
    """
    sent: dict[str, Any] = {}
    for name, value in arguments.items():
        place = tool.place_of(name)
        if name in tool.dropped or not has_argument(schema, place):
            raise LacksArgument(f"the tool has no argument '{name}'")
        value = _map_path(tool, name, value, context)
        values = tool.arguments[name].values if name in tool.arguments else {}
        if values and isinstance(value, bool) and _to_json(value) not in values:
            continue
        # A text that is spelt like another value is a wrong one, which the tool has to refuse itself.
        is_alike = isinstance(value, str) and _LIKE_ANOTHER_VALUE.fullmatch(value)
        _put(sent, place, value if is_alike else replaced(value, values))
    for place, value in tool.constants.items():
        if get(sent, place) is MISSING:
            _put(sent, place, value)
    return sent


def sent_arguments(tools: Mapping[str, ToolConfig], name: str, arguments: Any, context: Mapping[str, Any]) -> Any:
    """Return the arguments of a call as the candidate gets them; the same value if nothing is mapped."""
    tool = tool_of(tools, name)
    if tool is None or not isinstance(arguments, dict):
        return arguments
    try:
        return map_arguments(tool, arguments, context)
    except UnsupportedByAdapter:  # it was not sent
        return arguments


def is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are the same; 1 is not true."""
    return _to_json(one) == _to_json(other)


def has_argument(schema: Mapping[str, Any] | None, place: Path) -> bool:
    """Return whether a tool takes an argument at this place. A schema that lists none does not say so."""
    at: Any = schema
    for name in place:
        for _ in range(_MAX_REFERENCES):
            reference = at.get("$ref") if isinstance(at, dict) else None
            if not isinstance(reference, str) or not reference.startswith("#/"):
                break
            at = get(schema, tuple(reference[2:].split("/")))
        properties = at.get("properties") if isinstance(at, dict) else None
        if not isinstance(properties, dict) or not properties:
            return True
        if name not in properties:
            return False
        at = properties[name]
    return True


_MAX_REFERENCES = 10
_LIKE_ANOTHER_VALUE = re.compile("true|false|null|[-+.eE0-9]+")


def _map_path(tool: ToolConfig, name: str, value: Any, context: Mapping[str, Any]) -> Any:
    """Return an argument, a path in the form in which the tool takes it; what is no path stays."""
    if not isinstance(value, str) or not value:
        return value
    absolute = os.path.join(str(context["working_dir"]), value)
    if name in tool.absolute_path_arguments:
        return absolute
    if name not in tool.rooted_path_arguments:
        return value
    root = str(context["roots"][0]).rstrip("/")
    if absolute != root and not absolute.startswith(root + "/"):
        raise UnsupportedByAdapter(f"the tool takes paths from its root only, and {value} is none")
    below = absolute[len(root) :]
    return "/" if below in ("", "/.") else below


def replaced(value: Any, values: Mapping[str, Any]) -> Any:
    """Return what a table of ``values`` has for a text or, by its JSON text, for another plain value."""
    if isinstance(value, dict | list):
        return value
    return values.get(value if isinstance(value, str) else _to_json(value), value)


def _put(target: dict[str, Any], place: Path, value: Any) -> None:
    for name in place[:-1]:
        target = target.setdefault(name, {})
        if not isinstance(target, dict):
            break
    if not isinstance(target, dict) or target.get(place[-1], value) != value:
        raise LacksArgument(f"the tool has one argument '{'.'.join(place)}' for two of the call")
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
    found: Any
    if mapping.entries is None:
        found = content.split("\n")
    else:
        try:
            whole = json.loads(content)
        except (ValueError, RecursionError):
            return MappedOutput(None, "the output is not JSON")
        found = get(whole, mapping.entries)
        if not isinstance(found, list):
            return MappedOutput(None, f"the output has no list {'.'.join(mapping.entries) or 'at its top'}")
    if mapping.line is not None:
        found = _match_texts(mapping, mapping.line, found)
        if isinstance(found, str):
            return MappedOutput(None, found)
    entries = [_map_members(mapping.members, entry, root) if isinstance(entry, dict) else entry for entry in found]
    if not mapping.place:
        return MappedOutput(_to_json(entries))
    document = _map_members(mapping.document, whole, root)
    inner = document
    for name in mapping.place[:-1]:
        inner = inner.setdefault(name, {})
    inner[mapping.place[-1]] = entries
    return MappedOutput(_to_json(document))


def select_part(mapping: OutputMapping | None, content: str, parts: Sequence[str]) -> str:
    """Return the part of an answer that has the list of a mapping, the ``content`` itself if none does."""
    if mapping is None or mapping.entries is None:
        return content
    return next((part for part in (content, *parts) if map_output(mapping, part, "/").content), content)


def _match_texts(mapping: OutputMapping, line: re.Pattern[str], texts: Sequence[Any]) -> list[dict[str, str]] | str:
    """Return the groups of each line or text, or the problem of the first one that does not match."""
    found = []
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            return f"entry {number} is no text: {_to_json(text)[:100]}"
        is_blank = not text and mapping.entries is None
        if is_blank or (mapping.ignored is not None and mapping.ignored.search(text)):
            continue
        match = line.fullmatch(text)
        if match is None:
            return f"line {number} does not match `line`: {text[:100]}"
        found.append({name: group for name, group in match.groupdict().items() if group is not None})
    return found


def _map_members(members: Mapping[str, MemberMapping], given: Any, root: str) -> dict[str, Any]:
    mapped: dict[str, Any] = {}
    for name, member in members.items():
        value = get(given, member.source)
        if value is not MISSING:
            value = convert(member.convert, replaced(value, member.values), root, member.zone)
            _put(mapped, tuple(name.split(".")), value)
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


def convert(name: str | None, value: Any, root: str, zone: datetime.tzinfo | None = None) -> Any:
    """Return a converted value. A value that the conversion does not fit stays as it is, and is judged so."""
    if name is None:
        return value
    try:
        return CONVERSIONS[name](value, zone if name.startswith("iso_") else root)
    except (ValueError, TypeError, OverflowError, AttributeError):
        return value


def find_zone(name: str) -> datetime.tzinfo | None:
    """Return the time zone of a name such as UTC or Europe/Paris, None if there is none."""
    try:
        return datetime.UTC if name == "UTC" else zoneinfo.ZoneInfo(name)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        return None


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


def _iso_microseconds(value: str, zone: datetime.tzinfo | None) -> int:
    moment = datetime.datetime.fromisoformat(value)
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
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


CONVERSIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "integer": _integer,
    "seconds_to_milliseconds": _milliseconds,
    "milliseconds_to_seconds": _seconds,
    "iso_to_seconds": lambda value, zone: _iso_microseconds(value, zone) // 1_000_000,
    "iso_to_milliseconds": lambda value, zone: _iso_microseconds(value, zone) // 1000,
    "absolute_to_relative": _relative_to,
    "relative_to_absolute": _absolute,
    "rooted_to_relative": lambda value, root: _relative_to(value, "/"),
    "rooted_to_absolute": lambda value, root: root if value == "/" else _absolute(_relative_to(value, "/"), root),
}
"""The conversions by name; each takes a value and the absolute sandbox root, those of times the zone instead."""
