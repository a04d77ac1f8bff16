"""An MCP server at a URL (Streamable HTTP): limits, and clear messages for an address that is no MCP server.

The transport of the SDK handles the protocol; the one here checks each HTTP response before it.
"""

import os
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import urlsplit

import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp_types import JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from treeproof.candidate import (
    CandidateFault,
    FaultKind,
    Limits,
    ProcessOptions,
    Target,
    UnsupportedByAdapter,
    UsageError,
    format_untrusted,
)

from .connection_state import ConnectionState, Streams
from .listener_process import find_listener_process

_EXCERPT_BYTES = 4096
_ACCEPTED = 202
_MIN_ERROR_STATUS = 400
_DENIED = (401, 403)


class HttpServer:
    """A server at a URL. treeproof can neither start nor end it."""

    accepts_root = accepts_roots = False
    pid = None

    def __init__(self, target: Target, limits: Limits) -> None:
        self._address = target.url or ""
        self._limits = limits
        self.respects_file_modes = False  # until the process that listens is known

    def start(self, roots: tuple[str, ...], connection: ConnectionState) -> AbstractAsyncContextManager[Streams]:
        """Return its connection, not yet open. Raises UsageError if its user could not read the workspace."""
        parts = urlsplit(self._address)
        owner = find_listener_process(parts.hostname or "", parts.port or 80)
        self.respects_file_modes = owner is not None and not owner.ignores_file_modes
        if owner is not None and owner.uid not in (os.geteuid(), 0):
            raise UsageError(
                f"{format_untrusted(self._address)}: the server runs as user {owner.uid}, but only user "
                f"{os.geteuid()} may read the fixtures; start it as that user"
            )
        return _open_streams(self._address, self._limits.answer_bytes, connection)

    def shut_down(self, seconds: float) -> str | None:
        return None

    def terminate(self) -> None:
        """Do nothing: treeproof did not start it."""

    def close_pipes(self) -> None:
        """Do nothing: the event loop owns its connections."""

    def no_answer_fault(self) -> CandidateFault:
        """Return the fault for a missing answer."""
        return CandidateFault("exit", f"{format_untrusted(self._address)} closed the connection instead of answering")

    def stderr_note(self) -> str:
        return ""

    def spawn(self, options: ProcessOptions) -> "HttpServer":
        raise UnsupportedByAdapter(
            "needs a process that treeproof starts, but the server is at a URL; use the adapter kind mcp with "
            "its command line"
        )

    def captured_output(self) -> str:
        return ""


@asynccontextmanager
async def _open_streams(address: str, limit: int, connection: ConnectionState) -> AsyncGenerator[Streams]:
    # An explicit transport also ignores proxies in the environment. The caller sets deadlines.
    transport = _CheckingTransport(httpx2.AsyncHTTPTransport(), address, limit, connection)
    async with (
        httpx2.AsyncClient(transport=transport, timeout=None) as client,
        streamable_http_client(address, http_client=client, max_sse_event_size=limit) as streams,
    ):
        try:
            yield streams
        finally:
            connection.is_ended = True


class _CheckingTransport(httpx2.AsyncBaseTransport):
    """Forwards requests, and records a fault for a response that no MCP server sends."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, address: str, limit: int, connection: ConnectionState) -> None:
        self._inner = inner
        self._address = format_untrusted(address)
        self._limit = limit
        self._connection = connection
        self._has_answered = False

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method != "POST":
            return await self._inner.handle_async_request(request)
        try:
            response = await self._inner.handle_async_request(await self._with_arguments_text(request))
        except httpx2.TransportError as problem:
            kind: FaultKind = "exit" if self._has_answered else "start"
            self._connection.record_fault(
                CandidateFault(kind, f"cannot reach {self._address}: {_os_error_text(problem)}")
            )
            raise
        self._has_answered = True
        if response.status_code != _ACCEPTED:
            await self._check_response(response)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _with_arguments_text(self, request: httpx2.Request) -> httpx2.Request:
        body = await request.aread()
        text = self._connection.insert_arguments_text(body)
        if text is body:
            return request
        headers = {k: v for k, v in request.headers.items() if k != "content-length"}
        return httpx2.Request(request.method, request.url, headers=headers, content=text, extensions=request.extensions)

    async def _check_response(self, response: httpx2.Response) -> None:
        """Record a fault and raise ReadError for a response that no MCP server sends."""
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_error = response.status_code >= _MIN_ERROR_STATUS
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedBody(response.stream, self._limit, self._connection)
        if content_type == "text/event-stream" and not is_error:
            return
        if content_type == "application/json" and (not is_error or _is_rpc_error(await response.aread())):
            return
        excerpt = format_untrusted((await response.aread())[:_EXCERPT_BYTES], 100)
        body = f"{content_type or 'no content type'}: '{excerpt}'" if excerpt else (content_type or "nothing")
        hint = "no credentials are sent" if response.status_code in _DENIED else "is the path right? It often is /mcp"
        problem = f"{self._address} answers HTTP {response.status_code} with {body}; {hint}"
        self._connection.record_fault(CandidateFault("framing", problem))
        raise httpx2.ReadError(problem)


class _BoundedBody(httpx2.AsyncByteStream):
    """A response body with a size limit."""

    def __init__(self, inner: httpx2.AsyncByteStream, limit: int, connection: ConnectionState) -> None:
        self._inner = inner
        self._limit = limit
        self._connection = connection

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        async for chunk in self._inner:
            length += len(chunk)
            if length > self._limit:
                fault = CandidateFault("output_limit", f"its answer is longer than {self._limit} bytes")
                self._connection.record_fault(fault)
                raise httpx2.ReadError("too long")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


def _is_rpc_error(body: bytes) -> bool:
    """Return whether the body is a JSON-RPC error, which may have an HTTP error status."""
    try:
        return isinstance(jsonrpc_message_adapter.validate_json(body, by_name=False), JSONRPCError)
    except ValidationError:
        return False


def _os_error_text(problem: BaseException) -> str:
    """Return the operating system's message, if it is the cause."""
    cause: BaseException | None = problem
    for _ in range(10):
        if isinstance(cause, OSError) and cause.errno is not None:
            return os.strerror(cause.errno) if cause.errno > 0 else str(cause.strerror)
        if cause is None:
            break
        inner = cause.exceptions[0] if isinstance(cause, BaseExceptionGroup) else None
        cause = inner or cause.__cause__ or cause.__context__
    return format_untrusted(str(problem), 200) or type(problem).__name__
