"""Attacks on the user and the host fail with ``--isolate``; without it, most of them succeed."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from treeproof.candidate import Adapter, Call, CandidateFault, Target, connect
from treeproof.candidate.isolation import MAX_TASKS, Isolation, isolation_problem
from treeproof.errors import UsageError
from treeproof.run.targets import isolated
from treeproof.tree import Workspace

CONFINED = Path(__file__).with_name("confined.py")
PYTHONPATH = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
SECRET = "TREEPROOF_TEST_SECRET"
END_SECONDS = 60


def require_isolation() -> None:
    if problem := isolation_problem():
        pytest.skip(f"not verified: attacks on isolation; {problem}")


@dataclass
class Host:
    """What an attack may reach: a process of the user, its files, its sockets."""

    process: subprocess.Popen[bytes]
    home: Path
    folder: Path
    """The folder of the candidate."""
    workspace: Workspace
    listener: socket.socket
    local_listener: Path

    def connect(self, *, isolated: bool) -> Adapter:
        command = f"stdio:{sys.executable} -I -S {self.folder / 'confined.py'}"
        target = Target.parse(command, folder=self.folder)
        if isolated:
            target = replace(target, isolation=Isolation((self.workspace.path,)))
        adapter = connect(target)
        adapter.start(str(self.workspace.path))
        return adapter

    def attack(self, name: str, *, isolated: bool, **arguments: Any) -> Any:
        """Return the result of an attack."""
        adapter = self.connect(isolated=isolated)
        try:
            return self.call(adapter, name, **arguments)
        finally:
            adapter.close()

    def call(self, adapter: Adapter, name: str, **arguments: Any) -> Any:
        root = os.fsdecode(self.workspace.create_sandbox())
        answer = adapter.call(
            Call("list_directory", {"attack": name, **arguments}, {"roots": [root], "working_dir": root})
        )
        return json.loads(answer.content or "null")


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    home, folder, base = (tmp_path / name for name in ("home", "candidate", "workspaces"))
    for directory in (home, folder, base):
        directory.mkdir()
    shutil.copy(CONFINED, folder)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv(SECRET, "token")
    process = subprocess.Popen(["sleep", "600"])
    local = tmp_path / "socket"
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX) as local_listener,
        Workspace.create(base) as workspace,
    ):
        local_listener.bind(str(local))
        local_listener.listen()
        yield Host(process, home, folder, workspace, listener, local)
    process.kill()
    process.wait()


ATTACKS: dict[str, tuple[Callable[[Host], dict[str, Any]], Any]] = {
    "kill": (lambda host: {"pid": host.process.pid}, None),
    "trace": (lambda host: {"pid": host.process.pid}, None),  # Yama may forbid it anyway
    "write in the home": (lambda host: {"path": str(host.home / "file")}, "written"),
    "write beside the workspace": (lambda host: {"path": str(host.workspace.path) + "-file"}, "written"),
    "write in the system": (lambda host: {"path": "/etc/treeproof-test"}, None),
    "append to a setting of the kernel": (lambda host: {"path": "/proc/sys/kernel/core_pattern"}, None),
    "append to its own program": (lambda host: {"path": str(host.folder / "confined.py")}, "opened"),
    "move the workspace": (lambda host: {"path": str(host.workspace.path)}, None),
    "read_environments": (lambda host: {"variable": SECRET}, None),
    "connect": (lambda host: {"port": host.listener.getsockname()[1]}, "connected"),
    "connect_local": (lambda host: {"path": str(host.local_listener)}, "connected"),
    "fill_memory": (lambda host: {"size": 3 << 30}, None),
    "fill_file": (lambda host: {"path": str(host.workspace.path / "file"), "size": 1 << 30}, None),
}
"""Arguments of an attack, and its result without isolation; None: it is not tried."""


PRIVATE_WRITES = ("write in the home", "write beside the workspace")
"""They may seem to succeed: these paths are in the directory for temporary files, which is private."""


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_isolated_candidate_reaches_nothing(host: Host, attack: str) -> None:
    require_isolation()
    arguments, _ = ATTACKS[attack]
    result = host.attack(attack.split()[0], isolated=True, **arguments(host))
    if attack not in PRIVATE_WRITES:
        assert result == [] if attack == "read_environments" else "Error: " in result, result
    assert host.process.poll() is None
    assert list(host.home.iterdir()) == []
    assert (host.folder / "confined.py").read_bytes() == CONFINED.read_bytes()
    assert sorted(path.name for path in host.folder.parent.iterdir()) == ["candidate", "home", "socket", "workspaces"]
    assert list(host.workspace.path.parent.iterdir()) == [host.workspace.path]


@pytest.mark.parametrize("attack", [name for name, (_, result) in ATTACKS.items() if result is not None])
def test_the_attacks_succeed_without_isolation(host: Host, attack: str) -> None:
    arguments, expected = ATTACKS[attack]
    assert host.attack(attack.split()[0], isolated=False, **arguments(host)) == expected


def test_a_candidate_with_too_many_processes_is_ended(host: Host) -> None:
    require_isolation()
    adapter = host.connect(isolated=True)
    try:
        with pytest.raises(CandidateFault, match=f"was ended because it had more than {MAX_TASKS} processes"):
            host.call(adapter, "fork_bomb", count=4 * MAX_TASKS)
        assert host.call(adapter, "write", path=os.devnull) == "written", "it is started again"
    finally:
        adapter.close()


def test_a_daemon_ends_with_the_isolated_candidate(host: Host) -> None:
    require_isolation()
    marker = secrets.token_hex(16)
    assert host.attack("leave_daemon", isolated=True, marker=marker) == "left"
    deadline = time.monotonic() + END_SECONDS
    while found := processes_with(marker):
        assert time.monotonic() < deadline, found
        time.sleep(0.01)


def processes_with(argument: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if argument.encode() in (process / "cmdline").read_bytes().split(b"\0"):
                found.append(process.name)
    return found


# ---- treeproof run --isolate ----------------------------------------------------------------------------------------

HOSTED = f"stdio:{sys.executable} -m treeproof.candidate.host stdio treeproof.reference_impl.{{}}.candidate:candidate"
SCENARIOS = {
    "list_directory": {
        "LD-PERF-01-01": "opened directories",
        "LD-VAL-06-07": "an injected fault",
        "LD-VAL-06-104": "a device of the system",
        "LD-C-05-02": "a trace",
    },
    "file_operations": {
        "FO-D04-03": "a second file system, a fault half way",
        "FO-D04-15": "sudden death",
        "FO-D04-05": "a file system of its own",
    },
}
"""Scenarios that need the host, in a process that may be confined."""


def run(tmp_path: Path, *args: str, **variables: str) -> tuple[int, str, dict[str, Any]]:
    report = tmp_path / "run.json"
    report.unlink(missing_ok=True)
    (tmp_path / "workspaces").mkdir(exist_ok=True)
    ended = subprocess.run(
        [sys.executable, "-m", "treeproof", "run", *args, "--report", f"json={report}"],
        env=os.environ | {"PYTHONPATH": PYTHONPATH, "TREEPROOF_WORKSPACE": str(tmp_path / "workspaces")} | variables,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in ended.stderr, ended.stderr
    assert list((tmp_path / "workspaces").iterdir()) == []
    return ended.returncode, ended.stderr, json.loads(report.read_text()) if report.exists() else {}


def test_isolation_needs_bubblewrap(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    code, stderr, report = run(tmp_path, HOSTED.format("list_directory"), "--isolate", PATH=str(tmp_path / "bin"))
    assert (code, report) == (2, {})
    assert stderr.startswith("treeproof: --isolate: bubblewrap (bwrap) is not installed; install bubblewrap")
    assert stderr.count("\n") == 1


def test_a_server_at_a_url_cannot_be_isolated() -> None:
    with pytest.raises(UsageError, match="does not start a server at a URL; use the adapter kind mcp"):
        isolated(Target.parse("mcp+http://127.0.0.1:9/mcp"))


@pytest.mark.slow
@pytest.mark.parametrize("spec", SCENARIOS)
def test_isolation_changes_no_outcome_but_of_roots_outside(tmp_path: Path, spec: str) -> None:
    require_isolation()
    args = [HOSTED.format(spec), "--spec", spec, *(word for id in SCENARIOS[spec] for word in ("--select", id))]
    plain, confined = (outcomes(run(tmp_path, *args, *more)) for more in ((), ("--isolate",)))
    left_out = {id: "not-applicable" for id in plain[1] if id == "LD-VAL-06-104"}
    assert plain[1] == {**confined[1], **left_out}
    assert confined[1].keys() == SCENARIOS[spec].keys()


def outcomes(ended: tuple[int, str, dict[str, Any]]) -> tuple[int, dict[str, str]]:
    code, stderr, report = ended
    assert report, stderr
    return code, {s["id"]: s["outcome"] for s in report["specs"][0]["scenarios"]}


@pytest.mark.parametrize("kind", ["python", "command"])
def test_the_parent_of_an_isolated_candidate_cannot_be_killed(tmp_path: Path, kind: str) -> None:
    require_isolation()
    attackers = Path(__file__).with_name("attackers.py")
    host = f"{sys.executable} -m treeproof.candidate.host {kind} {attackers}:parent_killed"
    target = f"python:{attackers}:parent_killed" if kind == "python" else f"{kind}:{host}"
    code, stderr, report = run(tmp_path, target, "--select", "LD-LST-05-01", "--isolate")
    assert (code, report.get("verdict")) == (0, "partial"), stderr
    assert report["command"][-1] == "--isolate"
