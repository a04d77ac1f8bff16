"""The common part of all adapters: sending the four messages over a transport, and restarting after a fault.

A transport sends JSON text and returns a JSON value. Schemas and the consistency of the candidate's
declarations are checked here. Contains no processes and no files.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from treeproof.candidate import messages
from treeproof.candidate.adapter import (
    Adapter,
    CandidateFault,
    Limits,
    ProcessOptions,
    RefusedByGlue,
    UnsupportedByAdapter,
)
from treeproof.candidate.framing import decode_json
from treeproof.candidate.manifest import Target
from treeproof.candidate.messages import (
    ERROR_KINDS,
    UNCLASSIFIED,
    Call,
    CallResult,
    InitializeResult,
    Json,
    MessageError,
    Method,
    ToolDefinition,
)
from treeproof.candidate.tool_mapping import is_same, map_arguments, map_output, remote_name, tool_of
from treeproof.candidate.untrusted import format_untrusted


def require_unique_members(text: str) -> None:
    """Raise UnsupportedByAdapter if mapping arguments, given as JSON text, would lose a duplicate member."""
    try:
        decode_json(text.encode())
    except MessageError as problem:
        raise UnsupportedByAdapter(f"mapped arguments cannot keep this spelling: it {problem.problem}") from None


@dataclass(frozen=True)
class RpcResponse:
    """A result as a JSON value, and the bytes it was read from."""

    result: Json
    raw: bytes


class Transport(Protocol):
    """A connection to one candidate. All methods but ``kill`` may raise CandidateFault; ``open`` also UsageError.

    ``send_request`` raises UnsupportedByAdapter, before anything is sent, for a request that the transport cannot
    transmit; ``spawn`` raises it if no new process can be started.
    """

    @property
    def pid(self) -> int | None:
        """Id of the process that serves several messages, if any."""

    @property
    def respects_file_modes(self) -> bool:
        """Whether file modes apply to the candidate; known once it is open."""

    def open(self) -> None:
        """Prepare the candidate for ``initialize``."""

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        """Send one message and return the response, due within ``seconds``; ``params`` is JSON text on one line."""

    def ensure_started(self, call: Call) -> None:
        """Start the process that would answer the call, where that depends on the call."""

    def close(self, seconds: float) -> str | None:
        """End the candidate in an orderly way; return a description of the problem, if any."""

    def kill(self) -> None:
        """End the candidate and its processes at once, in any state. Idempotent."""

    def spawn(self, options: ProcessOptions) -> "Transport":
        """Return a transport, not yet open, to the same candidate in a new process."""

    def captured_output(self) -> str:
        """Return the bounded, escaped end of the candidate's output outside the protocol."""


class RpcAdapter:
    """An Adapter over a transport."""

    def __init__(
        self, kind: str, transport: Transport, target: Target, limits: Limits, *, maps_calls: bool = True
    ) -> None:
        """``maps_calls``: names and arguments are mapped here, not by the transport."""
        self.kind = kind
        self._maps_calls = maps_calls and bool(target.tools)
        self.target = target.text
        # Problem of the last close, if any; reported, but without effect on verdicts.
        self.close_problem: str | None = None
        self._transport = transport
        self._parsed_target = target
        self._limits = limits
        self._workspace: str | None = None
        self._initialize_result: InitializeResult | None = None
        self._is_open = False
        self._schemas: dict[str, Mapping[str, Json]] = {}
        """The schemas of the arguments of mapped tools."""

    @property
    def pid(self) -> int | None:
        return self._transport.pid

    @property
    def respects_file_modes(self) -> bool:
        return self._transport.respects_file_modes

    @property
    def shares_root(self) -> bool:
        """Whether the candidate may use the trees of the whole run in every call: it does not know the call's root."""
        return bool(getattr(self._transport, "shares_root", False))

    def start(self, workspace: str) -> InitializeResult:
        self.close()
        self._workspace = workspace
        self._initialize_result = None
        self._initialize_result = self._initialize(workspace)
        self._read_schemas()
        return self._initialize_result

    def describe(self, tool: str) -> ToolDefinition:
        params = messages.describe_params(self._remote_name(tool))
        self._ensure_open()
        return messages.parse_tool_definition(self._send_request("describe", params, self._limits.call_seconds).result)

    def call(self, call: Call) -> CallResult:
        return self.call_within(call, self._limits.call_seconds)

    def call_within(self, call: Call, seconds: float) -> CallResult:
        """Make a call with a time limit of its own. Raises as `call`."""
        drives = self._parsed_target.drives
        sent = self._map_call(call) if self._maps_calls else call
        params = messages.call_params(sent if drives is None else drives.map_call(sent))
        self._ensure_open()
        response = self._send_request("call", params, seconds)
        reason = messages.unsupported_reason(response.result)
        if reason is not None:
            raise RefusedByGlue(f"the glue cannot make this call: {format_untrusted(reason, 300)}")
        answer = messages.parse_call_result(response.result, response.raw)
        if drives is not None:
            tool = tool_of(self._parsed_target.tools, call.tool)
            answer = drives.map_answer(answer, is_native=tool is not None and tool.output is not None)
        return self._map_answer(call, answer)

    def ensure_started(self, call: Call) -> None:
        self._ensure_open()
        try:
            self._transport.ensure_started(call)
        except CandidateFault as fault:
            self._discard()
            raise CandidateFault(fault.kind, fault.detail, self._transport.captured_output()) from fault.__cause__

    def close(self) -> None:
        was_live, self._is_open, self._workspace = self._is_open, False, None
        try:
            if was_live:
                self.close_problem = self._transport.close(self._limits.close_seconds)
        except CandidateFault as fault:
            self.close_problem = fault.detail
        finally:
            self._transport.kill()

    def spawn(self, options: ProcessOptions) -> Adapter:
        transport = self._transport.spawn(options)
        other = RpcAdapter(self.kind, transport, self._parsed_target, self._limits, maps_calls=self._maps_calls)
        other._schemas = self._schemas
        return other

    def captured_output(self) -> str:
        return self._transport.captured_output()

    # ---- mapping ------------------------------------------------------------------------------------------------

    def _remote_name(self, tool: str) -> str:
        return remote_name(self._parsed_target.tools, tool) if self._maps_calls else tool

    def _read_schemas(self) -> None:
        """Read the schemas of mapped tools, once. A tool without one takes every argument."""
        for name, tool in self._parsed_target.tools.items() if self._maps_calls else ():
            if tool.is_mapped and name not in self._schemas:
                self._schemas[name] = {}
                with contextlib.suppress(CandidateFault, UnsupportedByAdapter):
                    self._schemas[name] = self.describe(name).input_schema or {}

    def _map_call(self, call: Call) -> Call:
        """Return the call under the candidate's names. Raises UnsupportedByAdapter."""
        name, tool = self._remote_name(call.tool), tool_of(self._parsed_target.tools, call.tool)
        if tool is None or not isinstance(call.arguments, dict):
            return replace(call, tool=name)
        own_name = next(own for own, each in self._parsed_target.tools.items() if each is tool)
        arguments = map_arguments(tool, call.arguments, call.context, self._schemas.get(own_name))
        if is_same(arguments, call.arguments):
            return replace(call, tool=name)
        if call.arguments_text is not None:
            require_unique_members(call.arguments_text)
        return replace(call, tool=name, arguments=arguments, arguments_text=None)

    def _map_answer(self, call: Call, answer: CallResult) -> CallResult:
        tool = tool_of(self._parsed_target.tools, call.tool)
        if tool is None or answer.status != "ok":
            return answer
        text = answer.content or ""
        if tool.error is not None and tool.error.search(text):
            kind = self._parsed_target.kind_of_error(text) or UNCLASSIFIED
            return replace(answer, status="error", content=None, error_kind=kind, error_message=text)
        if tool.output is None:
            return answer
        roots = call.context["roots"]
        mapped = map_output(tool.output, text, str(roots[0]) if isinstance(roots, list) else "")
        return answer if mapped.content is None else replace(answer, content=mapped.content, is_mapped=True)

    def _map_error_kind(self, result: Json) -> Json:
        """Return the result of a call with the kind of the manifest in place of a word of the candidate."""
        error = result.get("error") if isinstance(result, dict) else None
        if not self._parsed_target.error_kinds or not isinstance(error, dict):
            return result
        if error.get("kind") in (*ERROR_KINDS, *self._parsed_target.own_error_kinds):
            return result
        assert isinstance(result, dict)
        kind = self._parsed_target.kind_of_error(f"{error.get('kind', '')}: {error.get('message', '')}")
        return {**result, "error": {**error, "kind": kind or UNCLASSIFIED}}

    def _validate(self, method: messages.Method, result: Json) -> None:
        """Raise MessageError for a result that violates the schema, with the kinds of errors of the specifications."""
        try:
            messages.validate_result(method, self._without_own_kind(result))
        except messages.MessageError as error:
            own = self._parsed_target.own_error_kinds
            if not own or not error.where.endswith(".error.kind"):
                raise
            raise messages.MessageError(error.where, f"{error.problem}, {', '.join(own)}") from None

    def _without_own_kind(self, result: Json) -> Json:
        """Return a result for the published schema, which knows no kinds of single specifications."""
        error = result.get("error") if isinstance(result, dict) else None
        if not isinstance(error, dict) or error.get("kind") not in self._parsed_target.own_error_kinds:
            return result
        assert isinstance(result, dict)
        return {**result, "error": {**error, "kind": UNCLASSIFIED}}

    # ---- requests -----------------------------------------------------------------------------------------------

    def _ensure_open(self) -> None:
        if self._is_open:
            return
        if self._workspace is None:
            raise RuntimeError("the adapter was not started")
        try:
            result = self._initialize(self._workspace)
        except CandidateFault as fault:
            raise CandidateFault(fault.kind, f"when started again: {fault.detail}", fault.output) from None
        if self._initialize_result is not None and result != self._initialize_result:
            self._discard()
            different = [
                name
                for name in vars(result)
                if name != "raw" and getattr(result, name) != getattr(self._initialize_result, name)
            ]
            raise CandidateFault(
                "inconsistent", f"started again, it declares other {' and '.join(different)} than before"
            )

    def _initialize(self, workspace: str) -> InitializeResult:
        drives = self._parsed_target.drives
        params = messages.initialize_params(workspace if drives is None else drives.native(workspace))
        self._is_open = True
        try:
            self._transport.open()
            response = self._send_request("initialize", params, self._limits.start_seconds)
            return self._parsed_target.apply_manifest(messages.parse_initialize_result(response.result))
        except BaseException:
            self._discard()
            raise

    def _send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        try:
            response = self._transport.send_request(method, params, seconds)
            if method == "call":
                response = replace(response, result=self._map_error_kind(response.result))
            self._validate(method, response.result)
        except CandidateFault as fault:
            self._discard()
            detail = fault.detail if method == "call" else f"{method}: {fault.detail}"
            raise CandidateFault(fault.kind, detail, self._transport.captured_output(), method) from fault.__cause__
        except UnsupportedByAdapter:
            raise
        except MessageError as problem:
            self._discard()
            raise CandidateFault("protocol", str(problem), self._transport.captured_output(), method) from None
        except BaseException:
            # The candidate's state is unknown (the user pressed Ctrl-C): it must not answer later.
            self._discard()
            raise
        return response

    def _discard(self) -> None:
        self._is_open = False
        self._transport.kill()
