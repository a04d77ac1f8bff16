"""The suite on systems that lack features: what they cannot show is not verified, and nothing crashes or fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bare_systems.lacking import FEATURES, MOUNTS, machine_is_known
from tests.selections import first_scenarios

SPECS = ("list_directory", "file_operations", "fs_walkdir", "local_files", "ls")
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
    command += [sys.executable, "-m", "treeproof", "run", "reference", *selection, "--report", f"json={report}"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("features", "spec"),
    [
        *((feature, "fs_walkdir") for feature in FEATURES),
        ("shm", "file_operations"),
        ("root", "fs_walkdir"),
        ("prctl,root", "fs_walkdir"),
    ],
)
def test_what_a_system_lacks_is_not_verified(features: str, spec: str, tmp_path: Path) -> None:
    """Every scenario runs below, without all features; here one stands for each requirement in each feature file."""
    selection = ("--spec", spec) if features == "prctl" else ("--select", *first_scenarios(spec))
    check_run(features, selection, tmp_path / "report.json")


def test_what_a_system_that_lacks_everything_shows_is_right(tmp_path: Path) -> None:
    everything = [part for spec in SPECS for part in ("--spec", spec)]
    check_run(ALL_IN_MEMORY, everything, tmp_path / "report.json")


def test_what_a_system_that_lacks_everything_shows_on_a_disk_is_right(tmp_path: Path) -> None:
    """Trees take many times as long on a disk, so every second of these scenarios runs."""
    check_run(ALL, ("--select", *first_scenarios()[::2]), tmp_path / "report.json")


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
    assert len(unverified) < len(scenarios) / 5
