"""The validation of arguments by a tool's published schema, which is the first check of a call.

Only `KNOWN_KEYWORDS` are supported. A schema with another keyword is refused at registration, so no keyword is ignored
silently.
"""

from collections.abc import Callable, Mapping
from typing import Any

ANNOTATION_KEYWORDS = frozenset({"title", "description", "default"})
KNOWN_KEYWORDS = ANNOTATION_KEYWORDS | {"type", "properties", "required", "minimum"}


def _is_integer(value: object) -> bool:
    # JSON Schema counts 2.0 and 1e2 as integers (AMB-LD-27); infinities and NaN are not.
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


TYPE_CHECKS: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "object": ("an object", lambda value: isinstance(value, dict)),
    "string": ("a string", lambda value: isinstance(value, str)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "integer": ("an integer", _is_integer),
    "array": ("an array", lambda value: isinstance(value, list)),
}


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise ValueError if `schema` uses an unsupported keyword."""
    unknown = schema.keys() - KNOWN_KEYWORDS
    if unknown or schema.get("type") not in TYPE_CHECKS:
        raise ValueError(f"schema keywords {sorted(unknown)} or type {schema.get('type')!r} are not understood")
    for member in schema.get("properties", {}).values():
        check_schema(member)


def validation_error(schema: Mapping[str, Any], value: Any, name: str = "arguments") -> str | None:
    """Return a message that names the wrong argument and the expected type or range, or None."""
    needed, holds = TYPE_CHECKS[schema["type"]]
    if not holds(value):
        return f"{name} must be {needed}"
    if "minimum" in schema and value < schema["minimum"]:
        return f"{name} must be at least {schema['minimum']}"
    for required in schema.get("required", ()):
        if required not in value:
            return f"{required} is required"
    for member, rule in schema.get("properties", {}).items():
        if member in value and (found := validation_error(rule, value[member], member)):
            return found
    return None
