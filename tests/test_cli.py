"""The command line: messages, exit codes and closed pipes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.report.catalogue_lists import print_list
from treeproof.report.console_writer import ConsoleWriter, console_for
from treeproof.scaffold.specification import new_spec
from treeproof.spec import find_pack, load_pack
from treeproof.spec.contract import find_installed

COMMAND = [sys.executable, "-m", "treeproof"]
FAILING_RUN = ("run", "mutant:MUT-001", "--select", "LD-LST-05-01")


def run_treeproof(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=120, cwd=cwd, check=False)


Execute = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def execute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Execute:
    """Return a function that runs a command in this process, in an empty folder."""

    def execute(*arguments: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(tmp_path)
        code = main([*arguments])
        return subprocess.CompletedProcess(arguments, code, *capsys.readouterr())

    return execute


@pytest.mark.parametrize(
    ("arguments", "message"),
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
def test_a_wrong_argument_is_refused_and_nothing_runs(
    execute: Execute, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = execute(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert os.listdir(tmp_path) == []


def test_a_program_in_place_of_a_manifest_is_refused_with_the_correct_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tool").write_bytes(b"\x7fELF\xff")
    assert main(["run", "./tool"]) == 2
    message = "not a manifest, because it is not TOML; name a program with its kind, as in stdio:./tool, "
    assert message in capsys.readouterr().err


def test_a_broken_manifest_names_file_and_key(execute: Execute, tmp_path: Path) -> None:
    (tmp_path / "treeproof.toml").write_text('[candidate]\nadapter = "stdio"\ncomand = ["x"]\n', "utf-8")
    done = execute("run", "treeproof.toml")
    assert done.returncode == 2
    assert "treeproof.toml" in done.stderr
    assert "comand" in done.stderr
    assert "command" in done.stderr


@pytest.mark.parametrize("arguments", [("run", "reference", "--select", "T-LD-01"), ("list", "scenarios"), ("trace",)])
def test_a_pipe_that_is_closed_early_does_not_change_the_exit_code(arguments: tuple[str, ...]) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        errors = child.stderr.read()
        assert child.wait(timeout=120) == 0
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors


SHORT_SEARCH = """
import sys
from treeproof.cli import command
from treeproof.search import search

search.MAX_COUNTEREXAMPLES = 1
sys.exit(command())
"""
SHORT_SEARCH_COMMAND = [sys.executable, "-c", SHORT_SEARCH]
"""The command line, except that a search ends with its first counterexample."""


def run_with_closed_pipe(*arguments: str, stderr: bool = False, command: Sequence[str] = COMMAND) -> int:
    """Return the exit code with a closed pipe as standard output and, with ``stderr``, as standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    quiet = writing if stderr else subprocess.DEVNULL
    done = subprocess.run([*command, *arguments], stdout=writing, stderr=quiet, timeout=120, check=False)
    os.close(writing)
    return done.returncode


def test_closed_output_and_error_pipes_do_not_change_the_exit_code() -> None:
    assert run_with_closed_pipe(*FAILING_RUN, stderr=True) == 1  # such as `treeproof run … 2>&1 | head -1`


@pytest.mark.slow
def test_merge_search_and_replay_have_the_same_exit_code_with_a_closed_pipe(tmp_path: Path) -> None:
    wrong = ("mutant:MUT-001", "--spec", "list_directory")
    report = str(tmp_path / "run.json")
    assert main(["run", *wrong, "--select", "LD-LST-05-01", "--report", f"json={report}"]) == 1
    assert run_with_closed_pipe("merge", report, "--report", "json=-") == 1
    search = ("search", *wrong, "--seconds", "60", "--save", str(tmp_path / "kept"))
    assert run_with_closed_pipe(*search, command=SHORT_SEARCH_COMMAND) == 1
    assert run_with_closed_pipe("replay", str(next((tmp_path / "kept").iterdir())), wrong[0]) == 1


def test_a_usage_error_has_exit_code_2_with_closed_pipes() -> None:
    assert run_with_closed_pipe("run", "nope:thing", stderr=True) == 2
    assert run_with_closed_pipe("merge", "/nonexistent", stderr=True) == 2


def test_a_failed_doctor_has_exit_code_4_with_a_closed_pipe() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, "doctor", "command:true"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (4, b"")


@pytest.mark.parametrize(
    ("closed", "arguments", "code"),
    [(">&-", ("list", "specs"), 0), ("2>&-", ("run", "nope:thing"), 2), ("<&- >&- 2>&-", FAILING_RUN, 1)],
)
def test_closed_streams_change_no_exit_code(closed: str, arguments: tuple[str, ...], code: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    "arguments",
    [("list", "specs"), ("list", "scenarios"), ("run", "reference", "--select", "T-LD-01", "--report", "junit=-")],
)
def test_output_to_a_full_device_is_a_fault(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 4
    assert "No space left on device" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("id", "message"),
    [
        ("LS-PAGE-2", 'write "LS-PAGE-02"'),
        ("fr-ld-lst-5", 'write "FR-LD-LST-05"'),
        ("nonsense", "in any specification; see: treeproof list requirements, scenarios, interpretations"),
        ("a\x1b[31m\nb", '"a\\x1b[31m\\nb"'),
    ],
)
def test_an_unknown_id_is_searched_in_every_specification(
    capsys: pytest.CaptureFixture[str], id: str, message: str
) -> None:
    assert main(["explain", id]) == 2
    captured = capsys.readouterr()
    assert (message in captured.err, captured.err.count("\n"), captured.out) == (True, 1, "")


def test_a_long_id_does_not_touch_the_next_column_of_a_list(
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


def test_a_run_with_a_selection_has_exit_code_0_and_is_no_claim() -> None:
    done = run_treeproof("run", "reference", "--select", "T-LD-02")
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("not a conformance claim")


def test_a_wrong_candidate_has_exit_code_1(tmp_path: Path) -> None:
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
    done = run_treeproof(
        "run", "python:./wrong.py:Unsorted", "--select", "LD-OUT-01-01", "T-LD-07", "--examples=1", cwd=tmp_path
    )
    assert done.returncode == 1
    last = done.stdout.rstrip().splitlines()[-1]
    assert "non-conformant" in done.stdout and "FR-LD-OUT-01" in last and "T-LD-07" not in last


def test_help_is_printed_quickly() -> None:
    start = time.perf_counter()
    assert run_treeproof("--help").returncode == 0
    assert time.perf_counter() - start < 60  # a hang guard; the budget is measured in benchmarks/


@pytest.mark.parametrize(
    "kind", ["specs", "requirements", "scenarios", "interpretations", "mutants", "steps", "capabilities"]
)
def test_every_kind_of_list_has_entries(execute: Execute, kind: str) -> None:
    done = execute("list", kind)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 1


@pytest.mark.parametrize(
    ("id", "message"),
    [("FR-LD-LST-05", "LD-LST-05-01"), ("AMB-LD-01", "exceeded"), ("LD-T-01-01", "T-LD-01"), ("C-01", "excluded")],
)
def test_an_id_is_explained(execute: Execute, id: str, message: str) -> None:
    done = execute("explain", id)
    assert done.returncode == 0
    assert message in done.stdout


def test_a_specification_of_a_report_is_found_by_name_and_not_by_path(tmp_path: Path) -> None:
    new_spec("mine", tmp_path / "mine")
    assert getattr(find_installed("ls"), "name", "") == "ls"
    assert find_installed(str(tmp_path / "mine")) is None
    assert str(tmp_path / "mine") not in sys.path


def test_no_file_of_the_working_directory_takes_the_place_of_a_library(tmp_path: Path) -> None:
    for name in ("tomlkit", "jsonschema", "pytest_bdd", "platform"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(0)")
    result = subprocess.run([*COMMAND, "list", "specs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.returncode, "list_directory@1.1" in result.stdout) == (0, True)
