"""Adapter kind ``stdio``: a candidate in any language that answers JSON-RPC lines on its stdin and stdout.

One process serves all calls. Kind ``python`` uses this transport for scenarios that need a new process.
"""

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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
from treeproof.candidate.isolation import isolated_environment

from .command_line import absolute_files
from .root_placeholders import (
    accepts_root,
    require_directories,
    require_own_directory,
    roots_of,
    with_roots,
    without_root_in_cwd,
)

_TERM_SECONDS = 0.5


def connect(target: Target, limits: Limits) -> Adapter:
    """Return an adapter, not yet started, to a command line. Raises UsageError if its program is missing."""
    require_program(without_root_in_cwd(target))
    return RpcAdapter("stdio", StdioTransport(target.argv, target, limits, ProcessOptions()), target, limits)


class StdioTransport:
    """The transport to a process that answers line by line."""

    respects_file_modes = True  # CandidateProcess drops the capabilities

    def __init__(self, argv: Sequence[str], target: Target, limits: Limits, options: ProcessOptions) -> None:
        self._argv = tuple(argv)
        self._target = target
        self._limits = limits
        self._options = options
        self._process: CandidateProcess | None = None
        self._request_count = 0
        self._stderr = TailBuffer(limits.stderr_bytes)
        # Of a program that gets its roots at its start: those of the process, the workspace, and its `initialize`.
        self._roots: tuple[str, ...] | None = () if accepts_root(target) else None
        self._workspace = self._initialize_params = ""

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.program_pid or None

    def open(self) -> None:
        self.kill()
        self._stderr = TailBuffer(self._limits.stderr_bytes)
        if self._roots is None:
            self._process = self._start(self._argv, self._target)

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        if self._roots is not None:
            self._start_with_roots(method, params)
        return self._exchange(method, params, seconds)

    def _start_with_roots(self, method: Method, params: str) -> None:
        """Start the process again if the roots of a message are not those of its start."""
        if method == "initialize":
            self._initialize_params, self._workspace = params, str(json.loads(params)["workspace"])
            self._restart((self._workspace,))
        elif method == "call":
            self._require_roots(json.loads(params)["context"])

    def _require_roots(self, context: Mapping[str, Any]) -> None:
        roots = roots_of(context, self._workspace)
        if roots != self._roots or self._process is None:
            require_directories(roots)
            self._restart(roots)
            self._exchange("initialize", self._initialize_params, self._limits.start_seconds)

    def _restart(self, roots: tuple[str, ...]) -> None:
        self.kill()
        target = with_roots(self._target, roots)
        self._process = self._start(target.argv or self._argv, target)
        self._roots = roots

    def _start(self, argv: Sequence[str], target: Target) -> CandidateProcess:
        """Return a new process of the candidate. Raises CandidateFault ``start``."""
        return start_process(argv, target, self._options, self._stderr)

    def _exchange(self, method: Method, params: str, seconds: float) -> RpcResponse:
        if self._process is None:
            raise RuntimeError("the candidate is not open")
        self._request_count += 1
        request = framing.encode_request(self._request_count, method, params)
        line = self._process.exchange_line(request, seconds, self._limits.answer_bytes)
        return RpcResponse(framing.parse_response(line, self._request_count), line)

    def ensure_started(self, call: Call) -> None:
        """Start the process for the roots of the call, if it gets them at its start; else one answers all calls."""
        if self._roots is not None:
            self._require_roots(call.context)

    def close(self, seconds: float) -> str | None:
        if self._process is None:
            return None
        try:
            response = self.send_request("shutdown", messages.shutdown_params(), seconds)
            messages.validate_result("shutdown", response.result)
            problem = self._process.shut_down(seconds)
        except (CandidateFault, messages.MessageError) as fault:
            problem = str(fault)
        self._process.terminate(_TERM_SECONDS)
        return problem and f"shutdown: {problem}"

    def kill(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process = None

    def spawn(self, options: ProcessOptions) -> "StdioTransport":
        require_own_directory(self._target, options)
        return StdioTransport(self._argv, self._target, self._limits, options)

    def captured_output(self) -> str:
        return self._stderr.format_lines()


def require_program(target: Target) -> None:
    """Raise UsageError unless the first word of the target's command line is a program."""
    program = target.argv[0]
    # A word with a slash starts from the candidate's working directory; any other is looked up on its PATH.
    path = target.working_directory / program if "/" in program else Path(program)
    if shutil.which(path, path=target.env.get("PATH")) is None:
        source, name = target.manifest or f"TARGET {format_untrusted(target.text)}", format_untrusted(program)
        if "/" in program and path.is_dir():
            raise UsageError(f"{source}: '{name}' is a folder; name a program in it")
        if "/" in program and path.exists():
            raise UsageError(
                f"{source}: '{name}' is not executable; set the execute bit, or name its interpreter first, "
                f"as in 'node {name}'"
            )
        where = f"below {target.working_directory}" if "/" in program else "on the PATH"
        raise UsageError(f"{source}: there is no program '{name}' {where}")


def start_process(
    argv: Sequence[str], target: Target, options: ProcessOptions, stderr: TailBuffer, *, is_held: bool = False
) -> CandidateProcess:
    """Return a new process of the candidate; ``is_held`` as for CandidateProcess. Raises CandidateFault ``start``."""
    folder = target.working_directory
    cwd = options.cwd
    if cwd is None and target.start_directory is not None:
        cwd = os.fsencode(target.start_directory)
    if cwd is None:
        cwd = os.fsencode(folder)
    else:  # files in the working directory need absolute paths, as in ``./tool``
        argv = absolute_files(argv, folder)
    if target.drives is not None:  # the words behind the launcher and its program are read on Windows
        program = len(target.launcher) + 1
        argv = [*argv[:program], *map(target.drives.native_file, argv[program:])]
    env = _merge_environment(target.isolation is not None, target.usual_env, options.env, target.env)
    isolation: tuple[str, ...] = ()
    if target.isolation is not None:
        # Where the program is does not depend on the variables and the directory of one scenario.
        usual = _merge_environment(True, target.usual_env, target.env)
        folders = (target.folder, folder)
        isolation = target.isolation.command(argv, str(folder), os.fsdecode(cwd), folders=folders, env=usual)
    return CandidateProcess(
        argv if isolation else [*options.prefix, *argv],
        env=env,
        cwd=cwd,
        umask=options.umask,
        stderr=stderr,
        is_held=is_held,
        isolation=(*options.prefix, *isolation) if isolation else (),
        ignored=target.ignored_output,
    )


def host_command(target: Target, tools: Mapping[str, str]) -> list[str]:
    """Return the command line that serves a python target in a process of its own.

    Its import path is that of this process, behind the target's own PYTHONPATH.
    """
    own = [path for path in target.env.get("PYTHONPATH", "").split(os.pathsep) if path]
    paths = own + [path or os.getcwd() for path in sys.path]  # noqa: PTH109 - the interpreter's meaning of ""
    start = f"import sys; sys.path[:] = {paths!a}; from treeproof.candidate.host import serve; "
    serve = f"serve('stdio', {target.factory!a}, folder={str(target.folder)!a}, tools={dict(tools)!a}, "
    serve += "checks_params=False)"  # the adapter has checked them
    return [sys.executable, "-c", start + serve]


def _merge_environment(is_isolated: bool, *layers: Mapping[str, str | None]) -> dict[str, str]:
    environment = isolated_environment(os.environ) if is_isolated else dict(os.environ)
    for layer in layers:
        for name, value in layer.items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
    return environment
