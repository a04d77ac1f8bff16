"""Candidates in the process that asks them: what they do to it spoils no verdict, not even by ending it with code 0."""

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
    "exit_with_zero": "the process in which it was asked exited with 0",
    "kill_the_process": "the process in which it was asked was killed by SIGKILL",
    "stop_the_process": "the process in which it was asked was killed by SIGKILL",
    "descriptors_closed": "the process in which it was asked exited with",
    "other_json": "the process in which it was asked",
}
"""What spoils the asking itself ends in a fault of the scenario that was asked."""

PROCESS_SURVIVING = (
    "exit_hook",
    "thread_that_stays",
    "fork_that_comes_back",
    "fork_that_comes_back_late",
    "other_directory",
    "directory_that_is_gone",
    "umask",
    "no_more_files",
    "children_unheard",
    "deaf",
    "alarm",
    "shallow",
    "profiler",
    "standard_streams_closed",
    "other_clock",
)
"""What is undone, or concerns nobody: the listing was right."""


@pytest.fixture
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_POLL_SECONDS", 0.2)


def target(hostile_project: HostileProject) -> str:
    """Write a manifest and return its path: a candidate in the process that asks, with a short deadline."""
    file = hostile_project.folder / "treeproof.toml"
    file.write_text(f'[candidate]\nadapter = "python"\nfactory = "{CANDIDATE}:Candidate"\ncall_timeout = 5\n', "utf-8")
    return str(file)


@pytest.mark.usefixtures("looked_at_often")
def test_what_is_done_to_the_process_is_a_fault_or_undone(hostile_project: HostileProject) -> None:
    bad = [*PROCESS_SURVIVING, *PROCESS_ENDING, "thread_that_writes"]
    hostile_project.write_pack([name for mode in bad for name in (f"bad {mode}", f"after {mode}")])
    document = run(Options(target=target(hostile_project), specs=(str(hostile_project.pack),), jobs=None)).document
    outcomes = {s["title"]: s["outcome"] for s in document["specs"][0]["scenarios"]}
    expected = {f"after {mode}": "passed" for mode in bad}
    expected |= {f"bad {mode}": "passed" for mode in PROCESS_SURVIVING} | {
        f"bad {mode}": "fault" for mode in PROCESS_ENDING
    }
    assert outcomes == expected | {"bad thread_that_writes": "failed"}
    for mode, words in PROCESS_ENDING.items():
        assert words in message_of(document, f"bad {mode}")
    assert (document["verdict"], document["warnings"]) == ("non-conformant", [])
    assert hostile_project.leftovers() == []


@pytest.mark.parametrize(
    ("mode", "code"), [("exit_with_zero", 4), ("wrong_with_an_exit_hook", 1), ("thread_that_stays", 0)]
)
def test_the_exit_code_is_that_of_the_verdict(hostile_project: HostileProject, mode: str, code: int) -> None:
    hostile_project.write_pack(["before", f"bad {mode}"])
    command = hostile_project.command("none", "--report", f"json={hostile_project.folder / 'run.json'}")
    command[command.index("run") + 1] = target(hostile_project)
    ended = subprocess.run(
        command, env=hostile_project.environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (code, False), ended.stdout + ended.stderr
    assert (hostile_project.folder / "run.json").exists()
    assert hostile_project.leftovers() == []
