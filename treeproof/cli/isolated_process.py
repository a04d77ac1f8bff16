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
from types import FrameType
from typing import Any, NoReturn, Self

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
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # pending until either process can handle them
    with OrphanReaper() as orphans, _SignalForwarder() as forwarder:
        child = os.fork()
        if child == 0:
            os.close(reader)
            _run_in_child(command, writer, forwarder, before)
        forwarder.child_pid = child
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writer)
        status, stopped_by = _wait_for_exit(child)
        forwarder.child_pid = None
        os.set_blocking(reader, False)  # a remaining process of the candidate may hold the other end
        with contextlib.suppress(BlockingIOError), open(reader, "rb", buffering=0) as pipe:
            if code := pipe.read(1):
                if code[0] == INTERRUPTED_EXIT_CODE and not forwarder.forwarded and not contains_candidate:
                    print_error("the signal was sent to the judging process alone; a candidate may have sent it")
                return code[0]
        orphans.kill_orphans()  # a worker would continue to write to its tree
        _remove_trees()
        if forwarder.forwarded:
            print_error("interrupted")
            return INTERRUPTED_EXIT_CODE
        exit_code = os.waitstatus_to_exitcode(status)
        end = f"was stopped by {stopped_by.name}" if stopped_by else describe_exit(exit_code)
        if contains_candidate:
            print_error(f"the process of the candidate {end}: no verdict; run 'treeproof run' to find the scenario")
            return _FAULT_EXIT_CODE
        print_error(f"the judging process {end}: no verdict; the candidate or a lack of memory may have ended it")
    return INTERRUPTED_EXIT_CODE if exit_code < 0 else _FAULT_EXIT_CODE


def _run_in_child(
    command: Callable[[], int], exit_code_pipe: int, forwarder: _SignalForwarder, mask: Iterable[int]
) -> NoReturn:
    """Send the command's exit code and exit at once: a candidate may have left threads and exit handlers."""
    from treeproof.candidate.exit_status import die_with_parent

    write, kill, leave, parent = os.write, os.kill, os._exit, os.getppid()  # before a candidate can replace them
    die_with_parent()
    code = 4
    try:
        try:
            forwarder.restore_handlers()
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
    """Forwards the signals of this process to the child. Ignored signals stay ignored."""

    def __init__(self) -> None:
        self.child_pid: int | None = None
        """The child while it runs; later its pid may belong to another process."""
        self.forwarded = False
        self._previous_handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._previous_handlers[number] = signal.signal(number, self._forward)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous_handlers.items():
            # After a forwarded signal the process ends, and another one must not change its exit code.
            signal.signal(number, signal.SIG_IGN if self.forwarded else handler)

    def restore_handlers(self) -> None:
        """Restore the previous handlers."""
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)

    def _forward(self, number: int, frame: FrameType | None) -> None:
        if self.child_pid is not None:
            self.forwarded = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child_pid, number)


def _wait_for_exit(child: int) -> tuple[int, signal.Signals | None]:
    """Return the exit status of the child, and the signal that stopped it. A child that remains stopped is killed.

    A terminal stops this process too, and the child continues together with it.
    """
    checks = 0
    stopped_by: signal.Signals | None = None
    while True:
        changed, status = os.waitpid(child, os.WUNTRACED | os.WCONTINUED | (os.WNOHANG if stopped_by else 0))
        if changed and (os.WIFEXITED(status) or os.WIFSIGNALED(status)):
            return status, stopped_by
        if changed:
            stopped_by = None if os.WIFCONTINUED(status) else signal.Signals(os.WSTOPSIG(status))
            checks = 0
        elif checks == _STOPPED_CHECKS:
            os.kill(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1], stopped_by
        else:
            # Counted, not timed: this process may have been stopped meanwhile.
            checks += 1
            time.sleep(_STOPPED_POLL_SECONDS)


_STOPPED_CHECKS = 20
_STOPPED_POLL_SECONDS = 0.05


def _remove_trees() -> None:
    from treeproof.errors import UsageError
    from treeproof.tree.workspace import default_base, find_disk_base, remove_stale_workspaces

    with contextlib.suppress(UsageError):
        for base in filter(None, (default_base(), find_disk_base())):
            remove_stale_workspaces(base)
