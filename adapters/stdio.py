"""Adapter kind ``stdio``: a candidate in any language that answers JSON-RPC lines on its stdin and stdout.

The process lives from call to call. Kind ``python`` uses the same channel when a scenario needs a fresh
process.
"""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from treeproof.candidate import (
    Adapter,
    Call,
    CandidateFault,
    CandidateProcess,
    Limits,
    Method,
    ProcessOptions,
    RpcAdapter,
    RpcResponse,
    TailBuffer,
    Target,
    UsageError,
    format_untrusted,
    framing,
    messages,
)

_TERM_SECONDS = 0.5


def connect(target: Target, limits: Limits) -> Adapter:
    """An adapter, not yet started, to a command line. Raises UsageError where its program is missing."""
    require_program(target)
    return RpcAdapter("stdio", StdioTransport(target.argv, target, limits, ProcessOptions()), target, limits)


class StdioTransport:
    """The channel to a process that answers line by line."""

    respects_file_modes = True  # Child sees to it

    def __init__(self, argv: Sequence[str], target: Target, limits: Limits, options: ProcessOptions) -> None:
        self._argv = tuple(argv)
        self._target = target
        self._limits = limits
        self._options = options
        self._process: CandidateProcess | None = None
        self._request_count = 0
        self._stderr = TailBuffer(limits.stderr_bytes)

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def open(self) -> None:
        self.kill()
        self._stderr = TailBuffer(self._limits.stderr_bytes)
        self._process = start_process(self._argv, self._target, self._options, self._stderr)

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        if self._process is None:
            raise RuntimeError("the candidate is not open")
        self._request_count += 1
        request = framing.encode_request(self._request_count, method, params)
        line = self._process.exchange_line(request, seconds, self._limits.answer_bytes)
        return RpcResponse(framing.parse_response(line, self._request_count), line)

    def ensure_started(self, call: Call) -> None:
        """Nothing: one process answers all calls."""

    def close(self, seconds: float) -> str | None:
        if self._process is None:
            return None
        try:
            reply = self.send_request("shutdown", messages.shutdown_params(), seconds)
            messages.validate_result("shutdown", reply.result)
            disorder = self._process.shut_down(seconds)
        except (CandidateFault, messages.MessageError) as fault:
            disorder = str(fault)
        self._process.terminate(_TERM_SECONDS)
        return disorder and f"shutdown: {disorder}"

    def kill(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process = None

    def spawn(self, options: ProcessOptions) -> "StdioTransport":
        return StdioTransport(self._argv, self._target, self._limits, options)

    def captured_output(self) -> str:
        return self._stderr.format_lines()


def require_program(target: Target) -> None:
    """Raises UsageError unless the first word of the target's command line is a program."""
    program = target.argv[0]
    # A word with a slash starts from the candidate's working directory; any other is looked up on its PATH.
    place = target.working_directory / program if "/" in program else program
    if shutil.which(place, path=target.env.get("PATH")) is None:
        written_in = target.manifest or f"TARGET {format_untrusted(target.text)}"
        there = Path(place)
        if "/" in program and there.is_dir():
            raise UsageError(f"{written_in}: '{format_untrusted(program)}' is a folder; name a program in it")
        if "/" in program and there.exists():
            raise UsageError(
                f"{written_in}: '{format_untrusted(program)}' may not be executed; give it the execute bit, or name what runs it "
                f"first, as in 'node {format_untrusted(program)}'"
            )
        where = f"below {target.working_directory}" if "/" in program else "on the PATH"
        raise UsageError(f"{written_in}: there is no program '{format_untrusted(program)}' {where}")


def start_process(
    argv: Sequence[str], target: Target, options: ProcessOptions, stderr: TailBuffer
) -> CandidateProcess:
    """A process of the candidate. Raises CandidateFault ``start``."""
    home = target.working_directory
    words = list(argv)
    if options.cwd is not None:
        # Elsewhere ``./tool`` and ``server.mjs`` would name nothing: words that name a file at home become
        # absolute.
        words = [str(home / word) if os.path.isfile(home / word) else word for word in words]
    return CandidateProcess(
        [*options.command_prefix, *words],
        env=_merge_environment(target.env, options.env),
        cwd=os.fsencode(home) if options.cwd is None else options.cwd,
        umask=options.umask,
        stderr=stderr,
    )


def host_command(target: Target, tools: Mapping[str, str]) -> list[str]:
    """The command line that serves a python target in its own process, with this one's import path."""
    paths = [path or os.getcwd() for path in sys.path]  # noqa: PTH109 - as the interpreter means ""
    start = f"import sys; sys.path[:] = {paths!a}; from treeproof.candidate.host import serve; "
    serve = f"serve('stdio', {target.factory!a}, folder={str(target.folder)!a}, tools={dict(tools)!a})"
    return [sys.executable, "-c", start + serve]


def _merge_environment(*layers: Mapping[str, str | None]) -> dict[str, str]:
    environment = dict(os.environ)
    for layer in layers:
        for name, value in layer.items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
    return environment
