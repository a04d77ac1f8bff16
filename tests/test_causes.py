"""Candidates with a few bugs: the report names these bugs, and not every requirement that they touch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.selections import first_scenarios

CANDIDATES = Path(__file__).parent / "candidates"


def run(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    """Run the suite against a candidate and return the run document; it does not conform."""
    report = tmp_path / "run.json"
    done = subprocess.run(
        [sys.executable, "-m", "treeproof", "run", *arguments, "--report", f"json={report}"],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(CANDIDATES), os.environ.get("PYTHONPATH", "")])},
    )
    assert done.returncode == 1, done.stderr
    document: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return document


def failed_requirements(document: dict[str, Any]) -> list[str]:
    return [one["id"] for one in document["specs"][0]["requirements"] if one["verdict"] == "FAIL"]


def deciding_causes(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Return severity and requirement of each cause that the document of the specification carries."""
    return [(one["severity"], one["requirement"]) for one in document["causes"] if one["severity"] != "beyond"]


@pytest.fixture
def walk_with_errors(tmp_path: Path) -> Path:
    """The folder of a candidate over stdio."""
    folder = tmp_path / "candidate"
    folder.mkdir()
    command = json.dumps([sys.executable, str(CANDIDATES / "walkdir_with_errors.py")])
    (folder / "treeproof.toml").write_text(f'[candidate]\nadapter = "stdio"\ncommand = {command}\n', "utf-8")
    return folder


def test_an_error_convention_and_an_escape_are_two_causes(tmp_path: Path, walk_with_errors: Path) -> None:
    document = run(tmp_path, str(walk_with_errors))
    assert deciding_causes(document) == [("escape", "WD-SEC-02"), ("answer", "WD-ERR-01")]
    assert failed_requirements(document) == ["WD-ERR-01", "WD-SEC-02"]


def test_merged_shards_block_and_group_as_the_whole_run(tmp_path: Path, walk_with_errors: Path) -> None:
    selection = ("--spec", "fs_walkdir", "--select", *first_scenarios("fs_walkdir"))
    whole = run(tmp_path, str(walk_with_errors), *selection)
    reports = []
    for shard in ("1/2", "2/2"):
        reports.append(str(tmp_path / f"{shard[0]}.json"))
        arguments = ["run", str(walk_with_errors), *selection, "--shard", shard, "--report", f"json={reports[-1]}"]
        subprocess.run([sys.executable, "-m", "treeproof", *arguments], capture_output=True, timeout=300)
    merged = tmp_path / "merged.json"
    subprocess.run(
        [sys.executable, "-m", "treeproof", "merge", *reports, "--report", f"json={merged}"],
        capture_output=True,
        timeout=300,
    )
    document = json.loads(merged.read_text("utf-8"))
    assert document["causes"] == whole["causes"]
    assert [(one["id"], one["verdict"]) for one in document["specs"][0]["requirements"]] == [
        (one["id"], one["verdict"]) for one in whole["specs"][0]["requirements"]
    ]


def test_a_document_that_cannot_be_read_fails_the_requirement_of_the_document(tmp_path: Path) -> None:
    selection = ("--spec", "list_directory", "--select", *first_scenarios("list_directory"))
    document = run(tmp_path, "python:text_only_listing:text_only", *selection)
    assert deciding_causes(document) == [("answer", "DOC-01")]
    assert failed_requirements(document) == ["DOC-01"]
    blocked = [one for one in document["specs"][0]["requirements"] if one.get("blocked_by") == "DOC-01"]
    assert len(blocked) > 50


def test_errors_without_an_envelope_fail_the_requirement_that_every_answer_is_one(tmp_path: Path) -> None:
    document = run(tmp_path, "python:crashing_ls:crashing", "--spec", "ls", "--select", *first_scenarios("ls"))
    assert deciding_causes(document) == [("answer", "LS-ARG-08")]
    assert failed_requirements(document) == ["LS-ARG-08"]
    blocked = [one for one in document["specs"][0]["requirements"] if one.get("blocked_by") == "LS-ARG-08"]
    assert len(blocked) > 20


def test_a_tool_of_another_name_fails_the_requirement_that_names_it_and_blocks_the_rest(tmp_path: Path) -> None:
    document = run(tmp_path, "python:renamed_ls:renamed", "--spec", "ls", "--select", *first_scenarios("ls"))
    assert deciding_causes(document) == [("answer", "LS-DEF-01")]
    assert failed_requirements(document) == ["LS-DEF-01"]
    (cause,) = document["causes"]
    assert cause["message"] == "the candidate does not offer the tool 'LS'; for ls it offers 'ls'"
    codes = {one["code"] for one in document["specs"][0]["requirements"] if one["verdict"] == "NOT VERIFIED"}
    assert codes == {"blocked"}
