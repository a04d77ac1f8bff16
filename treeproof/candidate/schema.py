"""The published JSON Schemas of the messages, which every message of every scenario must fit in both directions.

The files in ``schemas/`` are the contract. fastjsonschema compiles them to functions; a general validator takes twenty
times as long. A problem is reported as a JSON path, the value, and what fits there.
"""

import functools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import fastjsonschema

from treeproof.candidate.untrusted import format_untrusted

# Returns None, or the problem: a JSON path such as ``.error.kind`` and a phrase that follows it.
Validator = Callable[[Any], "tuple[str, str] | None"]

_MAX_VALUE_CHARACTERS = 80
_SCHEMA_FOLDER = Path(__file__).parent / "schemas"
_ROOT = "data"
"""The name that the library gives to a whole message."""


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


def compile_schema(schema: Mapping[str, Any]) -> Validator:
    """Return the validator of a schema. Raises ValueError for a schema that is none."""
    try:
        validate = fastjsonschema.compile(dict(schema), use_default=False, use_formats=False)
    except fastjsonschema.JsonSchemaDefinitionException as error:
        raise ValueError(f"cannot check the schema: {error}") from None

    def check(value: Any) -> tuple[str, str] | None:
        try:
            validate(value)
        except fastjsonschema.JsonSchemaValueException as error:
            path = error.name.removeprefix(_ROOT) if error.name else ""
            return format_untrusted(path, 3 * _MAX_VALUE_CHARACTERS), _phrase(error)
        return None

    return check


def unknown_members(name: str, value: object) -> list[str]:
    """Return the JSON paths of members that a published schema does not name; they are ignored."""
    found: list[str] = []
    _collect_unknown(load_schema(name), value, "", found)
    return found


def is_integer(value: object) -> bool:
    """Return whether a JSON value is an integer; as in JSON Schema, 1.0 is one."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


_TYPES: Mapping[str, str] = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "boolean": "true or false",
    "null": "null",
    "integer": "an integer",
}


def _phrase(error: fastjsonschema.JsonSchemaValueException) -> str:
    """Return what is wrong with a value, as a phrase that follows its path."""
    value, expected = error.value, error.rule_definition
    shown = _format_value(value)
    match error.rule:
        case "type":
            return f"is {shown}, not {_TYPES.get(str(expected), str(expected))}"
        case "required":
            return f"lacks the member {next(name for name in expected if name not in value)!r}"
        case "additionalProperties":
            known = error.definition.get("properties", {})
            return f"has the unknown member {_format_value(next(name for name in value if name not in known))}"
        case "enum":
            return f"is {shown}, not one of {', '.join(map(str, expected))}"
        case "const":
            return f"is {shown}, not {_format_value(expected)}"
        case "pattern":
            return f"is {shown}, not {error.definition.get('description', f'a match of {expected}')}"
        case "minLength":
            return f"is {shown}, which is too short"
        case "minimum":
            return f"is {shown}, less than {expected}"
    return f"is {shown}, which violates {error.rule}: {_format_value(expected)}"


def _format_value(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return format_untrusted(text, _MAX_VALUE_CHARACTERS)


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
