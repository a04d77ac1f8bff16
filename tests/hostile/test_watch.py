"""`run --watch`: a run after each change, none after what a run writes itself, and an orderly end."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from treeproof.cli import main
from treeproof.cli.watch import watched_folders

TIMEOUT_SECONDS = 120
WAITING = "treeproof: waiting for a change; Ctrl-C ends\n"
CANDIDATE = """
from pathlib import Path
NAMES = ["a"]

def candidate(tool, arguments, context):
    return {"status": "ok", "content": ""}
"""


class WatchedRun:
    """A process of `treeproof run --watch`, whose lines are read as they come."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "treeproof", "run", str(folder), "--select", "LD-OUT-DOC-02", "--watch"]
        report = ["--report", f"json={folder / 'run.json'}"]
        self.process = subprocess.Popen(
            command + report, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def read_until(self, last: str) -> list[str]:
        """Return the lines up to ``last``. Raises queue.Empty if it does not come."""
        found = [self._lines.get(timeout=TIMEOUT_SECONDS)]
        while found[-1] != last:
            found.append(self._lines.get(timeout=TIMEOUT_SECONDS))
        return found

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(TIMEOUT_SECONDS)
        self._reader.join(TIMEOUT_SECONDS)
        return code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pytest.importorskip("watchfiles", reason="not verified: run --watch; needs the package watchfiles")
    (tmp_path / "own.py").write_text(CANDIDATE, "utf-8")
    (tmp_path / "treeproof.toml").write_text(
        '[candidate]\nadapter = "python"\nfactory = "./own.py:candidate"\n'
        '[tools]\nlist_directory = "list_directory@1.1"\n',
        "utf-8",
    )
    return tmp_path


@pytest.fixture
def watched(folder: Path) -> Iterator[WatchedRun]:
    run = WatchedRun(folder)
    yield run
    run.process.kill()
    run.process.wait()


@pytest.mark.slow
def test_a_change_starts_another_run(folder: Path, watched: WatchedRun) -> None:
    first = watched.read_until(WAITING)
    assert any(line.startswith("non-conformant") for line in first), first
    (folder / "own.py").write_text(CANDIDATE + "\n# changed\n", "utf-8")
    second = watched.read_until(WAITING)
    assert second[0].startswith("treeproof: runs again: ") and second[0].endswith("own.py changed\n")
    assert any(line.startswith("non-conformant") for line in second), second
    assert watched.end() == 1  # that of the last run


@pytest.mark.slow
def test_what_every_run_writes_starts_no_run(folder: Path, watched: WatchedRun) -> None:
    watched.read_until(WAITING)
    log = CANDIDATE.replace("    return", "    Path(__file__).with_name('own.log').open('a').write('x')\n    return")
    (folder / "own.py").write_text(log, "utf-8")
    lines = watched.read_until(WAITING)
    assert any("own.log, so this starts no further run" in line for line in lines), lines
    assert sum(line.startswith("treeproof: runs again: ") for line in lines) == 2
    assert watched.end() == 1


def test_a_missing_package_is_one_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert main(["run", str(folder), "--watch"]) == 2
    assert "--watch needs the package watchfiles; write: pip install 'treeproof[watch]'" in capsys.readouterr().err


def test_the_folders_of_the_candidate_and_of_specifications_are_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    candidate, spec = tmp_path / "candidate", tmp_path / "spec"
    candidate.mkdir()
    spec.mkdir()
    (candidate / "treeproof.toml").write_text("", "utf-8")
    assert watched_folders("candidate/treeproof.toml", ["ls", "./spec"]) == [candidate, spec]
    assert watched_folders("candidate", ["ls@2.0.0"]) == [candidate]
    assert watched_folders("stdio:node server.mjs", []) == [tmp_path]
