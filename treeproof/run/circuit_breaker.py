"""The circuit breaker: stops calls to a candidate after repeated faults. Counts only; makes no call.

A run must end when the candidate hangs or dies each time. It must not give up a candidate that fails at one kind of
input, such as a named pipe, and handles everything else: timeouts stop the calls for their subject first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from treeproof.candidate import CandidateFault
from treeproof.verdict import NotVerified

FAILURE_THRESHOLD = 4
"""The number of consecutive faults after which the candidate is probed."""

FAILURE_SECONDS_THRESHOLD = 15.0
"""Two consecutive faults that take this long have the same effect. Timeouts of one subject that take this long stop its
calls.
"""

MAX_SECONDS_LOST = 120.0
"""The time that all faults of a run may take."""


@dataclass(frozen=True)
class Subject:
    """The subject of a call: the requirement (or the random cases) that it serves, and the unusual input in its tree.

    ``must_return``: the requirement fails if the call does not return, so it gets a call although others have hung.
    """

    name: str
    input_kinds: frozenset[str] = frozenset()
    must_return: bool = False


@dataclass
class _SubjectFaults:
    """The timeouts of one subject. An empty ``name`` stands for every requirement, with input of these kinds."""

    name: str
    input_kinds: frozenset[str]
    count: int = 0
    seconds: float = 0.0
    last: str = ""

    def stops(self, subject: Subject) -> bool:
        """Return True if calls of ``subject`` are not worth their time any more."""
        # A requirement that fails because a call does not return needs no second such call.
        limit = FAILURE_SECONDS_THRESHOLD * (0.5 if subject.must_return else 1)
        if self.seconds < limit or not self.input_kinds <= subject.input_kinds:
            return False
        return self.name == subject.name or (not self.name and not subject.must_return)

    def __str__(self) -> str:
        what = f"trees with {' and '.join(sorted(self.input_kinds))}" if self.input_kinds else ""
        whom = " and ".join(filter(None, (self.name, what)))
        return f"for {whom} after {_count(self.count, 'timeout')} that took {self.seconds:.0f} s; the last: {self.last}"


@dataclass
class CircuitBreaker:
    """The faults of one candidate in a run."""

    consecutive_failures: int = 0
    consecutive_failure_seconds: float = 0.0
    seconds_lost: float = 0.0
    successful_probes: int = 0
    last_failure: str = ""
    open_reason: str | None = None
    """Why calls have stopped, as text; None while the breaker is closed."""
    subject: Callable[[], Subject] | None = None
    """Returns the subject of the next calls; called only after faults, because it examines a tree."""
    _by_subject: dict[tuple[str, frozenset[str]], _SubjectFaults] = field(default_factory=dict)

    @property
    def needs_probe(self) -> bool:
        """True when a probe must succeed before the next call; False once the breaker is open."""
        if self.open_reason is not None:
            return False
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
        subject = self.subject() if self.subject is not None else Subject("")
        # A crash costs only the start of another process, so it stops no calls for its subject.
        for name, kinds in _keys(subject) if fault.kind == "timeout" else ():
            found = self._by_subject.setdefault((name, kinds), _SubjectFaults(name, kinds))
            found.count += 1
            found.seconds += seconds
            found.last = str(fault)
        if self.seconds_lost > MAX_SECONDS_LOST:
            self.trip(f"after faults that took {MAX_SECONDS_LOST:g} s")

    def trip(self, when: str = "") -> None:
        """Open the breaker. ``when`` is the cause as text [the number of consecutive faults]."""
        when = when or f"after {_count(self.consecutive_failures, 'fault')} in a row"
        self.open_reason = self.open_reason or f"not called any more {when}; the last: {self.last_failure}"

    def raise_if_open(self) -> None:
        """Raise NotVerified if the breaker is open, or stops the calls of the present subject."""
        if self.open_reason is not None:
            raise NotVerified("not_called", self.open_reason)
        if self._by_subject and self.subject is not None:
            subject = self.subject()
            found = next((faults for faults in self._by_subject.values() if faults.stops(subject)), None)
            if found is not None:
                raise NotVerified("not_called", f"not called any more {found}")


def _keys(subject: Subject) -> Iterator[tuple[str, frozenset[str]]]:
    if subject.name:
        yield subject.name, subject.input_kinds
    if subject.input_kinds:
        yield "", subject.input_kinds


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
