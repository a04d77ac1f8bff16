"""A command that judges an attacking candidate in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ATTACKERS = Path(__file__).with_name("attackers.py")
CHECKOUT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 120


@dataclass(frozen=True)
class Outcome:
    """The exit code, stderr and the report of a run; None without a report."""

    code: int
    stderr: str
    report: dict[str, Any] | None

    def verdict_of(self, requirement: str) -> str:
        assert self.report is not None, self.stderr
        found = [one for spec in self.report["specs"] for one in spec["requirements"] if one["id"] == requirement]
        return str(found[0]["verdict"])


Judge = Callable[..., Outcome]


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the user that no candidate may change."""
    file = tmp_path / "victim"
    file.write_text("precious")
    return file


@pytest.fixture
def judge(tmp_path: Path, victim: Path) -> Judge:
    """Return a function that runs ``treeproof run`` with an attacker; nothing of the run may remain.

    Every process of the run has its stderr, so none remains when the end of stderr is read.
    """
    (tmp_path / "workspaces").mkdir()

    def run(attack: str, *args: str, kind: str = "stdio") -> Outcome:
        report = tmp_path / "run.json"
        host = f"{sys.executable} -m treeproof.candidate.host {kind} {ATTACKERS}:{attack}"
        process = subprocess.run(
            [sys.executable, "-m", "treeproof", "run", f"{kind}:{host}", *args, "--report", f"json={report}"],
            env={
                **os.environ,
                "PYTHONPATH": str(CHECKOUT),
                "TREEPROOF_WORKSPACE": str(tmp_path / "workspaces"),
                "ATTACK_VICTIM": str(victim),
                "TMPDIR": str(tmp_path),
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        assert "Traceback" not in process.stderr, process.stderr
        assert victim.read_text() == "precious"
        assert list((tmp_path / "workspaces").iterdir()) == []
        document = json.loads(report.read_text()) if report.exists() else None
        return Outcome(process.returncode, process.stderr, document)

    return run
