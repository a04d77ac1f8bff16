"""The documented GitLab job: its script runs, as it stands on the page, in a checkout with a manifest."""

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


def test_the_script_runs_and_leaves_what_the_job_keeps(job: Any, tmp_path: Path) -> None:
    """Only pip and apt-get stand aside: they note what they were asked for."""
    new_candidate(load_pack(find_pack("list_directory")), "python", "python", tmp_path)
    aside = tmp_path / "aside"
    aside.mkdir()
    for program in ("pip", "apt-get"):
        (aside / program).write_text(f'#!/bin/sh\necho {program} "$@" >>{tmp_path}/asked\n', "utf-8")
        (aside / program).chmod(0o755)
    place = [str(aside), str(Path(sys.executable).parent), os.environ["PATH"]]
    script = "set -eo pipefail\n" + "\n".join(job["script"]).replace("run .", "run . --select FR-LD-LST-02")
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": os.pathsep.join(place)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr  # what was just scaffolded does not hold yet
    kept = {*job["artifacts"]["paths"], *job["artifacts"]["reports"].values()}
    assert {name for name in kept if (tmp_path / name).is_file()} == kept
    assert "pip install treeproof" in (tmp_path / "asked").read_text("utf-8")


def test_only_an_incomplete_run_is_a_warning(job: Any) -> None:
    assert job["allow_failure"] == {"exit_codes": ["3"]}


@pytest.mark.parametrize(
    "text", ["a: 1\n b: 2\n", "a: 1\na: 2\n", "a: [1]\n", "a: b: c\n", "a: x #y\n", "a:\n\tb: c\n", "a\n"]
)
def test_what_the_reader_would_take_for_something_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="."):
        parse_yaml(text)
