"""The documented steps for GitHub's code scanning: the command writes the file that the last step uploads."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.scaffold import new_candidate
from treeproof.spec import find_pack, load_pack

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "ci.md"


def test_the_command_annotates_and_writes_the_uploaded_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.read_text("utf-8")
    command = re.search(r"- run: treeproof (run .*sarif.*)\n", page)
    uploaded = re.search(r"sarif_file: (\S+)\n", page)
    assert command is not None and uploaded is not None
    monkeypatch.chdir(tmp_path)
    new_candidate(load_pack(find_pack("list_directory")), "python", "python", tmp_path)
    assert main([*shlex.split(command[1]), "--select", "DOC-03"]) == 1  # the template is not conformant
    assert capfd.readouterr().out.startswith("::error file=treeproof.toml,line=1,title=treeproof")
    (sarif_run,) = json.loads((tmp_path / uploaded[1]).read_text("utf-8"))["runs"]
    assert {one["ruleId"] for one in sarif_run["results"]} == {"DOC-03"}
