"""Candidates with a few bugs: the report names these bugs, and not every requirement that they touch."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.selections import first_scenarios
from treeproof.cli import main
from treeproof.run.plan import Shard
from treeproof.run.runner import Options
from treeproof.run.runner import run as run_suite

pytestmark = pytest.mark.slow

CANDIDATES = Path(__file__).parent / "candidates"


@pytest.fixture(autouse=True)
def candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the modules of the candidates on the import path."""
    monkeypatch.syspath_prepend(str(CANDIDATES))


def run(target: str, spec: str, select: tuple[str, ...] = (), shard: Shard | None = None) -> dict[str, Any]:
    """Run the suite against a candidate and return the run document."""
    return run_suite(Options(target, specs=(spec,), select=select, shard=shard, examples=10)).document.to_json()


def failed_requirements(document: dict[str, Any]) -> list[str]:
    return [one["id"] for one in document["specs"][0]["requirements"] if one["verdict"] == "FAIL"]


def deciding_causes(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Return severity and requirement of each cause that the document of the specification carries."""
    return [(one["severity"], one["requirement"]) for one in document["causes"] if one["severity"] != "beyond"]


@pytest.fixture
def walk_with_errors(tmp_path: Path) -> str:
    """The folder of a candidate over stdio."""
    folder = tmp_path / "candidate"
    folder.mkdir()
    command = json.dumps([sys.executable, str(CANDIDATES / "walkdir_with_errors.py")])
    (folder / "treeproof.toml").write_text(f'[candidate]\nadapter = "stdio"\ncommand = {command}\n', "utf-8")
    return str(folder)


def test_an_error_convention_and_an_escape_are_two_causes(walk_with_errors: str) -> None:
    document = run(walk_with_errors, "fs_walkdir")
    assert document["exit"] == 1
    assert deciding_causes(document) == [("escape", "WD-SEC-02"), ("answer", "WD-ERR-03")]
    assert failed_requirements(document) == ["WD-ERR-03", "WD-SEC-02", "WD-SEC-05"]  # it opens what it lists outside


def test_merged_shards_block_and_group_as_the_whole_run(tmp_path: Path, walk_with_errors: str) -> None:
    selection = first_scenarios("fs_walkdir")
    whole = run(walk_with_errors, "fs_walkdir", selection)
    reports = []
    for number in (1, 2):
        part = run(walk_with_errors, "fs_walkdir", selection, Shard(number, 2))
        reports.append(tmp_path / f"{number}.json")
        reports[-1].write_text(json.dumps(part), "utf-8")
    merged = tmp_path / "merged.json"
    assert main(["merge", *map(str, reports), "--report", f"json={merged}"]) == 1
    document = json.loads(merged.read_text("utf-8"))
    assert document["causes"] == whole["causes"]
    assert [(one["id"], one["verdict"]) for one in document["specs"][0]["requirements"]] == [
        (one["id"], one["verdict"]) for one in whole["specs"][0]["requirements"]
    ]


def test_a_document_that_cannot_be_read_fails_the_requirement_of_the_document() -> None:
    document = run("python:text_only_listing:text_only", "list_directory", first_scenarios("list_directory"))
    assert deciding_causes(document) == [("answer", "DOC-01")]
    assert failed_requirements(document) == ["DOC-01"]
    blocked = [one for one in document["specs"][0]["requirements"] if one.get("blocked_by") == "DOC-01"]
    assert len(blocked) > 50


def test_errors_without_an_envelope_fail_the_requirement_that_every_answer_is_one() -> None:
    document = run("python:crashing_ls:crashing", "ls", first_scenarios("ls"))
    assert deciding_causes(document) == [("answer", "LS-ARG-08")]
    assert failed_requirements(document) == ["LS-ARG-08"]
    blocked = [one for one in document["specs"][0]["requirements"] if one.get("blocked_by") == "LS-ARG-08"]
    assert len(blocked) > 20


def test_a_tool_of_another_name_fails_the_requirement_that_names_it_and_blocks_the_rest() -> None:
    document = run("python:renamed_ls:renamed", "ls", first_scenarios("ls"))
    assert deciding_causes(document) == [("answer", "LS-DEF-01")]
    assert failed_requirements(document) == ["LS-DEF-01"]
    (cause,) = document["causes"]
    assert cause["message"] == "the candidate does not offer the tool 'LS'; for ls it offers 'ls'"
    codes = {one["code"] for one in document["specs"][0]["requirements"] if one["verdict"] == "NOT VERIFIED"}
    assert codes == {"blocked"}
