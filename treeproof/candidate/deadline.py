"""A deadline for Python code in treeproof's own process, by SIGALRM. Contains nothing about candidates or messages.

It is for the code that specifications name: references, mutants and variants. It works on the main thread only, and
cannot interrupt code that never returns to the interpreter; other candidates run as processes.
"""

import importlib
import signal
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from types import FrameType
from typing import Any, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")

# Code may catch the first exception, so the alarm repeats.
_REPEAT_SECONDS = 0.2

raw_signal: Any = importlib.import_module("_signal")
"""The functions of `signal` without its conversion of handlers to enums, which takes longer than many a call."""


class DeadlineExceeded(BaseException):
    """The deadline passed. Not an Exception, so that ``except Exception`` in the code does not catch it."""


_interrupt_call: Callable[[], None] | None = None
"""Interrupts the code that now runs under a deadline: it raises where that is safe, else it records the signal."""


def interrupt() -> bool:
    """Interrupt the code that runs under a deadline; called by handlers of stop signals. Return False if none runs.

    Raises KeyboardInterrupt while the code runs. During set-up and clean-up the interrupt is recorded instead, and
    `run_with_deadline` raises it afterwards.
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
    """Return ``function(argument)``. Raises DeadlineExceeded after ``seconds``, KeyboardInterrupt on SIGINT, else its
    exception.

    ``context_manager`` is entered before and left after, protected from signals and the alarm. Earlier timers and
    handlers (a test runner's) are restored; a timer that would have expired meanwhile expires afterwards.
    """
    global _interrupt_call
    context_manager = context_manager or nullcontext()
    if threading.current_thread() is not threading.main_thread():
        with context_manager:
            return function(argument)
    armed = expired = interrupted = False

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
    # Until `_interrupt_call` is restored, signals raise only while `armed`, so every step is undone.
    _interrupt_call = stop
    try:
        interrupt_before = raw_signal.getsignal(signal.SIGINT)
        if callable(interrupt_before):
            raw_signal.signal(signal.SIGINT, lambda number, frame: stop())
        with context_manager:
            started = time.monotonic()
            alarm_before = raw_signal.signal(signal.SIGALRM, on_alarm)
            timer_before = signal.setitimer(signal.ITIMER_REAL, seconds, _REPEAT_SECONDS)
            try:
                armed = True
                if not interrupted:
                    result = function(argument)
                armed = False
            except BaseException:
                armed = False
                # An error in the code's own clean-up must not hide the deadline or the interrupt.
                if not (expired or interrupted):
                    raise
            finally:
                armed = False
                signal.setitimer(signal.ITIMER_REAL, 0)
                raw_signal.signal(signal.SIGALRM, alarm_before)
                if timer_before[0]:
                    remaining = timer_before[0] - (time.monotonic() - started)
                    signal.setitimer(signal.ITIMER_REAL, max(remaining, 1e-3), timer_before[1])
    finally:
        try:
            if interrupt_before is not None:
                raw_signal.signal(signal.SIGINT, interrupt_before)
        finally:
            _interrupt_call = outer
    if interrupted:
        if callable(interrupt_before):
            with suppress(KeyboardInterrupt):
                interrupt_before(signal.SIGINT, None)  # it has not received this signal
        raise KeyboardInterrupt
    if expired:
        raise DeadlineExceeded
    return result
