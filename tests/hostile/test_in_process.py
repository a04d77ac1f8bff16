"""Candidates in treeproof's process: their changes of the process falsify no verdict, not even an exit with code 0."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from treeproof.run import worker_pool
from treeproof.run.runner import Options, run

from .conftest import HostileProject
from .test_misbehaving_candidates import message_of

CANDIDATE = Path(__file__).with_name("in_process.py")

PROCESS_ENDING = {
    "exit_with_zero": "its worker process ended with exit code 0",
    "kill_the_process": "its worker process was killed by SIGKILL",
    "stop_the_process": "its worker process was killed by SIGKILL",
    "descriptors_closed": "its worker process ended with exit code",
    "other_json": "its worker process",
}
"""Misbehaviour that makes calls impossible is a fault of the scenario."""

PROCESS_SURVIVING = (
    "exit_hook",
    "remaining_thread",
    "returning_fork",
    "late_returning_fork",
    "other_directory",
    "deleted_directory",
    "umask",
    "few_descriptors",
    "ignored_children",
    "ignored_signals",
    "alarm",
    "low_recursion_limit",
    "profiler",
    "standard_streams_closed",
    "other_clock",
)
"""Misbehaviour that is undone or has no effect on the run."""


@pytest.fixture
def short_poll_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_POLL_SECONDS", 0.2)


def target(hostile_project: HostileProject) -> str:
    """Write a manifest for a candidate in treeproof's process, and return its path."""
    file = hostile_project.folder / "treeproof.toml"
    file.write_text(f'[candidate]\nadapter = "python"\nfactory = "{CANDIDATE}:Candidate"\ncall_timeout = 60\n', "utf-8")
    return str(file)


@pytest.mark.usefixtures("short_poll_interval")
def test_a_change_of_the_process_is_a_fault_or_undone(hostile_project: HostileProject) -> None:
    bad = [*PROCESS_SURVIVING, *PROCESS_ENDING, "writing_thread"]
    hostile_project.write_pack([name for mode in bad for name in (f"bad {mode}", f"after {mode}")])
    document = run(Options(target=target(hostile_project), specs=(str(hostile_project.pack),), jobs=None)).document
    outcomes = {s["title"]: s["outcome"] for s in document["specs"][0]["scenarios"]}
    expected = {f"after {mode}": "passed" for mode in bad}
    expected |= {f"bad {mode}": "passed" for mode in PROCESS_SURVIVING} | {
        f"bad {mode}": "fault" for mode in PROCESS_ENDING
    }
    assert outcomes == expected | {"bad writing_thread": "failed"}
    for mode, message in PROCESS_ENDING.items():
        assert message in message_of(document, f"bad {mode}")
    assert (document["verdict"], document["warnings"]) == ("non-conformant", [])
    assert hostile_project.leftovers() == []


@pytest.mark.parametrize(
    ("mode", "code"), [("exit_with_zero", 4), ("change_the_tree_with_an_exit_hook", 1), ("remaining_thread", 0)]
)
def test_the_exit_code_follows_the_verdict(hostile_project: HostileProject, mode: str, code: int) -> None:
    hostile_project.write_pack(["before", f"bad {mode}"])
    command = hostile_project.command("none", "--report", f"json={hostile_project.folder / 'run.json'}")
    command[command.index("run") + 1] = target(hostile_project)
    ended = subprocess.run(
        command, env=hostile_project.environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (code, False), ended.stdout + ended.stderr
    assert (hostile_project.folder / "run.json").exists()
    assert hostile_project.leftovers() == []
