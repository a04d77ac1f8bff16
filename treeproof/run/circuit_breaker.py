"""The circuit breaker: stops calls to a candidate after repeated faults. Counts only; makes no call.

A run must end in seconds when the candidate hangs or dies each time. It must not give up a candidate that fails at one
kind of input, such as a FIFO, and handles everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeproof.candidate import CandidateFault
from treeproof.candidate.adapter import FaultKind

FAILURE_THRESHOLD = 4
"""So many faults without an answer between them, or two that cost `SECONDS_IN_A_ROW`, put it in doubt."""

FAILURE_SECONDS_THRESHOLD = 15.0
MAX_SUCCESSFUL_PROBES = 2
"""So often in a row an answer to a call that it has answered before speaks for it."""

MAX_SECONDS_LOST = 120.0
"""So much time may be lost in faults altogether."""


@dataclass
class CircuitBreaker:
    """The faults of one candidate, over all that is asked of it in a run."""

    consecutive_failures: int = 0
    consecutive_failure_seconds: float = 0.0
    seconds_lost: float = 0.0
    successful_probes: int = 0
    last_failure: str = ""
    last_fault_kind: FaultKind = "exit"
    open_reason: str | None = None
    """Why it is not asked any more, in words; None while it is."""

    @property
    def needs_probe(self) -> bool:
        """Whether it broke so often that it is only asked on when something speaks for it."""
        share = self.successful_probes + 1
        slow = (
            self.consecutive_failures >= 2 * share
            and self.consecutive_failure_seconds >= FAILURE_SECONDS_THRESHOLD * share
        )
        return slow or self.consecutive_failures >= FAILURE_THRESHOLD * share

    def record_success(self) -> None:
        """It gave an answer."""
        self.consecutive_failures = self.successful_probes = 0
        self.consecutive_failure_seconds = 0.0

    def probe_succeeded(self) -> None:
        """It answered once more what it has answered before."""
        self.successful_probes += 1

    def record_failure(self, fault: CandidateFault, seconds: float) -> None:
        """It broke, after ``seconds``."""
        self.consecutive_failures += 1
        self.consecutive_failure_seconds += seconds
        self.seconds_lost += seconds
        self.last_failure = str(fault)
        self.last_fault_kind = fault.kind
        if self.seconds_lost > MAX_SECONDS_LOST:
            self.trip(f"after it cost {MAX_SECONDS_LOST:g} s of waiting in vain")

    def trip(self, when: str = "") -> None:
        """Ask it no more. ``when`` says after what; by default after the faults in a row."""
        when = when or f"after {self.consecutive_failures} faults in a row"
        self.open_reason = self.open_reason or f"not asked any more {when}; the last: {self.last_failure}"

    def raise_if_open(self) -> None:
        """Raise CandidateFault when it is not asked any more."""
        if self.open_reason is not None:
            raise CandidateFault(self.last_fault_kind, self.open_reason)
