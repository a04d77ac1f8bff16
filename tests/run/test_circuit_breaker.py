"""The circuit breaker by itself: what stops the calls, for which subjects, and what it reports."""

from __future__ import annotations

import pytest

from treeproof.candidate import CandidateFault
from treeproof.run.circuit_breaker import FAILURE_THRESHOLD, CircuitBreaker, Subject
from treeproof.verdict import NotVerified


def test_the_total_waiting_time_is_limited_despite_results_between_faults() -> None:
    breaker = CircuitBreaker()
    for _ in range(13):
        breaker.record_failure(CandidateFault("timeout", "no answer"), 9.9)
        breaker.record_success()
    assert breaker.open_reason == "not called any more after faults that took 120 s; the last: timeout: no answer"
    with pytest.raises(NotVerified, match="faults that took 120 s") as caught:
        breaker.raise_if_open()
    assert caught.value.code == "not_called"


def hang(breaker: CircuitBreaker, subject: Subject, *, times: int = 1) -> None:
    breaker.subject = lambda: subject
    for _ in range(times):
        breaker.record_failure(CandidateFault("timeout", "no answer"), 10)
        breaker.record_success()


def is_called(breaker: CircuitBreaker, subject: Subject) -> bool:
    breaker.subject = lambda: subject
    try:
        breaker.raise_if_open()
    except NotVerified:
        return False
    return True


PIPE, SOCKET = frozenset({"a named pipe"}), frozenset({"a socket"})


def test_slow_faults_stop_the_calls_with_the_same_kind_of_input_and_no_others() -> None:
    breaker = CircuitBreaker()
    hang(breaker, Subject("R-1", PIPE))
    assert is_called(breaker, Subject("R-2", PIPE)), "one timeout is not enough"
    hang(breaker, Subject("R-2", PIPE))
    assert not is_called(breaker, Subject("R-3", PIPE))
    assert not is_called(breaker, Subject("R-3", PIPE | SOCKET))
    assert is_called(breaker, Subject("R-2"))
    assert is_called(breaker, Subject("R-2", SOCKET))
    breaker.subject = lambda: Subject("R-3", PIPE)
    expected = "^not called any more for trees with a named pipe after 2 timeouts that took 20 s; the last: timeout: no"
    with pytest.raises(NotVerified, match=expected):
        breaker.raise_if_open()


def test_slow_faults_on_usual_trees_stop_the_calls_for_their_requirement_only() -> None:
    breaker = CircuitBreaker()
    hang(breaker, Subject("R-1"), times=2)
    assert not is_called(breaker, Subject("R-1")) and not is_called(breaker, Subject("R-1", PIPE))
    assert is_called(breaker, Subject("R-2"))


def test_a_rule_that_a_hang_violates_is_asked_once_although_other_calls_have_hung() -> None:
    breaker = CircuitBreaker()
    hang(breaker, Subject("R-1", PIPE), times=2)
    assert is_called(breaker, Subject("R-2", PIPE, must_return=True))
    hang(breaker, Subject("R-2", PIPE, must_return=True))
    assert not is_called(breaker, Subject("R-2", PIPE, must_return=True))
    assert is_called(breaker, Subject("R-3", PIPE, must_return=True))


def test_crashes_stop_no_calls_for_their_subject() -> None:
    breaker = CircuitBreaker()
    breaker.subject = lambda: Subject("R-1", PIPE)
    for _ in range(100):
        breaker.record_failure(CandidateFault("exit", "gone"), 1.0)
    assert is_called(breaker, Subject("R-1", PIPE))


def test_an_open_circuit_breaker_reports_the_last_fault() -> None:
    breaker = CircuitBreaker()
    for _ in range(FAILURE_THRESHOLD):
        breaker.record_failure(CandidateFault("timeout", "no answer"), 0.1)
    breaker.trip()
    with pytest.raises(NotVerified, match="^not called any more after 4 faults in a row; the last: timeout: no answer"):
        breaker.raise_if_open()
