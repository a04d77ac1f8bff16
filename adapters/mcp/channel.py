"""The channel to an MCP server: the suite's messages in, ``tools/list`` and ``tools/call`` out.

Everything is asked with a deadline. Processes are started and ended here, on the caller's thread.
"""

import json
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from treeproof.candidate import Call, CandidateFault, CannotAsk, Launch, Limits, Method, Reply, Target, shown
from treeproof.candidate.framing import NotJson, decoded
from treeproof.candidate.mcp_meta import CONTEXT

from . import values
from .loop import Loop
from .places import Places
from .session import Ended, Refused, Session, Unfit
from .wire import Streams, Wire

Result = TypeVar("Result")

_CONNECTION_CLOSED = -32000  # as the SDK says it of an answer that stopped in the middle


class Reach(Protocol):
    """Where a server is and how it is started; ``pipes`` and ``web`` have one each."""

    @property
    def pid(self) -> int | None: ...

    @property
    def takes_a_root(self) -> bool: ...

    @property
    def heeds_modes(self) -> bool: ...

    def start(self, root: str, wire: Wire) -> AbstractAsyncContextManager[Streams]: ...

    def leave(self, seconds: float) -> str | None: ...

    def end(self) -> None: ...

    def release(self) -> None: ...

    def why_ended(self) -> CandidateFault: ...

    def said(self) -> str: ...

    def fresh(self, launch: Launch) -> "Reach": ...

    def diagnostics(self) -> str: ...


class McpServer:
    """The channel; one server at a time, started anew for each fixture where ``Places`` says so."""

    def __init__(self, target: Target, limits: Limits, reach: Reach) -> None:
        self._target = target
        self._limits = limits
        self._reach = reach
        self._wire = Wire()
        self._loop: Loop | None = None
        self._session: Session | None = None
        self._tools: list[dict[str, Any]] = []
        self._places: Places | None = None
        self._root = ""
        self._seconds = 0.0  # that the answer at hand may take

    @property
    def pid(self) -> int | None:
        return self._reach.pid

    @property
    def heeds_modes(self) -> bool:
        return self._reach.heeds_modes

    def open(self) -> None:
        """Nothing yet: the workspace, which may be the server's root, comes with ``initialize``."""
        self.drop()

    def ask(self, method: Method, params: str, seconds: float) -> Reply:
        self._seconds = seconds
        deadline = time.monotonic() + seconds
        result: dict[str, Any] | None
        match method:
            case "initialize":
                result = self._initialized(json.loads(params)["workspace"], deadline)
            case "describe":
                self._tools = self._run(self._live().tools(), deadline)
                result = values.definition(
                    values.found(self._remote(json.loads(params)["tool"]), self._tools)
                )
            case "call":
                result = self._called(_Asked.of(params), seconds)
            case "shutdown":
                result = None
        return Reply(result, json.dumps(result).encode())

    def stand_by(self, call: Call) -> None:
        if self._places is not None and (root := self._places.root_of(call.context)) != self._root:
            self._restarted(root)

    def close(self, seconds: float) -> str | None:
        """MCP has no farewell: its stdin is closed, and then it should exit."""
        if self._session is None:
            return None
        disorder = None
        try:
            self._run(self._session.close(), time.monotonic() + seconds)
            disorder = self._reach.leave(seconds)
        except CandidateFault as fault:
            disorder = fault.detail
        return disorder and f"shutdown: {disorder}"

    def drop(self) -> None:
        self._reach.end()
        if self._loop is None or self._loop.stop():
            self._reach.release()
        self._loop = self._session = None

    def fresh(self, launch: Launch) -> "McpServer":
        return McpServer(self._target, self._limits, self._reach.fresh(launch))

    def diagnostics(self) -> str:
        return self._reach.diagnostics()

    # --- the messages ---

    def _initialized(self, workspace: str, deadline: float) -> dict[str, Any]:
        greeting = self._started(workspace, deadline)
        result = values.hello(greeting, self._tools, self._target)
        told = values.declaration(greeting) is not None or bool(self._target.capabilities)
        self._places = Places.of(
            self._target, told=told, takes_a_root=self._reach.takes_a_root, workspace=workspace
        )
        return result

    def _called(self, asked: "_Asked", seconds: float) -> dict[str, Any]:
        assert self._places is not None
        places = self._places
        remote = self._remote(asked.tool)
        arguments, spelled = asked.arguments, asked.spelled
        if isinstance(arguments, dict):
            own = self._target.tools.get(asked.tool)
            arguments = places.arguments(own, arguments, asked.context)
            if arguments != asked.arguments:
                asked.refuse_members_twice()
                spelled = None
        else:  # nothing that MCP carries, so it is put on the wire as it stands
            places.arguments(None, {}, asked.context)
        if (root := places.root_of(asked.context)) != self._root:
            self._restarted(root)
        self._wire.spelled = spelled
        meta = {CONTEXT: asked.context} if places.told else {}
        sent = arguments if isinstance(arguments, dict) else {}
        try:
            answer = self._run(self._live().call(remote, sent, meta), time.monotonic() + seconds)
        except Refused as error:
            return values.refusal(
                error.code, error.message, error.data, self._target, arguments=asked.arguments
            )
        return values.result(answer, self._target)

    def _remote(self, name: str) -> str:
        tool = self._target.tools.get(name)
        return (tool.remote if tool else None) or name

    # --- the server ---

    def _live(self) -> Session:
        if self._session is None:
            raise RuntimeError("the server is not open")
        return self._session

    def _started(self, root: str, deadline: float) -> dict[str, Any]:
        """Start it below ``root`` and learn its tools; what it greets with."""
        self._loop = self._loop or Loop()
        self._wire = Wire()
        self._root = root
        self._session = Session(self._reach.start(root, self._wire), self._wire)
        try:
            self._run(self._session.open(), deadline)
            self._tools = self._run(self._session.tools(), deadline)
        except Refused as error:
            raise self._glue(error) from None
        return self._session.greeting

    def _restarted(self, root: str) -> None:
        before = [tool["name"] for tool in self._tools]
        self.drop()
        seconds, self._seconds = self._seconds, self._limits.start_seconds
        self._started(root, time.monotonic() + self._seconds)
        self._seconds = seconds
        if [tool["name"] for tool in self._tools] != before:
            raise CandidateFault("lying", "started for another root, it offers other tools than before")

    def _run(self, work: Coroutine[Any, Any, Result], deadline: float) -> Result:
        """Its result. Raises Refused, and CandidateFault for all else that keeps an answer back."""
        assert self._loop is not None
        left = deadline - time.monotonic()
        try:
            return self._loop.run(work, left)
        except TimeoutError:
            raise self._wire.fault or CandidateFault(
                "hang", f"no answer within {self._seconds:g} s{self._reach.said()}"
            ) from None
        except Refused as error:
            if self._wire.fault is not None:
                raise self._wire.fault from None
            if error.code == _CONNECTION_CLOSED and self._reach.pid is None:
                raise CandidateFault("exit", f"it did not end its answer: {shown(error.message)}") from None
            raise
        except Ended:
            raise self._wire.fault or self._reach.why_ended() from None
        except Unfit as misfit:
            raise self._wire.fault or CandidateFault(
                "protocol", f"its answer is not what MCP says: {misfit}"
            ) from None

    def _glue(self, error: Refused) -> CandidateFault:
        return CandidateFault("glue", f"it answered with the JSON-RPC error {error}{self._reach.said()}")


@dataclass(frozen=True)
class _Asked:
    """The params of one ``call``; ``spelled`` is the text of its arguments where no value keeps that spelling."""

    tool: str
    arguments: Any
    spelled: str | None
    context: dict[str, Any]

    @classmethod
    def of(cls, params: str) -> "_Asked":
        """From the text that ``messages.call_params`` makes. Raises CannotAsk."""
        message = json.loads(params)
        arguments = message["arguments"]
        plain = json.dumps(arguments, separators=(",", ":"))
        start = len(f'{{"tool":{json.dumps(message["tool"])},"arguments":')
        _, end = json.JSONDecoder().raw_decode(params, _skip_blanks(params, start))
        text = params[start:end]
        if _has_lone_surrogate(plain):
            raise CannotAsk("the MCP SDK does not send a text that is no Unicode (a lone surrogate)")
        is_spelled = text != plain or not isinstance(arguments, dict)
        return cls(message["tool"], arguments, text if is_spelled else None, message["context"])

    def refuse_members_twice(self) -> None:
        """Raises CannotAsk where mapping the arguments would lose that one of them is there twice."""
        if self.spelled is None:
            return
        try:
            decoded(self.spelled.encode())
        except NotJson as problem:
            raise CannotAsk(f"mapped arguments cannot keep this spelling: {problem}") from None


def _skip_blanks(text: str, start: int) -> int:
    while text[start] in " \t":
        start += 1
    return start


def _has_lone_surrogate(text: str) -> bool:
    """Whether JSON text in ASCII holds half of a pair alone."""
    if "\\ud" not in text:
        return False
    value = json.dumps(json.loads(text), ensure_ascii=False)
    return any("\ud800" <= character <= "\udfff" for character in value)
