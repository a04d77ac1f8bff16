"""Adapter kind ``python``: a factory ``module:attribute``, served by ``treeproof.candidate.host`` in a process.

What a specification names (its reference, mutants, variants) runs in treeproof's own process, which is faster. Results
are checked like those of other kinds; exceptions and prints are caught; a deadline holds on the main thread; the
file-mode capabilities are off. Changes of a call to the process (working directory, umask, limits, signal handlers,
recursion limit) are undone.
"""

import contextlib
import io
import json
import os
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

from treeproof.candidate import (
    Adapter,
    Call,
    CandidateFault,
    Limits,
    MessageError,
    Method,
    ProcessOptions,
    RpcAdapter,
    RpcResponse,
    TailBuffer,
    Target,
    Transport,
    UsageError,
    drop_dac_capabilities,
    format_untrusted,
)
from treeproof.candidate.deadline import DeadlineExceeded, raw_signal, run_with_deadline
from treeproof.candidate.factory import PythonCandidate, load_candidate
from treeproof.candidate.framing import decode_json
from treeproof.candidate.host import CANDIDATE_RAISED, USAGE_MARK
from treeproof.errors import format_exception

from .stdio import StdioTransport, host_command

Argument = TypeVar("Argument")
Result = TypeVar("Result")

# Tools of a bare function without a manifest.
DEFAULT_FUNCTION_TOOLS = {"list_directory": "list_directory@1.1"}

_RAISED = f"it answered with the JSON-RPC error {CANDIDATE_RAISED}: "
"""How a fault begins when the host passes on an exception of the candidate."""

_to_json = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def connect(target: Target, limits: Limits) -> Adapter:
    """Return an adapter, not yet started, to the factory of a target of kind ``python``."""
    transport: Transport = InProcessTransport(target, limits)
    if not target.is_own or target.isolation is not None:
        transport = transport.spawn(ProcessOptions())
    return RpcAdapter("python", transport, target, limits)


class HostedTransport(StdioTransport):
    """The transport to a factory in a process of its own."""

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        try:
            return super().send_request(method, params, seconds)
        except CandidateFault as fault:
            if fault.kind == "glue" and fault.detail.startswith(_RAISED):
                raise CandidateFault("crash", f"it raised {fault.detail.removeprefix(_RAISED)}") from None
            if method != "initialize" or fault.kind != "exit":
                raise
            last = self.captured_output().rpartition("\n")[2]
            if last.startswith(USAGE_MARK):
                raise UsageError(last.removeprefix(USAGE_MARK)) from None
            raise CandidateFault("start", fault.detail) from None

    def spawn(self, options: ProcessOptions) -> StdioTransport:
        return HostedTransport(self._argv, self._target, self._limits, options)


class InProcessTransport:
    """The transport to a candidate in this process. Each opening creates a new candidate."""

    respects_file_modes = True  # the capabilities are dropped for each call

    def __init__(self, target: Target, limits: Limits) -> None:
        self._target = target
        self._limits = limits
        declared = {name: tool.claimed_spec for name, tool in target.tools.items()}
        self._tools = declared or target.function_tools or DEFAULT_FUNCTION_TOOLS
        self._candidate: PythonCandidate | None = None
        self._captured = TailBuffer(limits.stderr_bytes)
        self._output = _text_writer(self._captured)
        self._dropped_capabilities = drop_dac_capabilities()

    @property
    def pid(self) -> int | None:
        return None

    def open(self) -> None:
        # Without the output of an earlier candidate: faults quote it.
        self._captured = TailBuffer(self._limits.stderr_bytes)
        self._output = _text_writer(self._captured)
        entry, folder = self._target.factory or "", self._target.folder
        self._candidate = self._run_guarded(
            lambda tools: load_candidate(entry, folder, tools),
            self._tools,
            self._limits.start_seconds,
            "start",
        )

    def send_request(self, method: Method, params: str, seconds: float) -> RpcResponse:
        if self._candidate is None:
            raise RuntimeError("the candidate is not open")
        try:
            value = json.loads(params)
        except (ValueError, RecursionError) as problem:
            raise MessageError(f"{method}: params", f"cannot be read by Python's json: {problem}") from None
        result = self._run_guarded(getattr(self._candidate, method), value, seconds, "crash")
        try:
            raw = _to_json(result).encode()
            if len(raw) > self._limits.answer_bytes:
                raise CandidateFault("output_limit", f"its answer is longer than {self._limits.answer_bytes} bytes")
            return RpcResponse(decode_json(raw), raw)
        except MessageError as problem:
            raise CandidateFault("framing", f"its answer {problem.problem}") from None
        except (TypeError, ValueError, RecursionError) as problem:
            raise CandidateFault(
                "framing",
                f"its result is a {type(result).__name__} that is not JSON: {format_untrusted(str(problem), 200)}",
            ) from None

    def ensure_started(self, call: Call) -> None:
        """Do nothing: the candidate has no process of its own."""

    def close(self, seconds: float) -> str | None:
        shutdown = getattr(self._candidate, "shutdown", None)
        if callable(shutdown):
            try:
                self._run_guarded(shutdown, {}, seconds, "crash")
            except CandidateFault as fault:
                return f"shutdown: {fault.detail}"
        return None

    def kill(self) -> None:
        self._candidate = None

    def spawn(self, options: ProcessOptions) -> StdioTransport:
        return HostedTransport(host_command(self._target, self._tools), self._target, self._limits, options)

    def captured_output(self) -> str:
        return self._captured.format_lines()

    def _run_guarded(
        self,
        function: Callable[[Argument], Result],
        argument: Argument,
        seconds: float,
        fault: Literal["start", "crash"],
    ) -> Result:
        """Run the candidate's code under the deadline. Its exceptions are faults; a user's Ctrl-C is not."""

        def call(value: Argument) -> Result:
            try:
                return function(value)
            except BaseException as exception:  # SystemExit, KeyboardInterrupt and RecursionError, too
                raise _CandidateRaised(exception) from None

        try:
            return run_with_deadline(seconds, call, argument, self._isolated_call())
        except DeadlineExceeded:
            raise CandidateFault("timeout", f"no answer within {seconds:g} s") from None
        except _CandidateRaised as raised:
            if fault == "start" and isinstance(raised.exception, UsageError):
                raise raised.exception from None
            if fault == "start" and self._target.text == "reference":  # part of a pack, not a candidate
                cause = format_exception(raised.exception, (self._target.factory or "").rpartition(":")[0])
                raise UsageError(f"reference {self._target.factory}: cannot be started: {cause}; correct it") from None
            self._capture_traceback(raised.exception)
            raise CandidateFault(fault, _describe_exception(raised.exception)) from None

    @contextlib.contextmanager
    def _isolated_call(self) -> Iterator[None]:
        """Run one call without the capabilities, with captured prints, and undo its changes to the process."""
        if self._output.closed:
            self._output = _text_writer(self._captured)
        before = sys.stdout, sys.stderr, sys.stdin
        try:
            sys.stdout = sys.stderr = self._output
            sys.stdin = io.StringIO()
            with _restoring_process_state(), self._dropped_capabilities:
                self._enter_start_directory()
                yield
        finally:
            sys.stdout, sys.stderr, sys.stdin = before

    def _enter_start_directory(self) -> None:
        if self._target.start_directory is None:
            return
        try:
            os.chdir(self._target.start_directory)
        except OSError as refusal:
            raise CandidateFault("workspace", f"its working directory is gone: {refusal.strerror}") from None

    def _capture_traceback(self, exception: BaseException) -> None:
        with contextlib.suppress(Exception):  # its __str__ may do anything
            lines = traceback.format_exception(type(exception), exception, exception.__traceback__, limit=-8)
            self._captured.write("".join(lines).encode("utf-8", "backslashreplace"))


class _CandidateRaised(Exception):
    """The candidate's code raised ``exception``."""

    def __init__(self, exception: BaseException) -> None:
        self.exception = exception


_RESTORED_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE)
"""Signals whose handlers are restored here; `run_with_deadline` restores those of SIGINT and SIGALRM."""

_RESTORED_LIMITS = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC)


@contextlib.contextmanager
def _restoring_process_state() -> Iterator[None]:
    """Undo a call's changes to the process."""
    directory, mask = _working_directory(), os.umask(0o077)
    os.umask(mask)
    depth, trace, profile = sys.getrecursionlimit(), sys.gettrace(), sys.getprofile()
    limits = [(limit, resource.getrlimit(limit)) for limit in _RESTORED_LIMITS]
    on_main = threading.current_thread() is threading.main_thread()
    handlers = [(number, raw_signal.getsignal(number)) for number in _RESTORED_SIGNALS] if on_main else []
    try:
        yield
    finally:
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        if sys.getprofile() is not profile:
            sys.setprofile(profile)
        if sys.getrecursionlimit() != depth:
            sys.setrecursionlimit(depth)
        os.umask(mask)
        if directory is not None and _working_directory() != directory:
            os.chdir(directory)
        for number, handler in handlers:
            if handler is not None and raw_signal.getsignal(number) is not handler:
                raw_signal.signal(number, handler)
        for limit, value in limits:
            if resource.getrlimit(limit) != value:
                resource.setrlimit(limit, value)  # raises if a hard limit was lowered: no way to continue


def _working_directory() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109 - Path is slower, and this runs for every call
    except OSError:  # it has been removed
        return None


def _text_writer(tail: TailBuffer) -> io.TextIOWrapper:
    # The stubs require more methods of a stream than writing needs.
    return io.TextIOWrapper(tail, "utf-8", "backslashreplace", write_through=True)  # type: ignore[arg-type]


def _describe_exception(exception: BaseException) -> str:
    """Return the exception's class, text and place, on one line."""
    try:
        text = format_untrusted(str(exception), 200)
    except Exception:  # its __str__ may do anything
        text = "(it cannot be shown)"
    where = ""
    trace = exception.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None and trace.tb_frame.f_code.co_filename != __file__:
        where = f" at {format_untrusted(trace.tb_frame.f_code.co_filename, 200)}:{trace.tb_lineno}"
    return f"it raised {type(exception).__name__}{': ' if text else ''}{text}{where}"
