"""When and Then: the definition of a tool."""

from __future__ import annotations

import json
from typing import Any

from treeproof.api import Mismatch, NotVerified, ToolDefinition, World, then, when

from .values import format_json, matches, parse_json, parse_rows

ANNOTATION_KEYWORDS = frozenset({"$schema", "$id", "title", "description", "format", "examples", "$comment"})
"""Keywords that do not change which instances are valid."""

CLOSING_KEYWORDS = ("additionalProperties", "unevaluatedProperties")
"""Keywords that forbid nothing if they are true."""


@when(r"(?P<tool>[\w.]+) is described", example="list_directory is described")
def described(world: World, tool: str) -> None:
    """Request the definition of the tool."""
    world.log.definition = world.session.describe(tool)


def requested_definition(world: World) -> ToolDefinition:
    """Return the definition that an earlier step requested. Raises Mismatch if none did."""
    if world.log.definition is None:
        raise Mismatch("no definition was requested before this step")
    return world.log.definition


@then(r"the definition has (?P<members>\{.*\})", example='the definition has {"name": "list_directory"}')
def the_definition_has(world: World, members: str) -> None:
    """Compare members of the definition by value and type."""
    expected: dict[str, Any] = parse_json(members)
    got = dict(requested_definition(world).raw)
    if "input_schema" in expected:
        got["input_schema"] = resolve_local_references(got.get("input_schema"))
    listed = got.get("unsaid")
    absent = [key for key in expected if key not in got and isinstance(listed, list) and key in listed]
    if not matches({key: item for key, item in expected.items() if key not in absent}, got):
        shown = {key: got.get(key) for key in expected}
        raise Mismatch("the definition differs", expected=format_json(expected), got=format_json(shown))
    if absent:
        raise NotVerified(
            "adapter_unsupported",
            f"the adapter cannot transmit {' and '.join(absent)} of a definition",
            "an MCP server can report it in the `_meta` of the tool (docs/mcp.md)",
        )


def resolve_local_references(schema: Any) -> Any:
    """Return a schema whose references to its own parts are replaced by these parts, but for recursive ones."""

    def resolve(part: Any, seen: tuple[str, ...]) -> Any:
        if isinstance(part, list):
            return [resolve(item, seen) for item in part]
        if not isinstance(part, dict):
            return part
        reference = part.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/") and reference not in seen:
            found: Any = schema
            for step in reference[2:].split("/"):
                step = step.replace("~1", "/").replace("~0", "~")
                found = found.get(step) if isinstance(found, dict) else None
            if isinstance(found, dict):
                others = {key: item for key, item in part.items() if key != "$ref"}
                return resolve({**found, **others}, (*seen, reference))
        return {key: resolve(item, seen) for key, item in part.items()}

    return resolve(schema, ())


@then(
    r"the definition's schema equals the published one"
    r"(?:, or by (?P<interpretation>AMB-[A-Z][A-Z0-9]*-\d+) (?P<label>\w+) but for annotations)?",
    example="the definition's schema equals the published one",
    schema="arguments",
)
def the_schema_equals(world: World, interpretation: str | None, label: str | None) -> None:
    """Compare the schemas, except for order and for annotations that forbid nothing.

    With `, or by AMB-LD-30 b but for annotations`, a schema with other annotations is recorded as that reading.
    """
    pack = world.session.pack
    published = json.loads((pack.folder / pack.schemas["arguments"]).read_text("utf-8"))
    got = requested_definition(world).input_schema
    expected = strip_annotations(published)
    if strip_annotations(got) != expected:
        raise Mismatch(
            "the argument schema differs from the published one",
            expected=format_json(expected),
            got=format_json(got),
        )
    bare = {key: item for key, item in published.items() if key not in ("$schema", "$id")}
    if interpretation and label and got != bare:
        world.evidence.record_reading(interpretation, label)


def strip_annotations(schema: Any, *, is_property_map: bool = False) -> Any:
    """Return ``schema`` without annotation keywords; names of properties are no keywords."""
    if isinstance(schema, dict):
        return {
            key: strip_annotations(item, is_property_map=key == "properties" and not is_property_map)
            for key, item in schema.items()
            if is_property_map or not (key in ANNOTATION_KEYWORDS or (key in CLOSING_KEYWORDS and item is True))
        }
    if isinstance(schema, list):
        return [strip_annotations(item) for item in schema]
    return schema


@then("the definition's schema is valid")
def the_schema_is_valid(world: World) -> None:
    """Validate the schema against the metaschema of Draft 2020-12."""
    import jsonschema

    try:
        jsonschema.Draft202012Validator.check_schema(requested_definition(world).input_schema or {})
    except jsonschema.SchemaError as error:
        raise Mismatch(
            f"the argument schema is not valid: {error.message}",
            got=format_json(error.instance)[:400],
        ) from error


@then("the definition's schema takes", columns=("arguments", "taken"))
def the_schema_takes(world: World, datatable: list[list[str]]) -> None:
    """Validate arguments, one call per row: the arguments, and `taken` yes or no."""
    import jsonschema
    from referencing import Registry

    schema, rows = requested_definition(world).input_schema or {}, parse_rows(datatable)
    try:
        # Without a registry the validator fetches the schemas of references, from a disk or a network.
        validator = jsonschema.Draft202012Validator(schema, registry=Registry())
        found = [
            (
                row["arguments"],
                "yes" if validator.is_valid(parse_json(row["arguments"])) else "no",
                row["taken"],
            )
            for row in rows
        ]
    except Exception as error:  # a candidate's schema can raise anything
        what = f"the argument schema cannot be used: {str(error)[:400]}"
        raise Mismatch(what, got=format_json(schema)[:2000], kind="the argument schema cannot be used") from error
    wrong = [arguments for arguments, taken, due in found if taken != due]
    if wrong:
        verb = "refuses" if (wrong[0], "no", "yes") in found else "takes"
        raise Mismatch(f"the argument schema {verb} {wrong[0]}", got=format_json(schema))
