"""The command line as a person uses it: words, exit codes, one line for a mistake, pipes that end early."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "treeproof.cli"]


def treeproof(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=120, cwd=cwd, check=False
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "nope:thing"), "unknown adapter kind 'nope'"),
        (("run", "missing.toml"), "no such manifest or folder"),
        (("run", "reference", "--select", "FR-LD-XXX"), "--select FR-LD-XXX: no requirement"),
        (
            ("run", "reference", "--report", "json=/nonexistent/x.json"),
            "the folder /nonexistent does not exist",
        ),
        (("run", "reference", "--report", "foo=x"), "unknown format 'foo'"),
        (("run", "reference", "--spec", "nope"), 'no specification is named "nope"'),
        (("run", "reference", "--spec", "list_directory@9"), "list_directory@1.1"),
        (("run", "python:nosuch.module:f"), "no module 'nosuch'"),
        (("run", "stdio:/no/such/program"), "no program '/no/such/program'"),
        (("run", "reference", "--baseline", "/nonexistent.toml"), "/nonexistent.toml"),
        (("explain", "FR-LD-VAL-0"), 'nothing has the id "FR-LD-VAL-0"'),
        (("lint", "/nonexistent"), "/nonexistent: no such folder"),
        (("frobnicate",), "invalid choice: 'frobnicate'"),
        ((), "VERB"),
    ],
)
def test_a_mistake_is_told_in_words_and_nothing_runs(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    done = treeproof(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert os.listdir(tmp_path) == []


def test_a_broken_manifest_names_file_and_key(tmp_path: Path) -> None:
    (tmp_path / "treeproof.toml").write_text('[candidate]\nadapter = "stdio"\ncomand = ["x"]\n', "utf-8")
    done = treeproof("run", "treeproof.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert "treeproof.toml" in done.stderr
    assert "comand" in done.stderr
    assert "command" in done.stderr


@pytest.mark.parametrize(
    "words", [("run", "reference", "--select", "T-LD-01"), ("list", "scenarios"), ("trace",)]
)
def test_a_reader_that_goes_away_changes_no_verdict(words: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None and child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        complaints = child.stderr.read()
        assert child.wait(timeout=120) == 0
    assert "Traceback" not in complaints
    assert "BrokenPipe" not in complaints


def test_a_narrowed_run_ends_with_0_and_is_no_claim() -> None:
    done = treeproof("run", "reference", "--select", "T-LD-02")
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("not a conformance claim")


def test_a_wrong_candidate_ends_with_1(tmp_path: Path) -> None:
    wrong = """
from treeproof.reference_impl.list_directory import candidate

class Unsorted:
    def __init__(self): self.right = candidate()
    def initialize(self, params): return self.right.initialize(params)
    def describe(self, params): return self.right.describe(params)
    def call(self, params):
        import json
        result = self.right.call(params)
        if result["status"] == "ok":
            document = json.loads(result["content"])
            document["entries"].reverse()
            text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            result = {**result, "content": text}
        return result
"""
    (tmp_path / "wrong.py").write_text(wrong, "utf-8")
    done = treeproof("run", "python:./wrong.py:Unsorted", "--select", "T-LD-01", "T-LD-07", cwd=tmp_path)
    assert done.returncode == 1
    last = done.stdout.rstrip().splitlines()[-1]
    assert "non-conformant" in done.stdout and "T-LD-01" in last and "T-LD-07" not in last


def test_help_comes_at_once() -> None:
    began = time.perf_counter()
    assert treeproof("--help").returncode == 0
    assert time.perf_counter() - began < 5  # a hang guard; the budget is measured in benchmarks/


@pytest.mark.parametrize(
    "what", ["specs", "requirements", "scenarios", "interpretations", "steps", "capabilities"]
)
def test_every_list_has_lines(what: str) -> None:
    done = treeproof("list", what)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 1


@pytest.mark.parametrize(
    ("id", "says"),
    [
        ("FR-LD-LST-05", "LD-LST-05-01"),
        ("AMB-LD-01", "exceeded"),
        ("LD-T-01-01", "T-LD-01"),
        ("C-01", "excluded"),
    ],
)
def test_an_id_is_explained(id: str, says: str) -> None:
    done = treeproof("explain", id)
    assert done.returncode == 0
    assert says in done.stdout
