"""What is wrong with a value that a JSON Schema refuses, in words for who wrote or changed the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from treeproof.errors import written
from treeproof.report.escape import visible

_KINDS: Mapping[str, str] = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


class Refusal(Protocol):
    """What of an error of `jsonschema` is told; ``validator`` is the keyword that did not hold."""

    @property
    def validator(self) -> Any: ...
    @property
    def validator_value(self) -> Any: ...
    @property
    def instance(self) -> Any: ...


def told(refusal: Refusal) -> str:
    """Return in one line what is wrong at the refused place and what has to stand there."""
    value, wanted = refusal.instance, refusal.validator_value
    match refusal.validator:
        case "required":
            return f"lacks the key {_named(next(key for key in wanted if key not in value))}"
        case "additionalProperties" if wanted is False and isinstance(value, dict):
            return _unknown(value, getattr(refusal, "schema", {}))
        case "type":
            kinds = [wanted] if isinstance(wanted, str) else list(wanted)
            return f"holds {shown(value)}; it has to be {' or '.join(_KINDS.get(one, one) for one in kinds)}"
        case "enum":
            return f"holds {shown(value)}; write one of: {_words(wanted)}"
        case "const":
            return f"holds {shown(value)}; here it has to be {shown(wanted)}"
        case "minLength" | "minItems":
            return f"holds {shown(value)}; it has to have {wanted} or more"
        case "minimum":
            return f"holds {shown(value)}; it has to be {wanted} or more"
        case "uniqueItems":
            return f"holds {shown(value)}; nothing may be there twice"
        case "pattern":
            return f"holds {shown(value)}, which has not the form {visible(str(wanted))}"
        case _:
            return f"holds {shown(value)}, which cannot stand here"


def _unknown(value: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    key = next(key for key in value if key not in schema.get("properties", {}))
    return f"has the unknown key {_named(key)}; leave it out"


def shown(value: Any) -> str:
    """Return a JSON value for a person: short ones as they are written, of long ones what they are."""
    if isinstance(value, dict) and value:
        return "an object"
    if isinstance(value, list) and value:
        return f"a list of {len(value)}"
    return visible(written(value))


def _named(key: str) -> str:
    return visible(written(key))


def _words(values: Sequence[Any]) -> str:
    return ", ".join(value if isinstance(value, str) else shown(value) for value in values)
