"""The documented GitLab job: its script runs unchanged in a folder with a manifest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from treeproof.scaffold import new_candidate
from treeproof.spec import find_pack, load_pack

from .yaml_subset import parse_yaml

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "ci.md"


@pytest.fixture(scope="module")
def job() -> Any:
    block = re.search(r"## GitLab\n\n```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert block is not None
    return parse_yaml(block[1])["treeproof"]


@pytest.mark.slow
def test_the_script_runs_and_writes_the_artifacts(job: Any, tmp_path: Path) -> None:
    """Replace only pip and apt-get, with programs that record their arguments."""
    new_candidate(load_pack(find_pack("list_directory")), "python", "python", tmp_path)
    fakes = tmp_path / "fakes"
    fakes.mkdir()
    for program in ("pip", "apt-get"):
        (fakes / program).write_text(f'#!/bin/sh\necho {program} "$@" >>{tmp_path}/arguments\n', "utf-8")
        (fakes / program).chmod(0o755)
    path = [str(fakes), str(Path(sys.executable).parent), os.environ["PATH"]]
    script = "set -eo pipefail\n" + "\n".join(job["script"]).replace("run .", "run . --select DOC-03")
    result = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 1, result.stderr  # the template is not conformant
    artifacts = {*job["artifacts"]["paths"], *job["artifacts"]["reports"].values()}
    assert {name for name in artifacts if (tmp_path / name).is_file()} == artifacts
    assert "pip install treeproof" in (tmp_path / "arguments").read_text("utf-8")


def test_only_exit_code_0_passes(job: Any) -> None:
    assert "allow_failure" not in job


@pytest.mark.parametrize(
    "text", ["a: 1\n b: 2\n", "a: 1\na: 2\n", "a: [1]\n", "a: b: c\n", "a: x #y\n", "a:\n\tb: c\n", "a\n"]
)
def test_the_reader_refuses_other_yaml(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        parse_yaml(text)
