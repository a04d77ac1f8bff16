"""A deadline for Python code in the harness's own process, by SIGALRM. Knows nothing of candidates or
messages.

It works on the main thread only; elsewhere there is no deadline. It cannot interrupt code that never comes
back to the interpreter (a loop in C, a system call that cannot be interrupted), code that catches
BaseException in an endless loop, or threads that the code started; in a process that is there to ask only,
such code ends the process (`end_what_cannot_be_interrupted`). A candidate that needs more is to be run as a
process.
"""

import faulthandler
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from types import FrameType
from typing import Any, TextIO, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

# Code may swallow the first exception, so the alarm rings again.
_REPEAT_SECONDS = 0.2

# So long code may go on after its deadline before it is held for code that cannot be interrupted.
_GRACE_SECONDS = 5.0

_devnull: TextIO | None = None


def enable_hard_deadline() -> None:
    """From now on code that goes on for five seconds after its deadline ends this process, with exit code 1."""
    global _devnull
    _devnull = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives


class DeadlineExceeded(BaseException):
    """The deadline passed. Not an Exception, so that ``except Exception`` in the code lets it through."""


class UserInterrupt(KeyboardInterrupt):
    """A signal that says stop arrived, as opposed to a KeyboardInterrupt that the code raised by itself."""


_interrupt_call: Callable[[], None] | None = None
"""What interrupts the code that runs under a deadline now; it raises where that may be, else the signal is kept."""


def interrupt() -> bool:
    """For handlers of signals that say stop: interrupt the code under a deadline. False if none runs: do it yourself.

    Raises KeyboardInterrupt while the code runs. Where the call is being set up or put back nothing may be left half
    done: the interrupt is kept, and `within` raises it when all is as it was.
    """
    if _interrupt_call is None:
        return False
    _interrupt_call()
    return True


def run_with_deadline(
    seconds: float,
    function: Callable[[Argument], Result],
    argument: Argument,
    context_manager: AbstractContextManager[object] | None = None,
) -> Result:
    """``function(argument)``. Raises Expired after ``seconds``, UserInterrupt on SIGINT, else what it raises.

    ``around`` is entered before and left after, where no signal and no alarm can interrupt it. A timer and handlers
    that were there before (a test runner's) are put back; a timer that would have rung meanwhile rings afterwards.
    """
    global _interrupt_call
    context_manager = context_manager or nullcontext()
    if threading.current_thread() is not threading.main_thread():
        with context_manager:
            return function(argument)
    armed = expired = interrupted = False
    process = os.getpid()

    def on_alarm(number: int, frame: FrameType | None) -> None:
        nonlocal expired
        if armed:
            expired = True
            raise DeadlineExceeded

    def stop() -> None:
        nonlocal interrupted
        interrupted = True
        if armed:
            raise KeyboardInterrupt

    interrupt_before: Any = None
    outer = _interrupt_call
    # From here to where `_interrupt_call` is what it was a signal raises nothing but while `armed`, so every step is undone.
    _interrupt_call = stop
    try:
        interrupt_before = signal.getsignal(signal.SIGINT)
        if callable(interrupt_before):
            signal.signal(signal.SIGINT, lambda number, frame: stop())
        with context_manager:
            began = time.monotonic()
            alarm_before = signal.signal(signal.SIGALRM, on_alarm)
            timer_before = signal.setitimer(signal.ITIMER_REAL, seconds, _REPEAT_SECONDS)
            if _devnull is not None:
                faulthandler.dump_traceback_later(seconds + _GRACE_SECONDS, exit=True, file=_devnull)
            try:
                armed = True
                if not interrupted:
                    result = function(argument)
                armed = False
            except BaseException:
                armed = False
                # What the code made of the exception does not matter; an error in its clean-up must not hide the
                # cause.
                if not (expired or interrupted):
                    raise
            finally:
                armed = False
                if _devnull is not None and os.getpid() == process:  # a forked child would wait for ever
                    faulthandler.cancel_dump_traceback_later()
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, alarm_before)
                if timer_before[0]:
                    left = timer_before[0] - (time.monotonic() - began)
                    signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), timer_before[1])
    finally:
        try:
            if interrupt_before is not None:
                signal.signal(signal.SIGINT, interrupt_before)
        finally:
            _interrupt_call = outer
    if interrupted:
        if callable(interrupt_before):
            with suppress(KeyboardInterrupt):
                interrupt_before(signal.SIGINT, None)  # whoever counts signals has not heard of this one
        raise UserInterrupt
    if expired:
        raise DeadlineExceeded
    return result
