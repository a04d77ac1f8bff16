"""Mutants: errors in the names and definitions of the tools."""

import json
from collections.abc import Iterable
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
from treeproof.reference_impl.shared.context import CallContext
from treeproof.reference_impl.shared.errors import ToolError
from treeproof.reference_impl.shared.executor import Executor, Result, Tool
from treeproof.reference_impl.shared.paths import Flavour

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


class BackwardsAsDir(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        if name != "dir" or result.content is None:
            return result
        document = json.loads(result.content)
        document["entries"].reverse()
        return replace(result, content=json.dumps(document, separators=(",", ":"), ensure_ascii=False))


class ShowsHiddenAsListdir(Executor):
    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name == "listdir" and isinstance(arguments, dict):
            arguments = {**arguments, "include_hidden": True}
        return super().execute(name, arguments, context, flavour)


class BeginsLikeATool(Executor):
    """Every name that begins with the name of a tool is the tool."""

    def find_tool(self, name: str) -> Tool:
        return super().find_tool(next((own for own in self.tools if name.startswith(own)), name))


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
        "MUT-FO-008",
        "Under the name `dir`, the listing is reversed.",
        "T-FOPS-LS-01 FR-FOPS-LS-01",
        executor=BackwardsAsDir,
    ),
    build_mutant(
        "MUT-FO-009",
        "Under the name `listdir`, hidden entries are listed.",
        "FR-FOPS-LS-01 T-FOPS-LS-01",
        executor=ShowsHiddenAsListdir,
    ),
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
)
