"""Reads TOML files. A published JSON Schema checks each; a problem has its line, its table, its key and what to write.

Schemas contain `errorMessage`, what to write instead, and `examples`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from treeproof.errors import (
    FileError,
    UsageError,
    abbreviated_json,
    check_readable,
    closest_match,
    format_parse_error,
    suggest,
    why_unreadable,
)
from treeproof.files import parse_cache
from treeproof.files.json_schema import JsonSchema
from treeproof.files.toml_lines import Place, TomlLines

_MAX_BYTES = 4 << 20
_ANY_FILE = "a TOML file"
_NAMES = ("id", "name", "label", "topic", "version")
"""The keys that name a table of a list in messages."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_PARSER_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")


def load_toml(file: Path, expected: str = _ANY_FILE) -> dict[str, Any]:
    """Return the content of a TOML file. Raises UsageError, a FileError with the line if that is known."""
    import tomllib  # not every command needs it

    check_readable(file, _MAX_BYTES, expected)
    content = b""
    try:
        content = file.read_bytes()
        return tomllib.loads(content.decode("utf-8"), parse_float=_parse_float)
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}; name {expected}") from error
    except OverflowError as error:
        number = re.compile(rf"[=,\[]\s*{re.escape(str(error))}")
        found = (at for at, line in enumerate(content.decode("utf-8").splitlines(), 1) if number.search(line))
        raise FileError(file, next(found, 0), f"{error} is no number that a file can hold; write another one") from None
    except (ValueError, RecursionError) as error:
        raise _syntax_error(file, content, error, expected) from error


def _syntax_error(file: Path, content: bytes, error: Exception, expected: str) -> FileError:
    is_mark = content.startswith(b"\xef\xbb\xbf")
    problem = format_parse_error(ValueError("Unexpected UTF-8 BOM") if is_mark else error, "TOML")
    place = _PARSER_PLACE.search(problem)
    end = error.start if isinstance(error, UnicodeDecodeError) else len(content.rstrip())
    line = content.count(b"\n", 0, end) + 1 if isinstance(error, UnicodeDecodeError) or place else 0
    fix = f"; correct it, or name {expected}" if problem.startswith("not ") else ""
    return FileError(file, int(place[1]) if place and place[1] else line, f"{_PARSER_PLACE.sub('', problem)}{fix}")


def _parse_float(text: str) -> float:
    """Return a number. Raises OverflowError for one that JSON does not have either, such as nan."""
    if not math.isfinite(float(text)):
        raise OverflowError(text)
    return float(text)


class TomlFile:
    """A TOML file of a kind that a published schema describes; `expected` describes the right file in words.

    `is_cached`: valid tables are kept for the next run.

    Raises UsageError for a file that is not readable or not TOML. Every FileError of this class is one line: the file
    and the line, the table with its id, the key, the problem and the fix.
    """

    def __init__(self, path: Path, schema: JsonSchema, expected: str = _ANY_FILE, *, is_cached: bool = False) -> None:
        self.path = path
        self._schema = schema
        self._digest = self._digest_of_content() if is_cached else None
        cached = parse_cache.load(path, self._digest, ()) if self._digest is not None else None
        self._is_valid = isinstance(cached, dict)
        self.tables: dict[str, Any] = cached if isinstance(cached, dict) else load_toml(path, expected)

    def _digest_of_content(self) -> bytes | None:
        """Return a digest of the file and its schema; None for a file that must not or cannot be read."""
        try:
            if why_unreadable(self.path, _MAX_BYTES) is not None:
                return None
            return parse_cache.digest_of(b"TOML", self._schema.text.encode(), self.path.read_bytes())
        except (OSError, ValueError):
            return None

    @cached_property
    def lines(self) -> TomlLines:
        return TomlLines(self.path.read_text("utf-8"))

    def error(self, place: Place, message: str) -> FileError:
        """Return the error of the value at a place; the message goes on after the name of its table."""
        return FileError(self.path, self.lines.line_of(*place), f"{self._heading(place[:-1])}: {message}")

    def check(self) -> None:
        """Raise FileError for the first problem, if the file does not fit its schema."""
        if errors := self.errors():
            raise first_error(errors)

    def errors(self) -> list[FileError]:
        """Return an error for each value that does not fit the schema, by line."""
        if self._is_valid:
            return []
        found: dict[Place, str] = {}
        for error in sorted(self._schema.errors(self.tables), key=lambda one: one.validator != "type"):
            for place, message in self._problems(error):
                found.setdefault(place, message)
        if not found and self._digest is not None:
            parse_cache.store(self.path, self._digest, self.tables)
        self._is_valid = not found
        return sorted((self.error(place, message) for place, message in found.items()), key=lambda one: one.line)

    def _heading(self, place: Place) -> str:
        """Return the name of a table, such as `[[requirement]] FR-LD-01`."""
        value: Any = self.tables
        names: list[str] = []
        for part in place:
            value = value[part]
            if isinstance(part, int):
                given = [value[key] for key in _NAMES if key in value]
                names.append(next((one for one in given if isinstance(one, str) and one), f"number {part + 1}"))
        heading = _dotted(place)
        if not heading:
            return "the file"
        is_item = isinstance(place[-1], int)
        return " ".join([f"[[{heading}]]" if is_item else f"[{heading}]", ", ".join(names)]).rstrip()

    def _problems(self, error: Any) -> Iterator[tuple[Place, str]]:
        """Yield the place and the message of each problem that an error of the schema contains."""
        place, value = tuple(error.absolute_path), error.instance
        known = self._schema.at(place).get("properties", {})
        match error.validator:
            case "additionalProperties":
                for name in (name for name in value if name not in known):
                    yield (*place, name), f"the key {_quoted(name)} is unknown; {self._remedy(name, known, place)}"
            case "required":
                hint = {} if "properties" in error.schema else error.schema
                meant = {closest_match(name, known, 0.6) for name in value if name not in known}
                for name in error.validator_value:
                    if name not in value and name not in meant:
                        fix = f"write {self._fitting((*place, name), hint)}"
                        yield (*place, name), f"the key {_quoted(name)} is missing; {fix}"
            case "not":
                yield place, f"the key {_quoted(place[-1])} {error.schema['errorMessage']}"
            case _ if "propertyNames" in error.absolute_schema_path:
                yield (*place, value), f"the key {_quoted(value)} does not fit; write {error.schema['errorMessage']}"
            case _:
                yield self._problem_of_value(error, place, value)

    def _problem_of_value(self, error: Any, place: Place, value: Any) -> tuple[Place, str]:
        whole = place
        while isinstance(whole[-1], int) and not isinstance(value, dict):  # an item of a list belongs to its key
            whole = whole[:-1]
            if error.validator == "type":
                value = self._value_at(whole)
        fix = f"write {self._fitting(whole, error.schema if whole != place else {})}"
        if error.validator == "enum" and isinstance(value, str) and "errorMessage" not in error.schema:
            fix = suggest(value, error.validator_value)
        elif error.validator == "uniqueItems":
            twice = next(one for at, one in enumerate(value) if one in value[:at])
            return whole, f"the key {_quoted(whole[-1])} contains {abbreviated_json(twice)} twice; write it once"
        shown = "an empty text" if isinstance(value, str) and not value.strip() else abbreviated_json(value)
        return whole, f"the key {_quoted(whole[-1])} holds {shown}; {fix}"

    def _value_at(self, place: Place) -> Any:
        value: Any = self.tables
        for part in place:
            value = value[part]
        return value

    def _remedy(self, name: str, known: Mapping[str, Any], place: Place) -> str:
        """Return what to write instead of an unknown key: the nearest one, the table that has it, or all keys."""
        if not place or closest_match(name, known, 0.6) is None:
            for table in self._schema.content["properties"]:
                number = (0,) if self._schema.at((table,)).get("type") == "array" else ()
                if name in self._schema.at((table, *number)).get("properties", {}) and table not in place:
                    return f"it belongs in {f'[[{table}]]' if number else f'[{table}]'}"
        return suggest(name, known)

    def _fitting(self, place: Place, item: Mapping[str, Any] = _NOTHING) -> str:
        """Return what the key at a place can hold, in words. `item`: the schema that one item of its list violates."""
        schema, key = self._schema.at(place), str(place[-1])
        if schema.get("type") == "boolean":
            return f"{key} = true or {key} = false"
        what = item.get("errorMessage") or schema.get("errorMessage") or _describe_type(schema, place)
        examples = schema.get("examples") if "enum" not in schema else None
        return f"{what}, such as {key} = {toml_value(examples[0])}" if examples else what


def first_error(errors: Sequence[FileError], remark: str = "") -> FileError:
    """Return the first of several errors of a file, with the number of the others and a remark on them.

    An unknown key comes first: it is often why another is missing.
    """
    first, more = min(errors, key=lambda one: " is unknown; " not in one.problem), len(errors) - 1
    rest = f" (and {more} more{remark and f'; {remark}'})" if more else ""
    return FileError(first.file, first.line, f"{first.problem}{rest}")


def _describe_type(schema: Mapping[str, Any], place: Place) -> str:
    items = schema.get("items", {})
    if "enum" in schema:
        return f"one of: {', '.join(map(str, schema['enum']))}"
    match schema.get("type"):
        case "object":
            return f"a table below the heading [{_dotted(place)}]"
        case "array" if items.get("type") == "object":
            return f"a list of tables, one [[{_dotted(place)}]] heading each"
        case "array" if "enum" in items:
            return f"a list of: {', '.join(items['enum'])}"
        case "array":
            return "a list of texts"
        case "integer":
            return f"a whole number{_describe_limits(schema)}"
        case "number":
            return f"a number{_describe_limits(schema)}"
    return "a text"


def _describe_limits(schema: Mapping[str, Any]) -> str:
    to = "to" if "minimum" in schema else "and at most"
    limits = (("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", to))
    return "".join(f" {word} {schema[name]}" for name, word in limits if name in schema)


def _dotted(place: Place) -> str:
    return ".".join(part for part in place if isinstance(part, str))


def _quoted(key: str | int) -> str:
    return abbreviated_json(key)


def toml_value(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {toml_value(one)}' for key, one in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)
