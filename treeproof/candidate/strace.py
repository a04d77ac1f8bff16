"""Attaches strace to a running candidate for one call. Linux only, where ptrace is allowed.

Contains the process, the handshake and the log; the caller chooses what to trace or inject, and an action during an
injected delay. The log has no name, so no path leads a candidate to it. strace never starts a candidate, which would
then be able to reach strace.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from treeproof.candidate.orphans import has_ended

_TIMEOUT_SECONDS = 60.0
"""A limit for what never ends. It is long because what is only slow, on a busy machine, must not change a verdict."""
_MAX_LOG_BYTES = 32 * 1024 * 1024
_PIPE_BYTES = 1024 * 1024
_POLL_SECONDS = 0.1
"""The interval of the check for processes that end while strace attaches."""
_ATTACHED = re.compile(rb"strace: Process (\d+) attached")
_REFUSED = re.compile(rb"attach: ptrace\(\w+, (\d+)\)")
_END_SECONDS = 2.0
"""How long a process to which strace cannot attach may take to end."""
_FLAGS = (b"-f", b"-y", b"-s", b"4096")


class TraceUnavailable(Exception):
    """A process cannot be traced here; the message is one line: the cause and a remedy."""


@dataclass(frozen=True)
class Trace:
    """The output of strace, one line per system call."""

    lines: tuple[str, ...]

    @property
    def injected_count(self) -> int:
        """Number of calls that failed or waited by injection."""
        return sum(line.endswith(("(INJECTED)", "(DELAYED)")) for line in self.lines)


class Tracer:
    """A context manager: inside it, the processes ``pids`` run under strace with ``args``.

    Processes that have ended are left out. Raises TraceUnavailable on entering, and on leaving if the trace is
    incomplete, since missing calls may have happened. ``trace`` is available after leaving.
    """

    def __init__(self, pids: Sequence[int], args: Sequence[bytes]) -> None:
        self._pids = tuple(pids)
        self._args = tuple(args)
        self._log = -1
        self._strace: subprocess.Popen[bytes] | None = None
        self.trace = Trace(())

    def __enter__(self) -> Self:
        program = _find_strace()
        pids = {pid for pid in self._pids if not has_ended(pid)}
        if not pids:
            raise TraceUnavailable("the candidate's process has ended")
        self._log = _open_log()
        try:
            self._strace = self._start(program, pids)
            self._wait_until_attached(self._strace, pids)
        except BaseException:
            self._stop()
            os.close(self._log)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        killed = self._strace is not None and (self._strace.poll() or 0) < 0
        stderr = self._stop()
        killed = killed or stderr is None
        try:
            self.trace = _read_trace(self._log, stderr or b"")
        finally:
            os.close(self._log)
        if killed and error is None:
            raise TraceUnavailable("strace was killed before the end of the call")

    def during_delay(self, action: Callable[[], object] | None) -> contextlib.AbstractContextManager[object]:
        """Return a context in which ``action`` runs once a call of the candidate waits in a delay of ``args``."""
        return contextlib.nullcontext() if action is None else DelayWatch(self._log, self._args, action)

    def _start(self, program: bytes, pids: set[int]) -> subprocess.Popen[bytes]:
        command = [program, *_FLAGS, b"-o", _log_path(self._log), *self._args]
        for pid in sorted(pids):
            command += [b"-p", str(pid).encode()]
        try:
            strace = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(self._log,),
                restore_signals=False,  # SIGXFSZ stays ignored: a log at its limit is an error of one write
                process_group=0,  # Ctrl-C on a terminal must not reach it
            )
        except OSError as refusal:  # the filters of a wide tree may be too long for a command line
            raise TraceUnavailable(f"strace cannot be started: {refusal.strerror}") from refusal
        with contextlib.suppress(AttributeError, OSError):  # without prlimit only the reader has a limit
            resource.prlimit(strace.pid, resource.RLIMIT_FSIZE, (_MAX_LOG_BYTES + 1, _MAX_LOG_BYTES + 1))
        return strace

    def _wait_until_attached(self, strace: subprocess.Popen[bytes], unattached: set[int]) -> None:
        assert strace.stderr is not None
        with contextlib.suppress(AttributeError, OSError):
            # The pipe is not read during the call: a full one would block strace, and the candidate with it.
            fcntl.fcntl(strace.stderr, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        output, attached, deadline = b"", set[int](), time.monotonic() + _TIMEOUT_SECONDS
        while unattached := {pid for pid in unattached - attached if not has_ended(pid)}:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TraceUnavailable(_describe_failure(output, "strace did not attach to the candidate in time"))
            if not select.select([strace.stderr], [], [], min(remaining, _POLL_SECONDS))[0]:
                continue
            chunk = os.read(strace.stderr.fileno(), 65536)
            if not chunk:
                raise TraceUnavailable(_describe_failure(output, "strace ended before it attached"))
            output += chunk
            attached |= {int(pid) for pid in _ATTACHED.findall(output)}
            if unattached & {int(pid) for pid in _REFUSED.findall(output)}:  # unless it is about to end
                deadline = min(deadline, time.monotonic() + _END_SECONDS)
        if not attached:
            raise TraceUnavailable("the candidate's process has ended")

    def _stop(self) -> bytes | None:
        """End strace, which detaches from the processes; return its stderr, None if it had to be killed."""
        strace, self._strace = self._strace, None
        if strace is None:
            return b""
        strace.send_signal(signal.SIGINT)
        try:
            return strace.communicate(timeout=_TIMEOUT_SECONDS)[1]
        except subprocess.TimeoutExpired:
            strace.kill()
            strace.communicate()
            return None


def _find_strace() -> bytes:
    found = shutil.which("strace")
    if found is None:
        raise TraceUnavailable("strace is not installed")
    return os.fsencode(found)


def _open_log() -> int:
    """Return a descriptor of a new file without a name. Raises TraceUnavailable.

    A log with a name is in the candidate's reach: it could replace it, or make it a link to another file.
    """
    try:
        return os.memfd_create("trace")
    except (AttributeError, OSError):  # not Linux, or a kernel or a sandbox without it
        pass
    try:
        with tempfile.TemporaryFile() as unnamed:
            return os.dup(unnamed.fileno())
    except OSError as refusal:
        raise TraceUnavailable(f"there is no place for the log of strace: {refusal.strerror}") from refusal


def _log_path(log: int) -> bytes:
    """Return the path by which strace opens its inherited descriptor."""
    return b"/proc/self/fd/%d" % log


def _describe_failure(output: bytes, problem: str) -> str:
    last_line = output.decode("utf-8", "replace").strip().split("\n")[-1][:200] or "strace printed nothing"
    if _REFUSED.search(output):
        return f"strace cannot attach to the candidate: {last_line}"
    return f"{problem}: {last_line}"


def _read_trace(log: int, stderr: bytes) -> Trace:
    """Return the output of strace, whose stderr is ``stderr``. Raises TraceUnavailable if it is incomplete."""
    with open(os.dup(log), "rb") as stream:
        stream.seek(0)
        text = stream.read(_MAX_LOG_BYTES + 1)
    if len(text) > _MAX_LOG_BYTES:
        raise TraceUnavailable(f"the trace of one call is longer than {_MAX_LOG_BYTES >> 20} MiB")
    complaint = re.search(rb"^[^\n]*: " + re.escape(_log_path(log)) + rb": (.+)$", stderr, re.MULTILINE)
    if complaint:
        raise TraceUnavailable(f"strace could not write its log: {complaint[1].decode('utf-8', 'replace')}")
    return Trace(tuple(text.decode("utf-8", "replace").split("\n")))


_DELAY_POLL_SECONDS = 0.002
_TAIL_BYTES = 65536
_DELAYED_CALLS = re.compile(rb"^inject=(.+):delay_enter=\d+$")
_END_OF_DELAY = b"(DELAYED)"


class DelayWatch:
    """A context manager: inside it, ``action`` runs once, in a thread, as soon as a call waits.

    ``log`` is the descriptor of strace's log, ``args`` are its arguments. strace writes a call before it lets it wait,
    and the end of the line when the call has returned, so the action does not depend on the speed of the machine.
    """

    def __init__(self, log: int, args: Sequence[bytes], action: Callable[[], object]) -> None:
        injections = [match[1] for arg in args if (match := _DELAYED_CALLS.match(arg))]
        names = b"|".join(name.lstrip(b"?") for injection in injections for name in injection.split(b","))
        self._begin = re.compile(rb"^(?:\d+ +)?(?:" + names + rb")\(", re.MULTILINE)
        self._log = log
        self._action = action
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._wait, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._has_ended.set()
        self._thread.join()

    def _wait(self) -> None:
        while not self._has_ended.is_set():
            if self._is_waiting():
                self._action()
                return
            self._has_ended.wait(_DELAY_POLL_SECONDS)

    def _is_waiting(self) -> bool:
        start = max(0, os.fstat(self._log).st_size - _TAIL_BYTES)
        text = os.pread(self._log, _TAIL_BYTES, start)
        return len(self._begin.findall(text)) > text.count(_END_OF_DELAY)
