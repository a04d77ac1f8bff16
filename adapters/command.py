"""Adapter kind ``command``: one process per message. The request on stdin, the response on stdout, exit 0.

No process runs between messages, so ``shutdown`` is not sent.
"""

import contextlib
import json

from treeproof.candidate import (
    Adapter,
    Call,
    Limits,
    Method,
    ProcessOptions,
    RpcAdapter,
    RpcResponse,
    TailBuffer,
    Target,
    framing,
)

from .root_placeholders import (
    accepts_root,
    require_directories,
    require_own_directory,
    roots_of,
    with_roots,
    without_root_in_cwd,
)
from .stdio import require_program, start_process


def connect(target: Target, limits: Limits) -> Adapter:
    """Return an adapter, not yet started, to a command line. Raises UsageError if its program is missing."""
    require_program(without_root_in_cwd(target))
    return RpcAdapter("command", CommandTransport(target, limits, ProcessOptions()), target, limits)


class CommandTransport:
    """The transport to a program that runs once per message."""

    respects_file_modes = True  # CandidateProcess drops the capabilities

    def __init__(self, target: Target, limits: Limits, options: ProcessOptions) -> None:
        self._target = target
        self._limits = limits
        self._options = options
        self._request_count = 0
        self._gets_roots = accepts_root(target)
        self._workspace = ""
        self._stderr = TailBuffer(limits.stderr_bytes)

    @property
    def pid(self) -> int | None:
        return None

    def open(self) -> None:
        """Do nothing: each message starts the program."""

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        self._request_count += 1
        self._stderr = TailBuffer(self._limits.stderr_bytes)
        during_call = self._options.during_call if method == "call" else None
        is_held = during_call is not None
        target = self._target_of(method, params)
        child = start_process(target.argv, target, self._options, self._stderr, is_held=is_held)
        try:
            request = framing.encode_request(self._request_count, method, params)
            with contextlib.ExitStack() as stack:
                if during_call is not None:
                    child.wait_until_held(seconds)
                    stack.enter_context(during_call(child.program_pid))
                    child.release()
                text = child.communicate(request, seconds, self._limits.answer_bytes)
        finally:
            child.terminate()
        return RpcResponse(framing.parse_response(text, self._request_count), text)

    def _target_of(self, method: Method, params: str) -> Target:
        """Return the target with the roots of a call, if the program gets them at its start."""
        if not self._gets_roots:
            return self._target
        message = json.loads(params)
        self._workspace = str(message.get("workspace", self._workspace))
        roots = roots_of(message.get("context", {}), self._workspace)
        require_directories(roots)
        return with_roots(self._target, roots)

    def ensure_started(self, call: Call) -> None:
        """Do nothing: each message has its own process."""

    def close(self, seconds: float) -> str | None:
        return None

    def kill(self) -> None:
        """Do nothing: no process runs between messages."""

    def spawn(self, options: ProcessOptions) -> "CommandTransport":
        require_own_directory(self._target, options)
        return CommandTransport(self._target, self._limits, options)

    def captured_output(self) -> str:
        return self._stderr.format_lines()
