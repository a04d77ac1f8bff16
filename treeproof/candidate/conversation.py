"""What every adapter does alike: asking the four messages over some channel, and starting again after a
fault.

A channel carries JSON text one way and a JSON value the other; what the messages mean, their schemas and the
candidate's honesty are checked here. No process and no file here.
"""

from dataclasses import dataclass
from typing import Protocol

from treeproof.candidate import messages
from treeproof.candidate.contract import Adapter, CandidateFault, CannotAsk, Launch, Limits
from treeproof.candidate.manifest import Target
from treeproof.candidate.messages import Answer, Call, Definition, Hello, Json, MessageError, Method


@dataclass(frozen=True)
class Reply:
    """A result as a JSON value, and the bytes it was read from."""

    result: Json
    raw: bytes


class Channel(Protocol):
    """A way to one candidate. All methods but ``drop`` may raise CandidateFault; ``open`` also UsageError.

    ``ask`` raises CannotAsk for what the channel cannot carry, before anything is sent, and ``fresh`` where no
    process can be started anew.
    """

    @property
    def pid(self) -> int | None:
        """The process that lives from message to message, if there is one."""

    @property
    def heeds_modes(self) -> bool:
        """Whether file modes bind the candidate; known once it is open."""

    def open(self) -> None:
        """Make the candidate ready for ``initialize``."""

    def ask(self, method: Method, params: str, seconds: float) -> Reply:
        """Send one message; ``params`` is JSON text on one line. The answer is due within ``seconds``."""

    def stand_by(self, call: Call) -> None:
        """Where the process depends on the call: start the one that would answer it."""

    def close(self, seconds: float) -> str | None:
        """Let the candidate go in an orderly way; what was disorderly about it, in words, or None."""

    def drop(self) -> None:
        """End the candidate at once, whatever state it is in; nothing of it remains. Idempotent."""

    def fresh(self, launch: Launch) -> "Channel":
        """A channel, not yet open, to the same candidate in a new process."""

    def diagnostics(self) -> str:
        """The bounded, escaped end of what the candidate said beside the protocol."""


class Conversation:
    """An Adapter over a channel."""

    def __init__(self, kind: str, channel: Channel, target: Target, limits: Limits) -> None:
        self.kind = kind
        self.target = target.text
        # What was disorderly about the last close, in words; worth a remark, never a verdict.
        self.farewell: str | None = None
        self._channel = channel
        self._declared = target
        self._limits = limits
        self._workspace: str | None = None
        self._hello: Hello | None = None
        self._live = False

    @property
    def pid(self) -> int | None:
        return self._channel.pid

    @property
    def heeds_modes(self) -> bool:
        return self._channel.heeds_modes

    def start(self, workspace: str) -> Hello:
        self.close()
        self._workspace = workspace
        self._hello = None
        self._hello = self._initialized(workspace)
        return self._hello

    def describe(self, tool: str) -> Definition:
        params = messages.describe_params(tool)
        self._ready()
        return messages.definition(self._ask("describe", params, self._limits.call_seconds).result)

    def call(self, call: Call) -> Answer:
        params = messages.call_params(call)
        self._ready()
        reply = self._ask("call", params, self._limits.call_seconds)
        return messages.answer(reply.result, reply.raw)

    def stand_by(self, call: Call) -> None:
        self._ready()
        try:
            self._channel.stand_by(call)
        except CandidateFault:
            self._lose()
            raise

    def close(self) -> None:
        was_live, self._live, self._workspace = self._live, False, None
        try:
            if was_live:
                self.farewell = self._channel.close(self._limits.close_seconds)
        except CandidateFault as fault:
            self.farewell = fault.detail
        finally:
            self._channel.drop()

    def fresh(self, launch: Launch) -> Adapter:
        return Conversation(self.kind, self._channel.fresh(launch), self._declared, self._limits)

    def diagnostics(self) -> str:
        return self._channel.diagnostics()

    def _ready(self) -> None:
        if self._live:
            return
        if self._workspace is None:
            raise RuntimeError("the adapter was not started")
        try:
            hello = self._initialized(self._workspace)
        except CandidateFault as fault:
            raise CandidateFault(fault.fault, f"when started again: {fault.detail}") from None
        if self._hello is not None and hello != self._hello:
            self._live = False
            self._channel.drop()
            different = [
                name
                for name in vars(hello)
                if name != "raw" and getattr(hello, name) != getattr(self._hello, name)
            ]
            raise CandidateFault(
                "lying", f"started again, it declares other {' and '.join(different)} than before"
            )

    def _initialized(self, workspace: str) -> Hello:
        params = messages.initialize_params(workspace)
        self._live = True
        try:
            self._channel.open()
            hello = messages.hello(self._ask("initialize", params, self._limits.start_seconds).result)
            return self._declared.agreed(hello)
        except BaseException:
            self._live = False
            self._channel.drop()
            raise

    def _ask(self, method: Method, params: str, seconds: float) -> Reply:
        try:
            reply = self._channel.ask(method, params, seconds)
            messages.checked_result(method, reply.result)
        except CandidateFault as fault:
            self._lose()
            raise CandidateFault(fault.fault, f"{method}: {fault.detail}") from fault.__cause__
        except CannotAsk:
            raise
        except MessageError as problem:
            self._lose()
            raise CandidateFault("protocol", str(problem)) from None
        except BaseException:
            # Nobody knows what the candidate is doing now (the user pressed Ctrl-C): it must not answer
            # later.
            self._lose()
            raise
        return reply

    def _lose(self) -> None:
        self._live = False
        self._channel.drop()
