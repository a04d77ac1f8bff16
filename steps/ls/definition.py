"""Then: the parameters in the tool's definition."""

from __future__ import annotations

from treeproof.api import Mismatch, World, then

from ..shared.definition import requested_definition
from ..shared.values import format_json, format_names, matches, parse_json, parse_name_list


@then(
    r'the parameters are named "(?P<listed>.+)"',
    example='the parameters are named "path, offset"',
)
def the_parameters_are_named(world: World, listed: str) -> None:
    """Require these parameters in the tool's definition, so that its descriptions of them can be compared."""
    schema = dict(requested_definition(world).input_schema or {})
    found = schema.get("properties")
    missing = [name for name in parse_name_list(listed) if not isinstance(found, dict) or name not in found]
    if missing:
        got = format_names([*found] if isinstance(found, dict) else [])
        raise Mismatch(
            f"there is no parameter {missing[0]}",
            expected=listed,
            got=got,
            kind="the parameters differ",
        )


@then(
    r"the parameters are (?P<types>\{.*\}), none of them required",
    example='the parameters are {"path": "string"}, none of them required',
)
def the_parameters_are(world: World, types: str) -> None:
    """Compare the names and types in the tool's definition."""
    schema = dict(requested_definition(world).input_schema or {})
    found = schema.get("properties")
    properties = found if isinstance(found, dict) else {}
    got = {name: _parameter_type(one) for name, one in properties.items()}
    expected = parse_json(types)
    if schema.get("type") != "object" or not matches(expected, got) or got.keys() != expected.keys():
        raise Mismatch("the parameters differ", expected=format_json(expected), got=format_json(got))
    if schema.get("required", []) != []:
        raise Mismatch("a parameter is required", expected="[]", got=format_json(schema["required"]))


def _parameter_type(schema: object) -> object:
    """Return the type of a parameter. One with the default null may have the type null as well."""
    if not isinstance(schema, dict):
        return None
    named = schema.get("type")
    if isinstance(named, list) and schema.get("default", 0) is None:
        rest = [one for one in named if one != "null"]
        return rest[0] if len(rest) == 1 else named
    return named
