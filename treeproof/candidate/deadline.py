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
from types import FrameType
from typing import TextIO, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

# Code may swallow the first exception, so the alarm rings again.
_AGAIN_SECONDS = 0.2

# So long code may go on after its deadline before it is held for code that cannot be interrupted.
_GRACE_SECONDS = 5.0

_nowhere: TextIO | None = None


def end_what_cannot_be_interrupted() -> None:
    """From now on code that goes on for five seconds after its deadline ends this process, with exit code 1."""
    global _nowhere
    _nowhere = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives


class Expired(BaseException):
    """The deadline passed. Not an Exception, so that ``except Exception`` in the code lets it through."""


class UserInterrupt(KeyboardInterrupt):
    """A real SIGINT arrived, as opposed to a KeyboardInterrupt that the code raised by itself."""


def within(seconds: float, function: Callable[[Argument], Result], argument: Argument) -> Result:
    """``function(argument)``. Raises Expired after ``seconds``, UserInterrupt on SIGINT, else what it raises.

    A timer and handlers that were there before (a test runner's) are put back; a timer that would have rung
    meanwhile rings afterwards.
    """
    if threading.current_thread() is not threading.main_thread():
        return function(argument)
    armed = True
    expired = interrupted = False
    process = os.getpid()

    def on_alarm(number: int, frame: FrameType | None) -> None:
        nonlocal expired
        if armed:
            expired = True
            raise Expired

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        if armed:
            raise KeyboardInterrupt

    began = time.monotonic()
    interrupt_before = signal.getsignal(signal.SIGINT)
    alarm_before = signal.signal(signal.SIGALRM, on_alarm)
    if callable(interrupt_before):
        signal.signal(signal.SIGINT, on_interrupt)
    timer_before = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)
    if _nowhere is not None:
        faulthandler.dump_traceback_later(seconds + _GRACE_SECONDS, exit=True, file=_nowhere)
    try:
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
        if _nowhere is not None and os.getpid() == process:  # a forked child would wait for ever
            faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        if callable(interrupt_before):
            signal.signal(signal.SIGINT, interrupt_before)
        signal.signal(signal.SIGALRM, alarm_before)
        if timer_before[0]:
            left = timer_before[0] - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), timer_before[1])
    if interrupted:
        raise UserInterrupt
    if expired:
        raise Expired
    return result
