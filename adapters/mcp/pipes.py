"""A server as a program of the suite's own: started, heard over its pipes, ended.

The process is started and ended by the thread that asks; only reading and writing happen in the loop. Each line of its
stdout must be one JSON-RPC message, as MCP says.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter
from pydantic import ValidationError

from treeproof.candidate import CandidateFault, Child, Launch, Limits, Tail, Target, framing, shown
from treeproof.candidate.manifest import ROOT

from ..stdio import launched
from .wire import Streams, Wire

_TERM_SECONDS = 0.5
_EXIT_SECONDS = 0.2  # between the end of its output and its exit


class Program:
    """A server that the suite starts with a root, as often as it likes."""

    heeds_modes = True  # as every child of the suite

    def __init__(self, target: Target, limits: Limits, launch: Launch) -> None:
        self._target = target
        self._limits = limits
        self._launch = launch
        self._child: Child | None = None
        self._streams: tuple[IO[bytes], ...] = ()
        self._stderr = Tail(limits.stderr_bytes)

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.pid

    @property
    def takes_a_root(self) -> bool:
        """Whether the root of a fixture can be told to it when it is started."""
        words = (*self._target.argv, *self._target.env.values(), str(self._target.cwd or ""))
        return any(ROOT in word for word in words)

    def start(self, root: str, wire: Wire) -> AbstractAsyncContextManager[Streams]:
        """Start it below ``root``; what comes back is its connection, not yet open. Raises CandidateFault."""
        self.end()
        self.release()
        self._stderr = Tail(self._limits.stderr_bytes)
        target = _below(self._target, root)
        self._child = launched(target.argv, target, self._launch, self._stderr)
        self._streams = self._child.hand_over()
        return _connection(self._streams, self._stderr, self._limits.answer_bytes, wire)

    def leave(self, seconds: float) -> str | None:
        """Wait for its end, once its stdin is closed; what was disorderly about it, in words, or None."""
        if self._child is None:
            return None
        disorder = self._child.leave(seconds)
        self._child.end(_TERM_SECONDS)
        return disorder

    def end(self) -> None:
        """End it at once. Idempotent."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def release(self) -> None:
        """Close its pipes, once no loop listens to them any more. Idempotent."""
        for stream in self._streams:
            stream.close()
        self._streams = ()

    def why_ended(self) -> CandidateFault:
        """Why there is no answer."""
        ending = self._child and self._child.ended_within(_EXIT_SECONDS)
        return CandidateFault("exit", f"it {ending or 'closed its stdout'} instead of answering{self.said()}")

    def said(self) -> str:
        """The last that it wrote to stderr, to be put after a sentence."""
        line = self._stderr.last_line()
        return f"; its stderr ends in '{line}'" if line else ""

    def fresh(self, launch: Launch) -> "Program":
        return Program(self._target, self._limits, launch)

    def diagnostics(self) -> str:
        return self._stderr.shown()


def at_home(target: Target) -> Target:
    """The target as it runs where nothing says otherwise: a cwd that waits for a root is none.

    Its words that name a file there become absolute, since elsewhere they would name nothing.
    """
    if target.cwd is None or ROOT not in str(target.cwd):
        return target
    home = target.folder
    return replace(
        target,
        cwd=None,
        argv=tuple(str(home / word) if (home / word).is_file() else word for word in target.argv),
    )


def _below(target: Target, root: str) -> Target:
    """The target with the root of a fixture in the places that wait for one."""
    home = at_home(target)
    return replace(
        home,
        argv=tuple(word.replace(ROOT, root) for word in home.argv),
        env={name: value.replace(ROOT, root) for name, value in home.env.items()},
        cwd=target.cwd and Path(str(target.cwd).replace(ROOT, root)),
    )


@asynccontextmanager
async def _connection(
    streams: tuple[IO[bytes], ...], stderr: Tail, limit: int, wire: Wire
) -> AsyncGenerator[Streams]:
    """The two streams of an SDK session over three pipes, which are closed when it is over."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=limit)
    requests, control = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), streams[0]
    )
    answers, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), streams[1])
    diagnostics, _ = await loop.connect_read_pipe(lambda: _Draining(stderr), streams[2])
    writer = asyncio.StreamWriter(requests, control, None, loop)
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = (
        asyncio.create_task(_hear(reader, limit, to_session, wire)),
        asyncio.create_task(_tell(from_session, writer, wire)),
    )
    try:
        yield from_server, to_server
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        for stream in (to_session, from_server, to_server, from_session):
            stream.close()
        requests.abort()
        answers.close()
        diagnostics.close()
        await asyncio.sleep(0)  # they let go of their pipes one turn later


async def _hear(
    reader: asyncio.StreamReader,
    limit: int,
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
    wire: Wire,
) -> None:
    async with to_session:
        try:
            while line := await _line(reader, limit):
                await to_session.send(SessionMessage(_message(line)))
        except CandidateFault as fault:
            wire.broke(fault)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return  # the session is over
        finally:
            wire.ended = True


async def _line(reader: asyncio.StreamReader, limit: int) -> bytes:
    """The next line without its end; b"" when there is none. Raises CandidateFault: flood, framing."""
    try:
        return (await reader.readuntil(b"\n")).removesuffix(b"\n") or b" "
    except asyncio.LimitOverrunError:
        raise CandidateFault("flood", f"its answer is longer than {limit} bytes") from None
    except asyncio.IncompleteReadError as end:
        if end.partial:
            so_far = shown(bytes(end.partial), 120)
            raise CandidateFault("framing", f"its output ends in the middle of a line: '{so_far}'") from None
        return b""


def _message(line: bytes) -> JSONRPCMessage:
    """The message in a line. Raises CandidateFault ``framing``."""
    try:
        return jsonrpc_message_adapter.validate_python(framing.decoded(line), by_name=False)
    except framing.NotJson as problem:
        why = str(problem)
    except ValidationError:
        why = "is no JSON-RPC message"
    quoted = shown(line, 120)
    raise CandidateFault("framing", f"a line of its stdout {why} (logs belong on stderr): '{quoted}'")


async def _tell(
    from_session: MemoryObjectReceiveStream[SessionMessage], writer: asyncio.StreamWriter, wire: Wire
) -> None:
    async with from_session:
        async for message in from_session:
            # ASCII, so that every text can be sent.
            text = json.dumps(message.message.model_dump(by_alias=True, exclude_unset=True))
            writer.write(wire.spell(text.encode()) + b"\n")
            try:
                await writer.drain()
            except OSError:  # it reads no more: what it writes, or how it ends, decides
                return


class _Draining(asyncio.Protocol):
    """Keeps the end of what comes."""

    def __init__(self, tail: Tail) -> None:
        self._tail = tail

    def data_received(self, data: bytes) -> None:
        self._tail.write(data)
