"""The command line as a person uses it: words, exit codes, one line for a mistake, pipes that end early."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.cli.packs import load_bundled
from treeproof.report.catalogue import print_list
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.scaffold.specification import new_spec
from treeproof.spec import find_pack, load_pack

COMMAND = [sys.executable, "-m", "treeproof"]
WRONG = ("run", "mutant:MUT-001", "--select", "LD-LST-05-01")


def run_treeproof(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=120, cwd=cwd, check=False)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "nope:thing"), "unknown adapter kind 'nope'"),
        (("run", "missing.toml"), "no such manifest or folder"),
        (("run", "reference", "--select", "FR-LD-XXX"), "--select FR-LD-XXX: no requirement"),
        (("run", "reference", "--report", "json=/nonexistent/x.json"), "the folder /nonexistent does not exist"),
        (("run", "reference", "--report", "foo=x"), "unknown format 'foo'"),
        (("run", "reference", "--spec", "nope"), 'no specification is named "nope"'),
        (("run", "reference", "--spec", "list_directory@9"), "list_directory@1.1"),
        (("run", "python:nosuch.module:f"), "no module 'nosuch'"),
        (("run", "stdio:/no/such/program"), "no program '/no/such/program'"),
        (("run", "reference", "--baseline", "/nonexistent.toml"), "/nonexistent.toml"),
        (("explain", "FR-LD-VAL-0"), 'nothing has the id "FR-LD-VAL-0"'),
        (("lint", "/nonexistent"), "/nonexistent: no such folder"),
        (("frobnicate",), "invalid choice: 'frobnicate'"),
        (("run", "stdio:node", "server.mjs"), "arguments: server.mjs (quote a TARGET that consists of several words)"),
        (("run", "reference", "--reprot", "json=x"), "unrecognized arguments: --reprot json=x; see"),
        ((), "COMMAND"),
    ],
)
def test_a_mistake_is_told_in_words_and_nothing_runs(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    done = run_treeproof(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert os.listdir(tmp_path) == []


def test_a_program_in_place_of_a_manifest_is_told_how_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tool").write_bytes(b"\x7fELF\xff")
    assert main(["run", "./tool"]) == 2
    told = "not a manifest, because it is not TOML; name a program with its kind, as in stdio:./tool, "
    assert told in capsys.readouterr().err


def test_a_broken_manifest_names_file_and_key(tmp_path: Path) -> None:
    (tmp_path / "treeproof.toml").write_text('[candidate]\nadapter = "stdio"\ncomand = ["x"]\n', "utf-8")
    done = run_treeproof("run", "treeproof.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert "treeproof.toml" in done.stderr
    assert "comand" in done.stderr
    assert "command" in done.stderr


@pytest.mark.parametrize("words", [("run", "reference", "--select", "T-LD-01"), ("list", "scenarios"), ("trace",)])
def test_a_reader_that_goes_away_changes_no_verdict(words: tuple[str, ...]) -> None:
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        complaints = child.stderr.read()
        assert child.wait(timeout=120) == 0
    assert "Traceback" not in complaints
    assert "BrokenPipe" not in complaints


def run_with_closed_pipe(*words: str, stderr: bool = False) -> int:
    """Return the exit code where nobody reads standard output, nor standard error where ``stderr`` says so."""
    reading, writing = os.pipe()
    os.close(reading)
    quiet = writing if stderr else subprocess.DEVNULL
    done = subprocess.run([*COMMAND, *words], stdout=writing, stderr=quiet, timeout=120, check=False)
    os.close(writing)
    return done.returncode


def test_a_watcher_that_goes_away_changes_no_verdict() -> None:
    assert run_with_closed_pipe(*WRONG, stderr=True) == 1  # as `treeproof run … 2>&1 | head -1` has it sooner or later


def test_what_nobody_reads_ends_as_what_somebody_reads(tmp_path: Path) -> None:
    wrong = ("mutant:MUT-001", "--spec", "list_directory")
    report = str(tmp_path / "run.json")
    assert main(["run", *wrong, "--select", "LD-LST-05-01", "--report", f"json={report}"]) == 1
    assert run_with_closed_pipe("merge", report, "--report", "json=-") == 1
    assert run_with_closed_pipe("search", *wrong, "--seconds", "2", "--save", str(tmp_path / "kept")) == 1
    assert run_with_closed_pipe("replay", str(next((tmp_path / "kept").iterdir()))) == 1


def test_a_mistake_of_which_nobody_reads_is_no_verdict() -> None:
    assert run_with_closed_pipe("run", "nope:thing", stderr=True) == 2
    assert run_with_closed_pipe("merge", "/nonexistent", stderr=True) == 2


def test_a_reader_that_goes_away_before_the_word_is_not_told_that_all_is_well() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, "doctor", "command:true"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (4, b"")


@pytest.mark.parametrize(
    ("closed", "words", "code"),
    [(">&-", ("list", "specs"), 0), ("2>&-", ("run", "nope:thing"), 2), ("<&- >&- 2>&-", WRONG, 1)],
)
def test_closed_streams_change_no_exit_code(closed: str, words: tuple[str, ...], code: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    "words",
    [("list", "specs"), ("list", "scenarios"), ("run", "reference", "--select", "T-LD-01", "--report", "tap=-")],
)
def test_output_without_room_is_a_fault_and_no_verdict(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 4
    assert "No space left on device" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("id", "says"),
    [
        ("LS-PAGE-2", 'write "LS-PAGE-02"'),
        ("fr-ld-lst-5", 'write "FR-LD-LST-05"'),
        ("nonsense", "in any specification; see: treeproof list requirements, scenarios, interpretations"),
        ("a\x1b[31m\nb", '"a\\x1b[31m\\nb"'),
    ],
)
def test_an_id_that_nothing_has_is_looked_for_in_every_specification(
    capsys: pytest.CaptureFixture[str], id: str, says: str
) -> None:
    assert main(["explain", id]) == 2
    told = capsys.readouterr()
    assert (says in told.err, told.err.count("\n"), told.out) == (True, 1, "")


def test_no_id_of_a_list_touches_what_stands_behind_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    pack = load_pack(find_pack("local_files"))
    long = replace(pack.interpretations[0], id="AMB-LF-A-VERY-LONG-ONE", treatment="editorial")
    changed = replace(pack, interpretations=(long, *pack.interpretations[1:]))
    print_list("interpretations", [changed], ConsoleWriter(console_for(sys.stdout)))
    heads = [line for line in capsys.readouterr().out.splitlines() if line.startswith("AMB")]
    places = {
        line.index(f"  {entry.treatment}")
        for line, entry in zip(heads, changed.interpretations, strict=True)
        if line.startswith(entry.id)
    }
    assert places == {len(long.id)}


def test_a_narrowed_run_ends_with_0_and_is_no_claim() -> None:
    done = run_treeproof("run", "reference", "--select", "T-LD-02")
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("not a conformance claim")


def test_a_wrong_candidate_ends_with_1(tmp_path: Path) -> None:
    wrong = """
from treeproof.reference_impl.list_directory.candidate import candidate

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
    done = run_treeproof("run", "python:./wrong.py:Unsorted", "--select", "T-LD-01", "T-LD-07", cwd=tmp_path)
    assert done.returncode == 1
    last = done.stdout.rstrip().splitlines()[-1]
    assert "non-conformant" in done.stdout and "T-LD-01" in last and "T-LD-07" not in last


def test_help_comes_at_once() -> None:
    began = time.perf_counter()
    assert run_treeproof("--help").returncode == 0
    assert time.perf_counter() - began < 5  # a hang guard; the budget is measured in benchmarks/


@pytest.mark.parametrize("what", ["specs", "requirements", "scenarios", "interpretations", "steps", "capabilities"])
def test_every_list_has_lines(what: str) -> None:
    done = run_treeproof("list", what)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 1


@pytest.mark.parametrize(
    ("id", "says"),
    [("FR-LD-LST-05", "LD-LST-05-01"), ("AMB-LD-01", "exceeded"), ("LD-T-01-01", "T-LD-01"), ("C-01", "excluded")],
)
def test_an_id_is_explained(id: str, says: str) -> None:
    done = run_treeproof("explain", id)
    assert done.returncode == 0
    assert says in done.stdout


def test_what_a_report_calls_a_specification_is_a_name_and_no_path(tmp_path: Path) -> None:
    new_spec("mine", tmp_path / "mine")
    assert [pack.name for pack in load_bundled("ls")] == ["ls"]
    assert load_bundled(str(tmp_path / "mine")) == []
    assert str(tmp_path / "mine") not in sys.path
