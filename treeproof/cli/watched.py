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

from treeproof.cli.output import complain
from treeproof.run.interrupts import SIGNALS


def watched(verb: Callable[[], int]) -> int:
    """Call ``verb`` in a copy of this process, and return its exit code; 4 and one line if it did not come to its end.

    Signals are passed on. What such an end leaves behind, trees and processes, is removed.
    """
    from treeproof.candidate.ending import ending
    from treeproof.candidate.orphans import Orphans

    heard, said = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # those that come now wait, for either process
    with Orphans(), _Receiver() as receiver:
        child = os.fork()
        if child == 0:
            os.close(heard)
            _speak(verb, said, receiver, before)
        receiver.child = child
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(said)
        status = _ended(child)
        receiver.child = None
        os.set_blocking(heard, False)  # a process that the candidate left may hold the other end
        with contextlib.suppress(BlockingIOError), open(heard, "rb", buffering=0) as words:
            if code := words.read(1):
                return code[0]
        if receiver.passed:
            complain("interrupted")
        else:
            end = ending(os.waitstatus_to_exitcode(status))
            complain(
                f"the process in which the candidate was asked {end}: no verdict; treeproof run says by which scenario"
            )
        _remove_trees()
    return 4


def _speak(verb: Callable[[], int], said: int, receiver: _Receiver, mask: Iterable[int]) -> NoReturn:
    """Say the code of the verb, and end at once: a candidate may have left threads, and functions for the exit."""
    from treeproof.candidate.ending import end_with_the_parent

    write, leave = os.write, os._exit  # kept from before a candidate is here
    end_with_the_parent()
    code = 4
    try:
        try:
            receiver.give_back()
            for number in SIGNALS:  # a verb that knows nothing of signals is ended in order all the same
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, signal.default_int_handler)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            code = verb()
        except KeyboardInterrupt:  # it came before the verb could see to it
            complain("interrupted")
        write(said, bytes([code]))
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
    finally:
        leave(code)


class _Receiver:
    """Signals that come to this process are for the other one. Those that are ignored stay ignored."""

    def __init__(self) -> None:
        self.child: int | None = None
        """The other process while it is there: its number may be another one's afterwards."""
        self.passed = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._arrived)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            # Once one has come the process ends, and no further one spoils its exit code.
            signal.signal(number, signal.SIG_IGN if self.passed else handler)

    def give_back(self) -> None:
        """They do what they did before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _arrived(self, number: int, frame: FrameType | None) -> None:
        if self.child is not None:
            self.passed = True
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child, number)


def _ended(child: int) -> int:
    """Wait until it has ended. One that is stopped is ended, unless by its terminal, which stops both."""
    while True:
        status = os.waitpid(child, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            return status
        if os.WSTOPSIG(status) == signal.SIGSTOP:
            os.kill(child, signal.SIGKILL)


def _remove_trees() -> None:
    from treeproof.tree.workspace import disk_base, fast_base, sweep

    for base in filter(None, (fast_base(), disk_base())):
        sweep(base)
