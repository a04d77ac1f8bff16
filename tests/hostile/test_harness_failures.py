"""The harness itself in trouble: signals in mid-run, full disks, another run beside it, a machine that lacks things."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.report import document as report
from treeproof.run.host_needs import needs_of
from treeproof.run.runner import Options, run
from treeproof.spec import bundled_packs, load_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.tree import Workspace, probe_host

from .conftest import HostileProject

CHECKOUT = Path(__file__).parents[2]


def wait_for(holds: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.01)


class RunningProcess:
    """A run in a process of its own, with its reports."""

    def __init__(self, hostile_project: HostileProject, mode: str, name: str = "run", **limits: float) -> None:
        self.json = hostile_project.folder / f"{name}.json"
        self.junit = hostile_project.folder / f"{name}.xml"
        words = ["--report", f"json={self.json}", "--report", f"junit={self.junit}"]
        self.process = subprocess.Popen(
            hostile_project.command(mode, *words, **limits),
            env=hostile_project.environment,
            cwd=hostile_project.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err

    def document(self) -> dict[str, Any]:
        loaded = report.load(self.json)
        ET.parse(self.junit)
        return loaded


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_mid_run_leaves_a_partial_report_and_nothing_else(
    hostile_project: HostileProject, number: signal.Signals
) -> None:
    running = RunningProcess(hostile_project, "tell_and_hang", call_timeout=60)
    wait_for((hostile_project.folder / "memory").exists, "the call")
    began = time.monotonic()
    running.process.send_signal(number)
    code, out, err = running.wait()
    assert time.monotonic() - began < 10
    assert (code, "Traceback" in err) == (3, False), err
    document = running.document()
    assert (document["verdict"], document["exit"]) == ("incomplete", 3)
    assert (document["interrupted"], document["claim"]) == (True, False)
    assert document["warnings"][0] == "the run was interrupted"
    spec = document["specs"][0]
    assert [(s["title"], s["outcome"]) for s in spec["scenarios"]] == [("before", "passed")]
    assert [r["verdict"] for r in spec["requirements"]] == ["PASS", "NOT VERIFIED", "NOT VERIFIED"]
    assert {r["cause"] for r in spec["requirements"][1:]} == {"the run was interrupted before it was its turn"}
    assert "interrupted" in out.splitlines()[-1]
    assert hostile_project.leftovers() == []


def test_an_impatient_user_gets_the_report_as_well(hostile_project: HostileProject) -> None:
    running = RunningProcess(hostile_project, "tell_and_hang", call_timeout=60)
    wait_for((hostile_project.folder / "memory").exists, "the call")
    while running.process.poll() is None:
        running.process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    code, _, err = running.wait()
    assert (code, err.count("Traceback")) == (3, 0), err
    assert running.document()["interrupted"] is True
    assert hostile_project.leftovers() == []


def test_a_signal_while_the_candidate_starts_ends_the_run(hostile_project: HostileProject) -> None:
    running = RunningProcess(hostile_project, "tell_and_hang_at_start", start_timeout=60)
    wait_for((hostile_project.folder / "memory").exists, "the start")
    running.process.send_signal(signal.SIGTERM)
    assert running.wait()[0] == 3
    document = running.document()
    assert (document["interrupted"], document["specs"][0]["scenarios"]) == (True, [])
    assert hostile_project.leftovers() == []


def test_a_signal_before_anything_runs_is_not_lost(hostile_project: HostileProject) -> None:
    running = RunningProcess(hostile_project, "tell_and_hang", call_timeout=1)
    # Handlers are there before the slow imports are made; until then a signal ends the process as always.
    wait_for(lambda: handles_signal(running.process.pid, signal.SIGTERM), "the handler")
    running.process.send_signal(signal.SIGTERM)
    assert running.wait()[0] == 3
    assert running.document()["interrupted"] is True
    assert hostile_project.leftovers() == []


def handles_signal(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) & 1 << (number - 1))


def test_a_candidate_that_ends_the_harness_gains_nothing(hostile_project: HostileProject) -> None:
    running = RunningProcess(hostile_project, "end_the_harness", call_timeout=60)
    assert running.wait()[0] == 3
    assert running.document()["verdict"] == "incomplete"
    assert hostile_project.leftovers() == []


def test_what_failed_before_the_signal_has_failed(hostile_project: HostileProject) -> None:
    hostile_project.write_pack(["bad one", "bad two"])
    running = RunningProcess(hostile_project, "fail_tell_and_hang", call_timeout=60)
    wait_for((hostile_project.folder / "memory").exists, "the call")
    running.process.send_signal(signal.SIGTERM)
    assert running.wait()[0] == 1
    document = running.document()
    assert (document["verdict"], document["interrupted"]) == ("non-conformant", True)
    assert [r["verdict"] for r in document["specs"][0]["requirements"]] == ["FAIL", "NOT VERIFIED"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_candidate_in_the_process_itself(
    hostile_project: HostileProject, number: signal.Signals
) -> None:
    (hostile_project.folder / "stubborn.py").write_text(STUBBORN.format(memory=hostile_project.folder / "memory"))
    command = hostile_project.command("hang", "--report", f"json={hostile_project.folder / 'run.json'}")
    command[command.index("run") + 1] = f"python:{hostile_project.folder / 'stubborn.py'}:Stubborn"
    running = subprocess.Popen(
        command, env=hostile_project.environment, cwd=hostile_project.folder, stderr=subprocess.PIPE
    )
    wait_for((hostile_project.folder / "memory").exists, "the call")
    running.send_signal(number)
    _, err = running.communicate(timeout=20)
    assert (running.returncode, b"Traceback" in err) == (3, False), err
    assert report.load(hostile_project.folder / "run.json")["interrupted"] is True
    assert hostile_project.leftovers() == []


STUBBORN = """
import time

class Stubborn:
    def initialize(self, params):
        return {{"protocol": 1, "candidate": {{"name": "stubborn", "version": "1", "language": "python"}},
                 "tools": {{"say": "hostile@1"}}, "capabilities": []}}

    def describe(self, params):
        return {{"name": "say"}}

    def call(self, params):
        open("{memory}", "w").close()
        while True:
            try:
                time.sleep(600)
            except Exception:
                pass
"""


def test_two_runs_at_once_do_not_meet(hostile_project: HostileProject) -> None:
    both = [RunningProcess(hostile_project, "meet_another", name, call_timeout=30) for name in ("one", "two")]
    assert [running.wait()[0] for running in both] == [0, 0]
    assert all(running.document()["verdict"] == "conformant" for running in both)
    assert len(list(hostile_project.folder.glob("memory-*"))) == 2
    assert hostile_project.leftovers() == []


# ---- a machine that lacks something -------------------------------------------------------------------------------


@pytest.fixture
def sealed(hostile_project: HostileProject) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs shell words before a command line in mount namespaces of its own."""
    with Workspace.create() as workspace:
        why = probe_host(os.fsencode(workspace.path)).unsupported_reason("namespaces")
    if why is not None:
        pytest.skip(f"not verified: full and read-only disks; they need mounts of one's own: {why}")

    def execute(script: str, command: list[str], **changes: str) -> subprocess.CompletedProcess[str]:
        environment = {**hostile_project.environment, **changes}
        return subprocess.run(
            ["unshare", "-rm", "sh", "-ec", f'{script}\nexec "$@"', "sh", *command],
            env={name: value for name, value in environment.items() if value},
            cwd=hostile_project.folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return execute


def test_a_full_disk_is_a_cause_and_no_failure(
    hostile_project: HostileProject, sealed: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    hostile_project.write_pack(["before", "large", "after"])
    json_file = hostile_project.folder / "run.json"
    tiny = f"mount -t tmpfs -o nr_inodes=100 tmpfs {hostile_project.folder / 'workspaces'}"
    ended = sealed(tiny, hostile_project.command("none", "--report", f"json={json_file}"))
    assert ended.returncode == 3, ended.stdout + ended.stderr
    document = report.load(json_file)
    outcomes = {s["title"]: s["outcome"] for s in document["specs"][0]["scenarios"]}
    assert outcomes == {"before": "passed", "large": "not-verified", "after": "passed"}
    cause = document["specs"][0]["requirements"][1]["cause"]
    assert cause.startswith("this machine cannot make the tree: f")
    assert cause.endswith("No space left on device")


def test_a_disk_without_room_for_a_workspace_is_said_at_once(
    hostile_project: HostileProject, sealed: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    full = f"mount -t tmpfs -o nr_inodes=1 tmpfs {hostile_project.folder / 'workspaces'}"
    ended = sealed(full, hostile_project.command("none"))
    assert ended.returncode == 2
    assert "no workspace can be made here (No space left on device)" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_report_that_does_not_fit_on_its_disk_is_told_and_the_run_with_it(
    hostile_project: HostileProject, sealed: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (hostile_project.folder / "full").mkdir()
    full = f"mount -t tmpfs -o size=4k tmpfs {hostile_project.folder / 'full'}"
    ended = sealed(
        full,
        hostile_project.command("none", "--report", f"json={hostile_project.folder / 'full' / 'run.json'}"),
    )
    assert ended.returncode == 4
    assert "conformant: every applicable MUST holds" in ended.stdout
    assert "run.json: cannot be written: No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_without_shared_memory_the_temporary_directory_serves(
    hostile_project: HostileProject, sealed: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (hostile_project.folder / "tmp").mkdir()
    ended = sealed(
        "mount -t tmpfs -o ro tmpfs /dev/shm",
        hostile_project.command("none"),
        TREEPROOF_WORKSPACE="",
        TMPDIR=str(hostile_project.folder / "tmp"),
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert list((hostile_project.folder / "tmp").iterdir()) == []


def test_where_nothing_can_be_written_to_one_line_says_so(
    hostile_project: HostileProject, sealed: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    places = [Path("/dev/shm"), Path("/tmp"), Path("/var/tmp"), Path("/usr/tmp")]
    mounts = [f"mount -t tmpfs -o ro tmpfs {place}" for place in places if place.is_dir()]
    # The manifest and the pack lie below /tmp, and so may this checkout: bind mounts elsewhere keep them open.
    kept = {str(hostile_project.folder): "/mnt", str(CHECKOUT): "/media"}
    binds = [f"mount --bind {place} {name} && mount -o remount,bind,ro {name}" for place, name in kept.items()]
    script = "\n".join([*binds, *mounts, "cd /mnt"])

    def there(text: str) -> str:
        for place, name in kept.items():
            text = text.replace(place, name)
        return text

    environment = {"TREEPROOF_WORKSPACE": "", "TMPDIR": "", "HOME": "/mnt"}
    environment["PYTHONPATH"] = f"{there(hostile_project.environment['PYTHONPATH'])}:/media"
    command = [there(word) for word in hostile_project.command("none")]
    ended = sealed(script, command, **environment)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "name one in TREEPROOF_WORKSPACE" in ended.stderr


def cases_that_need(need: str) -> list[ScenarioCase]:
    pack = load_pack(bundled_packs()[0])
    matcher = StepMatcher(load_step_definitions(pack.steps))
    rows = (row for feature in pack.feature_files() for row in parse_feature(feature).scenarios)
    return [row for row in rows if need in needs_of(row, matcher) and "advisory" not in row.tags]


def reference(ids: list[str]) -> dict[str, Any]:
    return run(Options(target="reference", select=tuple(ids))).document


@pytest.mark.parametrize(("need", "program"), [("strace", "strace"), ("namespaces", "unshare")])
def test_without_a_program_what_needs_it_is_not_verified(
    need: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = cases_that_need(need)[:3]
    assert rows
    monkeypatch.setenv("PATH", "/nowhere")
    document = reference([row.id for row in rows])
    assert (document["verdict"], document["exit"]) == ("incomplete", 3)
    for scenario in document["specs"][0]["scenarios"]:
        assert scenario["outcome"] == "not-verified"
        assert scenario["evidence"]["cause"] == f"needs {need}: {program} is not installed"
    assert document["machine"][need] is False


def test_on_a_disk_what_it_cannot_hold_is_not_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = cases_that_need("huge_files") + cases_that_need("wide_mtimes")
    monkeypatch.setenv("TREEPROOF_WORKSPACE", "/var/tmp")
    document = reference([row.id for row in rows])
    machine = document["machine"]
    if machine["huge_files"] and machine["wide_mtimes"]:
        pytest.skip("not verified: trees that a disk cannot hold; the file system of /var/tmp holds all")
    assert document["verdict"] == "incomplete"
    scenarios = document["specs"][0]["scenarios"]
    assert {s["outcome"] for s in scenarios} <= {"passed", "not-verified"}
    causes = [s["evidence"]["cause"] for s in scenarios if s["outcome"] == "not-verified"]
    assert causes and all("the file system keeps" in c or "File too large" in c for c in causes), causes


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="not verified: verdicts without capabilities; needs root, who has some to give up, and setpriv",
)
def test_without_any_capability_the_verdicts_are_the_same(tmp_path: Path) -> None:
    rows = [row.id for row in cases_that_need("drop_caps")[:12] + cases_that_need("strace")[:3]]
    words = ["run", "reference", "--select", *rows, "--report"]
    main = [sys.executable, "-c", "from treeproof.cli import main; raise SystemExit(main())", *words]
    without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    for name, prefix in (("with", []), ("without", without)):
        ended = subprocess.run([*prefix, *main, f"json={tmp_path / name}"], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout + ended.stderr
    outcomes = [
        {s["id"]: s["outcome"] for s in json.loads((tmp_path / name).read_text())["specs"][0]["scenarios"]}
        for name in ("with", "without")
    ]
    assert outcomes[0] == outcomes[1]
    assert set(outcomes[0].values()) == {"passed"}
