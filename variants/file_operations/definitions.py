"""Variants: what the tools say of themselves, and which arguments they take."""

import os
import re
from collections.abc import Callable
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


def redefined(**fields: Any) -> type[DefinitionChange]:
    """Return the change of some fields of a definition."""

    class Redefined(DefinitionChange):
        def change(self, definition: ToolDefinition) -> ToolDefinition:
            return replace(super().change(definition), **fields)

    return Redefined


def published(change: Callable[[Values], Values]) -> type[Candidate]:
    """Return the candidate that publishes a schema for `move` and `copy` which the reference cannot check itself."""

    class Published(Candidate):
        def describe(self, params: Any) -> dict[str, Any]:
            definition = super().describe(params)
            is_own = definition["name"] in ("move", "copy")
            return {**definition, "input_schema": change(definition["input_schema"])} if is_own else definition

    return Published


def with_null(schema: Values) -> Values:
    overwrite = {"type": ["boolean", "null"], "default": False}
    return {**schema, "properties": {**schema["properties"], "overwrite": overwrite}}


def annotated(schema: Values) -> Values:
    """Name the dialect and allow further arguments; each argument has a title and a description."""
    properties = {
        name: {**part, "title": name.title(), "description": f"The {name}."}
        for name, part in schema["properties"].items()
    }
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "additionalProperties": True}
    return {**dialect, **schema, "properties": properties}


def referring(schema: Values) -> Values:
    properties = schema["properties"]
    return {**schema, "properties": {name: {"$ref": f"#/$defs/{name}"} for name in properties}, "$defs": properties}


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
        row(stage=ARGUMENTS, arguments=without_null), candidate_class=published(with_null)
    ),
    variant("AMB-FO-09=always", "Both tools ask before every call.")(definition=redefined(requires_approval=True)),
    variant("AMB-FO-14=high", "Both tools declare a high risk.")(definition=redefined(risk_level="High")),
    variant("AMB-FO-16=deny", "A directory with a denied path below it is not moved.")(
        row(on="move", forbid=holds_what_is_denied)
    ),
    variant("AMB-FO-17=yes", "Each name is a tool of its own.")(candidate_class=OffersEachName),
    variant("AMB-FO-30=strip", "A slash at the end of a file's name is idle.")(row(stage=PATHS, source=without_slash)),
    variant("AMB-FO-31=refuse", "An argument that the schema does not name is an error.")(
        row(stage=ARGUMENTS, arguments=known_only),
        candidate_class=published(lambda schema: {**schema, "additionalProperties": False}),
    ),
    variant("AMB-FO-32=resolve", "A `..` takes back what stands before it.")(row(stage=PATHS, path=takes_back)),
    variant("VAR-FO-14", "The schema refers to definitions of its own.")(candidate_class=published(referring)),
    variant("VAR-FO-51", "The schema has titles, descriptions and a dialect.")(candidate_class=published(annotated)),
)
