"""A stop signal during a call in this process: it is never a fault, and every change of state is undone."""

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from treeproof.adapters import python
from treeproof.candidate import Adapter, Call, deadline, privileges
from treeproof.run.interrupts import Interrupts

Make = Callable[..., Adapter]
MakeCall = Callable[..., Call]

TRACED_FILES = frozenset(module.__file__ for module in (python, deadline, privileges))


class Stepper:
    """Raises the signal before one instruction of the adapter."""

    def __init__(self, number: signal.Signals, at: int) -> None:
        self._number = number
        self._left = at
        self.fired = False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename not in TRACED_FILES:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and not self.fired:
            self._left -= 1
            if self._left < 0:
                self.fired = True
                signal.raise_signal(self._number)
        return self


def state() -> tuple[object, ...]:
    """Return the state of the process that a call changes and must restore."""
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)]
    status = Path("/proc/self/status").read_text()
    capabilities = next(line for line in status.splitlines() if line.startswith("CapEff"))
    mask = os.umask(0o22)
    os.umask(mask)
    streams = sys.stdout, sys.stderr, sys.stdin
    return (
        handlers,
        signal.getitimer(signal.ITIMER_REAL),
        capabilities,
        mask,
        Path.cwd(),
        streams,
        sys.getrecursionlimit(),
        resource.getrlimit(resource.RLIMIT_NOFILE),
        deadline.interrupt(),
    )


@pytest.fixture
def sigint_ignored() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


def call_with_a_signal_at_each_instruction(
    candidate: Adapter, call: MakeCall, number: signal.Signals
) -> dict[str, int]:
    """Return how often the call was interrupted, and how often it completed with the signal pending."""
    counts = {"interrupted": 0, "completed": 0}
    for at in range(100_000):
        stepper = Stepper(number, at)
        with Interrupts() as stop:
            before = state()
            sys.settrace(stepper)
            try:
                with stop.interruptible():
                    candidate.call(call())
                outcome = "completed"
            except KeyboardInterrupt:
                outcome = "interrupted"
            finally:
                sys.settrace(None)
            assert state() == before, at
            if not stepper.fired:
                return counts
            assert stop.pending, at
            counts[outcome] += 1
    pytest.fail("the call did not end")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_at_any_instruction_interrupts_and_restores_everything(
    adapter: Make, call: MakeCall, number: signal.Signals
) -> None:
    candidate = adapter("python", "in_process:candidate", is_own=True)
    candidate.start("/tmp")
    counts = call_with_a_signal_at_each_instruction(candidate, call, number)
    assert counts["completed"] == 0
    assert counts["interrupted"] > 300, "too few instructions were traced"


@pytest.mark.slow
@pytest.mark.usefixtures("sigint_ignored")
def test_sigterm_interrupts_a_call_of_a_background_job(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("python", "in_process:candidate", is_own=True)
    candidate.start("/tmp")
    counts = call_with_a_signal_at_each_instruction(candidate, call, signal.SIGTERM)
    assert counts["completed"] == 0
    assert counts["interrupted"] > 300


@pytest.mark.usefixtures("sigint_ignored")
def test_the_candidates_own_code_is_interrupted_where_sigint_is_ignored(adapter: Make, call: MakeCall) -> None:
    candidate = adapter("python", "in_process:candidate", is_own=True)
    candidate.start("/tmp")
    with Interrupts() as stop, pytest.raises(KeyboardInterrupt), stop.interruptible():
        candidate.call(call(do="real_termination"))
    assert stop.pending
