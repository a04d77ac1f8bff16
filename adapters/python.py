"""Adapter kind ``python``: a factory ``module:attribute`` in the harness's own process.

The fastest way to ask, and the least sealed one: results are checked as if they had come over a wire,
exceptions of any kind and prints are caught, a deadline holds on the main thread
(``treeproof.candidate.deadline`` says what it cannot interrupt), the file-mode capabilities are off. What a call
did to the process by the way (working directory, umask, limits, handlers of signals, the interpreter's depth)
is undone, and a child that it forked does not go on as the harness. What its modules keep in global variables
survives a fault. `treeproof run` asks from a process of its own, so that a candidate that ends its process, keeps
it from ending or spoils the interpreter spoils no verdict; it is better asked over ``stdio`` all the same.
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
    UsageError,
    drop_dac_capabilities,
    format_untrusted,
)
from treeproof.candidate.deadline import DeadlineExceeded, run_with_deadline
from treeproof.candidate.factory import PythonCandidate, load_candidate
from treeproof.candidate.framing import InvalidJson, decode_json
from treeproof.errors import format_exception as what_was_raised

from .stdio import StdioTransport, host_command

Argument = TypeVar("Argument")
Result = TypeVar("Result")

# What a bare function offers where no manifest says otherwise.
DEFAULT_FUNCTION_TOOLS = {"list_directory": "list_directory@1.1"}

_to_json = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def connect(target: Target, limits: Limits) -> Adapter:
    """An adapter, not yet started, to the factory of a target of kind ``python``."""
    return RpcAdapter("python", InProcessTransport(target, limits), target, limits)


class InProcessTransport:
    """The channel to a candidate in this process. Each opening asks the factory for a new candidate."""

    respects_file_modes = True  # without_dac sees to it

    def __init__(self, target: Target, limits: Limits) -> None:
        self._target = target
        self._limits = limits
        self._tools = {
            name: tool.claimed_spec for name, tool in target.tools.items()
        } or DEFAULT_FUNCTION_TOOLS
        self._candidate: PythonCandidate | None = None
        self._captured = TailBuffer(limits.stderr_bytes)
        self._output = _text_writer(self._captured)
        self._without_dac = drop_dac_capabilities()

    @property
    def pid(self) -> int | None:
        return None

    def open(self) -> None:
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
                raise CandidateFault(
                    "output_limit", f"its answer is longer than {self._limits.answer_bytes} bytes"
                )
            return RpcResponse(decode_json(raw), raw)
        except InvalidJson as problem:
            raise CandidateFault("framing", f"its answer {problem}") from None
        except (TypeError, ValueError, RecursionError) as problem:
            raise CandidateFault(
                "framing",
                f"its result is a {type(result).__name__} that is not JSON: {format_untrusted(str(problem), 200)}",
            ) from None

    def ensure_started(self, call: Call) -> None:
        """Nothing: there is no process but this one."""

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
        return StdioTransport(host_command(self._target, self._tools), self._target, self._limits, options)

    def captured_output(self) -> str:
        return self._captured.format_lines()

    def _run_guarded(
        self,
        function: Callable[[Argument], Result],
        argument: Argument,
        seconds: float,
        fault: Literal["start", "crash"],
    ) -> Result:
        """Run the candidate's code under the deadline. What it raised is its fault, a user's Ctrl-C is not."""

        def asked(value: Argument) -> Result:
            try:
                return function(value)
            except BaseException as exception:  # SystemExit, KeyboardInterrupt and RecursionError, too
                raise _CandidateRaised(exception) from None

        try:
            return run_with_deadline(seconds, asked, argument, self._isolated_call())
        except DeadlineExceeded:
            raise CandidateFault("timeout", f"no answer within {seconds:g} s") from None
        except _CandidateRaised as raised:
            if fault == "start" and isinstance(raised.exception, UsageError):
                raise raised.exception from None
            if (
                fault == "start" and self._target.text == "reference"
            ):  # a pack's own, and nobody who is judged
                told = what_was_raised(raised.exception, (self._target.factory or "").rpartition(":")[0])
                raise UsageError(
                    f"reference {self._target.factory}: cannot be started: {told}; correct it"
                ) from None
            self._capture_traceback(raised.exception)
            raise CandidateFault(fault, _describe_exception(raised.exception)) from None

    @contextlib.contextmanager
    def _isolated_call(self) -> Iterator[None]:
        """For one call: without the capabilities, prints kept back; what it did to the process is undone."""
        if self._output.closed:
            self._output = _text_writer(self._captured)
        before = sys.stdout, sys.stderr, sys.stdin
        try:
            sys.stdout = sys.stderr = self._output
            sys.stdin = io.StringIO()
            with _restoring_process_state(), self._without_dac:
                yield
        finally:
            sys.stdout, sys.stderr, sys.stdin = before

    def _capture_traceback(self, exception: BaseException) -> None:
        with contextlib.suppress(Exception):  # its __str__ may do anything
            lines = traceback.format_exception(type(exception), exception, exception.__traceback__, limit=-8)
            self._captured.write("".join(lines).encode("utf-8", "backslashreplace"))


class _CandidateRaised(Exception):
    """The candidate's code raised ``exception``."""

    def __init__(self, exception: BaseException) -> None:
        self.exception = exception


_RESTORED_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE)
"""Signals whose handlers are the harness's; `within` sees to SIGINT and SIGALRM."""

_RESTORED_LIMITS = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC)

_exit = os._exit


@contextlib.contextmanager
def _restoring_process_state() -> Iterator[None]:
    """What a call did to the process as a whole is undone after it. A forked child that comes back here ends."""
    process, place, mask = os.getpid(), _working_directory(), os.umask(0o077)
    os.umask(mask)
    depth, trace, profile = sys.getrecursionlimit(), sys.gettrace(), sys.getprofile()
    limits = [(limit, resource.getrlimit(limit)) for limit in _RESTORED_LIMITS]
    on_main = threading.current_thread() is threading.main_thread()
    handlers = [(number, signal.getsignal(number)) for number in _RESTORED_SIGNALS] if on_main else []
    try:
        yield
    finally:
        if os.getpid() != process:
            _exit(0)
        if sys.gettrace() is not trace:
            sys.settrace(trace)
        if sys.getprofile() is not profile:
            sys.setprofile(profile)
        if sys.getrecursionlimit() != depth:
            sys.setrecursionlimit(depth)
        os.umask(mask)
        if place is not None and _working_directory() != place:
            os.chdir(place)
        for number, handler in handlers:
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)
        for limit, value in limits:
            if resource.getrlimit(limit) != value:
                resource.setrlimit(
                    limit, value
                )  # raises where a hard limit is gone: the harness cannot work on


def _working_directory() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109 - no Path is made for every call
    except OSError:  # it has been removed
        return None


def _text_writer(tail: TailBuffer) -> io.TextIOWrapper:
    # The stubs ask for more of a stream than is used of one that is only written to.
    return io.TextIOWrapper(tail, "utf-8", "backslashreplace", write_through=True)  # type: ignore[arg-type]


def _describe_exception(exception: BaseException) -> str:
    """The exception's class, text and place, on one line."""
    try:
        text = format_untrusted(str(exception), 200)
    except Exception:  # its __str__ may do anything
        text = "(it cannot be shown)"
    place = ""
    trace = exception.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None and trace.tb_frame.f_code.co_filename != __file__:
        place = f" at {format_untrusted(trace.tb_frame.f_code.co_filename, 200)}:{trace.tb_lineno}"
    return f"it raised {type(exception).__name__}{': ' if text else ''}{text}{place}"
