"""Mutants: errors in the schema and the meaning of arguments."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.candidate import COPY_DEFINITION, MOVE_DEFINITION
from treeproof.reference_impl.file_operations.request import SCHEMA, ArgumentParser, RequestedPath
from treeproof.reference_impl.shared.executor import ToolDefinition

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move


def with_schema_value(definition: ToolDefinition, *path: str, to: Any) -> ToolDefinition:
    """Return the definition with another value in its schema; None removes the key."""
    schema = deepcopy(SCHEMA)
    place = schema
    for step in path[:-1]:
        place = place[step]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return replace(definition, input_schema=schema)


class HereByDefault(ArgumentParser):
    def parse_path(self, key: str) -> RequestedPath:
        self.arguments = {"destination": ".", **self.arguments}
        return super().parse_path(key)


class Spelt(ArgumentParser):
    """Converts values that are no text to text."""

    def parse_path(self, key: str) -> RequestedPath:
        self.arguments = {**self.arguments, key: str(self.arguments[key])}
        return super().parse_path(key)


MUTANTS: tuple[Mutant, ...] = (
    build_mutant(
        "MUT-FO-021",
        "move needs no destination: it is the working directory.",
        "FR-FOPS-MV-01",
        tools=tools_with_move(
            definition=with_schema_value(MOVE_DEFINITION, "required", to=["source"]),
            argument_parser=HereByDefault,
        ),
    ),
    build_mutant(
        "MUT-FO-022",
        "move takes anything for overwrite.",
        "FR-FOPS-MV-01",
        tools=tools_with_move(definition=with_schema_value(MOVE_DEFINITION, "properties", "overwrite", to=None)),
    ),
    build_mutant(
        "MUT-FO-023",
        "copy takes anything for a path.",
        "FR-FOPS-CP-01 FR-VAL-01",
        tools=tools_with_copy(
            definition=with_schema_value(
                COPY_DEFINITION, "properties", to={"overwrite": {"type": "boolean", "default": False}}
            ),
            argument_parser=Spelt,
        ),
    ),
    build_mutant(
        "MUT-FO-279",
        "move takes anything for a path.",
        "FR-FOPS-MV-01 FR-VAL-01",
        tools=tools_with_move(
            definition=with_schema_value(
                MOVE_DEFINITION, "properties", to={"overwrite": {"type": "boolean", "default": False}}
            ),
            argument_parser=Spelt,
        ),
    ),
)
