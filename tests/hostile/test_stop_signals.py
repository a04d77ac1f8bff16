"""A signal to a command with worker processes: the workers end, and nothing that they built remains."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import HostileProject


def workers(mark: str) -> list[str]:
    """Return the command lines of processes whose environment contains the mark."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().decode())
        except OSError:
            continue
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_adequacy_ends_with_its_workers(hostile_project: HostileProject, number: signal.Signals) -> None:
    mark = f"TREEPROOF_TEST={hostile_project.process_marker}"
    name, _, value = mark.partition("=")
    process = subprocess.Popen(
        [sys.executable, "-m", "treeproof", "adequacy", "--spec", "fs_walkdir", "--full"],
        env={**hostile_project.environment, name: value},
        cwd=hostile_project.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    trees, deadline = Path(os.environ["TREEPROOF_WORKSPACE"]), time.monotonic() + 60
    while not any(trees.glob("*/" + 16 * "[0-9a-f]")):
        assert time.monotonic() < deadline, "no tree was built"
        time.sleep(0.01)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    if number is signal.SIGKILL:
        assert process.returncode == -9
    else:
        assert (process.returncode, err) == (5, "treeproof: interrupted\n"), out + err
    deadline = time.monotonic() + 60
    while (remaining := workers(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert remaining == []
    assert hostile_project.leftovers() == []
