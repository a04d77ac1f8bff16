"""The one whole run of the quick tests, as a user starts it; each property has few cases."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from treeproof.spec import bundled_packs


def test_the_reference_conforms_to_every_specification(tmp_path: Path) -> None:
    report = tmp_path / "run.json"
    command = [sys.executable, "-m", "treeproof", "run", "reference", "--examples", "5", "--report", f"json={report}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stdout + done.stderr  # 3: the host cannot show everything
    document = json.loads(report.read_text("utf-8"))
    assert {spec["name"] for spec in document["specs"]} == {folder.name for folder in bundled_packs()}
    scenarios = [one for spec in document["specs"] for one in spec["scenarios"]]
    assert [one["id"] for one in scenarios if one["outcome"] in ("failed", "fault") or one.get("findings")] == []
    assert sum(one["outcome"] == "passed" for one in scenarios) > 0.8 * len(scenarios)
    assert document["exit"] == done.returncode
