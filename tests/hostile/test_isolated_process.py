"""The installed command, where a verb asks a candidate in its own process: what ends that process is no verdict."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import HostileProject

COMMANDS = {"search": ("search", "TARGET", "--seconds", "5"), "doctor": ("doctor", "TARGET")}


def start_command(hostile_project: HostileProject, *words: str) -> subprocess.Popen[str]:
    here = Path(__file__).parent
    environment = {
        **hostile_project.environment,
        "PYTHONPATH": f"{hostile_project.environment['PYTHONPATH']}:{here}",
    }
    command = [sys.executable, "-m", "treeproof", *words]
    return subprocess.Popen(
        command,
        env=environment,
        cwd=hostile_project.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("deed", "how"),
    [
        ("exit_with_zero", "exited with 0"),
        ("kill_the_process", "was killed by SIGKILL"),
        ("stop_the_process", "was killed by SIGKILL"),
    ],
)
@pytest.mark.parametrize("verb", sorted(COMMANDS))
def test_who_ends_the_process_has_ended_no_search_and_is_not_sound(
    hostile_project: HostileProject, deed: str, how: str, verb: str
) -> None:
    words = [f"python:misbehaving_reference:{deed}" if word == "TARGET" else word for word in COMMANDS[verb]]
    process = start_command(hostile_project, *words)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 4, out + err
    assert f"the process of the candidate {how}: no verdict" in err
    assert "Traceback" not in err
    assert hostile_project.leftovers() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_verb(hostile_project: HostileProject, number: signal.Signals) -> None:
    process = start_command(hostile_project, "search", "reference", "--seconds", "60")
    trees, deadline = Path(os.environ["TREEPROOF_WORKSPACE"]), time.monotonic() + 20
    while not any(trees.glob("*/[1-9]*")):  # the first call was asked
        assert time.monotonic() < deadline, "no tree was built"
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in err) == (3, False), out + err
    assert "no counterexample in" in out
    assert hostile_project.leftovers() == []


EARLY_SIGNAL_SCRIPT = """
import os, signal, sys, time
from treeproof.cli import isolated_process

moment, number = sys.argv[1], int(sys.argv[2])
fork, (heard, said) = os.fork, os.pipe()

def forked():
    if moment == "before":
        signal.raise_signal(number)
    child = fork()
    if child:
        os.read(heard, 1)
        if moment == "behind":
            signal.raise_signal(number)
        if moment == "to the other":
            os.kill(child, number)
            time.sleep(0.2)
    elif moment in ("between", "to the other"):
        os.write(said, b"!")
        if moment == "between":
            signal.raise_signal(number)
        time.sleep(0.4)
    return child

def verb():
    try:
        os.write(said, b"!")
        time.sleep(30)
    except KeyboardInterrupt:
        return 3
    return 0

isolated_process.os.fork = forked
sys.exit(isolated_process.run_isolated(verb))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    ("moment", "code", "words"),
    [
        ("before", 3, ""),
        ("behind", 3, ""),
        ("between", 4, "treeproof: interrupted\n"),
        ("to the other", 4, "treeproof: interrupted\n"),
    ],
)
def test_a_signal_beside_the_fork_is_not_lost(
    hostile_project: HostileProject, moment: str, code: int, words: str, number: signal.Signals
) -> None:
    command = [sys.executable, "-c", EARLY_SIGNAL_SCRIPT, moment, str(int(number))]
    ended = subprocess.run(
        command, env=hostile_project.environment, capture_output=True, text=True, timeout=25, check=False
    )
    assert (ended.returncode, ended.stderr) == (code, words)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_doctor_that_is_stopped_leaves_nothing_even_if_it_is_told_twice(
    hostile_project: HostileProject, number: signal.Signals
) -> None:
    process = start_command(hostile_project, "doctor", str(hostile_project.write_manifest("hang")))
    trees, deadline = Path(os.environ["TREEPROOF_WORKSPACE"]), time.monotonic() + 20
    while not any(trees.glob("*/[1-9]*")):
        assert time.monotonic() < deadline, "no tree was built"
        time.sleep(0.01)
    process.send_signal(number)
    time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (4, "treeproof: interrupted\n"), out + err
    assert hostile_project.leftovers() == []


def test_nothing_remains_of_what_values_are_drawn_with(hostile_project: HostileProject) -> None:
    (hostile_project.folder / "temporary").mkdir()
    environment = {**hostile_project.environment, "TMPDIR": str(hostile_project.folder / "temporary")}
    del environment["TREEPROOF_WORKSPACE"]
    before = sorted(path.name for path in hostile_project.folder.iterdir())
    for words in (
        ["search", "reference", "--spec", "ls", "--seconds", "1"],
        ["run", "reference", "--spec", "fs_walkdir"],
    ):
        command = [sys.executable, "-m", "treeproof", *words]
        ended = subprocess.run(
            command,
            env=environment,
            cwd=hostile_project.folder,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert list((hostile_project.folder / "temporary").iterdir()) == []
    assert sorted(path.name for path in hostile_project.folder.iterdir()) == before


def test_the_code_is_that_of_the_verb(hostile_project: HostileProject) -> None:
    codes = [
        ("search", "reference", "--seconds", "1"),
        ("search",),
        ("search", "--help"),
        ("replay", "nowhere.json"),
    ]
    found = []
    for words in codes:
        process = start_command(hostile_project, *words)
        process.communicate(timeout=60)
        found.append(process.returncode)
    assert found == [0, 2, 0, 2]
