"""Diagnostics on the JSON Schemas of a pack: whether each is JSON, a schema, and without misspelt keywords."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from treeproof.errors import closest_match, format_parse_error, reject_json_constant
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic, DiagnosticCode

Problem = tuple[int, DiagnosticCode, str]

_OF_NAMES = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_OF_VALUES = frozenset({"const", "enum", "default", "examples", "dependentRequired"})
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
KEYWORDS = (
    *("$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$comment", "$defs", "$vocabulary"),
    *("definitions", "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum"),
    *("exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains"),
    *("minContains", "maxProperties", "minProperties", "required", "dependentRequired", "dependentSchemas"),
    *("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "prefixItems", "items", "contains", "properties"),
    *("patternProperties", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties"),
    *("title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "format"),
    *("contentEncoding", "contentMediaType", "contentSchema"),
)


def lint_schemas(pack: Pack) -> Iterator[Diagnostic]:
    """Yield diagnostics on the files of [spec.schemas]."""
    for path in pack.schemas.values():
        yield from (Diagnostic(path, line, code, message) for line, code, message in _lint_schema(path))


def known_arguments(pack: Pack, tool: str) -> Mapping[str, frozenset[str]]:
    """Return the arguments in the schema of a tool; empty without one.

    Each has the types that its values can have, or none if they can have any type.
    """
    found: dict[str, list[frozenset[str]]] = {}
    for name, inner in _properties(_arguments_schema(pack, tool)):
        types = inner.get("type", ()) if isinstance(inner, dict) else ()
        found.setdefault(name, []).append(_TYPES.intersection([types] if isinstance(types, str) else types))
    return {name: frozenset().union(*types) if all(types) else frozenset() for name, types in found.items()}


def misspelt_argument(name: str, known: Collection[str]) -> str | None:
    """Return a message on a name that is nearly that of an argument; None if it is one, or another word."""
    near = None if name in known else closest_match(name, known, 0.75)
    if near is None or near.lower() == name.lower():
        return None
    return f'the schema of the arguments has no "{name}"; write "{near}"'


def is_closed(pack: Pack, tool: str) -> bool:
    """Return whether the schema of a tool forbids other arguments."""
    schema = _arguments_schema(pack, tool)
    return isinstance(schema, dict) and schema.get("additionalProperties") is False


def _arguments_schema(pack: Pack, tool: str) -> Any:
    """Return the schema of a tool, which has its name or the name `arguments`; None if there is none."""
    path = pack.schemas.get(tool) or pack.schemas.get("arguments")
    try:
        return None if path is None else json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None  # reported by lint_schemas


def _properties(schema: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        named = schema.get("properties")
        yield from named.items() if isinstance(named, dict) else ()
        for key in ("oneOf", "anyOf", "allOf"):
            for one in schema.get(key, ()):
                yield from _properties(one)


def _lint_schema(path: Path) -> Iterator[Problem]:
    try:
        text = path.read_text("utf-8")
        schema = json.loads(text, parse_constant=reject_json_constant)
    except json.JSONDecodeError as error:
        yield error.lineno, "malformed", f"not JSON: {error.msg} at character {error.colno}; correct it"
    except (OSError, ValueError, RecursionError) as error:
        yield 0, "malformed", f"{format_parse_error(error, 'JSON')}; correct it"
    else:
        if isinstance(schema, dict):
            yield from list(_lint_keywords(text, schema)) or _lint_meaning(text, schema)
        else:
            yield 1, "malformed", 'the schema is no object; write one such as {"type": "object"}'


def _lint_meaning(text: str, schema: Mapping[str, Any]) -> Iterator[Problem]:
    from jsonschema import Draft202012Validator  # slow to import
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        keys = [str(key) for key in error.absolute_path]
        message = f"no JSON Schema: {'.'.join(keys) or 'it'}: {error.message[:200]}; correct it"
        yield _line_of(text, keys[-1] if keys else ""), "malformed", message


def _lint_keywords(text: str, schema: Any) -> Iterator[Problem]:
    """Yield problems of unknown keywords, which a validator ignores, and of required members without a schema."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key not in KEYWORDS and not key.startswith("x-"):
            near = closest_match(key, KEYWORDS, 0.6)
            fix = f'write "{near}"' if near else "remove it"
            yield _line_of(text, key), "orphaned", f'the keyword "{key}" is unknown, so nothing checks it; {fix}'
        if key in _OF_NAMES and isinstance(value, dict):
            value = list(value.values())
        for inner in value if isinstance(value, list) else [value]:
            yield from _lint_keywords(text, inner if key not in _OF_VALUES else None)
    named, required = schema.get("properties"), schema.get("required")
    if isinstance(named, dict) and isinstance(required, list):
        for name in (name for name in required if isinstance(name, str) and name not in named):
            near = closest_match(name, named, 0.6)
            fix = f'write "{near}"' if near else "describe it in properties"
            yield (
                _line_of(text, name),
                "orphaned",
                f'required names "{name}", which properties does not describe; {fix}',
            )


def _line_of(text: str, word: str) -> int:
    at = text.find(f'"{word}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
