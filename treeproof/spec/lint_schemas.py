"""Diagnostics on the JSON Schemas of a pack: whether each is JSON, a schema, and without misspelt keywords."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from treeproof.errors import format_parse_error, reject_json_constant
from treeproof.spec.catalogue import Pack
from treeproof.spec.diagnostics import Diagnostic

_OF_NAMES = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_OF_VALUES = frozenset({"const", "enum", "default", "examples", "dependentRequired"})
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
        yield from _lint_schema(path)


def known_arguments(pack: Pack, tool: str) -> frozenset[str]:
    """Return the arguments in the schema of a tool, which has its name or the name `arguments`; empty without one."""
    path = pack.schemas.get(tool) or pack.schemas.get("arguments")
    if path is None:
        return frozenset()
    try:
        schema = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return frozenset()  # reported by lint_schemas
    return frozenset(_properties(schema))


def _properties(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        named = schema.get("properties")
        yield from named if isinstance(named, dict) else ()
        for key in ("oneOf", "anyOf", "allOf"):
            for one in schema.get(key, ()):
                yield from _properties(one)


def _lint_schema(path: Path) -> Iterator[Diagnostic]:
    try:
        text = path.read_text("utf-8")
        schema = json.loads(text, parse_constant=reject_json_constant)
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at character {error.colno}; correct it"
        yield Diagnostic(path, error.lineno, "malformed", message)
        return
    except (OSError, ValueError, RecursionError) as error:
        yield Diagnostic(path, 0, "malformed", f"{format_parse_error(error, 'JSON')}; correct it")
        return
    if not isinstance(schema, dict):
        yield Diagnostic(path, 1, "malformed", 'the schema is no object; write one such as {"type": "object"}')
        return
    found = list(_lint_keywords(path, text, schema))
    yield from found
    if not found:
        yield from _lint_meaning(path, text, schema)


def _lint_meaning(path: Path, text: str, schema: Mapping[str, Any]) -> Iterator[Diagnostic]:
    from jsonschema import Draft202012Validator  # slow to import
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        keys = [str(key) for key in error.absolute_path]
        message = f"no JSON Schema: {'.'.join(keys) or 'it'}: {error.message[:200]}; correct it"
        yield Diagnostic(path, _line_of(text, keys[-1] if keys else ""), "malformed", message)


def _lint_keywords(path: Path, text: str, schema: Any) -> Iterator[Diagnostic]:
    """Yield diagnostics on unknown keywords, which a validator ignores, and on required members without a schema."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key not in KEYWORDS and not key.startswith("x-"):
            near = get_close_matches(key, KEYWORDS, n=1, cutoff=0.6)
            fix = f'write "{near[0]}"' if near else "remove it"
            message = f'the keyword "{key}" is unknown, so nothing checks it; {fix}'
            yield Diagnostic(path, _line_of(text, key), "orphaned", message)
        if key in _OF_NAMES and isinstance(value, dict):
            for inner in value.values():
                yield from _lint_keywords(path, text, inner)
        elif key not in _OF_VALUES:
            for inner in value if isinstance(value, list) else [value]:
                yield from _lint_keywords(path, text, inner)
    named, required = schema.get("properties"), schema.get("required")
    if isinstance(named, dict) and isinstance(required, list):
        for name in (name for name in required if isinstance(name, str) and name not in named):
            near = get_close_matches(name, named, n=1, cutoff=0.6)
            fix = f'write "{near[0]}"' if near else "describe it in properties"
            message = f'required names "{name}", which properties does not describe; {fix}'
            yield Diagnostic(path, _line_of(text, name), "orphaned", message)


def _line_of(text: str, word: str) -> int:
    at = text.find(f'"{word}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
