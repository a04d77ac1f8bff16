"""A signal to a command with worker processes: the workers end, and nothing that they built remains."""

from __future__ import annotations

import contextlib
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
    out, err = process.communicate(timeout=120)
    if number is signal.SIGKILL:
        assert process.returncode == -9
    else:
        assert (process.returncode, err) == (5, "treeproof: interrupted\n"), out + err
    deadline = time.monotonic() + 60
    while (remaining := workers(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert remaining == []
    assert hostile_project.leftovers() == []


@pytest.mark.parametrize("place", ["fifo", "pipe"])
def test_one_signal_ends_a_run_whose_report_nobody_reads(hostile_project: HostileProject, place: str) -> None:
    fifo = hostile_project.folder / "fifo"
    os.mkfifo(fifo)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while os.write(writer, bytes(1 << 16)):
            pass
    os.set_blocking(writer, True)
    script = """
import sys
from treeproof.cli import main
from treeproof.report.formats import registry
from treeproof.run import interrupts

interrupts._ENDING_SECONDS = 0.2
write_reports = registry.write_reports

def announce_and_write(*args):
    print("writing", file=sys.stderr, flush=True)
    write_reports(*args)

registry.write_reports = announce_and_write
sys.exit(main())
"""
    target = fifo if place == "fifo" else "-"
    args = ["run", "reference", "--select", "LD-LST-05-01", "--report", f"json={target}"]
    process = subprocess.Popen(
        [sys.executable, "-c", script, *args],
        env=hostile_project.environment,
        cwd=hostile_project.folder,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert process.stderr is not None
    while (line := process.stderr.readline()) != "writing\n":
        assert line, "the run has ended before it wrote"
    process.terminate()
    try:
        _, err = process.communicate(timeout=120)
    finally:
        process.kill()
        os.close(reader)
    assert (process.returncode, err) == (5, "treeproof: interrupted\n")
    assert hostile_project.leftovers() == []
