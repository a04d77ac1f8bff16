"""Converts stop signals to an orderly end: reports are written, the workspace is removed, the candidate ends.

SIGINT, SIGTERM and SIGHUP all mean: stop. A KeyboardInterrupt at any place would leave incomplete states. The first
signal is therefore kept until a safe place: between two scenarios, or while waiting for the candidate.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, Self

from treeproof.candidate.deadline import interrupt

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

INTERRUPTED = "the run was interrupted"
"""Message for a run that a signal has ended."""

_STUCK_SECONDS = 3.0
"""Seconds after the first signal until another one ends the run at any place."""

_ENDING_SECONDS = 20.0
"""How long a run that a signal has ended may write its reports: its pipe may have no reader."""
_ALARM_INTERVAL_SECONDS = 1.0
"""Between repetitions of the alarm: closing a file writes again."""

_AGAIN_SECONDS = 0.05
"""Between repetitions of a signal whose KeyboardInterrupt was lost."""


class Interrupts:
    """A context manager that keeps signals while it is entered; it may be nested.

    Ignored signals (``nohup``, a background job) stay ignored. Does nothing off the main thread.
    ``process_exits_afterwards``: after a first signal, later ones do not change the exit code.
    """

    def __init__(self, *, process_exits_afterwards: bool = False) -> None:
        self._process_exits_afterwards = process_exits_afterwards
        self._depth = 0
        self._is_interruptible = False
        self._is_ending = False
        self._first_signal_time: float | None = None
        self._was_raised = False
        self._is_noting_loss = False
        self._previous_handlers: dict[signal.Signals, Any] = {}
        self._previous_hook = sys.unraisablehook

    @property
    def pending(self) -> bool:
        """True after a signal has arrived."""
        return self._first_signal_time is not None

    def raise_if_pending(self) -> None:
        """Raise KeyboardInterrupt if a signal has arrived; called where the run may end."""
        if self.pending:
            self._was_raised = True
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let a signal raise KeyboardInterrupt at once inside this context. No effect off the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self.raise_if_pending()
        outer, self._is_interruptible = self._is_interruptible, True
        try:
            yield
        finally:
            self._is_interruptible = outer

    @contextlib.contextmanager
    def ending(self) -> Iterator[None]:
        """Raise KeyboardInterrupt inside this context if it takes 20 s after a signal; for what writes the results.

        The signal may arrive before or inside it. No effect off the main thread.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._handle_alarm)
        self._is_ending = True
        try:
            if self.pending:
                self._start_alarm()
            yield
        finally:
            self._is_ending = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @staticmethod
    def _start_alarm() -> None:
        signal.setitimer(signal.ITIMER_REAL, _ENDING_SECONDS, _ALARM_INTERVAL_SECONDS)

    def _handle_alarm(self, number: int, frame: FrameType | None) -> None:
        if self._is_ending:
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        self._depth += 1
        if self._depth == 1 and threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._previous_handlers[number] = signal.signal(number, self._handle_signal)
            if self._previous_handlers:
                self._previous_hook, sys.unraisablehook = sys.unraisablehook, self._handle_unraisable
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            for number, handler in self._previous_handlers.items():
                signal.signal(number, signal.SIG_IGN if self._process_exits_afterwards and self.pending else handler)
            if self._previous_handlers:
                sys.unraisablehook = self._previous_hook
            self._previous_handlers.clear()

    def _handle_signal(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        is_first = self._first_signal_time is None
        self._first_signal_time = now if self._first_signal_time is None else self._first_signal_time
        is_late = now - self._first_signal_time > _STUCK_SECONDS
        if self._is_ending:
            if is_late:
                raise KeyboardInterrupt
            if is_first:
                self._start_alarm()
            return
        if interrupt():  # a candidate runs in this process; `run_with_deadline` ends its call
            return
        if not self._was_raised and not self._is_noting_loss and (is_late or self._is_interruptible):
            self._was_raised = True
            raise KeyboardInterrupt

    def _handle_unraisable(self, unraisable: sys.UnraisableHookArgs) -> None:
        """Repeat a KeyboardInterrupt that was lost: Python ignores exceptions in hooks of a fork and in ``__del__``."""
        if not (self._was_raised and self._is_interruptible and issubclass(unraisable.exc_type, KeyboardInterrupt)):
            self._previous_hook(unraisable)
            return
        main = threading.main_thread().ident or 0
        self._is_noting_loss = True  # what is raised in here is lost as well
        self._was_raised = False
        threading.Thread(target=self._repeat, args=[main], daemon=True).start()
        self._is_noting_loss = False

    def _repeat(self, thread: int) -> None:
        number = next(iter(self._previous_handlers))  # an ignored one would do nothing
        while self._is_interruptible and not self._was_raised:
            time.sleep(_AGAIN_SECONDS)
            signal.pthread_kill(thread, number)
