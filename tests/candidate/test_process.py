"""One candidate process: refused starts, and operation without a pidfd."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.descriptors import open_descriptors
from treeproof.candidate import CandidateFault, CandidateProcess, TailBuffer

Start = Callable[..., CandidateProcess]


def start_process(*argv: str, cwd: bytes = b"/", env: dict[str, str] | None = None) -> CandidateProcess:
    return CandidateProcess(argv, env=env or dict(os.environ), cwd=cwd, umask=None, stderr=TailBuffer(1000))


@pytest.mark.parametrize(
    ("argv", "cwd", "message"),
    [
        (["no_such_program"], b"/", "start: no program 'no_such_program'"),
        (["sh"], b"/no/such/folder", "start: its cwd does not exist"),
        (["/etc/passwd"], b"/", "start: cannot run '/etc/passwd': Permission denied"),
        (["a\0b"], b"/", "start: cannot run 'a\\x00b': embedded null byte"),
    ],
)
def test_a_failed_start_is_a_fault(argv: list[str], cwd: bytes, message: str) -> None:
    before = open_descriptors()
    with pytest.raises(CandidateFault) as caught:
        start_process(*argv, cwd=cwd)
    assert message in str(caught.value)
    assert open_descriptors() == before


ECHO = "import sys\nfor line in sys.stdin:\n    print(line.strip()[::-1], flush=True)"


@pytest.mark.parametrize("pidfd", [True, False])
def test_lines_are_exchanged(pidfd: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not pidfd:
        monkeypatch.delattr(os, "pidfd_open")
    child = start_process(sys.executable, "-c", ECHO)
    try:
        assert [child.exchange_line(line, 60, 100) for line in (b"abc\n", b"de\n")] == [b"cba", b"ed"]
        assert child.shut_down(60) is None
    finally:
        child.terminate()
    assert not Path(f"/proc/{child.pid}").exists()


@pytest.mark.parametrize("pidfd", [True, False])
def test_an_exit_is_detected_at_once(pidfd: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not pidfd:
        monkeypatch.delattr(os, "pidfd_open")
    # The grandchild keeps stdout open, so only the exit itself can be detected.
    child = start_process("sh", "-c", "sleep 600 & exec sh -c 'read line; exit 9'")
    began = time.monotonic()
    with pytest.raises(CandidateFault, match="ended with exit code 9"):
        child.exchange_line(b"x\n", 600, 100)
    assert time.monotonic() - began < 60
    child.terminate()
    child.terminate()


def test_a_line_may_be_exactly_as_long_as_the_limit() -> None:
    child = start_process(sys.executable, "-c", ECHO)
    try:
        assert child.exchange_line(b"x" * 100 + b"\n", 60, 100) == b"x" * 100
        with pytest.raises(CandidateFault, match="output_limit"):
            child.exchange_line(b"x" * 101 + b"\n", 60, 100)
    finally:
        child.terminate()


def test_a_child_that_reads_nothing_can_be_terminated() -> None:
    child = start_process("sleep", "600")
    with pytest.raises(CandidateFault, match="timeout"):
        child.exchange_line(b"x" * 1_000_000 + b"\n", 0.1, 100)
    assert child.shut_down(0.1) == "it did not exit within 0.1 s"
    child.terminate(0.5)
    assert not Path(f"/proc/{child.pid}").exists()
