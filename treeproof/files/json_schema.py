"""A published JSON Schema: a quick check of a value, all errors of a wrong one, and the error in words.

A compiled check takes a hundredth of the time of a general validator, which describes what is wrong.
"""

from __future__ import annotations

import json
import marshal
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from treeproof.errors import abbreviated_json
from treeproof.files import parse_cache
from treeproof.files.toml_lines import Place


class JsonSchema:
    """A schema (Draft 2020-12) in a file or as a value, read and compiled when it is first needed."""

    def __init__(self, source: Path | Mapping[str, Any]) -> None:
        self._source = source

    @cached_property
    def text(self) -> str:
        return self._source.read_text("utf-8") if isinstance(self._source, Path) else json.dumps(self._source)

    @cached_property
    def content(self) -> Mapping[str, Any]:
        content: Mapping[str, Any] = json.loads(self.text)
        return content

    @cached_property
    def _check(self) -> Callable[[Any], object]:
        """The compiled check, which raises an exception.

        Compiling takes up to 0.1 seconds, so its code is kept beside the schema, as Python keeps that of a module.
        """
        import fastjsonschema

        digest = parse_cache.digest_of(fastjsonschema.VERSION.encode(), self.text.encode())
        code = parse_cache.load(self._source, digest, ()) if isinstance(self._source, Path) else None
        if not isinstance(code, bytes):
            schema = {name: value for name, value in self.content.items() if name != "$id"}  # names the function
            try:
                source = fastjsonschema.compile_to_code(schema, use_default=False, use_formats=False)
            except fastjsonschema.JsonSchemaDefinitionException as error:
                raise ValueError(f"cannot check the schema: {error}") from None
            code = marshal.dumps(compile(source, "<schema>", "exec"))
            if isinstance(self._source, Path):
                parse_cache.store(self._source, digest, code)
        namespace: dict[str, Any] = {}
        exec(marshal.loads(code), namespace)
        compiled: Callable[[Any], object] = namespace["validate"]
        return compiled

    @cached_property
    def _validator(self) -> Any:
        from jsonschema import Draft202012Validator, validators  # slow to import

        extend: Any = validators.extend
        return extend(Draft202012Validator, {"pattern": _check_pattern})(self.content)

    def first_problem(self, value: Any) -> tuple[str, str] | None:
        """Return the JSON path, such as `.error.kind`, and the phrase of the first error; None if the value fits.

        Takes no longer than the check, whatever the value is. Raises ValueError for a schema that is none.
        """
        from fastjsonschema import JsonSchemaValueException

        check = self._check
        try:
            check(value)
        except JsonSchemaValueException as error:
            phrase = describe_error(str(error.rule), error.value, error.rule_definition, error.definition)
            return (error.name or "").removeprefix("data"), phrase
        return None

    def accepts(self, value: Any) -> bool:
        """Return whether the value fits."""
        try:
            return self.first_problem(value) is None
        except RecursionError:
            return False

    def errors(self, value: Any) -> list[Any]:
        """Return all errors of `jsonschema` on a value; none if it fits."""
        return [] if self.accepts(value) else list(self._validator.iter_errors(value))

    def best_error(self, value: Any) -> Any:
        """Return the error of `jsonschema` that explains most; None if the value fits."""
        if self.accepts(value):
            return None
        from jsonschema.exceptions import best_match

        return best_match(self._validator.iter_errors(value))

    def at(self, place: Place) -> Mapping[str, Any]:
        """Return the schema of the value at a place, with what it refers to; empty where anything is allowed."""
        found = self._resolved(self.content)
        for part in place:
            inner = found.get("items") if isinstance(part, int) else found.get("properties", {}).get(part)
            found = self._resolved(found.get("additionalProperties") if inner is None else inner)
        return found

    def mended(self, value: Any, schema: Mapping[str, Any] | None = None) -> Any:
        """Return a value with the types of the schema: what has another one is left out, or replaced if needed."""
        found = self._resolved(self.content if schema is None else schema)
        if "enum" in found:
            return value if value in found["enum"] else found["enum"][0]
        match found.get("type"):
            case "object":
                given = value if isinstance(value, dict) else {}
                inner = found.get("properties") or dict.fromkeys(given, found.get("additionalProperties", {}))
                needed = found.get("required", ())
                return {
                    key: self.mended(given.get(key), one)
                    for key, one in inner.items()
                    if key in needed or (key in given and self._has_type(given[key], one))
                }
            case "array":
                items = found.get("items", {})
                listed = value if isinstance(value, list) else []
                is_table = items.get("type") == "object"  # the places of tables stay
                return [self.mended(one, items) for one in listed if is_table or self._has_type(one, items)]
            case "string":
                return value if isinstance(value, str) else ""
        return value

    def _has_type(self, value: Any, schema: Mapping[str, Any]) -> bool:
        found = self._resolved(schema)
        if "enum" in found:
            return value in found["enum"]
        type = {"object": dict, "array": list, "string": str, "boolean": bool}.get(found.get("type", ""), object)
        return isinstance(value, type) and not any(_check_pattern(None, found.get("pattern", ""), value, found))

    def _resolved(self, schema: Any) -> Mapping[str, Any]:
        if not isinstance(schema, dict):
            return {}
        name = schema.get("$ref", "").rpartition("/")[2]
        return {**self._resolved(self.content["$defs"][name]), **schema} if name else schema


def _check_pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[Exception]:
    """Yield an error for a text without a match. In a schema, `$` is the end of the text, and not a last line feed."""
    from jsonschema import ValidationError

    if isinstance(value, str) and not re.search(re.sub(r"(?<!\\)\$", r"\\Z", pattern), value):
        yield ValidationError(f"does not match {pattern}")


_TYPES: Mapping[str, str] = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "boolean": "true or false",
    "null": "null",
    "integer": "an integer",
    "number": "a number",
}


def describe_error(keyword: str, value: Any, expected: Any, schema: Mapping[str, Any]) -> str:
    """Return how a JSON value violates a keyword of its schema, as a phrase that follows its path."""
    shown = abbreviated_json(value)
    match keyword:
        case "required":
            return f"lacks the member {next(name for name in expected if name not in value)!r}"
        case "additionalProperties" if expected is False:
            known = schema.get("properties", {})
            return f"has the unknown member {abbreviated_json(next(name for name in value if name not in known))}"
        case "type":
            types = [expected] if isinstance(expected, str) else expected
            return f"is {shown}, not {' or '.join(_TYPES.get(one, one) for one in types)}"
        case "enum":
            return f"is {shown}, not one of {', '.join(map(str, expected))}"
        case "const":
            return f"is {shown}, not {abbreviated_json(expected)}"
        case "pattern":
            return f"is {shown}, not {schema.get('description', f'a match of {expected}').rstrip('.')}"
        case "minLength" | "minItems":
            return f"is {shown}, which is too short"
        case "minimum":
            return f"is {shown}, less than {expected}"
        case "uniqueItems":
            return f"is {shown}, which has an item twice"
    return f"is {shown}, which violates {keyword}: {abbreviated_json(expected)}"
