"""Variants: what the tools say of themselves, and which arguments they take."""

import os
import re
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.request import SCHEMA
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.denied_patterns import DEFAULT_DENIES, first_match
from treeproof.reference_impl.shared.executor import ToolDefinition
from treeproof.rows.file_operations.row import At, Values, row

from ..shared.variant import variant
from .stages import ARGUMENTS, PATHS


class DefinitionChange:
    """A change of the definition of a tool; the changes of combined variants add up."""

    def change(self, definition: ToolDefinition) -> ToolDefinition:
        return definition


class PublishesSchema(Candidate):
    """Publishes a schema for `move` and `copy` that the reference cannot check itself."""

    def describe(self, params: Any) -> dict[str, Any]:
        definition = super().describe(params)
        if definition["name"] not in ("move", "copy"):
            return definition
        return {**definition, "input_schema": self.publish(definition["input_schema"])}

    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


class NullIsPublished(PublishesSchema):
    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = super().publish(schema)
        overwrite = {"type": ["boolean", "null"], "default": False}
        return {**schema, "properties": {**schema["properties"], "overwrite": overwrite}}


class NoFurtherArgumentsPublished(PublishesSchema):
    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {**super().publish(schema), "additionalProperties": False}


class AlwaysAsks(DefinitionChange):
    def change(self, definition: ToolDefinition) -> ToolDefinition:
        return replace(super().change(definition), requires_approval=True)


class HighRisk(DefinitionChange):
    def change(self, definition: ToolDefinition) -> ToolDefinition:
        return replace(super().change(definition), risk_level="High")


class AnnotatedSchema(PublishesSchema):
    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = super().publish(schema)
        properties = {
            name: {**part, "title": name.title(), "description": f"The {name}."}
            for name, part in schema["properties"].items()
        }
        dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "additionalProperties": True}
        return {**dialect, **schema, "properties": properties}


class ReferringSchema(PublishesSchema):
    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = super().publish(schema)
        properties = schema["properties"]
        referring = {name: {"$ref": f"#/$defs/{name}"} for name in properties}
        return {**schema, "properties": referring, "$defs": dict(properties)}


def without_null(given: Values) -> Values:
    return {name: value for name, value in given.items() if name != "overwrite" or value is not None}


def known_only(given: Values) -> Values:
    """Return arguments that are wrong if the schema does not name one of them."""
    return {**given, "source": None} if given.keys() - SCHEMA["properties"].keys() else given


def without_slash(path: str) -> str:
    """Return a path without what marks a directory at its end."""
    return re.sub(r"(?:/\.?)+$", "", path) or path


def takes_back(path: str) -> str:
    """Let a `..` take back the name before it; one that has none before it stays, and is refused."""
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif part not in ("", "."):
            kept.append(part)
    start, end = "/" if path.startswith("/") else "", "/" if path.endswith(("/", "/.")) and kept else ""
    return (start + "/".join(kept) or ".") + end if path else path


def holds_what_is_denied(at: At) -> Any:
    """Forbid the move of a directory that holds what a pattern denies."""
    usual = DEFAULT_DENIES if at.context.get("include_default_denies", True) else ()
    patterns, root = (*at.context.get("denied_patterns", ()), *usual), at.root_of(at.source)
    for folder, directories, files in os.walk(at.source) if at.is_dir and root else ():
        above = os.path.relpath(os.fsencode(folder), os.fsencode(str(root))).split(b"/")
        for name in (*directories, *files):
            if first_match(patterns, (*above, os.fsencode(name)), False):
                return "SandboxViolation"
    return None


class OffersEachName(Candidate):
    def initialize(self, params: Any) -> dict[str, Any]:
        result = super().initialize(params)
        offered = {
            alias: tool.definition.specification
            for tool in self._executor.tools.values()
            for alias in (tool.definition.name, *tool.definition.aliases)
        }
        return {**result, "tools": offered}


VARIANTS = (
    variant("AMB-FO-03=ignore", "`overwrite` null is as if it were left out.")(
        row(stage=ARGUMENTS, arguments=without_null), candidate_class=NullIsPublished
    ),
    variant("AMB-FO-09=always", "Both tools ask before every call.")(definition=AlwaysAsks),
    variant("AMB-FO-14=high", "Both tools declare a high risk.")(definition=HighRisk),
    variant("AMB-FO-16=deny", "A directory with a denied path below it is not moved.")(
        row(on="move", forbid=holds_what_is_denied)
    ),
    variant("AMB-FO-17=yes", "Each name is a tool of its own.")(candidate_class=OffersEachName),
    variant("AMB-FO-30=strip", "A slash at the end of a file's name is idle.")(row(stage=PATHS, source=without_slash)),
    variant("AMB-FO-31=refuse", "An argument that the schema does not name is an error.")(
        row(stage=ARGUMENTS, arguments=known_only), candidate_class=NoFurtherArgumentsPublished
    ),
    variant("AMB-FO-32=resolve", "A `..` takes back what stands before it.")(row(stage=PATHS, path=takes_back)),
    variant("VAR-FO-14", "The schema refers to definitions of its own.")(candidate_class=ReferringSchema),
    variant("VAR-FO-51", "The schema has titles, descriptions and a dialect.")(candidate_class=AnnotatedSchema),
)
