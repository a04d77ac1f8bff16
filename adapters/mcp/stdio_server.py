"""An MCP server that treeproof starts as a process, connected by pipes.

The calling thread starts and ends the process; the event loop only reads and writes. Each line of its stdout must
be one JSON-RPC message, as MCP requires.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import IO

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCMessage, jsonrpc_message_adapter
from pydantic import ValidationError

from treeproof.candidate import (
    CandidateFault,
    CandidateProcess,
    Limits,
    MessageError,
    ProcessOptions,
    TailBuffer,
    Target,
    format_untrusted,
    framing,
)
from treeproof.candidate.process import is_ignored

from ..root_placeholders import accepts_root, accepts_roots, require_own_directory, with_roots
from ..stdio import start_process
from .connection_state import ConnectionState, Streams

_TERM_SECONDS = 0.5
_EXIT_SECONDS = 5.0  # between the end of its output and its exit, also on a busy machine


class StdioServer:
    """A server that can be started repeatedly, each time with another root."""

    respects_file_modes = True  # CandidateProcess drops the capabilities

    def __init__(self, target: Target, limits: Limits, options: ProcessOptions) -> None:
        self._target = target
        self._limits = limits
        self._options = options
        self._process: CandidateProcess | None = None
        self._streams: tuple[IO[bytes], ...] = ()
        self._stderr = TailBuffer(limits.stderr_bytes)

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @property
    def accepts_root(self) -> bool:
        """Whether the server's command line, environment or cwd contains the placeholder of the fixture's root."""
        return accepts_root(self._target)

    @property
    def accepts_roots(self) -> bool:
        """Whether it is started with all roots of a call."""
        return accepts_roots(self._target)

    def start(self, roots: tuple[str, ...], connection: ConnectionState) -> AbstractAsyncContextManager[Streams]:
        """Start it below ``roots``; return its connection, not yet open. Raises CandidateFault."""
        self.terminate()
        self.close_pipes()
        self._stderr = TailBuffer(self._limits.stderr_bytes)
        target = with_roots(self._target, roots)
        self._process = start_process(target.argv, target, self._options, self._stderr)
        self._streams = self._process.detach_streams()
        return _open_streams(self._streams, self._stderr, self._limits.answer_bytes, connection, target.ignored_output)

    def shut_down(self, seconds: float) -> str | None:
        """Wait for its end after its stdin is closed; return a description of the problem, if any."""
        if self._process is None:
            return None
        problem = self._process.shut_down(seconds)
        self._process.terminate(_TERM_SECONDS)
        return problem

    def terminate(self) -> None:
        """End it at once. Idempotent."""
        if self._process is not None:
            self._process.terminate()
            self._process = None

    def close_pipes(self) -> None:
        """Close its pipes, after the event loop has stopped. Idempotent."""
        for stream in self._streams:
            stream.close()
        self._streams = ()

    def no_answer_fault(self) -> CandidateFault:
        """Return the fault for a missing answer."""
        ending = self._process and self._process.wait_for_exit(_EXIT_SECONDS)
        what = f"the process {ending}" if ending else "it closed its stdout instead of answering"
        headline = self._stderr.headline()
        return CandidateFault("exit", f"{what}: {headline}" if headline else what)

    def stderr_note(self) -> str:
        """Return the last line of its stderr as the end of a message."""
        line = self._stderr.last_line()
        return f"; its stderr ends in '{line}'" if line else ""

    def spawn(self, options: ProcessOptions) -> "StdioServer":
        require_own_directory(self._target, options)
        return StdioServer(self._target, self._limits, options)

    def captured_output(self) -> str:
        return self._stderr.format_lines()


@asynccontextmanager
async def _open_streams(
    streams: tuple[IO[bytes], ...],
    stderr: TailBuffer,
    limit: int,
    connection: ConnectionState,
    ignored: re.Pattern[str] | None,
) -> AsyncGenerator[Streams]:
    """Yield the two streams of an SDK session over three pipes, and close them afterwards."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=limit)
    requests, control = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), streams[0]
    )
    answers, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), streams[1])
    diagnostics, _ = await loop.connect_read_pipe(lambda: _StderrProtocol(stderr), streams[2])
    writer = asyncio.StreamWriter(requests, control, None, loop)
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = (
        asyncio.create_task(_receive_messages(reader, limit, to_session, connection, ignored)),
        asyncio.create_task(_send_messages(from_session, writer, connection)),
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
        await asyncio.sleep(0)  # they release their pipes in the next iteration of the loop


async def _receive_messages(
    reader: asyncio.StreamReader,
    limit: int,
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
    connection: ConnectionState,
    ignored: re.Pattern[str] | None,
) -> None:
    async with to_session:
        try:
            while line := await _read_line(reader, limit):
                if is_ignored(ignored, line):
                    continue
                await to_session.send(SessionMessage(_parse_message(line)))
        except CandidateFault as fault:
            connection.record_fault(fault)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return  # the session has ended
        finally:
            connection.is_ended = True


async def _read_line(reader: asyncio.StreamReader, limit: int) -> bytes:
    """Return the next line without its end; b"" at the end. Raises CandidateFault: output_limit, framing."""
    try:
        return (await reader.readuntil(b"\n")).removesuffix(b"\n") or b" "
    except asyncio.LimitOverrunError:
        raise CandidateFault("output_limit", f"its answer is longer than {limit} bytes") from None
    except asyncio.IncompleteReadError as end:
        if end.partial:
            partial = format_untrusted(bytes(end.partial), 120)
            raise CandidateFault("framing", f"its output ends in the middle of a line: '{partial}'") from None
        return b""


def _parse_message(line: bytes) -> JSONRPCMessage:
    """Return the message in a line. Raises CandidateFault ``framing``."""
    try:
        return jsonrpc_message_adapter.validate_python(framing.decode_json(line), by_name=False)
    except MessageError as problem:
        phrase = problem.problem
    except ValidationError:
        phrase = "is not a JSON-RPC message"
    quoted = format_untrusted(line, 120)
    raise CandidateFault("framing", f"a line of its stdout {phrase} (logs belong on stderr): '{quoted}'")


async def _send_messages(
    from_session: MemoryObjectReceiveStream[SessionMessage],
    writer: asyncio.StreamWriter,
    connection: ConnectionState,
) -> None:
    async with from_session:
        async for message in from_session:
            # ASCII, so that every string can be sent.
            text = json.dumps(message.message.model_dump(by_alias=True, exclude_unset=True))
            writer.write(connection.insert_arguments_text(text.encode()) + b"\n")
            try:
                await writer.drain()
            except OSError:  # it has stopped reading: its output or its exit decides
                return


class _StderrProtocol(asyncio.Protocol):
    """Keeps the end of stderr."""

    def __init__(self, tail: TailBuffer) -> None:
        self._tail = tail

    def data_received(self, data: bytes) -> None:
        self._tail.write(data)
