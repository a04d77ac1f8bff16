"""`move` and `copy` 1.1: the definitions, the order of the steps, and the candidate, which offers `list_directory` too.

Each step is a module: request.py, link_sandbox.py, resolution.py, transfer.py.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from ..shared.candidate import Candidate
from ..shared.context import CallContext
from ..shared.directory_reader import TRAVERSE_FLAGS, open_directory
from ..shared.executor import Tool, ToolDefinition, load_tool
from ..shared.paths import Flavour
from .link_sandbox import LinkSandbox
from .request import SCHEMA, ArgumentParser, Request
from .resolution import Resolution, ResolvedTransfer, execution_failed
from .settings import Settings, read_settings
from .transfer import Copy, Move, Transfer

SPECIFICATION = "file_operations@1.1"

MOVE_DEFINITION = ToolDefinition(
    name="move",  # FR-FOPS-01
    specification=SPECIFICATION,
    aliases=("rename", "mv"),
    description="Move or rename a file or directory",
    input_schema=SCHEMA,
    is_side_effecting=True,  # FR-REG-01
    requires_approval=False,  # AMB-FO-09
    risk_level="Medium",  # FR-APR-06
)
COPY_DEFINITION = ToolDefinition(
    name="copy",
    specification=SPECIFICATION,
    aliases=("cp",),
    description="Copy a file",
    input_schema=SCHEMA,
    is_side_effecting=True,
    requires_approval=False,
    risk_level="Medium",
)


class CopyResolution(Resolution):
    """Copies the target of a link (AMB-FO-04)."""

    follows_source = True


@dataclass(frozen=True)
class FileTool:
    """One of the two tools: its steps in their order. Has no state; each step can be replaced."""

    definition: ToolDefinition
    resolution: type[Resolution]
    transfer: type[Transfer]
    success_verb: str  # begins the text of a success
    settings: Callable[[Any], Settings] = read_settings
    argument_parser: type[ArgumentParser] = ArgumentParser
    sandbox: type[LinkSandbox] = LinkSandbox

    def plan(self, arguments: Mapping[str, Any], context: CallContext, flavour: Flavour) -> "TransferPlan":
        request = self.argument_parser(arguments, self.settings(context.config), flavour).parse()
        sandbox = self.sandbox(context, flavour)
        resolution = self.resolution(request, sandbox)
        return TransferPlan(self, request, resolution, resolution.resolve())


class ToolParts(TypedDict, total=False):
    """The replaceable parts of a tool."""

    definition: ToolDefinition
    resolution: type[Resolution]
    transfer: type[Transfer]
    settings: Callable[[Any], Settings]
    argument_parser: type[ArgumentParser]
    sandbox: type[LinkSandbox]


@dataclass(frozen=True)
class TransferPlan:
    """A checked call: source and destination."""

    tool: FileTool
    request: Request
    resolution: Resolution
    target: ResolvedTransfer

    @property
    def summary(self) -> str:
        name = self.tool.definition.name.capitalize()
        return f"{name} {self.request.source.text} to {self.request.destination.text}"

    def run(self) -> str:
        target = self.target
        with ExitStack() as stack:
            try:
                stack.enter_context(self.resolution.prepare(target))
                source_fd = open_directory(target.source.directory, TRAVERSE_FLAGS)
                stack.callback(os.close, source_fd)
                final_fd = open_directory(target.final.directory, TRAVERSE_FLAGS)
                stack.callback(os.close, final_fd)
                self.tool.transfer(
                    source_fd, target.source.name, final_fd, target.final.name, target.replaces_existing
                ).run()
            except OSError as error:
                raise execution_failed(error.strerror or type(error).__name__) from error
        return f"{self.tool.success_verb} {self.request.source.text} to {self.request.destination.text}"


def move_tool(**parts: Unpack[ToolParts]) -> FileTool:
    """Return the tool `move` with the given parts replaced."""
    return replace(FileTool(MOVE_DEFINITION, Resolution, Move, success_verb="Moved"), **parts)


def copy_tool(**parts: Unpack[ToolParts]) -> FileTool:
    """Return the tool `copy` with the given parts replaced."""
    return replace(FileTool(COPY_DEFINITION, CopyResolution, Copy, success_verb="Copied"), **parts)


def list_tool(**parts: Any) -> Tool:
    """Return `list_directory`, to which this specification adds aliases (FR-FOPS-LS-01)."""
    return load_tool("list_directory.candidate:ListDirectory", **parts)


def file_tools(move: FileTool | None = None, copy: FileTool | None = None, listing: Tool | None = None) -> list[Tool]:
    """Return the tools of the candidate; the given ones replace the reference's."""
    return [move or move_tool(), copy or copy_tool(), listing or list_tool()]


def candidate() -> Candidate:
    """Return the reference implementation."""
    return Candidate(file_tools())
