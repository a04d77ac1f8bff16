"""A verb in a process of its own, watched from outside.

These verbs ask a candidate in Python in their own process. Whatever it does to that process, ending it with code 0
among them, must not look like a verdict: the code of the verb counts, and only if the verb itself has said it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any, NoReturn, Self

from treeproof.cli.output import print_error
from treeproof.run.interrupts import SIGNALS


def run_isolated(command: Callable[[], int]) -> int:
    """Call ``verb`` in a copy of this process, and return its exit code; 4 and one line if it did not come to its end.

    Signals are passed on. What such an end leaves behind, trees and processes, is removed.
    """
    from treeproof.candidate.exit_status import describe_exit
    from treeproof.candidate.orphans import OrphanReaper

    heard, said = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # those that come now wait, for either process
    with OrphanReaper(), _SignalForwarder() as receiver:
        child = os.fork()
        if child == 0:
            os.close(heard)
            _run_in_child(command, said, receiver, before)
        receiver.child_pid = child
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(said)
        status = _wait_for_exit(child)
        receiver.child_pid = None
        os.set_blocking(heard, False)  # a process that the candidate left may hold the other end
        with contextlib.suppress(BlockingIOError), open(heard, "rb", buffering=0) as words:
            if code := words.read(1):
                return code[0]
        if receiver.forwarded:
            print_error("interrupted")
        else:
            end = describe_exit(os.waitstatus_to_exitcode(status))
            print_error(
                f"the process in which the candidate was asked {end}: no verdict; treeproof run says by which scenario"
            )
        _remove_trees()
    return 4


def _run_in_child(
    command: Callable[[], int], exit_code_pipe: int, forwarder: _SignalForwarder, mask: Iterable[int]
) -> NoReturn:
    """Say the code of the verb, and end at once: a candidate may have left threads, and functions for the exit."""
    from treeproof.candidate.exit_status import die_with_parent

    write, leave = os.write, os._exit  # kept from before a candidate is here
    die_with_parent()
    code = 4
    try:
        try:
            forwarder.restore_handlers()
            for number in SIGNALS:  # a verb that knows nothing of signals is ended in order all the same
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            code = command()
        except KeyboardInterrupt:  # it came before the verb could see to it
            print_error("interrupted")
        write(exit_code_pipe, bytes([code]))
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
    finally:
        leave(code)


class _SignalForwarder:
    """Signals that come to this process are for the other one. Those that are ignored stay ignored."""

    def __init__(self) -> None:
        self.child_pid: int | None = None
        """The other process while it is there: its number may be another one's afterwards."""
        self.forwarded = False
        self._previous_handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._previous_handlers[number] = signal.signal(number, self._forward)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous_handlers.items():
            # Once one has come the process ends, and no further one spoils its exit code.
            signal.signal(number, signal.SIG_IGN if self.forwarded else handler)

    def restore_handlers(self) -> None:
        """They do what they did before."""
        for number, handler in self._previous_handlers.items():
            signal.signal(number, handler)

    def _forward(self, number: int, frame: FrameType | None) -> None:
        if self.child_pid is not None:
            self.forwarded = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child_pid, number)


def _wait_for_exit(child: int) -> int:
    """Wait until it has ended. One that is stopped is ended, unless by its terminal, which stops both."""
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
