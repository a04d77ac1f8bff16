"""The suite on systems that lack features: what they cannot show is not verified, and nothing crashes or fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bare_systems.lacking import FEATURES, MACOS, MOUNTS, machine_is_known
from tests.selections import scenarios_of_each_step

pytestmark = pytest.mark.slow

TOOL = Path(__file__).with_name("lacking.py")
ALL = ",".join((*FEATURES, "root"))
"""Without prctl, root's rights cannot be taken from a candidate."""
ALL_IN_MEMORY = ",".join((*(feature for feature in FEATURES if feature != "shm"), "root"))
"""The same with trees in memory."""


def _run(features: str, selection: Sequence[str], report: Path) -> subprocess.CompletedProcess[str]:
    if not machine_is_known():
        pytest.skip("not verified: a system that lacks features; needs Linux on x86-64 or ARM64")
    if set(features.split(",")) & {*MOUNTS, "root"}:
        flags = "-rm" if os.geteuid() else "-m"
        trial = subprocess.run(
            ["unshare", flags, "sh", "-c", f"{MOUNTS['proc']} && unshare -U true"],
            capture_output=True,
            text=True,
            check=False,
        )
        if trial.returncode:
            pytest.skip(f"not verified: a system that lacks features; needs namespaces: {trial.stderr.strip()}")
    command = [sys.executable, str(TOOL), features]
    command += [sys.executable, "-m", "treeproof", "run", "reference", "--report", f"json={report}"]
    command += ["--examples", "5", "--select", *selection]  # a random case uses what its step uses
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("features", [*FEATURES, "root", "prctl,root"])
def test_what_a_system_lacks_is_not_verified(features: str, tmp_path: Path) -> None:
    check_run(features, scenarios_of_each_step("fs_walkdir"), tmp_path / "report.json")


def test_a_tool_that_changes_trees_works_on_a_disk(tmp_path: Path) -> None:
    check_run("shm", scenarios_of_each_step("file_operations")[::3], tmp_path / "report.json")


def test_what_a_system_that_lacks_everything_shows_is_right(tmp_path: Path) -> None:
    check_run(ALL_IN_MEMORY, scenarios_of_each_step(), tmp_path / "report.json")


def test_what_a_mac_shows_is_right(tmp_path: Path) -> None:
    """The simulated file system is slow: some of these scenarios run, and no tree of a thousand entries is built."""
    selection = [id for id in scenarios_of_each_step()[::6] if "PERF" not in id]
    check_run(MACOS, selection, tmp_path / "report.json")


def test_what_a_system_that_lacks_everything_shows_on_a_disk_is_right(tmp_path: Path) -> None:
    """Trees take many times as long on a disk, so one in six of these scenarios runs, and none that writes 2 GiB."""
    selection = [id for id in scenarios_of_each_step()[::6] if id != "FO-D02-130"]
    check_run(ALL, selection, tmp_path / "report.json")


def check_run(features: str, selection: Sequence[str], report: Path) -> None:
    """Run the reference on a system without the features: nothing fails, and few scenarios are not verified."""
    result = _run(features, selection, report)
    assert "Traceback" not in result.stderr + result.stdout
    if features == "prctl" and os.geteuid() == 0:
        assert result.returncode == 4
        assert "root's rights cannot be taken from it here; run treeproof as another user" in " ".join(
            result.stdout.split()
        )
        return
    assert result.returncode in (0, 3), result.stdout[-1000:] + result.stderr[-1000:]
    run = json.loads(report.read_text())
    scenarios = [scenario for spec in run["specs"] for scenario in spec["scenarios"]]
    assert {scenario["outcome"] for scenario in scenarios} <= {"passed", "not-verified", "not-applicable"}
    unverified = [scenario for scenario in scenarios if scenario["outcome"] == "not-verified"]
    assert all(scenario["evidence"]["cause"] for scenario in unverified)
    assert len(unverified) < len(scenarios) / 4
