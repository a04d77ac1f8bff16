"""What is wrong with a value that a JSON Schema refuses, in words for who wrote or changed the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from treeproof.errors import abbreviated_json
from treeproof.report.escape import visible

_TYPE_NAMES: Mapping[str, str] = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


class SchemaError(Protocol):
    """What of an error of `jsonschema` is told; ``validator`` is the keyword that did not hold."""

    @property
    def validator(self) -> Any: ...
    @property
    def validator_value(self) -> Any: ...
    @property
    def instance(self) -> Any: ...


def describe_error(error: SchemaError) -> str:
    """Return in one line what is wrong at the refused place and what has to stand there."""
    value, wanted = error.instance, error.validator_value
    match error.validator:
        case "required":
            return f"lacks the key {_quote_key(next(key for key in wanted if key not in value))}"
        case "additionalProperties" if wanted is False and isinstance(value, dict):
            return _describe_unknown_key(value, getattr(error, "schema", {}))
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else list(wanted)
            return f"holds {describe_value(value)}; it has to be {' or '.join(_TYPE_NAMES.get(one, one) for one in kinds)}"
        case "enum":
            return f"holds {describe_value(value)}; write one of: {_list_values(wanted)}"
        case "const":
            return f"holds {describe_value(value)}; here it has to be {describe_value(wanted)}"
        case "minLength" | "minItems":
            return f"holds {describe_value(value)}; it has to have {wanted} or more"
        case "minimum":
            return f"holds {describe_value(value)}; it has to be {wanted} or more"
        case "uniqueItems":
            return f"holds {describe_value(value)}; nothing may be there twice"
        case "pattern":
            return f"holds {describe_value(value)}, which has not the form {visible(str(wanted))}"
        case _:
            return f"holds {describe_value(value)}, which cannot stand here"


def _describe_unknown_key(value: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    key = next(key for key in value if key not in schema.get("properties", {}))
    return f"has the unknown key {_quote_key(key)}; leave it out"


def describe_value(value: Any) -> str:
    """Return a JSON value for a person: short ones as they are written, of long ones what they are."""
    if isinstance(value, dict) and value:
        return "an object"
    if isinstance(value, list) and value:
        return f"a list of {len(value)}"
    return visible(abbreviated_json(value))


def _quote_key(key: str) -> str:
    return visible(abbreviated_json(key))


def _list_values(values: Sequence[Any]) -> str:
    return ", ".join(value if isinstance(value, str) else describe_value(value) for value in values)
