"""The transport to an MCP server: the candidate protocol's messages in, ``tools/list`` and ``tools/call`` out.

Every request has a deadline. Processes are started and ended here, on the caller's thread.
"""

import json
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from treeproof.candidate import (
    Call,
    CandidateFault,
    Limits,
    Method,
    ProcessOptions,
    RpcResponse,
    Target,
    UnsupportedByAdapter,
    format_untrusted,
)
from treeproof.candidate.mcp_meta import CONTEXT_KEY
from treeproof.candidate.rpc import require_unique_members
from treeproof.candidate.tool_mapping import is_same, remote_name, tool_of

from ..root_placeholders import require_directories
from . import mapping
from .connection_state import ConnectionState, Streams
from .event_loop_thread import EventLoopThread
from .roots import RootPolicy
from .session import ErrorResponse, InvalidResponse, McpSession, SessionEnded

Result = TypeVar("Result")

_CONNECTION_CLOSED = -32000  # the SDK's code for an incomplete response


class ServerHandle(Protocol):
    """Starts, connects to and ends a server; implemented by ``StdioServer`` and ``HttpServer``."""

    @property
    def pid(self) -> int | None: ...

    @property
    def accepts_root(self) -> bool: ...

    @property
    def accepts_roots(self) -> bool: ...

    @property
    def respects_file_modes(self) -> bool: ...

    def start(self, roots: tuple[str, ...], connection: ConnectionState) -> AbstractAsyncContextManager[Streams]: ...

    def shut_down(self, seconds: float) -> str | None: ...

    def terminate(self) -> None: ...

    def close_pipes(self) -> None: ...

    def no_answer_fault(self) -> CandidateFault: ...

    def stderr_note(self) -> str: ...

    def spawn(self, options: ProcessOptions) -> "ServerHandle": ...

    def captured_output(self) -> str: ...


class McpTransport:
    """The transport; one server at a time, restarted for each fixture if ``RootPolicy`` requires it."""

    def __init__(self, target: Target, limits: Limits, server: ServerHandle) -> None:
        self._target = target
        self._limits = limits
        self._server = server
        self._connection = ConnectionState()
        self._loop: EventLoopThread | None = None
        self._session: McpSession | None = None
        self._tools: list[dict[str, Any]] = []
        self._root_policy: RootPolicy | None = None
        self._roots: tuple[str, ...] = ()
        self._timeout_seconds = 0.0  # of the current request

    @property
    def pid(self) -> int | None:
        return self._server.pid

    @property
    def respects_file_modes(self) -> bool:
        return self._server.respects_file_modes

    @property
    def shares_root(self) -> bool:
        """Whether the server has the workspace as its root, and does not receive that of a call."""
        policy = self._root_policy
        return policy is not None and not policy.receives_context and not policy.starts_per_fixture

    def open(self) -> None:
        """Discard the old server; ``initialize`` starts a new one, because it brings the workspace."""
        self.kill()

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        self._timeout_seconds = seconds
        deadline = time.monotonic() + seconds
        result: dict[str, Any] | None
        match method:
            case "initialize":
                result = self._initialize(json.loads(params)["workspace"], deadline)
            case "describe":
                self._tools = self._run(self._require_session().list_tools(), deadline)
                result = mapping.map_tool_definition(
                    mapping.find_tool(self._remote_name(json.loads(params)["tool"]), self._tools)
                )
            case "call":
                result = self._call_tool(_CallParams.parse(params), seconds)
            case "shutdown":
                result = None
        return RpcResponse(result, json.dumps(result).encode())

    def ensure_started(self, call: Call) -> None:
        if self._root_policy is not None and (roots := self._root_policy.roots_of(call.context)) != self._roots:
            require_directories(roots)
            self._restart_server(roots)

    def close(self, seconds: float) -> str | None:
        """Close its stdin and wait for its exit; MCP has no shutdown message."""
        if self._session is None:
            return None
        try:
            self._run(self._session.close(), time.monotonic() + seconds)
            problem = self._server.shut_down(seconds)
        except CandidateFault as fault:
            problem = fault.detail
        return problem and f"shutdown: {problem}"

    def kill(self) -> None:
        self._server.terminate()
        if self._loop is None or self._loop.stop():
            self._server.close_pipes()
        self._loop = self._session = None

    def spawn(self, options: ProcessOptions) -> "McpTransport":
        return McpTransport(self._target, self._limits, self._server.spawn(options))

    def captured_output(self) -> str:
        return self._server.captured_output()

    # --- messages ---

    def _initialize(self, workspace: str, deadline: float) -> dict[str, Any]:
        server_info = self._start_server((workspace,), deadline)
        result = mapping.map_initialize_result(server_info, self._tools, self._target)
        self._root_policy = RootPolicy.create(
            self._target,
            receives_context=bool(mapping.find_declaration(server_info) is not None or self._target.capabilities),
            accepts_root=self._server.accepts_root,
            accepts_roots=self._server.accepts_roots,
            workspace=workspace,
        )
        return result

    def _call_tool(self, call: "_CallParams", seconds: float) -> dict[str, Any]:
        assert self._root_policy is not None
        policy = self._root_policy
        remote = self._remote_name(call.tool)
        arguments, text = call.arguments, call.arguments_text
        tool = tool_of(self._target.tools, call.tool)
        if isinstance(arguments, dict):
            schema = mapping.input_schema(remote, self._tools) if tool is not None and tool.is_mapped else None
            arguments = policy.map_arguments(tool, arguments, call.context, schema)
            if text is not None and not is_same(arguments, call.arguments):
                require_unique_members(text)
                text = None
        else:  # MCP permits only an object, so the text is inserted into the message
            policy.map_arguments(None, {}, call.context)
        if (roots := policy.roots_of(call.context)) != self._roots:
            require_directories(roots)
            self._restart_server(roots)
        self._connection.arguments_text = text
        meta = {CONTEXT_KEY: call.context} if policy.receives_context else {}
        sent = arguments if isinstance(arguments, dict) else {}
        request = self._require_session().call_tool(remote, sent, meta)
        try:
            result = self._run(request, time.monotonic() + seconds)
        except ErrorResponse as error:
            return mapping.map_error_response(
                error.code,
                error.message,
                error.data,
                self._target,
                arguments=call.arguments,
                is_listed=mapping.is_listed(remote, self._tools),
            )
        return mapping.map_call_result(result, self._target, None if tool is None else tool.output)

    def _remote_name(self, name: str) -> str:
        return remote_name(self._target.tools, name)

    # --- server ---

    def _require_session(self) -> McpSession:
        if self._session is None:
            raise RuntimeError("the server is not open")
        return self._session

    def _start_server(self, roots: tuple[str, ...], deadline: float) -> dict[str, Any]:
        """Start it below ``roots``, list its tools, and return its server info."""
        self._loop = self._loop or EventLoopThread()
        self._connection = ConnectionState()
        self._roots = roots
        self._session = McpSession(self._server.start(roots, self._connection), self._connection)
        try:
            self._run(self._session.open(), deadline)
            self._tools = self._run(self._session.list_tools(), deadline)
        except ErrorResponse as error:
            raise self._glue_fault(error) from None
        return self._session.server_info

    def _restart_server(self, roots: tuple[str, ...]) -> None:
        before = [tool["name"] for tool in self._tools]
        self.kill()
        seconds, self._timeout_seconds = self._timeout_seconds, self._limits.start_seconds
        self._start_server(roots, time.monotonic() + self._timeout_seconds)
        self._timeout_seconds = seconds
        if [tool["name"] for tool in self._tools] != before:
            raise CandidateFault("inconsistent", "started for another root, it offers other tools than before")

    def _run(self, coroutine: Coroutine[Any, Any, Result], deadline: float) -> Result:
        """Return the coroutine's result. Raises ErrorResponse, and CandidateFault for all other causes of a missing
        answer.
        """
        assert self._loop is not None
        try:
            return self._loop.run(coroutine, deadline - time.monotonic())
        except TimeoutError:
            raise self._connection.fault or CandidateFault(
                "timeout", f"no answer within {self._timeout_seconds:g} s{self._server.stderr_note()}"
            ) from None
        except ErrorResponse as error:
            if self._connection.fault is not None:
                raise self._connection.fault from None
            if error.code == _CONNECTION_CLOSED and self._server.pid is None:
                raise CandidateFault("exit", f"its answer is incomplete: {format_untrusted(error.message)}") from None
            raise
        except SessionEnded:
            raise self._connection.fault or self._server.no_answer_fault() from None
        except InvalidResponse as invalid:
            raise self._connection.fault or CandidateFault("protocol", f"its answer violates MCP: {invalid}") from None

    def _glue_fault(self, error: ErrorResponse) -> CandidateFault:
        return CandidateFault("glue", f"it answered with the JSON-RPC error {error}{self._server.stderr_note()}")


@dataclass(frozen=True)
class _CallParams:
    """The params of one ``call``; ``arguments_text`` is the text of arguments whose spelling a value cannot keep."""

    tool: str
    arguments: Any
    arguments_text: str | None
    context: dict[str, Any]

    @classmethod
    def parse(cls, params: str) -> "_CallParams":
        """Parse the text from ``messages.call_params``. Raises UnsupportedByAdapter."""
        message = json.loads(params)
        arguments = message["arguments"]
        usual_text = json.dumps(arguments, separators=(",", ":"))
        start = len(f'{{"tool":{json.dumps(message["tool"])},"arguments":')
        _, end = json.JSONDecoder().raw_decode(params, _skip_blanks(params, start))
        text = params[start:end]
        if _has_lone_surrogate(usual_text):
            raise UnsupportedByAdapter("the MCP SDK does not send a text with a lone surrogate")
        needs_text = text != usual_text or not isinstance(arguments, dict)
        return cls(message["tool"], arguments, text if needs_text else None, message["context"])


def _skip_blanks(text: str, start: int) -> int:
    while text[start] in " \t":
        start += 1
    return start


def _has_lone_surrogate(text: str) -> bool:
    """Return whether ASCII JSON text contains a lone surrogate."""
    if "\\ud" not in text:
        return False
    value = json.dumps(json.loads(text), ensure_ascii=False)
    return any("\ud800" <= character <= "\udfff" for character in value)
