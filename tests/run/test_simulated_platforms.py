"""Rows of a simulated platform: run on the reference alone, marked, never a PASS, and seen by nobody else."""

from __future__ import annotations

import importlib
import io
import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from treeproof.report.console_writer import console_for
from treeproof.report.document import validate
from treeproof.report.terminal import render
from treeproof.run.runner import Options, run
from treeproof.spec import load_pack, parse_feature
from treeproof.tree.simulated_file_system import SimulatedFileSystem

Json = dict[str, Any]
RunFeature = Callable[..., Json]

LISTED = Path(__file__).parents[2] / "features" / "list_directory"
HELD = "held in a simulated Windows, which is no evidence of conformance"

# Says what lies where it is asked to look, by the `os` that it finds; can be told to do what it must not.
LISTER = """
import os
from json import dumps

class Lister:
    def initialize(self, params):
        return {"protocol": 1, "candidate": {"name": "lister", "version": "1", "language": "python"},
                "tools": {"say": "echoes@1"}, "capabilities": []}
    def describe(self, params):
        return {"name": "say"}
    def call(self, params):
        arguments, place = params["arguments"], params["context"]["working_dir"]
        if arguments.get("die"):
            raise KeyboardInterrupt
        if "make" in arguments:
            os.mkdir(os.path.join(place, arguments["make"]))
        text = " ".join(sorted(os.listdir(os.path.join(place, arguments["path"]))))
        return {"status": "ok", "content": f"{os.sep} {text}"}

def candidate():
    return Lister()
"""

SIMULATED = """
    @echoes
    Feature: Echoes

      @EC-R-1
      Rule: it returns its argument

        @EC-1-01
        Scenario: before
          Given the tree "a/{x}"
          When say is called with {"path": "a"}
          Then it says "/ x"
          And the tree is unchanged

        @EC-1-02 @simulated:windows
        Scenario: somewhere else
          Given the tree "a/{Y}"
          When say is called with {"path": "A"}
          Then it says "\\ Y"
          And the tree is unchanged

        @EC-1-03
        Scenario: after
          Given the tree "a/{z}"
          When say is called with {"path": "a"}
          Then it says "/ z"
          And the tree is unchanged

      @EC-R-2
      Rule: it says nothing else

        @EC-2-01 @simulated:windows
        Scenario: nowhere but there
          Given the tree "B"
          When say is called with {"path": "."}
          Then it says "\\ B"
          And the tree is unchanged
"""

_modules = itertools.count()


@pytest.fixture
def pack(echoes: Callable[..., Path], tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes the pack of the echoes with the lister as its reference."""

    def write(feature: str) -> Path:
        folder = echoes(feature)
        module = f"lister_{os.getpid()}_{next(_modules)}"
        (tmp_path / f"{module}.py").write_text(LISTER, "utf-8")
        face = folder / "spec.toml"
        lines = f'reference = "{module}:candidate"\n[spec.simulated]\nwindows = "{module}:candidate"\n\n[[tool]]'
        face.write_text(face.read_text("utf-8").replace("[[tool]]", lines, 1), "utf-8")
        return folder

    return write


@pytest.fixture
def simulated(pack: Callable[[str], Path]) -> RunFeature:
    """Return a function that runs the lister as the reference of its own pack over a feature text."""

    def execute(feature: str, **options: Any) -> Json:
        document = run(Options(target="reference", specs=(str(pack(feature)),), **options)).document
        validate(document)
        return document

    return execute


def scenarios(document: Json) -> dict[str, Json]:
    return {scenario["id"]: scenario for scenario in document["specs"][0]["scenarios"]}


def verdicts(document: Json) -> dict[str, str]:
    return {r["id"]: r["verdict"] for r in document["specs"][0]["requirements"]}


def test_a_row_that_holds_is_marked_and_not_applicable(simulated: RunFeature) -> None:
    row = scenarios(simulated(SIMULATED))["EC-1-02"]
    assert row["outcome"] == "not-applicable"
    assert row["evidence"]["cause"] == HELD
    assert row["evidence"]["simulated"] == "windows"
    assert row["evidence"]["outcome"]["content"] == "\\ Y"


def test_it_never_makes_a_pass(simulated: RunFeature) -> None:
    document = simulated(SIMULATED)
    assert verdicts(document) == {"EC-R-1": "PASS", "EC-R-2": "NOT APPLICABLE"}
    assert document["specs"][0]["requirements"][1]["cause"] == HELD
    assert document["verdict"] == "conformant"


def test_real_trees_before_and_after_it_are_real(simulated: RunFeature) -> None:
    found = scenarios(simulated(SIMULATED))
    assert [found[id]["outcome"] for id in ("EC-1-01", "EC-1-03")] == ["passed", "passed"]
    assert not any("simulated" in found[id]["evidence"] for id in ("EC-1-01", "EC-1-03"))


def test_in_any_order(simulated: RunFeature) -> None:
    backwards = scenarios(simulated(SIMULATED, order=lambda items: items.reverse()))
    assert {id: row["outcome"] for id, row in backwards.items()} == {
        "EC-1-01": "passed",
        "EC-1-02": "not-applicable",
        "EC-1-03": "passed",
        "EC-2-01": "not-applicable",
    }


def test_a_row_that_does_not_hold_fails_its_requirement(simulated: RunFeature) -> None:
    document = simulated(SIMULATED.replace('"\\ B"', '"\\ C"'))
    row = scenarios(document)["EC-2-01"]
    assert (row["outcome"], row["evidence"]["simulated"]) == ("failed", "windows")
    assert verdicts(document)["EC-R-2"] == "FAIL"
    assert document["verdict"] == "non-conformant"
    told = io.StringIO()
    render(document, console_for(told, {"COLUMNS": "100"}))
    assert "host       a simulated Windows" in told.getvalue()


def test_what_a_call_makes_there_is_seen(simulated: RunFeature) -> None:
    feature = SIMULATED.replace('{"path": "."}', '{"path": ".", "make": "C"}').replace('"\\ B"', '"\\ B C"')
    row = scenarios(simulated(feature))["EC-2-01"]
    assert (row["outcome"], row["evidence"]["step"]) == ("failed", "Then the tree is unchanged")
    assert row["evidence"]["got"].splitlines()[-1] == "root/C: appeared"


def test_a_candidate_that_breaks_there_leaves_nothing_behind(simulated: RunFeature) -> None:
    found = scenarios(simulated(SIMULATED.replace('{"path": "A"}', '{"path": "A", "die": true}')))
    assert found["EC-1-02"]["outcome"] == "fault"
    assert "KeyboardInterrupt" in found["EC-1-02"]["evidence"]["cause"]
    assert found["EC-1-03"]["outcome"] == "passed"


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('the tree "B"', 'the tree "B%0444"', "B: modes, hard links and faults are not simulated"),
        ('the tree "B"', "the tree \"'\\xff'\"", "names are Unicode there"),
        ('the tree "B"', "the tree \"'con'\"", "Windows has no such name"),
        ('Given the tree "B"', 'Given the file system of the disk\n          And the tree "B"', "needs a disk"),
    ],
)
def test_what_cannot_be_simulated_is_said_and_not_marked(
    simulated: RunFeature, before: str, after: str, why: str
) -> None:
    assert before in SIMULATED
    row = scenarios(simulated(SIMULATED.replace(before, after)))["EC-2-01"]
    assert row["outcome"] == "not-applicable"
    assert row["evidence"]["cause"].startswith("a rule of Windows that is not simulated: ")
    assert why in row["evidence"]["cause"]
    assert "simulated" not in row["evidence"]


def test_a_tree_stands_where_the_context_says(simulated: RunFeature) -> None:
    context = '\n          And the context {"roots": ["D:/"], "working_dir": "D:/"}'
    feature = SIMULATED.replace('Given the tree "B"', f'Given the tree "B"{context}')
    assert scenarios(simulated(feature))["EC-2-01"]["evidence"]["cause"] == HELD


def test_no_other_candidate_is_asked(pack: Callable[[str], Path], tmp_path: Path) -> None:
    folder = pack(SIMULATED)
    other = next(tmp_path.glob("lister_*.py"))
    document = run(Options(target=f"python:{other}:candidate", specs=(str(folder),))).document
    row = scenarios(document)["EC-1-02"]
    assert row["outcome"] == "not-applicable"
    assert row["evidence"]["cause"] == (
        "a rule of Windows, which this machine only simulates, and only for the reference"
    )
    assert not row["evidence"].keys() & {"simulated", "call", "outcome"}
    assert scenarios(document)["EC-1-01"]["outcome"] == "passed"


def test_an_entry_point_that_leads_nowhere_is_no_pass(pack: Callable[[str], Path]) -> None:
    folder = pack(SIMULATED)
    face = folder / "spec.toml"
    face.write_text(face.read_text("utf-8").replace('windows = "', 'windows = "not_'), "utf-8")
    document = run(Options(target="reference", specs=(str(folder),))).document
    assert scenarios(document)["EC-2-01"]["outcome"] == "fault"
    assert "there is no module 'not_lister" in scenarios(document)["EC-2-01"]["evidence"]["cause"]


def test_the_terminal_says_in_one_line_how_many_held(simulated: RunFeature) -> None:
    told = io.StringIO()
    render(simulated(SIMULATED), console_for(told, {"COLUMNS": "100"}))
    line = "Simulated · 2 scenarios held (2 on Windows), which is no evidence of conformance"
    assert told.getvalue().splitlines().count(line) == 1


def test_threads_processes_and_the_house_keep_the_real_file_system(tmp_path: Path) -> None:
    from treeproof.candidate import process

    (tmp_path / "real").touch()
    package = "treeproof.reference_impl.shared"
    sandbox = importlib.import_module(f"{package}.sandbox")
    seen: list[list[str]] = []
    with SimulatedFileSystem("macos").patch_os(package):
        assert not sandbox.os.path.exists(tmp_path)
        thread = threading.Thread(target=lambda: seen.append(os.listdir(tmp_path)))
        thread.start()
        thread.join()
        code = "import os, sys; print(os.listdir(sys.argv[1]))"
        child = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True)
        assert vars(process)["os"] is os is sys.modules["os"]
    assert (seen, child.stdout) == ([["real"]], "['real']\n")
    assert sandbox.os is os


def test_a_run_without_such_rows_does_not_load_the_simulation() -> None:
    code = (
        "import sys\n"
        "from treeproof.run.runner import Options, run\n"
        "run(Options('reference', specs=('list_directory',), select=('FR-LD-DEF-01',)))\n"
        "sys.exit(any(name.startswith('pyfakefs') for name in sys.modules))\n"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_every_bundled_row_holds_on_the_reference() -> None:
    rows = [row for file in load_pack(LISTED).feature_files() for row in parse_feature(file).scenarios if row.simulated]
    assert len(rows) >= 50
    options = Options("reference", specs=(str(LISTED),), select=tuple(row.id for row in rows))
    document = run(options).document
    validate(document)
    shown = scenarios(document)
    assert {id: row["evidence"]["cause"] for id, row in shown.items()} == {
        row.id: HELD if row.simulated == "windows" else HELD.replace("Windows", "macOS") for row in rows
    }
