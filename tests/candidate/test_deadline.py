"""The deadline for code in this process."""

import signal
import time

import pytest

from treeproof.candidate.deadline import DeadlineExceeded, run_with_deadline


def test_a_result_and_an_exception_pass_through() -> None:
    assert run_with_deadline(60, lambda value: value + 1, 1) == 2
    with pytest.raises(ZeroDivisionError):
        run_with_deadline(60, lambda value: 1 / value, 0)


def test_a_deadline_expires() -> None:
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        run_with_deadline(0.1, time.sleep, 600)
    assert 0.1 <= time.monotonic() - began < 60


def test_catching_the_first_alarm_does_not_stop_the_deadline() -> None:
    def ignore_alarms(naps: list[int]) -> str:
        for nap in naps:
            try:
                time.sleep(nap)
            except DeadlineExceeded:
                continue
        return "done"

    with pytest.raises(DeadlineExceeded):
        run_with_deadline(0.05, ignore_alarms, [600, 600, 600])


def test_an_error_in_the_clean_up_does_not_hide_the_deadline() -> None:
    def fail_in_finally(_: None) -> None:
        try:
            time.sleep(600)
        finally:
            raise ValueError

    with pytest.raises(DeadlineExceeded):
        run_with_deadline(0.05, fail_in_finally, None)


def test_a_keyboard_interrupt_of_the_code_and_sigint_are_raised() -> None:
    def interrupts(_: None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_with_deadline(60, interrupts, None)
    with pytest.raises(KeyboardInterrupt):
        run_with_deadline(60, signal.raise_signal, signal.SIGINT)


def test_handlers_and_timers_are_restored() -> None:
    before = signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)
    run_with_deadline(60, abs, 1)
    with pytest.raises(DeadlineExceeded):
        run_with_deadline(0.01, time.sleep, 600)
    assert (signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
