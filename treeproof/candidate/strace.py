"""Attaches strace to a running candidate for one call. Linux only, where ptrace is allowed.

Contains the process, the handshake and the log; the caller chooses what to trace or inject.
"""

import contextlib
import fcntl
import os
import re
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

_TIMEOUT_SECONDS = 60.0
"""A limit for what never ends. It is long because what is only slow, on a busy machine, must not change a verdict."""
_MAX_LOG_BYTES = 32 * 1024 * 1024
_PIPE_BYTES = 1024 * 1024
_ATTACHED = re.compile(rb"strace: Process (\d+) attached")


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

    Raises TraceUnavailable on entering, and on leaving if the trace is incomplete, since missing calls may have
    happened. ``trace`` is available after leaving.
    """

    def __init__(self, pids: Sequence[int], args: Sequence[bytes], log: Path) -> None:
        self._pids = tuple(pids)
        self._args = tuple(args)
        self._log = log
        self._strace: subprocess.Popen[bytes] | None = None
        self.trace = Trace(())

    def __enter__(self) -> Self:
        command = [find_strace(), *STRACE_FLAGS, b"-o", os.fsencode(self._log), *self._args]
        for pid in self._pids:
            command += [b"-p", str(pid).encode()]
        try:
            self._strace = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                process_group=0,  # Ctrl-C on a terminal must not reach it
            )
        except OSError as refusal:  # the filters of a wide tree may be too long for a command line
            raise TraceUnavailable(f"strace cannot be started: {refusal.strerror}") from refusal
        try:
            self._wait_until_attached(self._strace)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        killed = self._strace is not None and (self._strace.poll() or 0) < 0
        stderr = self._stop()
        killed = killed or stderr is None
        self.trace = read_trace(self._log, stderr or b"")
        if killed and error is None:
            raise TraceUnavailable("strace was killed before the end of the call")

    def _wait_until_attached(self, strace: "subprocess.Popen[bytes]") -> None:
        assert strace.stderr is not None
        with contextlib.suppress(AttributeError, OSError):
            # The pipe is not read during the call: a full one would block strace, and the candidate with it.
            fcntl.fcntl(strace.stderr, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        output, unattached, deadline = b"", set(self._pids), time.monotonic() + _TIMEOUT_SECONDS
        while unattached:
            remaining = deadline - time.monotonic()
            ready, _, _ = select.select([strace.stderr], [], [], max(0.0, remaining))
            chunk = os.read(strace.stderr.fileno(), 65536) if ready else b""
            if not chunk:
                last_line = output.decode("utf-8", "replace").strip().split("\n")[-1][:200]
                raise TraceUnavailable(
                    f"strace cannot attach to the candidate: {last_line or 'strace printed nothing'}"
                )
            output += chunk
            unattached -= {int(pid) for pid in _ATTACHED.findall(output)}

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


STRACE_FLAGS = (b"-f", b"-y", b"-s", b"4096")


def find_strace() -> bytes:
    """Return the path of strace. Raises TraceUnavailable if it is not installed."""
    found = shutil.which("strace")
    if found is None:
        raise TraceUnavailable("strace is not installed")
    return os.fsencode(found)


def read_trace(log: Path, stderr: bytes = b"") -> Trace:
    """Return strace's output in ``log``, empty if there is no file, and remove the file.

    ``stderr`` is strace's stderr. Raises TraceUnavailable when the log is incomplete.
    """
    try:
        with log.open("rb") as stream:
            text = stream.read(_MAX_LOG_BYTES + 1)
        log.unlink()
    except FileNotFoundError:
        return Trace(())
    complaint = re.search(rb"^[^\n]*: " + re.escape(os.fsencode(log)) + rb": (.+)$", stderr, re.MULTILINE)
    if complaint:
        raise TraceUnavailable(f"strace could not write its log: {complaint[1].decode('utf-8', 'replace')}")
    if len(text) > _MAX_LOG_BYTES:
        raise TraceUnavailable(f"the trace of one call is longer than {_MAX_LOG_BYTES >> 20} MiB")
    return Trace(tuple(text.decode("utf-8", "replace").split("\n")))
