"""Wrong in what the tools are called, and in what they say of themselves."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...context import CallContext
from ...errors import ToolError
from ...executor import Executor, Result, Tool
from ...file_operations import COPY, MOVE, copy_tool, move_tool
from ...list_directory import DEFINITION, ListDirectory
from ...paths import Flavour
from ..mutant import Mutant
from .made import copying, made, moving


class FoldsCase(Executor):
    """Names are found in any case."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        super().__init__(tools)
        self._names |= {name.upper(): tool for name, tool in self._names.items()}
        self._names |= {name.capitalize(): tool for name, tool in self._names.items()}


class Guesses(Executor):
    """What begins like a name is taken for it."""

    def tool(self, name: str) -> Tool:
        try:
            return super().tool(name)
        except ToolError:
            near = next((known for known in self._names if known[:2] == name[:2]), None)
            if near is None:
                raise
            return super().tool(near)


class BackwardsAsDir(Executor):
    """By one of its names list_directory lists backwards."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        result = super().execute(name, arguments, context, flavour)
        if name != "dir" or result.content is None:
            return result
        document = json.loads(result.content)
        document["entries"].reverse()
        return replace(result, content=json.dumps(document, separators=(",", ":"), ensure_ascii=False))


class ShowsHiddenAsListdir(Executor):
    """By one of its names list_directory lists hidden entries."""

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        if name == "listdir" and isinstance(arguments, dict):
            arguments = {**arguments, "include_hidden": True}
        return super().execute(name, arguments, context, flavour)


MUTANTS: tuple[Mutant, ...] = (
    made(
        1,
        "`mv` is no name of move.",
        "FR-FOPS-01",
        "NFR-FOPS-SEC-02",
        "FR-APR-04b",
        "FR-APR-04c",
        tools=moving(definition=replace(MOVE, aliases=("rename",))),
    ),
    made(
        2,
        "`rename` is no name of move.",
        "FR-FOPS-01",
        "NFR-FOPS-SEC-02",
        "FR-APR-04b",
        tools=moving(definition=replace(MOVE, aliases=("mv",))),
    ),
    made(
        3,
        "`cp` is no name of copy.",
        "FR-FOPS-01",
        "NFR-FOPS-SEC-02",
        "FR-APR-04b",
        tools=copying(definition=replace(COPY, aliases=())),
    ),
    made(
        4,
        "`rename` is a name of copy.",
        "FR-FOPS-01",
        "FR-APR-04b",
        "DFO-01",
        "FR-FOPS-MV-02",
        tools=[
            move_tool(definition=replace(MOVE, aliases=("mv",))),
            copy_tool(definition=replace(COPY, aliases=("cp", "rename"))),
            ListDirectory(),
        ],
    ),
    made(5, "Names are found in any case.", "FR-FOPS-01", executor=FoldsCase),
    made(
        6,
        "`ls` is no name of list_directory.",
        "FR-FOPS-LS-01",
        "T-FOPS-LS-01",
        tools=[
            move_tool(),
            copy_tool(),
            ListDirectory(definition=replace(DEFINITION, aliases=("listdir", "dir"))),
        ],
    ),
    made(7, "What begins like a name is taken for it.", "FR-FOPS-01", executor=Guesses),
    made(
        8,
        "By the name `dir` a directory is listed backwards.",
        "T-FOPS-LS-01",
        "FR-FOPS-LS-01",
        executor=BackwardsAsDir,
    ),
    made(
        9,
        "By the name `listdir` hidden entries are listed.",
        "FR-FOPS-LS-01",
        "T-FOPS-LS-01",
        executor=ShowsHiddenAsListdir,
    ),
    made(
        10,
        "move says that it changes nothing.",
        "FR-REG-01",
        "NFR-FOPS-SEC-02",
        "FR-APR-04d",
        tools=moving(definition=replace(MOVE, is_side_effecting=False)),
    ),
    made(
        11,
        "copy says that it is no risk.",
        "FR-APR-06",
        tools=copying(definition=replace(COPY, risk_level="Low")),
    ),
)
