"""The published JSON Schemas of the messages, compiled once to plain functions.

The files in ``schemas/`` are the contract. Their few keywords are translated here, because every message of every
scenario is checked in both directions and a general validator costs a hundred times more. An unknown keyword is
refused when its schema is compiled, so a schema cannot require more than is checked.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treeproof.candidate.untrusted import format_untrusted

# Returns None, or the problem: a JSON path such as ``.error.kind`` and a phrase that follows it.
Validator = Callable[[Any], "tuple[str, str] | None"]

_MAX_VALUE_CHARACTERS = 80
_SCHEMA_FOLDER = Path(__file__).parent / "schemas"


@functools.cache
def load_schema(name: str) -> Mapping[str, Any]:
    """Return a published schema: ``call.result`` is the parsed file ``schemas/call.result.schema.json``."""
    file = _SCHEMA_FOLDER / f"{name}.schema.json"
    schema: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


@functools.cache
def validator_for(name: str) -> Validator:
    """Return the validator of a published schema, compiled at the first use."""
    return compile_schema(load_schema(name))


def unknown_members(name: str, value: object) -> list[str]:
    """Return the JSON paths of members that a published schema does not name; they are ignored."""
    found: list[str] = []
    _collect_unknown(load_schema(name), value, "", found)
    return found


def compile_schema(schema: bool | Mapping[str, Any]) -> Validator:
    """Return the validator of a schema. Raises ValueError for a keyword that is not translated here."""
    if schema is True:
        return _accept_all
    if not isinstance(schema, Mapping):
        raise ValueError(f"cannot check the schema {schema!r}")
    parts: list[Validator] = []
    for keyword in schema:
        if keyword in _ANNOTATIONS or keyword in _DEPENDENT_KEYWORDS:
            continue
        if keyword not in _KEYWORDS:
            raise ValueError(f"the keyword {keyword!r} is not translated")
        parts.append(_KEYWORDS[keyword](schema))
    if len(parts) == 1:
        return parts[0]

    def check(value: Any) -> tuple[str, str] | None:
        for part in parts:
            if problem := part(value):
                return problem
        return None

    return check


def _accept_all(value: Any) -> None:
    return None


def _format_value(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return format_untrusted(text, _MAX_VALUE_CHARACTERS)


def is_integer(value: object) -> bool:
    """Return whether a JSON value is an integer; as in JSON Schema, 1.0 is one."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


_TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "object": ("an object", lambda v: isinstance(v, dict)),
    "array": ("an array", lambda v: isinstance(v, list)),
    "string": ("a string", lambda v: isinstance(v, str)),
    "boolean": ("true or false", lambda v: isinstance(v, bool)),
    "null": ("null", lambda v: v is None),
    "integer": ("an integer", is_integer),
}


def _type(schema: Mapping[str, Any]) -> Validator:
    type_name, matches = _TYPES[schema["type"]]

    def check(value: Any) -> tuple[str, str] | None:
        return None if matches(value) else ("", f"is {_format_value(value)}, not {type_name}")

    return check


def _required(schema: Mapping[str, Any]) -> Validator:
    names: tuple[str, ...] = tuple(schema["required"])

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, dict):
            for name in names:
                if name not in value:
                    return "", f"lacks the member {name!r}"
        return None

    return check


def _properties(schema: Mapping[str, Any]) -> Validator:
    checks = [(name, compile_schema(inner)) for name, inner in schema["properties"].items()]

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, dict):
            for name, inner in checks:
                if name in value and (problem := inner(value[name])):
                    return f".{name}{problem[0]}", problem[1]
        return None

    return check


def _additional(schema: Mapping[str, Any]) -> Validator:
    named = frozenset(schema.get("properties", ()))
    if schema["additionalProperties"] is False:

        def check_none(value: Any) -> tuple[str, str] | None:
            if isinstance(value, dict):
                for name in value:
                    if name not in named:
                        return "", f"has the unknown member {_format_value(name)}"
            return None

        return check_none
    inner = compile_schema(schema["additionalProperties"])

    def check_each(value: Any) -> tuple[str, str] | None:
        if isinstance(value, dict):
            for name, member in value.items():
                if name not in named and (problem := inner(member)):
                    return f".{format_untrusted(name, _MAX_VALUE_CHARACTERS)}{problem[0]}", problem[1]
        return None

    return check_each


def _items(schema: Mapping[str, Any]) -> Validator:
    inner = compile_schema(schema["items"])

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, list):
            for index, item in enumerate(value):
                if problem := inner(item):
                    return f"[{index}]{problem[0]}", problem[1]
        return None

    return check


def _enum(schema: Mapping[str, Any]) -> Validator:
    # Only strings: then Python's equality is JSON's (True == 1 would not be).
    allowed = frozenset(schema["enum"])
    if not all(isinstance(value, str) for value in allowed):
        raise ValueError("an enum is translated only if all its values are strings")
    choices = ", ".join(schema["enum"])

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, str) and value in allowed:
            return None
        return "", f"is {_format_value(value)}, not one of {choices}"

    return check


def _const(schema: Mapping[str, Any]) -> Validator:
    expected = schema["const"]
    types: tuple[type, ...] = (str,) if isinstance(expected, str) else (int, float)

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, types) and not isinstance(value, bool) and value == expected:
            return None
        return "", f"is {_format_value(value)}, not {_format_value(expected)}"

    return check


def _pattern(schema: Mapping[str, Any]) -> Validator:
    search = re.compile(schema["pattern"]).search
    meaning = schema.get("description", f"a match of {schema['pattern']}")

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, str) and not search(value):
            return "", f"is {_format_value(value)}, not {meaning}"
        return None

    return check


def _min_length(schema: Mapping[str, Any]) -> Validator:
    minimum: int = schema["minLength"]

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, str) and len(value) < minimum:
            return "", f"is {_format_value(value)}, which is too short"
        return None

    return check


def _minimum(schema: Mapping[str, Any]) -> Validator:
    minimum: int = schema["minimum"]

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, int | float) and not isinstance(value, bool) and value < minimum:
            return "", f"is {_format_value(value)}, less than {minimum}"
        return None

    return check


def _if(schema: Mapping[str, Any]) -> Validator:
    condition = compile_schema(schema["if"])
    then, otherwise = compile_schema(schema.get("then", True)), compile_schema(schema.get("else", True))

    def check(value: Any) -> tuple[str, str] | None:
        return then(value) if condition(value) is None else otherwise(value)

    return check


_KEYWORDS: Mapping[str, Callable[[Mapping[str, Any]], Validator]] = {
    "type": _type,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "items": _items,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minLength": _min_length,
    "minimum": _minimum,
    "if": _if,
}
_DEPENDENT_KEYWORDS = frozenset(("then", "else"))
_ANNOTATIONS = frozenset(("$schema", "$id", "title", "description", "default"))


def _collect_unknown(schema: bool | Mapping[str, Any], value: object, path: str, found: list[str]) -> None:
    if isinstance(schema, bool):
        return
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            _collect_unknown(schema["items"], item, f"{path}[{index}]", found)
    if not isinstance(value, dict):
        return
    named: dict[str, Any] = dict(schema.get("properties", {}))
    for branch in ("then", "else"):
        named |= schema.get(branch, {}).get("properties", {})
    if not named:  # an open object: any member is permitted
        return
    for name, member in value.items():
        if name in named:
            _collect_unknown(named[name], member, f"{path}.{name}", found)
        else:
            found.append(f"{path}.{format_untrusted(name, _MAX_VALUE_CHARACTERS)}")
