"""Parses the tables [tools.NAME] and [error_kinds] of a manifest: the mapping of tools that were not written for it."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeproof.candidate.messages import ERROR_KINDS
from treeproof.candidate.tool_mapping import ArgumentMapping, MemberMapping, OutputMapping, ToolConfig, find_zone
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import suggest
from treeproof.files.toml_file import TomlFile
from treeproof.files.toml_lines import Place

_WHOLE = "."
"""The place of a value that is the whole document."""


def parse_tool(file: TomlFile, name: str, value: Any) -> ToolConfig:
    """Return the tool of the table [tools.NAME], or of the line NAME = "spec@version". Raises UsageError."""
    if isinstance(value, str):
        return ToolConfig(value)
    arguments = {key: _parse_argument(given) for key, given in value.get("arguments", {}).items()}
    constants = {_place(key): constant for key, constant in value.get("constants", {}).items()}
    dropped = frozenset(value.get("drop", ()))
    _check_places(file, ("tools", name), arguments, dropped)
    output, error = value.get("output"), value.get("error")
    return ToolConfig(
        value["spec"],
        value.get("name"),
        arguments,
        tuple(value.get("absolute", ())),
        value.get("aliases", {}),
        constants,
        dropped,
        None if output is None else _parse_output(file, ("tools", name, "output"), output),
        tuple(value.get("rooted", ())),
        None if error is None else compile_pattern(file, ("tools", name, "error"), 'the key "error" holds', error),
        is_mapped=True,
    )


def _parse_argument(value: str | Mapping[str, Any]) -> ArgumentMapping:
    given: Mapping[str, Any] = {"to": value} if isinstance(value, str) else value
    return ArgumentMapping(_place(given["to"]), given.get("values", {}))


def _place(text: str) -> tuple[str, ...]:
    """Return the place that a text with dots names."""
    return () if text == _WHOLE else tuple(text.split("."))


def _check_places(
    file: TomlFile, tool: Place, arguments: Mapping[str, ArgumentMapping], dropped: frozenset[str]
) -> None:
    """Raise UsageError for an argument that is both sent and dropped, or for a place of two arguments as they are."""
    for name in sorted(dropped & arguments.keys()):
        raise file.error((*tool, "drop"), f'drop and arguments both contain "{name}"; remove one')
    owners: dict[tuple[str, ...], str] = {}
    for name, argument in arguments.items():
        other = name if argument.values else owners.setdefault(argument.place, name)
        if other != name:
            place = ".".join(argument.place)
            message = f'arguments.{name} and arguments.{other} have one place, "{place}"; write another one'
            raise file.error((*tool, "arguments", name), message)


def _parse_output(file: TomlFile, at: Place, value: Mapping[str, Any]) -> OutputMapping:
    line, ignored = (
        None if key not in value else compile_pattern(file, (*at, key), f'the key "{key}" holds', value[key])
        for key in ("line", "ignore")
    )
    if line is not None and not line.groupindex:
        message = (
            "the pattern has no named group; write the members of an entry as in '(?P<type>DIR|FILE) (?P<name>.*)'"
        )
        raise file.error((*at, "line"), message)
    line = line and re.compile(line.pattern, re.DOTALL)  # a text of a list can have line breaks
    groups = {} if line is None else {name: name for name in line.groupindex}
    members = _parse_members(file, (*at, "members"), value.get("members", groups))
    for name, member in members.items():
        if line is not None and member.source[0] not in line.groupindex:
            group = member.source[0]
            message = f'the key "line" has no group "{group}"; {suggest(group, line.groupindex)}'
            raise file.error((*at, "members", name), message)
    return OutputMapping(
        place=_place(value["place"]),
        members=members,
        entries=_place(value["entries"]) if "entries" in value else (None if line else ()),
        line=line,
        ignored=ignored,
        document=_parse_members(file, (*at, "document"), value.get("document", {})),
    )


def _parse_members(file: TomlFile, at: Place, table: Mapping[str, Any]) -> dict[str, MemberMapping]:
    found = {}
    for name, value in table.items():
        member: Mapping[str, Any] = {"from": value} if isinstance(value, str) else value
        zone = find_zone(member["zone"]) if "zone" in member else None
        if "zone" in member and zone is None:
            message = f'the key "zone" holds "{member["zone"]}", which is no time zone; write one such as "UTC"'
            raise file.error((*at, name, "zone"), message)
        found[name] = MemberMapping(_place(member["from"]), member.get("convert"), member.get("values", {}), zone)
    return found


def compile_pattern(file: TomlFile, place: Place, what: str, pattern: str) -> re.Pattern[str]:
    """Return a regular expression of a manifest; ``what`` begins the message. Raises UsageError."""
    try:
        return re.compile(pattern)
    except re.error as problem:
        message = f"{what} {pattern!r}, which is no regular expression: {problem}; correct it"
        raise file.error(place, message) from None


def unknown_error_kind(path: Path | None, pattern: str, kind: str, own_kinds: Sequence[str] = ()) -> str:
    """Return the message for a kind of error in a manifest that no specification of the run has."""
    return (
        f"{path}: [error_kinds] '{format_untrusted(pattern)}': unknown error kind '{format_untrusted(kind)}'; "
        f"known: {', '.join((*ERROR_KINDS, *own_kinds))}"
    )


def parse_error_kinds(file: TomlFile, *, may_be_own: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of the table [error_kinds] with their kinds, in its order. Raises UsageError.

    ``may_be_own``: a specification that the manifest names may have kinds of its own, which are checked later.
    """
    pairs = []
    for pattern, kind in file.tables.get("error_kinds", {}).items():
        place = ("error_kinds", pattern)
        if kind not in ERROR_KINDS and not may_be_own:
            message = f'the key "{pattern}" holds "{kind}", which is no kind of error; {suggest(kind, ERROR_KINDS)}'
            raise file.error(place, message)
        pairs.append((compile_pattern(file, place, "the key is", pattern), kind))
    return tuple(pairs)
