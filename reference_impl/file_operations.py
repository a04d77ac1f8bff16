"""`move` and `copy` 1.1, and `list_directory` beside them: definitions, the order of the steps, and the candidate.

Each step is a file of its own: moving/request.py, moving/gate.py, moving/aim.py, moving/transfer.py.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from .candidate import Candidate
from .context import CallContext
from .directories import PASSING, opened
from .executor import Definition
from .list_directory import ListDirectory
from .moving.aim import Aim, Target, failed
from .moving.gate import Gate
from .moving.request import SCHEMA, Reading, Request
from .moving.settings import Settings, read_settings
from .moving.transfer import Copy, Move, Transfer
from .paths import Flavour

SPECIFICATION = "file_operations@1.1"

MOVE = Definition(
    name="move",  # FR-FOPS-01
    specification=SPECIFICATION,
    aliases=("rename", "mv"),
    description="Move or rename a file or directory",
    input_schema=SCHEMA,
    is_side_effecting=True,  # FR-REG-01
    requires_approval=False,  # AMB-FO-09
    risk_level="Medium",  # FR-APR-06
)
COPY = Definition(
    name="copy",
    specification=SPECIFICATION,
    aliases=("cp",),
    description="Copy a file",
    input_schema=SCHEMA,
    is_side_effecting=True,
    requires_approval=False,
    risk_level="Medium",
)


class CopyAim(Aim):
    """Of a link what it leads to is copied (AMB-FO-04)."""

    follows_source = True


@dataclass(frozen=True)
class FileTool:
    """One of the two tools: its steps in their order. Has no state; any step can be given in another version."""

    definition: Definition
    aim: type[Aim]
    transfer: type[Transfer]
    done: str  # what a success is told with
    settings: Callable[[Any], Settings] = read_settings
    reading: type[Reading] = Reading
    gate: type[Gate] = Gate

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "TransferPlan":
        request = self.reading(arguments, self.settings(context.config), flavour).request()
        gate = self.gate(context, flavour)
        return TransferPlan(self, request, self.aim(request, gate).target())


@dataclass(frozen=True)
class TransferPlan:
    """A checked call: what goes where."""

    tool: FileTool
    request: Request
    target: Target

    @property
    def summary(self) -> str:
        name = self.tool.definition.name.capitalize()
        return f"{name} {self.request.source.text} to {self.request.destination.text}"

    def run(self) -> str:
        target = self.target
        with ExitStack() as stack:
            try:
                at = opened(target.source.directory, PASSING)
                stack.callback(os.close, at)
                to = opened(target.final.directory, PASSING)
                stack.callback(os.close, to)
                self.tool.transfer(at, target.source.name, to, target.final.name, target.replaces).run()
            except OSError as error:
                raise failed(error.strerror or type(error).__name__) from error
        return f"{self.tool.done} {self.request.source.text} to {self.request.destination.text}"


def move_tool(**parts: Any) -> FileTool:
    """The tool `move`, with other versions of its parts where they are given."""
    return replace(FileTool(MOVE, Aim, Move, done="Moved"), **parts)


def copy_tool(**parts: Any) -> FileTool:
    """The tool `copy`, with other versions of its parts where they are given."""
    return replace(FileTool(COPY, CopyAim, Copy, done="Copied"), **parts)


def candidate() -> Candidate:
    """The entry point of the reference implementation."""
    return Candidate([move_tool(), copy_tool(), ListDirectory()])
