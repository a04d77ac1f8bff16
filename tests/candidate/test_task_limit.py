"""Watched processes end when they, together with their descendants, exceed a limit."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from treeproof.candidate import task_limit
from treeproof.candidate.isolation import count_tasks

SECONDS = 120


@pytest.fixture
def process() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(["sleep", "600"]) as started:
        yield started
        started.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="not verified: limits of processes; needs /proc")
@pytest.mark.parametrize(
    ("limit", "text"),
    [("MAX_TASKS", "more than 0 processes and threads"), ("MAX_MEMORY_BYTES", "more than 0 GiB of memory")],
)
def test_a_process_above_a_limit_is_ended(
    process: "subprocess.Popen[bytes]", limit: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_limit, limit, 0)
    task_limit.watch(process.pid)
    assert process.wait(SECONDS) == -signal.SIGKILL
    assert task_limit.exceeded_limit(process.pid) == text
    assert task_limit.stop_watching(process.pid) == text


@pytest.mark.skipif(sys.platform != "linux", reason="not verified: limits of processes; needs /proc")
def test_tasks_and_memory_of_processes_are_counted(process: "subprocess.Popen[bytes]") -> None:
    tasks, memory = count_tasks([process.pid, process.pid])
    assert tasks == 2
    until = time.monotonic() + SECONDS
    while not memory and time.monotonic() < until:  # a process has none while it becomes another program
        memory = count_tasks([process.pid])[1]
    assert memory > 0
    assert count_tasks([2**22 + 1]) == (0, 0)
