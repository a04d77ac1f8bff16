"""A command in a separate process, and the process that watches it.

The commands that call candidates run in this way. A candidate may end the process of the command, even with code 0,
which must not look like a verdict. So the command hands over its exit code through a pipe when it is done, after its
reports are written. Neither process can be traced by a candidate.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from typing import NoReturn, Self

from treeproof.cli.output import INTERRUPTED_EXIT_CODE, print_error
from treeproof.run.interrupts import SIGNALS

_FAULT_EXIT_CODE = 4


def run_isolated(command: Callable[[], int], *, contains_candidate: bool = True) -> int:
    """Call ``command`` in a fork of this process and return its exit code; one line and 4 or 5 if it ended early.

    Signals are forwarded. After an early end, remaining trees and processes are removed. The end by a signal is
    a fault of the candidate if the process ``contains_candidate``, else an interruption.
    """
    from treeproof.candidate.exit_status import describe_exit
    from treeproof.candidate.orphans import OrphanReaper
    from treeproof.candidate.self_protection import refuse_tracing

    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    refuse_tracing()
    with OrphanReaper() as orphans, _SignalForwarder() as forwarder:
        child = os.fork()
        if child == 0:
            os.close(reader)
            _run_in_child(command, writer, forwarder.previous_mask)
        os.close(writer)
        status, stopped_by = _wait_for_exit(child, forwarder)
        os.set_blocking(reader, False)  # a remaining process of the candidate may hold the other end
        with contextlib.suppress(BlockingIOError), open(reader, "rb", buffering=0) as pipe:
            if code := pipe.read(1):
                if code[0] == INTERRUPTED_EXIT_CODE:
                    if forwarder.has_forwarded:
                        forwarder.print_sender()
                    elif not contains_candidate:
                        print_error("the signal was sent to the judging process alone; a candidate may have sent it")
                return code[0]
        orphans.kill_orphans()  # a worker would continue to write to its tree
        _remove_trees()
        if forwarder.has_forwarded:
            print_error("interrupted")
            forwarder.print_sender()
            return INTERRUPTED_EXIT_CODE
        exit_code = os.waitstatus_to_exitcode(status)
        end = f"was stopped by {stopped_by.name}" if stopped_by else describe_exit(exit_code)
        if contains_candidate:
            print_error(f"the process of the candidate {end}: no verdict; run 'treeproof run' to find the scenario")
            return _FAULT_EXIT_CODE
        print_error(f"the judging process {end}: no verdict; the candidate or a lack of memory may have ended it")
    return INTERRUPTED_EXIT_CODE if exit_code < 0 else _FAULT_EXIT_CODE


def _run_in_child(command: Callable[[], int], exit_code_pipe: int, mask: Iterable[int]) -> NoReturn:
    """Send the command's exit code and exit at once: a candidate may have left threads and exit handlers."""
    from treeproof.candidate.exit_status import die_with_parent

    write, kill, leave, parent = os.write, os.kill, os._exit, os.getppid()  # before a candidate can replace them
    die_with_parent()
    code = 4
    try:
        try:
            for number in SIGNALS:  # also stop a command without signal handlers in order
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            code = command()
        except KeyboardInterrupt:  # before the command had its handlers
            print_error("interrupted")
            code = INTERRUPTED_EXIT_CODE
        write(exit_code_pipe, bytes([code]))
        with contextlib.suppress(OSError):
            kill(parent, signal.SIGCONT)  # a candidate may have stopped it
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
    finally:
        leave(code)


class _SignalForwarder:
    """A context manager that keeps signals from this process and sends them to its child. Ignored ones stay ignored.

    The signals are blocked and waited for: only so does Python report which process sent one.
    """

    def __init__(self) -> None:
        self.previous_mask: set[signal.Signals] = set()
        """The blocked signals on entry; the child has to restore them."""
        self.has_forwarded = False
        self._first_signal: signal.Signals | None = None
        self._sender = ""
        self._forwarded_signals = {number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN}

    def __enter__(self) -> Self:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, the end of a child cannot be seen
        # Those that arrive before the fork stay pending.
        blocked = self._forwarded_signals | {signal.SIGCHLD}
        self.previous_mask = {signal.Signals(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, blocked)}
        return self

    def __exit__(self, *_: object) -> None:
        if self.has_forwarded:  # the process ends now, and another signal must not change its exit code
            for number in self._forwarded_signals:
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.previous_mask)

    def wait(self, child: int, seconds: float | None) -> bool:
        """Return at the next signal, which is sent on to ``child``, or False after ``seconds`` without one."""
        number, sender_pid = _wait_for_signal(self._forwarded_signals | {signal.SIGCHLD}, seconds)
        if number is not None and number != signal.SIGCHLD:
            self.has_forwarded = True
            if self._first_signal is None:
                self._first_signal = number
                if sender_pid not in (0, os.getpid()):  # 0: a terminal
                    self._sender = f"process {sender_pid}{_process_name(sender_pid)}"  # its name now, while it runs
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, number)
        return number is not None

    def print_sender(self) -> None:
        """Name the process that sent the first signal on stderr, if it is known."""
        if self._first_signal is not None and self._sender:
            print_error(f"{self._first_signal.name} was sent by {self._sender}")


def _wait_for_signal(numbers: set[signal.Signals], seconds: float | None) -> tuple[signal.Signals | None, int]:
    """Return a pending one of the blocked ``numbers`` and its sender's pid; None after ``seconds``. 0: no sender."""
    if hasattr(signal, "sigtimedwait"):
        info = signal.sigwaitinfo(numbers) if seconds is None else signal.sigtimedwait(numbers, seconds)
        # Other codes than that of kill(2) have something else in the place of a sender.
        return (signal.Signals(info.si_signo), info.si_pid if info.si_code <= 0 else 0) if info else (None, 0)
    if seconds is not None:  # macOS
        time.sleep(seconds)
        if not signal.sigpending() & numbers:
            return None, 0
    return signal.Signals(signal.sigwait(numbers)), 0


def _process_name(pid: int) -> str:
    """Return the name of a process in parentheses; empty if it cannot be read."""
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return f" ({file.read(64).strip()})"
    except OSError:
        return ""


def _wait_for_exit(child: int, forwarder: _SignalForwarder) -> tuple[int, signal.Signals | None]:
    """Return the exit status of the child, and the signal that stopped it. A child that remains stopped is killed.

    A terminal stops this process too, and the child continues together with it.
    """
    checks = 0
    stopped_by: signal.Signals | None = None
    while True:
        changed, status = os.waitpid(child, os.WUNTRACED | os.WCONTINUED | os.WNOHANG)
        if changed and (os.WIFEXITED(status) or os.WIFSIGNALED(status)):
            return status, stopped_by
        if changed:
            stopped_by = None if os.WIFCONTINUED(status) else signal.Signals(os.WSTOPSIG(status))
            checks = 0
        elif stopped_by is None:
            forwarder.wait(child, None)
        elif checks == _STOPPED_CHECKS:
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1], stopped_by
        else:
            # Counted, not timed: this process may have been stopped meanwhile.
            checks += not forwarder.wait(child, _STOPPED_POLL_SECONDS)


_STOPPED_CHECKS = 20
_STOPPED_POLL_SECONDS = 0.05


def _remove_trees() -> None:
    from treeproof.errors import UsageError
    from treeproof.tree.workspace import default_base, find_disk_base, remove_stale_workspaces

    with contextlib.suppress(UsageError):
        for base in filter(None, (default_base(), find_disk_base())):
            remove_stale_workspaces(base)
