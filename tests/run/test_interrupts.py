"""A signal ends what waits, also where Python ignores the exception of its handler."""

import signal
import subprocess
import sys

import pytest

from treeproof.run.interrupts import Interrupts

SCRIPT = """
import os, signal, sys, time
from treeproof.run.interrupts import Interrupts

class Closed:
    def __del__(self):
        signal.raise_signal(signal.SIGTERM)

def fork():
    os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGTERM))
    if os.fork() == 0:
        os._exit(0)

ended = 0
with Interrupts() as interrupts:
    try:
        with interrupts.interruptible():
            fork() if sys.argv[1] == "fork" else Closed()
            time.sleep(60)
    except KeyboardInterrupt:
        ended += 1
        time.sleep(0.2)  # no second exception ends the clean-up
print(ended, interrupts.pending, sys.unraisablehook is sys.__unraisablehook__)
"""


@pytest.mark.parametrize("place", ["fork", "__del__"])
def test_a_signal_is_not_lost_where_exceptions_are_ignored(place: str) -> None:
    # From Python 3.12 on, a fork beside other threads causes a warning.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", SCRIPT, place]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("1 True True\n", "", 0)


def test_a_signal_ends_a_wait_at_once_and_other_work_at_its_next_check() -> None:
    with Interrupts() as interrupts:
        signal.raise_signal(signal.SIGTERM)
        assert interrupts.pending
        with pytest.raises(KeyboardInterrupt):
            interrupts.raise_if_pending()
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt), interrupts.interruptible():
        signal.raise_signal(signal.SIGINT)
        pytest.fail("the wait went on")


def test_handlers_are_restored_and_ignored_signals_stay_ignored() -> None:
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    before = signal.getsignal(signal.SIGTERM)
    try:
        with Interrupts() as interrupts:
            with interrupts:
                signal.raise_signal(signal.SIGHUP)
            assert signal.getsignal(signal.SIGTERM) != before
            assert not interrupts.pending
        assert signal.getsignal(signal.SIGTERM) == before
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, previous)
