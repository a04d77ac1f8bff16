"""The published JSON Schemas of the messages, compiled once to plain functions.

The files in ``schemas/`` are the contract. They use few keywords; those are translated here, because every
message of every scenario is checked in both directions and a general validator costs a hundred times more. A
keyword that is not translated is refused when its schema is compiled, so a schema cannot silently ask for
more than is checked.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treeproof.candidate.untrusted import shown

# Returns None, or what is wrong and where: a JSON path such as ``.error.kind`` and a phrase that follows it.
Check = Callable[[Any], "tuple[str, str] | None"]

_SHOWN_CHARACTERS = 80
_SCHEMAS = Path(__file__).parent / "schemas"


@functools.cache
def published(name: str) -> Mapping[str, Any]:
    """A published schema, e.g. ``call.result``: the parsed file ``schemas/call.result.schema.json``."""
    file = _SCHEMAS / f"{name}.schema.json"
    schema: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


@functools.cache
def check_of(name: str) -> Check:
    """The check of a published schema, compiled at the first use."""
    return compiled(published(name))


def unnamed_members(name: str, value: object) -> list[str]:
    """The JSON paths of members that a published schema does not name: ignored, but worth a remark."""
    found: list[str] = []
    _collect_unnamed(published(name), value, "", found)
    return found


def compiled(schema: bool | Mapping[str, Any]) -> Check:
    """The check of a schema. Raises ValueError for a keyword that is not translated here."""
    if schema is True:
        return _accept
    if not isinstance(schema, Mapping):
        raise ValueError(f"cannot check the schema {schema!r}")
    parts: list[Check] = []
    for keyword in schema:
        if keyword in _ANNOTATIONS or keyword in _BESIDE_OTHERS:
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


def _accept(value: Any) -> None:
    return None


def _shown(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return shown(text, _SHOWN_CHARACTERS)


_TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "object": ("an object", lambda v: isinstance(v, dict)),
    "array": ("an array", lambda v: isinstance(v, list)),
    "string": ("a string", lambda v: isinstance(v, str)),
    "boolean": ("true or false", lambda v: isinstance(v, bool)),
    "null": ("null", lambda v: v is None),
    # In JSON Schema 1.0 is an integer.
    "integer": (
        "an integer",
        lambda v: (
            (isinstance(v, int) and not isinstance(v, bool)) or (isinstance(v, float) and v.is_integer())
        ),
    ),
}


def _type(schema: Mapping[str, Any]) -> Check:
    wanted, is_it = _TYPES[schema["type"]]

    def check(value: Any) -> tuple[str, str] | None:
        return None if is_it(value) else ("", f"is {_shown(value)}, not {wanted}")

    return check


def _required(schema: Mapping[str, Any]) -> Check:
    names: tuple[str, ...] = tuple(schema["required"])

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, dict):
            for name in names:
                if name not in value:
                    return "", f"lacks the member {name!r}"
        return None

    return check


def _properties(schema: Mapping[str, Any]) -> Check:
    checks = [(name, compiled(inner)) for name, inner in schema["properties"].items()]

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, dict):
            for name, inner in checks:
                if name in value and (problem := inner(value[name])):
                    return f".{name}{problem[0]}", problem[1]
        return None

    return check


def _additional(schema: Mapping[str, Any]) -> Check:
    named = frozenset(schema.get("properties", ()))
    if schema["additionalProperties"] is False:

        def check_none(value: Any) -> tuple[str, str] | None:
            if isinstance(value, dict):
                for name in value:
                    if name not in named:
                        return "", f"has the unknown member {_shown(name)}"
            return None

        return check_none
    inner = compiled(schema["additionalProperties"])

    def check_each(value: Any) -> tuple[str, str] | None:
        if isinstance(value, dict):
            for name, member in value.items():
                if name not in named and (problem := inner(member)):
                    return f".{shown(name, _SHOWN_CHARACTERS)}{problem[0]}", problem[1]
        return None

    return check_each


def _items(schema: Mapping[str, Any]) -> Check:
    inner = compiled(schema["items"])

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, list):
            for index, item in enumerate(value):
                if problem := inner(item):
                    return f"[{index}]{problem[0]}", problem[1]
        return None

    return check


def _enum(schema: Mapping[str, Any]) -> Check:
    # Only strings: then Python's equality is JSON's (True == 1 would not be).
    allowed = frozenset(schema["enum"])
    if not all(isinstance(value, str) for value in allowed):
        raise ValueError("an enum of anything but strings is not translated")
    words = ", ".join(schema["enum"])

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, str) and value in allowed:
            return None
        return "", f"is {_shown(value)}, not one of {words}"

    return check


def _const(schema: Mapping[str, Any]) -> Check:
    wanted = schema["const"]
    kinds: tuple[type, ...] = (str,) if isinstance(wanted, str) else (int, float)

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, kinds) and not isinstance(value, bool) and value == wanted:
            return None
        return "", f"is {_shown(value)}, not {_shown(wanted)}"

    return check


def _pattern(schema: Mapping[str, Any]) -> Check:
    found = re.compile(schema["pattern"]).search
    meaning = schema.get("description", f"what matches {schema['pattern']}")

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, str) and not found(value):
            return "", f"is {_shown(value)}, not {meaning}"
        return None

    return check


def _min_length(schema: Mapping[str, Any]) -> Check:
    least: int = schema["minLength"]

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, str) and len(value) < least:
            return "", f"is {_shown(value)}, which is too short"
        return None

    return check


def _minimum(schema: Mapping[str, Any]) -> Check:
    least: int = schema["minimum"]

    def check(value: Any) -> tuple[str, str] | None:
        if isinstance(value, int | float) and not isinstance(value, bool) and value < least:
            return "", f"is {_shown(value)}, less than {least}"
        return None

    return check


def _if(schema: Mapping[str, Any]) -> Check:
    condition = compiled(schema["if"])
    then, otherwise = compiled(schema.get("then", True)), compiled(schema.get("else", True))

    def check(value: Any) -> tuple[str, str] | None:
        return then(value) if condition(value) is None else otherwise(value)

    return check


_KEYWORDS: Mapping[str, Callable[[Mapping[str, Any]], Check]] = {
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
_BESIDE_OTHERS = frozenset(("then", "else"))
_ANNOTATIONS = frozenset(("$schema", "$id", "title", "description", "default"))


def _collect_unnamed(schema: bool | Mapping[str, Any], value: object, path: str, found: list[str]) -> None:
    if isinstance(schema, bool):
        return
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            _collect_unnamed(schema["items"], item, f"{path}[{index}]", found)
    if not isinstance(value, dict):
        return
    named: dict[str, Any] = dict(schema.get("properties", {}))
    for branch in ("then", "else"):
        named |= schema.get(branch, {}).get("properties", {})
    if not named:  # a free object: its members are the candidate's own
        return
    for name, member in value.items():
        if name in named:
            _collect_unnamed(named[name], member, f"{path}.{name}", found)
        else:
            found.append(f"{path}.{shown(name, _SHOWN_CHARACTERS)}")
