"""One running candidate process with its three pipes: bounded reads, deadlines, and a complete end.

Everything happens on the caller's thread in one poll loop. stderr is drained during a request; between requests a
candidate that writes too much blocks. The bytes are not interpreted here.
"""

import contextlib
import os
import re
import select
import signal
import subprocess
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from treeproof.candidate.adapter import CandidateFault
from treeproof.candidate.exit_status import describe_exit
from treeproof.candidate.isolation import limit_resources
from treeproof.candidate.orphans import find_stopped, process_tree
from treeproof.candidate.privileges import make_preexec_fn
from treeproof.candidate.task_limit import exceeded_limit, stop_watching, watch
from treeproof.candidate.untrusted import TailBuffer, format_untrusted

_CHUNK = 1 << 18
_FINAL_STDERR_CHUNKS = 64  # read from stderr after the end of the process
_POLL_SECONDS = 0.05  # interval of checks for the end of a process without a pidfd
_EXIT_SECONDS = 5.0  # between the end of its output and its exit, also on a busy machine
_TERM_SECONDS = 0.5
_HOLD_POLL_SECONDS = 0.002
_HOLD = ("sh", "-c", 'kill -STOP $$; exec "$@"', "sh")  # a tracer attaches before the program makes its first call
_KILL_SECONDS = 5.0


class CandidateProcess:
    """A candidate's process, in its own session and process group, without file-mode capabilities; it dies with its
    parent.

    ``stderr`` receives its stderr. With ``is_held`` its program does not start before `release`. ``isolation`` is the
    command line that confines it; then its resources are limited. Lines of stdout that ``ignored`` matches are left
    out. ``is_client``: a trusted program connects to the candidate, and keeps its capabilities. Raises CandidateFault
    ``start`` if it cannot be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: bytes,
        umask: int | None,
        stderr: TailBuffer,
        is_held: bool = False,
        isolation: Sequence[str] = (),
        ignored: re.Pattern[str] | None = None,
        is_client: bool = False,
    ) -> None:
        held = [*_HOLD, *argv] if is_held else argv
        prepare = make_preexec_fn(keeps_rights=is_client)
        self._process = _start_process([*isolation, *held], env, cwd, umask, prepare, is_limited=bool(isolation))
        self.pid = self._process.pid
        self.program_pid = self.pid
        """The process of the program; known for a held process that is isolated, whose parents confine it, and in a
        container, unless it is 0.
        """
        self._is_isolated = bool(isolation)
        if self._is_isolated:
            watch(self.pid)
        self._stderr_tail, self._ignored = stderr, ignored
        self._stdout_buffer = bytearray()
        self._stdin_buffer = memoryview(b"")
        self._exited = self._terminated = False
        self._poll = select.poll()
        self._streams: dict[int, IO[bytes]] = {}
        self._stdin, self._stdout, self._stderr = map(
            self._register_stream, (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._stderr, select.POLLIN)
        self._pidfd = -1
        with contextlib.suppress(AttributeError, OSError):  # Linux 5.3
            self._pidfd = os.pidfd_open(self.pid)
            self._poll.register(self._pidfd, select.POLLIN)

    def wait_until_held(self, seconds: float) -> None:
        """Wait until the process has stopped before its program. Raises CandidateFault: exit, timeout."""
        deadline = time.monotonic() + seconds
        options = os.WSTOPPED | os.WEXITED | os.WNOHANG | os.WNOWAIT
        while (state := os.waitid(os.P_PID, self.pid, options)) is None:
            if self._is_isolated and (stopped := find_stopped(process_tree(self.pid))) is not None:
                self.program_pid = stopped
                return
            if time.monotonic() > deadline:
                raise CandidateFault("timeout", f"its process did not start within {seconds:g} s")
            time.sleep(_HOLD_POLL_SECONDS)
        if state.si_code != os.CLD_STOPPED:
            raise CandidateFault("exit", f"the process {self._describe_exit()}{self._headline()}")

    def release(self) -> None:
        """Start the program of a process that was held."""
        os.kill(self.program_pid, signal.SIGCONT)

    def exchange_line(self, line: bytes, seconds: float, limit: int) -> bytes:
        """Write one line; return one line (without its end) of at most ``limit`` bytes, read within ``seconds``.

        Raises CandidateFault: exit, timeout, output_limit, framing. Then only ``terminate`` is permitted.
        """
        self._poll_once(0)
        while (end := self._stdout_buffer.find(b"\n")) >= 0 and self._is_ignored(self._stdout_buffer[:end]):
            del self._stdout_buffer[: end + 1]
        if self._stdout_buffer:
            raise CandidateFault("framing", f"it wrote to stdout before a request: {self._quote_received()}")
        if self._has_exited():
            raise CandidateFault("exit", f"before the request the process {self._describe_exit()}{self._headline()}")
        deadline = time.monotonic() + seconds
        self._write(line)
        searched = 0
        while (end := self._stdout_buffer.find(b"\n", searched)) < 0 or self._is_ignored(self._stdout_buffer[:end]):
            if end >= 0:
                del self._stdout_buffer[: end + 1]
                searched = 0
                continue
            searched = len(self._stdout_buffer)
            self._check_size(limit)
            if self._stdout not in self._streams or self._has_exited():
                if self._read_available():
                    continue
                raise self._no_answer_fault()
            self._poll_until(deadline, seconds)
        self._check_size(limit, end)
        answer = bytes(self._stdout_buffer[:end])
        # More output is found before the next request: whether it is here already depends on the speed of the machine.
        del self._stdout_buffer[: end + 1]
        return answer

    def communicate(self, text: bytes, seconds: float, limit: int) -> bytes:
        """Write all input; return all output, if the process exits with 0 within ``seconds``.

        Raises CandidateFault: exit, timeout, output_limit. Afterwards only ``terminate`` is permitted.
        """
        deadline = time.monotonic() + seconds
        self._write(text)
        while not self._has_exited():
            if not self._stdin_buffer:
                self._close(self._stdin)
            self._check_size(limit)
            self._poll_until(deadline, seconds)
        while self._read_available():
            self._check_size(limit)
        self._check_size(limit)
        if (ending := self._describe_exit()) != _CLEAN_EXIT:
            wrote = f" after it wrote {self._quote_received()}" if self._stdout_buffer else ""
            raise CandidateFault("exit", f"the process {ending}{wrote}{self._headline()}")
        lines = bytes(self._stdout_buffer).splitlines(keepends=True)
        return b"".join(line for line in lines if not self._is_ignored(line))

    def _is_ignored(self, line: bytes | bytearray) -> bool:
        return is_ignored(self._ignored, line)

    def detach_streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Return stdin, stdout and stderr, non-blocking; the caller reads, writes and closes them.

        Afterwards only ``shut_down``, ``wait_for_exit`` and ``terminate`` are permitted.
        """
        stdin, stdout, stderr = (self._streams[each] for each in (self._stdin, self._stdout, self._stderr))
        for descriptor in tuple(self._streams):
            self._unregister(descriptor)
        self._streams.clear()
        return stdin, stdout, stderr

    def wait_for_exit(self, seconds: float) -> str | None:
        """Return a description of its exit ("ended with exit code 1") if it exits within ``seconds``, else None."""
        self._wait_for_end(seconds)
        return self._describe_exit() if self._has_exited() else None

    def shut_down(self, seconds: float) -> str | None:
        """Close its stdin and wait for its exit with 0; return a description of the problem, if any."""
        self._wait_for_end(seconds)
        if not self._has_exited():
            return f"it did not exit within {seconds:g} s"
        return None if (ending := self._describe_exit()) == _CLEAN_EXIT else f"it {ending}"

    def terminate(self, term_seconds: float = 0.0) -> None:
        """End its process group and descendants: SIGTERM if ``term_seconds`` is not 0, then SIGKILL. Idempotent.

        A descendant that left the group and whose parents have all ended is not found.
        """
        if self._terminated:
            return
        self._terminated = True
        self._exceeded_limit = stop_watching(self.pid)
        pids = {*process_tree(self.pid)}
        if term_seconds and not self._has_exited():
            self._signal_group(signal.SIGTERM)
            self._wait_for_end(term_seconds)
            pids |= {*process_tree(self.pid)}
        # Reaped last: until then its id and its group's id cannot be reused.
        self._signal_group(signal.SIGKILL)
        for pid in pids - {self.pid}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        self._wait_for_end(_KILL_SECONDS)
        self._drain_stderr()
        for descriptor in tuple(self._streams):
            self._close(descriptor)
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        self._process.poll()

    # --- the poll loop ---

    def _poll_until(self, deadline: float, seconds: float) -> None:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            part = f"; so far it wrote {self._quote_received()}" if self._stdout_buffer else ""
            unread = f"; {len(self._stdin_buffer)} bytes of the request are unread" if self._stdin_buffer else ""
            raise CandidateFault("timeout", f"no answer within {seconds:g} s{part}{unread}{self._stderr_note()}")
        self._poll_once(remaining)

    def _poll_once(self, seconds: float) -> None:
        """Wait at most ``seconds`` for events, and handle them."""
        if self._pidfd < 0:
            seconds = min(seconds, _POLL_SECONDS)
        for descriptor, _ in self._poll.poll(seconds * 1000):
            if descriptor == self._pidfd:
                self._poll.unregister(descriptor)
                self._exited = True
            elif descriptor == self._stdin:
                self._write_pending()
            elif descriptor == self._stdout:
                self._stdout_buffer += self._read(descriptor)
            else:
                self._stderr_tail.write(self._read(descriptor))

    def _read_available(self) -> bool:
        """Read without waiting; return whether there was data. A descendant may keep the pipe open for ever."""
        before = len(self._stdout_buffer)
        if self._stdout in self._streams:
            self._stdout_buffer += self._read(self._stdout)
        return len(self._stdout_buffer) > before

    def _drain_stderr(self) -> None:
        for _ in range(_FINAL_STDERR_CHUNKS):
            if self._stderr not in self._streams or not self._stderr_tail.write(self._read(self._stderr)):
                break

    def _read(self, descriptor: int) -> bytes:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._close(descriptor)
        return data

    def _write(self, data: bytes) -> None:
        self._stdin_buffer = memoryview(data)
        self._write_pending()
        if self._stdin_buffer:
            self._poll.register(self._stdin, select.POLLOUT)

    def _write_pending(self) -> None:
        try:
            self._stdin_buffer = self._stdin_buffer[os.write(self._stdin, self._stdin_buffer) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it has stopped reading: its output or its exit decides
            self._stdin_buffer = memoryview(b"")
        if not self._stdin_buffer:
            self._unregister(self._stdin)

    def _wait_for_end(self, seconds: float) -> None:
        """Close its stdin and wait for its end; discard its remaining stdout."""
        self._close(self._stdin)
        deadline = time.monotonic() + seconds
        while not self._has_exited() and (left := deadline - time.monotonic()) > 0:
            self._poll_once(left)
            self._stdout_buffer.clear()

    # --- descriptors ---

    def _register_stream(self, stream: IO[bytes] | None) -> int:
        assert stream is not None
        descriptor = stream.fileno()
        os.set_blocking(descriptor, False)
        self._streams[descriptor] = stream
        return descriptor

    def _close(self, descriptor: int) -> None:
        if stream := self._streams.pop(descriptor, None):
            self._unregister(descriptor)
            stream.close()

    def _unregister(self, descriptor: int) -> None:
        with contextlib.suppress(KeyError):
            self._poll.unregister(descriptor)

    # --- its end ---

    def _has_exited(self) -> bool:
        if not self._exited and self._pidfd < 0:
            self._exited = self._process.poll() is not None
        return self._exited

    def _signal_group(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _describe_exit(self) -> str:
        if limit := exceeded_limit(self.pid) if not self._terminated else self._exceeded_limit:
            return f"was ended because it had {limit}"
        if self._process.returncode is None and hasattr(os, "waitid"):
            # Not reaped here: see ``terminate``. A tracer sees the exit before its parent does.
            deadline = time.monotonic() + _KILL_SECONDS
            while (state := os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)) is None:
                if time.monotonic() > deadline:
                    return "ended while it was traced"
                time.sleep(_HOLD_POLL_SECONDS)
            code = state.si_status if state.si_code == os.CLD_EXITED else -state.si_status
        else:
            code = self._process.wait()
        return describe_exit(code)

    def _no_answer_fault(self) -> CandidateFault:
        if self._stdout_buffer:
            return CandidateFault("framing", f"its output ends in the middle of a line: {self._quote_received()}")
        self._wait_for_end(_EXIT_SECONDS)  # the end of its output and its exit are two events
        has_exited = self._has_exited()
        ending = f"the process {self._describe_exit()}" if has_exited else "it closed its stdout instead of answering"
        return CandidateFault("exit", f"{ending}{self._headline()}")

    # --- messages ---

    def _check_size(self, limit: int, length: int | None = None) -> None:
        if (len(self._stdout_buffer) if length is None else length) > limit:
            raise CandidateFault("output_limit", f"its answer is longer than {limit} bytes: {self._quote_received()}")

    def _quote_received(self) -> str:
        return f"'{format_untrusted(bytes(self._stdout_buffer[:200]), 120)}'"

    def _headline(self) -> str:
        """Return the message of its last uncaught exception, after a colon; without quotes, so that crashes differ."""
        self._drain_stderr()
        headline = self._stderr_tail.headline()
        return f": {headline}" if headline else ""

    def _stderr_note(self) -> str:
        line = self._stderr_tail.last_line()
        return f"; its stderr ends in '{line}'" if line else ""


def is_ignored(ignored: re.Pattern[str] | None, line: bytes | bytearray) -> bool:
    """Return whether a line of stdout is no message, by the pattern of the manifest."""
    return ignored is not None and ignored.search(line.decode("utf-8", "replace")) is not None


_CLEAN_EXIT = "ended with exit code 0"


def _start_process(
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: bytes,
    umask: int | None,
    prepare: Callable[[], None] | None,
    *,
    is_limited: bool,
) -> "subprocess.Popen[bytes]":
    def prepare_and_limit() -> None:
        if prepare is not None:
            prepare()
        limit_resources()

    try:
        with warnings.catch_warnings():
            # Python 3.12 warns of a fork in a process with threads; this child only makes system calls before its exec.
            warnings.simplefilter("ignore", DeprecationWarning)
            return subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=cwd,
                env=env,
                umask=-1 if umask is None else umask,
                start_new_session=True,
                preexec_fn=prepare_and_limit if is_limited else prepare,
            )
    except FileNotFoundError:
        missing = (
            f"no program '{format_untrusted(argv[0])}'" if Path(os.fsdecode(cwd)).is_dir() else "its cwd does not exist"
        )
        raise CandidateFault("start", missing) from None
    except OSError as problem:
        raise CandidateFault("start", f"cannot run '{format_untrusted(argv[0])}': {problem.strerror}") from None
    except subprocess.SubprocessError:  # the function before the exec has failed, and its error is lost
        why = "root's rights cannot be taken from it here; run treeproof as another user"
        raise CandidateFault("start", f"cannot run '{format_untrusted(argv[0])}': {why}") from None
    except ValueError as problem:
        raise CandidateFault("start", f"cannot run '{format_untrusted(argv[0])}': {problem}") from None
