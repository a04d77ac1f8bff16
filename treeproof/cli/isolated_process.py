"""A command in a separate process.

These commands run a Python candidate in their own process. It can end that process, even with code 0, which must not
look like a verdict. So the command sends its exit code through a pipe.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, NoReturn, Self

from treeproof.cli.output import INTERRUPTED_EXIT_CODE, print_error
from treeproof.run.interrupts import SIGNALS


def run_isolated(command: Callable[[], int]) -> int:
    """Call ``command`` in a fork of this process and return its exit code; one line and 4 or 5 if it ended early.

    Signals are forwarded. After an early end, remaining trees and processes are removed.
    """
    from treeproof.candidate.exit_status import describe_exit
    from treeproof.candidate.orphans import OrphanReaper

    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # pending until either process can handle them
    with OrphanReaper(), _SignalForwarder() as forwarder:
        child = os.fork()
        if child == 0:
            os.close(reader)
            _run_in_child(command, writer, forwarder, before)
        forwarder.child_pid = child
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writer)
        status = _wait_for_exit(child)
        forwarder.child_pid = None
        os.set_blocking(reader, False)  # a remaining process of the candidate may hold the other end
        with contextlib.suppress(BlockingIOError), open(reader, "rb", buffering=0) as pipe:
            if code := pipe.read(1):
                return code[0]
        _remove_trees()
        if forwarder.forwarded:
            print_error("interrupted")
            return INTERRUPTED_EXIT_CODE
        end = describe_exit(os.waitstatus_to_exitcode(status))
        print_error(f"the process of the candidate {end}: no verdict; run 'treeproof run' to find the scenario")
    return 4


def _run_in_child(
    command: Callable[[], int], exit_code_pipe: int, forwarder: _SignalForwarder, mask: Iterable[int]
) -> NoReturn:
    """Send the command's exit code and exit at once: a candidate may have left threads and exit handlers."""
    from treeproof.candidate.exit_status import die_with_parent

    write, leave = os.write, os._exit  # saved before a candidate can replace them
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


def _wait_for_exit(child: int) -> int:
    """Return the exit status of the child. A child that was stopped, but not by the terminal, is killed."""
    while True:
        status = os.waitpid(child, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            return status
        if os.WSTOPSIG(status) == signal.SIGSTOP:
            os.kill(child, signal.SIGKILL)


def _remove_trees() -> None:
    from treeproof.tree.workspace import default_base, find_disk_base, remove_stale_workspaces

    for base in filter(None, (default_base(), find_disk_base())):
        remove_stale_workspaces(base)
