"""Mutants: errors in the names, schemas and definitions of the tools, which no call shows."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from treeproof.reference_impl.file_operations.candidate import (
    COPY_DEFINITION,
    MOVE_DEFINITION,
    copy_tool,
    file_tools,
    list_tool,
    move_tool,
)
from treeproof.reference_impl.file_operations.request import SCHEMA, ArgumentParser, RequestedPath
from treeproof.reference_impl.shared.errors import ToolError
from treeproof.reference_impl.shared.executor import Executor, Tool, ToolDefinition

from ..shared.mutant import Mutant
from .builders import build_mutant, tools_with_copy, tools_with_move


class FoldsCase(Executor):
    def __init__(self, tools: Iterable[Tool]) -> None:
        super().__init__(tools)
        self._tool_by_alias |= {name.upper(): tool for name, tool in self._tool_by_alias.items()}
        self._tool_by_alias |= {name.capitalize(): tool for name, tool in self._tool_by_alias.items()}


class Guesses(Executor):
    def find_tool(self, name: str) -> Tool:
        try:
            return super().find_tool(name)
        except ToolError:
            near = next((known for known in self._tool_by_alias if known[:2] == name[:2]), None)
            if near is None:
                raise
            return super().find_tool(near)


class BeginsLikeATool(Executor):
    """Every name that begins with the name of a tool is the tool."""

    def find_tool(self, name: str) -> Tool:
        return super().find_tool(next((own for own in self.tools if name.startswith(own)), name))


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
        "MUT-FO-001",
        "`mv` is no alias of move.",
        "FR-FOPS-01 NFR-FOPS-SEC-02 FR-APR-04b FR-APR-04c",
        tools=tools_with_move(definition=replace(MOVE_DEFINITION, aliases=("rename",))),
    ),
    build_mutant(
        "MUT-FO-002",
        "`rename` is no alias of move.",
        "FR-FOPS-01 NFR-FOPS-SEC-02 FR-APR-04b",
        tools=tools_with_move(definition=replace(MOVE_DEFINITION, aliases=("mv",))),
    ),
    build_mutant(
        "MUT-FO-003",
        "`cp` is no alias of copy.",
        "FR-FOPS-01 NFR-FOPS-SEC-02 FR-APR-04b",
        tools=tools_with_copy(definition=replace(COPY_DEFINITION, aliases=())),
    ),
    build_mutant(
        "MUT-FO-004",
        "`rename` is an alias of copy.",
        "FR-FOPS-01 FR-APR-04b DFO-01 FR-FOPS-MV-02",
        tools=file_tools(
            move_tool(definition=replace(MOVE_DEFINITION, aliases=("mv",))),
            copy_tool(definition=replace(COPY_DEFINITION, aliases=("cp", "rename"))),
        ),
    ),
    build_mutant("MUT-FO-005", "Tool names are case-insensitive.", "FR-FOPS-01", executor=FoldsCase),
    build_mutant(
        "MUT-FO-006",
        "`ls` is no alias of list_directory.",
        "FR-FOPS-LS-01 T-FOPS-LS-01",
        tools=file_tools(listing=list_tool(definition=replace(list_tool().definition, aliases=("listdir", "dir")))),
    ),
    build_mutant("MUT-FO-007", "A prefix selects a tool.", "FR-FOPS-01", executor=Guesses),
    build_mutant(
        "MUT-FO-010",
        "move declares no side effects.",
        "FR-REG-01 NFR-FOPS-SEC-02 FR-APR-04d",
        tools=tools_with_move(definition=replace(MOVE_DEFINITION, is_side_effecting=False)),
    ),
    build_mutant(
        "MUT-FO-011",
        "copy declares a low risk.",
        "FR-APR-06",
        tools=tools_with_copy(definition=replace(COPY_DEFINITION, risk_level="Low")),
    ),
    build_mutant(
        "MUT-FO-331",
        "Every name that begins with the name of a tool is the tool.",
        "FR-FOPS-01",
        executor=BeginsLikeATool,
    ),
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
    build_mutant(
        "MUT-FO-274",
        "list_directory declares side effects.",
        "FR-FOPS-LS-01",
        tools=file_tools(listing=list_tool(definition=replace(list_tool().definition, is_side_effecting=True))),
    ),
)
