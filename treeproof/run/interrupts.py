"""From a signal to an orderly end: what ran is reported, the workspace is removed, the candidate is gone.

Only signals live here. SIGINT, SIGTERM and SIGHUP say the same: stop. A KeyboardInterrupt anywhere would leave
things half done, so the first signal is kept until the run is at a place where it may end: between two scenarios,
or while it waits for the candidate.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, Self

from treeproof.candidate.deadline import interrupt

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

INTERRUPTED = "the run was interrupted"
"""What is said of a run that a signal has ended."""

_STUCK_SECONDS = 3.0
"""When a run has not ended so long after the first signal, the next one ends it wherever it is."""


class Interrupts:
    """A context manager, which may be entered again inside itself; signals are kept as long as it is entered.

    Signals that are ignored (``nohup``, a job in the background) stay ignored. Does nothing off the main thread.
    ``last`` says that the process ends afterwards: when one signal has come, no other one spoils its exit code.
    """

    def __init__(self, *, process_exits_afterwards: bool = False) -> None:
        self._process_exits_afterwards = process_exits_afterwards
        self._depth = 0
        self._is_interruptible = False
        self._first_signal_time: float | None = None
        self._was_raised = False
        self._previous_handlers: dict[signal.Signals, Any] = {}

    @property
    def pending(self) -> bool:
        """Whether a signal has arrived."""
        return self._first_signal_time is not None

    def raise_if_pending(self) -> None:
        """Raise KeyboardInterrupt when a signal has arrived: here the run may end."""
        if self.pending:
            self._was_raised = True
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Inside, a signal raises KeyboardInterrupt at once. For the main thread; elsewhere as if it were not there."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self.raise_if_pending()
        outer, self._is_interruptible = self._is_interruptible, True
        try:
            yield
        finally:
            self._is_interruptible = outer

    def __enter__(self) -> Self:
        self._depth += 1
        if self._depth == 1 and threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._previous_handlers[number] = signal.signal(number, self._handle_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            for number, handler in self._previous_handlers.items():
                signal.signal(
                    number, signal.SIG_IGN if self._process_exits_afterwards and self.pending else handler
                )
            self._previous_handlers.clear()

    def _handle_signal(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        stuck = (
            self._first_signal_time is not None
            and not self._was_raised
            and now - self._first_signal_time > _STUCK_SECONDS
        )
        if self._first_signal_time is None:
            self._first_signal_time = now
        if interrupt():  # a candidate runs in this process, and who asked it knows the way out of it
            return
        if stuck or (self._is_interruptible and not self._was_raised):
            self._was_raised = True
            raise KeyboardInterrupt
