"""Variants: what the tools say of themselves, and which arguments they take."""

import os
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.link_sandbox import LinkSandbox
from treeproof.reference_impl.file_operations.request import ArgumentParser, RequestedPath
from treeproof.reference_impl.file_operations.resolution import Resolution
from treeproof.reference_impl.shared.candidate import Candidate
from treeproof.reference_impl.shared.errors import ErrorKind, ToolError
from treeproof.reference_impl.shared.executor import Executor, ToolDefinition

from ..shared.variant import variant


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
    """`overwrite` may be null."""

    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = super().publish(schema)
        overwrite = {"type": ["boolean", "null"], "default": False}
        return {**schema, "properties": {**schema["properties"], "overwrite": overwrite}}


class NullIsLeftOut(Executor):
    """`overwrite` null is as if it were left out."""

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        if isinstance(arguments, dict) and arguments.get("overwrite", False) is None:
            arguments = {name: value for name, value in arguments.items() if name != "overwrite"}
        super()._check_arguments(definition, arguments)


class NoFurtherArgumentsPublished(PublishesSchema):
    """Arguments that the schema does not name are forbidden."""

    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {**super().publish(schema), "additionalProperties": False}


class NoFurtherArguments(Executor):
    """Arguments that the schema does not name are errors."""

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        super()._check_arguments(definition, arguments)
        if definition.name in ("move", "copy") and arguments.keys() - definition.input_schema["properties"].keys():
            raise ToolError(ErrorKind.BAD_ARGS, "there is an unknown argument")


class AlwaysAsks(DefinitionChange):
    """The tools require approval by themselves."""

    def change(self, definition: ToolDefinition) -> ToolDefinition:
        return replace(super().change(definition), requires_approval=True)


class HighRisk(DefinitionChange):
    """The risk is that of overwriting."""

    def change(self, definition: ToolDefinition) -> ToolDefinition:
        return replace(super().change(definition), risk_level="High")


class AnnotatedSchema(PublishesSchema):
    """Each argument has a title and a description; the schema names its dialect and allows further arguments."""

    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = super().publish(schema)
        properties = {
            name: {**part, "title": name.title(), "description": f"The {name}."}
            for name, part in schema["properties"].items()
        }
        dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema", "additionalProperties": True}
        return {**dialect, **schema, "properties": properties}


class ReferringSchema(PublishesSchema):
    """The schema refers to definitions of its own."""

    def publish(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = super().publish(schema)
        properties = schema["properties"]
        referring = {name: {"$ref": f"#/$defs/{name}"} for name in properties}
        return {**schema, "properties": referring, "$defs": dict(properties)}


class IdleSlash(Resolution):
    """A slash at the end of a file's name says nothing."""

    def check_trailing_separator(self, path: RequestedPath, found: os.stat_result) -> None:
        pass


class TakesBack(ArgumentParser):
    """A `..` takes back the name before it; one that has none before it stays, and is refused."""

    def parse_path(self, key: str) -> RequestedPath:
        path = super().parse_path(key)
        kept: list[str] = []
        for part in path.text.split("/"):
            if part == ".." and kept and kept[-1] not in ("", ".."):
                kept.pop()
            else:
                kept.append(part)
        text = "/".join(kept)
        return replace(path, text=text or ("/" if path.text.startswith("/") else "."))


class OffersEachName(Candidate):
    """Each further name is offered as a tool."""

    def initialize(self, params: Any) -> dict[str, Any]:
        result = super().initialize(params)
        offered = {
            alias: tool.definition.specification
            for tool in self._executor.tools.values()
            for alias in (tool.definition.name, *tool.definition.aliases)
        }
        return {**result, "tools": offered}


class DeniesWhatIsBelow(LinkSandbox):
    """Has a check for directories that hold what a pattern denies."""

    def check_below(self, path: bytes, components: tuple[bytes, ...]) -> None:
        for folder, directories, files in os.walk(path):
            below = tuple(part for part in os.path.relpath(folder, path).split(b"/") if part != b".")
            for name in (*directories, *files):
                self._check_denied_patterns((*components, *below, name))


class ChecksWhatIsBelow(Resolution):
    """A directory with a denied path below it is not moved."""

    def resolve(self) -> Any:
        target = super().resolve()
        root, components = target.source.path
        assert isinstance(self.sandbox, DeniesWhatIsBelow)
        self.sandbox.check_below(os.path.join(root, *components), components)
        return target


VARIANTS = (
    variant("AMB-FO-03=ignore", "`overwrite` null is as if it were left out.")(
        executor=NullIsLeftOut, candidate_class=NullIsPublished
    ),
    variant("AMB-FO-09=always", "Both tools ask before every call.")(definition=AlwaysAsks),
    variant("AMB-FO-14=high", "Both tools declare a high risk.")(definition=HighRisk),
    variant("AMB-FO-16=deny", "A directory with a denied path below it is not moved.")(
        move_sandbox=DeniesWhatIsBelow, move_resolution=ChecksWhatIsBelow
    ),
    variant("AMB-FO-17=yes", "Each name is a tool of its own.")(candidate_class=OffersEachName),
    variant("AMB-FO-30=strip", "A slash at the end of a file's name is idle.")(resolution=IdleSlash),
    variant("AMB-FO-31=refuse", "An argument that the schema does not name is an error.")(
        executor=NoFurtherArguments, candidate_class=NoFurtherArgumentsPublished
    ),
    variant("AMB-FO-32=resolve", "A `..` takes back what stands before it.")(argument_parser=TakesBack),
    variant("VAR-FO-14", "The schema refers to definitions of its own.")(candidate_class=ReferringSchema),
    variant("VAR-FO-51", "The schema has titles, descriptions and a dialect.")(candidate_class=AnnotatedSchema),
)
