"""The circuit breaker: stops calls to a candidate after repeated faults. Counts only; makes no call.

A run must end in seconds when the candidate hangs or dies each time. It must not give up a candidate that fails at one
kind of input, such as a FIFO, and handles everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeproof.candidate import CandidateFault
from treeproof.candidate.adapter import FaultKind

FAILURE_THRESHOLD = 4
"""The number of consecutive faults after which the candidate is probed."""

FAILURE_SECONDS_THRESHOLD = 15.0
"""Two consecutive faults that take this long have the same effect."""

MAX_SUCCESSFUL_PROBES = 2
"""The number of consecutive probes (repeated calls that succeeded before) that keep the breaker closed."""

MAX_SECONDS_LOST = 120.0
"""The time that all faults of a run may take."""


@dataclass
class CircuitBreaker:
    """The faults of one candidate in a run."""

    consecutive_failures: int = 0
    consecutive_failure_seconds: float = 0.0
    seconds_lost: float = 0.0
    successful_probes: int = 0
    last_failure: str = ""
    last_fault_kind: FaultKind = "exit"
    open_reason: str | None = None
    """Why calls have stopped, as text; None while the breaker is closed."""

    @property
    def needs_probe(self) -> bool:
        """True when a probe must succeed before the next call."""
        factor = self.successful_probes + 1
        slow = (
            self.consecutive_failures >= 2 * factor
            and self.consecutive_failure_seconds >= FAILURE_SECONDS_THRESHOLD * factor
        )
        return slow or self.consecutive_failures >= FAILURE_THRESHOLD * factor

    def record_success(self) -> None:
        """Record a call with a result."""
        self.consecutive_failures = self.successful_probes = 0
        self.consecutive_failure_seconds = 0.0

    def probe_succeeded(self) -> None:
        """Record that the candidate answered an earlier call again."""
        self.successful_probes += 1

    def record_failure(self, fault: CandidateFault, seconds: float) -> None:
        """Record a fault after ``seconds``; may open the breaker."""
        self.consecutive_failures += 1
        self.consecutive_failure_seconds += seconds
        self.seconds_lost += seconds
        self.last_failure = str(fault)
        self.last_fault_kind = fault.kind
        if self.seconds_lost > MAX_SECONDS_LOST:
            self.trip(f"after faults that took {MAX_SECONDS_LOST:g} s")

    def trip(self, when: str = "") -> None:
        """Open the breaker. ``when`` is the cause as text [the number of consecutive faults]."""
        when = when or f"after {self.consecutive_failures} faults in a row"
        self.open_reason = self.open_reason or f"not called any more {when}; the last: {self.last_failure}"

    def raise_if_open(self) -> None:
        """Raise CandidateFault if the breaker is open."""
        if self.open_reason is not None:
            raise CandidateFault(self.last_fault_kind, self.open_reason)
