"""Special files, removed directories, broken packs and other encodings give one line and exit code 2, and no hang."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest

from treeproof import cli
from treeproof.cli import main
from treeproof.run import runner
from treeproof.run.plan import scenario_ids_by_file
from treeproof.scaffold.specification import new_spec

COMMAND = [sys.executable, "-m", "treeproof"]
ARGUMENTS = {
    "merge": ("merge", "special"),
    "explain": ("explain", "FR-LD-LST-05", "--report", "special"),
    "replay": ("replay", "special"),
    "promote": ("new", "scenario", "--from", "special"),
    "baseline": ("run", "reference", "--select", "LD-LST-05-01", "--baseline", "special"),
    "config": ("serve", "reference", "--protocol", "mcp", "--http", "0", "--config", "special"),
    "manifest": ("run", "special"),
    "pack": ("run", "reference", "--spec", "./pack"),
    "lint": ("lint", "mine"),
    "feature": ("run", "reference", "--spec", "./mine"),
}
MESSAGES = {
    "FIFO": "a FIFO, not a file",
    "device": "a device, not a file",
    "folder": "a folder, not a file",
    "long": "longer than ",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    new_spec("mine", tmp_path / "mine")
    return tmp_path


def create_special_file(special: str, place: Path) -> None:
    if special == "FIFO":
        os.mkfifo(place.with_name("fifo"))
        place.symlink_to("fifo")
    elif special == "device":
        place.symlink_to("/dev/zero")
    elif special == "folder":
        place.mkdir()
    else:
        with place.open("wb") as file:
            file.truncate(600 << 20)  # a sparse file


@pytest.mark.parametrize(("verb", "special"), list(zip(ARGUMENTS, cycle(MESSAGES), strict=False)))
def test_a_special_file_is_refused_before_it_is_read(
    here: Path, capfd: pytest.CaptureFixture[str], verb: str, special: str
) -> None:
    if verb == "pack":
        (here / "pack").mkdir()
    places = {"lint": here / "mine" / "special.feature", "feature": here / "mine" / "special.feature"}
    create_special_file(special, places.get(verb, here / ("pack/spec.toml" if verb == "pack" else "special")))
    assert main(list(ARGUMENTS[verb])) == 2
    out, err = capfd.readouterr()
    output = out if verb == "lint" else err
    if (verb, special) == ("manifest", "folder"):
        assert "the folder has no treeproof.toml; name one that has" in output
    else:
        assert MESSAGES[special] in output
    assert verb == "lint" or err.count("\n") == 1


def test_a_feature_of_too_many_lines_is_refused(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "mine" / "long.feature").write_bytes(b"\n" * (1 << 20))
    assert main(["run", "reference", "--spec", "./mine"]) == 2
    assert "long.feature:1: longer than 20000 lines; split it into several features" in capfd.readouterr().err


def test_a_link_to_a_file_is_that_file(here: Path) -> None:
    feature = here / "mine" / "first.feature"
    feature.rename(here / "elsewhere")
    feature.symlink_to(here / "elsewhere")
    assert main(["lint", "mine"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "reference", "--baseline", ""), "--baseline: the path is empty; write one"),
        (("run", "reference", "--write-baseline", ""), "--write-baseline: the path is empty; write one"),
        (("serve", "reference", "--protocol", "mcp", "--config", ""), "--config: the path is empty; write one"),
        (("run", "reference", "--report", "json="), "--report json=: no file; write json=FILE"),
        (("adequacy", "--report", ""), "--report: the path is empty; write one"),
        (("run", ""), "TARGET is empty; write reference, a path to treeproof.toml"),
        (("run", "reference", "--jobs", "99999"), "--jobs: '99999' is too many; write at most 64"),
        (("adequacy", "--jobs", "65"), "--jobs: '65' is too many; write at most 64"),
        (("run", "stdio:/etc/passwd"), "'/etc/passwd' is not executable; set the execute bit"),
        (("run", "stdio:/etc"), "'/etc' is a folder; name a program in it"),
        (("serve", "reference", "--protocol", "mcp", "--root", "X"), "X: no such directory; name an existing"),
        (("run", "mine"), "the folder has no treeproof.toml; name one that has, or begin with: treeproof new"),
        (("merge", "mine/spec.toml"), "not JSON: Expecting value: line 1 column 1 (char 0); name a report"),
        (
            ("run", "reference", "--spec", "ls", "--baseline", "no"),
            "no: cannot be read: No such file or directory; name",
        ),
        (("adequacy", "--select", "MUT-001", "MUT-LX-1"), "--select MUT-LX-1: no mutant of list_dir"),
    ],
)
def test_a_wrong_argument_is_refused_with_a_remedy(
    here: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert main(list(arguments)) == 2
    out, err = capfd.readouterr()
    assert (message in err, err.count("\n"), out) == (True, 1, ""), err


@pytest.mark.slow
@pytest.mark.parametrize("umask", [0o777])
def test_an_unusual_umask_changes_no_verdict_and_leaves_nothing(tmp_path: Path, umask: int) -> None:
    (tmp_path / "trees").mkdir()
    command = [*COMMAND, "run", "reference", "--spec", "list_directory", "--report", f"json={tmp_path}/run.json"]
    done = subprocess.run(
        [*command, "--select", "T-LD-01", "FR-LD-VAL-07"],
        env={**os.environ, "TREEPROOF_WORKSPACE": str(tmp_path / "trees")},
        umask=umask,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert list((tmp_path / "trees").iterdir()) == []
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o666 & ~umask, "the umask of the user"


def test_there_are_no_more_workers_than_feature_files() -> None:
    options = runner.Options("reference", specs=("ls",), select=("LS-PAGE-02",), jobs=64)
    targets = runner.reference_targets(runner.plan_run(options))
    files = sum(len(scenario_ids_by_file(part)) for target in targets for part in target.packs)
    assert runner._job_count(options, targets) == files < 64


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "x.toml"),
        ("run", "reference"),
        ("search", "reference"),
        ("replay", "x"),
        ("merge", "x"),
        ("run", "reference", "--report", "json=x"),
    ],
)
def test_a_removed_working_directory_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    removed = tmp_path / "removed"
    removed.mkdir()
    monkeypatch.chdir(removed)
    removed.rmdir()
    assert main(list(arguments)) == 2
    assert capfd.readouterr().err == f"treeproof: {cli.CWD_REMOVED}\n"


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("steps", "def ("),
        ("steps", "import pytest; pytest.exit('x')"),
        ("reference", "raise SystemExit(0)"),
        ("mutants", "1 / 0"),
    ],
)
def test_a_broken_module_of_a_pack_is_a_usage_error(here: Path, module: str, code: str) -> None:
    (here / "mine" / f"mine_{module}.py").write_text(f"\n{code}\n", "utf-8")
    verb = ("adequacy", "--spec") if module == "mutants" else ("run", "reference", "--spec")
    done = subprocess.run([*COMMAND, *verb, "./mine"], capture_output=True, text=True, timeout=120, check=False)
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
    assert f"mine_{module}.py:2: " in last and "; correct it" in last


def test_a_command_that_exits_the_process_is_a_fault(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def end(arguments: object) -> int:
        raise SystemExit(0)

    monkeypatch.setattr("treeproof.cli.list_explain_trace.list_", end)
    assert main(["list", "specs"]) == 4
    assert capfd.readouterr().err.startswith("treeproof: the process was ended with 0 before there was")


def test_a_file_system_of_another_encoding_is_refused_at_once() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [*COMMAND, "run", "reference", "--select", "LD-LST-05-01"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "treeproof: file names are decoded as ascii, not UTF-8; set LC_ALL=C.UTF-8, or unset PYTHONUTF8\n"
    )


def test_a_candidate_that_does_not_start_is_named_after_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "treeproof.toml").write_text('[candidate]\nadapter = "stdio"\ncommand = ["false"]\n', "utf-8")
    monkeypatch.chdir(folder)
    assert main(["run", ".", "--select", "LD-LST-05-01", "--report", "json=run.json"]) == 4
    assert '"name": "acme"' in (folder / "run.json").read_text("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="not verified: a limit of open files; needs a POSIX system")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("run", "reference", "--spec", "fs_walkdir"), 2, "the limit of open files is 12, and a run needs 256"),
        (("lint",), 4, "too many open files: there is no verdict; raise the limit with 'ulimit -n 1024'"),
    ],
)
def test_a_low_limit_of_open_files_fails_no_candidate(arguments: tuple[str, ...], code: int, message: str) -> None:
    shell = ["sh", "-c", 'ulimit -n 12 && exec "$@"', "sh"]
    result = subprocess.run([*shell, *COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr.count("\n")) == (code, 1), result.stderr
    assert message in result.stderr


def test_a_low_soft_limit_of_open_files_is_raised() -> None:
    shell = ["sh", "-c", 'ulimit -Sn 64 && exec "$@"', "sh"]
    run = [*COMMAND, "run", "reference", "--select", "WD-WALK-01-01"]
    result = subprocess.run([*shell, *run], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
