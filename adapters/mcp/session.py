"""One MCP session over a transport of the SDK, from the handshake to the end. It runs in the event loop.

Results are returned as plain JSON values; they are not interpreted here.
"""

import asyncio
import contextlib
from contextlib import AbstractAsyncContextManager
from typing import Any

import mcp_types as types
from mcp import ClientSession, MCPError
from pydantic import BaseModel, ConfigDict, ValidationError

from treeproof import __version__
from treeproof.candidate import format_untrusted

from .connection_state import ConnectionState, Streams

_CLIENT_INFO = types.Implementation(name="treeproof", version=__version__)
# Error codes for ``initialize`` of servers that support only the revisions without it.
_HANDSHAKE_UNSUPPORTED = (types.METHOD_NOT_FOUND, types.UNSUPPORTED_PROTOCOL_VERSION, types.INVALID_REQUEST)
_CLOSE_SECONDS = 0.2
_MAX_PAGES = 1000


class _RawResult(BaseModel):
    """An unchanged result; the SDK has already validated it against the agreed revision of MCP."""

    model_config = ConfigDict(extra="allow")


class ErrorResponse(Exception):
    """The server answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any) -> None:
        super().__init__(f"{code}: {format_untrusted(message)}")
        self.code = code
        self.message = message
        self.data = data


class InvalidResponse(Exception):
    """A response violates the agreed revision of MCP."""


class SessionEnded(Exception):
    """No more responses will come."""


class McpSession:
    """A session, not yet open. ``server_info`` is available once it is open."""

    def __init__(self, transport: AbstractAsyncContextManager[Streams], connection: ConnectionState) -> None:
        self._transport = transport
        self._connection = connection
        self._close_requested = asyncio.Event()
        self._ready: asyncio.Future[ClientSession] | None = None
        self._task: asyncio.Task[None] | None = None
        # ``serverInfo`` and ``capabilities``, as in the result of ``initialize``.
        self.server_info: dict[str, Any] = {}

    async def open(self) -> None:
        """Connect and initialize. Raises ErrorResponse, InvalidResponse, SessionEnded."""
        self._ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run(self._ready))
        await self._ready

    async def list_tools(self) -> list[dict[str, Any]]:
        """Return all tools of ``tools/list``, page by page. Raises ErrorResponse, InvalidResponse, SessionEnded."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            params = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            page = await self._send_request(types.ListToolsRequest(params=params))
            found += page["tools"]
            cursor = page.get("nextCursor")
            if not cursor:
                return found
        raise InvalidResponse(f"tools/list does not end after {_MAX_PAGES} pages")

    async def call_tool(self, tool: str, arguments: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any]:
        """Return the result of ``tools/call``. Raises ErrorResponse, InvalidResponse, SessionEnded."""
        # The type of ``_meta`` is open to members that it does not name.
        return await self._send_request(
            types.CallToolRequest(
                params=types.CallToolRequestParams.model_validate(
                    {"name": tool, "arguments": arguments, "_meta": meta or None}, by_name=False
                )
            )
        )

    async def close(self) -> None:
        """End the session and its transport in order."""
        self._close_requested.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _run(self, ready: "asyncio.Future[ClientSession]") -> None:
        """Run the whole session in one task, because the SDK's scopes must be left in the task that entered them."""
        try:
            async with (
                self._transport as (read, write),
                ClientSession(read, write, client_info=_CLIENT_INFO) as session,
            ):
                await self._initialize(session)
                ready.set_result(session)
                await self._close_requested.wait()
        except BaseException as problem:
            if not ready.done():
                ready.set_exception(await self._translate_error(problem))
            if isinstance(problem, asyncio.CancelledError):
                raise

    async def _initialize(self, session: ClientSession) -> None:
        # ``initialize`` first: current servers support it, and some answer nothing else before it.
        result: types.InitializeResult | types.DiscoverResult
        try:
            result = await session.initialize()
        except MCPError as refusal:
            if refusal.code not in _HANDSHAKE_UNSUPPORTED:
                raise
            try:
                result = await session.discover()
            except MCPError:
                raise refusal from None
        server = session.server_info
        self.server_info = {
            "serverInfo": server.model_dump(by_alias=True, exclude_none=True) if server else {},
            "capabilities": result.capabilities.model_dump(by_alias=True, exclude_none=True),
        }

    async def _send_request(self, request: types.Request[Any, Any]) -> dict[str, Any]:
        if self._ready is None:
            raise RuntimeError("the session is not open")
        session = await self._ready
        try:
            return (await session.send_request(request, _RawResult)).model_extra or {}
        except (MCPError, ValidationError, RuntimeError) as problem:
            raise await self._translate_error(problem) from None

    async def _translate_error(self, problem: BaseException) -> Exception:
        match _root_exception(problem):
            case MCPError() as refusal:
                if refusal.code == types.CONNECTION_CLOSED and await self._has_ended():
                    return SessionEnded()
                return ErrorResponse(refusal.code, refusal.message, refusal.data)
            case ValidationError() as invalid:
                first = invalid.errors(include_url=False, include_context=False)[0]
                where = ".".join(str(part) for part in first["loc"])
                return InvalidResponse(f"{format_untrusted(where, 100)}: {first['msg']}")
            case RuntimeError() as invalid:  # raised by the SDK for a revision that it does not support
                return InvalidResponse(format_untrusted(str(invalid), 300))
            case _:
                return SessionEnded()

    async def _has_ended(self) -> bool:
        """Return whether the session has ended, after a short wait."""
        if self._task is not None and self._task is not asyncio.current_task() and not self._connection.is_ended:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._task), _CLOSE_SECONDS)
        return self._connection.is_ended or self._connection.fault is not None


def _root_exception(problem: BaseException) -> BaseException:
    """Return the probable cause in a group of exceptions."""
    while isinstance(problem, BaseExceptionGroup):
        others = [each for each in problem.exceptions if not isinstance(each, asyncio.CancelledError)]
        problem = others[0] if others else problem.exceptions[0]
    return problem
