"""A candidate that attacks the processes of treeproof: the exit code is never 0 without a report."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from treeproof.candidate.self_protection import supports_scope

from .conftest import TIMEOUT_SECONDS, Judge

ONE_SCENARIO = ("--select", "LD-LST-05-01")
TWO_JOBS = ("--select", "LD-VAL-01-15", "--jobs", "2")
"""A scenario of another feature file: without it there would be one process."""
needs_x86_64 = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="not verified: that a candidate cannot end its judge by ptrace; needs x86-64"
)


@pytest.mark.skipif(
    not supports_scope(), reason="not verified: that signals of candidates are refused; needs Linux 6.12"
)
@pytest.mark.parametrize(("kind", "args"), [("stdio", ()), ("stdio", TWO_JOBS), ("python", ())])
def test_an_attack_has_no_effect(judge: Judge, kind: str, args: tuple[str, ...]) -> None:
    outcome = judge("everything", *ONE_SCENARIO, *args, kind=kind)
    assert outcome.report is not None, outcome.stderr
    assert (outcome.code, outcome.report["verdict"], outcome.report["warnings"]) == (0, "partial", [])


@needs_x86_64
def test_a_judge_cannot_be_traced(judge: Judge) -> None:
    outcome = judge("parent_exits_with_zero", *ONE_SCENARIO, scope=False)
    assert outcome.report is not None, outcome.stderr
    assert (outcome.code, outcome.report["verdict"]) == (0, "partial")


@needs_x86_64
def test_an_exit_with_zero_is_no_verdict(judge: Judge) -> None:
    end = "import os; from treeproof.run import runner; runner.run = lambda *a, **k: os._exit(0)"
    outcome = judge("parent_exits_with_zero", *ONE_SCENARIO, prepare=end)
    assert (outcome.code, outcome.report) == (4, None)
    assert "the judging process ended with exit code 0: no verdict" in outcome.stderr


@pytest.mark.parametrize(
    ("attack", "args", "line"),
    [
        ("parent_killed", (), "the judging process was killed by SIGKILL: no verdict"),
        ("grandparent_killed", TWO_JOBS, "the judging process was killed by SIGKILL: no verdict"),
        ("parent_stopped", (), "the judging process was stopped by SIGSTOP: no verdict"),
    ],
)
def test_a_signal_that_ends_the_judge_is_an_interruption(
    judge: Judge, attack: str, args: tuple[str, ...], line: str
) -> None:
    outcome = judge(attack, *ONE_SCENARIO, *args, scope=False)
    assert (outcome.code, outcome.report) == (5, None)
    assert line in outcome.stderr


@pytest.mark.parametrize(
    ("end", "code", "line"),
    [
        ("signal.raise_signal(signal.SIGTSTP)", 5, "the judging process was stopped by SIGTSTP: no verdict"),
        ("signal.raise_signal(signal.SIGXCPU)", 5, "the judging process was killed by SIGXCPU: no verdict"),
        ("os._exit(0)", 4, "the judging process ended with exit code 0: no verdict"),
        ("os.kill(os.getppid(), signal.SIGSTOP)", 0, ""),
    ],
)
def test_the_end_of_a_watched_command(end: str, code: int, line: str) -> None:
    command = f"lambda: {end} or 0"
    script = "import os, signal, sys; from treeproof.cli.isolated_process import run_isolated; "
    ended = subprocess.run(
        [sys.executable, "-c", f"{script}sys.exit(run_isolated({command}, contains_candidate=False))"],
        process_group=0,  # the kernel ignores SIGTSTP in an orphaned group, as that of a job in the background can be
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (code, "")
    assert ended.stderr.startswith(f"treeproof: {line}") if line else ended.stderr == ""


def test_a_signal_to_the_judge_alone_is_reported(judge: Judge) -> None:
    outcome = judge("parent_interrupted", *ONE_SCENARIO, scope=False)
    assert outcome.report is not None and outcome.report["interrupted"]
    assert outcome.code == 5
    assert "the signal was sent to the judging process alone; a candidate may have sent it" in outcome.stderr


def test_a_judge_without_memory_gives_no_verdict(judge: Judge) -> None:
    needs_memory = (
        "from treeproof.report.formats import registry; registry.write_reports = lambda *_: bytearray(1 << 26)"
    )
    outcome = judge("memory_limited", *ONE_SCENARIO, prepare=needs_memory, leaves=True)
    assert (outcome.code, outcome.report) == (4, None), outcome.stderr
    assert "treeproof: out of memory: there is no verdict" in outcome.stderr


def test_the_end_of_the_watching_process_ends_the_run(judge: Judge) -> None:
    assert judge("grandparent_killed", *ONE_SCENARIO, scope=False).code == -9
