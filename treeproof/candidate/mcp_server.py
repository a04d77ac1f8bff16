"""Serves a Python candidate as a Model Context Protocol server, over stdio or Streamable HTTP.

The only core module that imports the MCP SDK; it is imported only for a server. The context of a call comes from
``mcp_server_config``. Results are passed on unchanged.
"""

import asyncio
import contextlib
import socket
from collections.abc import Mapping
from typing import Any

import anyio
import mcp_types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from treeproof.candidate.factory import PythonCandidate
from treeproof.candidate.mcp_meta import (
    CONTEXT_KEY,
    DECLARATION_KEY,
    DEFINITION_KEY,
    DEFINITION_MEMBERS,
    RESULT_KEY,
)
from treeproof.candidate.messages import PROTOCOL, Json, MessageError, validate_params
from treeproof.errors import UsageError

HTTP_PATH = "/mcp"


class _DeclaringServer(Server[Any]):
    """An SDK server that declares the candidate's InitializeResult among its capabilities."""

    _declared: Mapping[str, dict[str, Any]] | None = None

    def declare(self, declaration: dict[str, Any]) -> None:
        # An extension for clients of the 2026 revision, experimental for earlier ones.
        self.extensions = {DECLARATION_KEY: declaration}
        self._declared = self.extensions

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        declared = {**(self._declared or {}), **(experimental_capabilities or {})}
        return super().create_initialization_options(notification_options, declared or None, extensions)


class McpServer:
    """Serves a candidate over MCP.

    Every call gets ``context``. Only with ``trusts_context`` may a call bring its own context and roots: for tests
    of the server, never for an agent.
    """

    def __init__(
        self, candidate: PythonCandidate, context: Mapping[str, Json], *, trusts_context: bool = False
    ) -> None:
        self._candidate = candidate
        self._context = dict(context)
        self._trusts_context = trusts_context
        self._initialize_result = candidate.initialize({"protocol": PROTOCOL, "workspace": context["working_dir"]})
        identity = self._initialize_result["candidate"]
        self.server = _DeclaringServer(
            identity["name"],
            version=identity["version"],
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        if trusts_context:
            self.server.declare({k: v for k, v in self._initialize_result.items() if k != "protocol"})

    def validate_config(self, source: str) -> None:
        """Raise UsageError if a tool refuses the configuration, so that every call would fail.

        Tools without side effects are called, with "." for each required argument.
        """
        for tool in self._initialize_result["tools"]:
            definition = self._candidate.describe({"tool": tool})
            if definition.get("is_side_effecting") is not False:
                continue
            required = (definition.get("input_schema") or {}).get("required", ())
            error = self._call_candidate(tool, dict.fromkeys(required, "."), self._context).get("error") or {}
            if error.get("kind") == "ConfigInvalid":
                raise UsageError(f"{source}: {error.get('message')}")

    async def _list_tools(
        self, _: ServerRequestContext[Any], __: mcp_types.PaginatedRequestParams | None
    ) -> mcp_types.ListToolsResult:
        return mcp_types.ListToolsResult(tools=[self._build_tool(name) for name in self._initialize_result["tools"]])

    def _build_tool(self, name: str) -> mcp_types.Tool:
        definition = self._candidate.describe({"tool": name})
        effects = definition.get("is_side_effecting")
        added = {key: definition[key] for key in DEFINITION_MEMBERS if key in definition}
        return mcp_types.Tool.model_validate(
            {
                "name": definition["name"],
                "description": definition.get("description"),
                "inputSchema": definition.get("input_schema") or {"type": "object"},
                "annotations": None if effects is None else {"readOnlyHint": not effects},
                "_meta": {DEFINITION_KEY: added} if added else None,
            },
            by_name=False,
        )

    async def _call_tool(
        self, _: ServerRequestContext[Any], params: mcp_types.CallToolRequestParams
    ) -> mcp_types.CallToolResult:
        context: Any = self._context
        meta: Mapping[str, Any] = params.meta or {}
        if self._trusts_context and CONTEXT_KEY in meta:
            context = meta[CONTEXT_KEY]
        # In a thread: a slow directory must not block other clients.
        result = await anyio.to_thread.run_sync(self._call_candidate, params.name, params.arguments or {}, context)
        error = result.get("error")
        return mcp_types.CallToolResult.model_validate(
            {
                "content": [{"type": "text", "text": error["message"] if error else result["content"]}],
                "structuredContent": {"error": error} if error else None,
                "isError": bool(error),
                "_meta": {RESULT_KEY: {k: v for k, v in result.items() if k not in ("status", "content", "error")}},
            },
            by_name=False,
        )

    def _call_candidate(self, tool: str, arguments: Json, context: Any) -> dict[str, Any]:
        try:
            params = validate_params("call", {"tool": tool, "arguments": arguments, "context": context})
        except MessageError as problem:
            raise MCPError(code=mcp_types.INVALID_PARAMS, message=str(problem)) from None
        assert isinstance(params, dict)
        result: dict[str, Any] = self._candidate.call(params)
        return result


def serve_stdio(mcp_server: McpServer) -> int:
    """Serve one client until it closes stdin; return the exit code."""

    async def serve() -> None:
        async with stdio_server() as (read, write):
            await mcp_server.server.run(read, write, mcp_server.server.create_initialization_options())

    with contextlib.suppress(KeyboardInterrupt):
        anyio.run(serve)
    return 0


def serve_http(mcp_server: McpServer, host: str, port: int) -> int:
    """Serve any number of clients until interrupted; return the exit code.

    Prints the address to stdout once it accepts connections; port 0 selects a free port. There is no
    authentication. Raises UsageError if the address is not available.
    """
    import uvicorn

    listener = _open_listener(host, port)
    app = mcp_server.server.streamable_http_app(
        streamable_http_path=HTTP_PATH, json_response=True, stateless_http=True, host=host
    )
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
    url_host = f"[{host}]" if ":" in host else host
    print(f"serving at http://{url_host}:{listener.getsockname()[1]}{HTTP_PATH}", flush=True)
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _open_listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as problem:
        cause = getattr(problem, "strerror", None) or str(problem)
        raise UsageError(f"--http {host}:{port}: {cause}; port 0 selects a free port") from None
    # Accepted sockets inherit it. Without it the body of a response waits about 40 ms for an ACK of its head.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
