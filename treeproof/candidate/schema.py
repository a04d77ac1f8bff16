"""The published JSON Schemas of the messages, which every message of every scenario must fit in both directions.

The files in ``schemas/`` are the contract. A problem is reported as a JSON path, the value, and what fits there.
"""

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treeproof.candidate.untrusted import escape_unprintable, format_untrusted
from treeproof.files.json_schema import JsonSchema

# Returns None, or the problem: a JSON path such as ``.error.kind`` and a phrase that follows it.
Validator = Callable[[Any], "tuple[str, str] | None"]

_MAX_PATH_CHARACTERS = 240
_MAX_NAME_CHARACTERS = 80
_SCHEMA_FOLDER = Path(__file__).parent / "schemas"


@functools.cache
def _schema(name: str) -> JsonSchema:
    return JsonSchema(_SCHEMA_FOLDER / f"{name}.schema.json")


def load_schema(name: str) -> Mapping[str, Any]:
    """Return a published schema: ``call.result`` is the parsed file ``schemas/call.result.schema.json``."""
    return _schema(name).content


@functools.cache
def validator_for(name: str) -> Validator:
    """Return the validator of a published schema, compiled at the first use."""
    return validator_of(_schema(name))


def validator_of(schema: JsonSchema) -> Validator:
    """Return the validator of a schema."""

    def check(value: Any) -> tuple[str, str] | None:
        problem = schema.first_problem(value)
        return problem and (format_untrusted(problem[0], _MAX_PATH_CHARACTERS), escape_unprintable(problem[1]))

    return check


def unknown_members(name: str, value: object) -> list[str]:
    """Return the JSON paths of members that a published schema does not name; they are ignored."""
    found: list[str] = []
    _collect_unknown(load_schema(name), value, "", found)
    return found


def is_integer(value: object) -> bool:
    """Return whether a JSON value is an integer; as in JSON Schema, 1.0 is one."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


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
            found.append(f"{path}.{format_untrusted(name, _MAX_NAME_CHARACTERS)}")
