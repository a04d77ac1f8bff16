"""The executor: from the name of a tool and its arguments to a result. The order of its checks is the policy.

What a tool does is the tool's business; that it is allowed to is decided here. Nothing is opened before the
decision.
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
    """What is published about a tool."""

    name: str
    specification: str  # what it claims to follow, as name@version
    aliases: tuple[str, ...]
    description: str
    input_schema: Mapping[str, Any]
    is_side_effecting: bool
    requires_approval: bool
    risk_level: str
    checks_own_arguments: bool = False  # the tool itself; then nothing refuses them before it runs


class Plan(Protocol):
    """One call that has passed the tool's own checks and the sandbox."""

    @property
    def summary(self) -> str:
        """What the user reads when asked, made without any I/O."""

    def run(self) -> str:
        """The tool's output. Raises ToolError."""


class Tool(Protocol):
    """A tool as the executor sees it."""

    @property
    def definition(self) -> ToolDefinition: ...

    def plan(self, arguments: Any, context: CallContext, flavour: Flavour) -> Plan:
        """Checks what the schema cannot say, then the sandbox. Raises ToolError; opens nothing."""


def load_tool(entry_point: str, **parts: Any) -> Tool:
    """Return a tool of another specification's reference, from ``specification.module:class``."""
    module, _, name = entry_point.partition(":")
    tool: Tool = getattr(import_module(f"...{module}", __name__), name)(**parts)
    return tool


@dataclass(frozen=True)
class Result:
    """How a call ended: either `content` or `kind` and `message`."""

    content: str | None = None
    kind: ErrorKind | None = None
    message: str | None = None
    approval_requested: bool = False


class Executor:
    """The tools of one candidate and their names."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self.tools = {tool.definition.name: tool for tool in tools}
        self._tool_by_alias = {
            alias: name for name, tool in self.tools.items() for alias in (name, *tool.definition.aliases)
        }
        for tool in self.tools.values():
            check_schema(tool.definition.input_schema)

    def find_tool(self, name: str) -> Tool:
        """The tool of a name or alias. Raises ToolError (UnknownTool)."""
        if name not in self._tool_by_alias:
            raise ToolError(ErrorKind.UNKNOWN_TOOL, f"there is no tool {name!r}")
        return self.tools[self._tool_by_alias[name]]

    def execute(self, name: str, arguments: Any, context: CallContext, flavour: Flavour) -> Result:
        """Runs a tool if it may run. Every failure of the call is a result, never an exception."""
        asked = False
        try:
            tool = self._find_permitted_tool(name, context.policy)
            self._check_arguments(tool.definition, arguments)
            plan = tool.plan(arguments, context, flavour)
            asked = self._needs_approval(tool.definition, context.policy)
            if asked and not context.approves:
                raise ToolError(ErrorKind.APPROVAL_DENIED, f"not approved: {abbreviate(plan.summary)}")
            return Result(content=plan.run(), approval_requested=asked)
        except ToolError as error:
            message = message_for_caller(self._tool_by_alias.get(name, name), error)
            return Result(kind=error.kind, message=message, approval_requested=asked)

    def _check_arguments(self, definition: ToolDefinition, arguments: Any) -> None:
        """Raises ToolError (BadArgs) for arguments that do not fit the schema."""
        wrong = (
            None if definition.checks_own_arguments else validation_error(definition.input_schema, arguments)
        )
        if wrong is not None:
            raise ToolError(ErrorKind.BAD_ARGS, wrong)

    def _find_permitted_tool(self, name: str, policy: Policy) -> Tool:
        """First what no argument can change: disabled, unknown, denylisted."""
        if not policy.enabled:
            raise ToolError(ErrorKind.POLICY_DENIED, "Tool execution disabled by policy")
        tool = self.find_tool(name)
        if self._is_listed(tool, policy.denylist):  # in every mode, allowlisted or not
            raise ToolError(ErrorKind.POLICY_DENIED, f"{tool.definition.name} is on the denylist")
        return tool

    def _needs_approval(self, definition: ToolDefinition, policy: Policy) -> bool:
        """The mode's decision, after the sandbox's. Raises ToolError (PolicyDenied)."""
        listed = self._is_listed(self.tools[definition.name], policy.allowlist)
        if policy.mode is PolicyMode.DENY and not listed:
            raise ToolError(
                ErrorKind.POLICY_DENIED, f"{definition.name} is not on the allowlist in mode deny"
            )
        prompts = (
            policy.mode is PolicyMode.PROMPT and policy.prompt_side_effects and definition.is_side_effecting
        )
        return definition.requires_approval or (prompts and not listed)

    def _is_listed(self, tool: Tool, names: Iterable[str]) -> bool:
        # Names are compared after aliases are resolved, else an alias walks past a denylist.
        return any(self._tool_by_alias.get(name) == tool.definition.name for name in names)


def abbreviate(summary: str) -> str:
    """At most 200 characters, an ellipsis included."""
    if len(summary) <= MAX_SUMMARY_CHARACTERS:
        return summary
    return summary[: MAX_SUMMARY_CHARACTERS - 1] + "…"
