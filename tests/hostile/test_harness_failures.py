"""Failures around treeproof: signals during a run, full disks, two runs at once, a host without some features."""

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
from treeproof.run.doctor import needs_of
from treeproof.run.runner import Options, run
from treeproof.spec import bundled_packs, load_pack
from treeproof.spec.gherkin import ScenarioCase, parse_feature
from treeproof.spec.step_definitions import StepMatcher, load_step_definitions
from treeproof.tree import Workspace, probe_host

from .conftest import HostileProject

CHECKOUT = Path(__file__).parents[2]


def wait_for(condition: Callable[[], object], event: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, f"{event} did not happen"
        time.sleep(0.01)


class RunningProcess:
    """A run in another process, with its reports."""

    def __init__(self, hostile_project: HostileProject, mode: str, name: str = "run", **limits: float) -> None:
        self.json = hostile_project.folder / f"{name}.json"
        self.junit = hostile_project.folder / f"{name}.xml"
        args = ["--report", f"json={self.json}", "--report", f"junit={self.junit}"]
        self.process = subprocess.Popen(
            hostile_project.command(mode, *args, **limits),
            env=hostile_project.environment,
            cwd=hostile_project.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out, err

    def document(self) -> dict[str, Any]:
        loaded = report.load(self.json)
        ET.parse(self.junit)
        return loaded.to_json()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_a_run_leaves_only_a_partial_report(
    hostile_project: HostileProject, number: signal.Signals
) -> None:
    running = RunningProcess(hostile_project, "mark_and_hang", call_timeout=600)
    wait_for((hostile_project.folder / "marker").exists, "the call")
    running.process.send_signal(number)
    code, out, err = running.wait()
    assert (code, "Traceback" in err) == (5, False), err
    document = running.document()
    assert (document["verdict"], document["exit"]) == ("interrupted", 5)
    assert (document["interrupted"], document["claim"]) == (True, False)
    assert document["warnings"][0] == "the run was interrupted"
    spec = document["specs"][0]
    assert [(s["title"], s["outcome"]) for s in spec["scenarios"]] == [("before", "passed")]
    assert [r["verdict"] for r in spec["requirements"]] == ["PASS", "NOT VERIFIED", "NOT VERIFIED"]
    assert {r["cause"] for r in spec["requirements"][1:]} == {"the run was interrupted before it was its turn"}
    assert "interrupted" in out.splitlines()[-1]
    assert hostile_project.leftovers() == []


def test_repeated_signals_still_leave_a_report(hostile_project: HostileProject) -> None:
    running = RunningProcess(hostile_project, "mark_and_hang", call_timeout=600)
    wait_for((hostile_project.folder / "marker").exists, "the call")
    while running.process.poll() is None:
        running.process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    code, _, err = running.wait()
    assert (code, err.count("Traceback")) == (5, 0), err
    assert running.document()["interrupted"] is True
    assert hostile_project.leftovers() == []


def test_a_signal_while_the_candidate_starts_ends_the_run(hostile_project: HostileProject) -> None:
    running = RunningProcess(hostile_project, "mark_and_hang_at_start", start_timeout=600)
    wait_for((hostile_project.folder / "marker").exists, "the start")
    running.process.send_signal(signal.SIGTERM)
    assert running.wait()[0] == 5
    document = running.document()
    assert (document["interrupted"], document["specs"][0]["scenarios"]) == (True, [])
    assert hostile_project.leftovers() == []


def test_a_signal_before_the_first_call_interrupts_the_run(hostile_project: HostileProject) -> None:
    running = RunningProcess(hostile_project, "mark_and_hang", call_timeout=600)
    wait_for(lambda: any((hostile_project.folder / "workspaces").iterdir()), "the workspace")
    running.process.send_signal(signal.SIGTERM)
    assert running.wait()[0] == 5
    assert running.document()["interrupted"] is True
    assert hostile_project.leftovers() == []


def test_a_failure_before_the_signal_counts(hostile_project: HostileProject) -> None:
    hostile_project.write_pack(["bad one", "bad two"])
    running = RunningProcess(hostile_project, "fail_mark_and_hang", call_timeout=600)
    wait_for((hostile_project.folder / "marker").exists, "the call")
    running.process.send_signal(signal.SIGTERM)
    assert running.wait()[0] == 1
    document = running.document()
    assert (document["verdict"], document["interrupted"]) == ("non-conformant", True)
    assert [r["verdict"] for r in document["specs"][0]["requirements"]] == ["FAIL", "NOT VERIFIED"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_candidate_in_treeproofs_process(
    hostile_project: HostileProject, number: signal.Signals
) -> None:
    (hostile_project.folder / "stubborn.py").write_text(STUBBORN.format(marker=hostile_project.folder / "marker"))
    command = hostile_project.command("hang", "--report", f"json={hostile_project.folder / 'run.json'}")
    command[command.index("run") + 1] = f"python:{hostile_project.folder / 'stubborn.py'}:Stubborn"
    running = subprocess.Popen(
        command, env=hostile_project.environment, cwd=hostile_project.folder, stderr=subprocess.PIPE
    )
    wait_for((hostile_project.folder / "marker").exists, "the call")
    running.send_signal(number)
    _, err = running.communicate(timeout=120)
    assert (running.returncode, b"Traceback" in err) == (5, False), err
    assert report.load(hostile_project.folder / "run.json").to_json()["interrupted"] is True
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
        open("{marker}", "w").close()
        while True:
            try:
                time.sleep(600)
            except Exception:
                pass
"""


def test_two_runs_at_once_do_not_disturb_each_other(hostile_project: HostileProject) -> None:
    both = [RunningProcess(hostile_project, "wait_for_another_run", name) for name in ("one", "two")]
    assert [running.wait()[0] for running in both] == [0, 0]
    assert all(running.document()["verdict"] == "conformant" for running in both)
    assert len(list(hostile_project.folder.glob("marker-*"))) == 2
    assert hostile_project.leftovers() == []


# ---- a host without a feature -------------------------------------------------------------------------------------


@pytest.fixture
def run_in_namespace(hostile_project: HostileProject) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs a shell script and then a command in a new mount namespace."""
    with Workspace.create() as workspace:
        reason = probe_host(os.fsencode(workspace.path)).unsupported_reason("namespaces")
    if reason is not None:
        pytest.skip(f"not verified: full and read-only disks; needs mount namespaces: {reason}")

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


def test_a_scenario_on_a_full_disk_is_not_verified(
    hostile_project: HostileProject, run_in_namespace: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    hostile_project.write_pack(["before", "large", "after"])
    json_file = hostile_project.folder / "run.json"
    tiny = f"mount -t tmpfs -o nr_inodes=100 tmpfs {hostile_project.folder / 'workspaces'}"
    ended = run_in_namespace(tiny, hostile_project.command("none", "--report", f"json={json_file}"))
    assert ended.returncode == 3, ended.stdout + ended.stderr
    document = report.load(json_file)
    outcomes = {s["title"]: s["outcome"] for s in document.to_json()["specs"][0]["scenarios"]}
    assert outcomes == {"before": "passed", "large": "not-verified", "after": "passed"}
    cause = document.to_json()["specs"][0]["requirements"][1]["cause"]
    assert cause.startswith("this machine cannot make the tree: f")
    assert cause.endswith("No space left on device")


def test_a_disk_without_space_for_a_workspace_is_a_usage_error(
    hostile_project: HostileProject, run_in_namespace: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    full = f"mount -t tmpfs -o nr_inodes=1 tmpfs {hostile_project.folder / 'workspaces'}"
    ended = run_in_namespace(full, hostile_project.command("none"))
    assert ended.returncode == 2
    assert "no workspace can be made here (No space left on device)" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_report_that_does_not_fit_on_its_disk_is_an_error_and_the_run_is_still_printed(
    hostile_project: HostileProject, run_in_namespace: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (hostile_project.folder / "full").mkdir()
    full = f"mount -t tmpfs -o size=4k tmpfs {hostile_project.folder / 'full'}"
    ended = run_in_namespace(
        full,
        hostile_project.command("none", "--report", f"html={hostile_project.folder / 'full' / 'run.html'}"),
    )
    assert ended.returncode == 4
    assert "conformant: every applicable MUST holds" in ended.stdout
    assert "run.html: cannot be written: No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_without_shared_memory_the_temporary_directory_is_used(
    hostile_project: HostileProject, run_in_namespace: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (hostile_project.folder / "tmp").mkdir()
    ended = run_in_namespace(
        "mount -t tmpfs -o ro tmpfs /dev/shm",
        hostile_project.command("none"),
        TREEPROOF_WORKSPACE="",
        TMPDIR=str(hostile_project.folder / "tmp"),
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert list((hostile_project.folder / "tmp").iterdir()) == []


def test_without_a_writable_directory_the_error_is_one_line(
    hostile_project: HostileProject, run_in_namespace: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    directories = [Path("/dev/shm"), Path("/tmp"), Path("/var/tmp"), Path("/usr/tmp")]
    mounts = [f"mount -t tmpfs -o ro tmpfs {directory}" for directory in directories if directory.is_dir()]
    # The manifest, the pack and perhaps this checkout are below /tmp: bind mounts elsewhere keep them accessible.
    mounted = {str(hostile_project.folder): "/mnt", str(CHECKOUT): "/media"}
    binds = [
        f"mount --bind {directory} {name} && mount -o remount,bind,ro {name}" for directory, name in mounted.items()
    ]
    script = "\n".join([*binds, *mounts, "cd /mnt"])

    def mounted_path(text: str) -> str:
        for directory, name in mounted.items():
            text = text.replace(directory, name)
        return text

    environment = {"TREEPROOF_WORKSPACE": "", "TMPDIR": "", "HOME": "/mnt"}
    environment["PYTHONPATH"] = f"{mounted_path(hostile_project.environment['PYTHONPATH'])}:/media"
    command = [mounted_path(argument) for argument in hostile_project.command("none")]
    ended = run_in_namespace(script, command, **environment)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert ended.stderr.count("\n") == 1
    assert "name one in TREEPROOF_WORKSPACE" in ended.stderr


def cases_that_need(need: str) -> list[ScenarioCase]:
    pack = load_pack(bundled_packs()[0])
    matcher = StepMatcher(load_step_definitions(pack.steps))
    cases = (case for feature in pack.feature_files() for case in parse_feature(feature).scenarios)
    return [case for case in cases if need in needs_of(case, matcher) and "advisory" not in case.tags]


def run_reference(ids: list[str]) -> dict[str, Any]:
    return run(Options(target="reference", select=tuple(ids))).document.to_json()


@pytest.mark.parametrize(("need", "program"), [("strace", "strace"), ("namespaces", "unshare")])
def test_scenarios_that_need_a_missing_program_are_not_verified(
    need: str, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = cases_that_need(need)[:3]
    assert cases
    monkeypatch.setenv("PATH", "/nowhere")
    document = run_reference([case.id for case in cases])
    assert (document["verdict"], document["exit"]) == ("incomplete", 3)
    for scenario in document["specs"][0]["scenarios"]:
        assert scenario["outcome"] == "not-verified"
        assert scenario["evidence"]["cause"] == f"needs {need}: {program} is not installed"
    assert document["machine"][need] is False


def test_scenarios_with_values_that_a_disk_cannot_store_are_not_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = cases_that_need("huge_files") + cases_that_need("wide_mtimes")
    monkeypatch.setenv("TREEPROOF_WORKSPACE", "/var/tmp")
    document = run_reference([case.id for case in cases])
    machine = document["machine"]
    if machine["huge_files"] and machine["wide_mtimes"]:
        pytest.skip("not verified: trees that a disk cannot store; the file system of /var/tmp stores all")
    assert document["verdict"] == "incomplete"
    scenarios = document["specs"][0]["scenarios"]
    assert {s["outcome"] for s in scenarios} <= {"passed", "not-verified"}
    causes = [s["evidence"]["cause"] for s in scenarios if s["outcome"] == "not-verified"]
    assert causes and all("the file system keeps" in c or "File too large" in c for c in causes), causes


@pytest.mark.slow
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None,
    reason="not verified: verdicts without capabilities; needs root and setpriv",
)
def test_without_any_capability_the_verdicts_are_the_same(tmp_path: Path) -> None:
    ids = [case.id for case in cases_that_need("drop_caps")[:12] + cases_that_need("strace")[:3]]
    args = ["run", "reference", "--select", *ids, "--report"]
    main = [sys.executable, "-c", "from treeproof.cli import main; raise SystemExit(main())", *args]
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
