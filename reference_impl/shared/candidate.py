"""The candidate protocol: JSON values in, JSON values out. Contains nothing about a specific tool."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from .. import NAME, VERSION
from .context import read_context
from .errors import ToolError
from .executor import Executor, Result, Tool
from .paths import Flavour, current_flavour

PROTOCOL = 1
CAPABILITIES = (
    "config",
    "budget",
    "policy",
    "context",
    "denied_patterns",
    "allow_absolute",
    "roots",
    "working_dir",
    "executor",
)


class Candidate:
    """Serves tools over the protocol, with the path rules of `flavour` (default: those of the machine)."""

    def __init__(
        self,
        tools: Iterable[Tool],
        flavour: Flavour | None = None,
        executor: type[Executor] = Executor,
        name: str = NAME,
        capabilities: Iterable[str] = CAPABILITIES,
    ) -> None:
        self._executor = executor(tools)
        self._name = name
        self._capabilities = tuple(capabilities)
        self._flavour = flavour

    def initialize(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return name, tools and capabilities. Raises ValueError for an unsupported protocol."""
        if params.get("protocol") != PROTOCOL:
            raise ValueError(f"protocol {params.get('protocol')!r}: only {PROTOCOL} is spoken")
        tools = self._executor.tools.items()
        return {
            "protocol": PROTOCOL,
            "candidate": {"name": self._name, "version": VERSION, "language": "python"},
            "tools": {name: tool.definition.specification for name, tool in tools},
            "capabilities": list(self._capabilities),
        }

    def describe(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the definition of a tool. Raises ValueError for an unknown tool."""
        try:
            definition = self._executor.find_tool(params["tool"]).definition
        except ToolError as error:
            raise ValueError(error.message) from error
        return {
            "name": definition.name,
            "aliases": list(definition.aliases),
            "description": definition.description,
            "input_schema": deepcopy(definition.input_schema),
            "is_side_effecting": definition.is_side_effecting,
            "requires_approval": definition.requires_approval,
            "risk_level": definition.risk_level,
        }

    def call(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result of a call. Raises ContextInvalid for an invalid context."""
        context = read_context(params.get("context"))
        result = self._executor.execute(
            params["tool"], params.get("arguments"), context, self._flavour or current_flavour()
        )
        log = [{"level": level, "message": message} for level, message in context.log]
        return (
            _result_message(result)
            | {
                "context": {"allow_truncation": context.allow_truncation},
                "approval_requested": result.approval_requested,
            }
            | ({"log": log} if "log" in self._capabilities else {})
        )


def _result_message(result: Result) -> dict[str, Any]:
    if result.content is not None:
        return {"status": "ok", "content": result.content}
    return {"status": "error", "error": {"kind": str(result.kind), "message": result.message}}
