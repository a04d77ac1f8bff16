"""When a candidate that keeps breaking is not asked any more. Counts only: nothing is asked from here.

A run over hundreds of scenarios must end in seconds when the candidate hangs or dies each time, and must not give a
candidate up that breaks at one subject (a FIFO that it opens, say) and answers everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

from treeproof.candidate import CandidateFault
from treeproof.candidate.contract import FaultKind

FAULTS_IN_A_ROW = 4
"""So many faults without an answer between them, or two that cost `SECONDS_IN_A_ROW`, put it in doubt."""

SECONDS_IN_A_ROW = 15.0
VOUCHERS = 2
"""So often in a row an answer to a call that it has answered before speaks for it."""

SECONDS_LOST = 120.0
"""So much time may be lost in faults altogether."""


@dataclass
class Breaker:
    """The faults of one candidate, over all that is asked of it in a run."""

    in_a_row: int = 0
    seconds_in_a_row: float = 0.0
    seconds_lost: float = 0.0
    vouchers: int = 0
    last: str = ""
    fault: FaultKind = "exit"
    why: str | None = None
    """Why it is not asked any more, in words; None while it is."""

    @property
    def in_doubt(self) -> bool:
        """Whether it broke so often that it is only asked on when something speaks for it."""
        share = self.vouchers + 1
        slow = self.in_a_row >= 2 * share and self.seconds_in_a_row >= SECONDS_IN_A_ROW * share
        return slow or self.in_a_row >= FAULTS_IN_A_ROW * share

    def answered(self) -> None:
        """It gave an answer."""
        self.in_a_row = self.vouchers = 0
        self.seconds_in_a_row = 0.0

    def vouch(self) -> None:
        """It answered once more what it has answered before."""
        self.vouchers += 1

    def broke(self, fault: CandidateFault, seconds: float) -> None:
        """It broke, after ``seconds``."""
        self.in_a_row += 1
        self.seconds_in_a_row += seconds
        self.seconds_lost += seconds
        self.last = str(fault)
        self.fault = fault.fault
        if self.seconds_lost > SECONDS_LOST:
            self.give_up(f"after it cost {SECONDS_LOST:g} s of waiting in vain")

    def give_up(self, when: str = "") -> None:
        """Ask it no more. ``when`` says after what; by default after the faults in a row."""
        when = when or f"after {self.in_a_row} faults in a row"
        self.why = self.why or f"not asked any more {when}; the last: {self.last}"

    def refuse(self) -> None:
        """Raise CandidateFault when it is not asked any more."""
        if self.why is not None:
            raise CandidateFault(self.fault, self.why)
