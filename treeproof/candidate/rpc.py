"""What every adapter does alike: asking the four messages over some channel, and starting again after a
fault.

A channel carries JSON text one way and a JSON value the other; what the messages mean, their schemas and the
candidate's honesty are checked here. No process and no file here.
"""

from dataclasses import dataclass
from typing import Protocol

from treeproof.candidate import messages
from treeproof.candidate.adapter import Adapter, CandidateFault, Limits, ProcessOptions, UnsupportedByAdapter
from treeproof.candidate.manifest import Target
from treeproof.candidate.messages import (
    Call,
    CallResult,
    InitializeResult,
    Json,
    MessageError,
    Method,
    ToolDefinition,
)


@dataclass(frozen=True)
class RpcResponse:
    """A result as a JSON value, and the bytes it was read from."""

    result: Json
    raw: bytes


class Transport(Protocol):
    """A way to one candidate. All methods but ``drop`` may raise CandidateFault; ``open`` also UsageError.

    ``ask`` raises CannotAsk for what the channel cannot carry, before anything is sent, and ``fresh`` where no
    process can be started anew.
    """

    @property
    def pid(self) -> int | None:
        """The process that lives from message to message, if there is one."""

    @property
    def respects_file_modes(self) -> bool:
        """Whether file modes bind the candidate; known once it is open."""

    def open(self) -> None:
        """Make the candidate ready for ``initialize``."""

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        """Send one message; ``params`` is JSON text on one line. The answer is due within ``seconds``."""

    def ensure_started(self, call: Call) -> None:
        """Where the process depends on the call: start the one that would answer it."""

    def close(self, seconds: float) -> str | None:
        """Let the candidate go in an orderly way; what was disorderly about it, in words, or None."""

    def kill(self) -> None:
        """End the candidate at once, whatever state it is in; nothing of it remains. Idempotent."""

    def spawn(self, options: ProcessOptions) -> "Transport":
        """A channel, not yet open, to the same candidate in a new process."""

    def captured_output(self) -> str:
        """The bounded, escaped end of what the candidate said beside the protocol."""


class RpcAdapter:
    """An Adapter over a channel."""

    def __init__(self, kind: str, transport: Transport, target: Target, limits: Limits) -> None:
        self.kind = kind
        self.target = target.text
        # What was disorderly about the last close, in words; worth a remark, never a verdict.
        self.close_problem: str | None = None
        self._transport = transport
        self._parsed_target = target
        self._limits = limits
        self._workspace: str | None = None
        self._initialize_result: InitializeResult | None = None
        self._is_open = False

    @property
    def pid(self) -> int | None:
        return self._transport.pid

    @property
    def respects_file_modes(self) -> bool:
        return self._transport.respects_file_modes

    def start(self, workspace: str) -> InitializeResult:
        self.close()
        self._workspace = workspace
        self._initialize_result = None
        self._initialize_result = self._initialize(workspace)
        return self._initialize_result

    def describe(self, tool: str) -> ToolDefinition:
        params = messages.describe_params(tool)
        self._ensure_open()
        return messages.parse_tool_definition(
            self._send_request("describe", params, self._limits.call_seconds).result
        )

    def call(self, call: Call) -> CallResult:
        params = messages.call_params(call)
        self._ensure_open()
        reply = self._send_request("call", params, self._limits.call_seconds)
        return messages.parse_call_result(reply.result, reply.raw)

    def ensure_started(self, call: Call) -> None:
        self._ensure_open()
        try:
            self._transport.ensure_started(call)
        except CandidateFault:
            self._discard()
            raise

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
        return RpcAdapter(self.kind, self._transport.spawn(options), self._parsed_target, self._limits)

    def captured_output(self) -> str:
        return self._transport.captured_output()

    def _ensure_open(self) -> None:
        if self._is_open:
            return
        if self._workspace is None:
            raise RuntimeError("the adapter was not started")
        try:
            hello = self._initialize(self._workspace)
        except CandidateFault as fault:
            raise CandidateFault(fault.kind, f"when started again: {fault.detail}") from None
        if self._initialize_result is not None and hello != self._initialize_result:
            self._is_open = False
            self._transport.kill()
            different = [
                name
                for name in vars(hello)
                if name != "raw" and getattr(hello, name) != getattr(self._initialize_result, name)
            ]
            raise CandidateFault(
                "inconsistent", f"started again, it declares other {' and '.join(different)} than before"
            )

    def _initialize(self, workspace: str) -> InitializeResult:
        params = messages.initialize_params(workspace)
        self._is_open = True
        try:
            self._transport.open()
            hello = messages.parse_initialize_result(
                self._send_request("initialize", params, self._limits.start_seconds).result
            )
            return self._parsed_target.apply_manifest(hello)
        except BaseException:
            self._is_open = False
            self._transport.kill()
            raise

    def _send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        try:
            reply = self._transport.send_request(method, params, seconds)
            messages.validate_result(method, reply.result)
        except CandidateFault as fault:
            self._discard()
            raise CandidateFault(fault.kind, f"{method}: {fault.detail}") from fault.__cause__
        except UnsupportedByAdapter:
            raise
        except MessageError as problem:
            self._discard()
            raise CandidateFault("protocol", str(problem)) from None
        except BaseException:
            # Nobody knows what the candidate is doing now (the user pressed Ctrl-C): it must not answer
            # later.
            self._discard()
            raise
        return reply

    def _discard(self) -> None:
        self._is_open = False
        self._transport.kill()
