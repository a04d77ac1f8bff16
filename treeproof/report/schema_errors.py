"""Error messages of JSON Schema validation for users: the problem and the fix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from treeproof.errors import abbreviated_json
from treeproof.report.escape import visible

_TYPE_NAMES: Mapping[str, str] = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


class SchemaError(Protocol):
    """The used part of an error of `jsonschema`; ``validator`` is the failed keyword."""

    @property
    def validator(self) -> Any: ...
    @property
    def validator_value(self) -> Any: ...
    @property
    def instance(self) -> Any: ...


def describe_error(error: SchemaError) -> str:
    """Return the problem and the fix in one line."""
    value, wanted = describe_value(error.instance), error.validator_value
    match error.validator:
        case "required":
            return f"lacks the key {_quote_key(next(key for key in wanted if key not in error.instance))}"
        case "additionalProperties" if wanted is False and isinstance(error.instance, dict):
            return _describe_unknown_key(error.instance, getattr(error, "schema", {}))
        case "type":
            types = [wanted] if isinstance(wanted, str) else list(wanted)
            return f"is {value}; it must be {' or '.join(_TYPE_NAMES.get(one, one) for one in types)}"
        case "enum":
            return f"is {value}; write one of: {_list_values(wanted)}"
        case "const":
            return f"is {value}; it must be {describe_value(wanted)}"
        case "minLength" | "minItems":
            return f"is {value}; its length must be {wanted} or more"
        case "minimum":
            return f"is {value}; it must be {wanted} or more"
        case "uniqueItems":
            return f"is {value}; remove duplicate items"
        case "pattern":
            return f"is {value}; it must match {visible(str(wanted))}"
        case _:
            return f"is {value}, which is not valid here"


def _describe_unknown_key(value: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    key = next(key for key in value if key not in schema.get("properties", {}))
    return f"has the unknown key {_quote_key(key)}; leave it out"


def describe_value(value: Any) -> str:
    """Return a short JSON value as text, or the type of a long one."""
    if isinstance(value, dict) and value:
        return "an object"
    if isinstance(value, list) and value:
        return f"a list of {len(value)}"
    return visible(abbreviated_json(value))


def _quote_key(key: str) -> str:
    return visible(abbreviated_json(key))


def _list_values(values: Sequence[Any]) -> str:
    return ", ".join(value if isinstance(value, str) else describe_value(value) for value in values)
