"""Parses the tables [tools.NAME] and [error_kinds] of a manifest: the mapping of tools that were not written for it."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeproof.candidate.manifest_table import TableReader
from treeproof.candidate.messages import ERROR_KINDS
from treeproof.candidate.tool_mapping import CONVERSIONS, MemberMapping, OutputMapping, ToolConfig
from treeproof.candidate.untrusted import format_untrusted
from treeproof.errors import UsageError, suggest_name

_SPEC_REFERENCE = re.compile(r"[^@\s]+@[^@\s]+")
_TOOL_KEYS = ("spec", "name", "aliases", "arguments", "constants", "drop", "absolute", "output")
_OUTPUT_KEYS = ("place", "entries", "line", "ignore", "members", "document")
_MEMBER_KEYS = ("from", "convert", "values")
_WHOLE = "."
"""The place of a value that is the whole document."""


def parse_tool(path: Path, name: str, value: Any) -> ToolConfig:
    """Return the tool of the table [tools.NAME], or of the line NAME = "spec@version". Raises UsageError."""
    where = f"tools.{name}" if isinstance(value, dict) else "tools"
    reader = TableReader(path, value if isinstance(value, dict) else {name: value}, where)
    if isinstance(value, dict):
        reader.check_keys(_TOOL_KEYS)
    claimed_spec = reader.get_string("spec" if isinstance(value, dict) else name)
    if claimed_spec is None or not _SPEC_REFERENCE.fullmatch(claimed_spec):
        raise UsageError(
            f"{path}: [tools] {name}: '{format_untrusted(str(claimed_spec))}' is not a specification; "
            "write name@version"
        )
    if not isinstance(value, dict):
        return ToolConfig(claimed_spec)
    arguments = {
        key: _place(reader, f"arguments.{key}", text) for key, text in reader.get_string_table("arguments").items()
    }
    constants = {_place(reader, "constants", key): constant for key, constant in reader.get_table("constants").items()}
    dropped = frozenset(reader.get_string_list("drop") or ())
    _check_places(reader, arguments, constants, dropped)
    return ToolConfig(
        claimed_spec,
        reader.get_string("name"),
        arguments,
        tuple(reader.get_string_list("absolute") or ()),
        reader.get_string_table("aliases"),
        constants,
        dropped,
        _parse_output(path, f"{where}.output", value["output"]) if "output" in value else None,
    )


def _place(reader: TableReader, key: str, text: str) -> tuple[str, ...]:
    """Return the place that a text with dots names."""
    place = tuple(text.split("."))
    if not all(place):
        raise UsageError(
            f"{reader.path}: [{reader.name}] {key}: '{format_untrusted(text, 80)}' is not a place; write names that "
            "dots separate, as in params.path"
        )
    return place


def _check_places(
    reader: TableReader,
    arguments: Mapping[str, tuple[str, ...]],
    constants: Mapping[tuple[str, ...], Any],
    dropped: frozenset[str],
) -> None:
    """Raise UsageError for an argument that is both sent and dropped, or for a place of two values."""
    source = f"{reader.path}: [{reader.name}]"
    for name in sorted(dropped & arguments.keys()):
        raise UsageError(f"{source} drop and arguments both contain '{format_untrusted(name, 80)}'; remove one")
    owners: dict[tuple[str, ...], str] = {place: f"constants.{'.'.join(place)}" for place in constants}
    for name, place in arguments.items():
        other = owners.setdefault(place, f"arguments.{name}")
        if other != f"arguments.{name}":
            raise UsageError(
                f"{source} arguments.{format_untrusted(name, 80)} and {format_untrusted(other, 80)} have one place, "
                f"{format_untrusted('.'.join(place), 80)}; write another one"
            )


def _parse_output(path: Path, where: str, value: Any) -> OutputMapping:
    reader = TableReader(path, _require_table(path, where, value), where)
    reader.check_keys(_OUTPUT_KEYS)
    place = reader.get_string("place")
    if place is None:
        raise UsageError(
            f"{path}: [{where}] lacks the key 'place'; write the place of the entries in the specification's document, "
            f'such as "entries", or "{_WHOLE}" if the document is the list'
        )
    line, ignored = _pattern(reader, "line"), _pattern(reader, "ignore")
    entries = reader.get_string("entries")
    if line is not None and entries is not None:
        raise UsageError(f"{path}: [{where}] has 'line' and 'entries'; write 'line' for text, or 'entries' for JSON")
    if line is None and ignored is not None:
        raise UsageError(f"{path}: [{where}] 'ignore' needs 'line': only lines of a text are left out")
    if line is not None and not line.groupindex:
        raise UsageError(
            f"{path}: [{where}] line has no named group; write the members of an entry as in "
            "'(?P<type>DIR|FILE) (?P<name>.*)'"
        )
    members = _parse_members(reader, "members")
    if not members and line is not None:
        members = {name: MemberMapping((name,)) for name in line.groupindex}
    if not members:
        raise UsageError(f"{path}: [{where}] lacks the table 'members'; write members.path = \"name\", for example")
    for name, member in members.items():
        if line is not None and member.source[0] not in line.groupindex:
            raise UsageError(
                f"{path}: [{where}] members.{format_untrusted(name, 80)}: line has no group "
                f"'{format_untrusted(member.source[0], 80)}'; {suggest_name(member.source[0], line.groupindex)}"
            )
    document = _parse_members(reader, "document")
    if document and (line is not None or place == _WHOLE):
        reason = "a text has only lines" if line is not None else "the document is the list"
        raise UsageError(f"{path}: [{where}] has the table 'document', but {reason}; remove it")
    return OutputMapping(
        place=() if place == _WHOLE else _place(reader, "place", place),
        members=members,
        entries=() if entries in (None, _WHOLE) else _place(reader, "entries", entries or ""),
        line=line,
        ignored=ignored,
        document=document,
    )


def _parse_members(reader: TableReader, key: str) -> dict[str, MemberMapping]:
    found = {}
    for name, value in reader.get_table(key).items():
        where = f"{reader.name}.{key}.{name}"
        if isinstance(value, str):
            found[name] = MemberMapping(_place(reader, f"{key}.{name}", value))
            continue
        member = TableReader(reader.path, _require_table(reader.path, where, value), where)
        member.check_keys(_MEMBER_KEYS)
        source = member.get_string("from")
        if source is None:
            raise UsageError(f"{reader.path}: [{where}] lacks the key 'from'; write the tool's name of the member")
        conversion = member.get_string("convert")
        if conversion is not None and conversion not in CONVERSIONS:
            raise UsageError(
                f"{reader.path}: [{where}] convert = '{format_untrusted(conversion, 80)}' is no conversion; "
                f"{suggest_name(conversion, CONVERSIONS)}"
            )
        found[name] = MemberMapping(_place(member, "from", source), conversion, dict(member.get_table("values")))
    return found


def _require_table(path: Path, where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{path}: [{where}] must be a table: write [{where}] or {{ … }}")
    return value


def _pattern(reader: TableReader, key: str) -> re.Pattern[str] | None:
    text = reader.get_string(key)
    return None if text is None else _compile(f"{reader.path}: [{reader.name}] {key}:", text)


def _compile(where: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as problem:
        raise UsageError(f"{where} '{format_untrusted(pattern)}' is not a regular expression: {problem}") from None


def unknown_error_kind(path: Path | None, pattern: str, kind: str, own_kinds: Sequence[str] = ()) -> str:
    """Return the message for a kind of error in a manifest that no specification of the run has."""
    return (
        f"{path}: [error_kinds] '{format_untrusted(pattern)}': unknown error kind '{format_untrusted(kind)}'; "
        f"known: {', '.join((*ERROR_KINDS, *own_kinds))}"
    )


def parse_error_kinds(
    path: Path, table: Mapping[str, str], *, may_be_own: bool = False
) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of the table [error_kinds] with their kinds, in its order. Raises UsageError.

    ``may_be_own``: a specification that the manifest names may have kinds of its own, which are checked later.
    """
    pairs = []
    for pattern, kind in table.items():
        if kind not in ERROR_KINDS and not may_be_own:
            raise UsageError(unknown_error_kind(path, pattern, kind))
        pairs.append((_compile(f"{path}: [error_kinds]", pattern), kind))
    return tuple(pairs)
