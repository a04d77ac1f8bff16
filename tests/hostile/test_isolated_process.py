"""Commands that call a candidate in an isolated process: the end of that process gives no verdict."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import HostileProject

COMMANDS = {"search": ("search", "TARGET", "--seconds", "300"), "doctor": ("doctor", "TARGET")}


def start_command(hostile_project: HostileProject, *args: str) -> subprocess.Popen[str]:
    here = Path(__file__).parent
    environment = {
        **hostile_project.environment,
        "PYTHONPATH": f"{hostile_project.environment['PYTHONPATH']}:{here}",
    }
    command = [sys.executable, "-m", "treeproof", *args]
    return subprocess.Popen(
        command,
        env=environment,
        cwd=hostile_project.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_a_tree() -> None:
    """Wait until a command has built its first tree."""
    trees, deadline = Path(os.environ["TREEPROOF_WORKSPACE"]), time.monotonic() + 60
    while not any(trees.glob("*/" + 16 * "[0-9a-f]")):
        assert time.monotonic() < deadline, "no tree was built"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("misbehaviour", "end"),
    [
        ("exit_with_zero", "ended with exit code 0"),
        ("kill_the_process", "was killed by SIGKILL"),
        ("stop_the_process", "was stopped by SIGSTOP"),
    ],
)
@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_candidate_that_ends_the_process_gets_no_verdict(
    hostile_project: HostileProject, misbehaviour: str, end: str, command: str
) -> None:
    args = [f"python:misbehaving_reference:{misbehaviour}" if word == "TARGET" else word for word in COMMANDS[command]]
    process = start_command(hostile_project, *args)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 4, out + err
    assert f"the process of the candidate {end}: no verdict" in err
    assert "Traceback" not in err
    assert hostile_project.leftovers() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_interrupts_the_command(hostile_project: HostileProject, number: signal.Signals) -> None:
    process = start_command(hostile_project, "search", "reference", "--seconds", "600")
    wait_for_a_tree()
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, "Traceback" in err) == (5, False), out + err
    assert "no counterexample in" in out
    assert hostile_project.leftovers() == []


EARLY_SIGNAL_SCRIPT = """
import os, signal, sys, time
from treeproof.cli import isolated_process

moment, number = sys.argv[1], int(sys.argv[2])
if sys.argv[3] == "True":
    del signal.sigtimedwait, signal.sigwaitinfo
fork, (reader, writer), (sent_reader, sent_writer) = os.fork, os.pipe(), os.pipe()

def fork_with_signal():
    if moment == "before":
        signal.raise_signal(number)
    child = fork()
    if child:
        os.read(reader, 1)
        if moment == "after":
            signal.raise_signal(number)
        if moment == "to the child":
            os.kill(child, number)
            os.write(sent_writer, b"!")
    elif moment in ("in the child", "to the child"):
        os.write(writer, b"!")
        if moment == "in the child":
            signal.raise_signal(number)
        else:
            os.read(sent_reader, 1)
    return child

def command():
    try:
        os.write(writer, b"!")
        time.sleep(100)
    except KeyboardInterrupt:
        return 3
    return 0

isolated_process.os.fork = fork_with_signal
sys.exit(isolated_process.run_isolated(command))
"""


@pytest.mark.parametrize("as_on_macos", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    ("moment", "code", "stderr"),
    [
        ("before", 3, ""),
        ("after", 3, ""),
        ("in the child", 5, "treeproof: interrupted\n"),
        ("to the child", 5, "treeproof: interrupted\n"),
    ],
)
def test_a_signal_around_the_fork_is_not_lost(
    hostile_project: HostileProject, moment: str, code: int, stderr: str, number: signal.Signals, as_on_macos: bool
) -> None:
    command = [sys.executable, "-c", EARLY_SIGNAL_SCRIPT, moment, str(int(number)), str(as_on_macos)]
    ended = subprocess.run(
        command, env=hostile_project.environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr) == (code, stderr)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_doctor_that_receives_a_signal_twice_leaves_nothing(
    hostile_project: HostileProject, number: signal.Signals
) -> None:
    manifest = hostile_project.write_manifest("hang_at_every_call", call_timeout=600)
    process = start_command(hostile_project, "doctor", str(manifest))
    wait_for_a_tree()
    process.send_signal(number)
    time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err.splitlines()[0]) == (5, "treeproof: interrupted"), out + err
    name = Path("/proc/self/comm").read_text(encoding="utf-8").strip()
    assert err.splitlines()[1:] == [f"treeproof: {number.name} was sent by process {os.getpid()} ({name})"]
    assert hostile_project.leftovers() == []


def test_random_generation_leaves_no_files(hostile_project: HostileProject) -> None:
    (hostile_project.folder / "temporary").mkdir()
    environment = {**hostile_project.environment, "TMPDIR": str(hostile_project.folder / "temporary")}
    del environment["TREEPROOF_WORKSPACE"]
    before = sorted(path.name for path in hostile_project.folder.iterdir())
    for args in (
        ["search", "reference", "--spec", "ls", "--seconds", "1"],
        ["run", "reference", "--spec", "fs_walkdir"],
    ):
        command = [sys.executable, "-m", "treeproof", *args]
        ended = subprocess.run(
            command,
            env=environment,
            cwd=hostile_project.folder,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert list((hostile_project.folder / "temporary").iterdir()) == []
    assert sorted(path.name for path in hostile_project.folder.iterdir()) == before


def test_the_exit_code_is_that_of_the_command(hostile_project: HostileProject) -> None:
    codes = [
        ("search", "reference", "--seconds", "1"),
        ("search",),
        ("search", "--help"),
        ("replay", "nowhere.json"),
    ]
    found = []
    for args in codes:
        process = start_command(hostile_project, *args)
        process.communicate(timeout=120)
        found.append(process.returncode)
    assert found == [0, 2, 0, 2]
