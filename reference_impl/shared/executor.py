"""The executor, which runs a tool by its name and returns a result. The order of its checks is the policy.

It decides whether a tool may run, not how. Nothing is opened before the decision.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from .arguments import check_schema, validation_error
from .context import CallContext, Policy, PolicyMode
from .errors import ErrorKind, ToolError, message_for_caller
from .paths import Flavour

MAX_SUMMARY_CHARACTERS = 200


@dataclass(frozen=True)
class ToolDefinition:
    """The published definition of a tool."""

    name: str
    specification: str  # the claimed specification, name@version
    aliases: tuple[str, ...]
    description: str
    input_schema: Mapping[str, Any]
    is_side_effecting: bool
    requires_approval: bool
    risk_level: str
    checks_own_arguments: bool = False  # the tool refuses wrong arguments, not the executor


class Plan(Protocol):
    """A call that has passed the tool's checks and the sandbox."""

    @property
    def summary(self) -> str:
        """Return the text for an approval request, without I/O."""

    def run(self) -> str:
        """Return the tool's output. Raises ToolError."""


class Tool(Protocol):
    """The interface of a tool."""

    @property
    def definition(self) -> ToolDefinition: ...

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> Plan:
        """Check what the schema cannot express, then the sandbox. Raises ToolError; opens nothing."""


def load_tool(entry_point: str, **parts: Any) -> Tool:
    """Return a tool of another specification's reference, from ``specification.module:class``."""
    module, _, name = entry_point.partition(":")
    tool: Tool = getattr(import_module(f"...{module}", __name__), name)(**parts)
    return tool


@dataclass(frozen=True)
class Result:
    """The result of a call: either `content`, or `kind` and `message`."""

    content: str | None = None
    kind: ErrorKind | None = None
    message: str | None = None
    approval_requested: bool = False


class Executor:
    """The tools of a candidate and their names."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = {tool.definition.name: tool for tool in tools}
        self._tool_by_alias = {
            alias: name for name, tool in self.tools.items() for alias in (name, *tool.definition.aliases)
        }
        for tool in self.tools.values():
            check_schema(tool.definition.input_schema)

    def find_tool(self, name: str) -> Tool:
        """Return the tool of a name or alias. Raises ToolError (UnknownTool)."""
        if name not in self._tool_by_alias:
            raise ToolError(ErrorKind.UNKNOWN_TOOL, f"there is no tool {name!r}")
        return self.tools[self._tool_by_alias[name]]

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        """Run a tool if it may run. Every failure of the call is a result, never an exception."""
        needs_approval = False
        try:
            tool = self._find_permitted_tool(name, context.policy)
            self._check_arguments(tool.definition, arguments)
            plan = tool.plan(arguments, context, flavour)
            needs_approval = self._needs_approval(tool.definition, context.policy)
            if needs_approval and not context.approves:
                raise ToolError(ErrorKind.APPROVAL_DENIED, f"not approved: {abbreviate(plan.summary)}")
            return Result(content=plan.run(), approval_requested=needs_approval)
        except ToolError as error:
            message = message_for_caller(self._tool_by_alias.get(name, name), error)
            return Result(kind=error.kind, message=message, approval_requested=needs_approval)

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        """Raise ToolError (BadArgs) for arguments that do not fit the schema."""
        wrong = None if definition.checks_own_arguments else validation_error(definition.input_schema, arguments)
        if wrong is not None:
            raise ToolError(ErrorKind.BAD_ARGS, wrong)

    def _find_permitted_tool(self, name: str, policy: Policy) -> Tool:
        """Return the tool after the checks that do not depend on arguments: disabled, unknown, denied."""
        if not policy.enabled:
            raise ToolError(ErrorKind.POLICY_DENIED, "Tool execution disabled by policy")
        tool = self.find_tool(name)
        if self._is_listed(tool, policy.denylist):  # in every mode, even if allowlisted
            raise ToolError(ErrorKind.POLICY_DENIED, f"{tool.definition.name} is on the denylist")
        return tool

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        """Return the decision of the mode, after the sandbox check. Raises ToolError (PolicyDenied)."""
        listed = self._is_listed(self.tools[definition.name], policy.allowlist)
        if policy.mode is PolicyMode.DENY and not listed:
            raise ToolError(ErrorKind.POLICY_DENIED, f"{definition.name} is not on the allowlist in mode deny")
        prompts = policy.mode is PolicyMode.PROMPT and policy.prompt_side_effects and definition.is_side_effecting
        return definition.requires_approval or (prompts and not listed)

    def _is_listed(self, tool: Tool, names: Iterable[str]) -> bool:
        # Aliases are resolved before names are compared; otherwise an alias would avoid the denylist.
        return any(self._tool_by_alias.get(name) == tool.definition.name for name in names)


def abbreviate(summary: str) -> str:
    """Return at most 200 characters, including an ellipsis."""
    if len(summary) <= MAX_SUMMARY_CHARACTERS:
        return summary
    return summary[: MAX_SUMMARY_CHARACTERS - 1] + "…"
