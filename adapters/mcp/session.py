"""One MCP session over some transport, from the greeting to the farewell. All of it runs in the loop.

What a server says is handed on as plain JSON values; what they mean is not known here.
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
# What a server answers to ``initialize`` that speaks only the revisions without it.
_HANDSHAKE_UNSUPPORTED = (types.METHOD_NOT_FOUND, types.UNSUPPORTED_PROTOCOL_VERSION, types.INVALID_REQUEST)
_CLOSE_SECONDS = 0.2
_MAX_PAGES = 1000


class _RawResult(BaseModel):
    """A result as it came; that it fits the revision of MCP is checked before by the SDK."""

    model_config = ConfigDict(extra="allow")


class ErrorResponse(Exception):
    """The server answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any) -> None:
        super().__init__(f"{code}: {format_untrusted(message)}")
        self.code = code
        self.message = message
        self.data = data


class InvalidResponse(Exception):
    """What the server answered is no such answer in the revision of MCP that was agreed on."""


class SessionEnded(Exception):
    """No answer will come any more."""


class McpSession:
    """A session, not yet open. ``greeting`` is there once it is."""

    def __init__(self, transport: AbstractAsyncContextManager[Streams], wire: ConnectionState) -> None:
        self._transport = transport
        self._connection = wire
        self._close_requested = asyncio.Event()
        self._ready: asyncio.Future[ClientSession] | None = None
        self._task: asyncio.Task[None] | None = None
        # ``serverInfo`` and ``capabilities``, as in the answer to ``initialize``.
        self.server_info: dict[str, Any] = {}

    async def open(self) -> None:
        """Connect and greet. Raises Refused, Unfit, Ended."""
        self._ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run(self._ready))
        await self._ready

    async def list_tools(self) -> list[dict[str, Any]]:
        """All that ``tools/list`` tells, page by page. Raises Refused, Unfit, Ended."""
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
        """The result of ``tools/call``. Raises Refused, Unfit, Ended."""
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
        """The session's whole life in one task: the SDK's scopes must be left where they were entered."""
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
        # ``initialize`` first: every server of today answers it, and some nothing else before it.
        greeting: types.InitializeResult | types.DiscoverResult
        try:
            greeting = await session.initialize()
        except MCPError as refusal:
            if refusal.code not in _HANDSHAKE_UNSUPPORTED:
                raise
            try:
                greeting = await session.discover()
            except MCPError:
                raise refusal from None
        server = session.server_info
        self.server_info = {
            "serverInfo": server.model_dump(by_alias=True, exclude_none=True) if server else {},
            "capabilities": greeting.capabilities.model_dump(by_alias=True, exclude_none=True),
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
            case ValidationError() as misfit:
                first = misfit.errors(include_url=False, include_context=False)[0]
                where = ".".join(str(part) for part in first["loc"])
                return InvalidResponse(f"{format_untrusted(where, 100)}: {first['msg']}")
            case RuntimeError() as misfit:  # as the SDK says it of a revision that it does not speak
                return InvalidResponse(format_untrusted(str(misfit), 300))
            case _:
                return SessionEnded()

    async def _has_ended(self) -> bool:
        """Whether it is over, after the moment that it takes to be."""
        if (
            self._task is not None
            and self._task is not asyncio.current_task()
            and not self._connection.is_ended
        ):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._task), _CLOSE_SECONDS)
        return self._connection.is_ended or self._connection.fault is not None


def _root_exception(problem: BaseException) -> BaseException:
    """What a group of exceptions began with, as far as that can be told."""
    while isinstance(problem, BaseExceptionGroup):
        others = [each for each in problem.exceptions if not isinstance(each, asyncio.CancelledError)]
        problem = others[0] if others else problem.exceptions[0]
    return problem
